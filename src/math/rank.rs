//! Values by their rank.

/// The value that a share (0 to 1) of the sorted values does not exceed; 0 for none.
pub fn percentile(values: impl IntoIterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    let place = (share * values.len().saturating_sub(1) as f64).round() as usize;
    match values.is_empty() {
        true => 0.0,
        false => *values.select_nth_unstable_by(place, f64::total_cmp).1,
    }
}

/// The middle value; 0 for none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    percentile(values, 0.5)
}
