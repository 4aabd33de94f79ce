//! No correction takes a joint of a person farther than people's joints go, nor farther outside of that than it was
//! carried.
//!
//! A limb is first solved as if its joints were free. Only where a joint has left its range is the limb brought back
//! into all of them: from the hip outwards each joint is turned to the nearest place in its range, and what the limb
//! is to hold (the ball of a foot, a wrist) is sought again, some times over. Every step leaves alone what is within,
//! so that a range that is just touched changes nothing.

use super::carried::Leg;
use super::sole::{FootGoal, sunk};
use super::swing::{roll, rolled_ankle, set_limb, turn_limb};
use crate::binding::limited;
use crate::ik::{Joint, middle_joint};
use crate::math::{Quat, Vec3, curve, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::rig::{JointRange, Rig, UpAxis};
use crate::skeleton::{JointId, Skeleton};

/// How often a limb is brought back into its ranges and to what it holds.
const ROUNDS: usize = 24;

/// The share of the way back that each round goes: a foot that turns as its shin does would overshoot otherwise.
const STEP: f64 = 0.6;

/// How far a planted foot may go beyond where it was carried, as the tangent of a quarter angle: 7.7°. What differs by less
/// cannot be told apart by who measures an ankle under load with a goniometer (Konor et al., Reliability of three measures
/// of ankle dorsiflexion range of motion, 2012).
const FOOT_SPARE: f64 = 0.0336;

/// The same of a knee that is nearly straight or was carried backwards, some 15°: it passes aside on its way, and thigh
/// and shin are twisted against each other, so that what is aside of one is not quite so of the other. How far
/// backwards it may be bent is settled where the leg is brought to its foot.
const KNEE_SPARE: f64 = 0.0655;

/// A joint that is farther out of its range than the first is trusted to be so the less, and from the second on not at
/// all, radians (30° and 90°): its roll in the file is not what it seems, and which end of the range it belongs to is
/// anybody's guess.
const TRUSTED_RAD: [f64; 2] = [0.52, 1.57];

/// A knee that is bent by less is nearly straight, radians (15°).
const NEARLY_STRAIGHT_RAD: f64 = 0.26;

/// A joint that a limit kept from where a correction would have had it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldBack {
    pub frame: usize,
    /// Of the target.
    pub joint: JointId,
    /// How far from there it is, radians.
    pub by_rad: f64,
}

/// A limb of three joints that turn, from the body outwards.
pub(super) struct RangedLimb {
    joints: [RangedJoint; 3],
    /// The leg that it is, if it is one.
    leg: Option<Leg>,
    up: UpAxis,
    len: f64,
}

/// What a solve has of one limb.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Where the point is to be that the limb holds.
    place: Vec3,
    /// How the last joint is to be turned.
    rotation: Quat,
    /// How much a foot holds its place by its sole; else it does by its last joint.
    pub grip: f64,
    /// Whether its knee is held, so that what is beyond gives way alone.
    kneels: bool,
}

#[derive(Clone, Copy)]
struct RangedJoint {
    /// The target's, and among the bones.
    id: JointId,
    own: JointId,
    /// What it hangs on, among the bones.
    above: JointId,
    bound: Bound,
}

impl RangedJoint {
    /// Its rotation in its parent's frame.
    fn local(&self, places: &WorldPose) -> Quat {
        places.rotation(self.above).inverse() * places.rotation(self.own)
    }

    /// Turns it, with all that hangs on it, as near to `rotation` (world) as its bound allows.
    fn confine(&self, skeleton: &Skeleton, bound: &Bound, rotation: Quat, places: &mut WorldPose) {
        let above = places.rotation(self.above);
        let bounded = above * bound.confine(above.inverse() * rotation);
        let is = places.rotation(self.own).inverse();
        // Errors of length would double from round to round.
        let turn = Quat::new_normalize(bounded.quaternion() * is.quaternion());
        turn_limb(skeleton, self.own, turn, places);
    }
}

/// What bounds a joint's local rotation.
#[derive(Clone, Copy)]
enum Bound {
    Human(JointRange),
    /// Of the rig; holds already.
    Stated(Joint),
    None,
}

impl Bound {
    fn of(rig: &Rig, id: JointId) -> Self {
        match (JointRange::of(rig, id), limited(rig, id)) {
            (_, Some(joint)) => Self::Stated(joint),
            (Some(range), None) => Self::Human(range),
            (None, None) => Self::None,
        }
    }

    fn holds(&self, local: Quat) -> bool {
        match self {
            Self::Human(range) => range.holds(local),
            Self::Stated(_) | Self::None => true,
        }
    }

    fn widened(self, carried: Quat, spare: f64) -> Self {
        match self {
            Self::Human(range) => Self::Human(range.widened(carried, spare)),
            other => other,
        }
    }

    fn confine(&self, local: Quat) -> Quat {
        match self {
            Self::Human(range) => {
                let inside = range.confine(local);
                let off_rad = inside.angle_to(&local);
                match off_rad > TRUSTED_RAD[0] {
                    true => {
                        let share = curve::ramp(off_rad, TRUSTED_RAD[1], TRUSTED_RAD[0]);
                        local.try_slerp(&inside, share, 1e-9).unwrap_or(local)
                    }
                    false => inside,
                }
            }
            Self::Stated(joint) => joint.confine(local),
            Self::None => local,
        }
    }
}

impl RangedLimb {
    /// Of the target's joints, each also as the bones have it, which reach `len` when straight; `None` where people's
    /// ranges bound none of them.
    pub fn new(
        rig: &Rig,
        bones: &Skeleton,
        joints: [[JointId; 2]; 3],
        leg: Option<Leg>,
        len: f64,
    ) -> Option<Self> {
        let joint = |[id, own]: [JointId; 2]| {
            Some(RangedJoint { id, own, above: bones.parent(own)?, bound: Bound::of(rig, id) })
        };
        let [Some(upper), Some(lower), Some(end)] = joints.map(joint) else { return None };
        let joints = [upper, lower, end];
        let human = |joint: &RangedJoint| matches!(joint.bound, Bound::Human(_));
        let up = rig.up;
        joints.iter().any(human).then_some(Self { joints, leg, up, len })
    }

    /// Whether it is a leg.
    pub fn is_leg(&self) -> bool {
        self.leg.is_some()
    }

    /// What the limb of a solved pose holds, of a foot with this grip.
    pub fn wanted(&self, places: &WorldPose, grip: f64, kneels: bool) -> Wanted {
        let rotation = places.rotation(self.joints[2].own);
        Wanted { place: self.held(places, grip), rotation, grip, kneels }
    }

    /// Brings the limb of a solved pose back into its ranges, `carried` and `world` being the pose as it was carried,
    /// and notes what that holds back; if the body was moved since, brings it back to what it holds.
    /// Gives how far it is then off that. No allocation but for the notes.
    pub fn hold(
        &self,
        skeleton: &Skeleton,
        (carried, world): (&Pose, &WorldPose),
        wanted: &Wanted,
        is_moved: bool,
        places: &mut WorldPose,
        mut note: impl FnMut(JointId, f64),
    ) -> Vec3 {
        let solved = self.joints.map(|joint| joint.local(places));
        let bounds = self.bounds(carried, world);
        let within = |(bound, &solved): (&Bound, &Quat)| bound.holds(solved);
        if !is_moved && bounds.iter().zip(&solved).all(within) {
            return Vec3::zeros();
        }
        let off = self.bring(skeleton, &bounds, wanted, places);
        for (joint, solved) in self.joints.iter().zip(solved) {
            let by_rad = joint.local(places).angle_to(&solved);
            if !joint.bound.holds(solved) && by_rad > 1e-6 {
                note(joint.id, by_rad);
            }
        }
        off
    }

    /// The ranges, each wide enough for the carried pose.
    fn bounds(&self, carried: &Pose, world: &WorldPose) -> [Bound; 3] {
        let own = |j: RangedJoint| j.bound.widened(carried.rotations[j.id.index()], 0.0);
        let mut bounds = self.joints.map(own);
        if let Some(leg) = &self.leg {
            // The foot as its sole lies as the source's.
            let id = self.joints[2].id;
            let foot = world.rotation(id);
            let [laid, _] = leg.sole_turn.applied(foot, foot);
            let turned = carried.rotations[id.index()] * foot.inverse() * laid;
            bounds[2] = bounds[2].widened(turned, FOOT_SPARE);
            if leg.knee.is_some_and(|knee| knee.bend_rad(leg, world) < NEARLY_STRAIGHT_RAD) {
                let knee = carried.rotations[self.joints[1].id.index()];
                bounds[1] = bounds[1].widened(knee, KNEE_SPARE);
            }
        }
        bounds
    }

    /// Brings the limb into its bounds and what it holds to its place, as far as they allow; gives what is left.
    fn bring(
        &self,
        skeleton: &Skeleton,
        bounds: &[Bound; 3],
        wanted: &Wanted,
        places: &mut WorldPose,
    ) -> Vec3 {
        let [upper, lower, end] = &self.joints;
        let [of_upper, of_lower, of_end] = bounds;
        let rounds = if wanted.kneels { 0 } else { ROUNDS };
        for _ in 0..rounds {
            // A knee at its bound has no more to give; to swing the leg for it would only whirl it round.
            if !of_lower.holds(lower.local(places)) {
                break;
            }
            end.confine(skeleton, of_end, wanted.rotation, places);
            let off = wanted.place - self.held(places, wanted.grip);
            if off.norm() <= 1e-9 * self.len {
                break;
            }
            self.reach(skeleton, places.position(end.own) + off * STEP, places);
        }
        if wanted.kneels {
            lower.confine(skeleton, of_lower, places.rotation(lower.own), places);
            end.confine(skeleton, of_end, wanted.rotation, places);
            return Vec3::zeros();
        }
        let is_bound = !of_upper.holds(upper.local(places));
        upper.confine(skeleton, of_upper, places.rotation(upper.own), places);
        lower.confine(skeleton, of_lower, places.rotation(lower.own), places);
        end.confine(skeleton, of_end, wanted.rotation, places);
        if is_bound {
            self.span(skeleton, bounds, wanted, places);
        }
        wanted.place - self.held(places, wanted.grip)
    }

    /// Brings what the limb holds to its place by its last two joints, the first staying at its bound: a foot that
    /// stands rolls about its ball.
    fn span(
        &self,
        skeleton: &Skeleton,
        [_, of_lower, of_end]: &[Bound; 3],
        wanted: &Wanted,
        places: &mut WorldPose,
    ) {
        let [_, lower, end] = &self.joints;
        let joints = self.joints.map(|joint| joint.own);
        for _ in 0..ROUNDS {
            let off = wanted.place - self.held(places, wanted.grip);
            if off.norm() <= 1e-9 * self.len {
                break;
            }
            let [_, knee, ankle] = joints.map(|id| places.position(id));
            let rotation = places.rotation(end.own);
            let shin_len = (ankle - knee).norm();
            let Some(along) = (ankle + off - knee).try_normalize(1e-9 * self.len) else { break };
            let free = knee + along * shin_len;
            let arm = self.leg.as_ref().map(|leg| rotation * leg.ball);
            let ball = arm.map(|arm| (arm, ankle + arm + off));
            let to = match ball {
                Some((arm, ball)) => rolled_ankle([knee, free], arm.norm(), ball, wanted.grip),
                None => free,
            };
            set_limb(skeleton, joints, [knee, to], rotation, places);
            lower.confine(skeleton, of_lower, places.rotation(lower.own), places);
            let ankle = places.position(end.own);
            let roll = ball.map(|(arm, ball)| roll(arm, ball - ankle, wanted.grip));
            let rotation = roll.map_or(rotation, |roll| roll * rotation);
            end.confine(skeleton, of_end, rotation, places);
        }
    }

    /// What is to stay in its place: of a foot the ball, at the height of the sole's lowest point, as far as it has a
    /// grip.
    fn held(&self, places: &WorldPose, grip: f64) -> Vec3 {
        let end = self.joints[2].own;
        let (ankle, foot_rotation) = (places.position(end), places.rotation(end));
        let Some(leg) = &self.leg else { return ankle };
        // The toes are bent where the floor wants them.
        let goal =
            FootGoal { ankle, foot_rotation, toe_rotation: foot_rotation, grip, backwards: 0.0 };
        let lowest = -sunk(&goal, leg, 0.0, self.up);
        let ball = self.up.level(ankle + foot_rotation * leg.ball);
        ankle.lerp(&(ball + self.up.vector() * lowest), grip)
    }

    /// Brings the last joint to `goal` (world) as far as the bones reach, bent in the plane in which the limb is bent.
    fn reach(&self, skeleton: &Skeleton, goal: Vec3, places: &mut WorldPose) {
        let joints = self.joints.map(|joint| joint.own);
        let [top, middle, end] = joints.map(|id| places.position(id));
        let swing = rotation_between(end - top, goal - top);
        let near = top + swing * (middle - top);
        let (upper, lower) = ((middle - top).norm(), (end - middle).norm());
        let middle = middle_joint(top, goal, near, upper, lower);
        let Some(way) = (goal - middle).try_normalize(1e-9 * self.len) else { return };
        let rotation = places.rotation(joints[2]);
        set_limb(skeleton, joints, [middle, middle + way * lower], rotation, places);
    }
}
