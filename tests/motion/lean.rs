//! Hands that carry weight, and soles that the zero pose shows wrongly.

use crate::common;
use crate::equivalent::{SAMPLES, samples, through_bytes};
use crate::rewrite::{Rewritten, world};
use retarget::internals::clip::Clip;
use retarget::internals::contact::{Limb, Part};
use retarget::internals::convert::{self, Conversion, LoadedRig};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role, Side};
use retarget::internals::settings::Settings;
use std::path::{Path, PathBuf};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)
}

fn convert_onto(name: &str, target: &LoadedRig) -> Conversion {
    let path = sample(name);
    let source = convert::SourceClip::from_bytes(&path, &std::fs::read(&path).unwrap()).unwrap();
    convert::convert(&source, RigFile::default(), target, &Settings::default()).unwrap()
}

/// The lowest joint or End Site of a hand.
fn lowest(conversion: &Conversion, world: &WorldPose, side: Side) -> Vec3 {
    let rig = &conversion.binding.target;
    let hand = rig.joint(Role::Hand(side)).expect("a hand");
    let points = rig
        .skeleton
        .ids()
        .filter(|&id| id == hand || rig.skeleton.ancestors(id).any(|above| above == hand));
    let points = points.flat_map(|id| {
        let ends = &rig.skeleton.joint(id).end_sites;
        std::iter::once(Vec3::zeros()).chain(ends.iter().copied()).map(move |p| (id, p))
    });
    points
        .map(|(id, point)| world.point(id, point))
        .min_by(|a, b| rig.up.height(*a).total_cmp(&rig.up.height(*b)))
        .expect("the hand itself")
}

#[test]
fn a_hand_that_leans_on_the_floor_leans_on_it_on_every_body() {
    let mut seen = 0;
    for name in ["child.toml", "game.toml", "hero.toml", "stocky.toml", "long_legged.bvh"] {
        let target = convert::LoadedRig::load(sample("skeletons").join(name)).unwrap();
        let cm = 90.0 / target.rig.leg_len;
        let conversion = convert_onto("crouch.bvh", &target);
        let Some(contact) = conversion.contacts.of_limb(Limb::Hand(Side::Right)).next() else {
            panic!("{name}: the hand of the crouch leans on the floor");
        };
        let (up, binding) = (target.rig.up, &conversion.binding);
        let floor = binding.target_height(contact.floor_height);
        let at = |frame| lowest(&conversion, &world(&conversion.result, frame), Side::Right);
        let first = at(contact.frames.start);
        for frame in contact.frames.clone() {
            let place = at(frame);
            let off = up.height(place) - floor;
            assert!(off.abs() * cm < 0.2, "{name}, frame {frame}: {:.2} cm over it", off * cm);
            let slid = (place - first).norm() * cm;
            assert!(slid < 0.5, "{name}, frame {frame}: slid by {slid:.2} cm");
        }
        seen += 1;
    }
    assert_eq!(seen, 5);
}

/// A body on a floor 70 under the origin, as of a rig whose hips are there, moves as on one at the origin.
#[test]
fn a_hand_leans_on_a_floor_wherever_that_is() {
    let path = sample("crouch.bvh");
    let target = convert::LoadedRig::load(sample("skeletons").join("hero.toml")).unwrap();
    let whole = convert::SourceClip::load(&path).unwrap();
    let settings = Settings { keep_floor: true, ..Settings::default() };
    let on = |below: f64| {
        let mut source = whole.clone();
        source.clip = Clip::new(whole.clip.skeleton().clone(), whole.clip.frame_time().clone());
        for frame in 0..whole.clip.len() {
            let mut pose = whole.clip.pose(frame);
            pose.translations[0].y -= below;
            source.clip.push_pose(&pose);
        }
        convert::convert(&source, RigFile::default(), &target, &settings).unwrap()
    };
    let [there, below] = [0.0, 70.0].map(on);
    assert!(below.contacts.of_limb(Limb::Hand(Side::Right)).next().is_some(), "a hand leans");
    let drop = Vec3::y() * (70.0 * below.binding.scale);
    for frame in 0..there.result.len() {
        let [a, b] = [&there, &below].map(|done| world(&done.result, frame));
        let off = a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b - drop).norm());
        let off = off.fold(0.0, f64::max);
        assert!(off < 1e-3 * target.rig.leg_len, "frame {frame}: {off}");
    }
}

/// A file whose zero pose points its feet up by some 11° says nothing else of how they stand.
#[test]
fn feet_that_a_zero_pose_tilts_are_planted_as_flat_ones() {
    let target = convert::LoadedRig::load(sample("skeletons").join("hero.toml")).unwrap();
    let originals = samples(400);
    assert_eq!(originals.len(), SAMPLES.len());
    for o in originals {
        let rig = &o.rig;
        let left = rig.skeleton.ids().map(|id| {
            let on_foot = |s| {
                rig.joint(Role::Foot(s)).is_some_and(|foot| {
                    foot == id || rig.skeleton.ancestors(id).any(|above| above == foot)
                })
            };
            Side::BOTH.into_iter().any(on_foot)
        });
        let body_x = rig.stance.body_from_joint[rig.joint(Role::Hips).unwrap().index()].inverse()
            * Vec3::x();
        let tilt = Quat::from_scaled_axis(body_x * -0.2);
        let frames: Vec<Quat> =
            left.map(|on_foot| if on_foot { tilt } else { Quat::identity() }).collect();
        let tilted = Rewritten::of(&o.clip).reframed(&frames);
        let convert = |clip| {
            let source = through_bytes(clip);
            convert::convert(&source, RigFile::default(), &target, &Settings::default()).unwrap()
        };
        let (flat, other) = (convert(&o.clip), convert(&tilted.clip));
        let cm = 90.0 / target.rig.leg_len;
        let mut worst = 0.0f64;
        for frame in 0..flat.result.len() {
            let (a, b) = (world(&flat.result, frame), world(&other.result, frame));
            for id in target.rig.feet.iter().flat_map(|f| [f.leg[0], f.leg[1], f.ankle]) {
                worst = worst.max((a.position(id) - b.position(id)).norm() * cm);
            }
        }
        eprintln!("{}: {worst:.2} cm", o.name);
        assert!(worst < 2.0, "{}: {worst} cm", o.name);
        let stays = |c: &Conversion| {
            let of = |part| c.contacts.contacts.iter().filter(|c| c.part == part).count();
            [Part::Heel, Part::Ball].map(of)
        };
        assert_eq!(stays(&flat), stays(&other), "{}", o.name);
    }
}

/// The hand of the crouch is what the body comes down for where arms are short.
#[test]
fn a_hand_that_counts_for_nothing_moves_neither_itself_nor_the_body() {
    let mut less = 0;
    for name in ["child.toml", "game.toml", "hero.toml", "stocky.toml", "long_legged.bvh"] {
        let mut target = convert::LoadedRig::load(sample("skeletons").join(name)).unwrap();
        let counts = convert_onto("crouch.bvh", &target);
        for side in Side::BOTH {
            target.rig.weights.insert(Role::Hand(side), 0.0);
        }
        let ignored = convert_onto("crouch.bvh", &target);
        let moved = ignored.plant.hands.iter().flat_map(|(_, moves)| moves);
        assert!(moved.clone().all(|hand| hand.offset == Vec3::zeros()), "{name}");
        let drops = |c: &Conversion| c.plant.body.iter().map(|b| b.drop_len).sum::<f64>();
        let (with, without) = (drops(&counts), drops(&ignored));
        assert!(without <= with + 1e-9, "{name}: {without} without the hand, {with} with it");
        less += usize::from(without < 0.9 * with);
    }
    assert!(less > 0, "no body comes down for the hand");
}

/// Somebody who turns a cartwheel, of whom nothing below the wrists was recorded.
#[test]
fn hands_lie_on_the_floor_where_their_source_ends_at_the_wrists() {
    let Some(dir) = common::mocap_dir() else { return };
    let path = dir.join("asf_femur21_inch/cartwheel_clean.bvh");
    let source = convert::SourceClip::load(path).expect("a clip");
    for name in ["game.toml", "hero.toml", "stocky.toml"] {
        let target = convert::LoadedRig::load(sample("skeletons").join(name)).unwrap();
        let cm = 90.0 / target.rig.leg_len;
        let settings = Settings::default();
        let done = convert::convert(&source, RigFile::default(), &target, &settings).unwrap();
        let up = target.rig.up;
        for side in Side::BOTH {
            let contact = done.contacts.of_limb(Limb::Hand(side)).next().expect("a hand leans");
            let floor = done.binding.target_height(contact.floor_height);
            let hand = target.rig.joint(Role::Hand(side)).expect("a hand");
            let middle = (contact.frames.start + contact.frames.end) / 2;
            let world = world(&done.result, middle);
            let wrist = (up.height(world.position(hand)) - floor) * cm;
            let lowest = (up.height(lowest(&done, &world, side)) - floor) * cm;
            assert!((2.0..9.0).contains(&wrist), "{name}: the wrist is {wrist} cm over the floor");
            assert!((-1.0..3.0).contains(&lowest), "{name}: the hand is {lowest} cm over it");
        }
    }
}
