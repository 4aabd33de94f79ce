//! The animations of a glTF file: their names, their lengths, and how they move each node.

use super::accessor::{Buffers, numbers};
use super::document::{Animation, Document, Interpolation, Sampler};
use super::error::GltfReadError;
use super::nodes::quaternion;
use crate::math::{Quat, Vec3};
use crate::scene::{Scene, Take, Track};
use std::collections::{BTreeMap, BTreeSet};

/// The most values that an animation may have, frames times nodes: so many take some gigabytes.
pub const MOST_VALUES: u64 = 1 << 25;

/// Frames per second if the keys do not tell: the rate of most players.
const USUAL_FPS: f64 = 30.0;

/// The frame rates that keys may tell, per second.
const FPS: std::ops::RangeInclusive<f64> = 10.0..=480.0;

/// The largest share of steps between keys that may be no whole number of frames; with more of them the keys tell no
/// rate. (Keys that can be interpolated may be missing; then a step is several frames long.)
const MOST_ODD: f64 = 0.05;

/// How far the last key may be from a frame to count as that frame; in frames.
const MOST_OFF_END: f64 = 0.009;

/// The time at which an animation begins, seconds, and its take.
pub fn takes(document: &Document, buffers: &Buffers) -> Result<Vec<(f64, Take)>, GltfReadError> {
    document
        .animations
        .iter()
        .enumerate()
        .map(|(i, animation)| take(document, buffers, i, animation))
        .collect()
}

fn take(
    document: &Document,
    buffers: &Buffers,
    index: usize,
    animation: &Animation,
) -> Result<(f64, Take), GltfReadError> {
    let moving = animation.channels.iter().filter(|channel| channel.target.node.is_some());
    let inputs: BTreeSet<usize> = moving
        .filter(|channel| PATHS.contains(&channel.target.path.as_str()))
        .filter_map(|channel| animation.samplers.get(channel.sampler))
        .map(|sampler| sampler.input)
        .collect();
    let (mut start_s, mut end_s) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut steps_s: Vec<f64> = Vec::new();
    for &input in &inputs {
        let times = times(document, buffers, index, input)?;
        start_s = start_s.min(times[0]);
        end_s = end_s.max(times[times.len() - 1]);
        steps_s.extend(times.windows(2).map(|pair| pair[1] - pair[0]));
    }
    let name = animation.name.clone().unwrap_or_else(|| format!("animation{index}"));
    let len_s = if start_s.is_finite() { end_s - start_s } else { 0.0 };
    let frame_time_s = frame_time_s(steps_s, len_s);
    let take = Take { name, len_s, frame_time_s, moves: len_s > 0.0 };
    Ok((if start_s.is_finite() { start_s } else { 0.0 }, take))
}

/// The channels that move nodes. Morph targets belong to no skeleton.
const PATHS: [&str; 3] = ["translation", "rotation", "scale"];

/// The frame time that the steps between keys tell, for an animation that is `len_s` long; seconds.
fn frame_time_s(mut steps_s: Vec<f64>, len_s: f64) -> f64 {
    steps_s.sort_by(f64::total_cmp);
    let Some(&least_s) = steps_s.first() else { return 1.0 / USUAL_FPS };
    // Times have 32 bits, so the mean of similar steps is more exact than the least step.
    let alike = steps_s.iter().take_while(|step| **step < 1.2 * least_s);
    let (sum_s, count) = alike.fold((0.0, 0), |(sum, count), step| (sum + step, count + 1));
    let fps = f64::from(count) / sum_s;
    // A rate is rounded to a whole number only if the last key is then still a frame: at 30.03 frames per second
    // the last of 75 keys is not the 75th frame of 30 per second.
    let off_end = (len_s * fps.round() - (len_s * fps.round()).round()).abs();
    let is_whole = (fps - fps.round()).abs() < 2e-3 * fps && off_end < MOST_OFF_END;
    let fps = if is_whole { fps.round() } else { fps };
    let is_odd = |step: &&f64| ((**step * fps) - (**step * fps).round()).abs() > 0.1;
    let odd = steps_s.iter().filter(is_odd).count();
    let tells = FPS.contains(&fps) && (odd as f64) <= MOST_ODD * steps_s.len() as f64;
    1.0 / if tells { fps } else { USUAL_FPS }
}

fn times(
    document: &Document,
    buffers: &Buffers,
    animation: usize,
    input: usize,
) -> Result<Vec<f64>, GltfReadError> {
    let times = numbers::<1>(document, buffers, input, &format!("animation {animation}"))?;
    let times: Vec<f64> = times.into_iter().map(|[time]| time).collect();
    let grow = times.windows(2).all(|pair| pair[0] < pair[1]);
    match grow && !times.is_empty() {
        true => Ok(times),
        false => Err(GltfReadError::Times { place: format!("accessor {input}") }),
    }
}

/// The tracks of an animation: for each node that it moves, a value in each frame from its first key on.
pub fn tracks(
    document: &Document,
    buffers: &Buffers,
    scene: &Scene,
    index: usize,
    start_s: f64,
) -> Result<Vec<Track>, GltfReadError> {
    let (animation, take) = (&document.animations[index], &scene.takes[index]);
    let place = || format!("animation {index}");
    let moved: BTreeSet<usize> =
        animation.channels.iter().filter_map(|it| it.target.node).collect();
    let frames = take.len_s / take.frame_time_s + 1.0;
    let values = frames * (moved.len().max(1) as f64);
    if values > MOST_VALUES as f64 {
        let (name, values) = (take.name.clone(), values as u64);
        return Err(GltfReadError::Long { name, values, most: MOST_VALUES });
    }
    let times = Times { start_s, frame_time_s: take.frame_time_s, frames: take.frames() };
    let mut tracks: BTreeMap<usize, Track> = BTreeMap::new();
    for channel in &animation.channels {
        let Some(node) = channel.target.node else { continue };
        let path = channel.target.path.as_str();
        if !PATHS.contains(&path) {
            continue;
        }
        if node >= scene.nodes.len() {
            return Err(GltfReadError::Missing { place: place(), what: "node", index: node });
        }
        let sampler = animation.samplers.get(channel.sampler).ok_or_else(|| {
            GltfReadError::Missing { place: place(), what: "sampler", index: channel.sampler }
        })?;
        let track = tracks.entry(node).or_insert_with(|| Track { node, ..Track::default() });
        let keys = |sampler| Keys::<3>::read(document, buffers, index, sampler);
        let vectors = |keys: Keys<3>| keys.sampled(&times, Vec3::from, |a, b, t| a.lerp(&b, t));
        match path {
            "translation" => track.translations = Some(vectors(keys(sampler)?)),
            "scale" => track.scales = Some(vectors(keys(sampler)?)),
            _ => {
                let keys = Keys::<4>::read(document, buffers, index, sampler)?;
                track.rotations = Some(keys.sampled(&times, quaternion, slerp));
            }
        }
    }
    Ok(tracks.into_values().collect())
}

/// The shorter way from one turn to another.
fn slerp(from: Quat, to: Quat, share: f64) -> Quat {
    let to = if from.coords.dot(&to.coords) < 0.0 { Quat::new_unchecked(-*to) } else { to };
    from.try_slerp(&to, share, 1e-9).unwrap_or(from)
}

/// The times of a take's frames.
struct Times {
    start_s: f64,
    frame_time_s: f64,
    frames: usize,
}

/// The keys of a sampler.
struct Keys<const N: usize> {
    times: Vec<f64>,
    /// One value for each key; for a spline three: the slope before, the value, and the slope after.
    values: Vec<[f64; N]>,
    interpolation: Interpolation,
}

impl<const N: usize> Keys<N> {
    fn read(
        document: &Document,
        buffers: &Buffers,
        animation: usize,
        sampler: &Sampler,
    ) -> Result<Self, GltfReadError> {
        let times = times(document, buffers, animation, sampler.input)?;
        let place = || format!("animation {animation}");
        let values = numbers::<N>(document, buffers, sampler.output, &place())?;
        let interpolation = sampler.interpolation;
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        match values.len() == each * times.len() {
            true => Ok(Self { times, values, interpolation }),
            false => Err(GltfReadError::Values {
                place: format!("accessor {} of {}", sampler.output, place()),
                found: values.len(),
                wanted: each * times.len(),
            }),
        }
    }

    /// A value for each frame. Frames before the first key have its value, and those after the last key have the last
    /// one's.
    fn sampled<T: Copy>(
        &self,
        at: &Times,
        value: impl Fn([f64; N]) -> T,
        between: impl Fn(T, T, f64) -> T,
    ) -> Vec<T> {
        let (times, last) = (&self.times, self.times.len() - 1);
        let plain = |key: usize| match self.interpolation {
            Interpolation::CubicSpline => value(self.values[3 * key + 1]),
            _ => value(self.values[key]),
        };
        let mut key = 0;
        let frame = |frame: usize| {
            let time = at.start_s + frame as f64 * at.frame_time_s;
            while key < last && times[key + 1] <= time {
                key += 1;
            }
            if key == last || time <= times[key] {
                return plain(key);
            }
            let step_s = times[key + 1] - times[key];
            let share = (time - times[key]) / step_s;
            match self.interpolation {
                Interpolation::Step => plain(key),
                Interpolation::Linear => between(plain(key), plain(key + 1), share),
                Interpolation::CubicSpline => value(self.spline(key, share, step_s)),
            }
        };
        (0..at.frames).map(frame).collect()
    }

    /// Hermite's spline, as appendix C of glTF's specification defines it.
    fn spline(&self, key: usize, share: f64, step_s: f64) -> [f64; N] {
        let (square, cube) = (share * share, share * share * share);
        let [from, slope_after] = [1, 2].map(|i| self.values[3 * key + i]);
        let [slope_before, to] = [0, 1].map(|i| self.values[3 * (key + 1) + i]);
        std::array::from_fn(|i| {
            (2.0 * cube - 3.0 * square + 1.0) * from[i]
                + step_s * (cube - 2.0 * square + share) * slope_after[i]
                + (3.0 * square - 2.0 * cube) * to[i]
                + step_s * (cube - square) * slope_before[i]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frame rates of 24 to 120 per second, with keys in 32 bits as files have them.
    #[test]
    fn an_animation_with_a_key_each_frame_has_as_many_frames_and_their_rate() {
        let written = [
            0.0416667,
            0.041667,
            0.04167,
            0.0333333,
            0.033333,
            0.03333,
            0.0333,
            0.0333667,
            0.02,
            0.0166667,
            0.016667,
            0.01667,
            0.0166,
            0.0083333,
            0.008333,
            0.00833,
            0.04,
            1.0 / 29.97,
        ];
        for (frame_time, frames) in
            written.into_iter().zip([2usize, 3, 75, 997, 5000].into_iter().cycle())
        {
            for frames in [frames, 75, 1801] {
                let keys: Vec<f64> =
                    (0..frames).map(|i| f64::from((i as f64 * frame_time) as f32)).collect();
                let steps = keys.windows(2).map(|pair| pair[1] - pair[0]).collect();
                let len_s = keys[frames - 1];
                let frame_time_s = frame_time_s(steps, len_s);
                let take = Take { name: String::new(), len_s, frame_time_s, moves: true };
                assert_eq!(take.frames(), frames, "{frame_time}: {frame_time_s}");
                assert!((frame_time_s / frame_time - 1.0).abs() < 2e-3, "{frame_time}");
            }
        }
    }
}
