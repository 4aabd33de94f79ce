//! Words and places in the bytes of a file. A line ends at LF, CR LF or a lone CR.

use super::error::{
    BOM, BvhError, BvhErrorKind, Expected, Found, Repair, RepairKind, line_ends_at,
};

/// A reading position in the bytes of a whole file.
pub(super) struct Text<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

/// A run of bytes without blanks, or a single brace; empty at the end of the file.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Word<'_> {
    /// Whether the word is `keyword`, in any case.
    pub fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }
}

/// Whether the byte parts words: a space, a tab or the end of a line.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c')
}

pub(super) fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

impl<'a> Text<'a> {
    /// The start of a file, after a UTF-8 byte order mark. Refuses UTF-16.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BvhError> {
        let utf16 = matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, _, ..] | [_, 0, ..]);
        if utf16 {
            return Err(BvhError::new(bytes, 0, BvhErrorKind::Utf16));
        }
        let at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        Ok(Self { bytes, at })
    }

    /// Steps over blanks and line ends, and says whether there was a line end.
    #[inline]
    pub fn skip_blanks(&mut self) -> bool {
        let mut saw_line_end = false;
        while let Some(&byte) = self.bytes.get(self.at).filter(|&&b| is_blank(b)) {
            saw_line_end |= ends_line(byte);
            self.at += 1;
        }
        saw_line_end
    }

    /// Steps over blanks up to the end of the line.
    pub fn skip_blanks_in_line(&mut self) {
        while self.bytes.get(self.at).is_some_and(|&b| is_blank(b) && !ends_line(b)) {
            self.at += 1;
        }
    }

    /// The next word, and steps over it.
    pub fn word(&mut self) -> Word<'a> {
        let word = self.peek();
        self.at = word.at + word.bytes.len();
        word
    }

    /// The next word. Steps over the blanks before it only.
    pub fn peek(&mut self) -> Word<'a> {
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        let len = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => {
                let end = |&b: &u8| is_blank(b) || b == b'{' || b == b'}';
                rest.iter().position(end).unwrap_or(rest.len())
            }
        };
        Word { bytes: &rest[..len], at: self.at }
    }

    /// The rest of the line up to its end or an opening brace that stands for itself, trimmed.
    pub fn name(&mut self) -> Word<'a> {
        self.skip_blanks_in_line();
        let rest = &self.bytes[self.at..];
        let ends = |&i: &usize| ends_line(rest[i]) || is_lone_brace(rest, i);
        let end = (0..rest.len()).find(ends).unwrap_or(rest.len());
        let word = Word { bytes: rest[..end].trim_ascii_end(), at: self.at };
        self.at += end;
        word
    }

    /// An error at byte `at`.
    pub fn error(&self, at: usize, kind: BvhErrorKind) -> BvhError {
        BvhError::new(self.bytes, at, kind)
    }

    /// The error that `word` stands where something else should.
    pub fn expected(&self, expected: Expected, word: Word<'_>) -> BvhError {
        let found = Found::word(word.bytes);
        self.error(word.at, BvhErrorKind::Expected { expected, found })
    }
}

/// Whether the byte at `at` is an opening brace with a blank before or after it: names may hold
/// others.
fn is_lone_brace(text: &[u8], at: usize) -> bool {
    if text[at] != b'{' {
        return false;
    }
    let Some(&before) = text[..at].last() else { return true };
    // In Shift-JIS and its kin a brace can be the second half of a character; it is none where the
    // bytes before it end in a whole character of UTF-8.
    let ends_char = || (1..=at.min(4)).any(|n| str::from_utf8(&text[at - n..at]).is_ok());
    is_blank(before) || text.get(at + 1).is_none_or(|&b| is_blank(b)) && ends_char()
}

/// Things repaired while reading, each with the byte where it was found.
#[derive(Default)]
pub(super) struct Repairs(Vec<(usize, RepairKind)>);

impl Repairs {
    pub fn push(&mut self, at: usize, kind: RepairKind) {
        self.0.push((at, kind));
    }

    /// The repairs in file order with their lines. One pass over the file for all of them.
    pub fn into_lines(mut self, bytes: &[u8]) -> Vec<Repair> {
        self.0.sort_by_key(|&(at, _)| at);
        let (mut line, mut counted) = (1, 0);
        let with_line = |(at, kind): (usize, RepairKind)| {
            let at = at.min(bytes.len());
            line += (counted..at).filter(|&i| line_ends_at(bytes, i)).count();
            counted = at;
            Repair { line, kind }
        };
        self.0.into_iter().map(with_line).collect()
    }
}
