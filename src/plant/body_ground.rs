//! The ground under a body whose feet are planned, over which hands, elbows and the head are kept.

use super::contact_interval::Frames;
use super::trunk_lean::TrunkLeans;
use crate::binding::Binding;
use crate::contact::{ContactTrack, LowestHeights};
use crate::math::Vec3;

/// The ground under the upper body over a clip.
pub(super) struct BodyGround<'a> {
    /// Of the source.
    pub heights: &'a LowestHeights,
    pub track: &'a ContactTrack,
    pub binding: &'a Binding,
    /// How the body moves, one a frame, target world.
    pub body: &'a [Vec3],
    pub trunk_leans: Option<&'a TrunkLeans>,
    pub frames: Frames,
}

impl BodyGround<'_> {
    /// Where a point of the upper body is in a frame, target world, that was there as transferred.
    pub fn carried(&self, frame: usize, point: Vec3) -> Vec3 {
        let leaned = self.trunk_leans.map(|leans| leans.moved(frame, point));
        point + self.body[frame] + leaned.unwrap_or_default()
    }
}
