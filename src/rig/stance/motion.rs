//! The posture that a clip shows: its first frame where that is a bind pose, else how the body stands.

use super::{Shown, StanceOrigin, in_body_space};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, median_rotation};
use crate::pose::{Pose, WorldPose};
use crate::rig::standing::{self, Standing};
use crate::rig::{Landmarks, Role, Roles, UpAxis};
use crate::skeleton::JointId;

/// Bodies that move slower than this count most in the median of standing frames, legs a second.
const STROLL: f64 = 0.3;

pub(super) fn shown(
    clip: &Clip,
    roles: &Roles,
    landmarks: &Landmarks,
    hips: JointId,
    up: UpAxis,
) -> Option<Shown> {
    let skeleton = clip.skeleton();
    let mut pose = Pose::rest(skeleton);
    let mut world = WorldPose::new(skeleton.len());
    let looking: Vec<JointId> = roles.neck().into_iter().chain(roles.joint(Role::Head)).collect();
    // What every standing frame says; hips as turned in body space, all else local.
    let mut rotations: Vec<Vec<(Quat, f64)>> = vec![Vec::new(); skeleton.len()];
    let mut translations = vec![Vec3::zeros(); skeleton.len()];
    let (mut count, mut total) = (0usize, 0.0);
    let mut before: Option<(usize, Vec3)> = None;
    for frame in standing::sampled_frames(clip) {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        let Some(world_from_body) = landmarks.world_from_body(&world, up.vector()) else {
            continue;
        };
        let hips_rotation = world_from_body.inverse() * world.rotation(hips);
        let body = in_body_space(skeleton, hips, hips_rotation, &pose);
        let standing = Standing::of(skeleton, roles, landmarks, &body);
        if frame == 0 && (standing.is_bind_pose() || clip.len() == 1 && standing.is_upright()) {
            return Some(Shown { local: pose, world: body, origin: StanceOrigin::Frame(0) });
        }
        let here = landmarks.mid_thigh(&world);
        let moved = before.replace((frame, here)).map_or(0.0, |(last, there)| {
            let seconds = (frame - last) as f64 * clip.frame_time().seconds();
            (here - there).norm() / seconds / landmarks.leg_len(&world).max(1e-12)
        });
        // Which way a head looks says nothing of how the body stands: each frame counts alike.
        for id in &looking {
            rotations[id.index()].push((pose.rotations[id.index()], 1.0));
        }
        if !standing.is_upright() {
            continue;
        }
        // Who walks leans; who stands shows the posture that rest poses mean.
        let weight = 1.0 / (1.0 + (moved / STROLL).powi(2));
        for (i, list) in rotations.iter_mut().enumerate() {
            let turned = if i == hips.index() { hips_rotation } else { pose.rotations[i] };
            if !looking.contains(&JointId::new(i)) {
                list.push((turned, weight));
            }
            translations[i] += pose.translations[i] * weight;
        }
        count += 1;
        total += weight;
    }
    if count == 0 {
        return None;
    }
    let mut local = Pose {
        rotations: rotations.iter().map(|list| median_rotation(list)).collect(),
        translations: translations.into_iter().map(|t| t / total).collect(),
    };
    let world = in_body_space(skeleton, hips, local.rotations[hips.index()], &local);
    // Above the hips a median over time says nothing: those joints move the body, not the posture.
    for id in skeleton.ids().filter(|&id| id == hips || !skeleton.is_ancestor(hips, id)) {
        local.rotations[id.index()] = Quat::identity();
        local.translations[id.index()] = skeleton.joint(id).offset;
    }
    Some(Shown { local, world, origin: StanceOrigin::Frames(count) })
}
