//! Motions that nobody recorded, made from a recorded one by a seed: strangers in what they do, as `strangers.rs` has them
//! in how they are built.

#![allow(dead_code)]

use crate::strangers::Draw;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Quat, mean_rotation};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{Rig, Role, Side};
use retarget::internals::skeleton::JointId;
use std::f64::consts::TAU;

/// How a motion differs from the recorded one.
#[derive(Clone, Copy, Debug)]
pub struct StrangeMotion {
    /// How far each joint turns from its mean, in what it did. The path of the hips does not follow, so feet slide and come
    /// off the floor, as in a careless retarget.
    pub swing: f64,
    /// How far the hips travel on the level, in what they did: feet slide.
    pub travel: f64,
    /// How many times as fast the motion becomes and as slow, in waves.
    pub tempo: f64,
    /// The length of a wave of the tempo, seconds.
    pub wave_s: f64,
    /// How far what hangs above the hips is ahead of the legs, seconds: hands come near another body than they did.
    pub ahead_s: f64,
}

impl StrangeMotion {
    pub fn new(seed: u64) -> Self {
        let draw = &mut Draw::new(seed);
        let is_one_of_two = |draw: &mut Draw, value: f64, usual: f64| match draw.is(0.5) {
            true => value,
            false => usual,
        };
        let swing = draw.between(0.75, 1.15);
        let swing = is_one_of_two(draw, swing, 1.0);
        let travel = draw.factor(0.6, 1.6);
        let travel = is_one_of_two(draw, travel, 1.0);
        let tempo = draw.between(1.0, 1.6);
        let wave_s = draw.between(0.7, 3.0);
        let ahead_s = draw.between(0.2, 3.0);
        let ahead_s = is_one_of_two(draw, ahead_s, 0.0);
        Self { swing, travel, tempo, wave_s, ahead_s }
    }

    /// A clip of this rig, changed so; as many frames or some fewer. Its first frame is left out, which may be a rest pose.
    pub fn of(&self, clip: &Clip, rig: &Rig) -> Clip {
        let (last, seconds) = (clip.len() - 1, clip.frame_time().seconds());
        let hips = rig.joint(Role::Hips).expect("every rig has hips");
        let legs = Side::BOTH.map(|side| rig.joint(Role::Thigh(side)).expect("every rig has legs"));
        let skeleton = &rig.skeleton;
        let is_low = |id: JointId| {
            skeleton.is_ancestor(id, hips)
                || id == hips
                || legs.iter().any(|&leg| leg == id || skeleton.is_ancestor(leg, id))
        };
        let mut swung = vec![(1.0, Quat::identity()); skeleton.len()];
        for id in skeleton.ids().filter(|id| *id != hips && !skeleton.is_ancestor(*id, hips)) {
            let turns = (1..clip.len()).map(|f| (clip.rotations(f)[id.index()], 1.0));
            swung[id.index()] = (self.swing, mean_rotation(turns));
        }
        let mut out = Clip::new(skeleton.clone(), clip.frame_time().clone());
        let start = clip.pose(1).translations;
        let mut at = 1.0;
        while at <= last as f64 {
            let (mut pose, upper) =
                (at_time(clip, at), at_time(clip, self.ahead(at, last, seconds)));
            for id in skeleton.ids() {
                let i = id.index();
                if !is_low(id) {
                    pose.rotations[i] = upper.rotations[i];
                }
                let (swing, mean) = swung[i];
                let turn = (mean.inverse() * pose.rotations[i]).scaled_axis() * swing;
                pose.rotations[i] = mean * Quat::from_scaled_axis(turn);
                let moved = pose.translations[i] - start[i];
                if id == hips || skeleton.is_ancestor(id, hips) {
                    pose.translations[i] += rig.up.level(moved) * (self.travel - 1.0);
                }
            }
            out.push_pose(&pose);
            let wave = (TAU * at * seconds / self.wave_s).sin();
            at += self.tempo.powf(wave);
        }
        out
    }

    /// The frame whose upper body is seen in another frame: the clip runs on there and back.
    fn ahead(&self, at: f64, last: usize, seconds: f64) -> f64 {
        let len = (last - 1).max(1) as f64;
        let on = (at - 1.0 + self.ahead_s / seconds).rem_euclid(2.0 * len);
        1.0 + on.min(2.0 * len - on)
    }
}

/// The pose of a clip at a frame or between two.
pub fn at_time(clip: &Clip, at: f64) -> Pose {
    let frame = (at as usize).min(clip.len() - 2);
    between(&clip.pose(frame), &clip.pose(frame + 1), (at - frame as f64).min(1.0))
}

/// A pose between two others.
pub fn between(a: &Pose, b: &Pose, share: f64) -> Pose {
    let rotations = a.rotations.iter().zip(&b.rotations);
    let turn = |(a, b): (&Quat, &Quat)| a.try_slerp(b, share, 1e-9).unwrap_or(*a);
    let places = a.translations.iter().zip(&b.translations);
    Pose {
        rotations: rotations.map(turn).collect(),
        translations: places.map(|(a, b)| a.lerp(b, share)).collect(),
    }
}
