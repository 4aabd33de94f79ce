//! Changes of whole clips: a part of a clip, another frame rate, a mirrored motion, the travel on another joint, no
//! stray frames.
//!
//! ```
//! use retarget::internals::clip::FrameTime;
//! use retarget::internals::{convert, edit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let clip = convert::SourceClip::load("samples/walk.bvh")?.clip;
//! let film = FrameTime::from_seconds(1.0 / 24.0).ok_or("a frame rate")?;
//! let slower = edit::resampled(&clip, &film);
//! assert!(slower.len() < clip.len());
//! # Ok(())
//! # }
//! ```

mod mirror;
mod root_motion;
mod strays;

use crate::clip::{Clip, FrameTime};
use crate::math::{Quat, Vec3};
pub use mirror::mirrored;
pub use root_motion::{RootMotion, RootMotionError, on_root, root_joint};
pub(crate) use root_motion::{move_pelvis, pelvis_top};
pub use strays::{poses_apart, stray_frames, without_strays};

/// Every `step`th frame from `start` on and before `end`; fewer if the clip ends before. A step of 0 counts as 1. The
/// frame time is multiplied by the step.
pub fn part(clip: &Clip, start: usize, end: usize, step: usize) -> Clip {
    let step = step.max(1);
    let frame_time = match step {
        1 => clip.frame_time().clone(),
        _ => FrameTime::from_seconds(clip.frame_time().seconds() * step as f64)
            .unwrap_or_else(|| clip.frame_time().clone()),
    };
    let frames = (start..end.min(clip.len())).step_by(step);
    let mut part = Clip::with_capacity(clip.skeleton().clone(), frame_time, frames.len());
    for frame in frames {
        part.push(clip.rotations(frame), clip.translations(frame));
    }
    part
}

/// The same motion at another frame rate, from the first frame on, as long as the clip lasts. Between two frames rotations are
/// interpolated the short way round (slerp) and translations linearly. A new frame at the time of an old one is that
/// frame, to the last bit.
pub fn resampled(clip: &Clip, frame_time: &FrameTime) -> Clip {
    let ratio = frame_time.seconds() / clip.frame_time().seconds();
    let count = match clip.len() {
        0 => 0,
        frames => (((frames - 1) as f64 / ratio) + ON_FRAME) as usize + 1,
    };
    let mut result = Clip::with_capacity(clip.skeleton().clone(), frame_time.clone(), count);
    let (mut rotations, mut translations) = (Vec::<Quat>::new(), Vec::<Vec3>::new());
    for moment in (0..count).map(|frame| frame as f64 * ratio) {
        let nearest = moment.round();
        if (moment - nearest).abs() <= ON_FRAME || nearest as usize + 1 > clip.len() {
            let frame = (nearest as usize).min(clip.len() - 1);
            result.push(clip.rotations(frame), clip.translations(frame));
            continue;
        }
        let (frame, share) = (moment as usize, moment.fract());
        let pairs = clip.rotations(frame).iter().zip(clip.rotations(frame + 1));
        rotations.clear();
        rotations.extend(pairs.map(|(a, b)| between(a, b, share)));
        let pairs = clip.translations(frame).iter().zip(clip.translations(frame + 1));
        translations.clear();
        translations.extend(pairs.map(|(a, b)| a.lerp(b, share)));
        result.push(&rotations, &translations);
    }
    result
}

/// A moment that is nearer than this to an old frame is that frame's, in frames.
const ON_FRAME: f64 = 1e-6;

/// Part of the way from one rotation to another, the short way round. If they are half a turn apart there is no short
/// way, and the first one stays.
fn between(a: &Quat, b: &Quat, share: f64) -> Quat {
    a.try_slerp(b, share, 1e-12).unwrap_or(*a)
}
