//! Limbs whose middle joint is a hinge, such as a leg with its knee.
//!
//! The thigh or upper arm takes the roll with which the limb bends in the plane in which the source's is bent. Both bones
//! keep their directions, and the rest of the shin's or forearm's twist goes to the foot or hand. All of this is
//! continuous in the pose.

use super::limits::bone_axis;
use crate::ik::{Approach, Joint, JointKind, Range, unwind};
use crate::math::{Quat, Vec3, bounded, curve, rejection, rotation_between};
use crate::rig::{Rig, Role};
use crate::skeleton::JointId;
use std::f64::consts::{FRAC_PI_2, PI};

/// A limb whose middle joint is a hinge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingedLimb {
    pub upper: JointId,
    pub lower: JointId,
    pub is_arm: bool,
    hinge: Hinge,
    /// The part of the range in which the limb is bent one way, so that no two angles give it the same length.
    one_way: Range,
    /// The first bone in the first joint's frame, and the second bone in the second's (local).
    bones: [Vec3; 2],
    /// Their directions.
    ways: [Vec3; 2],
    /// The hinge's axis in the first joint's frame.
    upper_axis: Vec3,
    /// On which side of straight the range is: 1 if a positive angle bends the limb about the axis, otherwise -1.
    side: f64,
    /// The angle at which the limb is straightest.
    straight_rad: f64,
    /// The second joint's local rotation in the middle of the range.
    middle: Quat,
    /// Where the second bone points then, off the axis, and at a right angle to that, in the first joint's frame; `None`
    /// where it lies along the axis.
    ahead_aside: Option<[Vec3; 2]>,
    span: Span,
}

/// A hinge in its joint's frame (local).
#[derive(Clone, Copy, Debug)]
struct Hinge {
    rest: Quat,
    axis: Vec3,
    range: Range,
}

/// What the law of cosines takes to find the bend of a limb, by its length from end to end.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The squares of the lengths of both bones.
    squares: [f64; 2],
    /// The product of both bones along the hinge's axis, and of their lengths across it.
    along: f64,
    across: f64,
    /// The limb is no longer than half of this.
    most: f64,
}

/// The bend (as a sine) below which the plane of the limb counts less and less.
const PLANE_SINE: f64 = 0.25;
/// The weight of the transferred roll against that plane where the limb is straight, as a sine.
const TRANSFERRED_SINE: f64 = 0.05;

/// An arm that should bend by this angle or more (radians, about its upper arm) away from where its hinge bends it stays
/// straight; so an arm whose upper arm stops at its limit still follows sideways. For a leg it is 3/8 of a turn: rolled
/// farther for a knee that noise bends backwards, a leg would turn away from its foot.
const ARM_STRAIGHT_RAD: f64 = 5.0 / 6.0 * PI;

/// How far off square a hinge is asked to bend its limb: as far as that up to the first sine, beyond ever less, and never
/// farther than the second. So a limb comes to the end of what its hinge can do without a corner.
const OFF_SQUARE: [f64; 2] = [0.7, 0.9];

impl Hinge {
    /// The joint's local rotation at an angle.
    fn local(&self, angle_rad: f64) -> Quat {
        self.rest * Quat::from_scaled_axis(self.axis * angle_rad)
    }
}

impl HingedLimb {
    /// `None` if the middle joint is no hinge, is no child of the first, or has an axis along the bone that it would
    /// bend.
    pub(super) fn new(
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
        let hinge = Hinge { rest: joint.rest, axis, range };
        let is_arm = matches!(rig.roles.role(upper), Some(Role::UpperArm(_)));
        is_sound.then(|| Self { is_arm, ..Self::of([upper, lower], hinge, bones) })
    }

    fn of([upper, lower]: [JointId; 2], hinge: Hinge, bones: [Vec3; 2]) -> Self {
        let Hinge { rest, axis, range } = hinge;
        let upper_axis = rest * axis;
        let off_axis = |v: Vec3| rejection(v, upper_axis);
        let at_zero = rest * bones[1];
        let (straight, bone) = (off_axis(bones[0]), off_axis(at_zero));
        let straight_rad = upper_axis.dot(&bone.cross(&straight)).atan2(bone.dot(&straight));
        let middle = hinge.local(range.middle());
        let in_middle = middle * bones[1];
        let bent = bones[0].cross(&in_middle).dot(&upper_axis);
        let ahead = off_axis(in_middle).try_normalize(1e-12);
        let span = Span {
            squares: bones.map(|bone| bone.norm_squared()),
            along: upper_axis.dot(&bones[0]) * upper_axis.dot(&at_zero),
            across: (straight.norm() * bone.norm()).max(1e-300),
            most: 2.0 * (bones[0].norm() + bones[1].norm()),
        };
        let limb = Self {
            upper,
            lower,
            is_arm: false,
            hinge,
            one_way: range,
            bones,
            ways: bones.map(|bone| bone.normalize()),
            upper_axis,
            side: if bent < 0.0 { -1.0 } else { 1.0 },
            straight_rad,
            middle,
            ahead_aside: ahead.map(|ahead| [ahead, upper_axis.cross(&ahead)]),
            span,
        };
        limb.bent_one_way()
    }

    /// The hinge with only the part of its range in which it is bent one way. A range may let a knee bend a little
    /// backwards too; then the limb would have two poses of one length.
    fn bent_one_way(mut self) -> Self {
        let range = self.hinge.range;
        let straight = unwind(self.straight_rad, range);
        if range.min < straight && straight < range.max {
            match self.side < 0.0 {
                true => self.one_way.max = straight,
                false => self.one_way.min = straight,
            }
        }
        self
    }

    /// The rotation (world) of the first joint, rolled about its bone so that the hinge can point the second bone along
    /// `lower` (world).
    ///
    /// The roll takes the hinge's axis to the normal of the plane of both bones, or beside it if the axis is not square
    /// to them. So a limb that its hinge alone bends keeps its roll. If the limb is nearly straight, the normal is
    /// noise, and the transferred roll counts instead. A limb that is bent the other way is rolled by a quarter turn at
    /// most, and not at all where it is bent straight back.
    pub fn rolled(&self, upper: Quat, lower: Quat) -> Quat {
        let along = upper * self.ways[0];
        let hinge = upper * self.upper_axis;
        let Some(axis) = rejection(hinge, along).try_normalize(1e-9) else {
            return upper;
        };
        let bone = self.ways[1];
        let way = lower * bone;
        let normal = along.cross(&way) * self.side;
        let (ahead, aside) = (normal.dot(&axis), normal.dot(&along.cross(&axis)));
        let sine = ahead.hypot(aside);
        let transferred = TRANSFERRED_SINE * (1.0 - curve::ramp(sine, 0.0, PLANE_SINE));
        let [forwards, sideways] = self.within_a_quarter_turn([ahead, aside]);
        let to_normal = sideways.atan2(forwards + transferred + 1e-12);
        // Bending does not change the bone's angle to the axis.
        let angle_cos = self.hinge.axis.dot(&bone) - along.dot(&hinge) * along.dot(&way);
        let off_square = angle_cos / (hinge.dot(&axis) * sine).max(1e-12);
        let sine_beside = bounded(off_square.abs(), OFF_SQUARE[0], OFF_SQUARE[1]);
        let beside = sine_beside.copysign(off_square).asin() * curve::ramp(ahead, 0.0, PLANE_SINE);
        let roll = to_normal - self.side * beside;
        Quat::from_scaled_axis(along * roll) * upper
    }

    /// The normal to which the hinge's axis is rolled, along the axis and across it, for that of the limb's bend. The first
    /// coordinate is not negative.
    fn within_a_quarter_turn(&self, [ahead, aside]: [f64; 2]) -> [f64; 2] {
        if ahead >= 0.0 || !self.is_arm {
            return [ahead.abs(), aside];
        }
        let (sine, off_rad) = (ahead.hypot(aside), aside.abs().atan2(ahead));
        let least_rad = ARM_STRAIGHT_RAD - FRAC_PI_2;
        let roll_rad = match off_rad < ARM_STRAIGHT_RAD {
            true => FRAC_PI_2 - (FRAC_PI_2 - least_rad) / least_rad * (off_rad - FRAC_PI_2),
            false => least_rad * (PI - off_rad) / (PI - ARM_STRAIGHT_RAD),
        };
        [sine * roll_rad.cos(), (sine * roll_rad.sin()).copysign(aside)]
    }

    /// The rotation (world) nearest to `upper` of the first joint with which its bone points as with `allowed`.
    pub fn pointing_as(&self, upper: Quat, allowed: Quat) -> Quat {
        let bone = self.ways[0];
        rotation_between(upper * bone, allowed * bone) * upper
    }

    /// The second joint's bone in its own frame (local).
    pub fn bone(&self) -> Vec3 {
        self.bones[1]
    }

    /// The second joint's local rotation within its range that brings its bone nearest to `way`, which is in the first
    /// joint's frame.
    pub fn pointed(&self, way: Vec3) -> Quat {
        let Some([ahead, aside]) = self.ahead_aside else { return self.middle };
        let range = self.hinge.range;
        let way = way.try_normalize(1e-300).unwrap_or(ahead);
        let off_rad =
            Approach::SOFT.into([way.dot(&ahead), way.dot(&aside)], 0.5 * (range.max - range.min));
        self.hinge.local(range.middle() + off_rad)
    }

    /// The lengths of both bones.
    pub fn lens(&self) -> [f64; 2] {
        self.bones.map(|bone| bone.norm())
    }

    /// How near the limb's ends come together where it is bent to the end of its range, and where it is bent by
    /// `giving_rad` less.
    pub fn folded_lens(&self, giving_rad: f64) -> [f64; 2] {
        let most = if self.side < 0.0 { self.one_way.min } else { self.one_way.max };
        let gives = self.one_way.clamp(most - self.side * giving_rad);
        [most, gives].map(|angle_rad| self.reach(angle_rad))
    }

    /// The distance from the first joint to the limb's end at an angle.
    fn reach(&self, angle_rad: f64) -> f64 {
        (self.bones[0] + self.hinge.local(angle_rad) * self.bones[1]).norm()
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
        let Span { squares: [upper, lower], along, across, most } = self.span;
        let distance = distance.min(most);
        let cos = (0.5 * (distance * distance - upper - lower) - along) / across;
        let angle = self.straight_rad + self.side * cos.clamp(-1.0, 1.0).acos();
        let local = self.hinge.local(self.one_way.clamp(unwind(angle, self.one_way)));
        (local, self.bones[0] + local * self.bones[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knees and elbows at various rest poses, with axes up to 20° off.
    fn limbs() -> impl Iterator<Item = HingedLimb> {
        (0..120).map(|i| {
            let t = f64::from(i);
            let rest = Quat::from_euler_angles(t.sin(), 0.7 * (1.7 * t).cos(), (0.3 * t).sin());
            let axis = Vec3::new(1.0, 0.35 * (2.3 * t).sin(), 0.35 * (1.1 * t).cos()).normalize();
            let range = match i % 3 {
                0 => Range::new(0.0, 2.6),
                1 => Range::new(-2.4, 0.1),
                _ => Range::new(-0.2, 2.2),
            };
            let bones = [rest * -Vec3::y() * 4.0, -Vec3::y() * (2.5 + t.cos())];
            let limb = HingedLimb::of([0, 1].map(JointId::new), Hinge { rest, axis, range }, bones);
            HingedLimb { is_arm: i % 2 == 1, ..limb }
        })
    }

    #[test]
    fn a_limb_that_is_to_span_what_it_spans_keeps_its_bend() {
        for limb in limbs() {
            for share in [0.02, 0.3, 0.6, 0.97] {
                let angle = limb.one_way.min + (limb.one_way.max - limb.one_way.min) * share;
                let (local, end) = limb.spanning(limb.reach(angle));
                assert!(local.angle_to(&limb.hinge.local(angle)) < 1e-6, "{limb:?} at {angle}");
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
                let angle = limb.straight_rad + limb.side * 2.2 * share;
                let rolled = limb.rolled(upper, upper * limb.hinge.local(angle));
                let by = rolled.angle_to(&upper);
                assert!(by < 1e-6, "{limb:?} at {angle}: {by}");
            }
        }
    }

    #[test]
    fn both_bones_keep_their_directions_where_the_axis_is_across_them() {
        let hinge = Hinge { rest: Quat::identity(), axis: Vec3::x(), range: Range::new(0.0, 2.6) };
        let bones = [-Vec3::y() * 4.0, -Vec3::y() * 4.0];
        let knee = HingedLimb::of([0, 1].map(JointId::new), hinge, bones);
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
    fn a_limb_whose_axis_is_far_off_square_is_rolled_without_a_corner() {
        let (axis, range) = (Vec3::new(1.0, -1.0, 0.0).normalize(), Range::new(0.0, 2.6));
        let hinge = Hinge { rest: Quat::identity(), axis, range };
        let bones = [-Vec3::y() * 4.0, -Vec3::y() * 4.0];
        let limb = HingedLimb::of([0, 1].map(JointId::new), hinge, bones);
        let upper = Quat::identity();
        let bent = |step: i32| Quat::from_scaled_axis(Vec3::x() * 0.002 * f64::from(step));
        // From where the plane of both bones counts in full.
        let rolls = (150..1100).map(|step| limb.rolled(upper, bent(step)).scaled_axis());
        let rolls: Vec<f64> = rolls.map(|turn| turn.dot(&Vec3::y())).collect();
        let most = rolls.iter().copied().fold(0.0, |most: f64, roll| most.max(roll.abs()));
        assert!(most > 1.0, "it is rolled by {most}");
        for (i, three) in rolls.windows(3).enumerate() {
            let corner = (three[0] - 2.0 * three[1] + three[2]).abs() / 0.002;
            assert!(corner < 0.1, "its roll breaks by {corner} for 1 at step {}", i + 151);
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
