//! What planting did, frame by frame.

use super::Miss;
use crate::math::Vec3;
use crate::rig::{BodyPart, FootId, Side};
use crate::skeleton::JointId;

/// What planting did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantOutcome {
    /// Standing feet, and hands that lean or touch something, off their goal by more than a thousandth of a leg, in
    /// time.
    pub misses: Vec<Miss>,
    /// Joints that the ranges of people held back, in time.
    pub held_back: Vec<HeldBack>,
    /// What was done with the body, a frame each.
    pub body: Vec<BodyMove>,
    /// The same of each hand that ever leans or touches something.
    pub hands: Vec<(Side, Vec<HandMove>)>,
}

/// What was done with a hand in a frame, after the body as a whole was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandMove {
    /// From where the body carries it, target world, target length units.
    pub offset: Vec3,
    /// How much it leans on a floor, is near the other hand, and is near the body; 0 to 1 each.
    pub floor: f64,
    pub other_hand: f64,
    pub body: f64,
    /// What of the body it is nearest to, where it is near any.
    pub part: Option<BodyPart>,
    /// How much of the offset keeps the arm out of the trunk, target length units.
    pub aside_len: f64,
    /// How far the elbow turns about the line from shoulder to wrist for the same, radians.
    pub swivel_rad: f64,
    /// How far off its goal the arm's length leaves it, target length units.
    pub short_len: f64,
}

impl HandMove {
    /// Whether anything but a floor has to do with it.
    pub(super) fn is_held(&self) -> bool {
        let aside = self.aside_len > 0.0 || self.swivel_rad != 0.0;
        self.other_hand > 0.0 || self.body > 0.0 || aside
    }

    /// Whether it has to come to its goal: what is on the way there need not.
    pub(super) fn counts(&self) -> bool {
        self.floor.max(self.other_hand).max(self.body) > 0.999
    }

    /// Lets it count by so much alone.
    pub(super) fn weigh(&mut self, weight: f64) {
        self.offset *= weight;
        for part in [
            &mut self.floor,
            &mut self.other_hand,
            &mut self.body,
            &mut self.aside_len,
            &mut self.swivel_rad,
            &mut self.short_len,
        ] {
            *part *= weight;
        }
    }
}

/// A joint that a person's range kept from where a correction would have had it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldBack {
    pub frame: usize,
    /// Of the target.
    pub joint: JointId,
    /// How far from there it is, radians.
    pub by_rad: f64,
}

/// What is to be told of the frames that were solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    pub misses: Vec<Miss>,
    pub held_back: Vec<HeldBack>,
}

impl Diagnostics {
    /// Adds what is told of later frames.
    pub fn append(&mut self, mut next: Diagnostics) {
        self.misses.append(&mut next.misses);
        self.held_back.append(&mut next.held_back);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.misses.clear();
        self.held_back.clear();
    }
}

/// How the body as a whole was moved in a frame, before its limbs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMove {
    /// From where it was transferred, target world, target length units.
    pub offset: Vec3,
    /// How much of that is down, to keep the feet in reach; target length units.
    pub drop_len: f64,
    /// How far the trunk leans forwards about the hip joints for hands that lean, radians.
    pub trunk_lean_rad: f64,
    /// The foot from which the body was solved; the hips in flight.
    pub support: Option<FootId>,
}

impl PlantOutcome {
    /// The farthest that the body came down to keep its feet in reach, target length units.
    pub fn deepest_drop_len(&self) -> f64 {
        self.body.iter().map(|moved| moved.drop_len).fold(0.0, f64::max)
    }
}
