//! Clips as a depth camera has them.

use super::Seed;
use crate::equivalent::Original;
use crate::rewrite::world;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Axis, Quat, Vec3, frame_from_axes, rotation_between};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{Role, Side, UpAxis};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
use std::f64::consts::PI;

/// The clip as a depth camera's software has it: 15 joints by OpenNI's names, millimetres, no toes, each bone
/// turned the shortest way from a T that faces +Z or -Z, knees that tremble by up to `noise` of a leg and stand
/// out `behind` by some of it. `None` for bodies without arms.
pub fn kinect(o: &Original, faces_back: bool, noise: f64, behind: f64, seed: u64) -> Option<Clip> {
    let mut seed = Seed::new(seed);
    let both = |role: fn(Side) -> Role| {
        Some([o.rig.joint(role(Side::Left))?, o.rig.joint(role(Side::Right))?])
    };
    let chains = [
        [both(Role::UpperArm)?, both(Role::Forearm)?, both(Role::Hand)?],
        [both(Role::Thigh)?, both(Role::Shin)?, both(Role::Foot)?],
    ];
    let head = o.rig.joint(Role::Head)?;
    let to_mm = 850.0 / o.rig.leg_len;
    let world_from_rest = Quat::from_scaled_axis(Vec3::y() * if faces_back { PI } else { 0.0 });
    let order = [Axis::Z, Axis::X, Axis::Y];
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: Option<usize>, offset: Vec3, end: Option<Vec3>| {
        let channels = match parent {
            None => Channels::positions_and_rotations(order),
            Some(_) => Channels::rotations(order),
        };
        joints.push(Joint {
            name,
            parent: parent.map(JointId::new),
            offset: world_from_rest * offset,
            channels: channels.expect("three axes"),
            end_sites: end.map(|end| world_from_rest * end).into_iter().collect(),
        });
        joints.len() - 1
    };
    let torso = add("Torso".into(), None, Vec3::zeros(), None);
    let neck = add("Neck".into(), Some(torso), Vec3::new(0.0, 260.0, 0.0), None);
    add("Head".into(), Some(neck), Vec3::new(0.0, 200.0, 0.0), Some(Vec3::new(0.0, 150.0, 0.0)));
    let mut bones: Vec<(usize, [JointId; 2], Vec3)> = Vec::new();
    for side in Side::BOTH {
        let (word, sign) = if side == Side::Left { ("Left", 1.0) } else { ("Right", -1.0) };
        let limbs = [
            (["Shoulder", "Elbow", "Hand"], Vec3::new(170.0 * sign, 230.0, 0.0), Vec3::x() * sign),
            (["Hip", "Knee", "Foot"], Vec3::new(100.0 * sign, -230.0, 0.0), -Vec3::y()),
        ];
        for ((names, top, way), chain) in limbs.into_iter().zip(&chains) {
            let [upper, middle, end] = chain.map(|pair| pair[side.index()]);
            let (a, b) = if names[0] == "Hip" { (430.0, 420.0) } else { (280.0, 250.0) };
            let first = add(format!("{word}{}", names[0]), Some(torso), top, None);
            let second = add(format!("{word}{}", names[1]), Some(first), way * a, None);
            let last = add(format!("{word}{}", names[2]), Some(second), way * b, Some(way * 80.0));
            bones.push((first, [upper, middle], world_from_rest * way));
            bones.push((second, [middle, end], world_from_rest * way));
            bones.push((last, [end, end], world_from_rest * way));
        }
    }
    let skeleton = Skeleton::new(joints).expect("a tree");
    let mut clip = Clip::new(skeleton.clone(), o.clip.frame_time().clone());
    let up_turn = o.rig.up.turn_to(UpAxis::Y);
    let knees = chains[1][1];
    for frame in 0..o.clip.len() {
        let seen = world(&o.clip, frame);
        let [arms, legs] = chains.map(|chain| chain[0].map(|id| up_turn * seen.position(id)));
        let left = (arms[0] - arms[1]).normalize() + (legs[0] - legs[1]).normalize();
        let up = arms[0] + arms[1] - legs[0] - legs[1];
        let body = frame_from_axes(left, up)?;
        let mut shake = [Vec3::zeros(); 2];
        for shake in &mut shake {
            let by = Vec3::new(seed.unit() - 0.5, 0.0, seed.unit() - 0.5) * (2.0 * noise);
            *shake = body * (by - Vec3::z() * behind) * o.rig.leg_len;
        }
        let at = |id: JointId| {
            let shaken = knees.iter().position(|&knee| knee == id).map(|i| shake[i]);
            up_turn * seen.position(id) + shaken.unwrap_or_default()
        };
        let mut pose = Pose::rest(&skeleton);
        let turn = body * world_from_rest.inverse();
        pose.rotations[torso] = turn;
        pose.translations[torso] = 0.25 * (arms[0] + arms[1] + legs[0] + legs[1]) * to_mm;
        let mut turned = vec![turn; skeleton.len()];
        let aim = |from: Quat, bone: Vec3, to: Vec3| rotation_between(from * bone, to) * from;
        turned[neck] = aim(turn, Vec3::y(), at(head) - 0.5 * (arms[0] + arms[1]));
        turned[neck + 1] = turned[neck];
        for &(joint, [from, to], bone) in &bones {
            let parent = turned[skeleton.parent(JointId::new(joint)).expect("a limb").index()];
            turned[joint] = if from == to { parent } else { aim(parent, bone, at(to) - at(from)) };
        }
        for (i, rotation) in turned.iter().enumerate().skip(1) {
            let parent = skeleton.parent(JointId::new(i)).expect("below the torso").index();
            pose.rotations[i] = turned[parent].inverse() * rotation;
        }
        clip.push_pose(&pose);
    }
    Some(clip)
}
