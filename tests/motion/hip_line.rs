//! Hips that are wide for their legs lean as far as their source's, in leg lengths.

use crate::equivalent;
use crate::strangers::{Lengths, Limits, Stance, Stranger};
use retarget::internals::binding::Binding;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Rig, Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{Joint, JointId, Skeleton};
use retarget::internals::transfer::transfer;

/// A person with these hips and legs, in times those of a plain one.
fn person(hips: f64, legs: f64) -> LoadedRig {
    let lengths = Lengths { thigh: legs, shin: legs, hips, ..Lengths::PLAIN };
    let plain = Stranger::new(3);
    Stranger { lengths, limits: Limits::None, stance: Stance::T, ..plain }.rig()
}

/// How much higher the left hip joint is than the right one in a frame, in legs, and the sine of the lean.
fn lean(rig: &Rig, clip: &Clip, frame: usize) -> [f64; 2] {
    let world = WorldPose::of(&rig.skeleton, &clip.pose(frame));
    let hip = |side| world.position(rig.joint(Role::Thigh(side)).expect("a person's thigh"));
    let line = hip(Side::Left) - hip(Side::Right);
    let height = rig.up.height(line);
    [height / rig.leg_len, height / line.norm()]
}

/// The person with a joint between the hips and both legs.
fn with_lower_body(person: &LoadedRig) -> LoadedRig {
    let (rig, skeleton) = (&person.rig, &person.rig.skeleton);
    let thighs = Side::BOTH.map(|side| rig.joint(Role::Thigh(side)).expect("a thigh"));
    let is_leg =
        |id: &JointId| thighs.iter().any(|top| id == top || skeleton.is_ancestor(*top, *id));
    let (legs, others): (Vec<_>, Vec<_>) = skeleton.ids().skip(1).partition(is_leg);
    let [hips, lower] = [0, 1].map(JointId::new);
    let mut joints = vec![skeleton.joint(hips).clone()];
    joints.push(Joint::new("LowerBody", Some(hips), Vec3::zeros()));
    let mut places = vec![hips; skeleton.len()];
    for id in legs.into_iter().chain(others) {
        places[id.index()] = JointId::new(joints.len());
        let mut joint = skeleton.joint(id).clone();
        let parent = joint.parent.map(|parent| places[parent.index()]);
        joint.parent = if thighs.contains(&id) { Some(lower) } else { parent };
        joints.push(joint);
    }
    let skeleton = Skeleton::new(joints).expect("a tree");
    let mut clip = Clip::new(skeleton.clone(), sample("walk").1.frame_time().clone());
    clip.push_pose(&Pose::rest(&skeleton));
    equivalent::target(&clip, true).expect("a person")
}

fn sample(name: &str) -> (LoadedRig, Clip) {
    let path = format!("samples/{name}.bvh");
    let rig = LoadedRig::load(&path).expect("a sample");
    (rig, SourceClip::load(path).expect("a sample").clip)
}

#[test]
fn hips_of_any_width_stand_as_high_over_each_other_as_the_sources() {
    for name in ["walk", "turn", "lafan_style/walk"] {
        let (source, clip) = sample(name);
        let bodies = [[1.3, 1.0], [2.0, 1.0], [1.0, 0.5], [1.8, 0.4]];
        for [hips, legs] in bodies {
            let case = format!("{name}, hips x {hips}, legs x {legs}");
            lean_alike(&case, &source, &clip, &person(hips, legs));
        }
        // Both legs hang on one joint that follows a source's.
        let plain = with_lower_body(&person(1.0, 1.0));
        let binding = Binding::between(&source, &plain, &Settings::default()).expect("a pair");
        let target = with_lower_body(&person(1.8, 0.6));
        lean_alike(&format!("{name}, a lower body"), &plain, &transfer(&clip, &binding), &target);
    }
}

/// Checks that the hips of a clip and of what it becomes lean alike.
fn lean_alike(case: &str, source: &LoadedRig, clip: &Clip, target: &LoadedRig) {
    let binding = Binding::between(source, target, &Settings::default()).expect("a pair");
    let result = transfer(clip, &binding);
    let mut most: f64 = 0.0;
    for frame in 0..clip.len() {
        let [was, sine] = lean(&binding.source, clip, frame);
        let [is, _] = lean(&binding.target, &result, frame);
        assert!(sine.abs() < 0.1, "{case}: the source's hips lean by {sine} in {frame}");
        assert!((is - was).abs() < 1e-3, "{case}: {is} instead of {was} legs in {frame}");
        most = most.max(was.abs());
    }
    // Hips that hardly lean would show nothing.
    assert!(most > 8e-3, "{case}: hips lean by at most {most} legs");
}

#[test]
fn a_pelvis_that_turns_over_evenly_never_jumps() {
    let (source, walk) = sample("walk");
    let mut rolling = Clip::new(walk.skeleton().clone(), walk.frame_time().clone());
    let hips = source.rig.joint(Role::Hips).expect("hips").index();
    for degrees in 0..=360 {
        let mut pose = walk.pose(0);
        let roll = Quat::from_scaled_axis(Vec3::z() * f64::from(degrees).to_radians());
        pose.rotations[hips] = roll * pose.rotations[hips];
        rolling.push_pose(&pose);
    }
    let target = person(2.0, 0.35);
    let binding = Binding::between(&source, &target, &Settings::default()).expect("a pair");
    let result = transfer(&rolling, &binding);
    let rig = &binding.target;
    let hips = rig.joint(Role::Hips).expect("hips");
    let turn = |frame| WorldPose::of(&rig.skeleton, &result.pose(frame)).rotation(hips);
    let steps: Vec<f64> = (0..360).map(|f| turn(f).angle_to(&turn(f + 1)).to_degrees()).collect();
    let most = steps.iter().copied().fold(0.0, f64::max);
    assert!(most < 3.0, "{most} degrees for 1");
    assert!(steps[0] < 0.3, "an upright pelvis rolls by {} degrees for 1", steps[0]);
    // On its side it lies as the source's.
    let [_, source_sine] = lean(&binding.source, &rolling, 90);
    let [_, sine] = lean(rig, &result, 90);
    assert!(source_sine.abs() > 0.99 && (sine - source_sine).abs() < 1e-3, "{sine}");
}
