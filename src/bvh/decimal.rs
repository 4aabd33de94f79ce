//! Numbers with fixed decimals, by integer arithmetic.

use std::io::Write;

/// Writes numbers with a fixed number of decimals, with the bytes of `{:.decimals$}`, save that what rounds to
/// zero has no sign.
///
/// Up to eight decimals and eight digits before them take integers only; the standard library writes all else.
#[derive(Clone, Copy)]
pub(super) struct Decimals(pub u8);

impl Decimals {
    /// Appends lines of numbers with a blank between them.
    pub fn push_lines<'a>(self, lines: impl Iterator<Item = &'a [f64]>, text: &mut Vec<u8>) {
        // The count is a constant in each loop, which makes divisions multiplications.
        match self.0 {
            0 => push_lines(lines, text, push_short::<0>, self.0),
            1 => push_lines(lines, text, push_short::<1>, self.0),
            2 => push_lines(lines, text, push_short::<2>, self.0),
            3 => push_lines(lines, text, push_short::<3>, self.0),
            4 => push_lines(lines, text, push_short::<4>, self.0),
            5 => push_lines(lines, text, push_short::<5>, self.0),
            6 => push_lines(lines, text, push_short::<6>, self.0),
            7 => push_lines(lines, text, push_short::<7>, self.0),
            8 => push_lines(lines, text, push_short::<8>, self.0),
            _ => push_lines(lines, text, |_, _| None, self.0),
        }
    }
}

/// Room for a number that `short` writes: a sign, twice eight digits, a point, a blank, and the bytes that are written
/// past its end.
const ROOM: usize = 32;

/// Writes lines with `short`, which gives the length of what it wrote or `None` for what is too long for it.
#[inline(always)]
fn push_lines<'a>(
    lines: impl Iterator<Item = &'a [f64]>,
    text: &mut Vec<u8>,
    short: impl Fn(f64, &mut [u8; ROOM]) -> Option<usize>,
    decimals: u8,
) {
    // The text ends here; what follows is room.
    let mut end = text.len();
    for line in lines {
        let room = end + ROOM * (line.len() + 1);
        if text.len() < room {
            text.resize(room, 0);
        }
        let start = end;
        for &value in line {
            let number = text[end..].first_chunk_mut().and_then(|room| short(value, room));
            end = match number {
                Some(len) => end + len,
                None => push_long(value, decimals, text, end),
            };
            text[end] = b' ';
            end += 1;
        }
        end = end.max(start + 1);
        text[end - 1] = b'\n';
    }
    text.truncate(end);
}

/// Writes any number at `end` by the standard library, and gives the end of it. Keeps the room behind it.
#[cold]
fn push_long(value: f64, decimals: u8, text: &mut Vec<u8>, end: usize) -> usize {
    let room = text.len() - end;
    text.truncate(end);
    write!(text, "{value:.*}", decimals.into()).expect("a Vec takes all");
    if text[end..].iter().all(|b| b"-0.".contains(b)) && text[end] == b'-' {
        text.remove(end);
    }
    let end = text.len();
    text.resize(end + room, 0);
    end
}

/// Writes a number of up to eight digits before the point and gives its length; `None` for others.
#[inline(always)]
fn push_short<const D: u32>(value: f64, room: &mut [u8; ROOM]) -> Option<usize> {
    let scale = const { 10u32.pow(D) };
    let units = rounded(value.abs(), scale)?;
    // Most angles of most fingers.
    if units == 0 {
        room[..ZERO.len()].copy_from_slice(ZERO);
        return Some(if D == 0 { 1 } else { 2 + D as usize });
    }
    let (whole, rest) = (units / u64::from(scale), units % u64::from(scale));
    // Each part is written as a whole word, and the next part overwrites its surplus. Copies of unknown length and
    // branches on the sign would cost more.
    room[0] = b'-';
    let mut at = usize::from(value < 0.0);
    if let Some(digits) = SMALL.get(whole as usize) {
        room[at..at + 4].copy_from_slice(&digits.to_le_bytes());
        at += 2 + usize::from(whole >= 10) + usize::from(whole >= 100);
    } else if whole < 100_000_000 {
        let digits = eight_digits(whole);
        let zeros = digits.trailing_zeros() / 8;
        put_digits(digits >> (8 * zeros), &mut room[at..]);
        at += 9 - zeros as usize;
        room[at - 1] = b'.';
    } else {
        return None;
    }
    if D == 0 {
        return Some(at - 1);
    }
    put_digits(eight_digits(rest) >> (64 - 8 * D), &mut room[at..]);
    Some(at + D as usize)
}

/// Zero with more decimals than any short number has.
const ZERO: &[u8; 16] = b"0.00000000000000";

/// The whole numbers below a thousand as text with a point behind, the first byte the lowest.
static SMALL: [u32; 1000] = {
    let mut texts = [0; 1000];
    let mut number = 0;
    while number < 1000 {
        let (mut text, mut rest) = (b'.' as u32, number);
        while rest > 0 || text == b'.' as u32 {
            text = (text << 8) | (b'0' as u32 + rest % 10);
            rest /= 10;
        }
        texts[number as usize] = text;
        number += 1;
    }
    texts
};

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
        Decimals(decimals).push_lines([&[value][..]].into_iter(), &mut text);
        let mut expected = format!("{value:.*}\n", decimals as usize);
        if expected.bytes().all(|b| b"-0.\n".contains(&b)) {
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
