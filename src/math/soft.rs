//! Soft bounds: values that come ever less near to the most that they may be.

/// Approximately `value` while it is small; approaches `most` smoothly and never exceeds it.
pub fn saturated(value: f64, most: f64) -> f64 {
    if most > 0.0 { most * (1.0 - (-value / most).exp()) } else { 0.0 }
}

/// The `value` itself up to `from`; beyond, it grows less and less, without a corner, and never beyond `most`.
pub fn bounded(value: f64, from: f64, most: f64) -> f64 {
    let from = from.min(most);
    if value > from { from + saturated(value - from, most - from) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_bounded_grows_ever_less_and_never_beyond_its_most() {
        assert_eq!(bounded(0.9, 0.95, 0.995), 0.9, "what need not be bounded is not");
        assert_eq!(bounded(0.95, 0.95, 0.995), 0.95);
        let reaches: Vec<f64> =
            (0..100).map(|i| bounded(0.95 + 0.001 * f64::from(i), 0.95, 0.995)).collect();
        assert!(reaches.windows(3).all(|r| 0.0 < r[2] - r[1] && r[2] - r[1] < r[1] - r[0]));
        assert!(reaches.iter().all(|reach| *reach < 0.995));
        assert_eq!(bounded(1.2, 0.998, 0.995), 0.995, "one that was beyond as well");
    }
}
