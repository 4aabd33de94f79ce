//! Spiders: a walk on eight legs, and a second spider of another build.

use super::creature::{Creature, LegShape, Posture};
use super::gait::Gait;
use retarget::internals::rig::{Role, UpAxis};
use retarget::{Quat, Vec3};

/// The names of the legs from front to back, and where each points: out to the side and ahead.
const LEGS: [(&str, f64); 4] = [("1", 1.05), ("2", 0.4), ("3", -0.35), ("4", -1.0)];

/// The spider that walks.
pub fn spider() -> Creature {
    build("spider", "a spider with legs of 4 cm; centimetres", 100.0, 0.01, 1, "leg")
}

/// Larger, with longer feet of two joints.
pub fn tarantula() -> Creature {
    build("tarantula", "a larger spider with two joints a foot; millimetres", 1000.0, 0.017, 2, "t")
}

fn build(
    name: &'static str,
    about: &'static str,
    units: f64,
    size: f64,
    foot_joints: usize,
    prefix: &str,
) -> Creature {
    let mut spider = Creature::new(name, about, units, Quat::identity());
    spider.file.faces = Some(UpAxis::Z);
    let height = 1.1 * size;
    let body = spider.add("body", None, Vec3::new(0.0, height, 0.0));
    spider.name_role(Role::Hips, body);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        for (number, angle) in LEGS {
            let out = Vec3::new(sign * f64::cos(angle), 0.0, f64::sin(angle));
            let name = names(number, side);
            // Longer feet stand farther out.
            let foot = 0.7 * size * foot_joints as f64;
            let shape = LegShape {
                name,
                parent: body,
                top: Vec3::new(0.0, height, 0.0) + out * (0.35 * size),
                home: out * (2.3 * size + 0.3 * foot),
                coxa: 0.4 * size,
                bones: [1.4 * size, 1.5 * size],
                pole: Vec3::y(),
                foot,
                lean: 0.35,
                foot_joints,
            };
            let parts = ["coxa", "femur", "tibia", "tarsus", "claw"];
            let joints: Vec<String> = parts[..3 + foot_joints]
                .iter()
                .map(|part| format!("{prefix}_{name}_{part}"))
                .collect();
            spider.add_leg(shape, &joints);
        }
    }
    let abdomen = ["abdomen".to_owned()];
    let place = Vec3::new(0.0, height, -0.5 * size);
    spider.add_row(&abdomen, body, &[place], place + Vec3::new(0.0, 0.1, -1.3) * size);
    spider.name_chain("abdomen", &abdomen);
    spider
}

fn names(number: &str, side: &str) -> &'static str {
    let all = ["left_1", "left_2", "left_3", "left_4", "right_1", "right_2", "right_3", "right_4"];
    let name = format!("{side}_{number}");
    all.into_iter().find(|n| *n == name).expect("one of eight")
}

/// Every other leg of a side together with the others of the other side, at 5 cm/s.
pub const WALK: Gait =
    Gait { speed: 0.05, cycle: 0.32, duty: 0.6, lift: 0.004, lean: [0.0, 0.0], fold: 0.0 };

/// When in a cycle a leg lands: neighbours and opposite legs in turn.
pub fn phase(leg: &str) -> f64 {
    let odd = leg.ends_with('1') || leg.ends_with('3');
    if odd == leg.starts_with("left") { 0.1 } else { 0.6 }
}

/// The spider without its legs: the body bobs a little and the abdomen sways.
pub fn walk(spider: &Creature, t: f64) -> Posture {
    let wave = |per_cycle: f64| (std::f64::consts::TAU * per_cycle * t / WALK.cycle).sin();
    let mut turns = vec![Quat::identity(); spider.bones.len()];
    turns[0] = Quat::new(Vec3::y() * (0.04 * wave(1.0)));
    let last = turns.len() - 1;
    turns[last] = turns[0] * Quat::new(Vec3::y() * (-0.1 * wave(1.0)));
    let root = spider.bones[0].place + Vec3::new(0.0, 0.0004 * wave(2.0), WALK.speed * t);
    Posture { turns, root }
}
