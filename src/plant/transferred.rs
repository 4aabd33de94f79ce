//! The legs of the target and their transferred poses, frame by frame, for planting.

use super::even::{FOLDING_RAD, TwoBones};
use crate::binding::{Binding, SoleTurn};
use crate::blocks;
use crate::clip::Clip;
use crate::math::{Quat, Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{Foot, JointRange, Rig, Role, Side};
use crate::skeleton::JointId;
use crate::transfer::{Transfer, TransferScratch};
use std::iter::once;
use std::ops::Range;

/// One leg of the target, looked up once.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    /// From the hip down to the ankle; a foot that is the whole leg has its ankle at the hip.
    pub joints: Vec<JointId>,
    /// The joints between hip and ankle, each with the axis in its frame (local) about which it bends the leg; `None`
    /// if the stance does not show it.
    pub bends: Vec<(JointId, Option<Vec3>)>,
    /// The knee of a person's leg.
    pub knee: Option<Knee>,
    pub ankle: JointId,
    pub toe: Option<JointId>,
    /// Heel and ball in the ankle's frame (local).
    pub heel: Vec3,
    pub ball: Vec3,
    /// In the toe joint's frame (local), or the ankle's without one.
    pub tip: Vec3,
    pub ball_height: f64,
    /// The direction of the sole, from heel to tip, in the frames of ankle and toe joint (local).
    pub foot_ahead: Vec3,
    pub toe_ahead: Vec3,
    /// The direction to the body's left in the ankle's frame (local).
    pub foot_aside: Vec3,
    /// Lays the sole as the source's lies.
    pub sole_turn: SoleTurn,
    /// Whether it stands on the ball alone.
    pub is_point: bool,
    /// From the hip along the bones to the ankle, length units.
    pub len: f64,
    /// The forward normal of a person's thigh at its largest extension, in the frame of the thigh's parent (local);
    /// zero if nothing bounds the extension.
    pub before_back: Vec3,
}

/// The knee of a person's leg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knee {
    pub shin: JointId,
    /// The axis about which it bends the shin backwards, in the shin's frame (local).
    pub axis: Vec3,
    /// The same axis in the thigh's frame (local), which no roll of the shin turns.
    pub thigh_axis: Vec3,
    /// The direction along the axis away from the other leg: 1 or -1.
    pub outwards: f64,
    /// Thigh and shin; their fold is bounded by a stated limit or a person's range.
    pub bones: TwoBones,
    /// The least distance of the foot's ball from the knee, at a person's largest dorsiflexion.
    pub from_ball_len: f64,
}

/// A knee that is bent by more than the second counts as bent forwards, by more than the first less and less as backwards,
/// radians: no knee bends so far backwards, but a folded one comes past its thigh in noise, and a bend that changed its sign
/// there would be made even through straight.
const FOLDED_RAD: [f64; 2] = [2.4, 2.8];

/// The bend between thigh and shin, to any side.
fn bend_rad([thigh, shin]: [Vec3; 2]) -> f64 {
    thigh.cross(&shin).norm().atan2(thigh.dot(&shin))
}

impl Leg {
    /// Whether its foot can turn its toes up in the air, as a person's.
    pub fn turns_toes_up(&self) -> bool {
        self.knee.is_some() && !self.is_point
    }

    /// All legs of the target, in the order of its feet.
    pub fn all(binding: &Binding) -> Vec<Leg> {
        let target = &binding.target;
        let world = WorldPose::of(&target.skeleton, &target.stance.local);
        let local = |id: JointId, v: Vec3| target.stance.body_from_joint[id.index()].inverse() * v;
        let leg = |(foot, &sole_turn): (&Foot, &SoleTurn)| {
            let bones = foot.leg.windows(2).map(|b| world.position(b[1]) - world.position(b[0]));
            let shin = foot
                .leg
                .iter()
                .copied()
                .find(|&id| matches!(target.roles.role(id), Some(Role::Shin(_))));
            // The axis points to the body's left in the stance.
            let place = |id: JointId| world.position(id);
            let bones_at = |shin: JointId| {
                [place(shin) - place(foot.leg[0]), place(foot.ankle) - place(shin)]
                    .map(|bone| bone.norm())
            };
            let knee = shin.map(|shin| (shin, bones_at(shin))).map(|(shin, lens)| Knee {
                shin,
                axis: local(shin, Vec3::x()),
                thigh_axis: local(foot.leg[0], Vec3::x()),
                outwards: match target.roles.role(shin).and_then(Role::side) {
                    Some(Side::Right) => -1.0,
                    _ => 1.0,
                },
                bones: TwoBones { lens, folded_lens: folded_lens(binding, shin, lens) },
                from_ball_len: least_from_ball_len(target, &world, shin, foot),
            });
            let bend = |three: &[JointId]| match knee.filter(|knee| knee.shin == three[1]) {
                Some(knee) => (knee.shin, Some(knee.axis)),
                None => (three[1], bend_axis(&world, three)),
            };
            Leg {
                joints: foot.leg.clone(),
                bends: foot.leg.windows(3).map(bend).collect(),
                knee,
                ankle: foot.ankle,
                toe: foot.toe,
                heel: foot.heel,
                ball: foot.ball,
                tip: foot.tip,
                ball_height: foot.ball_height,
                foot_ahead: foot.ahead,
                foot_aside: local(foot.ankle, Vec3::x()),
                toe_ahead: foot.toe_ahead,
                sole_turn,
                is_point: foot.is_point(),
                len: bones.map(|bone| bone.norm()).sum(),
                before_back: before_back(target, foot.leg[0]),
            }
        };
        target.feet.iter().zip(&binding.sole_turns).map(leg).collect()
    }
}

impl Leg {
    /// The vectors from hip to knee and from knee to ankle of a person's leg.
    pub fn thigh_and_shin(&self, world: &WorldPose) -> Option<[Vec3; 2]> {
        let [hip, knee, ankle] =
            [self.hip(), self.knee?.shin, self.ankle].map(|id| world.position(id));
        Some([knee - hip, ankle - knee])
    }

    /// How far forwards a person's knee is bent, as a cosine: from 1, straight forwards, to -1, straight backwards. 1 for
    /// other legs, and for one that is straight or folded.
    fn forwards(&self, world: &WorldPose) -> f64 {
        let Some((knee, bones)) = self.knee.zip(self.thigh_and_shin(world)) else { return 1.0 };
        let [thigh, shin] = bones;
        let axis = world.rotation(self.hip()) * knee.thigh_axis;
        let normal = thigh.cross(&shin).try_normalize(1e-300);
        let forwards = normal.map_or(1.0, |normal| normal.dot(&axis));
        forwards + (1.0 - forwards) * curve::ramp(bend_rad(bones), FOLDED_RAD[0], FOLDED_RAD[1])
    }

    /// The side of a leg of a person, `target`.
    pub fn side(&self, target: &Rig) -> Option<Side> {
        target.roles.role(self.ankle)?.side()
    }

    /// The same leg of a skeleton whose joints have other ids.
    pub fn with_joints(&self, own: impl Fn(JointId) -> JointId) -> Self {
        Self {
            joints: self.joints.iter().map(|&id| own(id)).collect(),
            bends: self.bends.iter().map(|&(id, axis)| (own(id), axis)).collect(),
            knee: self.knee.map(|knee| Knee { shin: own(knee.shin), ..knee }),
            ankle: own(self.ankle),
            toe: self.toe.map(own),
            ..self.clone()
        }
    }

    /// Its topmost joint.
    pub fn hip(&self) -> JointId {
        self.joints[0]
    }

    /// The length of its foot from ankle to ball, leg lengths.
    pub fn foot_len(&self) -> f64 {
        self.ball.norm() / self.len.max(1e-300)
    }

    /// Thigh and shin; `None` without a person's knee.
    pub fn two_bones(&self) -> Option<TwoBones> {
        self.knee.map(|knee| knee.bones)
    }

    /// The bend of its knee at this distance of hip and ankle, radians; 0 without a person's knee, or if one of its
    /// bones has no length.
    pub fn bend_rad(&self, distance: f64) -> f64 {
        self.two_bones().map_or(0.0, |bones| bones.bend_rad(distance))
    }

    /// Whether it bends between hip and ankle, so that the foot's rotation is independent of its position.
    pub fn has_knee(&self) -> bool {
        self.joints.len() > 2
    }
}

/// [`TwoBones::folded_lens`] of thigh and shin. Without a range, the leg folds flat.
fn folded_lens(binding: &Binding, shin: JointId, lens: [f64; 2]) -> [f64; 2] {
    if let Some(limb) = binding.limits.hinged_at(shin) {
        return TwoBones::of_hinge(limb).folded_lens;
    }
    let unfoldable = [(lens[0] - lens[1]).abs(); 2];
    let bones = TwoBones { lens, folded_lens: unfoldable };
    match JointRange::of(&binding.target, shin).map(|range| range.most_swing_rad()) {
        Some(most_rad) => [most_rad, most_rad - FOLDING_RAD].map(|bend_rad| bones.span(bend_rad)),
        None => unfoldable,
    }
}

/// The least distance of a person's ball from the knee, with the foot bent up in the plane of its direction; 0 without
/// a range.
fn least_from_ball_len(target: &Rig, world: &WorldPose, shin: JointId, foot: &Foot) -> f64 {
    let frame = |id: JointId| target.stance.body_from_joint[id.index()];
    let [knee, ankle] = [shin, foot.ankle].map(|id| world.position(id));
    let to_knee = frame(shin) * (world.rotation(shin).inverse() * (knee - ankle));
    let turn = farthest(target, foot.ankle, 0);
    turn.map_or(0.0, |turn| (turn * (frame(foot.ankle) * foot.ball) - to_knee).norm())
}

/// [`Leg::before_back`] of a person's hip joint.
fn before_back(target: &Rig, hip: JointId) -> Vec3 {
    let turn = farthest(target, hip, 1);
    turn.map_or(Vec3::zeros(), |turn| above(target, hip).inverse() * (turn * Vec3::z()))
}

/// The frame of a joint's parent, in body space.
fn above(target: &Rig, joint: JointId) -> Quat {
    let frame = |id: JointId| target.stance.body_from_joint[id.index()];
    target.skeleton.parent(joint).map_or(Quat::identity(), frame)
}

/// The rotation from the stance to one end (0 or 1) of a joint's range of forward and backward swing, body space;
/// `None` without a range.
fn farthest(target: &Rig, joint: JointId, end: usize) -> Option<Quat> {
    let local = JointRange::of(target, joint)?.swung(0, end);
    Some(above(target, joint) * local * target.stance.body_from_joint[joint.index()].inverse())
}

/// The axis about which the middle one of three joints is bent, in its frame (local); `None` if it is nearly straight.
fn bend_axis(world: &WorldPose, three: &[JointId]) -> Option<Vec3> {
    let [above, middle, below] = [0, 1, 2].map(|i| world.position(three[i]));
    let (upper, lower) = (middle - above, below - middle);
    let normal = upper.cross(&lower) / (upper.norm() * lower.norm()).max(1e-300);
    // A sine: a joint bent by less than some 6° may bend to either side.
    Some(world.rotation(three[1]).inverse() * normal.try_normalize(0.1)?)
}

/// A leg in one frame of the transferred clip, its sole laid as the source's lies; target world.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransferredLeg {
    pub thigh: Vec3,
    /// The knee of a person's leg, the ball of any other's sole.
    pub knee_or_ball: Vec3,
    pub ankle: Vec3,
    /// The rotation of the thigh, world.
    pub turn: Quat,
    /// [`Leg::before_back`] in the world.
    pub before_back: Vec3,
}

impl TransferredLeg {
    /// From hip to ankle.
    pub fn way(&self) -> Vec3 {
        self.ankle - self.thigh
    }

    /// The bend of a person's knee, to any side.
    pub fn bend_rad(&self) -> f64 {
        bend_rad([self.knee_or_ball - self.thigh, self.ankle - self.knee_or_ball])
    }
}

/// The rotations above and below the thigh of a leg with a stated limit at its hip or ankle, in one frame of the
/// transferred clip, world.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegTurns {
    /// The parent of the thigh.
    pub seat: Quat,
    /// The parent of the ankle.
    pub shin: Quat,
}

/// All transferred legs, by leg and frame.
pub(super) struct TransferredLegs {
    pub legs: Vec<Vec<TransferredLeg>>,
    /// How far forwards a person's knee is bent, as a cosine: -1 where it is bent backwards.
    pub forwards: Vec<Vec<f64>>,
    /// The rotations of foot and toe, from which the plan of the foot starts.
    pub feet: Vec<Vec<[Quat; 2]>>,
    /// By leg and frame; empty for a leg without stated limits.
    pub turns: Vec<Vec<LegTurns>>,
}

/// Transfers all legs in every frame of `source`.
pub(super) fn transferred_legs(source: &Clip, binding: &Binding, legs: &[Leg]) -> TransferredLegs {
    let ends = legs.iter().flat_map(|leg| leg.toe.into_iter().chain([leg.ankle]));
    let is_limited =
        |leg: &Leg| [leg.hip(), leg.ankle].iter().any(|id| binding.limits.of(*id).is_some());
    let see = |leg: &Leg, world: &WorldPose| {
        let foot = world.rotation(leg.ankle);
        let toe = leg.toe.map_or(foot, |toe| world.rotation(toe));
        let sole = leg.sole_turn.applied(foot, toe);
        let ankle = world.position(leg.ankle);
        let above = |id| {
            let above = binding.target.skeleton.parent(id);
            above.map_or(Quat::identity(), |above| world.rotation(above))
        };
        let seat = above(leg.hip());
        let transferred = TransferredLeg {
            thigh: world.position(leg.hip()),
            knee_or_ball: match leg.knee {
                Some(Knee { shin, .. }) => world.position(shin),
                None => ankle + sole[0] * leg.ball,
            },
            ankle,
            turn: world.rotation(leg.hip()),
            before_back: seat * leg.before_back,
        };
        let turns = is_limited(leg).then(|| LegTurns { seat, shin: above(leg.ankle) });
        (transferred, leg.forwards(world), sole, turns)
    };
    let (count, frames) = (legs.len(), source.len());
    let mut all = TransferredLegs {
        legs: vec![Vec::with_capacity(frames); count],
        forwards: vec![Vec::with_capacity(frames); count],
        feet: vec![Vec::with_capacity(frames); count],
        turns: vec![Vec::new(); count],
    };
    transfer_limbs(source, binding, once(0..frames), ends, legs, see, |leg, seen| {
        for (was, forwards, sole, turns) in seen {
            all.legs[leg].push(was);
            all.forwards[leg].push(forwards);
            all.feet[leg].push(sole);
            all.turns[leg].extend(turns);
        }
    });
    all
}

/// Hands `take` what `see` sees of each limb in these `runs` of frames of `source`, transferred: the number of a limb and
/// what is seen of it in the next frames. Transfers nothing but what leads to `joints`, in blocks of frames.
pub(super) fn transfer_limbs<L: Sync, C: Send>(
    source: &Clip,
    binding: &Binding,
    runs: impl IntoIterator<Item = Range<usize>>,
    joints: impl IntoIterator<Item = JointId>,
    limbs: &[L],
    see: impl Fn(&L, &WorldPose) -> C + Sync + Send,
    mut take: impl FnMut(usize, Vec<C>) + Send,
) {
    let transfer = Transfer::of(binding, joints);
    blocks::gather(
        runs.into_iter().flat_map(blocks::of_range).collect(),
        || TransferScratch::new(binding),
        |scratch, block| {
            let with_room = |_| Vec::with_capacity(block.len());
            let mut seen: Vec<Vec<C>> = limbs.iter().map(with_room).collect();
            for frame in block {
                transfer.frame(source, frame, scratch);
                for (seen, limb) in seen.iter_mut().zip(limbs) {
                    seen.push(see(limb, &scratch.world));
                }
            }
            seen
        },
        |block| block.into_iter().enumerate().for_each(|(limb, seen)| take(limb, seen)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::LoadedRig;
    use crate::settings::Settings;

    #[test]
    fn a_knee_bends_forwards_and_backwards_but_not_where_it_is_folded() {
        let hero = LoadedRig::load("samples/skeletons/hero.toml").unwrap();
        let binding = Binding::between(&hero, &hero, &Settings::default()).unwrap();
        let leg = &Leg::all(&binding)[0];
        let knee = leg.knee.unwrap();
        // The bend times how far forwards it is, of a knee that its shin's turn from the stance bends forwards.
        let bend_rad = |turn_rad: f64| {
            let mut pose = binding.target.stance.local.clone();
            let bent = Quat::from_scaled_axis(knee.axis * turn_rad);
            pose.rotations[knee.shin.index()] *= bent;
            let world = WorldPose::of(&binding.target.skeleton, &pose);
            super::bend_rad(leg.thigh_and_shin(&world).unwrap()) * leg.forwards(&world)
        };
        assert!((bend_rad(1.0) - 1.0).abs() < 0.1 && (bend_rad(-1.0) + 1.0).abs() < 0.1);
        // To half a turn and beyond, as noise brings a folded knee, no step of it shows as much as its own tenfold.
        let bends: Vec<f64> = (0..125).map(|i| bend_rad(2.0 + 0.01 * f64::from(i))).collect();
        assert!(bends.windows(2).all(|b| (b[1] - b[0]).abs() < 0.1), "{bends:?}");
        assert!(bends[100..].iter().all(|bend| *bend > 2.5), "{bends:?}");
    }
}
