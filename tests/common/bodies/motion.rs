//! The motion that bodies of any build make.

use super::{Bone, Part};
use retarget::internals::math::{Quat, Vec3, rotation_between, swing_twist};
use retarget::internals::rig::Side;

pub fn word_and_sign(side: Side) -> (&'static str, f64) {
    if side == Side::Left { ("Left", 1.0) } else { ("Right", -1.0) }
}

pub fn along(side: Side) -> Vec3 {
    if side == Side::Left { Vec3::x() } else { -Vec3::x() }
}

/// The twist that a bone's joints share: an upper bone's own against its carrier, reached by the
/// shortest swing; a lower one's of what it carries.
pub fn twist_rad(bone: Bone, side: Side, frame: usize, carrier: Quat) -> f64 {
    let about = |turn: Quat, axis: Vec3| 2.0 * turn.imag().dot(&axis).atan2(turn.w);
    let upper = |part: Part, axis: Vec3| {
        let own = turn(part, frame);
        let swing = rotation_between(carrier * axis, own * axis);
        about((swing * carrier).inverse() * own, axis)
    };
    let lower = |top: Part, end: Part, axis: Vec3| {
        let turn = turn(top, frame).inverse() * turn(end, frame);
        about(swing_twist(turn, axis).1, axis)
    };
    let angle = match bone {
        Bone::UpperArm => upper(Part::UpperArm(side), along(side)),
        Bone::Thigh => upper(Part::Thigh(side), -Vec3::y()),
        Bone::Forearm => lower(Part::Forearm(side), Part::Hand(side), along(side)),
        Bone::Shin => lower(Part::Shin(side), Part::Foot(side), -Vec3::y()),
    };
    angle.sin().atan2(angle.cos())
}

/// The motion: how each part is turned away from the zero pose; world. A walk of sorts with a bent and
/// twisted trunk, arms that come down, and hands that roll by up to 90°.
pub fn turn(part: Part, frame: usize) -> Quat {
    let s = frame as f64 / 30.0;
    let about = |x: f64, y: f64, z: f64| Quat::from_scaled_axis(Vec3::new(x, y, z));
    let swing = |hz: f64, phase: f64| (std::f64::consts::TAU * hz * s + phase).sin();
    let hips = about(0.1 * swing(0.9, 0.3), 0.6 * s, 0.08 * swing(0.5, 1.0));
    let chest =
        hips * about(0.4 + 0.3 * swing(0.7, 0.0), 0.6 * swing(0.5, 0.5), 0.3 * swing(0.8, 2.0));
    let head = chest * about(0.3 * swing(0.6, 1.0), 0.7 * swing(0.4, 0.0), 0.2 * swing(1.0, 0.0));
    let of = |side: Side| if side == Side::Left { (1.0, 0.0) } else { (-1.0, 1.5) };
    match part {
        Part::Trunk(share) => hips.slerp(&chest, share),
        Part::Neck(share) => chest.slerp(&head, share),
        Part::Clavicle(side) => {
            let (sign, phase) = of(side);
            chest * about(0.0, 0.1 * sign * swing(0.8, phase), 0.15 * sign * swing(0.6, phase))
        }
        Part::UpperArm(side) => {
            let (sign, phase) = of(side);
            let lowered = about(0.0, 0.0, -sign * (1.0 + 0.3 * swing(0.5, phase)));
            let carrier = turn(Part::Trunk(1.0), frame);
            let swung = about(0.6 * swing(0.9, phase), 0.2 * sign, 0.0);
            carrier * swung * lowered * about(0.5 * swing(0.7, phase), 0.0, 0.0)
        }
        Part::Forearm(side) => {
            let (sign, phase) = of(side);
            let bent = about(0.0, -sign * (0.7 + 0.5 * swing(0.8, phase)), 0.0);
            turn(Part::UpperArm(side), frame) * bent
        }
        Part::Hand(side) => {
            let (sign, phase) = of(side);
            let wrist = about(0.0, 0.2 * swing(1.1, phase), 0.3 * sign * swing(0.9, phase));
            turn(Part::Forearm(side), frame) * wrist * about(1.57 * swing(0.6, phase), 0.0, 0.0)
        }
        Part::Finger(side, finger, joint) => {
            let (sign, phase) = of(side);
            let bent = |joint: usize| {
                let most = if joint == 0 { 0.1 } else { 0.5 };
                let curl = most * (1.0 + swing(0.6, phase + finger as f64 + joint as f64));
                about(0.0, 0.0, -sign * curl)
            };
            (0..=joint).fold(turn(Part::Hand(side), frame), |above, joint| above * bent(joint))
        }
        Part::Thigh(side) => {
            let (sign, phase) = of(side);
            let turned = about(0.0, 0.4 * sign * swing(0.5, phase), 0.1 * sign);
            turn(Part::Trunk(0.0), frame) * about(0.4 * swing(0.9, 2.0 * phase), 0.0, 0.0) * turned
        }
        Part::Shin(side) => {
            let (_, phase) = of(side);
            turn(Part::Thigh(side), frame) * about(0.5 + 0.4 * swing(0.9, phase), 0.0, 0.0)
        }
        Part::Foot(side) => {
            let (sign, phase) = of(side);
            let ankle = about(0.2 * swing(0.9, phase), 0.3 * sign * swing(0.7, phase), 0.0);
            turn(Part::Shin(side), frame) * ankle
        }
        Part::Toe(side) => {
            turn(Part::Foot(side), frame) * about(-0.2 - 0.2 * swing(0.9, 0.0), 0.0, 0.0)
        }
        Part::Twist(..) => unreachable!("twist joints follow from the others"),
    }
}
