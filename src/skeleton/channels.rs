//! Channels: which numbers a file has of a joint in each frame, and in which order.

use crate::math::{Axis, EulerOrder};
use std::fmt;

/// One number that a motion row holds for a joint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// Local translation along an axis; it replaces the OFFSET's value on that axis.
    Position(Axis),
    /// Rotation about an axis.
    Rotation(Axis),
}

/// The channels of a joint in file order: at most three positions and three rotations, none twice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    list: [Channel; 6],
    len: u8,
}

impl Channels {
    /// Channels in the given order; `None` if one stands twice.
    pub fn new(listed: &[Channel]) -> Option<Self> {
        let mut list = [Channel::Rotation(Axis::X); 6];
        if listed.len() > 6 {
            return None;
        }
        for (i, &channel) in listed.iter().enumerate() {
            if listed[..i].contains(&channel) {
                return None;
            }
            list[i] = channel;
        }
        Some(Self { list, len: listed.len() as u8 })
    }

    /// No channels: the joint never moves.
    pub fn none() -> Self {
        Self { list: [Channel::Rotation(Axis::X); 6], len: 0 }
    }

    /// Three rotations, in the given order.
    pub fn rotations(axes: [Axis; 3]) -> Option<Self> {
        Self::new(&axes.map(Channel::Rotation))
    }

    /// X, Y and Z position, then three rotations in the given order: what most roots have.
    pub fn positions_and_rotations(axes: [Axis; 3]) -> Option<Self> {
        let [x, y, z] = [Axis::X, Axis::Y, Axis::Z].map(Channel::Position);
        let [a, b, c] = axes.map(Channel::Rotation);
        Self::new(&[x, y, z, a, b, c])
    }

    /// What most BVH files give a joint: rotations in the order Z, X, Y, and X, Y and Z position before them if it
    /// `moves`.
    pub fn usual(moves: bool) -> Self {
        let order = [Axis::Z, Axis::X, Axis::Y];
        let channels = match moves {
            true => Self::positions_and_rotations(order),
            false => Self::rotations(order),
        };
        channels.expect("no axis stands twice")
    }

    /// The channels in file order.
    pub fn as_slice(&self) -> &[Channel] {
        &self.list[..self.len as usize]
    }

    /// How many numbers the joint takes in a motion row.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the joint takes no number at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether any position channel is there, so that the joint has a translation in every frame.
    pub fn has_position(&self) -> bool {
        self.as_slice().iter().any(|c| matches!(c, Channel::Position(_)))
    }

    /// The rotation channels in file order.
    pub fn euler_order(&self) -> EulerOrder {
        let mut axes = [Axis::X; 3];
        let mut len = 0;
        for channel in self.as_slice() {
            if let Channel::Rotation(axis) = channel {
                axes[len] = *axis;
                len += 1;
            }
        }
        EulerOrder::new(&axes[..len]).expect("no channel stands twice")
    }
}

impl fmt::Debug for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
