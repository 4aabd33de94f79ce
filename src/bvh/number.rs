//! Numbers as text, read with the same bits as the standard library reads them.

use super::text::is_blank;

/// The number at the start of `text` and how many bytes it takes, up to a blank or the end.
///
/// `None` where the word there is no finite decimal number: the caller says what it found. The result
/// has the bits of `str::parse::<f64>`, which is asked where the short way would not be exact.
#[inline]
pub(super) fn number(text: &[u8]) -> Option<(f64, usize)> {
    short(text).or_else(|| long(text))
}

/// As [`number`] for what nearly all numbers of a motion are: `12.345678` or `-0.5` with up to seven digits before
/// the point and eight behind it, a blank and more text. `None` for all others, numbers or not.
///
/// Takes eight digits at once and branches on nothing that changes from number to number.
#[inline(always)]
fn short(text: &[u8]) -> Option<(f64, usize)> {
    let text = text.first_chunk::<24>()?;
    let word = |at: usize| u64::from_le_bytes(*text[at..].first_chunk().expect("24 hold it"));
    let is_negative = text[0] == b'-';
    let start = usize::from(is_negative);
    let whole = word(start);
    let point = leading_digits(whole);
    if point == 0 || point == 8 || text[start + point] != b'.' {
        return None;
    }
    let fraction = word(start + point + 1);
    let decimals = leading_digits(fraction);
    let end = start + point + 1 + decimals;
    if decimals == 0 || !is_blank(text[end]) {
        return None;
    }
    // Fifteen digits are exact, and so is the power of ten.
    let whole = eight_digits(whole << (64 - 8 * point));
    let fraction = eight_digits(fraction << (64 - 8 * decimals));
    let mantissa = whole * SMALL_POWERS[decimals] + fraction;
    let value = mantissa as i64 as f64 / POWERS[decimals];
    // A minus lacks this bit that digits have; a choice would become a branch that is guessed wrong half of the
    // time.
    let sign = u64::from(!text[0] & 0x10) << 59;
    Some((f64::from_bits(value.to_bits() | sign), end))
}

/// How many of eight bytes, the first the lowest, are digits before another one.
#[inline(always)]
fn leading_digits(word: u64) -> usize {
    // Digits become 0 to 9; what is more sets the highest bit of its byte, and may spoil later bytes alone.
    let values = word ^ 0x3030_3030_3030_3030;
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    (others.trailing_zeros() / 8) as usize
}

/// The number that eight digits stand for, the first in the lowest byte; a byte of zero counts as a digit 0.
///
/// Each step joins neighbours: to pairs, fours and all eight.
#[inline(always)]
fn eight_digits(word: u64) -> u64 {
    let pairs = (word & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(10 << 8 | 1) >> 8;
    let fours = (pairs & 0x00FF_00FF_00FF_00FF).wrapping_mul(100 << 16 | 1) >> 16;
    (fours & 0x0000_FFFF_0000_FFFF).wrapping_mul(10_000 << 32 | 1) >> 32
}

/// As [`number`] for any number.
fn long(text: &[u8]) -> Option<(f64, usize)> {
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

const SMALL_POWERS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the standard library makes of a word of digits, signs, points and exponents.
    fn truth(word: &str) -> Option<u64> {
        word.parse().ok().filter(|value: &f64| value.is_finite()).map(f64::to_bits)
    }

    fn found(word: &str) -> Option<u64> {
        let (value, len) = number(word.as_bytes())?;
        assert_eq!(len, word.len(), "{word}");
        Some(value.to_bits())
    }

    /// The same where more text follows.
    fn found_in_a_row(word: &str) -> Option<u64> {
        let (value, len) = number(format!("{word} 17.251 0.5 -9 and so on").as_bytes())?;
        assert_eq!(len, word.len(), "{word}");
        Some(value.to_bits())
    }

    #[track_caller]
    fn check(word: &str) {
        assert_eq!(found(word), truth(word), "{word}");
        assert_eq!(found_in_a_row(word), truth(word), "{word} in a row");
    }

    #[test]
    fn every_number_of_a_motion_has_the_bits_of_the_standard_library() {
        for i in -400_000..400_000i64 {
            // Steps that visit all digits, in the shapes that real files have.
            let value = i as f64 * 0.000_497_131 + 1e-7;
            check(&format!("{value:.6}"));
            check(&format!("{:.*}", i.rem_euclid(10) as usize, value * 10f64.powi((i % 7) as i32)));
            check(&format!("{value}"));
            check(&format!("{:e}", value * 1e-4));
        }
    }

    #[test]
    fn numbers_at_the_limits_have_the_bits_of_the_standard_library() {
        for word in [
            "9007199254740991",
            "9007199254740992",
            "9007199254740993",
            "-9007199254740993.0",
            "9999999999999999999",
            "18446744073709551616",
            "0.00000000000000000000000000001",
            "1e22",
            "1e23",
            "9007199254740991e22",
            "1e-22",
            "1e-23",
            "9007199254740991e-22",
            "4.9e-324",
            "2.4e-324",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "1e309",
            "1e-999999999999999999999",
            "1e-18446744073709551617",
            "0e999999999999999999999",
            "1e+5",
            "1E-5",
            "0",
            "-0",
            "+0.0",
            "00000000000000000000000001.5",
            "",
            "+",
            "-",
            ".",
            "+.",
            "1e",
            "1e+",
            "e1",
            ".e1",
            "1.5.5",
            "--1",
            "+-1",
            "1-",
            "1e5.5",
            "1e5e5",
        ] {
            check(word);
        }
    }

    #[test]
    fn words_that_are_no_decimal_numbers_are_none() {
        for word in ["nan", "inf", "infinity", "-inf", "0x10", "1,5", "1_000", "1f", "½", "1\u{a0}"]
        {
            assert_eq!(found(word), None, "{word}");
            assert_eq!(found_in_a_row(word), None, "{word}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_word_is_read_as_the_standard_library_reads_it(word in "[-+]?[0-9]{0,25}[.]?[0-9]{0,25}([eE][-+]?[0-9]{1,4})?") {
            prop_assert_eq!(found(&word), truth(&word));
            prop_assert_eq!(found_in_a_row(&word), truth(&word));
        }

        #[test]
        fn any_jumble_is_read_as_the_standard_library_reads_it(word in "[-+.eE0-9]{0,8}") {
            prop_assert_eq!(found(&word), truth(&word));
            prop_assert_eq!(found_in_a_row(&word), truth(&word));
        }
    }
}
