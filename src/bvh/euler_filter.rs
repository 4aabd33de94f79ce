//! Keeps angles continuous from frame to frame, without jumps of whole or half turns.

use super::angles::{AnglePlaces, RowLayout};

/// The angles of the last row. Of all angles that mean the same rotation, each row takes those nearest to the row
/// before.
///
/// Rows must come in the order of the clip. This is the only step in which frames wait for each other; it takes a few
/// nanoseconds a joint.
pub struct EulerFilter {
    /// The last angles (degrees) of each joint with three, and of each other one.
    triples: Vec<[f64; 3]>,
    fewer: Vec<[f64; 2]>,
}

impl EulerFilter {
    /// A filter whose first row takes the angles nearest to `start` (degrees).
    pub(super) fn new(layout: &RowLayout, start: f64) -> Self {
        Self {
            triples: vec![[start; 3]; layout.triples.len()],
            fewer: vec![[start; 2]; layout.fewer.len()],
        }
    }

    /// Makes the angles of the next rows, given as their numbers, continue those before them, and keeps the last. Allocates
    /// nothing.
    pub(super) fn run_on(&mut self, layout: &RowLayout, rows: &mut [f64]) {
        // Without channels there is nothing in a row.
        for row in rows.chunks_exact_mut(layout.channels.max(1)) {
            for (joint, previous) in layout.triples.iter().zip(&mut self.triples) {
                let found = joint.places.map(|place| row[place]);
                let angles = nearest_triple(joint, found, *previous);
                for (&place, angle) in joint.places.iter().zip(angles) {
                    row[place] = angle;
                }
                *previous = angles;
            }
            for (joint, previous) in layout.fewer.iter().zip(&mut self.fewer) {
                for (&place, last) in joint.places[..joint.len].iter().zip(previous) {
                    row[place] = nearest_turn(row[place], *last);
                    *last = row[place];
                }
            }
        }
    }
}

/// Of all angles of the same rotation those nearest to `previous`.
///
/// At gimbal lock the first angle stays as it was and the last takes up the rest.
#[inline(always)]
fn nearest_triple(joint: &AnglePlaces, found: [f64; 3], previous: [f64; 3]) -> [f64; 3] {
    let [first, second, third] = found;
    if second.abs() == 90.0 {
        let sign = if second > 0.0 { -joint.sign } else { joint.sign };
        return nearest([previous[0], second, third + sign * previous[0]], previous);
    }
    // The outer angles of the other solution are half a turn from these, so that they are farther still.
    if distance(found, previous) < 180.0 {
        return found;
    }
    let one = nearest(found, previous);
    let other = nearest([first + 180.0, 180.0 - second, third + 180.0], previous);
    if distance(other, previous) < distance(one, previous) { other } else { one }
}

fn nearest(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| nearest_turn(angles[i], near[i]))
}

/// `angle` moved by whole turns to lie nearest to `near`.
fn nearest_turn(angle: f64, near: f64) -> f64 {
    angle - 360.0 * ((angle - near) / 360.0).round()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum()
}
