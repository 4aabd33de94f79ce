//! Snakes: one that crawls along a winding path, and one of another build.

use super::creature::{Creature, Posture, numbered};
use retarget::internals::rig::{Role, UpAxis};
use retarget::{Quat, Vec3};

/// The snake that crawls.
pub fn snake() -> Creature {
    build("snake", "a snake of 1.2 m, 16 joints behind the head; centimetres", 100.0, 16, 1.2, 0.02)
}

/// Longer, of more joints.
pub fn python() -> Creature {
    build("python", "a python of 3 m, 25 joints behind the head; metres", 1.0, 25, 3.0, 0.05)
}

fn build(
    name: &'static str,
    about: &'static str,
    units: f64,
    joints: usize,
    len: f64,
    height: f64,
) -> Creature {
    let mut snake = Creature::new(name, about, units, Quat::identity());
    snake.file.faces = Some(UpAxis::Z);
    let head = snake.add("head", None, Vec3::new(0.0, height, 0.0));
    snake.bones[head].end = Some(Vec3::new(0.0, height, 0.03 * len));
    snake.name_role(Role::Hips, head);
    let names = numbered("vertebra", joints);
    let place = |n: usize| Vec3::new(0.0, height, -len * n as f64 / joints as f64);
    // The first lies in the head's own place, so that the body bends right there.
    let places: Vec<Vec3> = (0..joints).map(place).collect();
    snake.add_row(&names, head, &places, place(joints));
    snake.name_chain("body", &names);
    snake
}

/// Metres a second along the path's axis.
const SPEED: f64 = 0.25;

/// The winding path: how far aside it is at a place along its axis.
fn path(z: f64) -> Vec3 {
    Vec3::new(0.09 * (std::f64::consts::TAU * z / 0.55).sin(), 0.0, z)
}

/// The snake at a moment: every joint on the path that the head went along.
pub fn crawl(snake: &Creature, t: f64) -> Posture {
    let start = SPEED * t;
    let root = path(start) + Vec3::y() * snake.bones[0].place.y;
    let mut turns = vec![Quat::identity(); snake.bones.len()];
    let turn = |ahead: Vec3| Quat::new(Vec3::y() * ahead.x.atan2(ahead.z));
    turns[0] = turn(path(start + 0.02) - path(start));
    let mut z = start;
    for (i, bone) in snake.bones.iter().enumerate().skip(1) {
        let end = bone.end.unwrap_or_else(|| snake.bones[i + 1].place);
        let next = behind(z, (end - bone.place).norm());
        turns[i] = turn(path(z) - path(next));
        z = next;
    }
    Posture { turns, root }
}

/// The place behind `z` on the path that is `len` away, as the crow flies.
fn behind(z: f64, len: f64) -> f64 {
    let (mut near, mut far) = (z, z - len);
    // The path winds so gently that its distance grows all the way back to there.
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        if (path(middle) - path(z)).norm() < len { near = middle } else { far = middle }
    }
    0.5 * (near + far)
}
