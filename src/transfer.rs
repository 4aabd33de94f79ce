//! Carries a pose from one rig to another: orientations by what each joint's frame means in the
//! reference stance, limb directions exactly, the root path scaled.

use crate::binding::{Binding, Drive, resting_pose};
use crate::clip::Clip;
use crate::math::{Vec3, mean_rotation, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::JointId;

/// Buffers for the transfer of frames, sized once.
#[derive(Clone, Debug)]
pub struct TransferScratch {
    source_pose: Pose,
    /// The source's world pose of the frame that was carried last.
    pub source_world: WorldPose,
}

impl TransferScratch {
    pub fn new(binding: &Binding) -> Self {
        let skeleton = &binding.source.skeleton;
        Self { source_pose: Pose::rest(skeleton), source_world: WorldPose::new(skeleton.len()) }
    }
}

/// Carries every frame of a clip of the source rig. The result has the target's skeleton and the
/// source's frame time.
pub fn transfer(clip: &Clip, binding: &Binding) -> Clip {
    let target = &binding.target.skeleton;
    let mut scratch = TransferScratch::new(binding);
    let mut pose = resting_pose(&binding.target);
    let mut world = WorldPose::new(target.len());
    let mut result = Clip::with_capacity(target.clone(), clip.frame_time().clone(), clip.len());
    for frame in 0..clip.len() {
        transfer_frame(clip, frame, binding, &mut scratch, &mut pose, &mut world);
        result.push_pose(&pose);
    }
    result
}

/// Carries one frame into `pose` and `world`, both of the target skeleton; a frame's result depends
/// on that frame alone. One pass over each skeleton, no allocation.
///
/// `pose` must have come from an earlier call or from the target's resting pose: translations of
/// joints that do not carry the body are left as they are.
pub fn transfer_frame(
    clip: &Clip,
    frame: usize,
    binding: &Binding,
    scratch: &mut TransferScratch,
    pose: &mut Pose,
    world: &mut WorldPose,
) {
    clip.read_pose(frame, &mut scratch.source_pose);
    scratch.source_world.set(&binding.source.skeleton, &scratch.source_pose);
    let source = &scratch.source_world;
    let skeleton = &binding.target.skeleton;
    for (i, (joint, drive)) in skeleton.joints().iter().zip(&binding.drives).enumerate() {
        let parent = joint.parent.map(JointId::index);
        match drive {
            Drive::Keep(local) => {
                pose.rotations[i] = *local;
                world.rotations[i] = parent.map_or(*local, |p| world.rotations[p] * local);
            }
            Drive::Follow { shares, aim } => {
                let turn =
                    |s: &crate::binding::Share| source.rotation(s.source) * s.source_from_target;
                let turned = match shares.as_slice() {
                    [only] => turn(only),
                    _ => mean_rotation(shares.iter().map(|s| (turn(s), s.weight))),
                };
                let mut rotation = binding.target_world_from_source * turned;
                if let Some(aim) = aim {
                    let [start, end] = aim.source_stretch.map(|end| end.world(source));
                    let bone = end - start;
                    let goal = binding.target_world_from_source * bone;
                    rotation = rotation_between(rotation * aim.target_bone, goal) * rotation;
                }
                rotation.renormalize();
                world.rotations[i] = rotation;
                pose.rotations[i] =
                    parent.map_or(rotation, |p| world.rotations[p].inverse() * rotation);
            }
        }
    }
    let goal = root_goal(binding, source);
    place_root(binding, pose, world, |world| goal - middle(world, &binding.root.target_tops));
    world.set(skeleton, pose);
}

fn middle(world: &WorldPose, joints: &[JointId]) -> Vec3 {
    joints.iter().map(|id| world.position(*id)).sum::<Vec3>() / joints.len() as f64
}

/// Where the middle of the target's hip joints belongs, target world: the source's path scaled
/// about the world's origin, raised by what the ankles differ.
fn root_goal(binding: &Binding, source: &WorldPose) -> Vec3 {
    let middle = middle(source, &binding.root.source_tops);
    binding.target_world_from_source * (middle * binding.scale)
        + binding.target.up.vector() * (binding.lift + binding.floor_shift)
}

/// Sets the translation of the joint that carries the body; rotations must be right. `off` is how
/// far off the body lies with that translation at zero.
pub(crate) fn place_root(
    binding: &Binding,
    pose: &mut Pose,
    world: &mut WorldPose,
    off: impl FnOnce(&WorldPose) -> Vec3,
) {
    let carrier = binding.root.carrier;
    let skeleton = &binding.target.skeleton;
    // From zero and not from where the last frame was: a frame's digits are its own.
    pose.translations[carrier.index()] = Vec3::zeros();
    world.set(skeleton, pose);
    let off = off(world);
    let local_from_world = skeleton.parent(carrier).map(|p| world.rotation(p).inverse());
    pose.translations[carrier.index()] = local_from_world.map_or(off, |q| q * off);
}
