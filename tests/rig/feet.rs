//! Soles of the two feet of one body.

use crate::common;
use crate::equivalent::{Original, originals, rig_of, samples};
use crate::rewrite::world;
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::math::Quat;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Foot, Rig, Role, Side, StanceOrigin};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// How much the way from the ankle to the ball leads down from the sole, degrees.
fn slopes_deg(rig: &Rig) -> [f64; 2] {
    [0, 1].map(|i| (rig.feet[i].ball.angle(&rig.feet[i].up) - FRAC_PI_2).to_degrees())
}

/// The first frame of a clip held for two seconds, with one leg raised and its foot pointed by an angle.
fn on_one_leg(o: &Original, side: Side, pointed_rad: f64) -> Clip {
    const RAISED_RAD: f64 = 0.7;
    let Original { clip, rig, .. } = o;
    let mut pose = clip.pose(0);
    let left = {
        let world = world(clip, 0);
        let at = |side| world.position(rig.joint(Role::Thigh(side)).expect("a leg"));
        (at(Side::Left) - at(Side::Right)).normalize()
    };
    let turns = [
        (Role::Thigh(side), -RAISED_RAD),
        (Role::Shin(side), RAISED_RAD),
        (Role::Foot(side), pointed_rad),
    ];
    for (role, angle_rad) in turns {
        let id = rig.joint(role).expect("a leg");
        let world = WorldPose::of(clip.skeleton(), &pose);
        let parent = clip.skeleton().parent(id).map_or(Quat::identity(), |p| world.rotation(p));
        let turn = parent.inverse() * Quat::from_scaled_axis(left * angle_rad) * parent;
        pose.rotations[id.index()] = turn * pose.rotations[id.index()];
    }
    let mut held = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
    (0..60).for_each(|_| held.push_pose(&pose));
    held
}

#[test]
fn a_foot_that_is_held_up_has_the_sole_of_the_one_that_stands() {
    const MOST_DEG: f64 = 1.0;
    // Those of which both feet stand flat in the first frame.
    let standing = ["samples/jump", "samples/mixamo_style/walk", "samples/z_up_style/stairs"];
    for o in originals(Path::new(env!("CARGO_MANIFEST_DIR")), &standing, 2) {
        for side in Side::BOTH {
            for pointed_rad in [0.35, 0.45, 0.55] {
                let clip = on_one_leg(&o, side, pointed_rad);
                let rig = rig_of(&clip).unwrap_or_else(|e| panic!("{}: {e}", o.name)).rig;
                let [left, right] = slopes_deg(&rig);
                let what = format!("{}, {side:?} pointed by {pointed_rad} rad", o.name);
                assert!((left - right).abs() < MOST_DEG, "{what}: {left:.1}° and {right:.1}°");
            }
        }
    }
}

/// A clip with one foot of its rig tilted by the same angles in every frame, along and across it.
fn tilted(clip: &Clip, foot: &Foot, [along_rad, across_rad]: [f64; 2]) -> Clip {
    let left = foot.up.cross(&foot.ahead);
    let turn = Quat::from_scaled_axis(left * along_rad + foot.ahead * across_rad);
    let mut tilted = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let mut pose = clip.pose(frame);
        pose.rotations[foot.ankle.index()] *= turn;
        tilted.push_pose(&pose);
    }
    tilted
}

/// Actors roll and slope their feet by some degrees, each time otherwise.
#[test]
fn a_zero_pose_that_stands_says_how_its_feet_lie_whatever_an_actor_does() {
    const MOST_DEG: f64 = 1.0;
    let tilts_deg = [[6.0, 0.0], [-6.0, 0.0], [0.0, 6.0], [0.0, -6.0]];
    let mut bodies = 0;
    let stands = |o: &Original| o.rig.stance.origin == StanceOrigin::Rest;
    for o in samples(120).into_iter().filter(stands) {
        bodies += 1;
        for (foot, tilt_deg) in o.rig.feet.iter().flat_map(|foot| tilts_deg.map(|t| (foot, t))) {
            let clip = tilted(&o.clip, foot, tilt_deg.map(f64::to_radians));
            let rig = rig_of(&clip).unwrap_or_else(|e| panic!("{}: {e}", o.name)).rig;
            for (found, foot) in rig.feet.iter().zip(&o.rig.feet) {
                let off = found.up.angle(&foot.up).to_degrees();
                let what = format!("{}, {} foot, tilted by {tilt_deg:?}°", o.name, foot.name);
                assert!(off < MOST_DEG, "{what}: {off:.1}°");
            }
        }
    }
    assert!(bodies >= 4, "{bodies} bodies");
}

#[test]
fn the_two_feet_of_every_real_body_have_like_soles() {
    const MOST_DEG: f64 = 20.0;
    let Some(dir) = common::mocap_dir() else { return };
    let mut bodies = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let Ok(found) = rig_of(&file.clip) else { continue };
        let [left, right] = slopes_deg(&found.rig);
        assert!((left - right).abs() < MOST_DEG, "{name}: {left:.1}° and {right:.1}°");
        bodies += 1;
    }
    assert!(bodies >= 40, "{bodies} bodies");
}

/// Clips of one hierarchy with the same bones show the same soles, whether their stance is a frame of the file or what
/// standing frames have in common, or a zero pose that holds the feet far from flat. A clip that holds its legs as the zero
/// pose has them shows nothing.
#[test]
fn all_real_clips_of_one_hierarchy_have_the_same_soles() {
    const MOST_DEG: f64 = 1.0;
    /// As a share of a leg.
    const SAME_BONES: f64 = 1e-3;
    let Some(dir) = common::mocap_dir() else { return };
    let shows = |clip: &Clip, rig: &Rig| {
        let legs = || rig.feet.iter().flat_map(|foot| &foot.leg);
        (0..clip.len())
            .any(|frame| legs().any(|id| clip.rotations(frame)[id.index()].angle() > 1e-6))
    };
    let rigs = common::mocap_clips(&dir).into_iter().filter_map(|(name, bytes)| {
        let clip = bvh::read(&bytes).ok()?.clip;
        let rig = rig_of(&clip).ok()?.rig;
        shows(&clip, &rig).then_some((name, rig))
    });
    let rigs: Vec<(String, Rig)> = rigs.collect();
    let same = |a: &Rig, b: &Rig| {
        let joints = || a.skeleton.joints().iter().zip(b.skeleton.joints());
        a.skeleton.len() == b.skeleton.len()
            && joints().all(|(a, b)| a.name == b.name && a.parent == b.parent)
            && joints().skip(1).all(|(a_joint, b_joint)| {
                (a_joint.offset - b_joint.offset).norm() < SAME_BONES * a.leg_len
            })
    };
    let (mut pairs, mut worst) = (0, 0.0f64);
    for (i, (a_name, a)) in rigs.iter().enumerate() {
        for (b_name, b) in rigs[..i].iter().filter(|(_, b)| same(a, b)) {
            for (one, other) in a.feet.iter().zip(&b.feet) {
                let off = one.up.angle(&other.up).to_degrees();
                assert!(off < MOST_DEG, "{a_name} and {b_name}, {} foot: {off:.2}°", one.name);
                worst = worst.max(off);
                pairs += 1;
            }
        }
    }
    println!("{pairs} pairs of feet, at worst {worst:.2}°");
    assert!(pairs >= 14, "{pairs} pairs of feet");
}
