//! A pelvis that tilts where the stated limits of its hip joints do not let thighs fold so far.

use crate::limits::{assert_good, hero_within, on};
use retarget::internals::binding::Binding;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::plant::FootPlants;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Rig, Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::transfer::transfer;

fn rotation(rig: &Rig, world: &WorldPose, role: Role) -> Quat {
    world.rotation(rig.joint(role).expect("a person's joint"))
}

/// The direction from hip to knee.
fn thigh(rig: &Rig, world: &WorldPose, side: Side) -> Vec3 {
    let [hip, knee] =
        [Role::Thigh(side), Role::Shin(side)].map(|role| rig.joint(role).expect("a leg"));
    (world.position(knee) - world.position(hip)).normalize()
}

/// Who stands as in the first frame of a sample and bows about the hip joints, a degree more in every frame.
fn bows() -> (LoadedRig, Clip) {
    let source = LoadedRig::load("samples/walk.bvh").expect("a sample");
    let walk = SourceClip::load("samples/walk.bvh").expect("a sample").clip;
    let mut clip = Clip::new(walk.skeleton().clone(), walk.frame_time().clone());
    let index = |role| source.rig.joint(role).expect("a person's joint").index();
    let [hips, thighs] = [vec![Role::Hips], Side::BOTH.map(Role::Thigh).to_vec()]
        .map(|roles| -> Vec<usize> { roles.into_iter().map(index).collect() });
    for degrees in 0..=360 {
        let mut pose = walk.pose(0);
        let was = pose.rotations[hips[0]];
        let bow = Quat::from_scaled_axis(Vec3::x() * f64::from(degrees).to_radians());
        pose.rotations[hips[0]] = bow * was;
        for &thigh in &thighs {
            pose.rotations[thigh] = (bow * was).inverse() * was * pose.rotations[thigh];
        }
        clip.push_pose(&pose);
    }
    (source, clip)
}

#[test]
fn who_cannot_bow_so_far_bends_the_spine_and_keeps_legs_and_chest() {
    let (source, clip) = bows();
    let [free, tilted] = [hero_within(&[]), hero_within(&[("UpLeg", 60.0, 60.0)])].map(|target| {
        let binding = Binding::between(&source, &target, &Settings::default()).expect("a pair");
        (transfer(&clip, &binding), binding.target)
    });
    let world = |(clip, rig): &(Clip, Rig), frame| WorldPose::of(&rig.skeleton, &clip.pose(frame));
    let rig = &free.1;
    let chest = (1..).map(Role::Spine).take_while(|role| rig.joint(*role).is_some()).last();
    let chest = chest.expect("a spine");
    let tilt_deg = |frame| {
        let [was, is] = [&free, &tilted].map(|result| world(result, frame));
        let [was, is] = [was, is].map(|world| rotation(rig, &world, Role::Hips));
        was.angle_to(&is).to_degrees()
    };
    for frame in 0..=130 {
        let [was, is] = [&free, &tilted].map(|result| world(result, frame));
        for side in Side::BOTH {
            let off = thigh(rig, &was, side).angle(&thigh(rig, &is, side)).to_degrees();
            assert!(off < 3.0, "a thigh {off} degrees away in a bow of {frame}");
        }
        let off = rotation(rig, &was, chest).angle_to(&rotation(rig, &is, chest));
        assert!(off < 1e-9, "the chest turned by {off} in a bow of {frame}");
    }
    assert!(tilt_deg(30) < 1e-6, "who bows a little tilts by {} degrees", tilt_deg(30));
    assert!((tilt_deg(120) - 60.0).abs() < 15.0, "{} degrees in a bow of 120", tilt_deg(120));
    // Half a turn away nothing jumps either.
    for frame in 0..360 {
        let [from, to] = [frame, frame + 1].map(|frame| world(&tilted, frame));
        let step = rotation(rig, &from, Role::Hips).angle_to(&rotation(rig, &to, Role::Hips));
        assert!(step.to_degrees() < 6.0, "{} degrees for 1 after {frame}", step.to_degrees());
    }
}

#[test]
fn feet_stand_where_hip_joints_fold_less_than_the_sources() {
    let target = hero_within(&[("UpLeg", 50.0, 60.0)]);
    for name in ["crouch", "sit", "lafan_style/crouch", "stairs", "run"] {
        let source = SourceClip::load(format!("samples/{name}.bvh")).expect("a sample");
        let report = on(&source, &target, FootPlants::Auto).report;
        let numbers = ["plant_drift_cm", "skate_cm_s", "penetration_cm", "snap_deg"];
        assert_good(name, &report, &numbers);
        assert_eq!(report.joint_limits_ratio.value, 0.0, "{name}: {:?}", report.joint_limits_ratio);
    }
}
