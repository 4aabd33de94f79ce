//! What a joint's name says about its part of the body, before the tree has its say.
//!
//! A name is cut at punctuation, digits and changes of case into words; words that no list knows
//! make it unknown, unless most of the body's names share them as a prefix or suffix.

mod reference;
mod words;

use super::{Digit, Side};
use crate::skeleton::Skeleton;
pub use reference::JointNameError;
pub(crate) use reference::{did_you_mean, find_joint, joint_text, joint_texts, nearest};
use std::collections::HashMap;
pub(crate) use words::Word;

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

/// The meaning of one joint's name.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Meaning {
    pub side: Option<Side>,
    /// `None` if the name is unknown, or names a helper.
    pub part: Option<Part>,
    /// The name says that the joint carries no part of the body.
    pub helper: bool,
    /// The first number in the name.
    pub number: Option<u32>,
}

/// The meanings of all joints' names, in skeleton order.
pub(crate) fn meanings(skeleton: &Skeleton) -> Vec<Meaning> {
    let names: Vec<Name> = skeleton.joints().iter().map(|j| Name::new(&j.name)).collect();
    let prefix = shared(&names, |name| &name.prefix);
    let suffix = shared(&names, |name| &name.suffix);
    names
        .iter()
        .map(|name| {
            let stripped = |own: &[String], shared: &Option<Vec<String>>| {
                own.is_empty() || shared.as_deref() == Some(own)
            };
            let known =
                !name.unknown && stripped(&name.prefix, &prefix) && stripped(&name.suffix, &suffix);
            name.meaning(known)
        })
        .collect()
}

/// The unknown words that most of the names which mean something have at that end.
fn shared(names: &[Name], end: impl Fn(&Name) -> &Vec<String>) -> Option<Vec<String>> {
    let mut counts: HashMap<&[String], usize> = HashMap::new();
    let mut total = 0;
    for name in names.iter().filter(|n| !n.unknown && n.meaning(true).part.is_some()) {
        total += 1;
        *counts.entry(end(name)).or_default() += 1;
    }
    let (words, count) = counts.into_iter().max_by_key(|&(words, count)| (count, words))?;
    (2 * count > total && !words.is_empty()).then(|| words.to_vec())
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(Word),
    /// Digits as written: "01" and "1" differ where a digit stands for a finger.
    Number(String),
    Unknown(String),
}

/// A name's known words, with the unknown ones before and after them.
struct Name {
    words: Vec<Word>,
    numbers: Vec<String>,
    prefix: Vec<String>,
    suffix: Vec<String>,
    /// An unknown word stands between known ones, or nothing is known.
    unknown: bool,
}

impl Name {
    fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let core = |token: &Token| matches!(token, Token::Word(w) if !matches!(w, Word::Noise | Word::Base));
        let Some(first) = tokens.iter().position(core) else {
            return Self {
                words: Vec::new(),
                numbers: Vec::new(),
                prefix: Vec::new(),
                suffix: Vec::new(),
                unknown: true,
            };
        };
        let last = tokens.iter().rposition(core).unwrap_or(first);
        let unknown_words = |tokens: &[Token]| {
            let texts = tokens.iter().filter_map(|t| match t {
                Token::Unknown(text) => Some(text.clone()),
                _ => None,
            });
            texts.collect::<Vec<String>>()
        };
        let mut words = Vec::new();
        let mut numbers = Vec::new();
        for token in &tokens[first..] {
            match token {
                Token::Word(Word::Noise) | Token::Unknown(_) => {}
                Token::Word(word) => words.push(*word),
                Token::Number(number) => numbers.push(number.clone()),
            }
        }
        Self {
            words,
            numbers,
            prefix: unknown_words(&tokens[..first]),
            suffix: unknown_words(&tokens[last + 1..]),
            unknown: !unknown_words(&tokens[first..=last]).is_empty(),
        }
    }

    fn meaning(&self, known: bool) -> Meaning {
        let mut side = None;
        let mut words = Vec::new();
        for &word in &self.words {
            match word {
                Word::Side(s) if side.is_none() => side = Some(s),
                // A second, different side means that this is no plain name.
                Word::Side(s) if side != Some(s) => return Meaning::default(),
                Word::Side(_) => {}
                _ => words.push(word),
            }
        }
        let helper = words.iter().any(|w| matches!(w, Word::Helper | Word::Twist))
            && !matches!(words[..], [Word::Neck | Word::Trunk, Word::Twist]);
        let number = self.numbers.first().and_then(|n| n.parse().ok());
        let part = (known && !helper).then(|| part(side, &words, &self.numbers)).flatten();
        Meaning { side, part, helper, number }
    }
}

/// The part that a name's words spell together.
fn part(side: Option<Side>, words: &[Word], numbers: &[String]) -> Option<Part> {
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
            Mid if named.is_none() => named = Some(super::Digit::Middle),
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
            (DigitName::Numbered(number.as_bytes()[0] - b'0'), counted)
        }
        None => return None,
    };
    let counted = counted || phalanx || root || tip;
    Some(Part::Finger(FingerName { digit, metacarpal, tip, root, counted }))
}

/// Cuts a name into words, numbers and what is neither.
fn tokens(name: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let class = Class::of(first);
        let end = rest.find(|c| Class::of(c) != class).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        match class {
            // "finger 1a": a letter right after a number counts on.
            Class::Letter if run.len() == 1 && matches!(tokens.last(), Some(Token::Number(_))) => {
                let glued =
                    !name[..name.len() - rest.len()].ends_with(|c| Class::of(c) != Class::Digit);
                match words::segment(&run.to_lowercase()) {
                    None if glued => tokens.push(Token::Number(run.to_owned())),
                    _ => tokens.extend(words_of(run)),
                }
            }
            Class::Letter => tokens.extend(words_of(run)),
            Class::Digit => tokens.push(Token::Number(run.to_owned())),
            Class::Other => {}
        }
        rest = after;
    }
    tokens
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Letter,
    Digit,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            _ if c.is_ascii_digit() => Class::Digit,
            _ if c.is_alphabetic() => Class::Letter,
            _ => Class::Other,
        }
    }
}

/// The words of a run of letters: cut where the case changes, or, where that gives nothing, not cut
/// ("HEad", "LUArm").
fn words_of(run: &str) -> Vec<Token> {
    let pieces: Vec<String> = camel_pieces(run).iter().map(|p| p.to_lowercase()).collect();
    let segmented: Vec<Option<Vec<Word>>> = pieces.iter().map(|p| words::segment(p)).collect();
    if segmented.iter().any(Option::is_none)
        && let Some(words) = words::segment(&run.to_lowercase())
    {
        return words.into_iter().map(Token::Word).collect();
    }
    let mut tokens = Vec::new();
    for (piece, words) in pieces.into_iter().zip(segmented) {
        match words {
            Some(words) => tokens.extend(words.into_iter().map(Token::Word)),
            // A single letter is a decoration ("spine.x", "J_Bip_C_Head") or a count ("finger 1a").
            None if piece.chars().count() == 1 => {}
            None => tokens.push(Token::Unknown(piece)),
        }
    }
    tokens
}

/// Cuts before a capital that follows a small letter, and before the last capital of several.
fn camel_pieces(run: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for i in 1..chars.len() {
        let (before, (at, this)) = (chars[i - 1].1, chars[i]);
        let next_small = chars.get(i + 1).is_some_and(|(_, c)| c.is_lowercase());
        if this.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && next_small) {
            pieces.push(&run[start..at]);
            start = at;
        }
    }
    pieces.push(&run[start..]);
    pieces
}
