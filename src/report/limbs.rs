//! How far the directions of limbs differ from the source's.

use super::{FrameSample, Report, Worst};
use crate::binding::{Binding, Drive};
use crate::math::Quat;
use crate::pose::WorldPose;
use crate::rig::{BoneEnd, FootId, Role, bone_end};
use crate::skeleton::JointId;

pub(super) struct Metrics {
    bones: Vec<Bone>,
}

/// A bone of the target, and what it should point along.
struct Bone {
    joint: JointId,
    end: BoneEnd,
    wanted: Reference,
}

enum Reference {
    /// Of the source.
    Source([BoneEnd; 2]),
    /// The bone itself in the transferred clip.
    Transferred,
    /// The same of a foot, laid as the source's lies by this turn.
    Laid(Quat),
}

pub(super) struct Accumulator {
    sum_rad: f64,
    count: usize,
    /// Radians, of a bone.
    worst: Worst,
}

impl Metrics {
    pub fn new(binding: &Binding) -> Self {
        let to = &binding.target;
        let bone = |joint: JointId| {
            let wanted = match (&binding.drives[joint.index()], to.roles.role(joint)) {
                (Drive::Follow { aim: Some(aim), .. }, _) => Reference::Source(aim.source_stretch),
                (_, Some(Role::Foot(_))) => {
                    let of_foot = |foot: &FootId| to.foot(*foot).ankle == joint;
                    let foot = to.foot_ids().find(of_foot).map(|foot| foot.index());
                    foot.map_or(Reference::Transferred, |i| {
                        Reference::Laid(binding.sole_turns[i].foot)
                    })
                }
                (_, Some(Role::Spine(_) | Role::Neck(_))) => Reference::Transferred,
                _ => return None,
            };
            Some(Bone { joint, end: bone_end(&to.skeleton, &to.roles, joint)?, wanted })
        };
        Self { bones: to.skeleton.ids().filter_map(bone).collect() }
    }

    pub fn accumulator(&self) -> Accumulator {
        Accumulator { sum_rad: 0.0, count: 0, worst: Worst::default() }
    }

    pub fn add(
        &self,
        sums: &mut Accumulator,
        sample: &FrameSample,
        counts: bool,
        binding: &Binding,
    ) {
        if !counts {
            return;
        }
        for (i, bone) in self.bones.iter().enumerate() {
            let along = |world: &WorldPose| bone.end.world(world) - world.position(bone.joint);
            let wanted = match &bone.wanted {
                Reference::Source(stretch) => {
                    let [start, end] = stretch.map(|end| end.world(sample.source));
                    binding.target_world_from_source * (end - start)
                }
                Reference::Transferred => along(sample.transferred),
                Reference::Laid(turn) => {
                    let rotation = sample.transferred.rotation(bone.joint);
                    rotation * turn * rotation.inverse() * along(sample.transferred)
                }
            };
            let off_rad = along(sample.world).angle(&wanted);
            sums.sum_rad += off_rad;
            sums.count += 1;
            sums.worst.note(off_rad, i, sample.frame);
        }
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, binding: &Binding) {
        let skeleton = &binding.target.skeleton;
        let mean_deg = (sums.sum_rad / sums.count.max(1) as f64).to_degrees();
        let worst = Worst { value: sums.worst.value.to_degrees(), ..sums.worst };
        report.limb_direction_deg =
            worst.measure(mean_deg, |bone| skeleton.name(self.bones[bone].joint));
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.sum_rad += next.sum_rad;
        self.count += next.count;
        self.worst.append(next.worst);
    }
}
