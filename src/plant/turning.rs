//! Vectors that turn along with a part of a body. Smoothed as the world sees them, they lag behind a body that turns fast,
//! and where they come to cancel out, they flip.

use crate::math::{Quat, Vec3, curve};

/// The vectors (world), one a frame, smoothed over `radius` frames as a part of the body sees them whose rotations are
/// `turns`.
pub(super) fn smooth(vectors: &[Vec3], turns: &[Quat], radius: usize) -> Vec<Vec3> {
    let seen: Vec<Vec3> = vectors.iter().zip(turns).map(|(v, turn)| turn.inverse() * v).collect();
    curve::smooth(&seen, radius).iter().zip(turns).map(|(v, turn)| turn * v).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_along_with_a_body_that_spins_stays_on_it() {
        // Half a turn within ten frames, as in a run that turns back.
        let ease = |f: usize| curve::ramp(f as f64, 25.0, 35.0);
        let turns: Vec<Quat> =
            (0..60).map(|f| Quat::from_scaled_axis(Vec3::y() * (3.1 * ease(f)))).collect();
        let vectors: Vec<Vec3> = turns.iter().map(|turn| turn * Vec3::x()).collect();
        for (smooth, vector) in smooth(&vectors, &turns, 12).iter().zip(&vectors) {
            assert!((smooth - vector).norm() < 1e-12, "{smooth} for {vector}");
        }
    }
}
