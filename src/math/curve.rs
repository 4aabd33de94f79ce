//! Curves over time, with one value per frame: smoothing, envelopes, and bridges over gaps.
//!
//! Each value of a result depends on a bounded neighbourhood only, so that cutting a clip changes nothing far from
//! the cut.

mod bridge;

pub use bridge::{bridge, bridge_softly};

use super::{BandSystem, Vec3};
use crate::blocks;
use std::collections::VecDeque;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The weighted mean of each value's neighbourhood of `radius` frames. The weights are `(1 - x²)²`, which has no
/// corner. Frames beyond the ends have no weight. With radius 0 the values stay.
pub fn smooth<T: Value>(values: &[T], radius: usize) -> Vec<T> {
    let bell = bell(radius);
    let whole: f64 = bell.iter().sum();
    let mean = |i: usize| {
        let (mut sum, mut weights) = (T::default(), 0.0);
        let around = i.saturating_sub(radius)..(i + radius + 1).min(values.len());
        let bell = &bell[around.start + radius - i..];
        for (&value, &weight) in values[around].iter().zip(bell) {
            sum = sum + value * weight;
            weights += weight;
        }
        sum / weights
    };
    let mut means = vec![T::default(); values.len()];
    blocks::fill(&mut means, |first, means| {
        for (i, means) in means.chunks_mut(LANES).enumerate() {
            let first = first + i * LANES;
            let last = first + LANES - 1;
            if radius <= first && last + radius < values.len() {
                let near = &values[first - radius..=last + radius];
                means.copy_from_slice(&means_inside(near, &bell, whole));
            } else {
                means.iter_mut().zip(first..).for_each(|(place, i)| *place = mean(i));
            }
        }
    });
    means
}

/// So many means are computed at once, by vector instructions; each is added up in the order of time all the same.
const LANES: usize = 4;

/// The weighted means of neighbourhoods after each other that are all within the clip: `near` has the values of all of them,
/// `whole` is the sum of the weights.
fn means_inside<T: Value>(near: &[T], bell: &[f64], whole: f64) -> [T; LANES] {
    let mut sums = [T::default(); LANES];
    // Curves of what is seldom needed are zero nearly everywhere.
    if near.iter().all(|value| *value == T::default()) {
        return sums;
    }
    for (values, weight) in near.windows(LANES).zip(bell) {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum = *sum + *value * *weight;
        }
    }
    sums.map(|sum| sum / whole)
}

/// The weights of a neighbourhood of `radius` frames, from its first frame to its last.
pub fn bell(radius: usize) -> Vec<f64> {
    let weight = |k: usize| {
        let x = k.abs_diff(radius) as f64 / (radius + 1) as f64;
        (1.0 - x * x).powi(2)
    };
    (0..=2 * radius).map(weight).collect()
}

/// As [`smooth`], of the `known` values alone; then raised, twice, by how far the result is too low, smoothed too. So
/// the result is little and briefly below the given values. The other values stay.
pub fn smooth_above(values: &mut [f64], known: &[bool], radius: usize) {
    let needed = values.to_vec();
    smooth_known(values, known, radius);
    for _ in 0..2 {
        let mut low: Vec<f64> =
            needed.iter().zip(&*values).map(|(needed, is)| (needed - is).max(0.0)).collect();
        smooth_known(&mut low, known, radius);
        let lows = values.iter_mut().zip(low).filter(|(_, low)| *low > 0.0);
        lows.for_each(|(value, low)| *value += low);
    }
}

/// As [`smooth`], of the `known` values alone; the other values stay.
fn smooth_known(values: &mut [f64], known: &[bool], radius: usize) {
    let bell = bell(radius);
    let mean = |i: usize| {
        let (mut sum, mut weights) = (0.0, 0.0);
        let around = i.saturating_sub(radius)..(i + radius + 1).min(values.len());
        let bell = &bell[around.start + radius - i..];
        let near = values[around.clone()].iter().zip(&known[around]).zip(bell);
        for ((value, known), weight) in near {
            let weight = if *known { *weight } else { 0.0 };
            sum += value * weight;
            weights += weight;
        }
        sum / weights
    };
    let smoothed = blocks::frames(values.len(), |i| if known[i] { mean(i) } else { values[i] });
    values.copy_from_slice(&smoothed);
}

/// A smooth curve that is nowhere below `needed` and returns to it: the highest value within `radius` frames, smoothed
/// over as many.
pub fn envelope(needed: &[f64], radius: usize) -> Vec<f64> {
    if needed.iter().all(|needed| *needed == 0.0) {
        return vec![0.0; needed.len()];
    }
    smooth(&highest_within(needed, radius), radius)
}

/// The same of what is needed to either side, positive to the one and negative to the other. Each side has a curve of its own,
/// so that where one follows the other the curve crosses over evenly.
pub fn envelope_to_sides(needed: &[f64], radius: usize) -> Vec<f64> {
    let [ahead, back] = [1.0, -1.0].map(|side| {
        let needed: Vec<f64> = needed.iter().map(|needed| (side * needed).max(0.0)).collect();
        envelope(&needed, radius)
    });
    ahead.into_iter().zip(back).map(|(ahead, back)| ahead - back).collect()
}

/// The highest value within `radius` frames of each. Linear in the values, whatever the radius.
pub fn highest_within(values: &[f64], radius: usize) -> Vec<f64> {
    // The frames, in order of time, whose values are higher than all later ones so far.
    let mut highest: VecDeque<usize> = VecDeque::new();
    let mut next = 0;
    let mut of = |i: usize| {
        while next < values.len().min(i.saturating_add(radius + 1)) {
            while highest.back().is_some_and(|&last| values[last] <= values[next]) {
                highest.pop_back();
            }
            highest.push_back(next);
            next += 1;
        }
        while highest[0] + radius < i {
            highest.pop_front();
        }
        values[highest[0]]
    };
    (0..values.len()).map(&mut of).collect()
}

/// The values without peaks that last for fewer than `2 * radius + 1` frames (a morphological opening). Linear in the
/// values, whatever the radius.
pub fn lasting(values: &[f64], radius: usize) -> Vec<f64> {
    let negative = |values: &[f64]| values.iter().map(|value| -value).collect::<Vec<f64>>();
    let lowest = negative(&highest_within(&negative(values), radius));
    highest_within(&lowest, radius)
}

/// Replaces the values by a more even curve near them. The curve minimises the squares of its second differences, times
/// `stiffness`, plus the squares of its distances from the values, times their `weights`. Values that are `held` stay as
/// they are, and the curve runs on from them.
///
/// This is a weighted smoother after Whittaker (1923). Under a weight of 1, a wave of `2π · stiffness^¼` frames loses half
/// of its height.
pub fn even(values: &mut [f64], weights: &[f64], held: &[bool], stiffness: f64) {
    let mut system = BandSystem::<2>::default();
    system.restart(values.len());
    for (i, value) in values.iter().enumerate() {
        let weight = if held[i] { HELD * stiffness.max(1.0) } else { weights[i] };
        system.add::<1, 1>(weight, i, &[1.0], *value);
    }
    for first in 0..values.len().saturating_sub(2) {
        system.add::<1, 3>(stiffness, first, &[1.0, -2.0, 1.0], 0.0);
    }
    let even = system.solve();
    for ((value, even), _) in values.iter_mut().zip(even).zip(held).filter(|(_, held)| !**held) {
        *value = *even;
    }
}

/// The weight of a held value against a second difference.
const HELD: f64 = 1e6;

/// The values that a curve can have: numbers and vectors, zero by default.
pub trait Value:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
}

impl Value for f64 {}
impl Value for Vec3 {}

/// 0 below `low` and 1 above `high`, without a corner; 1 below and 0 above if `low` is greater than `high`. A step if
/// both are equal.
pub fn ramp(value: f64, low: f64, high: f64) -> f64 {
    if low == high {
        return f64::from(value > low);
    }
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_ramp_between_equal_ends_is_a_step() {
        assert_eq!([-1.0, 0.0, 1.0].map(|value| ramp(value, 0.0, 0.0)), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn smoothing_from_above_leaves_little_below_and_the_unknown_alone() {
        let bump = |i: usize| 1.0 - (i as f64 - 10.0).abs() / 5.0;
        let given: Vec<f64> = (0..21).map(|i| bump(i).max(0.0)).collect();
        let known: Vec<bool> = (0..21).map(|i| i != 3).collect();
        let (mut above, mut plain) = (given.clone(), given.clone());
        smooth_above(&mut above, &known, 3);
        smooth_known(&mut plain, &known, 3);
        let deepest =
            |values: &[f64]| given.iter().zip(values).map(|(g, v)| g - v).fold(0.0, f64::max);
        assert!(deepest(&plain) > 0.1 && deepest(&above) < 0.6 * deepest(&plain));
        assert_eq!(above[3], given[3]);
    }

    fn wave(n: usize) -> Vec<f64> {
        (0..n).map(|i| (0.3 * i as f64).sin() * (i % 7) as f64).collect()
    }

    #[test]
    fn what_lasts_keeps_its_values_and_what_is_brief_is_gone() {
        let mut values = vec![0.0; 20];
        values[2] = 1.0;
        values[6..8].fill(0.5);
        values[12..15].copy_from_slice(&[0.3, 0.9, 0.6]);
        let mut wanted = vec![0.0; 20];
        wanted[12..15].fill(0.3);
        assert_eq!(lasting(&values, 1), wanted);
        assert_eq!(lasting(&[0.7; 3], 4), [0.7; 3]);
    }

    #[test]
    fn an_envelope_to_either_side_crosses_over_evenly_from_one_to_the_other() {
        let needed = |f: usize| f64::from(u8::from(f < 30)) - f64::from(u8::from(f >= 30));
        let needed: Vec<f64> = (0..60).map(needed).collect();
        let curve = envelope_to_sides(&needed, 8);
        assert_eq!((curve[0], curve[59]), (1.0, -1.0));
        let steepest = curve.windows(2).map(|w| w[0] - w[1]).fold(0.0, f64::max);
        assert!(curve.windows(2).all(|w| w[1] <= w[0]) && steepest < 0.4, "{curve:?}");
        let one_side: Vec<f64> = needed.iter().map(|needed| needed.max(0.0)).collect();
        assert_eq!(envelope_to_sides(&one_side, 8), envelope(&one_side, 8));
    }

    #[test]
    fn an_envelope_is_never_below_what_is_needed() {
        let needed = wave(200);
        for radius in [0, 1, 5, 20] {
            let envelope = envelope(&needed, radius);
            for (have, need) in envelope.iter().zip(&needed) {
                assert!(have >= &(need - 1e-12), "radius {radius}: {have} < {need}");
            }
        }
    }

    #[test]
    fn smoothing_keeps_a_constant_and_stays_local() {
        let constant = vec![Vec3::new(1.0, -2.0, 3.0); 30];
        for value in smooth(&constant, 8) {
            assert!((value - constant[0]).norm() < 1e-12);
        }
        let long: Vec<Vec3> = wave(100).into_iter().map(|v| Vec3::new(v, 0.0, 0.0)).collect();
        let cut = smooth(&long[40..], 8);
        assert_eq!(cut[8..], smooth(&long, 8)[48..]);
    }

    #[test]
    fn means_of_several_frames_at_once_are_those_of_each_frame_to_the_bit() {
        let mut values = wave(90);
        values[30..60].fill(0.0);
        for radius in [0, 1, 6, 40] {
            let bell = bell(radius);
            let mean = |i: usize| {
                let near = i.saturating_sub(radius)..(i + radius + 1).min(values.len());
                let weighed = near.map(|k| (values[k], bell[k + radius - i]));
                let (sum, weights) =
                    weighed.fold((0.0, 0.0), |(sum, all), (v, w)| (sum + v * w, all + w));
                sum / weights
            };
            let wanted: Vec<f64> = (0..values.len()).map(mean).collect();
            assert_eq!(smooth(&values, radius), wanted, "radius {radius}");
        }
    }

    #[test]
    fn an_even_curve_runs_on_from_what_is_held_and_loses_short_waves_alone() {
        let held: Vec<bool> = (0..120).map(|i| !(20..100).contains(&i)).collect();
        let wave = |period: f64| move |i: usize| (TAU * i as f64 / period).sin();
        let made_even = |of: &dyn Fn(usize) -> f64| {
            let mut values: Vec<f64> = (0..120).map(of).collect();
            even(&mut values, &[1.0; 120], &held, 5_f64.powi(4));
            values
        };
        for (i, value) in made_even(&|i| 2.0 - 0.05 * i as f64).iter().enumerate() {
            assert!(
                (value - 2.0 + 0.05 * i as f64).abs() < 1e-6,
                "a straight line stays one, frame {i}"
            );
        }
        let (long, short) = (made_even(&wave(120.0)), made_even(&wave(8.0)));
        for i in 0..120 {
            assert!((long[i] - wave(120.0)(i)).abs() < 0.01, "frame {i}: {}", long[i]);
            assert!(!(40..80).contains(&i) || short[i].abs() < 0.1, "frame {i}: {}", short[i]);
            assert!(!held[i] || short[i] == wave(8.0)(i), "frame {i} is held");
        }
    }
}
