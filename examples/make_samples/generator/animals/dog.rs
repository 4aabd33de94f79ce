//! Dogs: a trot, and a second dog of another build.

use super::creature::{Creature, LegShape, Posture, numbered};
use super::gait::Gait;
use retarget::internals::rig::Role;
use retarget::{Quat, Vec3};

/// What two dogs differ in; lengths in metres.
struct Build {
    name: &'static str,
    about: &'static str,
    units: f64,
    world: Quat,
    spine: usize,
    neck: usize,
    tail: usize,
    foot_joints: usize,
    /// Height of the hips, length from there to the shoulders, half widths behind and in front.
    height: f64,
    trunk: f64,
    widths: [f64; 2],
    /// Upper, lower and last bone of hind and front legs.
    hind: [f64; 3],
    front: [f64; 3],
    /// The joints of the legs, hind and front; `{}` stands for the side.
    hind_names: [&'static str; 4],
    front_names: [&'static str; 4],
    sides: [&'static str; 2],
    hips: &'static str,
}

/// The dog that trots.
pub fn dog() -> Creature {
    build(&Build {
        name: "dog",
        about: "a dog of 55 cm, standing in the zero pose; centimetres",
        units: 100.0,
        world: Quat::identity(),
        spine: 3,
        neck: 1,
        tail: 4,
        foot_joints: 1,
        height: 0.53,
        trunk: 0.48,
        widths: [0.07, 0.08],
        hind: [0.22, 0.23, 0.15],
        front: [0.21, 0.22, 0.10],
        hind_names: ["{}Thigh", "{}Hock", "{}HindPaw", ""],
        front_names: ["{}UpperArm", "{}ForeArm", "{}FrontPaw", ""],
        sides: ["Left", "Right"],
        hips: "Pelvis",
    })
}

/// Longer in the legs, shorter in the trunk, with other numbers of joints.
pub fn hound() -> Creature {
    build(&Build {
        name: "hound",
        about: "a long-legged hound of 72 cm, two joints a paw; metres, Z up",
        units: 1.0,
        world: Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2),
        spine: 5,
        neck: 2,
        tail: 6,
        foot_joints: 2,
        height: 0.70,
        trunk: 0.52,
        widths: [0.08, 0.09],
        hind: [0.27, 0.30, 0.22],
        front: [0.26, 0.31, 0.14],
        hind_names: ["femur_{}", "tibia_{}", "tarsus_{}", "toes_{}"],
        front_names: ["humerus_{}", "radius_{}", "carpus_{}", "fingers_{}"],
        sides: ["l", "r"],
        hips: "pelvis",
    })
}

fn build(b: &Build) -> Creature {
    let mut dog = Creature::new(b.name, b.about, b.units, b.world);
    let hips_place = Vec3::new(0.0, b.height, 0.0);
    let hips = dog.add(b.hips, None, hips_place);
    dog.name_role(Role::Hips, hips);
    for (side, sign) in b.sides.into_iter().zip([1.0, -1.0]) {
        let top = Vec3::new(sign * b.widths[0], b.height - 0.02, -0.01);
        let shape = LegShape {
            name: if sign > 0.0 { "hind_left" } else { "hind_right" },
            parent: hips,
            top,
            home: Vec3::new(top.x, 0.0, top.z - 0.02),
            coxa: 0.0,
            bones: [b.hind[0], b.hind[1]],
            pole: Vec3::z(),
            foot: b.hind[2],
            lean: 0.3,
            foot_joints: b.foot_joints,
        };
        dog.add_leg(shape, &sided(&b.hind_names, side));
    }
    let tail = numbered("tail", b.tail);
    let place = |n: usize| {
        hips_place
            + Vec3::new(0.0, 0.01, -0.08)
            + Vec3::new(0.0, -0.25, -0.97) * (0.32 * n as f64 / b.tail as f64)
    };
    let places: Vec<Vec3> = (0..b.tail).map(place).collect();
    dog.add_row(&tail, hips, &places, place(b.tail));
    dog.name_chain("tail", &tail);
    let spine = numbered("spine", b.spine);
    let along = |n: usize| {
        let s = (n + 1) as f64 / b.spine as f64;
        hips_place + Vec3::new(0.0, 0.03 * (1.0 - (2.0 * s - 1.0).powi(2)), b.trunk * s)
    };
    let mut above = hips;
    for (n, name) in spine.iter().enumerate() {
        above = dog.add(name, Some(above), along(n));
        dog.name_role(Role::Spine(n as u8 + 1), above);
    }
    let chest = above;
    let withers = along(b.spine - 1);
    for (side, sign) in b.sides.into_iter().zip([1.0, -1.0]) {
        let top = withers + Vec3::new(sign * b.widths[1], -0.06, 0.0);
        let shape = LegShape {
            name: if sign > 0.0 { "front_left" } else { "front_right" },
            parent: chest,
            top,
            home: Vec3::new(top.x, 0.0, top.z + 0.01),
            coxa: 0.0,
            bones: [b.front[0], b.front[1]],
            pole: -Vec3::z(),
            foot: b.front[2],
            lean: 0.3,
            foot_joints: b.foot_joints,
        };
        dog.add_leg(shape, &sided(&b.front_names, side));
    }
    let neck = numbered("neck", b.neck);
    let rise = Vec3::new(0.0, 0.15, 0.14);
    let base = withers + Vec3::new(0.0, 0.03, 0.07);
    let mut above = chest;
    for (n, name) in neck.iter().enumerate() {
        above = dog.add(name, Some(above), base + rise * (n as f64 / b.neck as f64));
        dog.name_role(Role::Neck(n as u8 + 1), above);
    }
    let head = dog.add("head", Some(above), base + rise);
    dog.bones[head].end = Some(base + rise + Vec3::new(0.0, -0.03, 0.2));
    dog.name_role(Role::Head, head);
    dog
}

fn sided(names: &[&str; 4], side: &str) -> Vec<String> {
    names.iter().filter(|name| !name.is_empty()).map(|name| name.replace("{}", side)).collect()
}

/// Diagonal legs together, each down a little longer than up, at 1.2 m/s.
pub const TROT: Gait =
    Gait { speed: 1.2, cycle: 0.5, duty: 0.52, lift: 0.06, lean: [0.15, -0.45], fold: -0.5 };

/// When in a cycle a leg lands.
pub fn phase(leg: &str) -> f64 {
    if matches!(leg, "front_left" | "hind_right") { 0.1 } else { 0.6 }
}

/// The dog without its legs: the trunk rises and falls twice a cycle and sways, the tail wags.
pub fn trot(dog: &Creature, t: f64) -> Posture {
    let wave = |per_cycle: f64, shift: f64| {
        (std::f64::consts::TAU * (per_cycle * t / TROT.cycle + shift)).sin()
    };
    let mut turns = vec![Quat::identity(); dog.bones.len()];
    let hips = Quat::new(Vec3::y() * (0.05 * wave(1.0, 0.0)))
        * Quat::new(Vec3::z() * (0.03 * wave(1.0, 0.25)));
    turns[0] = hips;
    for (i, bone) in dog.bones.iter().enumerate().skip(1) {
        let above = turns[bone.parent.expect("one root")];
        let bend = match bone.name.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "spine" => Vec3::y() * (-0.04 * wave(1.0, 0.0)) + Vec3::x() * (0.02 * wave(2.0, 0.1)),
            "neck" => Vec3::x() * (0.05 * wave(2.0, 0.3)),
            "head" => Vec3::x() * (-0.06 * wave(2.0, 0.3)),
            "tail" => Vec3::y() * (0.16 * wave(1.0, -0.12 * i as f64)),
            _ => Vec3::zeros(),
        };
        turns[i] = above * Quat::new(bend);
    }
    let root = dog.bones[0].place
        + Vec3::new(0.006 * wave(1.0, 0.1), 0.008 * wave(2.0, 0.2), TROT.speed * t);
    Posture { turns, root }
}
