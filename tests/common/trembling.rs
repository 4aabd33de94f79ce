//! Clips as a poor recorder writes them.

use retarget::internals::clip::Clip;
use retarget::internals::math::{Quat, Vec3};

/// The clip as a recorder sees it that is off in every frame and joint on its own: feet tremble by about so many
/// centimetres along each axis, on legs of 90 cm.
pub fn trembling(clip: &Clip, cm: f64, leg: f64) -> Clip {
    let mut state = 12345u64;
    let mut normal = || {
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..12).map(|_| uniform()).sum::<f64>() - 6.0
    };
    let mut noise = |size: f64| Vec3::new(normal(), normal(), normal()) * size;
    let mut out = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let turned = clip.rotations(frame).iter().map(|q| q * Quat::new(noise(0.45 * cm / 90.0)));
        let turned: Vec<Quat> = turned.collect();
        let moved = clip.translations(frame).iter().map(|p| p + noise(0.8 * cm * leg / 90.0));
        let moved: Vec<Vec3> = moved.collect();
        out.push(&turned, &moved);
    }
    out
}
