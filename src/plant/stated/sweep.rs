//! Cyclic coordinate descent of a standing leg whose foot its stated limits turn away: knee, hip and ankle in turn, each
//! within its limit, bring the sole back over the place where it stands.
//!
//! The closed form places the ankle. Where the ankle's limit then turns the foot, or the hip's the whole leg, the sole goes
//! along. The sweeps move it along the floor alone: its height is the body's to give, since a leg that is nearly
//! straight could change it only by a jerk of its knee.

use super::{StatedLimb, set_rotation};
use crate::math::{Quat, Vec3, curve, rejection, rotation_between};
use crate::plant::sole::FootGoal;
use crate::plant::transferred::Leg;
use crate::pose::WorldPose;
use crate::rig::UpAxis;
use crate::skeleton::Skeleton;

/// The sweeps of one leg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweeps {
    pub count: usize,
    /// How far the sole is from its place after them, along the floor.
    pub left_len: f64,
}

/// The most sweeps of a leg in a frame.
const MOST_SWEEPS: usize = 6;
/// The farthest that a sweep turns a knee: without a bound, a small change of the goal would bend a nearly straight leg at
/// once.
const KNEE_STEP_RAD: f64 = 0.05;
/// A sole nearer than this to its place needs no sweep, leg lengths.
const NEAR: f64 = 1e-5;
/// From which turn by its ankle's limit on a foot turns with the shin, radians. One that its limit does not turn keeps its
/// rotation, so that its ankle moves as its sole: steps that took it as stiff would lead a foot longer than its leg away.
const TURNED_AWAY_RAD: f64 = 0.015;
/// A sole farther from its place than the first is brought back less, and from beyond the second not at all, leg lengths:
/// limits that keep it so far off would throw the leg about before they let it.
const FAR: [f64; 2] = [0.1, 0.25];
/// The slopes of the sole, heel down, up to which its ball holds it, and from which on its heel does.
const HEEL_SLOPES: [f64; 2] = [0.15, 0.3];

impl StatedLimb {
    /// Brings the sole of a leg within its limits over its place, as much as the sole is locked there. Continuous in pose
    /// and goal, allocates nothing. `None` if the foot has no place or is there.
    pub fn stand(
        &self,
        skeleton: &Skeleton,
        leg: &Leg,
        foot: &FootGoal,
        up: UpAxis,
        places: &mut WorldPose,
    ) -> Option<Sweeps> {
        let axis = leg.knee?.axis;
        let [upper, lower, end] = self.joints;
        let moved_len = (places.position(end) - foot.ankle).norm();
        let turned = (places.rotation(end).coords - foot.foot_rotation.coords).norm();
        let is_as_planned = moved_len < NEAR * leg.len && turned < NEAR;
        if foot.lock_weight == 0.0 || is_as_planned {
            return None;
        }
        let held = held_point(leg, foot, up);
        let sole = |places: &WorldPose| places.point(end, held);
        let from = sole(places);
        let off = up.level(foot.ankle + foot.foot_rotation * held - from);
        let near = curve::ramp(off.norm(), FAR[1] * leg.len, FAR[0] * leg.len);
        let locked = up.level(from) + off * foot.lock_weight;
        let place = up.level(from).lerp(&locked, near);
        let left = |places: &WorldPose| place - up.level(sole(places));
        let rotate = |i: usize, wanted: Quat, places: &mut WorldPose| {
            let rotation = self.allowed(i, wanted, places);
            set_rotation(skeleton, self.joints[i], rotation, places);
        };
        let mut count = 0;
        while count < MOST_SWEEPS && left(places).norm() > NEAR * leg.len {
            count += 1;
            let turned_rad = places.rotation(end).angle_to(&foot.foot_rotation);
            let with_shin = curve::ramp(turned_rad, 0.0, TURNED_AWAY_RAD);
            let moved = |places: &WorldPose| places.position(end).lerp(&sole(places), with_shin);
            let (is, goal) = (moved(places), moved(places) + left(places));
            let [hip, knee] = [upper, lower].map(|id| places.position(id));
            let hinge = places.rotation(lower) * axis;
            let [was, to] = [is, goal].map(|point| rejection(point - knee, hinge));
            let bend_rad = hinge.dot(&was.cross(&to)).atan2(was.dot(&to));
            let bend_rad = bend_rad.clamp(-KNEE_STEP_RAD, KNEE_STEP_RAD);
            let bend = Quat::from_scaled_axis(hinge * bend_rad);
            rotate(1, bend * places.rotation(lower), places);
            let swing = rotation_between(moved(places) - hip, goal - hip);
            rotate(0, swing * places.rotation(upper), places);
            rotate(2, foot.foot_rotation, places);
        }
        let left_len = (locked - up.level(sole(places))).norm();
        (count > 0).then_some(Sweeps { count, left_len })
    }
}

/// The point of a sole that holds it in place, in the ankle's frame (local): the ball, or the heel of a foot that stands on
/// its heel.
fn held_point(leg: &Leg, foot: &FootGoal, up: UpAxis) -> Vec3 {
    let height = |point: Vec3| up.height(foot.foot_rotation * point);
    let over = height(leg.ball) - leg.ball_height - height(leg.heel);
    let len = (leg.ball - leg.heel).norm().max(1e-9 * leg.len);
    leg.ball.lerp(&leg.heel, curve::ramp(over / len, HEEL_SLOPES[0], HEEL_SLOPES[1]))
}
