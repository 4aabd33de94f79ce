//! How far limbs reach: distances that come ever less near to their bounds, and how far a body comes down until a
//! limb reaches.

use crate::math::{Vec3, curve};
use crate::rig::UpAxis;

/// A leg is never fully straight, so that the side to which the knee bends stays defined.
pub(super) const STRAIGHT: f64 = 0.9995;

/// Approximately `value` while it is small; approaches `most` smoothly and never exceeds it.
pub(super) fn saturated(value: f64, most: f64) -> f64 {
    if most > 0.0 { most * (1.0 - (-value / most).exp()) } else { 0.0 }
}

/// The distance between the ends of a limb for a `wanted` distance. Below `soft` it decreases less and less; it never
/// reaches `least`.
pub(super) fn unfolded(wanted: f64, least: f64, soft: f64) -> f64 {
    if wanted < soft { soft - saturated(soft - wanted, soft - least) } else { wanted }
}

/// How far a leg reaches for a `wanted` reach. Beyond its transferred reach `was` it extends less and less, and never
/// beyond `most`.
pub(super) fn stretched(wanted: f64, was: f64, most: f64) -> f64 {
    let was = was.min(most);
    if wanted > was { was + saturated(wanted - was, most - was) } else { wanted }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_stretches_ever_less_and_never_beyond_its_most() {
        assert_eq!(stretched(0.9, 0.95, 0.995), 0.9, "what it need not stretch for it does not");
        assert_eq!(stretched(0.95, 0.95, 0.995), 0.95);
        let reaches: Vec<f64> =
            (0..100).map(|i| stretched(0.95 + 0.001 * f64::from(i), 0.95, 0.995)).collect();
        assert!(reaches.windows(3).all(|r| 0.0 < r[2] - r[1] && r[2] - r[1] < r[1] - r[0]));
        assert!(reaches.iter().all(|reach| *reach < 0.995));
        assert_eq!(stretched(1.2, 0.998, 0.995), 0.995, "one that was straighter as well");
    }
}
