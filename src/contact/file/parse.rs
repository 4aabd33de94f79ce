//! Text to [`ContactFile`].

use super::{
    ContactFile, ContactFileError, ContactFileProblem, Intervals, Stated, StatedFoot,
    StatedInterval,
};
use crate::contact::Limb;
use crate::rig::{Lines, Side};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// Of a kind of limb the one on a side.
type Kind = fn(Side) -> Limb;

/// The whole file.
#[derive(Default)]
struct Top {
    frames: Option<Spanned<usize>>,
    half_open: bool,
    floor_height: Option<Spanned<f64>>,
    feet: BTreeMap<String, Spanned<Foot>>,
    /// By kind of limb.
    limbs: Vec<(Kind, Sides)>,
}

/// A key of the whole file.
enum Key {
    /// What the clip is called, for who reads it.
    Clip,
    /// Its frames a second, for who reads it.
    Fps,
    Frames,
    HalfOpen,
    FloorHeight,
    Feet,
    Limbs(Kind),
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(key: D) -> Result<Self, D::Error> {
        let key = String::deserialize(key)?;
        let table = |kind: &Kind| kind(Side::Left).table();
        Ok(match key.as_str() {
            "clip" => Key::Clip,
            "fps" => Key::Fps,
            "frames" => Key::Frames,
            "half_open" => Key::HalfOpen,
            "floor_height" => Key::FloorHeight,
            "feet" => Key::Feet,
            name => match Limb::KINDS.into_iter().find(|kind| table(kind) == name) {
                Some(kind) => Key::Limbs(kind),
                None => {
                    let tables = Limb::KINDS.iter().map(|kind| format!(", `{}`", table(kind)));
                    return Err(D::Error::custom(format!(
                        "unknown field `{name}`, expected one of `clip`, `fps`, `frames`, `half_open`, \
                         `floor_height`, `feet`{}",
                        tables.collect::<String>()
                    )));
                }
            },
        })
    }
}

impl<'de> Deserialize<'de> for Top {
    fn deserialize<D: Deserializer<'de>>(file: D) -> Result<Self, D::Error> {
        file.deserialize_map(TopVisitor)
    }
}

struct TopVisitor;

impl<'de> Visitor<'de> for TopVisitor {
    type Value = Top;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of feet and limbs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Top, A::Error> {
        let mut top = Top::default();
        while let Some(key) = map.next_key()? {
            match key {
                Key::Clip => drop(map.next_value::<String>()?),
                Key::Fps => drop(map.next_value::<f64>()?),
                Key::Frames => top.frames = Some(map.next_value()?),
                Key::HalfOpen => top.half_open = map.next_value()?,
                Key::FloorHeight => top.floor_height = Some(map.next_value()?),
                Key::Feet => top.feet = map.next_value()?,
                Key::Limbs(kind) => top.limbs.push((kind, map.next_value()?)),
            }
        }
        Ok(top)
    }
}

/// A table that is the value of a key.
#[derive(Deserialize)]
struct Kept {
    file: Top,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of heel, ball and tip")]
struct Foot {
    heel: Option<Spanned<Vec<Spanned<Interval>>>>,
    ball: Option<Spanned<Vec<Spanned<Interval>>>>,
    tip: Option<Spanned<Vec<Spanned<Interval>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of left and right")]
struct Sides {
    left: Option<Spanned<Vec<Spanned<Lean>>>>,
    right: Option<Spanned<Vec<Spanned<Lean>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a contact interval, as in { frames = [0, 12] }")]
struct Interval {
    frames: [usize; 2],
    slow: Option<[usize; 2]>,
    floor_height: Option<f64>,
    #[serde(default)]
    slides: bool,
}

/// Of a hand or a knee.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a contact interval, as in { frames = [0, 12] }")]
struct Lean {
    frames: [usize; 2],
    floor_height: Option<f64>,
}

impl From<Lean> for Interval {
    fn from(lean: Lean) -> Self {
        Self { frames: lean.frames, slow: None, floor_height: lean.floor_height, slides: false }
    }
}

impl ContactFile {
    /// Reads the text of a side file. Whether it fits a clip is seen when it is
    /// [applied](Self::applied).
    pub fn parse(text: &str) -> Result<Self, ContactFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = Lines::new(text);
        Self::of(&lines, toml::from_str(text).map_err(|error| syntax(&lines, error))?)
    }

    /// As [`parse`](Self::parse), of a table that is the value of the key `file`.
    pub(super) fn parse_table(text: &str) -> Result<Self, ContactFileError> {
        let lines = Lines::new(text);
        let Kept { file } = toml::from_str(text).map_err(|error| syntax(&lines, error))?;
        Self::of(&lines, file)
    }

    fn of(lines: &Lines, top: Top) -> Result<Self, ContactFileError> {
        let half_open = top.half_open;
        let feet = top.feet.into_iter().map(|(name, value)| {
            let foot = stated(lines, value);
            let Foot { heel, ball, tip } = foot.value;
            let [heel, ball, tip] = [heel, ball, tip].map(|of| intervals(lines, of, half_open));
            let parts = [heel?, ball?, tip?];
            Ok((name, Stated { line: foot.line, value: StatedFoot { parts } }))
        });
        let feet = feet.collect::<Result<_, _>>()?;
        let mut limbs = BTreeMap::new();
        for (limb, sides) in top.limbs {
            for (side, written) in [(Side::Left, sides.left), (Side::Right, sides.right)] {
                limbs.extend(
                    intervals(lines, written, half_open)?.map(|intervals| (limb(side), intervals)),
                );
            }
        }
        let floor_height = top.floor_height.map(|height| stated(lines, height));
        if let Some(height) = &floor_height
            && !height.value.is_finite()
        {
            return Err(height.error(ContactFileProblem::NotFinite));
        }
        let frames = top.frames.map(|frames| stated(lines, frames));
        Ok(Self { frames, floor_height, feet, limbs })
    }
}

fn syntax(lines: &Lines, error: toml::de::Error) -> ContactFileError {
    ContactFileError {
        line: error.span().map(|span| lines.line(span.start)),
        problem: ContactFileProblem::Syntax(in_words(error.message().trim())),
    }
}

/// The message of the parser, in terms of the file instead of the program's types.
fn in_words(said: &str) -> String {
    let len = said.strip_prefix("invalid length ").and_then(|rest| rest.split_once(", expected "));
    if let Some((len, expected)) = len {
        return format!("expected {expected}, found a list of {len}");
    }
    let invalid =
        ["invalid type: ", "invalid value: "].iter().find_map(|how| said.strip_prefix(how));
    let Some((found, expected)) = invalid.and_then(|rest| rest.rsplit_once(", expected ")) else {
        return said.replacen("unknown field", "unknown key", 1).replacen(
            "missing field",
            "missing key",
            1,
        );
    };
    let words =
        [("string ", "the text "), ("integer ", "the number "), ("floating point ", "the number ")];
    let value =
        words.iter().find_map(|(word, text)| Some(format!("{text}{}", found.strip_prefix(word)?)));
    let found = match found {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        _ => value.unwrap_or_else(|| found.trim_start_matches("boolean ").to_owned()),
    };
    let expected = match expected {
        "usize" => "a whole number from 0 on",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list of contact intervals, as in [{ frames = [0, 12] }]",
        "a map" => "a table",
        "a tuple of size 2" | "an array of length 2" => {
            "two frames, the first and the last, as in [0, 12]"
        }
        other => other,
    };
    format!("expected {expected}, found {found}")
}

fn intervals<T: Into<Interval>>(
    lines: &Lines,
    written: Option<Spanned<Vec<Spanned<T>>>>,
    half_open: bool,
) -> Result<Option<Intervals>, ContactFileError> {
    let Some(written) = written else { return Ok(None) };
    let Stated { line, value } = stated(lines, written);
    let intervals = value.into_iter().map(|written| {
        let Stated { line, value } = stated(lines, written);
        interval(Stated { line, value: value.into() }, half_open)
    });
    Ok(Some(Stated { line, value: intervals.collect::<Result<_, _>>()? }))
}

fn interval(
    written: Stated<Interval>,
    half_open: bool,
) -> Result<Stated<StatedInterval>, ContactFileError> {
    let range = |[first, last]: [usize; 2]| {
        let end = if half_open { Some(last) } else { last.checked_add(1) };
        let end = end.filter(|&end| first < end);
        let backwards = ContactFileProblem::Backwards { first, last };
        end.map(|end| first..end).ok_or_else(|| written.error(backwards))
    };
    let frames = range(written.value.frames)?;
    let slow = written.value.slow.map(range).transpose()?;
    let slow = slow.map_or(frames.clone(), |slow| hull(&slow, &frames));
    let Interval { floor_height, slides, .. } = written.value;
    if floor_height.is_some_and(|height| !height.is_finite()) {
        return Err(written.error(ContactFileProblem::NotFinite));
    }
    Ok(Stated { line: written.line, value: StatedInterval { frames, slow, floor_height, slides } })
}

/// The range that holds both: whoever moves an end of `frames` outwards need not move that of `slow` too.
fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

fn stated<T>(lines: &Lines, value: Spanned<T>) -> Stated<T> {
    Stated { line: lines.line(value.span().start), value: value.into_inner() }
}
