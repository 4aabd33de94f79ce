//! Bodies, stances and limits that nobody tuned anything to, drawn from wide ranges by a seed.

#![allow(dead_code)]

use crate::bodies::{Body, Build, Fingers, Part, Twists};
use retarget::internals::bvh::{self, WriteSettings};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::math::{Quat, Vec3, rotation_between};
use retarget::internals::pose::Pose;
use retarget::internals::rig::Side;
use retarget::internals::skeleton::{JointId, Skeleton};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::fmt::Write;

/// Numbers that follow from a seed alone (Steele, Lea and Flood 2014, SplitMix64).
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.share()
    }

    /// A factor: as often so many times larger as so many times smaller.
    pub fn factor(&mut self, least: f64, most: f64) -> f64 {
        self.between(least.ln(), most.ln()).exp()
    }

    pub fn is(&mut self, share: f64) -> bool {
        self.share() < share
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.next() % of.len() as u64) as usize]
    }
}

/// What is written of the joints' limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limits {
    None,
    /// Knees and elbows are hinges, whose axes are so far (radians) off those about which the body bends.
    Hinges(f64),
    /// Hinges about the axis of the file that is nearest to that.
    FileAxes,
    /// Hinges, and cones at all other joints of the limbs.
    Cones,
}

/// How the bones lie in the zero pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stance {
    T,
    A,
    ArmsDown,
    /// All along X; the first frame shows a body standing.
    Aligned,
}

/// How many times as long as a grown person's each part of a body is.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    pub thigh: f64,
    pub shin: f64,
    pub upper_arm: f64,
    pub forearm: f64,
    pub hand: f64,
    pub foot: f64,
    pub hips: f64,
    pub shoulders: f64,
    pub neck_and_head: f64,
}

impl Lengths {
    /// A grown person's.
    pub const PLAIN: Self = Self {
        thigh: 1.0,
        shin: 1.0,
        upper_arm: 1.0,
        forearm: 1.0,
        hand: 1.0,
        foot: 1.0,
        hips: 1.0,
        shoulders: 1.0,
        neck_and_head: 1.0,
    };
}

/// Strangers from this seed on have upper arms and forearms of their own lengths.
pub const UNEVEN_ARMS: u64 = 1_000_000_000;

#[derive(Clone, Copy, Debug)]
pub struct Stranger {
    pub seed: u64,
    pub build: Build,
    pub lengths: Lengths,
    pub stance: Stance,
    pub limits: Limits,
}

impl Stranger {
    pub fn new(seed: u64) -> Self {
        let draw = &mut Draw::new(seed);
        let build = Build {
            spine: draw.one(&[1, 2, 3, 4, 5, 6, 7]),
            neck: draw.one(&[1, 1, 2]),
            clavicles: draw.is(0.75),
            hands: true,
            toes: draw.is(0.75),
            head: true,
            fingers: draw.one(&[Fingers::None, Fingers::None, Fingers::Plain(3)]),
            twists: Twists::None,
        };
        let leg = draw.factor(0.3, 1.6);
        let thigh_to_shin = draw.factor(0.6, 1.6).sqrt();
        let arm = draw.factor(0.4, 1.8);
        let mut lengths = Lengths {
            thigh: leg * thigh_to_shin,
            shin: leg / thigh_to_shin,
            upper_arm: arm,
            forearm: arm,
            hand: draw.factor(0.5, 3.0),
            foot: draw.factor(0.5, 2.5),
            hips: draw.factor(0.5, 2.0),
            shoulders: draw.factor(0.5, 2.0),
            neck_and_head: draw.factor(0.5, 5.0),
        };
        let stance = draw.one(&[Stance::T, Stance::A, Stance::ArmsDown, Stance::Aligned]);
        let limits = match draw.one(&[0, 0, 1, 2, 3, 4]) {
            1 => Limits::Hinges(0.0),
            2 => Limits::Hinges(10f64.to_radians()),
            3 => Limits::FileAxes,
            4 => Limits::Cones,
            _ => Limits::None,
        };
        let upper_to_fore = if seed < UNEVEN_ARMS { 1.0 } else { draw.factor(0.4, 2.5).sqrt() };
        lengths.upper_arm *= upper_to_fore;
        lengths.forearm /= upper_to_fore;
        Self { seed, build, lengths, stance, limits }
    }

    pub fn name(&self) -> String {
        let Lengths { thigh, shin, upper_arm, forearm, hand, foot, hips, shoulders, neck_and_head } =
            self.lengths;
        format!(
            "stranger {} (thigh {thigh:.2}, shin {shin:.2}, upper arm {upper_arm:.2}, forearm {forearm:.2}, hand \
             {hand:.2}, foot {foot:.2}, hips {hips:.2}, shoulders {shoulders:.2}, neck and head {neck_and_head:.2}, spine {}, {:?}, {:?})",
            self.seed, self.build.spine, self.stance, self.limits
        )
    }

    /// The rig, read from its files as the program reads a target's.
    pub fn rig(&self) -> LoadedRig {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (bvh, toml) = self.files();
        std::fs::write(folder.path().join("body.bvh"), bvh).expect("a writable folder");
        let path = folder.path().join("body.toml");
        std::fs::write(&path, &toml).expect("a writable folder");
        convert::LoadedRig::load(&path).unwrap_or_else(|e| panic!("{}: {e}\n{toml}", self.name()))
    }

    /// The texts of `body.bvh` and of the `skeleton.toml` that names it.
    pub fn files(&self) -> (Vec<u8>, String) {
        let body = Body::new(self.build);
        let joints = body.skeleton.joints();
        let turns: Vec<Quat> = body.parts.iter().map(|part| self.turn(*part)).collect();
        let mut places = vec![Vec3::zeros(); joints.len()];
        for (i, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                let offset = self.scaled(body.parts[parent.index()], body.parts[i], joint.offset);
                places[i] = places[parent.index()] + turns[parent.index()] * offset;
            }
        }
        let ends = |i: usize| {
            let part = body.parts[i];
            joints[i].end_sites.iter().map(move |end| self.scaled(part, part, *end))
        };
        let all_ends = (0..joints.len()).flat_map(|i| {
            let turn = turns[i];
            ends(i).map(move |end| (i, turn * end)).chain([(i, Vec3::zeros())])
        });
        let lowest = all_ends.map(|(i, end)| places[i].y + end.y).fold(f64::MAX, f64::min);
        // The frame of each joint in the stance, world.
        let frames: Vec<Quat> = (0..joints.len())
            .map(|i| {
                let children = body.skeleton.children(JointId::new(i));
                let way = children.map(|child| places[child.index()] - places[i]);
                let way = way.max_by(|a, b| a.norm().total_cmp(&b.norm()));
                let way = way.or(ends(i).next().map(|end| turns[i] * end));
                match (self.stance, way) {
                    (Stance::Aligned, Some(way)) if way.norm() > 0.0 => {
                        rotation_between(Vec3::x(), way)
                    }
                    _ => Quat::identity(),
                }
            })
            .collect();
        let mut written = joints.to_vec();
        let mut pose = Pose::rest(&body.skeleton);
        for (i, joint) in written.iter_mut().enumerate() {
            let above = joint.parent.map_or(Quat::identity(), |p| frames[p.index()]);
            joint.offset = match joint.parent {
                Some(parent) => above.inverse() * (places[i] - places[parent.index()]),
                None => Vec3::new(0.0, -lowest, 0.0),
            };
            let own = frames[i].inverse() * turns[i];
            joint.end_sites = ends(i).map(|end| own * end).collect();
            pose.rotations[i] = above.inverse() * frames[i];
            pose.translations[i] = joint.offset;
        }
        let skeleton = Skeleton::new(written).expect("the same tree");
        let frame_time = FrameTime::from_seconds(1.0 / 30.0).expect("above zero");
        let mut clip = Clip::new(skeleton, frame_time);
        clip.push_pose(&pose);
        let mut bytes = Vec::new();
        bvh::write(&clip, &WriteSettings::default(), &mut bytes).expect("memory takes everything");
        (bytes, self.toml(&body, &frames, &turns))
    }

    /// How a part lies in the stance against the T of [`Body`]; world.
    fn turn(&self, part: Part) -> Quat {
        let lowered = match self.stance {
            Stance::A => FRAC_PI_4,
            Stance::ArmsDown => FRAC_PI_2 * 0.95,
            Stance::T | Stance::Aligned => 0.0,
        };
        match part {
            Part::UpperArm(side)
            | Part::Forearm(side)
            | Part::Hand(side)
            | Part::Finger(side, ..) => {
                let sign = if side == Side::Left { -1.0 } else { 1.0 };
                Quat::from_scaled_axis(Vec3::z() * sign * lowered)
            }
            _ => Quat::identity(),
        }
    }

    /// The way from a joint to the next, or to its end, as long as this body has it.
    fn scaled(&self, from: Part, to: Part, way: Vec3) -> Vec3 {
        let Lengths { thigh, shin, upper_arm, forearm, hand, foot, hips, shoulders, neck_and_head } =
            self.lengths;
        let across = |factor: f64| Vec3::new(way.x * factor, way.y, way.z);
        match (from, to) {
            (Part::Thigh(_), _) => way * thigh,
            (Part::Shin(_), _) => way * shin,
            (Part::Foot(_) | Part::Toe(_), _) => way * foot,
            (_, Part::Thigh(_)) => across(hips),
            (Part::UpperArm(_), _) => way * upper_arm,
            (Part::Forearm(_), _) => way * forearm,
            (Part::Hand(_) | Part::Finger(..), _) => way * hand,
            (_, Part::Clavicle(_) | Part::UpperArm(_)) => across(shoulders),
            (Part::Neck(_), _) => way * neck_and_head,
            _ => way,
        }
    }

    fn toml(&self, body: &Body, frames: &[Quat], turns: &[Quat]) -> String {
        let mut text = String::from("bvh = \"body.bvh\"\n");
        if self.limits == Limits::None {
            return text;
        }
        let draw = &mut Draw::new(!self.seed);
        let tilt = match self.limits {
            Limits::Hinges(tilt) => tilt,
            _ => 0.0,
        };
        for (i, part) in body.parts.iter().enumerate() {
            let name = &body.skeleton.joints()[i].name;
            let axis = match part {
                Part::Shin(_) => Some(Vec3::x()),
                Part::Forearm(Side::Left) => Some(-Vec3::y()),
                Part::Forearm(Side::Right) => Some(Vec3::y()),
                _ => None,
            };
            if let Some(axis) = axis {
                let angle = draw.between(0.0, std::f64::consts::TAU);
                let aside = Vec3::new(angle.cos(), angle.sin(), angle.cos() * angle.sin());
                let aside = (aside - axis * axis.dot(&aside)).normalize();
                let mut axis = axis * tilt.cos() + aside * tilt.sin();
                axis = frames[i].inverse() * (turns[i] * axis);
                if self.limits == Limits::FileAxes {
                    let k = axis.iamax();
                    axis = Vec3::ith(k, axis[k].signum());
                }
                let [x, y, z] = [axis.x, axis.y, axis.z];
                // Writing to a String cannot fail, here and below.
                let _ = writeln!(
                    text,
                    "[limits.{name}]\naxis = [{x:.6}, {y:.6}, {z:.6}]\nmin_deg = 0.0\nmax_deg = 150.0"
                );
            }
            let cone = match part {
                Part::Thigh(_) => Some((120.0, 40.0)),
                Part::UpperArm(_) => Some((110.0, 80.0)),
                Part::Foot(_) => Some((40.0, 20.0)),
                Part::Hand(_) => Some((70.0, 80.0)),
                _ => None,
            };
            if let Some((swing, twist)) = cone.filter(|_| self.limits == Limits::Cones) {
                let by = draw.between(0.5, 1.0);
                let (swing, twist) = (swing * by, twist * by);
                let _ = writeln!(
                    text,
                    "[limits.{name}]\nswing_deg = [{swing:.1}, {swing:.1}]\ntwist_deg = [{:.1}, {twist:.1}]",
                    -twist
                );
            }
        }
        text
    }
}
