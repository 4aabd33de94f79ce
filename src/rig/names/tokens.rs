//! A name cut into words, numbers and what is neither.

use super::languages::{Language, plain};
use super::word::Word;
use super::words;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(Word),
    /// Digits as written: "01" and "1" differ where a digit stands for a finger.
    Number(String),
    Unknown(String),
}

/// The letters and digits of a name as they are read: of half width, and without accents.
fn legible(name: &str) -> String {
    name.chars().map(half_width).filter_map(plain).collect()
}

/// What may be words of a name, in small letters, in whatever language.
pub(super) fn spoken(name: &str) -> Vec<String> {
    let name = legible(name);
    let runs = name.split(|c| Class::of(c) != Class::Letter).filter(|run| !run.is_empty());
    runs.flat_map(camel_pieces).map(str::to_lowercase).collect()
}

/// Cuts a name into words, numbers and what is neither.
pub(super) fn tokens(name: &str, language: Option<&Language>) -> Vec<Token> {
    let name = &legible(name);
    let mut tokens = Vec::new();
    let mut rest = name.as_str();
    while let Some(first) = rest.chars().next() {
        let class = Class::of(first);
        let end = rest.find(|c| Class::of(c) != class).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        match class {
            // "finger 1a": a letter right after a number counts on.
            Class::Letter if run.len() == 1 && matches!(tokens.last(), Some(Token::Number(_))) => {
                let glued =
                    !name[..name.len() - rest.len()].ends_with(|c| Class::of(c) != Class::Digit);
                match words::segment(&run.to_lowercase(), language) {
                    None if glued => tokens.push(Token::Number(run.to_owned())),
                    _ => tokens.extend(words_of(run, language)),
                }
            }
            Class::Letter => tokens.extend(words_of(run, language)),
            Class::Digit => tokens.push(Token::Number(run.to_owned())),
            Class::Other => {}
        }
        rest = after;
    }
    tokens
}

/// The letter or digit that a full-width one of East Asian writing stands for.
fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
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
fn words_of(run: &str, language: Option<&Language>) -> Vec<Token> {
    let pieces: Vec<String> = camel_pieces(run).iter().map(|p| p.to_lowercase()).collect();
    let segmented: Vec<Option<Vec<Word>>> =
        pieces.iter().map(|p| words::segment(p, language)).collect();
    if segmented.iter().any(Option::is_none)
        && let Some(words) = words::segment(&run.to_lowercase(), language)
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
