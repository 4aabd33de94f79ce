//! Bodies that are not people's: what is named moves alike, and every leg that stands is planted.

mod rewritten;

use retarget::internals::clip::Clip;
use retarget::internals::contact::{self, Part};
use retarget::internals::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::internals::error::Error;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::plant::FootPlants;
use retarget::internals::pose::WorldPose;
use retarget::internals::report::LEG_CM;
use retarget::internals::rig::{Description, RigFile, SkeletonSource, describe};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{JointId, Skeleton};
use rewritten::Rewritten;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A clip, what is said of its rig, and a creature of another build.
const SAMPLES: [[&str; 3]; 3] = [
    ["dog_trot", "dog", "hound"],
    ["spider_walk", "spider", "tarantula"],
    ["snake_crawl", "snake", "python"],
];

#[derive(Deserialize)]
struct Truth {
    contacts: Vec<Contact>,
}

#[derive(Deserialize)]
struct Contact {
    leg: String,
    joint: String,
    tip: [f64; 3],
    first_frame: usize,
    end_frame: usize,
    place: [f64; 3],
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/animals").join(name)
}

fn clip(name: &str) -> SourceClip {
    let path = path(&format!("{name}.bvh"));
    convert::SourceClip::from_bytes(&path, &convert::read_bytes(&path).expect("readable"))
        .expect("a clip")
}

fn truth(name: &str) -> Truth {
    let bytes = convert::read_bytes(&path(&format!("{name}.truth.json"))).expect("readable");
    serde_json::from_slice(&bytes).expect("a truth")
}

fn written(name: &str) -> RigFile {
    convert::read_source_file(&path(&format!("{name}.toml"))).unwrap_or_else(|e| panic!("{e}"))
}

fn target(name: &str) -> LoadedRig {
    convert::LoadedRig::load(path(&format!("{name}.toml"))).unwrap_or_else(|e| panic!("{e}"))
}

/// A rig from the text of a `skeleton.toml`.
fn rig_of(text: &str) -> Result<LoadedRig, Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rig.toml");
    std::fs::write(&path, text).expect("written");
    convert::LoadedRig::load(&path)
}

fn retargeted(
    source: &SourceClip,
    written: RigFile,
    to: &LoadedRig,
    plants: FootPlants,
) -> Conversion {
    let mut settings = Settings::default();
    settings.plant.foot_plants = plants;
    convert::convert(source, written, to, &settings).unwrap_or_else(|e| panic!("{e}"))
}

fn worlds(clip: &Clip) -> Vec<WorldPose> {
    (0..clip.len()).map(|f| WorldPose::of(clip.skeleton(), &clip.pose(f))).collect()
}

fn joint(skeleton: &Skeleton, name: &str) -> JointId {
    skeleton.find(name).unwrap_or_else(|| panic!("no joint {name:?}"))
}

#[test]
fn tips_that_stand_do_not_move_and_are_on_the_floor() {
    for [name, ..] in &SAMPLES[..2] {
        let (source, truth) = (clip(name), truth(name));
        let worlds = worlds(&source.clip);
        assert!(truth.contacts.len() > 15, "{name}");
        for contact in &truth.contacts {
            assert!(contact.place[1].abs() < 1e-9, "{name}: on the floor");
            let id = joint(source.clip.skeleton(), &contact.joint);
            for (frame, world) in worlds[contact.first_frame..contact.end_frame].iter().enumerate()
            {
                let off = world.point(id, contact.tip.into()) - Vec3::from(contact.place);
                assert!(
                    off.norm() < 1e-3,
                    "{name} {}, frame {frame} of its stay: off by {off}",
                    contact.leg
                );
            }
        }
    }
}

#[test]
fn contacts_are_those_of_the_truth() {
    for [name, from, _] in &SAMPLES[..2] {
        let (source, truth) = (clip(name), truth(name));
        let loaded = convert::source_rig(&source, written(from)).expect("a rig");
        let feet = contact::foot_paths(&source.clip, &loaded.rig);
        let seconds = source.clip.frame_time().seconds();
        let track = contact::detect(&feet, &loaded.rig, seconds, &Default::default());
        let (mut right, mut wrong) = (0, 0);
        for id in loaded.rig.foot_ids() {
            let leg = &loaded.rig.foot(id).name;
            assert_eq!(track.of(id, Part::Heel).count(), 0, "{leg} stands on a point");
            let mut should = vec![false; source.clip.len()];
            for contact in truth.contacts.iter().filter(|contact| contact.leg == *leg) {
                should[contact.first_frame..contact.end_frame].fill(true);
            }
            for (is, should) in track.mask(id, Part::Ball).into_iter().zip(should) {
                right += usize::from(is && should);
                wrong += usize::from(is != should);
            }
        }
        let f1 = 2.0 * right as f64 / (2 * right + wrong) as f64;
        println!("{name}: F1 {f1:.3}");
        assert!(f1 > 0.95, "{name}: F1 {f1}");
    }
}

/// How far each tip strays while it stands by the truth, and how far it is off the floor, in
/// centimetres of a body with legs of 90 cm; 0.05 s are left out at both ends of each stay.
fn strays(name: &str, result: &Conversion) -> (f64, f64) {
    let rig = &result.binding.target;
    let worlds = worlds(&result.result);
    let cm = LEG_CM / rig.leg_len;
    let (mut aside, mut off) = (0.0f64, 0.0f64);
    let mut stays = 0;
    for contact in &truth(name).contacts {
        let foot = rig.feet.iter().find(|foot| foot.name == contact.leg).expect("a leg");
        let (start, end) = (contact.first_frame + 3, contact.end_frame.saturating_sub(3));
        if end < start + 3 {
            continue;
        }
        let tips: Vec<Vec3> =
            worlds[start..end].iter().map(|world| world.point(foot.ankle, foot.ball)).collect();
        let up = rig.up.vector();
        let level = |v: Vec3| v - up * up.dot(&v);
        let middle = tips[tips.len() / 2];
        for tip in tips {
            aside = aside.max(level(tip - middle).norm() * cm);
            off = off.max(rig.up.height(tip).abs() * cm);
        }
        stays += 1;
    }
    assert!(stays > 15, "{name}: only {stays} stays");
    (aside, off)
}

#[test]
fn every_leg_that_stands_is_planted_on_another_build() {
    for [name, from, to] in &SAMPLES[..2] {
        let (source, to) = (clip(name), target(to));
        let planted = retargeted(&source, written(from), &to, FootPlants::Auto);
        assert_eq!(planted.plant.misses, [], "{name}");
        let (aside, off) = strays(name, &planted);
        println!("{name}: tips stray by {aside:.4} cm, {off:.4} cm off the floor");
        assert!(aside < 0.05, "{name}: a planted tip strays by {aside} cm");
        assert!(off < 0.2, "{name}: a planted tip is {off} cm off the floor");
        let free = retargeted(&source, written(from), &to, FootPlants::Off);
        let (aside, off) = strays(name, &free);
        println!("{name}: without planting {aside:.4} cm, {off:.4} cm off the floor");
        assert!(aside > 0.1 && off > 0.2, "{name}: nothing strays, so this says nothing");
    }
}

#[test]
fn legs_without_a_knee_plant_too() {
    // The same legs told as their last bones alone: those above stay as they are in the body.
    for (from_skips, to_skips, joints) in [(2, 3, 2), (3, 4, 1)] {
        let source = clip("spider_walk");
        let (mut from, mut to) = (written("spider"), target("tarantula").file);
        for (file, skips) in [(&mut from, from_skips), (&mut to, to_skips)] {
            for leg in file.legs.values_mut() {
                leg.joints.drain(..skips);
            }
        }
        let to = rig_of(&to.to_toml()).unwrap_or_else(|e| panic!("{e}"));
        let result = retargeted(&source, from, &to, FootPlants::Auto);
        assert!(to.rig.feet.iter().all(|foot| foot.leg.len() == joints));
        let (aside, off) = strays("spider_walk", &result);
        let misses = result.plant.misses.len();
        println!("{joints} joints a leg: {aside:.3} cm aside, {off:.3} cm off, {misses} misses");
        if joints == 2 {
            assert_eq!(misses, 0);
            assert!(aside < 0.05 && off < 0.2, "{aside} cm aside, {off} cm off the floor");
        } else {
            // A peg has one length: where its tip cannot come, that is told.
            assert!(misses > 0);
        }
    }
}

#[test]
fn the_same_creature_written_otherwise_moves_the_same() {
    for ([name, from, _], divided) in SAMPLES.iter().zip([
        &["LeftForeArm", "RightHock", "tail3"][..],
        &["leg_left_1_tibia", "leg_right_4_tarsus"],
        &["vertebra5", "vertebra9"],
    ]) {
        let source = clip(name);
        let skeleton = source.clip.skeleton();
        let plain = || Rewritten::new(skeleton, written(from));
        let sources = worlds(&source.clip);
        for (what, rewritten, bound) in [
            ("as it is", plain(), 1e-6),
            ("renamed", plain().renamed(), 1e-6),
            ("scaled", plain().scaled(0.013), 1e-6),
            ("divided", plain().divided(divided), 0.01),
            ("all at once", plain().divided(divided).scaled(39.37).renamed(), 0.01),
        ] {
            let to = rewritten.load();
            let result = retargeted(&source, written(from), &to, FootPlants::Off);
            let cm = LEG_CM / to.rig.leg_len;
            let mut worst = 0.0f64;
            for (frame, world) in worlds(&result.result).iter().enumerate() {
                for (old, new) in skeleton.ids().zip(&rewritten.joint_of) {
                    let truth = sources[frame].position(old) * rewritten.units;
                    worst = worst.max((world.position(*new) - truth).norm() * cm);
                }
            }
            println!("{name} {what}: {worst:.2e} cm");
            assert!(worst < bound, "{name} {what}: off by {worst} cm");
        }
    }
}

#[test]
fn a_turned_zero_pose_with_a_written_stance_moves_the_same() {
    // Every joint's frame turned by a quarter: the zero pose is a heap, the stance says what it means.
    for [name, from, _] in SAMPLES {
        let source = clip(name);
        let quarter = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
        let skeleton = source.clip.skeleton();
        let mut joints = skeleton.joints().to_vec();
        for joint in &mut joints {
            joint.offset = quarter.inverse() * joint.offset;
            for end in &mut joint.end_sites {
                *end = quarter.inverse() * *end;
            }
        }
        // The root's own frame is turned in the world; those below hang in turned frames already.
        joints[0].offset = skeleton.joints()[0].offset;
        let turned = Skeleton::new(joints).expect("a skeleton");
        let mut rewritten = Rewritten::new(&turned, written(from));
        let root = turned.name(JointId::new(0)).to_owned();
        let order = turned.joints()[0].channels.euler_order();
        let angles = order.decompose(quarter, [0.0; 3]).to_vec();
        let reference = rewritten.file.reference.get_or_insert_default();
        reference.rotations_rad.insert(root, angles);
        let to = rewritten.load();
        let result = retargeted(&source, written(from), &to, FootPlants::Off);
        let cm = LEG_CM / to.rig.leg_len;
        let (is, truth) = (worlds(&result.result), worlds(&source.clip));
        let worst = is.iter().zip(&truth).flat_map(|(a, b)| {
            let pairs: Vec<f64> =
                a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm() * cm).collect();
            pairs
        });
        let worst = worst.fold(0.0, f64::max);
        assert!(worst < 1e-6, "{name}: off by {worst} cm");
    }
}

#[test]
fn a_snake_of_more_joints_lies_where_the_snake_lies() {
    let [name, from, to] = SAMPLES[2];
    let (source, to) = (clip(name), target(to));
    let result = retargeted(&source, written(from), &to, FootPlants::Auto);
    let scale = result.binding.scale;
    for (a, b) in worlds(&source.clip).iter().zip(worlds(&result.result)) {
        let tail = source.clip.skeleton().joints().last().expect("a tail").end_sites[0];
        let tip = a.point(JointId::new(a.positions.len() - 1), tail);
        let line: Vec<Vec3> = a.positions.iter().chain([&tip]).map(|p| p * scale).collect();
        for place in &b.positions {
            let to_line = line.windows(2).map(|two| {
                let (start, way) = (two[0], two[1] - two[0]);
                let along = way.dot(&(place - start)) / way.norm_squared().max(1e-300);
                (start + way * along.clamp(0.0, 1.0) - place).norm()
            });
            let off = to_line.fold(f64::INFINITY, f64::min) / to.rig.leg_len;
            assert!(off < 0.01, "off by {off} of its length");
        }
    }
}

#[test]
fn a_described_creature_gives_the_same_bytes() {
    for [name, from, _] in SAMPLES {
        let source = clip(name);
        let settings = Settings::default();
        let loaded = convert::source_rig(&source, written(from)).expect("a rig");
        let text = describe(&Description {
            skeleton: &loaded.rig.skeleton,
            source: SkeletonSource::Joints,
            recognised: &loaded.recognised,
            rig: Some(&loaded.rig),
            floor: None,
        });
        let again = RigFile::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let bytes = |written: RigFile, to: &LoadedRig| {
            let result = convert::convert(&source, written, to, &settings).expect("a result");
            result.result.bvh_bytes(&settings)
        };
        let as_target = rig_of(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let plain = Rewritten::new(source.clip.skeleton(), written(from)).load();
        let once = bytes(written(from), &plain);
        assert!(once == bytes(again, &plain), "{name}: as a source\n{text}");
        assert!(once == bytes(written(from), &as_target), "{name}: as a target\n{text}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused_with_the_way_out() {
    let dog = std::fs::read_to_string(path("hound.toml")).expect("readable");
    let snake = std::fs::read_to_string(path("python.toml")).expect("readable");
    let refused = |text: String| match rig_of(&text) {
        Ok(_) => panic!("taken:\n{text}"),
        Err(error) => error.to_string(),
    };
    for (text, said) in [
        (snake.replace("faces = \"z\"\n", ""), "write `faces` into skeleton.toml"),
        (snake.replace("up = \"y\"\n", ""), "write `up` into skeleton.toml"),
        (
            dog.replace("\"femur_l\", \"tibia_l\"", "\"tibia_l\", \"femur_l\""),
            "\"femur_l\" does not hang below \"tibia_l\"",
        ),
        (dog.replace("\"femur_l\", ", "\"tibia_l\", "), "has a role already"),
        (dog.replace("[chains.tail]", "[chains.front_left]"), "one name is one leg or one chain"),
        (dog.replace("[chains.tail]", "[chains.Tail]"), "named with up to 31 of a to z"),
        (dog.replace("up = \"z\"", "up = \"-z\""), "does not stand in the stance"),
    ] {
        let error = refused(text);
        assert!(error.contains(said), "{error}");
    }
    let error = convert::convert(
        &clip("dog_trot"),
        written("dog"),
        &target("tarantula"),
        &Settings::default(),
    );
    let error = error.expect_err("no leg in common").to_string();
    assert!(error.contains("no leg in common: the source has front_left, "), "{error}");
}
