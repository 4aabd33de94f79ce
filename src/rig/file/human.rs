//! How far people's joints go: the limits of a joint of a person for which `skeleton.toml` states none.
//!
//! Degrees, as the literature has them, of the left side; the right one mirrors it. Turns are about the body's
//! axes (X to the left, Y up, Z forward) and count from the reference stance, in which legs hang, arms point
//! straight to the sides and feet ahead. They are the largest that were measured in a group of healthy people: what a
//! joint can do, not what it mostly does. docs/SKELETON.md has the table: what each turn is, who measured it, and what
//! they say of it.
//!
//! What is not listed is free: the rolls of thighs, shins and hands and where feet point, which are seldom shown by a
//! rig's stance and never changed by a correction on purpose, and upper arms and forearms, which go where hands are
//! held. Trunk, neck, head and clavicles are never turned by a correction, and so need no range.

use crate::math::Vec3;
use crate::rig::{Role, Side};

/// A range about each of the body's axes, radians.
pub(in crate::internals::rig) struct HumanRange {
    /// The axis along the bone, 0 to 2 for X to Z: about it the joint twists, about the others it swings.
    pub bone: usize,
    /// The turn from the stance to where ranges count from (scaled axis, radians).
    pub middle_rad: Vec3,
    /// Least and most by axis, counted from there.
    pub ranges_rad: [[f64; 2]; 3],
    /// The largest swing in whatever direction: of a hinge, whose axis may be rolled in a file.
    pub most_swing_rad: f64,
}

/// The range of a part of a person, where there is one.
pub(in crate::internals::rig) fn range(role: Role) -> Option<HumanRange> {
    // That of the hip counts from the middle of its reach, so that no place in it is near a half turn.
    let (bone, middle, ranges) = match role {
        Role::Thigh(_) => (1, [-56.5, 0.0, 0.0], [[-84.5, 84.5], FREE, [-84.5, 84.5]]),
        Role::Shin(_) => (1, STANCE, [[0.0, 180.0], FREE, FREE]),
        Role::Foot(_) => (2, STANCE, [[-50.0, 67.0], FREE, [-35.0, 25.0]]),
        Role::Toe(_) => (2, STANCE, [[-90.0, 45.0], FREE, FREE]),
        Role::Hand(_) => (0, STANCE, [FREE, [-85.0, 85.0], [-85.0, 85.0]]),
        _ => return None,
    };
    let mirrored = role.side() == Some(Side::Right);
    let sided = |(axis, [least, most]): (usize, [f64; 2])| match mirrored && axis > 0 {
        true => [-most, -least],
        false => [least, most],
    };
    let of_axis = |axis: usize| sided((axis, ranges[axis])).map(f64::to_radians);
    let middle_rad = Vec3::from(middle).map(f64::to_radians);
    let most_swing: f64 = match role {
        Role::Shin(_) => 160.0,
        _ => 180.0,
    };
    let most_swing_rad = most_swing.to_radians();
    Some(HumanRange { bone, middle_rad, ranges_rad: [0, 1, 2].map(of_axis), most_swing_rad })
}

/// Ranges that count from the stance itself.
const STANCE: [f64; 3] = [0.0; 3];

const FREE: [f64; 2] = [-180.0, 180.0];
