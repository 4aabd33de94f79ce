//! Motions of known touch on the plain body: hands that clap, rest on the hips, the knees or the head, or hang.

#![allow(dead_code)]

use crate::bodies::{Body, PLAIN, Part};
use retarget::ik::middle_joint;
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3, rotation_between};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{RigFile, Side};
use retarget::internals::skeleton::Skeleton;

/// What the hands do from the second to the fourth second, hanging before and afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    Hang,
    Clap,
    Hips,
    /// Sitting, hands on the thighs near the knees.
    Knees,
    Head,
    /// Each hand on the other arm, above its elbow.
    Fold,
    /// The right hand around the left wrist, before the belly.
    Wrist,
}

pub const FPS: f64 = 60.0;
pub const FRAMES: usize = 300;

/// Claps a second, and when the hands meet for the first time.
pub const CLAPS_HZ: f64 = 1.5;
pub const FIRST_CLAP_S: f64 = 5.0 / 3.0;

/// Frames in which the hands are where the gesture has them.
pub fn held() -> std::ops::Range<usize> {
    118..184
}

/// Frames in which the hands of a clap meet.
pub fn claps() -> Vec<usize> {
    let times = (0..3).map(|i| FIRST_CLAP_S + i as f64 / CLAPS_HZ);
    times.map(|s| (s * FPS).round() as usize).filter(|f| held().contains(f)).collect()
}

fn sign(side: Side) -> f64 {
    if side == Side::Left { 1.0 } else { -1.0 }
}

/// The wrist, where the elbow goes, and where the fingers point.
fn arm(gesture: Gesture, side: Side, s: f64) -> [Vec3; 3] {
    let at = |x: f64, y: f64, z: f64| Vec3::new(sign(side) * x, y, z);
    match gesture {
        Gesture::Hang => [at(21.0, 93.0, 3.0), at(24.0, 118.0, -6.0), at(0.0, -1.0, 0.1)],
        Gesture::Clap => {
            let turn = std::f64::consts::TAU * CLAPS_HZ * (s - FIRST_CLAP_S);
            let apart = 2.0 + 9.0 * (1.0 - turn.cos());
            [at(apart, 118.0, 32.0), at(35.0, 105.0, 10.0), at(0.0, 0.6, 0.8)]
        }
        Gesture::Hips => [at(20.0, 100.0, -1.0), at(50.0, 110.0, -12.0), at(-0.3, -0.3, 0.9)],
        Gesture::Knees => [at(10.0, 61.0, 24.0), at(35.0, 75.0, 0.0), at(0.0, -0.1, 1.0)],
        Gesture::Fold => {
            let [up, ahead] = if side == Side::Left { [122.0, 17.0] } else { [116.0, 21.0] };
            [at(-6.0, up, ahead), at(26.0, 118.0, 6.0), at(-0.78, 0.25, -0.57)]
        }
        Gesture::Wrist if side == Side::Left => {
            [at(2.0, 104.0, 24.0), at(35.0, 110.0, 5.0), at(-0.8, -0.2, 0.5)]
        }
        Gesture::Wrist => [at(5.0, 108.0, 25.0), at(35.0, 112.0, 5.0), at(-0.9, -0.4, 0.0)],
        Gesture::Head => [at(14.0, 163.0, 2.0), at(45.0, 160.0, 8.0), at(-0.5, 1.0, 0.0)],
    }
}

/// 1 while the gesture is held, 0 while the arms hang.
fn share(s: f64) -> f64 {
    let ramp = |t: f64| t.clamp(0.0, 1.0).powi(2) * (3.0 - 2.0 * t.clamp(0.0, 1.0));
    ramp((s - 1.0) / 0.6) * ramp((4.0 - s) / 0.6)
}

/// The motion on the plain body, 175 cm tall, in centimetres.
pub fn clip(gesture: Gesture) -> Clip {
    let body = Body::new(PLAIN);
    let frame_time = FrameTime::from_seconds(1.0 / FPS).expect("above zero");
    let mut clip = Clip::new(body.skeleton.clone(), frame_time);
    let mut pose = Pose::rest(&body.skeleton);
    let sits = gesture == Gesture::Knees;
    let low = if sits { 41.0 } else { 0.0 };
    for frame in 0..FRAMES {
        let s = frame as f64 / FPS;
        let share = share(s);
        let reach = |side: Side| {
            let mut hang = arm(Gesture::Hang, side, s);
            hang[0].y -= low;
            hang[1].y -= low;
            // Beside the seat.
            hang[0].x *= if sits { 1.2 } else { 1.0 };
            let is = arm(gesture, side, s);
            let [wrist, near, ahead] = [0, 1, 2].map(|i| hang[i].lerp(&is[i], share));
            let shoulder = Vec3::new(sign(side) * 18.0, 143.0 - low, 0.0);
            let elbow = middle_joint(shoulder, wrist, near, 28.0, 25.0);
            let (upper, fore) = (elbow - shoulder, wrist - elbow);
            // In the T an elbow bends the forearm forwards.
            let turn = |bone: Vec3| {
                let swing = rotation_between(Vec3::x() * sign(side), bone);
                rotation_between(swing * Vec3::y() * -sign(side), upper.cross(&fore)) * swing
            };
            [turn(upper), turn(fore), rotation_between(fore, ahead) * turn(fore)]
        };
        let arms = Side::BOTH.map(reach);
        let turn = |part: &Part| match part {
            Part::UpperArm(s) => arms[s.index()][0],
            Part::Forearm(s) => arms[s.index()][1],
            Part::Hand(s) => arms[s.index()][2],
            Part::Thigh(_) if sits => {
                Quat::from_scaled_axis(Vec3::x() * -std::f64::consts::FRAC_PI_2)
            }
            _ => Quat::identity(),
        };
        let world: Vec<Quat> = body.parts.iter().map(turn).collect();
        for (i, joint) in body.skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map_or(Quat::identity(), |p| world[p.index()]);
            pose.rotations[i] = parent.inverse() * world[i];
        }
        pose.translations[0] = Vec3::new(0.0, 95.0 - low, 0.0);
        clip.push_pose(&pose);
    }
    clip
}

/// The same clip as one that was read.
pub fn source(clip: Clip) -> SourceClip {
    SourceClip::new("gesture.bvh", clip)
}

/// The plain body with each bone so many times as long, by the part that it ends in.
pub fn built(factor: impl Fn(Part) -> f64) -> LoadedRig {
    let body = Body::new(PLAIN);
    let joints = body.skeleton.joints().iter().zip(&body.parts).map(|(joint, part)| {
        let mut joint = joint.clone();
        joint.offset *= factor(*part);
        joint.end_sites.iter_mut().for_each(|end| *end *= factor(*part));
        joint
    });
    let skeleton = Skeleton::new(joints.collect()).expect("the same tree");
    let frame_time = FrameTime::from_seconds(1.0 / FPS).expect("above zero");
    let mut standing = Clip::new(skeleton.clone(), frame_time);
    standing.push_pose(&Pose::rest(&skeleton));
    let rig = convert::source_rig(&source(standing), RigFile::default());
    rig.expect("a body of the same shape")
}

/// Arms so many times as long.
pub fn arms(factor: f64) -> LoadedRig {
    built(|part| match part {
        Part::Forearm(_) | Part::Hand(_) => factor,
        _ => 1.0,
    })
}

/// A child: legs and arms of 0.55, all else of 0.7.
pub fn child() -> LoadedRig {
    built(|part| match part {
        Part::Shin(_) | Part::Foot(_) | Part::Forearm(_) | Part::Hand(_) => 0.55,
        _ => 0.7,
    })
}
