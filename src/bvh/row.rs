//! From the numbers of a motion row to the rotations and translations of a frame.

use super::error::{BvhError, BvhErrorKind, Found, place};
use super::half_turn::half_sin_cos;
use super::hierarchy::no_number;
use super::number::number as read_number;
use super::text::{Text, is_blank};
use crate::math::{Axis, Quat, Vec3};
use crate::skeleton::{Channel, Skeleton};
use nalgebra::Quaternion;

/// What came next among the rows, from byte `at` on.
pub(super) enum Row {
    /// A number for each channel, on one line or on several.
    Whole { at: usize, is_broken: bool },
    /// Fewer numbers than channels before the end of the file.
    Cut { at: usize, found: usize },
    /// The end of the file.
    End,
}

/// Reads the next row, the `number`th. A row is a line; one that is too short goes on in the next
/// lines, so that only a line that holds more than its row still needs is wrong.
pub(super) fn next_row(
    text: &mut Text<'_>,
    builder: &mut FrameBuilder,
    number: usize,
) -> Result<Row, BvhError> {
    text.skip_blanks();
    let start = text.at;
    let mut is_broken = false;
    let mut at = start;
    for channel in 0..builder.channels() {
        // Most numbers have one space between them.
        match text.bytes.get(at..at + 2) {
            Some([b' ', next]) if !is_blank(*next) => at += 1,
            _ => {
                text.at = at;
                is_broken |= text.skip_blanks();
                at = text.at;
            }
        }
        let Some((value, len)) = read_number(&text.bytes[at..]) else {
            text.at = at;
            return cut_row(text, start, channel);
        };
        at += len;
        builder.set(channel, value);
    }
    text.at = at;
    text.skip_blanks_in_line();
    match text.bytes.get(text.at) {
        Some(&byte) if !is_blank(byte) => Err(too_long(text, start, number, builder.channels())),
        None if text.at == start => Ok(Row::End),
        _ => match builder.too_far() {
            None => Ok(Row::Whole { at: start, is_broken }),
            Some(channel) => Err(too_far(text, start, channel)),
        },
    }
}

/// What it means that no number comes next in a row that began at `start` and has `found` of them.
fn cut_row(text: &mut Text<'_>, start: usize, found: usize) -> Result<Row, BvhError> {
    let word = text.peek();
    if word.bytes.is_empty() && found == 0 {
        return Ok(Row::End);
    }
    // A file can end in the middle of a number.
    let is_last = word.at + word.bytes.len() == text.bytes.len();
    if is_last && word.bytes.iter().all(|b| b"+-.eE0123456789".contains(b)) {
        return Ok(Row::Cut { at: start, found });
    }
    Err(no_number(text, word))
}

/// The error that the number for a channel, in a row that began at `start`, is too far away.
fn too_far(text: &Text<'_>, start: usize, channel: usize) -> BvhError {
    let mut row = Text { bytes: text.bytes, at: start };
    let word = (0..channel).fold(row.word(), |_, _| row.word());
    text.error(word.at, BvhErrorKind::TooFar { found: Found::word(word.bytes) })
}

/// The error that more numbers come in a line than the row that began at `start` needs.
fn too_long(text: &Text<'_>, start: usize, row: usize, channels: usize) -> BvhError {
    let rest = &text.bytes[text.at..];
    let line = rest.split(|&b| b == b'\n' || b == b'\r').next().unwrap_or_default();
    let beyond = line.split(|&b| is_blank(b)).filter(|word| !word.is_empty()).count();
    let (first_line, _) = place(text.bytes, start);
    let found = channels + beyond;
    text.error(text.at, BvhErrorKind::RowTooLong { row, channels, found, first_line })
}

/// How many times the size of its file a larger clip may take. Where every joint has a channel it never takes more than
/// 28 times: a rotation and a translation from one digit and one blank.
pub(super) const MOST_GROWTH: usize = 32;

/// The values of a frame in skeleton order, and where the channels of a row stand among them.
///
/// The values are three angles in degrees a joint with rotation channels, zero where a channel is missing,
/// then three coordinates a joint with position channels, the OFFSET's where a channel is missing.
#[derive(Clone)]
struct Values {
    values: Vec<f64>,
    /// The joints with rotation channels.
    turning: Vec<usize>,
    /// For each channel of a row, the place of its value.
    places: Vec<usize>,
    /// The most that a coordinate may be, either way.
    most_len: f64,
}

impl Values {
    fn new(skeleton: &Skeleton) -> Self {
        let turns = |&i: &usize| !skeleton.joints()[i].channels.euler_order().axes().is_empty();
        let turning: Vec<usize> = (0..skeleton.len()).filter(turns).collect();
        let mut values = vec![0.0; 3 * turning.len()];
        let mut places = Vec::with_capacity(skeleton.channel_count());
        let mut angle_triples = (0..).step_by(3);
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let mut next_angle = if turns(&i) { angle_triples.next() } else { None }.unwrap_or(0)..;
            let position = values.len();
            places.extend(joint.channels.as_slice().iter().filter_map(|channel| match channel {
                Channel::Position(axis) => Some(position + axis.index()),
                Channel::Rotation(_) => next_angle.next(),
            }));
            if joint.channels.has_position() {
                values.extend(joint.offset.iter());
            }
        }
        Self { values, turning, places, most_len: skeleton.most_away_len() }
    }

    /// How many of the values are angles.
    fn angles(&self) -> usize {
        3 * self.turning.len()
    }
}

/// Turns the numbers of a row into a frame.
#[derive(Clone)]
pub(super) struct FrameBuilder {
    values: Values,
    orders: Vec<Order>,
    half_sines: Vec<f64>,
    half_cosines: Vec<f64>,
    rotations: Vec<Quat>,
    translations: Vec<Vec3>,
}

impl FrameBuilder {
    pub fn new(skeleton: &Skeleton) -> Self {
        let values = Values::new(skeleton);
        let order = |&i: &usize| Order::new(skeleton.joints()[i].channels.euler_order().axes());
        Self {
            orders: values.turning.iter().map(order).collect(),
            half_sines: vec![0.0; values.angles()],
            half_cosines: vec![0.0; values.angles()],
            rotations: vec![Quat::identity(); skeleton.len()],
            translations: vec![Vec3::zeros(); (values.values.len() - values.angles()) / 3],
            values,
        }
    }

    /// How many numbers a row holds.
    pub fn channels(&self) -> usize {
        self.values.places.len()
    }

    /// Memory that a frame takes in a clip, in bytes.
    pub fn frame_size(&self) -> usize {
        size_of_val(&*self.rotations) + size_of_val(&*self.translations)
    }

    /// Takes a row's number for a channel; panics beyond the last one.
    #[inline]
    pub fn set(&mut self, channel: usize, value: f64) {
        let place = self.values.places[channel];
        self.values.values[place] = value;
    }

    /// The first channel of a row whose position is too far away, if any is.
    pub fn too_far(&self) -> Option<usize> {
        let Values { values, places, most_len, .. } = &self.values;
        let positions = self.values.angles()..;
        let is_far = |value: &f64| value.abs() > *most_len;
        let far = values[positions.clone()].iter().position(is_far)?;
        places.iter().position(|&place| place == positions.start + far)
    }

    /// The row's rotations, one a joint, and its translations, one a joint with position channels.
    pub fn frame(&mut self) -> (&[Quat], &[Vec3]) {
        let (angles, positions) = self.values.values.split_at(self.values.angles());
        half_sin_cos(angles, &mut self.half_sines, &mut self.half_cosines);
        let sines = self.half_sines.as_chunks().0.iter();
        let halves = sines.zip(self.half_cosines.as_chunks().0);
        for ((&joint, order), (s, c)) in self.values.turning.iter().zip(&self.orders).zip(halves) {
            self.rotations[joint] = order.compose(s, c);
        }
        for (translation, &p) in self.translations.iter_mut().zip(positions.as_chunks::<3>().0) {
            *translation = Vec3::from(p);
        }
        (&self.rotations, &self.translations)
    }
}

/// All three axes in the order of a joint's channels, missing ones last.
#[derive(Clone, Copy)]
enum Order {
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    Zxy,
    Zyx,
}

impl Order {
    fn new(listed: &[Axis]) -> Self {
        let missing = [Axis::X, Axis::Y, Axis::Z].into_iter().filter(|a| !listed.contains(a));
        let mut axes = listed.iter().copied().chain(missing);
        match (axes.next(), axes.next()) {
            (Some(Axis::X), Some(Axis::Y)) => Self::Xyz,
            (Some(Axis::X), _) => Self::Xzy,
            (Some(Axis::Y), Some(Axis::X)) => Self::Yxz,
            (Some(Axis::Y), _) => Self::Yzx,
            (_, Some(Axis::X)) => Self::Zxy,
            _ => Self::Zyx,
        }
    }

    /// The product of the rotations about the axes, from sine and cosine of half of each angle.
    #[inline(always)]
    fn compose(self, sines: &[f64; 3], cosines: &[f64; 3]) -> Quat {
        match self {
            Self::Xyz => compose::<0, 1, 2>(sines, cosines),
            Self::Xzy => compose::<0, 2, 1>(sines, cosines),
            Self::Yxz => compose::<1, 0, 2>(sines, cosines),
            Self::Yzx => compose::<1, 2, 0>(sines, cosines),
            Self::Zxy => compose::<2, 0, 1>(sines, cosines),
            Self::Zyx => compose::<2, 1, 0>(sines, cosines),
        }
    }
}

/// As [`Order::compose`] for axes that the compiler knows, so that nothing goes through memory.
#[inline(always)]
fn compose<const I: usize, const J: usize, const K: usize>(
    &[si, sj, sk]: &[f64; 3],
    &[ci, cj, ck]: &[f64; 3],
) -> Quat {
    // +1 where the axes are a cyclic order of X, Y, Z, else -1.
    let sign = const { if (I + 1) % 3 == J { 1.0 } else { -1.0 } };
    // The product of the first two, which has a part on the third axis, times the third.
    let (w, i, j, k) = (ci * cj, si * cj, ci * sj, sign * si * sj);
    let mut v = [0.0; 3];
    v[I] = i * ck + sign * j * sk;
    v[J] = j * ck - sign * i * sk;
    v[K] = k * ck + w * sk;
    Quat::new_unchecked(Quaternion::new(w * ck - k * sk, v[0], v[1], v[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Channels, Joint, JointId};

    fn joint(parent: Option<usize>, channels: &[Channel]) -> Joint {
        Joint {
            name: String::new(),
            parent: parent.map(JointId::new),
            offset: Vec3::new(7.0, 8.0, 9.0),
            channels: Channels::new(channels).expect("distinct"),
            end_sites: Vec::new(),
        }
    }

    /// All orders of up to three of the axes.
    fn orders() -> Vec<Vec<Axis>> {
        let all = [Axis::X, Axis::Y, Axis::Z];
        let mut orders: Vec<Vec<Axis>> = vec![vec![]];
        for len in 0..3 {
            for order in orders.clone().into_iter().filter(|o| o.len() == len) {
                for axis in all.into_iter().filter(|a| !order.contains(a)) {
                    orders.push([order.as_slice(), &[axis]].concat());
                }
            }
        }
        assert_eq!(orders.len(), 1 + 3 + 6 + 6);
        orders
    }

    #[test]
    fn rotations_are_the_product_of_the_listed_axes() {
        for order in orders() {
            let channels: Vec<_> = order.iter().map(|&a| Channel::Rotation(a)).collect();
            let skeleton = Skeleton::new(vec![joint(None, &channels)]).unwrap();
            let mut builder = FrameBuilder::new(&skeleton);
            for degrees in
                [[0.0; 3], [10.0, -20.0, 30.0], [170.0, 89.0, -135.0], [540.0, -270.0, 91.0]]
            {
                for (channel, &angle) in degrees.iter().enumerate().take(order.len()) {
                    builder.set(channel, angle);
                }
                let expected =
                    channels.iter().zip(degrees).fold(Quat::identity(), |q, (c, angle)| {
                        let Channel::Rotation(axis) = c else { unreachable!() };
                        q * Quat::from_axis_angle(&axis.unit(), f64::to_radians(angle))
                    });
                let found = builder.frame().0[0];
                let error = (found.coords - expected.coords).amax();
                assert!(error < 1e-15, "{order:?} {degrees:?}: off by {error}");
            }
        }
    }

    #[test]
    fn position_channels_replace_the_offset_axis_by_axis() {
        use Channel::{Position, Rotation};
        let skeleton = Skeleton::new(vec![
            joint(None, &[Rotation(Axis::Y), Position(Axis::Z), Position(Axis::X)]),
            joint(Some(0), &[Rotation(Axis::X)]),
            joint(Some(1), &[Position(Axis::Y)]),
        ])
        .unwrap();
        let mut builder = FrameBuilder::new(&skeleton);
        for (channel, value) in [90.0, 3.0, 1.0, 45.0, 2.0].into_iter().enumerate() {
            builder.set(channel, value);
        }
        let (_, translations) = builder.frame();
        assert_eq!(translations, [Vec3::new(1.0, 8.0, 3.0), Vec3::new(7.0, 2.0, 9.0)]);
    }
}
