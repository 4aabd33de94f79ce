//! Least squares with a banded normal matrix: terms join only unknowns that are near each other.

/// A sum of weighted squares over a row of `unknowns`. No term spans more than `BELOW` + 1 of them. Kept as the lower
/// band of the normal matrix, by columns.
///
/// Memory: `BELOW` + 3 numbers per unknown. Solving takes some `BELOW`² / 2 multiplications per unknown.
#[derive(Default)]
pub struct BandSystem<const BELOW: usize> {
    /// For each column, the `BELOW` entries after the diagonal. As many empty columns come last, so that every column has
    /// that many after it.
    columns: Vec<[f64; BELOW]>,
    diagonal: Vec<f64>,
    right: Vec<f64>,
    /// The diagonal less what was subtracted so far.
    squares: Vec<f64>,
}

impl<const BELOW: usize> BandSystem<BELOW> {
    /// Begins another sum, of this many unknowns and without terms, in the same memory.
    pub fn restart(&mut self, unknowns: usize) {
        let Self { columns, diagonal, right, .. } = self;
        let count = unknowns + BELOW;
        columns.clear();
        diagonal.clear();
        right.clear();
        columns.reserve_exact(count);
        diagonal.reserve_exact(count);
        right.reserve_exact(count);
        // The zeros are written explicitly. Memory that the system provides as zeros has a page fault at its first read
        // and another one at its first write, and each stops all threads.
        columns.resize(count, [0.0; BELOW]);
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
            let (column, weighted) = (first + STRIDE * k, weight * coefficients[k]);
            let after = &mut self.columns[column];
            for other in k + 1..TERMS {
                after[STRIDE * (other - k) - 1] += weighted * coefficients[other];
            }
            self.diagonal[column] += weighted * coefficients[k];
            self.right[column] += weighted * value;
        }
    }

    /// The unknowns that minimise the sum, by Cholesky's decomposition without square roots (L·D·Lᵀ). Each unknown must
    /// be in a term that alone would determine it. Removes all terms.
    ///
    /// Each column is subtracted from those after it as soon as it is known: these subtractions do not wait for each
    /// other, as the terms of a dot product do.
    pub fn solve(&mut self) -> &[f64] {
        let Self { columns, diagonal, right: solution, squares } = self;
        let unknowns = columns.len() - BELOW;
        squares.clone_from(diagonal);
        for i in 0..unknowns {
            // Rounding could take the square to 0 or below. The inverse is kept.
            let inverse = squares[i].max(f64::EPSILON * diagonal[i]).recip();
            squares[i] = inverse;
            let known = solution[i];
            let (own, after) = columns[i..].split_first_mut().expect("so many come last");
            let after: &mut [[f64; BELOW]; BELOW] = after.first_chunk_mut().expect("as many");
            let right: &mut [f64; BELOW] = solution[i + 1..].first_chunk_mut().expect("as many");
            let square: &mut [f64; BELOW] = squares[i + 1..].first_chunk_mut().expect("as many");
            let shares = own.map(|entry| entry * inverse);
            for k in 0..BELOW {
                right[k] -= shares[k] * known;
                square[k] -= shares[k] * own[k];
            }
            // With bounds that the compiler knows it unrolls both loops.
            for k in 0..BELOW {
                for j in 0..BELOW - 1 - k {
                    after[k][j] -= shares[k] * own[k + 1 + j];
                }
            }
            *own = shares;
        }
        for i in (0..unknowns).rev() {
            let below: &[f64; BELOW] = solution[i + 1..].first_chunk().expect("as many");
            let below = dot(&columns[i], below);
            solution[i] = solution[i] * squares[i] - below;
        }
        &solution[..unknowns]
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
