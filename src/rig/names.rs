//! What a joint's name says about its part of the body, before the tree has its say.
//!
//! A name is cut at punctuation, digits and changes of case into words; words that no list knows
//! make it unknown, unless most of the body's names share them as a prefix or suffix. Words are English and Japanese,
//! and those of one other language whose left and right stand in the names.

mod languages;
mod part;
mod reference;
mod tokens;
mod word;
mod words;

use super::Side;
use crate::skeleton::Skeleton;
use languages::Language;
use part::part;
pub(crate) use part::{DigitName, FingerName, Part};
pub use reference::JointNameError;
pub(crate) use reference::{did_you_mean, find_joint, joint_text, joint_texts, nearest};
use std::collections::HashMap;
use tokens::{Token, spoken, tokens};
use word::Word;

/// The meaning of one joint's name.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Meaning {
    pub side: Option<Side>,
    /// `None` if the name is unknown, or names a helper.
    pub part: Option<Part>,
    /// The name says that the joint carries no part of the body.
    pub helper: bool,
    /// The name says that the joint shares out a bone's twist; such a joint is a helper.
    pub twist: bool,
    /// The first number in the name.
    pub number: Option<u32>,
}

/// The meanings of all joints' names, in skeleton order.
pub(crate) fn meanings(skeleton: &Skeleton) -> Vec<Meaning> {
    let spoken: Vec<String> = skeleton.joints().iter().flat_map(|j| spoken(&j.name)).collect();
    let language = Language::of(&spoken);
    let names: Vec<Name> = skeleton.joints().iter().map(|j| Name::new(&j.name, language)).collect();
    let prefix = shared(&names, |name| &name.prefix);
    let suffix = shared(&names, |name| &name.suffix);
    // Two underscores before a few names hide helpers, as MakeHuman does; before most they are a prefix.
    let hides = |name: &str| name.starts_with("__");
    let hidden = skeleton.joints().iter().filter(|joint| hides(&joint.name)).count();
    let helpers_are_hidden = 2 * hidden < names.len();
    names
        .iter()
        .zip(skeleton.joints())
        .map(|(name, joint)| {
            if helpers_are_hidden && hides(&joint.name) {
                return Meaning { helper: true, ..Meaning::default() };
            }
            let stripped = |own: &[String], shared: &Option<Vec<String>>| {
                own.is_empty() || shared.as_deref() == Some(own)
            };
            let known =
                !name.unknown && stripped(&name.prefix, &prefix) && stripped(&name.suffix, &suffix);
            name.meaning(known)
        })
        .collect()
}

/// Whether a joint's name says that it shares out a bone's twist.
pub(crate) fn says_twist(name: &str) -> bool {
    Name::new(name, None).meaning(false).twist
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
    fn new(text: &str, language: Option<&Language>) -> Self {
        let tokens = tokens(text, language);
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
        let helper = words.iter().any(|w| matches!(w, Word::Helper | Word::Twist | Word::Roll))
            && !matches!(words[..], [Word::Neck | Word::Trunk, Word::Twist]);
        let number = self.numbers.first().and_then(|n| n.parse().ok());
        let part = (known && !helper).then(|| part(side, &words, &self.numbers)).flatten();
        let twist = helper && words.iter().any(|w| matches!(w, Word::Twist | Word::Roll));
        Meaning { side, part, helper, twist, number }
    }
}
