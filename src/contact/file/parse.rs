//! Text to [`ContactFile`].

use super::{
    ContactFile, ContactFileError, ContactFileProblem, Stated, StatedFoot, StatedStay, Stays,
};
use crate::contact::Limb;
use crate::rig::Side;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Top {
    frames: Option<Spanned<usize>>,
    floor_height: Option<Spanned<f64>>,
    #[serde(default)]
    feet: BTreeMap<String, Spanned<Foot>>,
    #[serde(default)]
    hands: Sides,
    #[serde(default)]
    knees: Sides,
}

/// A table that is the value of a key.
#[derive(Deserialize)]
struct Kept {
    file: Top,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Foot {
    heel: Option<Spanned<Vec<Spanned<Stay>>>>,
    ball: Option<Spanned<Vec<Spanned<Stay>>>>,
    tip: Option<Spanned<Vec<Spanned<Stay>>>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Sides {
    left: Option<Spanned<Vec<Spanned<Lean>>>>,
    right: Option<Spanned<Vec<Spanned<Lean>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stay {
    frames: [usize; 2],
    slow: Option<[usize; 2]>,
    floor_height: Option<f64>,
    #[serde(default)]
    slides: bool,
}

/// Of a hand or a knee.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lean {
    frames: [usize; 2],
    floor_height: Option<f64>,
}

impl From<Lean> for Stay {
    fn from(lean: Lean) -> Self {
        Self { frames: lean.frames, slow: None, floor_height: lean.floor_height, slides: false }
    }
}

impl ContactFile {
    /// Reads the text of a side file. Whether it fits a clip is seen when it is
    /// [applied](Self::applied).
    pub fn parse(text: &str) -> Result<Self, ContactFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self::of(text, toml::from_str(text).map_err(|error| syntax(text, error))?)
    }

    /// As [`parse`](Self::parse), of a table that is the value of the key `file`.
    pub(super) fn parse_table(text: &str) -> Result<Self, ContactFileError> {
        let Kept { file } = toml::from_str(text).map_err(|error| syntax(text, error))?;
        Self::of(text, file)
    }

    fn of(text: &str, top: Top) -> Result<Self, ContactFileError> {
        let feet = top.feet.into_iter().map(|(name, value)| {
            let foot = stated(text, value);
            let Foot { heel, ball, tip } = foot.value;
            let parts = [stays(text, heel)?, stays(text, ball)?, stays(text, tip)?];
            Ok((name, Stated { line: foot.line, value: StatedFoot { parts } }))
        });
        let feet = feet.collect::<Result<_, _>>()?;
        let mut limbs = BTreeMap::new();
        for (sides, limb) in [(top.hands, Limb::Hand as fn(Side) -> Limb), (top.knees, Limb::Knee)]
        {
            for (side, written) in [(Side::Left, sides.left), (Side::Right, sides.right)] {
                limbs.extend(stays(text, written)?.map(|stays| (limb(side), stays)));
            }
        }
        let floor_height = top.floor_height.map(|height| stated(text, height));
        if let Some(height) = &floor_height
            && !height.value.is_finite()
        {
            return Err(height.error(ContactFileProblem::NotFinite));
        }
        let frames = top.frames.map(|frames| stated(text, frames));
        Ok(Self { frames, floor_height, feet, limbs })
    }
}

fn syntax(text: &str, error: toml::de::Error) -> ContactFileError {
    ContactFileError {
        line: error.span().map(|span| line(text, span.start)),
        problem: ContactFileProblem::Syntax(error.message().trim().to_owned()),
    }
}

fn stays<T: Into<Stay>>(
    text: &str,
    written: Option<Spanned<Vec<Spanned<T>>>>,
) -> Result<Option<Stays>, ContactFileError> {
    let Some(written) = written else { return Ok(None) };
    let Stated { line, value } = stated(text, written);
    let stays = value.into_iter().map(|written| {
        let Stated { line, value } = stated(text, written);
        stay(Stated { line, value: value.into() })
    });
    Ok(Some(Stated { line, value: stays.collect::<Result<_, _>>()? }))
}

fn stay(written: Stated<Stay>) -> Result<Stated<StatedStay>, ContactFileError> {
    let range = |[first, last]: [usize; 2]| {
        let end = last.checked_add(1).filter(|_| first <= last);
        let backwards = ContactFileProblem::Backwards { first, last };
        end.map(|end| first..end).ok_or_else(|| written.error(backwards))
    };
    let frames = range(written.value.frames)?;
    let slow = written.value.slow.map(range).transpose()?;
    let slow = slow.map_or(frames.clone(), |slow| hull(&slow, &frames));
    let Stay { floor_height, slides, .. } = written.value;
    if floor_height.is_some_and(|height| !height.is_finite()) {
        return Err(written.error(ContactFileProblem::NotFinite));
    }
    Ok(Stated { line: written.line, value: StatedStay { frames, slow, floor_height, slides } })
}

/// One who moves an end outwards need not move the end of `slow` too.
fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

fn stated<T>(text: &str, value: Spanned<T>) -> Stated<T> {
    Stated { line: line(text, value.span().start), value: value.into_inner() }
}

/// Line of a byte place, counted from 1.
fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
