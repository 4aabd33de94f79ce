//! Numbers as text, read with the same bits as the standard library reads them.

use super::text::is_blank;

/// The number at the start of `text` and how many bytes it takes, up to a blank or the end.
///
/// `None` where the word there is no number: the caller says what it found. The result has the bits
/// of `str::parse::<f64>`, which reads the rare words that the short way does not.
#[inline]
pub(super) fn number(text: &[u8]) -> Option<(f64, usize)> {
    let mut at = 0;
    let negative = match text.first() {
        Some(b'-') => {
            at = 1;
            true
        }
        Some(b'+') => {
            at = 1;
            false
        }
        _ => false,
    };
    let first = at;
    let mut mantissa = 0u64;
    while let Some(digit) = digit(text, at) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    let mut digits = at - first;
    let mut decimals = 0;
    if text.get(at) == Some(&b'.') {
        let point = at;
        at += 1;
        while let Some(digit) = digit(text, at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        decimals = at - point - 1;
        digits += decimals;
    }
    let ends = text.get(at).is_none_or(|&b| is_blank(b));
    // Up to 19 digits the mantissa has not overflowed; below 2^53 it and the power of ten are exact,
    // and one division of exact numbers rounds correctly (Clinger 1990).
    if ends && (1..=19).contains(&digits) && mantissa < 1 << 53 && decimals < POWERS.len() {
        let value = mantissa as f64 / POWERS[decimals];
        return Some((if negative { -value } else { value }, at));
    }
    slow_number(text)
}

#[inline]
fn digit(text: &[u8], at: usize) -> Option<u64> {
    let digit = text.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(digit as u64)
}

/// Powers of ten that f64 holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

#[cold]
fn slow_number(text: &[u8]) -> Option<(f64, usize)> {
    let len = text.iter().position(|&b| is_blank(b)).unwrap_or(text.len());
    let word = std::str::from_utf8(&text[..len]).ok()?;
    // The standard library also takes "inf", "nan" and "infinity", which are words here.
    let shaped = word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let value: f64 = if shaped { word.parse().ok()? } else { return None };
    value.is_finite().then_some((value, len))
}

/// Whether a word that is no number stands for NaN, infinity or a number beyond f64's range, as
/// printed by one of the common runtimes.
pub(super) fn is_not_finite(word: &[u8]) -> bool {
    let text = String::from_utf8_lossy(word).to_ascii_lowercase();
    let text = text.trim_start_matches(['+', '-']);
    text.starts_with("nan")
        || text.starts_with("inf")
        || text.starts_with("1.#")
        || text.parse::<f64>().is_ok_and(|v| v.is_infinite())
}
