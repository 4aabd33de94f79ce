//! A percentile of many values, without keeping all of them.

/// The largest of a known number of values: as many as a percentile needs.
///
/// Memory is twice the share of values above the percentile. Adding a value costs a comparison, and now and then a
/// selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    values: Vec<f64>,
    /// How many values must be kept.
    kept: usize,
    /// Values below this one are not kept.
    least: f64,
}

impl Tail {
    /// Prepares for the value that `share` (0 to 1) of `count` values do not exceed, as
    /// [`percentile`](super::percentile) defines it.
    pub fn new(count: usize, share: f64) -> Self {
        let place = (share * count.saturating_sub(1) as f64).round() as usize;
        Self {
            values: Vec::new(),
            kept: count.saturating_sub(place).max(1),
            least: f64::NEG_INFINITY,
        }
    }

    /// Adds a value.
    pub fn push(&mut self, value: f64) {
        if value.total_cmp(&self.least).is_ge() {
            self.values.push(value);
            if self.values.len() >= 2 * self.kept.max(512) {
                self.cut();
            }
        }
    }

    /// Adds the values of another tail of the same count and share.
    pub fn append(&mut self, other: Tail) {
        other.values.into_iter().for_each(|value| self.push(value));
    }

    /// The percentile, once all values have been added; 0 for no values.
    pub fn value(mut self) -> f64 {
        self.cut();
        self.values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0)
    }

    /// Drops all but the largest values.
    fn cut(&mut self) {
        if self.values.len() > self.kept {
            let place = self.values.len() - self.kept;
            let (_, least, _) = self.values.select_nth_unstable_by(place, f64::total_cmp);
            self.least = *least;
            self.values.drain(..place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::percentile;

    #[test]
    fn it_is_the_percentile_of_all_values_in_any_parts() {
        let values: Vec<f64> = (0..5000).map(|i| f64::from(i * 7919 % 5003)).collect();
        for count in [1, 2, 19, 20, 21, 999, 5000] {
            for share in [0.5, 0.95, 0.999, 1.0] {
                let mut whole = Tail::new(count, share);
                for part in values[..count].chunks(700) {
                    let mut tail = Tail::new(count, share);
                    part.iter().for_each(|value| tail.push(*value));
                    whole.append(tail);
                }
                let wanted = percentile(values[..count].iter().copied(), share);
                assert_eq!(whole.value(), wanted, "{share} of {count}");
            }
        }
        assert_eq!(Tail::new(0, 0.95).value(), 0.0);
    }
}
