//! Least squares whose unknowns stand in a row and meet only their neighbours.

/// A sum of weighted squares over `unknowns` in a row, none of whose terms spans more than `BELOW` + 1 of them: the
/// lower band of its normal matrix.
///
/// Memory: 2 · `BELOW` + 2 numbers an unknown. Solving it takes some `BELOW`² multiplications an unknown.
pub struct BandSystem<const BELOW: usize> {
    /// Of each row the `BELOW` entries before the diagonal, and as many zeros. As many rows of nothing come first, so
    /// that no row has fewer before it.
    rows: Vec<[[f64; BELOW]; 2]>,
    diagonal: Vec<f64>,
    right: Vec<f64>,
}

impl<const BELOW: usize> BandSystem<BELOW> {
    /// No terms yet.
    pub fn new(unknowns: usize) -> Self {
        let rows = BELOW + unknowns;
        let mut diagonal = vec![0.0; rows];
        diagonal[..BELOW].fill(1.0);
        Self { rows: vec![[[0.0; BELOW]; 2]; rows], diagonal, right: vec![0.0; rows] }
    }

    /// Adds `weight · (coefficients · unknowns - value)²`, every `STRIDE`th unknown from `first` on. Panics where there
    /// are fewer, or they span more than `BELOW` + 1.
    #[inline]
    pub fn add<const STRIDE: usize, const TERMS: usize>(
        &mut self,
        weight: f64,
        first: usize,
        coefficients: &[f64; TERMS],
        value: f64,
    ) {
        for k in 0..TERMS {
            let (row, weighted) = (BELOW + first + STRIDE * k, weight * coefficients[k]);
            let before = &mut self.rows[row][0];
            for other in 0..k {
                before[BELOW - STRIDE * (k - other)] += weighted * coefficients[other];
            }
            self.diagonal[row] += weighted * coefficients[k];
            self.right[row] += weighted * value;
        }
    }

    /// The unknowns that make the sum least: by Cholesky's factors. Each unknown must be in a term that alone would
    /// hold it.
    pub fn solve(self) -> Vec<f64> {
        let Self { mut rows, mut diagonal, right: mut solution } = self;
        for i in BELOW..rows.len() {
            let (above, this) = rows.split_at_mut(i);
            let above: &[_; BELOW] = above.last_chunk().expect("so many come first");
            let inverses: &[f64; BELOW] = diagonal[..i].last_chunk().expect("as many");
            let mut row = [0.0; BELOW];
            for k in 0..BELOW {
                // What is not known of the row yet is 0, and so is what lies beyond the other's: one loop for all.
                let other = above[k].as_flattened()[BELOW - k..].first_chunk().expect("as many");
                row[k] = (this[0][0][k] - dot(&row, other)) * inverses[k];
            }
            this[0][0] = row;
            // The inverse, since all that follows divides by it. Rounding alone could take the square to 0 or below.
            let square = (diagonal[i] - dot(&row, &row)).max(f64::EPSILON * diagonal[i]);
            diagonal[i] = square.sqrt().recip();
            let known = solution[..i].last_chunk().expect("as many");
            solution[i] = (solution[i] - dot(&row, known)) * diagonal[i];
        }
        for i in (BELOW..rows.len()).rev() {
            let (before, this) = solution.split_at_mut(i);
            this[0] *= diagonal[i];
            let before: &mut [f64; BELOW] = before.last_chunk_mut().expect("as many");
            for (before, entry) in before.iter_mut().zip(&rows[i][0]) {
                *before -= entry * this[0];
            }
        }
        solution.split_off(BELOW)
    }
}

/// In an order that a machine may take several at once of.
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sums = [0.0; 4];
    for k in 0..N {
        sums[k % 4] += a[k] * b[k];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn it_solves_what_all_terms_at_once_say() {
        const UNKNOWNS: usize = 12;
        let mut band = BandSystem::<4>::new(UNKNOWNS);
        let (mut matrix, mut right) =
            (DMatrix::zeros(UNKNOWNS, UNKNOWNS), DVector::zeros(UNKNOWNS));
        let wave = |i: usize| (1.7 * i as f64).sin();
        for term in 0..40 {
            let len = 1 + term % 5;
            let first = (7 * term) % (UNKNOWNS + 1 - len);
            let (weight, value) = (1.0 + wave(term).abs(), wave(2 * term));
            let [a, b, c] = [0, 3, 6].map(|k| wave(term + k));
            let coefficients = match len {
                1 => vec![a],
                2 => vec![a, b],
                3 => vec![a, b, c],
                4 => vec![a, 0.0, 0.0, b],
                _ => vec![a, 0.0, b, 0.0, c],
            };
            match len {
                1 => band.add::<1, 1>(weight, first, &[a], value),
                2 => band.add::<1, 2>(weight, first, &[a, b], value),
                3 => band.add::<1, 3>(weight, first, &[a, b, c], value),
                4 => band.add::<3, 2>(weight, first, &[a, b], value),
                _ => band.add::<2, 3>(weight, first, &[a, b, c], value),
            }
            let mut row = DVector::zeros(UNKNOWNS);
            row.rows_mut(first, len).copy_from_slice(&coefficients);
            matrix += &row * row.transpose() * weight;
            right += row * (weight * value);
        }
        let wanted = matrix.cholesky().expect("definite").solve(&right);
        let off = DVector::from_vec(band.solve()) - &wanted;
        assert!(off.norm() < 1e-10 * wanted.norm(), "{off}");
    }
}
