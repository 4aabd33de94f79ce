//! The samples are what they say: people who move, with contacts known exactly.

mod clip;

use crate::generator;
use clip::{Sample, samples, samples_dir};
use retarget::internals::bvh;
use retarget::internals::math::Vec3;
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{RigFile, Role, Side};
use retarget::internals::skeleton::Skeleton;
use std::collections::BTreeMap;
use std::path::Path;

fn files_below(dir: &Path, found: &mut Vec<String>, top: &Path) {
    for entry in std::fs::read_dir(dir).expect("the folder can be listed") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, found, top);
        } else {
            let inside = path.strip_prefix(top).expect("inside").to_string_lossy().into_owned();
            found.push(inside.replace('\\', "/"));
        }
    }
}

#[test]
fn the_generator_writes_the_committed_bytes_and_nothing_else_lies_there() {
    let written: BTreeMap<String, Vec<u8>> = generator::files().into_iter().collect();
    let mut there = Vec::new();
    files_below(&samples_dir(), &mut there, &samples_dir());
    // Jobs for clusters are written by hand.
    there.retain(|path| !path.starts_with("slurm/"));
    there.sort();
    assert_eq!(there, written.keys().cloned().collect::<Vec<_>>());
    for (path, bytes) in &written {
        let committed = std::fs::read(samples_dir().join(path)).expect("a readable file");
        assert!(committed == *bytes, "samples/{path} is not what make_samples writes");
    }
    assert!(written.values().map(Vec::len).sum::<usize>() < 4 << 20, "samples stay small");
}

#[test]
fn every_clip_reads_without_a_repair() {
    for sample in samples() {
        assert_eq!(sample.repaired, 0, "{}", sample.name);
        assert_eq!(sample.clip.len(), sample.truth.frames, "{}", sample.name);
    }
}

#[test]
fn what_stands_does_not_move() {
    for sample in samples() {
        assert!(sample.truth.contacts.len() >= 4, "{}: contacts of both feet", sample.name);
        for contact in &sample.truth.contacts {
            let place = Vec3::from(contact.place);
            for frame in contact.first_frame..contact.end_frame {
                let point = sample.point(frame, &contact.foot, &contact.part);
                let off = (point - place).norm() / sample.truth.leg;
                let Sample { name, .. } = &sample;
                assert!(off < 1e-4, "{name} frame {frame} {contact:?}: off by {off} legs");
            }
        }
    }
}

#[test]
fn what_does_not_stand_is_lifted_or_moves() {
    for sample in samples() {
        let (leg, dt) = (sample.truth.leg, sample.clip.frame_time().seconds());
        for foot in ["left", "right"] {
            for part in ["heel", "ball"] {
                let stands = |frame: usize| {
                    let own = sample.truth.contacts.iter().filter(|c| c.foot == foot);
                    own.filter(|c| c.part == part)
                        .any(|c| (c.first_frame..c.end_frame).contains(&frame))
                };
                // A frame beside a contact may still be as good as standing: leave 0.05 s.
                let margin = (0.05 / dt).ceil() as usize;
                for frame in margin..sample.clip.len() - margin {
                    if (frame - margin..=frame + margin).any(stands) {
                        continue;
                    }
                    let point = sample.point(frame, foot, part);
                    let before = sample.point(frame - 1, foot, part);
                    let speed = (point - before).norm() / leg / dt;
                    let height = (sample.height(point) - sample.floor_under(point)) / leg;
                    let Sample { name, .. } = &sample;
                    assert!(
                        height > 0.01 || speed > 0.15,
                        "{name} frame {frame}: {foot} {part} at {height} legs, {speed} legs/s"
                    );
                }
            }
        }
    }
}

#[test]
fn no_sole_is_under_the_floor() {
    for sample in samples() {
        for frame in 0..sample.clip.len() {
            for foot in ["left", "right"] {
                for part in ["heel", "ball", "tip"] {
                    let point = sample.point(frame, foot, part);
                    let over = sample.height(point) - sample.floor_under(point);
                    let under = -over / sample.truth.leg;
                    let Sample { name, .. } = &sample;
                    assert!(under < 1e-4, "{name} frame {frame}: {foot} {part} {under} legs under");
                }
            }
        }
    }
}

#[test]
fn knees_bend_forwards_and_never_lock() {
    let body = generator::sample_body();
    for motion in generator::motions() {
        for step in 0..=(motion.duration * 240.0) as usize {
            let t = step as f64 / 240.0;
            let posture = motion.posture(&body, t);
            let place = |role: Role| posture.places[body.index(role)];
            let left = place(Role::Thigh(Side::Left)) - place(Role::Thigh(Side::Right));
            for side in Side::BOTH {
                let thigh = place(Role::Shin(side)) - place(Role::Thigh(side));
                let shin = place(Role::Foot(side)) - place(Role::Shin(side));
                let bend_deg = thigh.angle(&shin).to_degrees();
                let forwards = thigh.cross(&shin).normalize().dot(&left.normalize());
                let at = format!("{} at {t:.3} s, {side:?}", motion.name);
                assert!((4.0..150.0).contains(&bend_deg), "{at}: bent by {bend_deg}°");
                assert!(forwards > 0.5, "{at}: bends about {forwards} of the body's left");
            }
        }
    }
}

#[test]
fn every_style_says_the_same_motion() {
    let (body, motions) = (generator::sample_body(), generator::motions());
    let mut compared = 0;
    for rig in generator::styles::styles(&body) {
        for motion in motions.iter().filter(|motion| rig.motions.contains(&motion.name)) {
            let path = rig.path(motion);
            let sample = Sample::read(&path);
            for frame in 0..sample.clip.len() {
                let t = frame as f64 * sample.clip.frame_time().seconds();
                let posture = motion.posture(&body, t);
                for (joint, place) in rig.joints.iter().zip(&sample.world(frame).positions) {
                    let truth = posture.point(&body, body.index(joint.role), joint.place);
                    let off = (place - rig.place(truth)).norm() / sample.truth.leg;
                    assert!(off < 1e-5, "{path} frame {frame} {}: off by {off} legs", joint.name);
                }
            }
            compared += 1;
        }
    }
    assert_eq!(compared, samples().len());
}

#[test]
fn in_flight_the_hips_fall_freely() {
    let mut flights = 0;
    for sample in samples() {
        let Sample { name, .. } = &sample;
        let dt = sample.clip.frame_time().seconds();
        let gravity = generator::motion::GRAVITY * sample.truth.units_in_a_metre;
        assert_eq!(
            sample.truth.flights.is_empty(),
            !name.ends_with("run") && !name.ends_with("jump"),
            "{name}"
        );
        for flight in &sample.truth.flights {
            for contact in &sample.truth.contacts {
                let apart = contact.end_frame <= flight.first_frame
                    || contact.first_frame >= flight.end_frame;
                assert!(apart, "{name}: {contact:?} in {flight:?}");
            }
            for frame in flight.first_frame + 1..flight.end_frame.saturating_sub(1) {
                let [before, now, after] =
                    [frame - 1, frame, frame + 1].map(|f| sample.clip.translations(f)[0]);
                let pull = (before + after - now * 2.0) / (dt * dt) + sample.up() * gravity;
                assert!(
                    pull.norm() < 1e-3 * gravity,
                    "{name} frame {frame}: {} of gravity is not gravity",
                    pull.norm() / gravity
                );
            }
            flights += 1;
        }
    }
    assert!(flights >= 10, "only {flights} flights");
}

#[test]
fn walk_and_run_have_their_speed() {
    for (name, speed) in [("walk", 1.3), ("run", 3.0), ("cmu_style/walk", 1.3)] {
        let sample = Sample::read(name);
        // From one landing of the left heel in the middle of the clip to the next.
        let landings: Vec<usize> = sample
            .truth
            .contacts
            .iter()
            .filter(|c| c.foot == "left" && c.part == "heel" && c.first_frame > 0)
            .map(|c| c.first_frame)
            .collect();
        let [start, end] = [landings[0], landings[1]];
        let way = sample.clip.translations(end)[0] - sample.clip.translations(start)[0];
        let seconds = (end - start) as f64 * sample.clip.frame_time().seconds();
        let found = way.norm() / sample.truth.units_in_a_metre / seconds;
        assert!((found - speed).abs() < 0.05 * speed, "{name}: {found} m/s");
    }
}

#[test]
fn arms_swing_against_the_legs() {
    let body = generator::sample_body();
    for motion in generator::motions() {
        if !["walk", "run", "stairs"].contains(&motion.name) {
            continue;
        }
        for side in Side::BOTH {
            let mut covariance = 0.0;
            for step in 0..(motion.duration * 60.0) as usize {
                let posture = motion.posture(&body, step as f64 / 60.0);
                let ahead = |a: Role, b: Role| {
                    (posture.places[body.index(a)] - posture.places[body.index(b)]).z
                };
                let arm = ahead(Role::Hand(side), Role::UpperArm(side));
                let legs = ahead(Role::Foot(Side::Left), Role::Foot(Side::Right))
                    * generator::body::sign(side);
                covariance += (arm - 0.1) * legs;
            }
            assert!(covariance < 0.0, "{}: the {side:?} arm goes with its own leg", motion.name);
        }
    }
}

#[test]
fn the_hand_of_the_crouch_rests_on_the_floor() {
    for name in ["crouch", "lafan_style/crouch"] {
        let sample = Sample::read(name);
        let reach = sample.truth.reach.as_ref().expect("a hand reaches the floor");
        assert!(reach.end_frame > reach.first_frame + 10);
        for frame in reach.first_frame..reach.end_frame {
            let fingers = sample.point(frame, &reach.hand, "fingers");
            let off = (fingers - Vec3::from(reach.place)).norm() / sample.truth.leg;
            assert!(off < 1e-4, "{name} frame {frame}: off by {off} legs");
        }
        assert!(sample.height(Vec3::from(reach.place)).abs() < 1e-6 * sample.truth.leg);
    }
}

#[test]
fn the_knees_of_who_kneels_rest_on_the_floor() {
    let sample = Sample::read("kneel");
    let knees: Vec<&str> = sample.truth.kneels.iter().map(|kneel| kneel.knee.as_str()).collect();
    assert_eq!(knees, ["right", "left"]);
    for kneel in &sample.truth.kneels {
        assert!(kneel.end_frame > kneel.first_frame + 30);
        let joint = if kneel.knee == "left" { "LeftLowerLeg" } else { "RightLowerLeg" };
        let joint = sample.clip.skeleton().find(joint).expect("a knee");
        for frame in kneel.first_frame..kneel.end_frame {
            let knee = sample.world(frame).position(joint);
            let off = (knee - Vec3::from(kneel.place)).norm() / sample.truth.leg;
            assert!(off < 1e-4, "frame {frame}: {} off by {off} legs", kneel.knee);
        }
        let height = sample.height(Vec3::from(kneel.place)) / sample.truth.leg;
        assert!((0.05..0.07).contains(&height), "{height} legs of flesh");
    }
}

/// The skeleton of a target, and the contents of its `skeleton.toml` where it has one.
fn target(name: &str) -> (Skeleton, Option<RigFile>) {
    let dir = samples_dir().join("skeletons");
    let read_bvh = |file: &str| {
        let bytes = std::fs::read(dir.join(file)).expect("a readable file");
        bvh::read(&bytes).expect("a sound file").clip.skeleton().clone()
    };
    let Ok(text) = std::fs::read_to_string(dir.join(format!("{name}.toml"))) else {
        return (read_bvh(&format!("{name}.bvh")), None);
    };
    let file = RigFile::parse(&text).unwrap_or_else(|e| panic!("{name}.toml: {e}"));
    let skeleton = match &file.bvh {
        Some(path) => read_bvh(path),
        None => file.skeleton().expect("sound joints").expect("joints"),
    };
    (skeleton, Some(file))
}

#[test]
fn every_target_stands_on_its_floor() {
    for name in ["hero", "child", "long_legged", "stocky", "game"] {
        let (skeleton, file) = target(name);
        let world = WorldPose::of(&skeleton, &Pose::rest(&skeleton));
        let up = if name == "game" { Vec3::z() } else { Vec3::y() };
        let joints = skeleton.ids().map(|id| world.position(id));
        let ends = skeleton.ids().flat_map(|id| {
            let world = &world;
            skeleton.joint(id).end_sites.iter().map(move |&end| world.point(id, end))
        });
        let lowest = joints.chain(ends).map(|p| p.dot(&up)).fold(f64::INFINITY, f64::min);
        assert!(lowest.abs() < 1e-3, "{name}: the lowest point is at {lowest}");
        let Some(file) = file else { continue };
        let roles = file.roles(&skeleton).unwrap_or_else(|e| panic!("{name}: {e}")).roles;
        file.hints(&skeleton, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        for side in Side::BOTH {
            let joint = |role: Role| roles.joint(role).expect("feet have their roles");
            let (foot, toe) = (joint(Role::Foot(side)), joint(Role::Toe(side)));
            let sole = &file.feet[side.index()];
            for (joint, point) in [(foot, sole.heel), (toe, sole.toe)] {
                let point = world.point(joint, point.expect("all sole points are written"));
                assert!(point.dot(&up).abs() < 1e-3, "{name}: {side:?} sole at {point:?}");
            }
            let ball = world.point(foot, sole.ball.expect("all sole points are written"));
            let off = (ball - world.position(toe)).norm();
            assert!(off < 1e-3, "{name}: {side:?} ball off its toe joint by {off}");
        }
        if name == "game" {
            assert_eq!((roles.spine().len(), roles.len()), (5, 54));
        }
    }
}
