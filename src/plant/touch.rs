//! Hands that touch each other or the body.
//!
//! Free hands go with their shoulders, as they were carried. Hands that are near each other in the source come to
//! the same place relative to each other, and one that is near the body to the same place on the target's, after
//! egocentric mapping (Molla, Debarba, Boulic 2017): a place on a part is told in shares of the part's sizes, and the
//! parts near a hand are weighed by how near they are. The weights are functions of the source's pose, made smooth
//! over time; so are the ways of the arms out of the trunk.

mod look;
mod near;
mod trunk;

use super::HandMove;
use super::body::saturated;
use super::carried::Leg;
use super::foot::Frames;
use super::sole::FootGoal;
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::ik::middle_joint;
use crate::math::{Vec3, curve};
use crate::pose::{Pose, WorldPose};
use crate::rig::{BodyPart, Flesh, Shape, Side};
use crate::transfer::{Transfer, TransferScratch};
use std::ops::Range;
use trunk::Aside;

/// What hands are near over a clip, in those stretches in which they could be.
pub(super) struct Touches {
    frames: usize,
    stretches: Vec<(Range<usize>, Vec<Sight>)>,
}

/// A pose's arms, target world; the body where it was carried.
#[derive(Clone, Copy)]
struct Sight {
    /// How near the hands are to each other.
    hands: f64,
    /// Where the left wrist belongs, seen from the right one.
    apart: Vec3,
    arms: [ArmSight; 2],
    trunk: Shape,
}

#[derive(Clone, Copy)]
struct ArmSight {
    shoulder: Vec3,
    elbow: Vec3,
    wrist: Vec3,
    /// From the wrist to the finger tips.
    hand: Vec3,
    bones: [f64; 2],
    /// How near the hand is to the body, and to what of it.
    body: f64,
    part: Option<BodyPart>,
    /// From where it was carried to the same place on the body.
    shift: Vec3,
    /// How deep the points of the arm may be in the trunk.
    allowed: [f64; trunk::POINTS],
}

/// Where the legs are to be, which hands may rest on.
pub(super) struct Planted<'a> {
    pub legs: &'a [Leg],
    pub goals: &'a [Vec<FootGoal>],
    pub body: &'a [Vec3],
}

impl Touches {
    /// Looks for them; `None` where nothing is ever near.
    pub fn new(
        source: &Clip,
        binding: &Binding,
        planted: &Planted,
        frames: Frames,
    ) -> Option<Self> {
        let flesh = [Flesh::of(&binding.source)?, Flesh::of(&binding.target)?];
        let near = look::near(source, binding, &flesh, frames.hand + 2 * frames.touch);
        if near.is_empty() {
            return None;
        }
        let transfer = Transfer::new(binding);
        let (skeleton, last) = (&binding.source.skeleton, source.len() - 1);
        let joints = skeleton.with_ancestors(flesh[0].joints());
        let rest = (near::REST_S / source.frame_time().seconds()).round() as usize;
        let cut = |range: &Range<usize>| {
            let Range { start, end } = *range;
            let blocks = blocks::of_frames(end - start).into_iter();
            blocks.map(move |block| start + block.start..start + block.end).collect::<Vec<_>>()
        };
        let sights = blocks::map(
            near.iter().flat_map(cut).collect(),
            || {
                let around = WorldPose::new(skeleton.len());
                (TransferScratch::new(binding), Pose::rest(skeleton), [around.clone(), around])
            },
            |(scratch, pose, around), block: Range<usize>| {
                let sight = |frame: usize| {
                    transfer.frame(source, frame, scratch);
                    let TransferScratch { source_world, world, .. } = scratch;
                    let frames = [frame.saturating_sub(rest), (frame + rest).min(last)];
                    for (world, frame) in around.iter_mut().zip(frames) {
                        source.read_pose(frame, pose);
                        world.set_joints(skeleton, pose, &joints);
                    }
                    planted.stand(frame, world);
                    let [before, after] = &*around;
                    Sight::of(binding, &flesh, [before, source_world, after], world)
                };
                block.map(sight).collect::<Vec<_>>()
            },
        );
        let mut sights = sights.into_iter().flatten();
        let stretch = |range: Range<usize>| {
            let mut sights: Vec<Sight> = sights.by_ref().take(range.len()).collect();
            for side in [0, 1] {
                let shifts: Vec<Vec3> = sights.iter().map(|sight| sight.arms[side].shift).collect();
                let smooth = curve::smooth(&shifts, frames.hand / 2);
                sights.iter_mut().zip(smooth).for_each(|(sight, s)| sight.arms[side].shift = s);
            }
            (range, sights)
        };
        Some(Self { frames: source.len(), stretches: near.into_iter().map(stretch).collect() })
    }

    /// What both hands do in the frames in which they are near something, `leans` telling how much each leans on a
    /// floor and `floor` how far it moves for that; `None` where nothing is near enough after all.
    pub fn goals(
        &self,
        leans: [&[f64]; 2],
        floor: [&[Vec3]; 2],
        frames: Frames,
    ) -> Option<[Vec<HandMove>; 2]> {
        let weights = |radius: usize, near: &dyn Fn(&Sight) -> f64| {
            let mut weights = vec![0.0; self.frames];
            for (range, sights) in &self.stretches {
                let inner = self.inner(range, [2 * radius, 2 * radius + frames.touch]);
                let of = inner.iter().zip(sights).map(|(inner, sight)| inner * near(sight));
                weights[range.clone()].iter_mut().zip(of).for_each(|(weight, near)| *weight = near);
            }
            curve::envelope(&weights, radius)
        };
        let hands = weights(frames.touch, &|sight| sight.hands);
        let body = [0, 1].map(|side| weights(frames.hand / 2, &|sight| sight.arms[side].body));
        let mut goals = [0, 1].map(|_| vec![HandMove::default(); self.frames]);
        for (range, sights) in &self.stretches {
            for (frame, sight) in range.clone().zip(sights) {
                let free = [0, 1].map(|side| 1.0 - leans[side][frame]);
                let floor = [0, 1].map(|side| floor[side][frame]);
                let body = [0, 1].map(|side| body[side][frame]);
                let touch = sight.touch(hands[frame], body, free, floor);
                goals.iter_mut().zip(touch).for_each(|(goals, touch)| goals[frame] = touch);
            }
            for side in [0, 1] {
                self.keep_out(range.clone(), sights, side, &mut goals[side], leans[side], frames);
            }
        }
        goals.iter().flatten().any(HandMove::is_held).then_some(goals)
    }

    /// 0 up to `from` frames from a stretch's ends where the clip goes on, rising to 1 at `to`: nothing begins there
    /// with a jump.
    fn inner(&self, range: &Range<usize>, [from, to]: [usize; 2]) -> Vec<f64> {
        let inner = |frame: usize| {
            let into = if range.start == 0 { usize::MAX } else { frame - range.start };
            let left = if range.end == self.frames { usize::MAX } else { range.end - 1 - frame };
            curve::ramp(into.min(left) as f64, from as f64, to as f64)
        };
        range.clone().map(inner).collect()
    }

    /// Moves a hand aside where its arm would sink into the trunk.
    fn keep_out(
        &self,
        range: Range<usize>,
        sights: &[Sight],
        side: usize,
        goals: &mut [HandMove],
        leans: &[f64],
        frames: Frames,
    ) {
        let (goals, leans) = (&mut goals[range.clone()], &leans[range.clone()]);
        let needed: Vec<Aside> = sights
            .iter()
            .zip(&*goals)
            .map(|(sight, goal)| Aside::of(sight, side, goal.shift))
            .collect();
        if needed.iter().all(|aside| aside.push == Vec3::zeros() && aside.swivel_rad == 0.0) {
            return;
        }
        let curve = |of: &dyn Fn(&Aside) -> f64| {
            let amounts: Vec<f64> = needed.iter().map(|aside| of(aside).max(0.0)).collect();
            curve::envelope(&amounts, frames.hand)
        };
        let inner = self.inner(&range, [0, 2 * frames.touch]);
        let pushes = curve(&|aside| aside.push.norm());
        // About the axis one way, and the other.
        let turns = [1.0, -1.0].map(|sign| curve(&|aside| sign * aside.swivel_rad));
        let size = sights[0].arms[side].bones[0];
        let ways: Vec<Vec3> =
            needed.iter().map(|aside| aside.push + aside.out * (1e-3 * size)).collect();
        let ways = curve::smooth(&ways, frames.hand);
        for (i, goal) in goals.iter_mut().enumerate() {
            let free = (1.0 - leans[i]) * inner[i];
            let aside = ways[i].try_normalize(1e-300).unwrap_or_default() * pushes[i] * free;
            goal.shift += aside;
            goal.aside_len = aside.norm();
            goal.swivel_rad = (turns[0][i] - turns[1][i]) * free;
        }
    }
}

impl Planted<'_> {
    /// Lays thighs and shins of a carried pose as they will be planted, the body staying where it was carried.
    fn stand(&self, frame: usize, world: &mut WorldPose) {
        for (leg, goals) in self.legs.iter().zip(self.goals) {
            let [hip, knee, ankle] = leg.joints[..] else { continue };
            let goal = goals[frame].ankle - self.body[frame];
            let [hip, was, end] = [hip, knee, ankle].map(|id| world.position(id));
            let near = was + (goal - end) / 2.0;
            let bones = [(was - hip).norm(), (end - was).norm()];
            world.positions[knee.index()] = middle_joint(hip, goal, near, bones[0], bones[1]);
            world.positions[ankle.index()] = goal;
        }
    }
}

impl Sight {
    /// Of a source's pose, with those some time before and after it, and the same carried over.
    fn of(
        binding: &Binding,
        flesh: &[Flesh; 2],
        sources: [&WorldPose; 3],
        target: &mut WorldPose,
    ) -> Self {
        let ([from, to], source) = (flesh, sources[1]);
        let turn = binding.target_world_from_source;
        let hands = near::hands(&from.arms, source, 0.0);
        let size = |flesh: &Flesh| (flesh.arms[0].bones[1] + flesh.arms[1].bones[1]) / 2.0;
        let wrist = |side: usize| source.position(from.arms[side].joints[2]);
        let apart = turn * (wrist(0) - wrist(1)) * (size(to) / size(from));
        let trunk =
            |flesh: &Flesh, world| flesh.shape(BodyPart::Trunk, world).expect("flesh has a trunk");
        let (own_trunk, trunk) = (trunk(from, source), trunk(to, target));
        let ratio = to.trunk.depth / from.trunk.depth;
        let arms = [Side::Left, Side::Right].map(|side| {
            let [own, arm] = [from, to].map(|flesh| &flesh.arms[side.index()]);
            let [wrist, tips] = arm.hand(target);
            let allowed = trunk::allowed(own, source, &own_trunk, ratio);
            ArmSight {
                shoulder: target.position(arm.joints[0]),
                elbow: target.position(arm.joints[1]),
                wrist,
                hand: tips - wrist,
                bones: arm.bones,
                body: 0.0,
                part: None,
                shift: Vec3::zeros(),
                allowed,
            }
        });
        let mut sight = Self { hands, apart, arms, trunk };
        for _ in 0..ROUNDS {
            let seen = Side::BOTH.map(|side| sight.on_body(binding, flesh, side, sources, target));
            let mut on_arms = false;
            for (side, (body, part, shift)) in Side::BOTH.into_iter().zip(seen) {
                let arm = &mut sight.arms[side.index()];
                (arm.body, arm.part, arm.shift) = (body, part, shift);
                on_arms |= body > 0.0 && part.is_some_and(|part| part.arm().is_some());
            }
            if !on_arms {
                break;
            }
            // A hand on the other arm is on one that moves itself.
            for (arm, seen) in to.arms.iter().zip(&sight.arms) {
                let by = seen.shift * seen.body;
                let wrist = seen.wrist + by;
                let [first, second] = seen.bones;
                let elbow =
                    middle_joint(seen.shoulder, wrist, seen.elbow + by / 2.0, first, second);
                target.positions[arm.joints[1].index()] = elbow;
                target.positions[arm.joints[2].index()] = wrist;
            }
        }
        sight
    }

    /// How near a hand is to the body, to what of it, and how far from where it was carried it is in the same place.
    fn on_body(
        &self,
        binding: &Binding,
        [from, to]: &[Flesh; 2],
        side: Side,
        sources: [&WorldPose; 3],
        target: &WorldPose,
    ) -> (f64, Option<BodyPart>, Vec3) {
        let source = sources[1];
        let own_trunk = from.trunk_shape(source);
        let own = &from.arms[side.index()];
        let points = near::points(own.hand(source));
        let seen = &self.arms[side.index()];
        let goals = near::points([seen.wrist, seen.wrist + seen.hand]);
        let (mut body, mut nearest) = (0.0, None);
        let (mut weights, mut shifts) = (0.0, Vec3::zeros());
        for part in from.parts().filter(|part| near::concerns(*part, side)) {
            let shapes = from.shape(part, source).zip(to.shape(part, target));
            let Some((shape, goal_shape)) = shapes else { continue };
            let goal_shape = match part {
                BodyPart::Trunk | BodyPart::Head => goal_shape,
                _ => goal_shape.rolled_as(&shape, binding.target_world_from_source),
            };
            // Hands that meet are held by each other.
            let apart = if part.arm().is_some() { 1.0 - self.hands } else { 1.0 };
            let rests = near::rests(from, part, own, sources);
            let free = near::lifted(own, part, &shape, &own_trunk, source) * apart * rests;
            for (point, goal) in points.iter().zip(&goals) {
                let place = shape.place(*point);
                let distance = shape.distance(&place) / own.len();
                let near = near::surface(distance, 0.0) * free;
                if near > body {
                    (body, nearest) = (near, Some(part));
                }
                let weight = (free + 1e-6) / (distance.max(0.0) + SOFT).powi(4);
                weights += weight;
                shifts += (goal_shape.point(&place) - goal) * weight;
            }
        }
        (body, nearest, shifts / f64::max(weights, 1e-300))
    }

    /// What the hands do that count as near to each other and to the body as the weights say; `free` is what leaning
    /// on a floor leaves of that, and `floor` how far it moves them.
    fn touch(&self, hands: f64, body: [f64; 2], free: [f64; 2], floor: [Vec3; 2]) -> [HandMove; 2] {
        let [left, right] = &self.arms;
        let mut shifts = [0, 1].map(|i| floor[i] + self.arms[i].shift * (body[i] * free[i]));
        let between = |shifts: &[Vec3; 2]| left.wrist + shifts[0] - right.wrist - shifts[1];
        let is = between(&shifts);
        let wanted = is + (self.apart - is) * hands;
        let total = (free[0] + free[1]).max(1e-9);
        let mut short = [0.0; 2];
        for _ in 0..if hands > 0.0 { ROUNDS } else { 1 } {
            if hands > 0.0 {
                let off = wanted - between(&shifts);
                shifts[0] += off * (free[0] / total);
                shifts[1] -= off * (free[1] / total);
            }
            for i in [0, 1] {
                let within = self.arms[i].within_reach(floor[i], shifts[i]);
                let lost = (shifts[i] - within) * free[i];
                shifts[i] -= lost;
                short[i] = lost.norm();
            }
        }
        [0, 1].map(|i| HandMove {
            shift: shifts[i],
            floor: 1.0 - free[i],
            other_hand: hands * free[i],
            body: body[i] * free[i],
            part: self.arms[i].part,
            aside_len: 0.0,
            swivel_rad: 0.0,
            short_len: short[i],
        })
    }
}

impl ArmSight {
    /// The same shift as far as the arm can follow, softly towards its whole length; `floor` is a shift that it
    /// follows anyhow.
    fn within_reach(&self, floor: Vec3, shift: Vec3) -> Vec3 {
        let [was, way] = [floor, shift].map(|shift| self.wrist + shift - self.shoulder);
        let most = (REACH * (self.bones[0] + self.bones[1]) - was.norm()).max(0.0);
        let excess = way.norm() - was.norm();
        if excess <= most / 2.0 {
            return shift;
        }
        let allowed = was.norm() + most / 2.0 + saturated(excess - most / 2.0, most / 2.0);
        shift + way * (allowed / way.norm() - 1.0)
    }
}

/// The farthest that an arm reaches for what it touches, as a share of its length.
const REACH: f64 = 0.995;

/// Of two places this much nearer counts for no more, arm lengths.
const SOFT: f64 = 0.03;

/// Rounds in which hands come to each other, or to arms that move themselves.
const ROUNDS: usize = 3;
