//! When hands and knees carry weight.

use super::interval::{Interval, Measure, tidy};
use super::point::Point;
use super::rest::resting;
use super::{FootPaths, Limb, LimbContact};
use crate::blocks;

/// The intervals of all hands and knees on the ground, which is at `floor_height` (length units).
pub(super) fn leans(paths: &FootPaths, by: Measure, floor_height: f64) -> Vec<LimbContact> {
    let of = |limb: Limb| {
        let point = Point::new(paths.of_limb(limb)?, 0.0, by);
        let near = |slow| point.near(&slow, floor_height, limb.heights());
        let intervals = point.slow().into_iter().flat_map(near).collect();
        let intervals = tidy(intervals, by, by.settings.shortest_lean_s, |_| false);
        let contact = |Interval { frames, .. }| LimbContact { limb, frames, floor_height };
        let resting = resting(intervals, &point, None).into_iter();
        Some(resting.map(contact).collect::<Vec<_>>())
    };
    blocks::each(paths.frames(), Limb::ALL.to_vec(), of).into_iter().flatten().flatten().collect()
}
