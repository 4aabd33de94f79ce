//! A pelvis lies as its hip joints do, where these move in the frame of the hips.

use crate::common;
use crate::doubtful::Seed;
use crate::equivalent::{FAMILIES, Original, Written, errors, originals, samples};
use crate::rewrite::Rewritten;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Role, Side};

/// The hips turned anyhow in every frame, but not about the line between the hip joints, and all that hangs on them left
/// where it is in the world: the same motion. `None` where the hip joints lie in one place.
fn with_free_hips(o: &Original, seed: &mut Seed) -> Option<Rewritten> {
    let joint = |role| o.rig.joint(role).expect("a body");
    let hips = joint(Role::Hips);
    let mut other = Rewritten::of(&o.clip).with_positions(false);
    let skeleton = other.clip.skeleton().clone();
    let rest = WorldPose::of(&skeleton, &Pose::rest(&skeleton));
    let at = |side| rest.position(joint(Role::Thigh(side))) - rest.position(hips);
    let [left, right] = Side::BOTH.map(at);
    let across: Vec3 = left - right;
    if across.norm() < 0.3 * left.norm().max(right.norm()) {
        return None;
    }
    let line = across.normalize();
    let mut clip = Clip::new(skeleton.clone(), other.clip.frame_time().clone());
    for frame in 0..other.clip.len() {
        let mut pose = other.clip.pose(frame);
        let turn = seed.turn(0.6).scaled_axis();
        let by = Quat::from_scaled_axis(turn - line * line.dot(&turn));
        pose.rotations[hips.index()] *= by;
        for id in skeleton.children(hips) {
            let i = id.index();
            pose.rotations[i] = by.inverse() * pose.rotations[i];
            pose.translations[i] = by.inverse() * pose.translations[i];
        }
        clip.push_pose(&pose);
    }
    other.clip = clip;
    Some(other)
}

#[test]
fn a_pelvis_lies_as_hip_joints_do_that_move_in_its_frame() {
    const MOST_CM: f64 = 0.1;
    let Some(dir) = common::mocap_dir() else { return };
    let (mut cases, mut wrong, mut worst) = (0, Vec::new(), 0.0f64);
    for (i, o) in originals(&dir, &FAMILIES, 60).iter().chain(&samples(60)).enumerate() {
        let Some(other) = with_free_hips(o, &mut Seed::new(i as u64)) else { continue };
        cases += 1;
        match errors(o, &other, Written::Source) {
            Ok(e) if e.max <= MOST_CM => worst = worst.max(e.max),
            Ok(e) => wrong.push(format!("{}: {:.3} cm, {}", o.name, e.max, e.place)),
            Err(e) => wrong.push(format!("{}: {e}", o.name)),
        }
    }
    println!("{cases} cases, {} wrong, {worst:.5} cm", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases >= 20, "{cases} cases");
}
