//! Rows of a motion: their angles stand for the frames' rotations and run on, however a clip is cut into blocks.

use proptest::prelude::*;
use retarget::internals::bvh::{RowWriter, Rows, WriteSettings};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::skeleton::{Channel, Channels, Joint, Skeleton};
use std::f64::consts::PI;

/// A joint for each order of one to three axes: 15 joints.
fn orders() -> Vec<Vec<Axis>> {
    let all = [Axis::X, Axis::Y, Axis::Z];
    let mut orders: Vec<Vec<Axis>> = all.iter().map(|&axis| vec![axis]).collect();
    for len in 1..3 {
        for order in orders.clone().into_iter().filter(|order| order.len() == len) {
            let others = all.into_iter().filter(|axis| !order.contains(axis));
            orders.extend(others.map(|axis| [order.as_slice(), &[axis]].concat()));
        }
    }
    assert_eq!(orders.len(), 3 + 6 + 6);
    orders
}

fn skeleton(orders: &[Vec<Axis>]) -> Skeleton {
    let joint = |order: &Vec<Axis>| {
        let mut list = vec![Channel::Position(Axis::Y)];
        list.extend(order.iter().map(|&axis| Channel::Rotation(axis)));
        Joint {
            name: String::new(),
            parent: None,
            offset: Vec3::zeros(),
            channels: Channels::new(&list).expect("distinct"),
            end_sites: Vec::new(),
        }
    };
    Skeleton::new(orders.iter().map(joint).collect()).expect("in order")
}

fn composed(order: &[Axis], degrees: &[f64]) -> Quat {
    order.iter().zip(degrees).fold(Quat::identity(), |q, (axis, angle)| {
        q * Quat::from_axis_angle(&axis.unit(), angle.to_radians())
    })
}

/// The rows of frames, in each of which joint `j` has the angles `of(frame, j)` (degrees), with 17 decimals.
fn rows(frames: usize, of: impl Fn(usize, usize) -> [f64; 3]) -> Vec<Vec<Vec<f64>>> {
    let orders = orders();
    let writer = RowWriter::new(&skeleton(&orders), &WriteSettings { decimals: 17 });
    let mut block = Rows::default();
    for frame in 0..frames {
        let joints = orders.iter().enumerate();
        let rotations: Vec<Quat> = joints.map(|(j, o)| composed(o, &of(frame, j))).collect();
        writer.push_frame(&rotations, &vec![Vec3::zeros(); orders.len()], &mut block);
    }
    writer.run_on(&mut writer.euler_filter(), &mut block);
    let mut text = Vec::new();
    writer.push_text(&block, &mut text);
    let lines = str::from_utf8(&text).expect("digits").lines();
    lines
        .map(|line| {
            let mut numbers = line.split(' ').map(|number| number.parse().expect("a number"));
            orders.iter().map(|o| numbers.by_ref().take(1 + o.len()).skip(1).collect()).collect()
        })
        .collect()
}

#[test]
fn angles_run_on_through_half_turns_and_gimbal_lock_in_every_order() {
    let truth = |frame: usize, _| [0.9, 0.37, -0.6].map(|pace| pace * 0.3 * frame as f64);
    let found = rows(4000, truth);
    for (j, order) in orders().iter().enumerate() {
        for (frame, pair) in found.windows(2).enumerate() {
            let (before, now) = (&pair[0][j], &pair[1][j]);
            let jump: f64 = now.iter().zip(before).map(|(a, b)| (a - b).abs()).sum();
            assert!(jump < 2.0, "{order:?} jumps by {jump} after frame {frame}");
            let error = composed(order, now).angle_to(&composed(order, &truth(frame + 1, j)));
            assert!(error < 1e-7, "{order:?} is off by {error} after frame {frame}");
        }
    }
}

#[test]
fn angles_recompose_at_and_near_gimbal_lock_in_every_order() {
    let near = [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3].map(f64::to_degrees);
    let truth = |frame: usize, _| {
        let second = if frame.is_multiple_of(2) { 90.0 } else { -90.0 };
        [17.0, second - near[frame / 2], -46.0]
    };
    let found = rows(2 * near.len(), truth);
    for (j, order) in orders().iter().enumerate() {
        for (frame, row) in found.iter().enumerate() {
            let q = composed(order, &truth(frame, j));
            let error = composed(order, &row[j]).angle_to(&q);
            assert!(error < 3e-8, "{order:?}, frame {frame}: off by {error}");
        }
    }
}

fn rotation() -> impl Strategy<Value = Quat> {
    // Quarter turns, which are at gimbal lock, as often as any others.
    let part = prop_oneof![(-4..=4).prop_map(|n| f64::from(n) * PI / 2.0), -7.0..7.0f64];
    prop::array::uniform3(part).prop_map(|[a, b, c]| {
        Quat::from_axis_angle(&Vec3::z_axis(), a)
            * Quat::from_axis_angle(&Vec3::x_axis(), b)
            * Quat::from_axis_angle(&Vec3::y_axis(), c)
    })
}

/// What a joint turns to; `None` where it stays as it was.
fn turn() -> impl Strategy<Value = Option<Quat>> {
    prop::option::of(rotation())
}

proptest! {
    #[test]
    fn a_clip_that_is_cut_into_blocks_anywhere_has_the_same_bytes(
        turns in prop::collection::vec(prop::collection::vec(turn(), 15), 1..30),
        cuts in prop::collection::vec(any::<bool>(), 30),
    ) {
        let writer = RowWriter::new(&skeleton(&orders()), &WriteSettings::default());
        let translations = vec![Vec3::new(1.0, 2.0, 3.0); 15];
        let frames = turns.iter().scan(vec![Quat::identity(); 15], |rotations, turns| {
            rotations.iter_mut().zip(turns).for_each(|(q, turn)| *q = turn.unwrap_or(*q));
            Some(rotations.clone())
        });
        let frames: Vec<Vec<Quat>> = frames.collect();
        let written = |cut: &dyn Fn(usize) -> bool| {
            let (mut text, mut filter) = (Vec::new(), writer.euler_filter());
            let mut rows = Rows::default();
            for (frame, rotations) in frames.iter().enumerate() {
                writer.push_frame(rotations, &translations, &mut rows);
                if cut(frame) || frame + 1 == frames.len() {
                    writer.run_on(&mut filter, &mut rows);
                    writer.push_text(&rows, &mut text);
                    rows.clear();
                }
            }
            text
        };
        prop_assert_eq!(written(&|_| false), written(&|frame| cuts[frame]));
    }
}
