//! Which part of a body the words of a name spell together.

use super::word::Word;
use crate::rig::{Digit, Side};

/// The part of a body that a name speaks of. Where rigs disagree about a word ("Leg", "Shoulder")
/// the part is that word, and the tree decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Root,
    Hips,
    /// Any joint between hips and neck.
    Trunk,
    Neck,
    Head,
    Collar,
    Scapula,
    /// Clavicle or upper arm.
    Shoulder,
    UpperArm,
    /// Upper arm, rarely forearm.
    Arm,
    Forearm,
    Wrist,
    Hand,
    Thigh,
    /// A hip with a side: nearly always the thigh.
    SidedHip,
    /// Thigh or shin.
    Leg,
    Shin,
    Ankle,
    /// Ankle or, below an ankle, toe.
    Foot,
    Ball,
    Toe,
    /// A metacarpal whose finger the tree tells.
    Palm,
    Finger(FingerName),
}

/// What a finger joint's name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FingerName {
    pub digit: DigitName,
    /// The name says metacarpal.
    pub metacarpal: bool,
    /// The name says tip.
    pub tip: bool,
    /// The name says root.
    pub root: bool,
    /// The name counts or names its phalanx; without that it may be a metacarpal.
    pub counted: bool,
}

/// Which finger: by name, or by a number whose beginning (0 or 1) the whole hand tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DigitName {
    Named(Digit),
    Numbered(u8),
}

/// The part that a name's words spell together.
pub(super) fn part(side: Option<Side>, words: &[Word], numbers: &[String]) -> Option<Part> {
    use Word::*;
    let sided = side.is_some();
    let limb = match words {
        [Collar] | [Thorax] => Part::Collar,
        [Scapula] => Part::Scapula,
        [Shoulder] | [Arm, Shoulder] => Part::Shoulder,
        [UpperArm] | [Up, Arm] | [Arm, Up] => Part::UpperArm,
        [Arm] => Part::Arm,
        [Forearm] | [Fore, Arm] | [Low, Arm] | [Arm, Low] | [Arm, Forearm] => Part::Forearm,
        [Wrist] | [Arm, Wrist] => Part::Wrist,
        [Hand] | [Arm, Hand] => Part::Hand,
        [Thigh] | [Up, Leg] | [Leg, Up] | [Leg, Thigh] => Part::Thigh,
        [Hip] | [Hips] => Part::SidedHip,
        [Leg] => Part::Leg,
        [Shin] | [Low, Leg] | [Leg, Low] | [Leg, Shin] => Part::Shin,
        [Ankle] | [Leg, Ankle] => Part::Ankle,
        [Foot] | [Leg, Foot] => Part::Foot,
        [Ball] | [Fore, Foot] | [Foot, Ball] => Part::Ball,
        [Toe] | [Toe, Base] | [Leg, Toe] => Part::Toe,
        [Palm] => Part::Palm,
        _ => return trunk(side, words).or_else(|| finger(sided, words, numbers)),
    };
    match limb {
        Part::Collar if !sided && words == [Thorax] => Some(Part::Trunk),
        Part::SidedHip if !sided => Some(Part::Hips),
        limb => Some(limb),
    }
}

fn trunk(side: Option<Side>, words: &[Word]) -> Option<Part> {
    use Word::*;
    if side.is_some() {
        return None;
    }
    Some(match words {
        [Root] => Part::Root,
        [Pelvis] | [Root, Hip | Hips | Pelvis] | [Low, Body] => Part::Hips,
        [Trunk] | [Trunk, Up | Low | Mid | Twist] | [Up | Low | Mid, Trunk] | [Up, Body] => {
            Part::Trunk
        }
        [Neck] | [Neck, Up | Low | Twist] | [Up | Low, Neck] | [Head, Neck, Up | Low] => Part::Neck,
        [Head] => Part::Head,
        _ => return None,
    })
}

fn finger(sided: bool, words: &[Word], numbers: &[String]) -> Option<Part> {
    use Word::*;
    // A bare "mid" or "ring" without a side is too little to go by.
    if !sided {
        return None;
    }
    let mut metacarpal = false;
    let mut tip = false;
    let mut root = false;
    let mut named = None;
    let mut phalanx = false;
    let mut finger = false;
    for (i, word) in words.iter().enumerate() {
        match word {
            Hand | Arm if i == 0 => {}
            In if words.get(i + 1) == Some(&Hand) => metacarpal = true,
            Hand if i == 1 && words[0] == In => {}
            Finger => finger = true,
            Word::Digit(digit) if named.is_none() => named = Some(*digit),
            // "lMid1" is a finger, "index_mid" the middle phalanx of one.
            Mid if named.is_none() => named = Some(crate::rig::Digit::Middle),
            Root => root = true,
            Mid | Phalanx | Base => phalanx = true,
            Palm => metacarpal = true,
            Tip => tip = true,
            _ => return None,
        }
    }
    let number = numbers.first();
    let (digit, counted) = match named {
        Some(digit) => (DigitName::Named(digit), number.is_some()),
        // "Finger1", "Finger12", "finger1-2": the first digit is the finger's.
        None if finger => {
            let number = number?;
            let counted = number.len() > 1 || numbers.len() > 1;
            let first = number.chars().next()?.to_digit(10)?;
            (DigitName::Numbered(first as u8), counted)
        }
        None => return None,
    };
    let counted = counted || phalanx || root || tip;
    Some(Part::Finger(FingerName { digit, metacarpal, tip, root, counted }))
}
