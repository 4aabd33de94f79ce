//! What the words in joint names mean, whatever the language.

use crate::rig::{Digit, Side};

/// The meaning of one word in a joint's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Side(Side),
    /// Says nothing about the part: "joint", "bind", "stretch".
    Noise,
    /// A joint that carries no part of the body: a twist, an end, a handle.
    Helper,
    /// The last joint of a chain; of a finger that may be the distal phalanx.
    Tip,
    /// Shares out a bone's twist; in a neck's name it is the neck itself.
    Twist,
    /// Shares out a bone's twist, whatever it is called after.
    Roll,
    /// A metacarpal or carpal, or the palm that several of them make.
    Palm,
    /// "InHandIndex": what is inside the hand is a metacarpal.
    In,
    Up,
    Low,
    Fore,
    Mid,
    Base,
    Root,
    Hips,
    Hip,
    Pelvis,
    Trunk,
    Thorax,
    Neck,
    Head,
    Collar,
    Scapula,
    Shoulder,
    UpperArm,
    Arm,
    Forearm,
    Wrist,
    Hand,
    Thigh,
    Leg,
    Shin,
    Ankle,
    Foot,
    Toe,
    Ball,
    Body,
    Finger,
    Digit(Digit),
    /// A phalanx named by its place; the tree gives its number.
    Phalanx,
}
