//! A TOML table whose keys are taken one after the other; what nobody took is unknown.

use super::{Lines, RigFileError, RigFileProblem};
use crate::math::{Quat, Vec3};
use crate::rig::names::nearest;
use crate::skeleton::MOST_LEN;
use nalgebra::Quaternion;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Result<T> = std::result::Result<T, RigFileError>;

/// Where a table or value stands.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Path of its key; empty for the whole file.
    pub key: String,
    /// Counted from 1; `None` for the whole file.
    pub line: Option<usize>,
}

impl Place {
    pub fn error(&self, problem: RigFileProblem) -> RigFileError {
        RigFileError { line: self.line, key: self.key.clone(), problem }
    }

    pub fn wrong(&self, found: String, wanted: &str) -> RigFileError {
        self.error(RigFileProblem::Wrong { found, wanted: wanted.to_owned() })
    }

    /// The place of a key of the table that is here.
    fn key(&self, key: &str) -> String {
        if self.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.key) }
    }
}

/// Whether a length is 1 but for the rounding of sums of products.
fn is_unit(length: f64) -> bool {
    (length - 1.0).abs() < 1e-12
}

/// One table of the text.
pub(super) struct Fields<'a> {
    place: Place,
    left: BTreeMap<String, Value<'a>>,
    /// The keys that were asked for.
    known: Vec<String>,
}

/// A value and its place.
pub(super) struct Value<'a> {
    lines: Lines,
    pub place: Place,
    value: DeValue<'a>,
}

impl<'a> Fields<'a> {
    /// The top table of a text.
    pub fn parse(text: &'a str) -> Result<Self> {
        let lines = Lines::new(text);
        let table = DeTable::parse(text).map_err(|e| RigFileError {
            line: e.span().map(|span| lines.line(span.start)),
            key: String::new(),
            problem: RigFileProblem::Syntax(e.message().trim().to_owned()),
        })?;
        Ok(Self::new(&lines, Place { key: String::new(), line: None }, table.into_inner()))
    }

    fn new(lines: &Lines, place: Place, table: DeTable<'a>) -> Self {
        let mut left = BTreeMap::new();
        for (key, value) in table {
            let line = Some(lines.line(key.span().start));
            let name = key.into_inner().into_owned();
            let place = Place { key: place.key(&name), line };
            left.insert(name, Value { lines: lines.clone(), place, value: value.into_inner() });
        }
        Self { place, left, known: Vec::new() }
    }

    /// The value of a key, if it is there.
    pub fn take(&mut self, key: &str) -> Option<Value<'a>> {
        self.known.push(key.to_owned());
        self.left.remove(key)
    }

    /// The value of a key that must be there.
    pub fn need(&mut self, key: &str) -> Result<Value<'a>> {
        let place = Place { key: self.place.key(key), line: self.place.line };
        self.take(key).ok_or_else(|| place.error(RigFileProblem::Missing))
    }

    /// The table of a key, if it is there.
    pub fn table(&mut self, key: &str) -> Result<Option<Fields<'a>>> {
        self.take(key).map(Value::table).transpose()
    }

    /// All keys that are left, with their values: for tables whose keys are names.
    pub fn rest(&mut self) -> impl Iterator<Item = (String, Value<'a>)> + use<'a> {
        std::mem::take(&mut self.left).into_iter()
    }

    /// Refuses the first key that nobody asked for.
    pub fn finish(self) -> Result<()> {
        let Some((key, value)) = self.left.into_iter().min_by_key(|(_, v)| v.place.line) else {
            return Ok(());
        };
        let nearest = nearest(&key, self.known.iter().map(String::as_str)).map(str::to_owned);
        Err(value.place.error(RigFileProblem::UnknownKey { nearest, known: self.known }))
    }
}

impl<'a> Value<'a> {
    fn wrong(&self, wanted: &str) -> RigFileError {
        let found = match &self.value {
            DeValue::String(s) => format!("the text {:?}", s.chars().take(40).collect::<String>()),
            DeValue::Integer(i) => format!("the number {}", i.as_str()),
            DeValue::Float(x) => format!("the number {}", x.as_str()),
            DeValue::Boolean(b) => b.to_string(),
            DeValue::Array(a) => format!("a list of {}", a.len()),
            DeValue::Table(_) => "a table".to_owned(),
            other => format!("a {}", other.type_str()),
        };
        self.place.wrong(found, wanted)
    }

    pub fn is_text(&self) -> bool {
        self.value.is_str()
    }

    pub fn text(self, wanted: &str) -> Result<String> {
        match self.value {
            DeValue::String(text) => Ok(text.into_owned()),
            _ => Err(self.wrong(wanted)),
        }
    }

    /// A text that `read` understands.
    pub fn read<T>(self, wanted: &str, read: impl Fn(&str) -> Option<T>) -> Result<T> {
        match self.value.as_str().and_then(read) {
            Some(value) => Ok(value),
            None => Err(self.wrong(wanted)),
        }
    }

    /// A finite number for which `fits` holds.
    pub fn number(&self, wanted: &str, fits: impl Fn(f64) -> bool) -> Result<f64> {
        let number = match &self.value {
            DeValue::Integer(i) if i.radix() == 10 => i.as_str().parse::<f64>().ok(),
            DeValue::Float(x) => x.as_str().parse::<f64>().ok(),
            _ => None,
        };
        if number.is_some_and(|x| x.is_finite() && x.abs() > MOST_LEN && fits(x)) {
            return Err(self.wrong(&format!("{wanted}, and none is beyond {MOST_LEN} either way")));
        }
        number.filter(|x| x.is_finite() && fits(*x)).ok_or_else(|| self.wrong(wanted))
    }

    /// True or false.
    pub fn flag(self, wanted: &str) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.wrong(wanted))
    }

    /// A whole number from 0 on.
    pub fn count(&self, wanted: &str) -> Result<usize> {
        let DeValue::Integer(i) = &self.value else { return Err(self.wrong(wanted)) };
        let count = if i.radix() == 10 { i.as_str().parse().ok() } else { None };
        count.ok_or_else(|| self.wrong(wanted))
    }

    pub fn list(self, wanted: &str) -> Result<Vec<Value<'a>>> {
        let Value { lines, place, value } = self;
        let DeValue::Array(array) = value else {
            return Err(Value { lines, place, value }.wrong(wanted));
        };
        let element = |value: Spanned<DeValue<'a>>| {
            let place =
                Place { key: place.key.clone(), line: Some(lines.line(value.span().start)) };
            Value { lines: lines.clone(), place, value: value.into_inner() }
        };
        Ok(array.into_iter().map(element).collect())
    }

    pub fn texts(self, wanted: &str) -> Result<Vec<String>> {
        self.list(wanted)?.into_iter().map(|v| v.text(wanted)).collect()
    }

    pub fn numbers(self, wanted: &str) -> Result<Vec<f64>> {
        self.list(wanted)?.iter().map(|v| v.number(wanted, |_| true)).collect()
    }

    /// Exactly `N` numbers.
    pub fn array<const N: usize>(self, wanted: &str) -> Result<[f64; N]> {
        let place = self.place.clone();
        let wrong = |n: Vec<f64>| place.wrong(format!("a list of {}", n.len()), wanted);
        self.numbers(wanted)?.try_into().map_err(wrong)
    }

    pub fn vector(self) -> Result<Vec3> {
        self.array("three numbers, as in [0.0, 1.0, 0.0]").map(Vec3::from)
    }

    /// A vector that is not zero, brought to unit length unless it has that already: scaling it again would change
    /// its last digits.
    pub fn direction(self) -> Result<Vec3> {
        let place = self.place.clone();
        let direction = self.vector()?;
        if is_unit(direction.norm()) {
            return Ok(direction);
        }
        direction.try_normalize(1e-9).ok_or_else(|| {
            place.wrong("a zero vector".to_owned(), "a direction in the joint's frame")
        })
    }

    /// A rotation as a unit quaternion, its real part last; brought to unit length as a [direction](Self::direction) is.
    pub fn quaternion(self) -> Result<Quat> {
        let place = self.place.clone();
        let [x, y, z, w] = self.array("a quaternion: four numbers, x, y, z and w")?;
        let quaternion = Quaternion::new(w, x, y, z);
        if is_unit(quaternion.norm()) {
            return Ok(Quat::new_unchecked(quaternion));
        }
        let wanted = "a quaternion that is a rotation";
        Quat::try_new(quaternion, 1e-9).ok_or_else(|| place.wrong("four zeros".to_owned(), wanted))
    }

    pub fn table(self) -> Result<Fields<'a>> {
        match self.value {
            DeValue::Table(table) => Ok(Fields::new(&self.lines, self.place, table)),
            _ => Err(self.wrong("a table")),
        }
    }
}
