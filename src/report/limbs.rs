//! How far limbs point elsewhere than the source's, and how far joints jump.

use super::Report;
use crate::binding::{Binding, Drive};
use crate::clip::Clip;
use crate::math::Quat;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BoneEnd, FootId, Role, bone_end};
use crate::skeleton::JointId;

/// A bone of the target, and the stretch that it is to point along.
struct Bone {
    joint: JointId,
    end: BoneEnd,
    wanted: Wanted,
}

enum Wanted {
    /// Of the source.
    Source([BoneEnd; 2]),
    /// The bone itself in the carried clip, a foot laid as the source's lies.
    Carried(Quat),
}

pub(super) fn measure(
    report: &mut Report,
    source: &Clip,
    carried: &Clip,
    result: &Clip,
    binding: &Binding,
) {
    let (from, to) = (&binding.source, &binding.target);
    let bone = |joint: JointId| {
        let wanted = match (&binding.drives[joint.index()], to.roles.role(joint)) {
            (Drive::Follow { aim: Some(aim), .. }, _) => Wanted::Source(aim.source_stretch),
            (_, Some(Role::Foot(_))) => {
                let of_foot = |foot: &FootId| to.foot(*foot).ankle == joint;
                let foot = to.foot_ids().find(of_foot).map(|foot| foot.index());
                Wanted::Carried(foot.map_or(Quat::identity(), |i| binding.sole_turns[i].foot))
            }
            (_, Some(Role::Spine(_) | Role::Neck(_))) => Wanted::Carried(Quat::identity()),
            _ => return None,
        };
        Some(Bone { joint, end: bone_end(&to.skeleton, &to.roles, joint)?, wanted })
    };
    let bones: Vec<Bone> = to.skeleton.ids().filter_map(bone).collect();
    let pairs: Vec<(JointId, JointId)> =
        from.roles.iter().filter_map(|(role, s)| Some((s, to.joint(role)?))).collect();
    let mut poses = (Pose::rest(&from.skeleton), Pose::rest(&to.skeleton));
    let new = || (WorldPose::new(from.skeleton.len()), WorldPose::new(to.skeleton.len()));
    let (mut worlds, mut before) = (new(), new());
    let (mut carried_pose, mut carried_world) = (Pose::rest(&to.skeleton), new().1);
    let (mut sum_deg, mut count) = (0.0, 0usize);
    let (mut source_jump, mut target_jump) = (0.0f64, super::Measure::default());
    for frame in 0..source.len() {
        std::mem::swap(&mut worlds, &mut before);
        source.read_pose(frame, &mut poses.0);
        result.read_pose(frame, &mut poses.1);
        worlds.0.set(&from.skeleton, &poses.0);
        worlds.1.set(&to.skeleton, &poses.1);
        carried.read_pose(frame, &mut carried_pose);
        carried_world.set(&to.skeleton, &carried_pose);
        for bone in &bones {
            let along = |world: &WorldPose| bone.end.world(world) - world.position(bone.joint);
            let wanted = match &bone.wanted {
                Wanted::Source(stretch) => {
                    let [start, end] = stretch.map(|end| end.world(&worlds.0));
                    binding.target_world_from_source * (end - start)
                }
                Wanted::Carried(turn) => {
                    let rotation = carried_world.rotation(bone.joint);
                    rotation * turn * rotation.inverse() * along(&carried_world)
                }
            };
            let is = along(&worlds.1);
            let deg = is.angle(&wanted).to_degrees();
            sum_deg += deg;
            count += 1;
            let name = || to.skeleton.name(bone.joint).to_owned();
            report.limb_direction_deg.note(deg, frame, name);
        }
        if frame == 0 {
            continue;
        }
        for &(s, t) in &pairs {
            let moved = |id: JointId, now: &WorldPose, then: &WorldPose, leg_len: f64| {
                (now.position(id) - then.position(id)).norm() / leg_len
            };
            source_jump = source_jump.max(moved(s, &worlds.0, &before.0, from.leg_len));
            let jump = moved(t, &worlds.1, &before.1, to.leg_len);
            target_jump.note(jump, frame, || to.skeleton.name(t).to_owned());
        }
    }
    report.limb_direction_deg.value = sum_deg / count.max(1) as f64;
    let ratio = super::smooth::ratio(target_jump.worst, source_jump, super::smooth::SMALLEST_LEN);
    report.jump_ratio = super::Measure { value: ratio, worst: ratio, ..target_jump };
}
