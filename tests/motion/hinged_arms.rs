//! Arms whose elbows are hinges and whose upper arms stop at their stated limits.

use crate::limits::{hero_within, hinge_elbows};
use retarget::internals::binding::Binding;
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::LoadedRig;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::transfer::transfer;

/// Who stands in the stance of a rig with elbows bent forwards and lowers the arms, a degree more in every frame.
fn lowers_bent_arms(rig: &LoadedRig, bend_deg: f64) -> Clip {
    let skeleton = rig.rig.skeleton.clone();
    let mut clip = Clip::new(skeleton, FrameTime::from_seconds(0.01).expect("a time"));
    let stance = rig.rig.stance.local.clone();
    for frame in 0..=90 {
        let mut pose = stance.clone();
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let turn = |role, axis: Vec3, degrees: f64| {
                let joint = rig.rig.joint(role).expect("an arm").index();
                (joint, Quat::from_scaled_axis(axis * -sign * degrees.to_radians()))
            };
            let lowered = turn(Role::UpperArm(side), Vec3::z(), f64::from(frame));
            let bent = turn(Role::Forearm(side), Vec3::y(), bend_deg);
            for (joint, turn) in [lowered, bent] {
                pose.rotations[joint] = turn * pose.rotations[joint];
            }
        }
        clip.push_pose(&pose);
    }
    clip
}

#[test]
fn a_forearm_keeps_its_direction_where_its_upper_arm_stops() {
    let hero = LoadedRig::load("samples/skeletons/hero.toml").expect("a sample");
    let mut target = hero_within(&[("Arm", 50.0, 180.0)]);
    hinge_elbows(&mut target);
    let binding = Binding::between(&hero, &target, &Settings::default()).expect("a pair");
    for bend_deg in [30.0, 60.0, 90.0, 120.0] {
        let source = lowers_bent_arms(&hero, bend_deg);
        let result = transfer(&source, &binding);
        for side in Side::BOTH {
            let joints = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
            let joints = joints.map(|role| hero.rig.joint(role).expect("an arm"));
            let mut stopped: f64 = 0.0;
            for frame in 0..source.len() {
                let bones = |clip: &Clip| {
                    let world = WorldPose::of(clip.skeleton(), &clip.pose(frame));
                    let [shoulder, elbow, hand] = joints.map(|joint| world.position(joint));
                    [elbow - shoulder, hand - elbow]
                };
                let [was, is] = [&source, &result].map(bones);
                let off = [0, 1].map(|bone| was[bone].angle(&is[bone]).to_degrees());
                stopped = stopped.max(off[0]);
                assert!(off[1] < 1.0, "{side:?}, {bend_deg} deg, frame {frame}: {} deg", off[1]);
            }
            assert!(stopped > 30.0, "the upper arm stopped only {stopped} deg before");
        }
    }
}
