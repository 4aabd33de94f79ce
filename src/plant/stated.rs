//! A limb with stated limits, which is brought within them after its end reached its goal.

mod sweep;

pub(super) use sweep::Sweeps;

use super::even::TwoBones;
use super::limb_ik::turn_limb;
use crate::binding::{HingedLimb, Limits};
use crate::ik::{Approach, Joint};
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// A limb of three rotating joints, from the body outwards.
pub(super) struct StatedLimb {
    /// Joints of the bones; `above` is the parent of the first.
    joints: [JointId; 3],
    above: JointId,
    limits: [Option<Joint>; 3],
    hinge: Option<(HingedLimb, TwoBones)>,
}

impl StatedLimb {
    /// From the target's joints, each also as a joint of `bones`; `None` if none of them has a limit.
    pub fn new(limits: &Limits, bones: &Skeleton, joints: [[JointId; 2]; 3]) -> Option<Self> {
        let own = joints.map(|[_, own]| own);
        let of_joints = joints.map(|[id, _]| limits.of(id).copied());
        let hinge = limits.hinged_at(joints[1][0]).map(|hinge| (*hinge, TwoBones::of_hinge(hinge)));
        let above = bones.parent(own[0])?;
        let is_limited = of_joints.iter().any(Option::is_some);
        is_limited.then_some(Self { joints: own, above, limits: of_joints, hinge })
    }

    /// Whether its middle joint is a hinge, so that [`reach`](Self::reach) moves it to a goal.
    pub fn is_hinged(&self) -> bool {
        self.hinge.is_some()
    }

    /// Moves the end of a limb that is within its limits to `goal` (world): bends the hinge, swings the limb about its
    /// first joint, and turns it by `swivel_rad` about the line from its first joint to the goal. The limb follows less
    /// and less as its hinge nears the end of its range. With the goal where the end is, and no swivel, nothing
    /// changes. Closed form, continuous, allocates nothing.
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

    /// Bends the hinge of a limb so that its bones keep their directions as nearly as the hinge allows.
    pub fn bend(&self, skeleton: &Skeleton, places: &mut WorldPose) {
        let Some((hinge, _)) = &self.hinge else { return };
        let [upper, lower, _] = self.joints;
        let [is, bent] = [upper, lower].map(|id| places.rotation(id));
        let rolled = hinge.rolled(is, bent);
        let local = hinge.pointed(rolled.inverse() * (bent * hinge.bone()));
        set_rotation(skeleton, upper, rolled, places);
        set_rotation(skeleton, lower, rolled * local, places);
    }

    /// Brings the joints within their limits from the body outwards. The last joint first gets the rotation
    /// `end_rotation` (world).
    pub fn confine(&self, skeleton: &Skeleton, end_rotation: Quat, places: &mut WorldPose) {
        let [_, lower, end] = self.joints;
        for (i, joint) in self.joints.into_iter().enumerate() {
            if joint == end {
                set_rotation(skeleton, end, end_rotation, places);
            }
            let is_hinge = joint == lower && self.hinge.is_some();
            if self.limits[i].is_none() || is_hinge {
                continue;
            }
            let is = places.rotation(joint);
            let allowed = self.allowed(i, is, places);
            if allowed.angle_to(&is) > 1e-9 {
                set_rotation(skeleton, joint, allowed, places);
            }
        }
    }

    /// The rotation (world) of its joint number `i` that its limit allows for a `wanted` one.
    fn allowed(&self, i: usize, wanted: Quat, places: &WorldPose) -> Quat {
        let Some(limit) = &self.limits[i] else { return wanted };
        let [upper, lower, _] = self.joints;
        let above = places.rotation([self.above, upper, lower][i]);
        above * limit.approach(above.inverse() * wanted, Approach::HARD)
    }
}

/// Sets the world rotation of a joint, in place, and turns all joints below it along.
pub(super) fn set_rotation(
    skeleton: &Skeleton,
    joint: JointId,
    rotation: Quat,
    places: &mut WorldPose,
) {
    let is = places.rotation(joint).inverse();
    // Without normalising, errors of the quaternion's length would double from call to call.
    let turn = Quat::new_normalize(rotation.quaternion() * is.quaternion());
    turn_limb(skeleton, joint, turn, places);
}
