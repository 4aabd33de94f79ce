//! Frames one at a time: feet that stand stay, nothing jumps, and a stream is what its poses make it.

use crate::counting::allocations;
use nalgebra::Unit;
use retarget::internals::binding::Binding;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::live::{Retargeter, Stands};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{FootId, RigFile, Role};
use retarget::internals::settings::Settings;
use retarget::internals::transfer::{Transfer, TransferScratch};
use std::path::Path;
use std::sync::Arc;

fn load(path: &str) -> LoadedRig {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(path);
    convert::LoadedRig::load(&path).expect("a sample")
}

fn clip(path: &str) -> Clip {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(path);
    let bytes = std::fs::read(path).expect("a sample");
    retarget::internals::bvh::read(&bytes).expect("a sample").clip
}

fn binding(source: &str, target: &str) -> Arc<Binding> {
    let settings = Default::default();
    let binding = Binding::new(load(source).rig, load(target).rig, &settings);
    Arc::new(binding.expect("people both"))
}

const CLIPS: [&str; 5] =
    ["walk.bvh", "run.bvh", "turn.bvh", "cmu_style/walk.bvh", "lafan_style/walk.bvh"];
const TARGETS: [&str; 4] =
    ["skeletons/hero.toml", "skeletons/stocky.toml", "skeletons/child.toml", "walk.bvh"];

/// Retargets a clip as a stream, and shows each frame of it.
fn stream(clip: &Clip, binding: &Arc<Binding>, mut see: impl FnMut(usize, &Retargeter, &Pose)) {
    let seconds = clip.frame_time().seconds();
    let mut retargeter = Retargeter::new(binding.clone(), &Settings::default(), seconds);
    let mut result = Pose::rest(&binding.target.skeleton);
    for frame in 0..clip.len() {
        retargeter.frame(&clip.pose(frame), &mut result);
        see(frame, &retargeter, &result);
    }
}

/// Where the ball of a foot is, target world.
fn ball(binding: &Binding, retargeter: &Retargeter, foot: FootId) -> Vec3 {
    binding.target.foot(foot).sole_world(retargeter.world())[1]
}

#[test]
fn balls_that_stand_stay_where_they_came_down() {
    for (source, target) in CLIPS.iter().flat_map(|c| TARGETS.map(|t| (*c, t))) {
        let (clip, binding) = (clip(source), binding(source, target));
        let up = binding.target.up.vector();
        let mut anchors: Vec<Option<Vec3>> = vec![None; binding.target.feet.len()];
        let (mut standing, mut worst) = (0, 0.0f64);
        stream(&clip, &binding, |_, retargeter, _| {
            for foot in binding.target.foot_ids() {
                let stands = retargeter.stands()[foot.index()].ball;
                let anchor = &mut anchors[foot.index()];
                *anchor = stands.then(|| {
                    let at = ball(&binding, retargeter, foot);
                    let anchor = anchor.unwrap_or(at);
                    let way = at - anchor;
                    worst = worst.max((way - up * up.dot(&way)).norm());
                    standing += 1;
                    anchor
                });
            }
        });
        let share = worst / binding.target.leg_len;
        assert!(share < 1e-4, "{source} on {target}: a ball strays by {share} of a leg");
        assert!(standing > clip.len() / 3, "{source}: balls stand in {standing} frames only");
    }
}

/// However little it is lifted: a foot that is pitched by 9° holds its heel 3 cm over its ball.
#[test]
fn a_lifted_heel_does_not_stand_and_its_ball_does() {
    let binding = binding("walk.bvh", "skeletons/hero.toml");
    for (pitch_rad, heel) in [(0.0, true), (0.15, false)] {
        let mut pose = binding.source.stance.local.clone();
        for foot in &binding.source.feet {
            let axis = Unit::new_normalize(foot.up.cross(&foot.ahead));
            pose.rotations[foot.ankle.index()] *= Quat::from_axis_angle(&axis, pitch_rad);
        }
        let mut retargeter = Retargeter::new(binding.clone(), &Settings::default(), 0.02);
        let mut result = Pose::rest(&binding.target.skeleton);
        (0..20).for_each(|_| retargeter.frame(&pose, &mut result));
        let feet = Stands { heel, ball: true };
        assert_eq!(retargeter.stands(), [feet; 2], "pitched by {pitch_rad}");
    }
}

#[test]
fn feet_leave_and_come_down_without_a_jump() {
    for (source, target) in CLIPS.iter().flat_map(|c| TARGETS.map(|t| (*c, t))) {
        let (clip, binding) = (clip(source), binding(source, target));
        let transfer = Transfer::new(&*binding);
        let mut transferred = TransferScratch::new(&binding);
        let mut before: Option<Vec<Vec3>> = None;
        let seconds = clip.frame_time().seconds();
        let mut fastest = 0.0f64;
        stream(&clip, &binding, |frame, retargeter, _| {
            transfer.frame(&clip, frame, &mut transferred);
            let feet = binding.target.feet.iter().map(|foot| foot.ankle);
            let joints = feet.chain(binding.target.joint(Role::Hips));
            let off = |id| retargeter.world().position(id) - transferred.world.position(id);
            let offs: Vec<Vec3> = joints.map(off).collect();
            for (now, before) in offs.iter().zip(before.iter().flatten()) {
                fastest = fastest.max((now - before).norm() / seconds);
            }
            before = Some(offs);
        });
        // As fast as a foot of another length has to slide against the transferred one.
        let speed = fastest / binding.target.leg_len;
        assert!(speed < 3.0, "{source} on {target}: jumps at {speed} legs a second");
    }
}

#[test]
fn the_verdict_is_near_that_on_a_whole_clip() {
    for (source, target) in CLIPS.iter().flat_map(|c| TARGETS.map(|t| (*c, t))) {
        let (clip, binding) = (clip(source), binding(source, target));
        let skeleton = binding.target.skeleton.clone();
        let mut result = Clip::new(skeleton, clip.frame_time().clone());
        stream(&clip, &binding, |_, _, pose| result.push_pose(pose));
        let named = |clip: Clip| SourceClip::new(source, clip);
        // A stream knows no floor before its feet have stood.
        let settings = Settings { keep_floor: true, ..Settings::default() };
        let clip = named(clip);
        let target_rig = || load(target);
        let whole = convert::convert(&clip, RigFile::default(), &target_rig(), &settings);
        let whole = whole.expect("a sample").report;
        let found = convert::check(
            &clip,
            RigFile::default(),
            &named(result),
            Some(target_rig()),
            &settings,
        );
        let found = found.expect("a result").report;
        // As a whole clip's in what is held; a foot is put on the floor once it has come to stand.
        let numbers = [
            ("drift", found.plant_drift_cm.value, whole.plant_drift_cm.value, 0.05),
            ("skate", found.skate_cm_s.value, whole.skate_cm_s.value, 0.1),
            ("penetration", found.penetration_cm.value, whole.penetration_cm.value, 1.0),
            ("float", found.float_cm.value, whole.float_cm.value, 0.7),
            ("direction", found.limb_direction_deg.value, whole.limb_direction_deg.value, 0.8),
            ("jerk", found.jerk_ratio.value, whole.jerk_ratio.value, 0.9),
        ];
        for (name, live, whole, more) in numbers {
            assert!(live <= whole + more, "{source} on {target}: {name} {live}, not {whole}");
        }
    }
}

#[test]
fn without_feet_that_stand_it_is_the_transfer() {
    for target in TARGETS {
        let (clip, binding) = (clip("walk.bvh"), binding("walk.bvh", target));
        let transfer = Transfer::new(&*binding);
        let mut transferred = TransferScratch::new(&binding);
        let seconds = clip.frame_time().seconds();
        let mut retargeter = Retargeter::new(binding.clone(), &Settings::default(), seconds);
        let mut result = Pose::rest(&binding.target.skeleton);
        let stands = vec![Stands::default(); binding.target.feet.len()];
        for frame in 0..clip.len() {
            retargeter.frame_with(&clip.pose(frame), &stands, 0.0, &mut result);
            transfer.frame(&clip, frame, &mut transferred);
            if binding.target.limits.is_empty() {
                assert_eq!(result, transferred.pose, "{target}, frame {frame}");
                assert_eq!(*retargeter.world(), transferred.world);
            }
            // Limits that nothing exceeds leave rounding alone.
            for (found, truth) in result.rotations.iter().zip(&transferred.pose.rotations) {
                assert!(found.angle_to(truth) < 1e-6, "{target}, frame {frame}");
            }
        }
    }
}

#[test]
fn a_reset_begins_anew_and_a_frame_with_a_nan_is_passed_over() {
    let (clip, binding) = (clip("walk.bvh"), binding("walk.bvh", "skeletons/stocky.toml"));
    let mut once = Vec::new();
    stream(&clip, &binding, |_, _, result| once.push(result.clone()));
    let seconds = clip.frame_time().seconds();
    let mut retargeter = Retargeter::new(binding.clone(), &Settings::default(), seconds);
    let mut result = Pose::rest(&binding.target.skeleton);
    for frame in 20..90 {
        retargeter.frame(&clip.pose(frame), &mut result);
    }
    retargeter.reset();
    let mut broken = clip.pose(0);
    broken.translations[0].y = f64::NAN;
    for (frame, truth) in once.iter().enumerate() {
        retargeter.frame(&clip.pose(frame), &mut result);
        assert_eq!(result, *truth, "frame {frame}");
        retargeter.frame(&broken, &mut result);
        assert_eq!(result, *truth, "frame {frame} after one that is passed over");
    }
}

#[test]
fn a_frame_allocates_nothing() {
    let (clip, binding) = (clip("walk.bvh"), binding("walk.bvh", "skeletons/hero.toml"));
    let mut retargeter = Retargeter::new(binding.clone(), &Settings::default(), 1.0 / 60.0);
    let mut result = Pose::rest(&binding.target.skeleton);
    let mut pose = clip.pose(0);
    let count = allocations(|| {
        for frame in 0..clip.len() {
            clip.read_pose(frame, &mut pose);
            retargeter.frame(&pose, &mut result);
        }
    });
    assert_eq!(count, 0);
}
