//! Hand clearance: keeps hands over the ground. On a body whose arms are long for its legs, a hand that was beside its
//! source's knee would be below the floor. Such a hand is lifted, and its elbow bends.
//!
//! Where the arm alone cannot lift it so far, as with hands that are long for the height of their shoulders, the hand
//! turns about its wrist until its fingers are over the ground. It comes to lie as its forearm does, palm down.
//!
//! A hand comes no lower than the lower of two heights: the ground, and the source's hand, scaled. The lift is a curve
//! over the clip. Arms are transferred in those frames alone in which the source's hand is so near to the ground that the
//! target's, with its longer arm, could be below it, and shortly before and after.

use super::HandMove;
use super::arm::{Arm, ArmFrames, TransferredArm, arm_len, weight};
use super::arm_ik::ArmBend;
use super::body_ground::BodyGround;
use super::contact_interval::{Frames, widened};
use super::even::TwoBones;
use super::hanging::Hanging;
use super::reach::unfolded;
use crate::binding::Binding;
use crate::math::{Vec3, bounded, curve, rotation_between, runs, with_values};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side, UpAxis};
use std::ops::Range;

/// How much lower than its lengths say a hand may come since the two bodies stand in other stances, leg lengths.
const SLACK: f64 = 0.1;

/// How much lower a shoulder may come than the lengths of the trunks say since their spines are bent otherwise, trunk
/// lengths.
pub(super) const TRUNK_SLACK: f64 = 0.2;

/// A hand is lifted in rounds, so that its arm does not whirl about where it swings through under a low shoulder: first the
/// arm turns over a long time and rises early, and then faster where its hand is still too low.
const ROUNDS: [Round; 2] = [Round { turns: 3.0, rises: 0.4 }, Round { turns: 1.0, rises: 0.25 }];

/// One round of lifting.
struct Round {
    /// The time over which the arm turns evenly, as a multiple of that of other limbs.
    turns: f64,
    /// The time in which the hand rises, as a share of that in which hands come to what they touch.
    rises: f64,
}

/// How far a hand turns about its wrist at most, and from where on less and less, radians: as it hangs it lies down along its
/// forearm.
const MOST_TILT_RAD: [f64; 2] = [1.4, 2.0];

/// How far from its shoulder a lifted hand goes aside at most, arm lengths: what swings through under it would whirl farther out.
const MOST_ASIDE: f64 = 0.4;

/// A lifted hand begins to go aside this share before it is too near to its shoulder.
const NEAR: f64 = 0.2;

/// A hand goes wholly aside from this lift on, arm lengths.
const BEGINS: f64 = 0.1;

/// A hand that lies down turns up for so much more, as a share of what it comes up by: fingers are thick, and a turn that comes
/// and goes brings up less than it must.
const OVER: f64 = 0.15;

/// A lift below this does nothing that anyone sees, leg lengths.
const LEAST: f64 = 1e-5;

/// Adds the lifts of the hand of one arm to its `moves`. `low` has the runs of frames in which it may be too low.
pub(super) fn lift(
    ground: &BodyGround,
    low: &[Range<usize>],
    arm: &mut ArmFrames,
    moves: &mut Option<Vec<HandMove>>,
) {
    let Some(lifts) = lifts(ground, low, arm, moves.as_deref()) else { return };
    let moves = moves.get_or_insert_with(|| vec![HandMove::default(); lifts.len()]);
    for (hand, Lift { offset, tilt }) in moves.iter_mut().zip(lifts) {
        hand.offset += offset;
        hand.lifted_len = offset.norm();
        hand.tilt = tilt;
    }
}

/// The runs of frames in which the hand of an arm may be too low, or whose lift passes over from such a frame.
pub(super) fn may_be_low(ground: &BodyGround, arm: &Arm) -> Vec<Range<usize>> {
    let BodyGround { heights, binding, body, frames, .. } = *ground;
    let (target, count) = (&binding.target, body.len());
    let known = heights.shoulder(arm.side).zip(heights.hand(arm.side));
    let lower = LowerHand::of(binding, arm.side, arm.len(target));
    let Some(((shoulders, hand), lower)) = known.zip(lower) else { return Vec::new() };
    let is_low = |f: usize| {
        let lower = lower.at_most(shoulders[f]);
        over_floor(ground, hand[f]) + target.up.height(body[f]).min(0.0) < lower
    };
    widened(runs(0..count, is_low), frames.hand, count)
}

/// How low the arm of a side may be in a frame: the height of the ground, or less where its source's hand is below it.
pub(super) fn lowest(ground: &BodyGround, side: Side, frame: usize) -> f64 {
    let hand = ground.heights.hand(side);
    let over_floor = hand.map_or(0.0, |hand| over_floor(ground, hand[frame]));
    ground.binding.target_height(ground.track.floor_height) + over_floor.min(0.0)
}

/// How high over the floor something is that is so high in the source, target length units.
fn over_floor(ground: &BodyGround, height: f64) -> f64 {
    (height - ground.track.floor_height) * ground.binding.scale
}

/// The lift of one hand in every frame, from where its other goals put it. `None` where no frame needs it.
fn lifts(
    ground: &BodyGround,
    low: &[Range<usize>],
    arm: &mut ArmFrames,
    moves: Option<&[HandMove]>,
) -> Option<Vec<Lift>> {
    if low.is_empty() {
        return None;
    }
    let side = arm.arm.side;
    let BodyGround { binding, body, frames, .. } = *ground;
    let (target, count) = (&binding.target, body.len());
    let weight = weight(binding, side);
    let hand_len = arm.arm.hand_len(target);
    let bend = ArmBend::of(binding, side, arm.arm.joints[0]);
    let arms = arm.in_runs(low);
    let wanted = |f: usize| moves.map_or(Vec3::zeros(), |moves| moves[f].offset);
    let leans = |f: usize| moves.map_or((0.0, 0.0), |moves| (moves[f].floor, moves[f].lies_len));
    let mut lifts = vec![Lift::default(); count];
    let mut is_lifted = false;
    for (run, arms) in with_values(low, &arms) {
        let was = run.clone().zip(arms).map(|(f, arm)| bend.reached(arm, wanted(f)));
        let was: Vec<Vec3> = was.collect();
        let depth = |(f, (arm, was)): (usize, (&TransferredArm, &Vec3))| {
            let moved = ground.carried(f, arm.shoulder) + was - arm.wrist;
            lowest(ground, side, f) - target.up.height(arm.bottom(target.up) + moved)
        };
        let depths: Vec<f64> = run.clone().zip(arms.iter().zip(&was)).map(depth).collect();
        if depths.iter().all(|depth| *depth < LEAST * target.leg_len) {
            continue;
        }
        is_lifted = true;
        let (up, bones) = (target.up, bend.bones(&arms[0]));
        // A hand that lies down on the floor comes up by that much without its arm.
        let of_arm = |((f, depth), arm): ((usize, &f64), &TransferredArm)| {
            depth - leans(f).1.min((arm.under(target.up) - arm.under_lying).max(0.0))
        };
        let of_arm: Vec<f64> = run.clone().zip(&depths).zip(arms).map(of_arm).collect();
        let low = LowArm { was: &was, depths: &of_arm, bones, up, frames };
        let (mut lying, mut needed_rad) = (Vec::new(), Vec::new());
        for (((f, arm), way), low) in run.clone().zip(arms).zip(low.lifted_ways()).zip(0..) {
            let lifted = (way - was[low]) * weight;
            let short = was[low] - arm.way() - wanted(f);
            let counts = curve::ramp(lifted.norm(), 0.0, short.norm());
            lifts[f].offset = lifted + short * counts;
            // An arm that is folded far follows its goal less and less.
            let reached = bend.reached(arm, wanted(f) + lifts[f].offset);
            let depth = depths[low] - up.height(reached - was[low]);
            let forearm = reached - bend.elbow(arm, reached);
            let carried = rotation_between(arm.wrist - arm.elbow, forearm) * arm.hand;
            let (leans, lies_len) = leans(f);
            let hanging = Hanging::of_hand(arm.hand, carried, arm.ahead, leans, up);
            let depth = depth + OVER * lies_len;
            let free_rad = hanging.tilt_rad(arm.under(up), depth, hand_len, MOST_TILT_RAD);
            let leaning_rad = hanging.point_tilt_rad(arm.lowest, depth, MOST_TILT_RAD, up);
            needed_rad.push((free_rad + (leaning_rad - free_rad) * leans) * weight);
            lying.push(hanging);
        }
        let tilts = Hanging::tilts(&lying, &needed_rad, frames.hand / 4, up);
        lifts[run].iter_mut().zip(tilts).for_each(|(lift, tilt)| lift.tilt = tilt);
    }
    is_lifted.then_some(lifts)
}

/// How a hand is kept over the ground in one frame.
#[derive(Clone, Copy, Default)]
struct Lift {
    /// How far the hand is lifted, target length units.
    offset: Vec3,
    /// The turn about its wrist, a scaled axis.
    tilt: Vec3,
}

/// An arm in frames after each other in which its hand may be too low.
struct LowArm<'a> {
    /// The ways from shoulder to wrist before the hand is lifted.
    was: &'a [Vec3],
    /// How far the lowest point of the hand is below what it may come down to.
    depths: &'a [f64],
    bones: TwoBones,
    up: UpAxis,
    frames: Frames,
}

impl LowArm<'_> {
    /// The ways from shoulder to wrist of an arm that turns and bends evenly as its hand is lifted.
    fn lifted_ways(&self) -> Vec<Vec3> {
        let mut ways = self.was.to_vec();
        let mut held = None;
        for round in &ROUNDS {
            let lifts = self.lifts(&ways, round);
            let held = held.get_or_insert_with(|| -> Vec<bool> {
                lifts.iter().map(|lift| *lift == 0.0).collect()
            });
            for (f, lift) in lifts.into_iter().enumerate().filter(|(f, _)| !held[*f]) {
                ways[f] = self.lifted_way(f, ways[f], lift);
            }
            self.bones.even(self.was, |_| 1.0, &mut ways, held, self.frames.limb * round.turns);
        }
        ways
    }

    /// This way with its hand lifted. A hand that comes to be under its shoulder goes aside, for no arm folds so far.
    fn lifted_way(&self, f: usize, way: Vec3, lift: f64) -> Vec3 {
        let way = way + self.up.vector() * lift;
        let (level, distance) = (self.up.level(way), way.norm());
        let least = (MOST_ASIDE * self.bones.len()).min(self.bones.folded_lens[1]);
        let least = least.min(self.was[f].norm());
        let farther = unfolded(distance, least, (1.0 + NEAR) * least);
        let aside = farther * farther - distance * distance + level.norm_squared();
        let begins = curve::ramp(lift, 0.0, BEGINS * self.bones.len());
        let along = level.try_normalize(1e-300).unwrap_or_default();
        way + (along * aside.max(0.0).sqrt() - level) * begins
    }

    /// How far the hand at the end of these `ways` has to be lifted, as an even curve, target length units.
    fn lifts(&self, ways: &[Vec3], round: &Round) -> Vec<f64> {
        let height = |way: Vec3| self.up.height(way);
        let depths = self.depths.iter().zip(self.was.iter().zip(ways));
        let depths = depths.map(|(depth, (was, way))| depth - height(way - was));
        // An arm that hangs straight bends as the root of its lift, so it is the root that is even.
        let roots: Vec<f64> = depths.map(|depth| depth.max(0.0).sqrt()).collect();
        // No hand is lifted over its shoulder.
        let most: Vec<f64> = ways.iter().map(|way| -(-height(*way)).max(0.0).sqrt()).collect();
        let rises = (self.frames.hand as f64 * round.rises) as usize;
        let roots = curve::envelope(&roots, rises);
        let most = curve::envelope(&most, self.frames.hand / 8);
        let lift = |(root, most): (f64, f64)| lifted(root, -most).powi(2);
        roots.into_iter().zip(most).map(lift).collect()
    }
}

/// How far a hand is lifted that is so deep below its floor and comes up by at most `most`; the roots of all three.
fn lifted(depth: f64, most: f64) -> f64 {
    let most = most.max(0.0);
    bounded(depth, 0.85 * most, most)
}

/// How much lower than its source's, scaled, a hand of the target can come.
struct LowerHand {
    /// However its trunk leans, target length units.
    arm: f64,
    /// By a trunk of another length, target length units for each of the source's by which the source's shoulder is over
    /// its hips.
    trunk: f64,
}

impl LowerHand {
    /// Of an arm of the target that is so long.
    fn of(binding: &Binding, side: Side, len: f64) -> Option<Self> {
        let Binding { source, target, scale, .. } = binding;
        let longer = (len - arm_len(source, side)? * scale).max(0.0);
        let target_len = trunk_len(target, side)?;
        let arm = longer + SLACK * target.leg_len + TRUNK_SLACK * target_len;
        let least_len = 1e-9 * source.leg_len;
        let trunk = scale - target_len / trunk_len(source, side)?.max(least_len);
        Some(Self { arm, trunk })
    }

    /// While the source's shoulder is so high over its hips.
    fn at_most(&self, shoulder: f64) -> f64 {
        self.arm + self.trunk * shoulder
    }
}

/// From the hips to the shoulder, length units.
pub(super) fn trunk_len(rig: &Rig, side: Side) -> Option<f64> {
    let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
    let at = |role: Role| rig.joint(role).map(|joint| world.position(joint));
    Some((at(Role::UpperArm(side))? - at(Role::Hips)?).norm())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    #[test]
    fn a_long_arm_swings_through_under_a_low_shoulder_and_neither_whirls_nor_sinks() {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        // A wrist swings through 1 below its shoulder, which is 0.4 over the floor.
        let swing =
            |i: usize| Vec3::new((0.15 * (i as f64 - 29.5)).tanh(), -1.0, 0.2).cap_magnitude(1.15);
        let was: Vec<Vec3> = (0..60).map(swing).collect();
        let depths: Vec<f64> = was.iter().map(|way| -0.4 - way.y).collect();
        let bones = TwoBones { lens: [0.6, 0.55], folded_lens: [0.3, 0.38] };
        let up = UpAxis::Y;
        let arm = LowArm { was: &was, depths: &depths, bones, up, frames };
        let ways = arm.lifted_ways();
        let along: Vec<Vec3> = ways.iter().map(|way| way.normalize()).collect();
        let broken = along.windows(3).map(|w| (w[2] - w[1] * 2.0 + w[0]).norm());
        let broken = broken.fold(0.0, f64::max);
        let low = ways.iter().map(|way| -0.4 - way.y).fold(0.0, f64::max);
        assert!(broken < 0.06 && low < 0.01, "breaks by {broken}, {low} below the floor");
    }

    #[test]
    fn a_hand_that_swings_down_from_over_its_shoulder_hardly_passes_through_the_floor() {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 120.0);
        // Over 0.4 s an arm turns down through the side and up again, as of a body upside down; its shoulder is 0.6 over the
        // floor.
        let swing = |i: usize| {
            let down_rad = 2.2 * (-(i as f64 - 60.0).powi(2) / 500.0).exp() - 0.7;
            Vec3::new(down_rad.cos(), -down_rad.sin(), 0.2) * 1.1
        };
        let was: Vec<Vec3> = (0..120).map(swing).collect();
        let depths: Vec<f64> = was.iter().map(|way| -0.6 - way.y).collect();
        let bones = TwoBones { lens: [0.6, 0.55], folded_lens: [0.2, 0.4] };
        let arm = LowArm { was: &was, depths: &depths, bones, up: UpAxis::Y, frames };
        let low = |ways: &[Vec3]| ways.iter().map(|way| -0.6 - way.y).fold(0.0, f64::max);
        let (sank, sinks) = (low(&was), low(&arm.lifted_ways()));
        assert!(sank > 0.4 && sinks < 0.08, "{sank} deep, and lifted {sinks}");
    }

    #[test]
    fn the_hand_of_a_long_arm_under_a_low_shoulder_goes_aside_and_is_over_the_floor() {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        let (bones, up) = (TwoBones { lens: [0.6, 0.55], folded_lens: [0.2, 0.4] }, UpAxis::Y);
        for shoulder in [0.02, 0.1, 0.3] {
            // A hand hangs a little ahead and sways.
            let way = |i: usize| {
                let lean = 0.3 + 0.2 * (0.2 * i as f64).cos().powi(3);
                Vec3::new(0.2, -lean.cos(), lean.sin()) * 1.1
            };
            let was: Vec<Vec3> = (0..90).map(way).collect();
            let depths: Vec<f64> = was.iter().map(|way| -shoulder - way.y).collect();
            let arm = LowArm { was: &was, depths: &depths, bones, up, frames };
            let ways = arm.lifted_ways();
            // What the solve makes of a way on which the arm folds.
            let reached = was.iter().zip(&ways).map(|(was, way)| bones.reached(*was, *way));
            let low = reached.map(|way| -shoulder - way.y).fold(0.0, f64::max);
            assert!(low < 0.04, "{low} below the floor, under a shoulder {shoulder} over it");
        }
    }

    #[test]
    fn a_hand_is_lifted_as_far_as_it_is_deep_and_not_over_its_shoulder() {
        assert_eq!(lifted(0.3, 1.0), 0.3);
        let lifts: Vec<f64> = (0..400).map(|i| lifted(0.01 * f64::from(i), 1.0)).collect();
        assert!(lifts.windows(2).all(|two| two[0] <= two[1]) && lifts[399] <= 1.0);
        let breaks = lifts.windows(3).map(|l| (l[2] - 2.0 * l[1] + l[0]).abs());
        assert!(breaks.fold(0.0, f64::max) < 0.001);
        assert_eq!(lifted(0.3, -0.1), 0.0, "a hand over its shoulder");
    }
}
