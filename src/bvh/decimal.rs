//! Numbers with fixed decimals.

use std::io::Write;

/// Appends `value` with that many decimals, the bytes of `{:.decimals$}`, save that what rounds to zero
/// has no sign.
pub(super) fn push_decimal(value: f64, decimals: u8, text: &mut Vec<u8>) {
    let start = text.len();
    write!(text, "{value:.*}", decimals as usize).expect("a Vec takes all");
    if text[start] == b'-' && text[start..].iter().all(|b| b"-0.".contains(b)) {
        text.remove(start);
    }
}
