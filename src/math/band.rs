//! Least squares with a banded normal matrix: terms join only unknowns that are near each other.

/// A sum of weighted squares over a row of `unknowns`. No term spans more than `BELOW` + 1 of them. Kept as the lower
/// band of the normal matrix.
///
/// Memory: `BELOW` + 2 numbers per unknown. Solving takes some `BELOW`² multiplications per unknown.
#[derive(Default)]
pub struct BandSystem<const BELOW: usize> {
    /// For each row, the `BELOW` entries before the diagonal. As many empty rows come first, so that every row has that
    /// many before it.
    rows: Vec<[f64; BELOW]>,
    diagonal: Vec<f64>,
    right: Vec<f64>,
}

impl<const BELOW: usize> BandSystem<BELOW> {
    /// Begins another sum, of this many unknowns and without terms, in the same memory.
    pub fn restart(&mut self, unknowns: usize) {
        let Self { rows, diagonal, right } = self;
        let count = BELOW + unknowns;
        rows.clear();
        diagonal.clear();
        right.clear();
        rows.reserve_exact(count);
        diagonal.reserve_exact(count);
        right.reserve_exact(count);
        // The zeros are written explicitly. Memory that the system provides as zeros has a page fault at its first read
        // and another one at its first write, and each stops all threads.
        rows.resize(count, [0.0; BELOW]);
        diagonal.resize(BELOW, 1.0);
        diagonal.resize(count, 0.0);
        right.resize(count, 0.0);
    }

    /// Adds `weight · (coefficients · unknowns - value)²` over every `STRIDE`th unknown from `first` on. Panics if
    /// there are fewer unknowns, or if these span more than `BELOW` + 1.
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
            let before = &mut self.rows[row];
            for other in 0..k {
                before[BELOW - STRIDE * (k - other)] += weighted * coefficients[other];
            }
            self.diagonal[row] += weighted * coefficients[k];
            self.right[row] += weighted * value;
        }
    }

    /// The unknowns that minimise the sum, by Cholesky's decomposition. Each unknown must be in a term that alone would
    /// determine it. Removes all terms.
    pub fn solve(&mut self) -> &[f64] {
        let Self { rows, diagonal, right: solution } = self;
        for i in BELOW..rows.len() {
            let above = rows[i - BELOW..=i].as_flattened();
            let inverses: &[f64; BELOW] = diagonal[..i].last_chunk().expect("so many come first");
            let mut row = [0.0; BELOW];
            for k in 0..BELOW {
                // Entries of the row that are not computed yet are 0, so one loop suffices for all.
                let other = above[BELOW * (k + 1) - k..].first_chunk().expect("as many");
                row[k] = (rows[i][k] - dot(&row, other)) * inverses[k];
            }
            rows[i] = row;
            // The inverse is kept, since everything below divides by it. Rounding could take the square to 0 or below.
            let square = (diagonal[i] - dot(&row, &row)).max(f64::EPSILON * diagonal[i]);
            diagonal[i] = square.sqrt().recip();
            let known = solution[..i].last_chunk().expect("as many");
            solution[i] = (solution[i] - dot(&row, known)) * diagonal[i];
        }
        for i in (BELOW..rows.len()).rev() {
            let (before, this) = solution.split_at_mut(i);
            this[0] *= diagonal[i];
            let before: &mut [f64; BELOW] = before.last_chunk_mut().expect("as many");
            for (before, entry) in before.iter_mut().zip(&rows[i]) {
                *before -= entry * this[0];
            }
        }
        &solution[BELOW..]
    }
}

/// A dot product in an order that allows the compiler to use vector instructions.
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
        let mut band = BandSystem::<4>::default();
        band.restart(UNKNOWNS + 3);
        band.add::<1, 1>(1.0, 2, &[1.0], 1.0);
        band.solve();
        band.restart(UNKNOWNS);
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
        let off = DVector::from_column_slice(band.solve()) - &wanted;
        assert!(off.norm() < 1e-10 * wanted.norm(), "{off}");
    }
}
