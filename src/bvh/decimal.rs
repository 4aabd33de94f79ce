//! Numbers with fixed decimals, by integer arithmetic.

use std::io::Write;

/// Writes numbers with a fixed number of decimals.
pub(super) struct Decimals {
    decimals: usize,
    /// Ten to the number of decimals, for up to seven of them.
    scale: Option<u32>,
}

impl Decimals {
    pub fn new(decimals: u8) -> Self {
        let scale = (decimals <= 7).then(|| 10u32.pow(decimals.into()));
        Self { decimals: decimals.into(), scale }
    }

    /// Appends a line of numbers with a blank between them.
    pub fn push_line(&self, values: &[f64], text: &mut Vec<u8>) {
        let line = text.len();
        for &value in values {
            self.push(value, text);
            text.push(b' ');
        }
        if text.len() > line {
            text.pop();
        }
        text.push(b'\n');
    }

    /// Appends `value` with the bytes of `{:.decimals$}`, save that what rounds to zero has no sign.
    ///
    /// Up to seven decimals and sixteen digits in all that takes integers only, eight digits at once;
    /// the standard library writes all else.
    #[inline]
    pub fn push(&self, value: f64, text: &mut Vec<u8>) {
        const WORD: u64 = 100_000_000;
        let units = self.scale.and_then(|scale| rounded(value.abs(), scale));
        let Some(units) = units.filter(|&units| units < WORD * WORD) else {
            return self.push_long(value, text);
        };
        // Each part is written as a whole word, the next one over what is too much of it: copies of
        // unknown length and branches on a sign would cost more.
        let start = text.len();
        text.extend_from_slice(&[b'-'; 32]);
        let bytes = &mut text[start..start + 32];
        let mut at = usize::from(value < 0.0 && units > 0);
        let whole = 8 - self.decimals;
        let low = eight_digits(units % WORD);
        let mut zeros = leading_zeros(low, whole);
        if units >= WORD {
            let high = eight_digits(units / WORD);
            zeros = leading_zeros(high, 8);
            put_digits(high >> (8 * zeros), &mut bytes[at..]);
            at += 8 - zeros;
            zeros = 0;
        }
        put_digits(low >> (8 * zeros), &mut bytes[at..]);
        at += whole - zeros;
        if self.decimals > 0 {
            bytes[at] = b'.';
            put_digits(low >> (8 * whole), &mut bytes[at + 1..]);
            at += 1 + self.decimals;
        }
        text.truncate(start + at);
    }

    /// Any number, by the standard library.
    #[cold]
    fn push_long(&self, value: f64, text: &mut Vec<u8>) {
        let start = text.len();
        write!(text, "{value:.*}", self.decimals).expect("a Vec takes all");
        if text[start..].iter().all(|b| b"-0.".contains(b)) && text[start] == b'-' {
            text.remove(start);
        }
    }
}

/// `value * scale` rounded to a whole number, exact ties to the even one; `None` beyond u64.
#[inline]
fn rounded(value: f64, scale: u32) -> Option<u64> {
    // Adding and taking off 1.5 * 2^52 rounds to a whole number.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let product = value * f64::from(scale);
    let nearest = product + ROUND - ROUND;
    // Below 2^40 the product is right to 2^-13, which matters only next to a tie.
    if product < (1u64 << 40) as f64 && (product - nearest).abs() < 0.499 {
        return Some(nearest as u64);
    }
    rounded_exactly(value, scale)
}

/// The same for any value: it is 53 bits times a power of two, so that the product is exact in 128
/// bits and only the shift rounds.
fn rounded_exactly(value: f64, scale: u32) -> Option<u64> {
    let bits = value.to_bits();
    let exponent = (bits >> 52) as u32;
    // Subnormal numbers lack the leading one, but round to zero all the same.
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let shift = 1075u32.checked_sub(exponent).filter(|&shift| shift > 0)?;
    if shift >= 128 {
        return Some(0);
    }
    let product = u128::from(mantissa) * u128::from(scale);
    let whole = product >> shift;
    let rest = product & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    let up = rest > half || rest == half && whole & 1 == 1;
    u64::try_from(whole + u128::from(up)).ok()
}

/// The digits of a number below 10^8, one a byte, the first in the lowest byte.
///
/// Each step halves all groups of digits at once; the multiplications stand for divisions by 100 and
/// by 10 that are exact in the range of a group.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 5243) >> 19) & 0x0000_007F_0000_007F;
    let pairs = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | ((pairs - 10 * tens) << 8)
}

/// How many of the first `most` digits are zeros before another one; the last of them never counts.
#[inline]
fn leading_zeros(digits: u64, most: usize) -> usize {
    ((digits | 1 << (8 * (most - 1))).trailing_zeros() / 8) as usize
}

/// Writes eight digits as text.
#[inline]
fn put_digits(digits: u64, bytes: &mut [u8]) {
    bytes[..8].copy_from_slice(&(digits | 0x3030_3030_3030_3030).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, decimals: u8) {
        let mut text = Vec::new();
        Decimals::new(decimals).push(value, &mut text);
        let mut expected = format!("{value:.*}", decimals as usize);
        if expected.bytes().all(|b| b"-0.".contains(&b)) {
            expected = expected.replace('-', "");
        }
        assert_eq!(str::from_utf8(&text), Ok(&*expected), "{value:e} with {decimals} decimals");
    }

    /// A fixed sequence of well-mixed 64-bit numbers (splitmix64).
    fn mixed(i: u64) -> u64 {
        let mut z = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    #[test]
    fn bytes_are_those_of_the_standard_library() {
        for i in 0..400_000 {
            let unit = mixed(i) as f64 / u64::MAX as f64 - 0.5;
            check(360.0 * unit, 6);
            check(unit * 10f64.powi((i % 30) as i32 - 12), 6);
            check(unit * 1000.0, (i % 18) as u8);
            check(f64::from_bits(mixed(i) & !(0x7F << 52)), 6);
        }
    }

    #[test]
    fn numbers_halfway_and_next_to_halfway_round_as_in_the_standard_library() {
        for i in 0..200_000u64 {
            let half = (i as f64 + 0.5) / 1e6;
            for value in [half, half.next_up(), half.next_down(), -half, i as f64 / 128.0] {
                check(value, 6);
            }
            check(i as f64 + 0.5, 0);
        }
    }

    #[test]
    fn all_groups_of_digits_are_split() {
        for number in (0..10_000).chain((0..10_000).map(|n| n * 10_000 + 9_999 - n)) {
            let digits = eight_digits(number).to_le_bytes().map(|d| d + b'0');
            assert_eq!(str::from_utf8(&digits), Ok(&*format!("{number:08}")));
        }
    }

    #[test]
    fn any_number_and_any_count_of_decimals_can_be_written() {
        let values = [
            0.0,
            -0.0,
            -4e-7,
            -6e-7,
            0.999_999_5,
            9.999_999_9,
            99.999_999_9,
            5e-324,
            1e15,
            9e15,
            1.8e19,
            1e22,
            -1e300,
            f64::MAX,
            f64::MIN_POSITIVE,
        ];
        for value in values {
            for decimals in [0, 1, 2, 3, 6, 9, 15, 17, 19, 20, 255] {
                check(value, decimals);
            }
        }
    }
}
