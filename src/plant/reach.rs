//! How far limbs reach: distances that come ever less near to their bounds, and how far a body comes down until a
//! limb reaches.

use crate::math::{Vec3, curve, saturated};
use crate::rig::UpAxis;

/// A leg is never fully straight, so that the side to which the knee bends stays defined.
pub(super) const STRAIGHT: f64 = 0.9995;

/// The distance between the ends of a limb for a `wanted` distance. Below `soft` it decreases less and less; it never
/// reaches `least`.
pub(super) fn unfolded(wanted: f64, least: f64, soft: f64) -> f64 {
    if wanted < soft { soft - saturated(soft - wanted, soft - least) } else { wanted }
}

/// How far the top of a limb must come down until its held end is within `reach`; `above` is the vector from the held
/// end to the top. If the end is too far aside, the top comes down to its height, the best that is possible.
pub(crate) fn drop_to_reach(above: Vec3, reach: f64, up: UpAxis) -> f64 {
    lowering(above, reach, up).max(0.0)
}

/// As [`drop_to_reach`]; negative if the top may rise.
pub(super) fn lowering(above: Vec3, reach: f64, up: UpAxis) -> f64 {
    let height = up.height(above);
    let level_squared = (above.norm_squared() - height * height).max(0.0);
    height - (reach * reach - level_squared).max(0.0).sqrt()
}

/// The distance from the shoulder up to which an arm of length `straight` follows its goal fully. `was` is the wrist's
/// distance before, `moved` the distance from there to the goal. Beyond, the arm extends less and less; for a leaning
/// hand, the body comes down before that.
///
/// For a goal next to the wrist the arm may be as straight as it was. For a goal elsewhere, an arm that may be fully
/// straight would snap at its elbow.
pub(super) fn full_reach(was: f64, moved: f64, straight: f64) -> f64 {
    let soft = NEARLY_STRAIGHT * straight;
    soft + (was - soft).max(0.0) * curve::ramp(moved, AWAY * straight, 0.0)
}

/// The share of its length from which on an arm extends less and less.
const NEARLY_STRAIGHT: f64 = 0.96;

/// The distance between a goal and the transferred wrist from which on the goal is elsewhere, arm lengths.
const AWAY: f64 = 0.2;
