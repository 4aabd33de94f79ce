//! A limb some of whose joints have stated limits, brought into them after it was reached with.

use super::even::TwoBones;
use super::limb_ik::turn_limb;
use crate::binding::{HingedLimb, Limits};
use crate::ik::{Approach, Joint};
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// A limb of three joints that turn, from the body outwards.
pub(super) struct StatedLimb {
    /// Among the bones, and what the first hangs on.
    joints: [JointId; 3],
    above: JointId,
    limits: [Option<Joint>; 3],
    hinge: Option<(HingedLimb, TwoBones)>,
}

impl StatedLimb {
    /// Of the target's joints, each also as the `bones` have it; `None` where none of them has a limit.
    pub fn new(limits: &Limits, bones: &Skeleton, joints: [[JointId; 2]; 3]) -> Option<Self> {
        let own = joints.map(|[_, own]| own);
        let of_joints = joints.map(|[id, _]| limits.of(id).copied());
        let hinge = limits.hinged_at(joints[1][0]).map(|hinge| (*hinge, TwoBones::of_hinge(hinge)));
        let above = bones.parent(own[0])?;
        let is_limited = of_joints.iter().any(Option::is_some);
        is_limited.then_some(Self { joints: own, above, limits: of_joints, hinge })
    }

    /// Whether its middle joint is a hinge, so that [`reach`](Self::reach) brings it to a goal.
    pub fn is_hinged(&self) -> bool {
        self.hinge.is_some()
    }

    /// Brings the end of a limb that is within its limits to `goal` (world), by less and less the nearer its hinge comes to
    /// the end of its range: bends the hinge, swings the limb about its first joint, and turns it by `swivel` about the
    /// line to there. Asked for nothing, it does nothing. Closed form, continuous, no allocation.
    pub fn reach(&self, skeleton: &Skeleton, goal: Vec3, swivel_rad: f64, places: &mut WorldPose) {
        let Some((hinge, bones)) = &self.hinge else { return };
        let [upper, lower, end] = self.joints;
        let top = places.position(upper);
        let way = bones.reached(places.position(end) - top, goal - top);
        let (swing, local) = hinge.reaching(places.rotation(upper), way);
        set_rotation(skeleton, lower, places.rotation(upper) * local, places);
        let line = way.try_normalize(1e-300).unwrap_or_default();
        turn_limb(skeleton, upper, Quat::from_scaled_axis(line * swivel_rad) * swing, places);
    }

    /// Bends the hinge of a limb whose bones were laid somehow, so that they point there as nearly as it can.
    pub fn bend(&self, skeleton: &Skeleton, places: &mut WorldPose) {
        let Some((hinge, _)) = &self.hinge else { return };
        let [upper, lower, _] = self.joints;
        let [is, bent] = [upper, lower].map(|id| places.rotation(id));
        let rolled = hinge.rolled(is, bent);
        let local = hinge.pointed(rolled.inverse() * (bent * hinge.bone()));
        set_rotation(skeleton, upper, rolled, places);
        set_rotation(skeleton, lower, rolled * local, places);
    }

    /// Brings the joints into their limits from the body outwards, the last one turned as `end_rotation` (world)
    /// before.
    pub fn confine(&self, skeleton: &Skeleton, end_rotation: Quat, places: &mut WorldPose) {
        let [upper, lower, end] = self.joints;
        let above = [self.above, upper, lower];
        for ((limit, joint), above) in self.limits.iter().zip(self.joints).zip(above) {
            if joint == end {
                set_rotation(skeleton, end, end_rotation, places);
            }
            let is_hinge = joint == lower && self.hinge.is_some();
            let Some(limit) = limit.filter(|_| !is_hinge) else { continue };
            let above = places.rotation(above);
            let local = above.inverse() * places.rotation(joint);
            let inside = limit.approach(local, Approach::HARD);
            if inside.angle_to(&local) > 1e-9 {
                set_rotation(skeleton, joint, above * inside, places);
            }
        }
    }
}

/// Turns a joint in place, with all that hangs on it, to a rotation (world).
pub(super) fn set_rotation(
    skeleton: &Skeleton,
    joint: JointId,
    rotation: Quat,
    places: &mut WorldPose,
) {
    let is = places.rotation(joint).inverse();
    // Errors of length would double from call to call.
    let turn = Quat::new_normalize(rotation.quaternion() * is.quaternion());
    turn_limb(skeleton, joint, turn, places);
}
