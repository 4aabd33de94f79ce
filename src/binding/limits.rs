//! A rig's stated limits: for joints that IK solves, and for the motion that is transferred.
//!
//! The transfer brings a joint into its limit, from the body outwards; so every later stage sees a motion that the rig
//! can make. If a knee or an elbow is a hinge, the thigh or upper arm takes the roll with which it bends in the plane
//! in which the source's limb is bent. Both bones keep their directions, and the rest of the shin's or forearm's twist
//! goes to the foot or hand. All of this is continuous in the pose.

use crate::ik::{Approach, Cone, Joint, JointKind, Range};
use crate::math::{Quat, Vec3, curve, rotation_between};
use crate::rig::{JointLimit, Rig, Role, Side, bone_end};
use crate::skeleton::JointId;

/// The joint with the rig's limit, counted from the reference stance; `None` if it rotates freely.
///
/// A joint whose channels cannot express every rotation is limited to those that they express.
pub(crate) fn limited(rig: &Rig, id: JointId) -> Option<Joint> {
    let limit = rig.limits.iter().find(|(joint, _)| *joint == id).map(|(_, limit)| *limit);
    let joint = match limit {
        None | Some(JointLimit::Free) => {
            let order = rig.skeleton.joint(id).channels.euler_order();
            return match order.axes().len() {
                0 => Some(Joint::fixed()),
                1 | 2 => Some(Joint::euler(order, [Range::free(); 3])),
                _ => None,
            };
        }
        Some(JointLimit::Hinge { axis, min_rad, max_rad }) => {
            Joint::hinge(axis, Range::new(min_rad, max_rad))
        }
        Some(JointLimit::Ball { swing_rad, twist_rad: [least, most] }) => {
            let twist_axis = bone_axis(rig, id);
            Joint::cone(Cone {
                twist_axis,
                swing_axis: crate::math::any_perpendicular(twist_axis),
                swing_rad,
                twist: Range::new(least, most),
            })
        }
    };
    Some(joint.with_rest(stance_rotation(rig, id)))
}

/// The limits of the target's joints, by joint; empty if the rig states none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    joints: Vec<Option<Joint>>,
    hinged: Vec<HingedLimb>,
}

impl Limits {
    pub fn new(rig: &Rig) -> Self {
        let joints: Vec<Option<Joint>> = rig.skeleton.ids().map(|id| limited(rig, id)).collect();
        if joints.iter().all(Option::is_none) {
            return Self::default();
        }
        let limbs = Side::BOTH.into_iter().flat_map(|side| {
            [
                [Role::Thigh(side), Role::Shin(side), Role::Foot(side)],
                [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)],
            ]
        });
        let hinged = limbs.filter_map(|roles| {
            let [upper, lower, end] = roles.map(|role| rig.joint(role));
            let (upper, lower) = (upper?, lower?);
            HingedLimb::new(rig, &joints[lower.index()]?, [upper, lower], end)
        });
        Self { hinged: hinged.collect(), joints }
    }

    /// The limit of a joint.
    pub fn of(&self, joint: JointId) -> Option<&Joint> {
        self.joints.get(joint.index())?.as_ref()
    }

    /// The limb whose middle joint is a hinge, by its first joint.
    pub fn hinged_below(&self, upper: JointId) -> Option<&HingedLimb> {
        self.hinged.iter().find(|limb| limb.upper == upper)
    }

    /// The limb whose middle joint is a hinge, by that joint.
    pub fn hinged_at(&self, lower: JointId) -> Option<&HingedLimb> {
        self.hinged.iter().find(|limb| limb.lower == lower)
    }
}

/// A limb whose middle joint is a hinge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingedLimb {
    pub upper: JointId,
    pub lower: JointId,
    hinge: Joint,
    axis: Vec3,
    range: Range,
    /// The part of the range in which the limb is bent one way, so that no two angles give it the same length.
    one_way: Range,
    /// The first bone in the first joint's frame, and the second bone in the second's (local).
    bones: [Vec3; 2],
}

/// The bend (as a sine) below which the plane of the limb counts less and less.
const PLANE_SINE: f64 = 0.25;
/// The weight of the transferred roll against that plane where the limb is straight, as a sine.
const TRANSFERRED_SINE: f64 = 0.05;

impl HingedLimb {
    /// `None` if the middle joint is no hinge, is no child of the first, or has an axis along the bone that it would
    /// bend.
    fn new(
        rig: &Rig,
        joint: &Joint,
        [upper, lower]: [JointId; 2],
        end: Option<JointId>,
    ) -> Option<Self> {
        let JointKind::Hinge { axis, range } = joint.kind else { return None };
        if rig.skeleton.parent(lower) != Some(upper) {
            return None;
        }
        let offset = |id: JointId| rig.stance.local.translations[id.index()];
        let end = match end.filter(|end| rig.skeleton.parent(*end) == Some(lower)) {
            Some(end) => offset(end),
            None => bone_axis(rig, lower),
        };
        let bones = [offset(lower), end];
        let across = |bone: Vec3, axis: Vec3| bone.cross(&axis).norm() > 0.3 * bone.norm();
        let is_sound = across(bones[1], axis) && across(bones[0], joint.rest * axis);
        let one_way = range;
        let limb = Self { upper, lower, hinge: *joint, axis, range, one_way, bones };
        is_sound.then(|| limb.bent_one_way())
    }

    /// The hinge with only the part of its range in which it is bent one way. A range may let a knee bend a little
    /// backwards too; then the limb would have two poses of one length.
    fn bent_one_way(mut self) -> Self {
        let straight = crate::ik::unwind(self.straight_rad(), self.range);
        if self.range.min < straight && straight < self.range.max {
            match self.side() < 0.0 {
                true => self.one_way.max = straight,
                false => self.one_way.min = straight,
            }
        }
        self
    }

    /// The angle at which the limb is straightest.
    fn straight_rad(&self) -> f64 {
        let axis = self.hinge.rest * self.axis;
        let off = |v: Vec3| v - axis * axis.dot(&v);
        let (straight, bone) = (off(self.bones[0]), off(self.hinge.rest * self.bones[1]));
        axis.dot(&bone.cross(&straight)).atan2(bone.dot(&straight))
    }

    /// The rotation (world) of the first joint, rolled about its bone so that the hinge can point the second bone along
    /// `lower` (world).
    ///
    /// The roll takes the hinge's axis to the normal of the plane of both bones, or beside it if the axis is not square
    /// to them. So a limb that its hinge alone bends keeps its roll. If the limb is nearly straight, the normal is
    /// noise, and the transferred roll counts instead. A limb that is bent the other way is rolled by a quarter turn at
    /// most.
    pub fn rolled(&self, upper: Quat, lower: Quat) -> Quat {
        let along = upper * self.bones[0].normalize();
        let hinge = upper * (self.hinge.rest * self.axis);
        let Some(axis) = (hinge - along * along.dot(&hinge)).try_normalize(1e-9) else {
            return upper;
        };
        let bone = self.bones[1].normalize();
        let way = lower * bone;
        let normal = along.cross(&way) * self.side();
        let (ahead, aside) = (normal.dot(&axis), normal.dot(&along.cross(&axis)));
        let sine = ahead.hypot(aside);
        let transferred = TRANSFERRED_SINE * (1.0 - curve::ramp(sine, 0.0, PLANE_SINE));
        let to_normal = aside.atan2(ahead.abs() + transferred + 1e-12);
        // Bending does not change the bone's angle to the axis.
        let angle_cos = self.axis.dot(&bone) - along.dot(&hinge) * along.dot(&way);
        let off_square = angle_cos / (hinge.dot(&axis) * sine).max(1e-12);
        let beside = off_square.clamp(-0.9, 0.9).asin() * curve::ramp(ahead, 0.0, PLANE_SINE);
        let roll = to_normal - self.side() * beside;
        Quat::from_scaled_axis(along * roll) * upper
    }

    /// The second joint's bone in its own frame (local).
    pub fn bone(&self) -> Vec3 {
        self.bones[1]
    }

    /// On which side of straight the range is: 1 if a positive angle bends the limb about the axis, otherwise -1.
    fn side(&self) -> f64 {
        let middle = self.local(self.range.middle()) * self.bones[1];
        let bent = self.bones[0].cross(&middle).dot(&(self.hinge.rest * self.axis));
        if bent < 0.0 { -1.0 } else { 1.0 }
    }

    /// The second joint's local rotation at an angle.
    fn local(&self, angle_rad: f64) -> Quat {
        self.hinge.rest * Quat::from_scaled_axis(self.axis * angle_rad)
    }

    /// The second joint's local rotation within its range that brings its bone nearest to `way`, which is in the first
    /// joint's frame.
    pub fn pointed(&self, way: Vec3) -> Quat {
        let middle = self.range.middle();
        let bone = self.local(middle) * self.bones[1];
        let axis = self.hinge.rest * self.axis;
        let Some(ahead) = (bone - axis * axis.dot(&bone)).try_normalize(1e-12) else {
            return self.local(middle);
        };
        let aside = axis.cross(&ahead);
        let way = way.try_normalize(1e-300).unwrap_or(ahead);
        let off_rad = Approach::SOFT
            .into([way.dot(&ahead), way.dot(&aside)], 0.5 * (self.range.max - self.range.min));
        self.local(middle + off_rad)
    }

    /// The lengths of both bones.
    pub fn lens(&self) -> [f64; 2] {
        self.bones.map(|bone| bone.norm())
    }

    /// How near the limb's ends come together where it is bent to the end of its range, and where it is bent by
    /// `giving_rad` less.
    pub fn folded_lens(&self, giving_rad: f64) -> [f64; 2] {
        let most = if self.side() < 0.0 { self.one_way.min } else { self.one_way.max };
        let gives = self.one_way.clamp(most - self.side() * giving_rad);
        [most, gives].map(|angle_rad| self.reach(angle_rad))
    }

    /// The distance from the first joint to the limb's end at an angle.
    fn reach(&self, angle_rad: f64) -> f64 {
        (self.bones[0] + self.local(angle_rad) * self.bones[1]).norm()
    }

    /// The swing (world) about the first joint, after the bend of the second joint (local), that brings the limb's end to
    /// `to` (world, from the first joint), or as near as the range allows; the first joint is turned as `upper` (world)
    /// before.
    pub fn reaching(&self, upper: Quat, to: Vec3) -> (Quat, Quat) {
        let (local, end) = self.spanning(to.norm());
        (rotation_between(upper * end, to), local)
    }

    /// The second joint's local rotation at which the limb's end is `distance` from the first joint, or as nearly as
    /// the range allows, and where that end is then, in the first joint's frame. The limb bends to the side of its
    /// range, never the other way.
    fn spanning(&self, distance: f64) -> (Quat, Vec3) {
        let [upper, lower] = self.bones;
        let axis = self.hinge.rest * self.axis;
        let at_zero = self.hinge.rest * lower;
        let off = |v: Vec3| v - axis * axis.dot(&v);
        let (straight, bone) = (off(upper), off(at_zero));
        let along = axis.dot(&upper) * axis.dot(&at_zero);
        let distance = distance.min(2.0 * (upper.norm() + lower.norm()));
        let cos = (0.5 * (distance * distance - upper.norm_squared() - lower.norm_squared())
            - along)
            / (straight.norm() * bone.norm()).max(1e-300);
        let angle = self.straight_rad() + self.side() * cos.clamp(-1.0, 1.0).acos();
        let local = self.local(self.one_way.clamp(crate::ik::unwind(angle, self.one_way)));
        (local, upper + local * lower)
    }
}

/// The joint's bone in its own frame: to the next role joint, or to the farthest child.
fn bone_axis(rig: &Rig, id: JointId) -> Vec3 {
    let named = bone_end(&rig.skeleton, &rig.roles, id)
        .map(|end| if end.joint == id { end.point } else { rig.skeleton.joint(end.joint).offset });
    let children = rig.skeleton.children(id).map(|child| rig.skeleton.joint(child).offset);
    let ends = rig.skeleton.joint(id).end_sites.iter().copied();
    let longest = children.chain(ends).max_by(|a, b| a.norm().total_cmp(&b.norm()));
    named.or(longest).and_then(|bone| bone.try_normalize(1e-12)).unwrap_or(Vec3::y())
}

/// The joint's local rotation in the straightened reference stance.
fn stance_rotation(rig: &Rig, id: JointId) -> Quat {
    let frame = |joint: JointId| rig.stance.body_from_joint[joint.index()];
    match rig.skeleton.parent(id) {
        Some(parent) => frame(parent).inverse() * frame(id),
        None => frame(id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knees and elbows at various rest poses, with axes up to 20° off.
    fn limbs() -> impl Iterator<Item = HingedLimb> {
        (0..60).map(|i| {
            let t = f64::from(i);
            let rest = Quat::from_euler_angles(t.sin(), 0.7 * (1.7 * t).cos(), (0.3 * t).sin());
            let axis = Vec3::new(1.0, 0.35 * (2.3 * t).sin(), 0.35 * (1.1 * t).cos()).normalize();
            let range = match i % 3 {
                0 => Range::new(0.0, 2.6),
                1 => Range::new(-2.4, 0.1),
                _ => Range::new(-0.2, 2.2),
            };
            let bones = [rest * -Vec3::y() * 4.0, -Vec3::y() * (2.5 + t.cos())];
            let hinge = Joint::hinge(axis, range).with_rest(rest);
            let [upper, lower] = [0, 1].map(JointId::new);
            HingedLimb { upper, lower, hinge, axis, range, one_way: range, bones }.bent_one_way()
        })
    }

    #[test]
    fn a_limb_that_is_to_span_what_it_spans_keeps_its_bend() {
        for limb in limbs() {
            for share in [0.02, 0.3, 0.6, 0.97] {
                let angle = limb.one_way.min + (limb.one_way.max - limb.one_way.min) * share;
                let (local, end) = limb.spanning(limb.reach(angle));
                assert!(local.angle_to(&limb.local(angle)) < 1e-6, "{limb:?} at {angle}");
                assert!((end.norm() - limb.reach(angle)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn no_angle_of_its_range_folds_a_limb_nearer_than_it_says() {
        for limb in limbs() {
            let [least, gives] = limb.folded_lens(0.26);
            for share in 0..=20 {
                let range = limb.one_way;
                let angle = range.min + (range.max - range.min) * f64::from(share) / 20.0;
                assert!(limb.reach(angle) > least - 1e-9, "{limb:?} at {angle}");
            }
            assert!(gives > least, "{limb:?}");
        }
    }

    #[test]
    fn a_limb_that_is_bent_by_its_hinge_keeps_its_roll() {
        for limb in limbs() {
            let upper = Quat::from_euler_angles(0.3, -0.8, 1.1);
            for share in [0.2, 0.4, 0.7, 0.97] {
                let angle = limb.straight_rad() + limb.side() * 2.2 * share;
                let rolled = limb.rolled(upper, upper * limb.local(angle));
                let by = rolled.angle_to(&upper);
                assert!(by < 1e-6, "{limb:?} at {angle}: {by}");
            }
        }
    }

    #[test]
    fn both_bones_keep_their_directions_where_the_axis_is_across_them() {
        let knee = HingedLimb {
            upper: JointId::new(0),
            lower: JointId::new(1),
            hinge: Joint::hinge(Vec3::x(), Range::new(0.0, 2.6)),
            axis: Vec3::x(),
            range: Range::new(0.0, 2.6),
            one_way: Range::new(0.0, 2.6),
            bones: [-Vec3::y() * 4.0, -Vec3::y() * 4.0],
        };
        for i in 0..200 {
            let t = f64::from(i);
            let upper = Quat::from_euler_angles(t.sin(), (0.7 * t).cos(), (1.3 * t).sin());
            // The limb is bent by 35° to 140°, in a plane up to 80° from the hinge's, and twisted.
            let (bend, aside) = (1.5 + 0.9 * (0.9 * t).sin(), 1.4 * (0.37 * t).cos());
            let axis = Vec3::new(aside.cos(), 0.0, aside.sin());
            let twist = Quat::from_scaled_axis(Vec3::y() * (2.1 * t).sin());
            let lower = upper * Quat::from_scaled_axis(axis * bend) * twist;
            let rolled = knee.rolled(upper, lower);
            let along = |q: Quat| q * -Vec3::y();
            assert!(along(rolled).angle(&along(upper)) < 1e-7);
            let bent = rolled * knee.pointed(rolled.inverse() * along(lower));
            assert!(along(bent).angle(&along(lower)) < 1e-3, "{bend} {aside}");
        }
    }

    #[test]
    fn a_limb_that_changes_by_little_is_rolled_and_bent_by_little() {
        for (i, limb) in limbs().enumerate() {
            for k in 0..60 {
                let t = f64::from(k) + 0.1 * i as f64;
                let upper = Quat::from_euler_angles(t.sin(), (0.7 * t).cos(), (1.3 * t).sin());
                let bent =
                    Quat::from_euler_angles(3.0 * (0.9 * t).sin(), (t).cos(), (0.6 * t).sin());
                let step = Quat::from_scaled_axis(Vec3::new(t.cos(), t.sin(), 0.5) * 1e-5);
                let result = |lower: Quat| {
                    let rolled = limb.rolled(upper, lower);
                    [rolled, rolled * limb.pointed(rolled.inverse() * (lower * limb.bone()))]
                };
                let [was, is] = [upper * bent, step * upper * bent].map(result);
                for (was, is) in was.iter().zip(&is) {
                    let by = was.angle_to(is);
                    assert!(by < 60.0 * 1e-5, "{limb:?}, {k}: {by}");
                }
            }
        }
    }
}
