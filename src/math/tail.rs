//! A percentile of many values that are never all kept.

/// The largest of so many values: as many as it takes to know one of their percentiles.
///
/// Memory is twice the share above the percentile; taking a value in costs a comparison, and now and then a
/// selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    values: Vec<f64>,
    /// How many are kept.
    kept: usize,
    /// Values below this are not among those that are kept.
    least: f64,
}

impl Tail {
    /// For the value that `share` (0 to 1) of `count` values do not exceed, as
    /// [`percentile`](super::percentile) has it.
    pub fn new(count: usize, share: f64) -> Self {
        let place = (share * count.saturating_sub(1) as f64).round() as usize;
        Self {
            values: Vec::new(),
            kept: count.saturating_sub(place).max(1),
            least: f64::NEG_INFINITY,
        }
    }

    /// Takes a value in.
    pub fn push(&mut self, value: f64) {
        if value.total_cmp(&self.least).is_ge() {
            self.values.push(value);
            if self.values.len() >= 2 * self.kept.max(512) {
                self.cut();
            }
        }
    }

    /// Takes in what another one of the same count and share has.
    pub fn append(&mut self, other: Tail) {
        other.values.into_iter().for_each(|value| self.push(value));
    }

    /// The percentile, once all values are in; 0 for none.
    pub fn value(mut self) -> f64 {
        self.cut();
        self.values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0)
    }

    /// Leaves the largest ones alone.
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
