//! What hangs from a joint over the ground turns up about that joint until its lowest point is over the ground: a hand from
//! its wrist, a head from its neck, toes from their ball. It turns along the way in which it points, and ahead where it hangs
//! straight down.

use crate::math::{Vec3, bounded, curve};
use crate::pose::WorldPose;
use crate::rig::{Rig, UpAxis};
use crate::skeleton::JointId;
use std::f64::consts::FRAC_PI_2;

/// How far it turns at most, and from where on less and less, radians.
const MOST_TILT_RAD: [f64; 2] = [0.91, 1.3];

/// The depth from which on it passes straight down wholly, as a share of its length.
const PASSES: f64 = 0.25;

/// A direction shorter than this is none.
const NONE: f64 = 0.15;

/// How something hangs in one frame.
#[derive(Clone, Copy, Default)]
pub(super) struct Hanging {
    /// The level direction in which it comes to lie where it must not hang; no longer than 1, and shorter where there is
    /// none.
    pub lies: Vec3,
    /// How far it points to the other side of straight down, radians.
    pub beyond_rad: f64,
}

impl Hanging {
    /// Of something of the body `target` that points along `way`; against that way the front of the body counts by `front`.
    pub fn of(way: Vec3, front: f64, target: &Rig, hips: JointId, world: &WorldPose) -> Self {
        Self::along(way, forwards(target, hips, world) * front, target.up)
    }

    /// Of something that points along `way`, and comes to lie `ahead` (level) where it hangs straight down.
    pub fn along(way: Vec3, ahead: Vec3, up: UpAxis) -> Self {
        let lies = lying(way, ahead, up);
        let beyond = (-lies.dot(&way)).max(0.0);
        let beyond_rad = beyond.atan2(-up.height(way)).min(FRAC_PI_2);
        Self { lies, beyond_rad }
    }

    /// How far something of this length turns so that its lowest point, which `hangs` so far under the joint, comes up by
    /// its `depth` below the floor, radians. What does not hang comes up by no turn.
    pub fn tilt_rad(&self, hangs: f64, depth: f64, len: f64) -> f64 {
        let share = |part: f64| (part / len.max(1e-300)).clamp(0.0, 1.0);
        let tilt_rad = share(hangs).asin() - share(hangs - depth.min(hangs).max(0.0)).asin();
        let passes_rad = self.passes_rad(hangs, depth, len);
        bounded(tilt_rad + passes_rad, MOST_TILT_RAD[0], MOST_TILT_RAD[1])
    }

    /// The part of this turn that leads past straight down, to where it is as high on the other side.
    pub fn passes_rad(&self, hangs: f64, depth: f64, len: f64) -> f64 {
        let share = depth.min(hangs).max(0.0) / len.max(1e-300);
        2.0 * self.beyond_rad * curve::ramp(share, 0.0, PASSES)
    }

    /// The turn by this angle, a scaled axis.
    pub fn tilt(&self, tilt_rad: f64, up: UpAxis) -> Vec3 {
        self.lies.cross(&up.vector()) * tilt_rad
    }
}

/// The level direction across which the hips of a body lie, however it leans, target world; no longer than 1.
fn forwards(target: &Rig, hips: JointId, world: &WorldPose) -> Vec3 {
    let body_from_hips = target.stance.body_from_joint[hips.index()];
    let left = world.rotation(hips) * body_from_hips.inverse() * Vec3::x();
    left.cross(&target.up.vector())
}

/// The level direction in which something comes to lie that points along `way`: as it does, and `ahead`, where it hangs.
/// Its length falls from 1 to 0 where both cancel out.
fn lying(way: Vec3, ahead: Vec3, up: UpAxis) -> Vec3 {
    let way = way.try_normalize(1e-300).unwrap_or_default();
    let lies = up.level(way) + ahead;
    let len = lies.norm();
    lies * (curve::ramp(len, 0.0, NONE) / len.max(1e-300))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_turns_until_its_lowest_point_is_over_the_floor() {
        let tilt_rad = |hangs: f64, depth: f64, len: f64, beyond_rad: f64| {
            Hanging { beyond_rad, ..Hanging::default() }.tilt_rad(hangs, depth, len)
        };
        // It hangs straight down, and may come down to half of its length.
        let turned = tilt_rad(2.0, 1.0, 2.0, 0.0);
        assert!((2.0 * turned.cos() - 1.0).abs() < 0.2, "{turned}");
        // Fingers that point to the other side end as far ahead.
        let beyond_rad = 0.1f64;
        let turned = tilt_rad(2.0 * beyond_rad.cos(), 0.5, 2.0, beyond_rad);
        let hangs = 2.0 * (turned - beyond_rad).cos();
        assert!((hangs - (2.0 * beyond_rad.cos() - 0.5)).abs() < 1e-9, "{turned}");
        assert_eq!(tilt_rad(2.0, 0.0, 2.0, beyond_rad), 0.0, "one that is over it");
        assert!(tilt_rad(2.0, 9.0, 2.0, 1.5) <= MOST_TILT_RAD[1]);
        for len in [0.0, 2.0] {
            assert_eq!(tilt_rad(0.0, 1.0, len, 1.5), 0.0, "one that does not hang");
        }
    }
}
