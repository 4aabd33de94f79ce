//! What hangs from a joint over the ground turns up about that joint until its lowest point is over the ground: a hand from
//! its wrist, a head from its neck, toes from their ball. It comes to lie along a level direction.

use crate::math::{Vec3, bounded, curve};
use crate::pose::WorldPose;
use crate::rig::{Rig, UpAxis};
use crate::skeleton::JointId;
use std::f64::consts::FRAC_PI_2;

/// The depth from which on it passes straight down wholly, as a share of its length.
const PASSES: f64 = 0.25;

/// How far down a hand that leans points from where on it comes to lie ahead too, and as much as it points itself, as sines.
const DOWN: [f64; 2] = [0.85, 1.0];

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
    /// Of something that points along `way`, and comes to lie as it points, and `ahead` (level) where it hangs straight down.
    pub fn along(way: Vec3, ahead: Vec3, up: UpAxis) -> Self {
        let level = up.level(way.try_normalize(1e-300).unwrap_or_default());
        Self::lying(way, level + ahead, up)
    }

    /// Of a hand that points along `way`, whose forearm would take it along to point along `carried`. It comes to lie as
    /// its forearm does, so that its wrist bends little, and `ahead` (level) where that hangs straight down; as far as it `leans`
    /// on a floor, from 0 to 1, as it points itself, and `ahead` where it hardly does.
    pub fn of_hand(way: Vec3, carried: Vec3, ahead: Vec3, leans: f64, up: UpAxis) -> Self {
        let [way, carried] =
            [way, carried].map(|way| way.try_normalize(1e-300).unwrap_or_default());
        let hangs = |way: Vec3| (-up.height(way)).max(0.0);
        let of_forearm = up.level(carried) + ahead * hangs(carried);
        let own = up.level(way) + ahead * curve::ramp(hangs(way), DOWN[0], DOWN[1]);
        Self::lying(way, of_forearm.lerp(&own, leans), up)
    }

    /// Of something that points along `way` and comes to lie along the level direction `lies`, less and less where that has
    /// no length.
    fn lying(way: Vec3, lies: Vec3, up: UpAxis) -> Self {
        let len = lies.norm();
        let lies = lies * (curve::ramp(len, 0.0, NONE) / len.max(1e-300));
        let beyond = (-lies.dot(&way)).max(0.0);
        let beyond_rad = beyond.atan2(-up.height(way)).min(FRAC_PI_2);
        Self { lies, beyond_rad }
    }

    /// How far something of this length turns so that its lowest point, which `hangs` so far under the joint, comes up by
    /// its `depth` below the floor, radians. What does not hang comes up by no turn. It turns less and less from the first of
    /// `most_rad` on, and by the second at most.
    pub fn tilt_rad(&self, hangs: f64, depth: f64, len: f64, most_rad: [f64; 2]) -> f64 {
        let share = |part: f64| (part / len.max(1e-300)).clamp(0.0, 1.0);
        let tilt_rad = share(hangs).asin() - share(hangs - depth.min(hangs).max(0.0)).asin();
        let passes_rad = self.passes_rad(hangs, depth, len);
        bounded(tilt_rad + passes_rad, most_rad[0], most_rad[1])
    }

    /// As [`tilt_rad`](Self::tilt_rad), of something whose lowest point is so far from the joint.
    pub fn point_tilt_rad(&self, lowest: Vec3, depth: f64, most_rad: [f64; 2], up: UpAxis) -> f64 {
        let (along, hangs) = (lowest.dot(&self.lies), -up.height(lowest));
        let beyond_rad = (-along).max(0.0).atan2(hangs.max(0.0)).min(FRAC_PI_2);
        Self { beyond_rad, ..*self }.tilt_rad(hangs, depth, along.hypot(hangs), most_rad)
    }

    /// The part of this turn that leads past straight down, to where it is as high on the other side.
    pub fn passes_rad(&self, hangs: f64, depth: f64, len: f64) -> f64 {
        let share = depth.min(hangs).max(0.0) / len.max(1e-300);
        2.0 * self.beyond_rad * curve::ramp(share, 0.0, PASSES)
    }

    /// The turns in frames after each other of what hangs `each` so in them, and `needed_rad` to turn so far there: scaled axes,
    /// world. They come and go over `radius` frames.
    ///
    /// On its way to a turn and back something turns about the axis of the frames that need it. About its own it would turn to
    /// the other side before it swings through under its joint, and over to this one within a frame. Where such axes differ it
    /// turns by less than it must.
    pub fn tilts(each: &[Hanging], needed_rad: &[f64], radius: usize, up: UpAxis) -> Vec<Vec3> {
        let tilts_rad = curve::envelope(needed_rad, radius);
        // An envelope reaches so far.
        let reach = 2 * radius + 1;
        let needed = each.iter().zip(needed_rad);
        let axes: Vec<Vec3> = needed.map(|(hanging, rad)| hanging.tilt(*rad, up)).collect();
        let axes = curve::smooth(&axes, reach).into_iter().zip(curve::smooth(needed_rad, reach));
        let tilt = |(tilt_rad, (axis, needed_rad)): (f64, (Vec3, f64))| match needed_rad {
            0.0 => Vec3::zeros(),
            _ => axis * (tilt_rad / needed_rad),
        };
        tilts_rad.into_iter().zip(axes).map(tilt).collect()
    }

    /// The turn by this angle, a scaled axis.
    pub fn tilt(&self, tilt_rad: f64, up: UpAxis) -> Vec3 {
        self.lies.cross(&up.vector()) * tilt_rad
    }
}

/// The level direction across which the hips of a body lie, however it leans, target world; no longer than 1.
pub(super) fn forwards(target: &Rig, hips: JointId, world: &WorldPose) -> Vec3 {
    let body_from_hips = target.stance.body_from_joint[hips.index()];
    let left = world.rotation(hips) * body_from_hips.inverse() * Vec3::x();
    left.cross(&target.up.vector())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    #[test]
    fn a_hand_that_must_not_hang_lies_along_its_forearm_and_ahead_under_one_that_hangs() {
        let (down, ahead) = (-Vec3::y(), Vec3::z());
        let lies = |carried: Vec3| Hanging::of_hand(down, carried, ahead, 0.0, UpAxis::Y).lies;
        assert!((lies(down) - ahead).norm() < 1e-12);
        for level in [Vec3::x(), -Vec3::x(), -Vec3::z()] {
            assert!((lies(level) - level).norm() < 1e-12, "along {level} comes {}", lies(level));
        }
        let largest_step = |carried: fn(f64) -> Vec3| -> f64 {
            let turn = |i: i32| FRAC_PI_2 * f64::from(i) / 60.0;
            let lies: Vec<Vec3> = (0..=60).map(|i| lies(carried(turn(i)))).collect();
            lies.windows(2).map(|two| (two[1] - two[0]).norm()).fold(0.0, f64::max)
        };
        let aside = largest_step(|turn| Vec3::new(turn.sin(), -turn.cos(), 0.0));
        let back = largest_step(|turn| Vec3::new(0.0, -turn.cos(), -turn.sin()));
        assert!(aside < 0.05, "a forearm that comes up aside turns its hand by {aside} at once");
        assert!(back < 0.6, "one that comes up backwards by {back}");
    }

    #[test]
    fn a_hand_turns_until_its_lowest_point_is_over_the_floor() {
        let most_rad = [0.91, 1.3];
        let tilt_rad = |hangs: f64, depth: f64, len: f64, beyond_rad: f64| {
            Hanging { beyond_rad, ..Hanging::default() }.tilt_rad(hangs, depth, len, most_rad)
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
        assert!(tilt_rad(2.0, 9.0, 2.0, 1.5) <= most_rad[1]);
        for len in [0.0, 2.0] {
            assert_eq!(tilt_rad(0.0, 1.0, len, 1.5), 0.0, "one that does not hang");
        }
    }

    #[test]
    fn a_hand_that_swings_through_under_its_wrist_turns_ahead_from_the_first() {
        // It comes from behind within ten frames, and is too low while it hangs.
        let swing = |f: i32| 1.2 * curve::ramp(f64::from(f), 35.0, 45.0) - 0.6;
        let way = |f: i32| Vec3::new(0.0, -swing(f).cos(), swing(f).sin());
        let hangings: Vec<Hanging> =
            (0..80).map(|f| Hanging::along(way(f), Vec3::z() * 0.2, UpAxis::Y)).collect();
        let needed_rad: Vec<f64> =
            (0..80).map(|f: i32| curve::ramp(f64::from((f - 41).abs()), 4.0, 2.0)).collect();
        let turns = Hanging::tilts(&hangings, &needed_rad, 9, UpAxis::Y);
        let hand = |(f, turn): (i32, &Vec3)| Quat::from_scaled_axis(*turn) * way(f);
        let broken = |turns: &[Vec3]| {
            let hands: Vec<Vec3> = (0..80).zip(turns).map(hand).collect();
            let breaks = hands.windows(3).map(|h| (h[2] - h[1] * 2.0 + h[0]).norm());
            breaks.fold(0.0, f64::max)
        };
        let even_rad = curve::envelope(&needed_rad, 9);
        let about_own: Vec<Vec3> =
            hangings.iter().zip(even_rad).map(|(h, rad)| h.tilt(rad, UpAxis::Y)).collect();
        assert!(broken(&about_own) > 0.6, "{}", broken(&about_own));
        assert!(broken(&turns) < 0.15, "{}", broken(&turns));
        let most = turns.iter().map(|turn| turn.norm()).fold(0.0, f64::max);
        assert!(most > 0.6, "it turns by most of what it must: {most}");
    }
}
