//! How far limbs point elsewhere than the source's, and how far joints jump.

use super::Report;
use crate::binding::{Binding, Drive};
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BoneEnd, bone_end};
use crate::skeleton::JointId;

/// A bone of the target, and the stretch of the source that it is to point along.
struct Bone {
    joint: JointId,
    end: BoneEnd,
    source_stretch: [BoneEnd; 2],
}

pub(super) fn measure(report: &mut Report, source: &Clip, result: &Clip, binding: &Binding) {
    let (from, to) = (&binding.source, &binding.target);
    let bone = |joint: JointId| match &binding.drives[joint.index()] {
        Drive::Follow { aim: Some(aim), .. } => {
            let end = bone_end(&to.skeleton, &to.roles, joint)?;
            Some(Bone { joint, end, source_stretch: aim.source_stretch })
        }
        _ => None,
    };
    let bones: Vec<Bone> = to.skeleton.ids().filter_map(bone).collect();
    let pairs: Vec<(JointId, JointId)> =
        from.roles.iter().filter_map(|(role, s)| Some((s, to.joint(role)?))).collect();
    let mut poses = (Pose::rest(&from.skeleton), Pose::rest(&to.skeleton));
    let new = || (WorldPose::new(from.skeleton.len()), WorldPose::new(to.skeleton.len()));
    let (mut worlds, mut before) = (new(), new());
    let (mut sum_deg, mut count) = (0.0, 0usize);
    let (mut source_jump, mut target_jump) = (0.0f64, super::Measure::default());
    for frame in 0..source.len() {
        std::mem::swap(&mut worlds, &mut before);
        source.read_pose(frame, &mut poses.0);
        result.read_pose(frame, &mut poses.1);
        worlds.0.set(&from.skeleton, &poses.0);
        worlds.1.set(&to.skeleton, &poses.1);
        for bone in &bones {
            let [start, end] = bone.source_stretch.map(|end| end.world(&worlds.0));
            let wanted = binding.target_world_from_source * (end - start);
            let is = bone.end.world(&worlds.1) - worlds.1.position(bone.joint);
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
    let ratio = if source_jump > 0.0 { target_jump.worst / source_jump } else { 1.0 };
    report.jump_ratio = super::Measure { value: ratio, worst: ratio, ..target_jump };
}
