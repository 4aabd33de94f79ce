//! Numbers as text, read with the same bits as the standard library reads them.

use super::text::is_blank;

/// The number at the start of `text` and how many bytes it takes, up to a blank or the end.
///
/// `None` where the word there is no finite decimal number: the caller says what it found. The result
/// has the bits of `str::parse::<f64>`, which is asked where the short way would not be exact.
#[inline]
pub(super) fn number(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let signed = negative || text.first() == Some(&b'+');
    let (mut mantissa, point) = digits(text, usize::from(signed), 0);
    let (mut end, mut decimals) = (point, 0);
    if text.get(point) == Some(&b'.') {
        (mantissa, end) = digits(text, point + 1, mantissa);
        decimals = end - point - 1;
    }
    let count = point - usize::from(signed) + decimals;
    if count == 0 {
        return None;
    }
    // Up to 19 digits the mantissa has not overflowed; below 2^53 it and the power of ten are exact,
    // and one multiplication or division of exact numbers is rounded correctly (Clinger 1990).
    let exact = count <= 19 && mantissa < 1 << 53;
    let magnitude = mantissa as f64;
    if text.get(end).is_none_or(|&b| is_blank(b)) && exact && decimals < POWERS.len() {
        let value = magnitude / POWERS[decimals];
        return Some((if negative { -value } else { value }, end));
    }
    let (exponent, end) = exponent(text, end)?;
    let power = exponent - decimals as i64;
    let value = match usize::try_from(power.unsigned_abs()) {
        Ok(size) if exact && size < POWERS.len() => {
            let value = if power < 0 { magnitude / POWERS[size] } else { magnitude * POWERS[size] };
            if negative { -value } else { value }
        }
        _ => str::from_utf8(&text[..end]).ok()?.parse().ok()?,
    };
    value.is_finite().then_some((value, end))
}

/// The exponent at `at`, 0 where there is none, and where the number ends.
fn exponent(text: &[u8], mut at: usize) -> Option<(i64, usize)> {
    let mut exponent = 0;
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let negative = text.get(at + 1) == Some(&b'-');
        let first = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let size;
        (size, at) = digits(text, first, 0);
        // A longer one may have overflowed; the standard library knows what to make of it.
        let size = if at - first <= 9 { size as i64 } else { i64::from(i32::MAX) };
        exponent = if negative { -size } else { size };
        if at == first {
            return None;
        }
    }
    text.get(at).is_none_or(|&b| is_blank(b)).then_some((exponent, at))
}

/// Appends the digits from `at` on to `number` (wrapping), and where they end.
#[inline(always)]
fn digits(text: &[u8], mut at: usize, mut number: u64) -> (u64, usize) {
    while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|&d| d < 10) {
        number = number.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    }
    (number, at)
}

/// Powers of ten that f64 holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

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
