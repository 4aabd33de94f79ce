//! The outcome of planting, frame by frame.

use super::Miss;
use crate::math::Vec3;
use crate::rig::{BodyPart, FootId, Side};
use crate::skeleton::JointId;

/// The outcome of planting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantOutcome {
    /// Goals missed by more than a thousandth of a leg length, in the order of frames: of standing feet, kneeling
    /// knees, and hands that lean on the floor or touch something.
    pub misses: Vec<Miss>,
    /// Joints that a person's range held back, in the order of frames.
    pub held_back: Vec<HeldBack>,
    /// The sweeps of legs whose stated limits turned their foot away, in the order of frames.
    pub swept: Vec<Swept>,
    /// The move of the body as a whole in every frame.
    pub body: Vec<BodyMove>,
    /// The moves of each hand that leans, touches something or is lifted, or whose elbow is, in the clip, one for each frame.
    pub hands: Vec<(Side, Vec<HandMove>)>,
    /// The turn of the head about its neck that keeps it over the ground, a scaled axis, target world, one for each frame;
    /// empty where no frame needs one.
    pub head_tilts: Vec<Vec3>,
}

/// The move of a hand in one frame, in addition to that of the body as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandMove {
    /// Offset of the hand from where the moved body carries it, target world, target length units.
    pub offset: Vec3,
    /// Weights from 0 to 1: the hand leans on a floor, is near the other hand, is near the body.
    pub floor: f64,
    pub other_hand: f64,
    pub body: f64,
    /// The part of the body that the hand is nearest to; `None` where it is near none.
    pub part: Option<BodyPart>,
    /// The part of the offset that keeps the arm out of the trunk, target length units.
    pub aside_len: f64,
    /// How far the lowest point of a hand that leans comes up under its wrist as the hand lies down, target length units.
    pub lies_len: f64,
    /// The part of the offset that keeps the hand over the ground, target length units.
    pub lifted_len: f64,
    /// How far the elbow turns about the line from shoulder to wrist to keep the arm out of the trunk and the elbow over the
    /// ground, and on an even way as the hand is moved, radians.
    pub swivel_rad: f64,
    /// The turn of the hand about its wrist that keeps its fingers over the ground, a scaled axis, target world.
    pub tilt: Vec3,
    /// Distance of the hand from its goal because the arm is too short, target length units.
    pub short_len: f64,
    /// Distance of the hand from its goal because its upper arm has a limit, target length units.
    pub limited_len: f64,
}

impl HandMove {
    /// Whether anything but a floor moves the hand.
    pub(super) fn is_held(&self) -> bool {
        let aside = self.aside_len > 0.0 || self.swivel_rad != 0.0;
        self.other_hand > 0.0 || self.body > 0.0 || aside
    }

    /// Whether the hand must reach its goal. A hand whose goals count in part is on its way to one and need not be
    /// there yet.
    pub(super) fn counts(&self) -> bool {
        self.floor.max(self.other_hand).max(self.body) > 0.999
    }

    /// Scales the move by a weight from 0 to 1.
    pub(super) fn weigh(&mut self, weight: f64) {
        self.offset *= weight;
        self.tilt *= weight;
        for part in [
            &mut self.floor,
            &mut self.other_hand,
            &mut self.body,
            &mut self.aside_len,
            &mut self.lies_len,
            &mut self.lifted_len,
            &mut self.swivel_rad,
            &mut self.short_len,
            &mut self.limited_len,
        ] {
            *part *= weight;
        }
    }
}

/// A joint that a correction would have turned beyond a person's range, and that the range held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldBack {
    pub frame: usize,
    /// The joint, of the target.
    pub joint: JointId,
    /// How far short of the correction the joint stays, radians.
    pub by_rad: f64,
}

/// A leg whose stated limits turned its standing foot away, and whose joints were then swept, within their limits, to
/// bring the sole back over its place (cyclic coordinate descent).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swept {
    pub frame: usize,
    pub foot: FootId,
    /// How many times its joints were swept.
    pub sweeps: usize,
    /// How far along the floor the sole was from its place afterwards, target length units.
    pub left_len: f64,
}

/// Diagnostics of the frames that were solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    pub misses: Vec<Miss>,
    pub held_back: Vec<HeldBack>,
    pub swept: Vec<Swept>,
}

impl Diagnostics {
    /// Adds the diagnostics of later frames.
    pub fn append(&mut self, mut next: Diagnostics) {
        self.misses.append(&mut next.misses);
        self.held_back.append(&mut next.held_back);
        self.swept.append(&mut next.swept);
    }

    /// Empties the diagnostics and keeps their memory.
    pub fn clear(&mut self) {
        self.misses.clear();
        self.held_back.clear();
        self.swept.clear();
    }
}

/// The move of the body as a whole in one frame, before its limbs are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMove {
    /// Offset of the body from its transferred place, target world, target length units.
    pub offset: Vec3,
    /// How far the body comes down so that its feet stay within reach, target length units.
    pub drop_len: f64,
    /// How far the trunk leans forwards about the hip joints so that hands reach the floor, radians.
    pub trunk_lean_rad: f64,
    /// The foot from which the body was solved; `None` in flight, when it is solved from the hips.
    pub support: Option<FootId>,
}

impl PlantOutcome {
    /// The largest drop of the body that keeps its feet within reach, target length units.
    pub fn deepest_drop_len(&self) -> f64 {
        self.body.iter().map(|moved| moved.drop_len).fold(0.0, f64::max)
    }
}
