//! Bridges over the frames in which a curve is not known.

use super::Value;

/// Bridges the frames that are not `known`: over a gap of up to `2 * ease` frames from the value
/// before to the value after, over a longer one down to zero within `ease` frames and up again.
///
/// Bridges begin and end with the slope of the known values there (over `slope_frames`), so that value and slope are
/// continuous. The result is zero if nothing is known.
pub fn bridge<T: Value>(values: &mut [T], known: &[bool], ease: usize, slope_frames: usize) {
    bridge_by(values, known, ease, slope_frames, &CUBIC);
}

/// As [`bridge`], with bridges whose slopes begin and end to change evenly: nothing sets off at once. In the middle they are
/// steeper by a quarter. On the way to zero the slope of the known values lasts for half the time: a value that changes
/// fast would go far on, or past zero.
pub fn bridge_softly<T: Value>(values: &mut [T], known: &[bool], ease: usize, slope_frames: usize) {
    bridge_by(values, known, ease, slope_frames, &QUINTIC);
}

fn bridge_by<T: Value>(
    values: &mut [T],
    known: &[bool],
    ease: usize,
    slope_frames: usize,
    shape: &Shape,
) {
    let mut start = 0;
    while start < known.len() {
        if known[start] {
            start += 1;
            continue;
        }
        let end = (start..known.len()).find(|&i| known[i]).unwrap_or(known.len());
        let before = (start > 0).then(|| Knot::new(values, known, start - 1, slope_frames, -1));
        let after = (end < known.len()).then(|| Knot::new(values, known, end, slope_frames, 1));
        for (i, value) in values.iter_mut().enumerate().take(end).skip(start) {
            *value = match (&before, &after) {
                (Some(a), Some(b)) if b.frame - a.frame <= 2 * ease => a.to(b, i, shape),
                _ => {
                    let down = before.as_ref().map_or(T::default(), |a| a.fade(i, ease, shape));
                    let up = after.as_ref().map_or(T::default(), |b| b.fade(i, ease, shape));
                    down + up
                }
            };
        }
        start = end;
    }
}

/// An end of a bridge, on known values.
struct Knot<T> {
    frame: usize,
    value: T,
    /// The change per frame, forwards in time.
    slope: T,
}

impl<T: Value> Knot<T> {
    /// `inward` points from the gap into the known stretch, -1 or 1; the slope is taken there.
    fn new(values: &[T], known: &[bool], frame: usize, span: usize, inward: isize) -> Self {
        let mut reach = 0;
        while reach < span {
            let next = frame.checked_add_signed(inward * (reach as isize + 1));
            if !next.is_some_and(|next| next < known.len() && known[next]) {
                break;
            }
            reach += 1;
        }
        let inner = frame.saturating_add_signed(inward * reach as isize);
        let slope = match reach {
            0 => T::default(),
            _ => (values[inner] - values[frame]) * (inward as f64 / reach as f64),
        };
        Self { frame, value: values[frame], slope }
    }

    /// The bridge from this knot to a later one.
    fn to(&self, later: &Self, frame: usize, shape: &Shape) -> T {
        let span = (later.frame - self.frame) as f64;
        let t = (frame - self.frame) as f64 / span;
        let [value, slope] = (shape.weights)(t);
        let [later_value, later_slope] = (shape.weights)(1.0 - t);
        self.value * value + self.slope * (span * slope) + later.value * later_value
            - later.slope * (span * later_slope)
    }

    /// The bridge from this knot to zero within `ease` frames, on either side.
    fn fade(&self, frame: usize, ease: usize, shape: &Shape) -> T {
        let away = frame.abs_diff(self.frame);
        if away >= ease {
            return T::default();
        }
        let t = away as f64 / ease as f64;
        let [value, _] = (shape.weights)(t);
        let [_, slope] = (shape.weights)((t / shape.slope_lasts).min(1.0));
        let outward = if frame > self.frame { self.slope } else { -self.slope };
        self.value * value + outward * (ease as f64 * shape.slope_lasts * slope)
    }
}

/// A kind of bridge.
struct Shape {
    /// The weights of an end's value and of its slope in a bridge of length 1, at a distance from that end (Hermite).
    weights: fn(f64) -> [f64; 2],
    /// How long the slope lasts on the way to zero, a share of that way.
    slope_lasts: f64,
}

const CUBIC: Shape = Shape { weights: cubic, slope_lasts: 1.0 };
const QUINTIC: Shape = Shape { weights: quintic, slope_lasts: 0.5 };

fn cubic(t: f64) -> [f64; 2] {
    let s = 1.0 - t;
    [s * s * (1.0 + 2.0 * t), t * s * s]
}

fn quintic(t: f64) -> [f64; 2] {
    let s = 1.0 - t;
    [s * s * s * (1.0 + 3.0 * t + 6.0 * t * t), t * s * s * s * (1.0 + 3.0 * t)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn a_bridge_runs_on_in_value_and_slope() {
        let truth = |i: usize| Vec3::new(0.1 * i as f64, 2.0 - 0.05 * i as f64, 1.0);
        let mut values: Vec<Vec3> = (0..60).map(truth).collect();
        let known: Vec<bool> = (0..60).map(|i| !(20..35).contains(&i)).collect();
        values[20..35].fill(Vec3::zeros());
        bridge(&mut values, &known, 10, 3);
        for (i, value) in values.iter().enumerate() {
            assert!((value - truth(i)).norm() < 1e-9, "a straight line stays one, frame {i}");
        }
    }

    #[test]
    fn a_long_gap_goes_to_zero_and_comes_back() {
        let mut values = vec![Vec3::new(1.0, 0.0, 0.0); 100];
        let known: Vec<bool> = (0..100).map(|i| !(20..80).contains(&i)).collect();
        bridge(&mut values, &known, 15, 3);
        assert_eq!(values[50], Vec3::zeros());
        let steepest = values.windows(2).map(|w| (w[1] - w[0]).norm()).fold(0.0, f64::max);
        assert!(steepest < 0.15, "jumps by {steepest}");
    }

    #[test]
    fn a_soft_bridge_sets_off_at_no_end_at_once() {
        let breaks = |bridge: fn(&mut [f64], &[bool], usize, usize)| {
            let known: Vec<bool> = (0..90).map(|i| i < 10).collect();
            let mut values: Vec<f64> = known.iter().map(|known| f64::from(*known)).collect();
            bridge(&mut values, &known, 50, 3);
            assert!((values[34] - 0.5).abs() < 0.05 && values[59] == 0.0);
            let second = |i: usize| (values[i - 1] - 2.0 * values[i] + values[i + 1]).abs();
            let most = (1..89).map(second).fold(0.0, f64::max);
            second(9).max(second(59)) / most
        };
        let [soft, plain] = [bridge_softly::<f64>, bridge::<f64>].map(breaks);
        assert!(soft < 0.1 && plain > 0.4, "{soft} of its largest, {plain} of a cubic's");
    }

    #[test]
    fn a_soft_bridge_keeps_a_slope_and_carries_nothing_far_on() {
        for slope in [-0.2, -0.1, 0.1, 0.2] {
            let known: Vec<bool> = (0..90).map(|i| i < 10).collect();
            let value = |i: i32| 1.0 + slope * f64::from(i - 9);
            let mut values: Vec<f64> = (0..90).map(value).collect();
            bridge_softly(&mut values, &known, 50, 3);
            let bridged = &values[9..];
            assert!((bridged[1] - bridged[0] - slope).abs() < 0.1 * slope.abs(), "{bridged:?}");
            let beyond = bridged.iter().map(|value| (value - 1.0).max(-value));
            assert!(beyond.fold(0.0, f64::max) < 5.0 * slope.abs(), "{slope}: {bridged:?}");
        }
    }
}
