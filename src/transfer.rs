//! Carries a pose from one rig to another: orientations by what each joint's frame means in the
//! reference stance, limb directions exactly, the root path scaled.

use crate::binding::{Aim, Binding, Drive, Share, resting_pose};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, mean_rotation, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::JointId;

/// Buffers for the transfer of frames, sized once.
#[derive(Clone, Debug)]
pub struct TransferScratch {
    source_pose: Pose,
    /// The source's world pose of the frame that was carried last.
    pub source_world: WorldPose,
    /// Of each bone whose twist is shared, radians.
    twists_rad: Vec<f64>,
}

impl TransferScratch {
    pub fn new(binding: &Binding) -> Self {
        let skeleton = &binding.source.skeleton;
        Self {
            source_pose: Pose::rest(skeleton),
            source_world: WorldPose::new(skeleton.len()),
            twists_rad: vec![0.0; binding.twists.len()],
        }
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
    for (drive, rotation) in binding.drives.iter().zip(&mut world.rotations) {
        if let Drive::Follow { shares, aim, .. } = drive {
            *rotation = followed(binding, source, shares, aim.as_ref());
        }
    }
    for (i, (joint, drive)) in skeleton.joints().iter().zip(&binding.drives).enumerate() {
        let parent = joint.parent.map_or(Quat::identity(), |p| world.rotations[p.index()]);
        match *drive {
            Drive::Keep(local) => {
                pose.rotations[i] = local;
                world.rotations[i] = parent * local;
            }
            Drive::Twist { twist, share, axis, rest } => {
                let angle_rad = share * scratch.twists_rad[twist];
                pose.rotations[i] = Quat::from_scaled_axis(axis * angle_rad) * rest;
                world.rotations[i] = parent * pose.rotations[i];
            }
            Drive::Follow { twist, .. } => {
                if let Some(place) = twist {
                    let bone = &binding.twists[place];
                    let own = world.rotations[i];
                    let twist_rad = match bone.end {
                        Some(end) => bone.of_end(own, world.rotation(end)),
                        None => bone.of_top(parent, own),
                    };
                    scratch.twists_rad[place] = twist_rad;
                    if bone.untwists {
                        world.rotations[i] = own * Quat::from_scaled_axis(bone.axis * -twist_rad);
                    }
                }
                pose.rotations[i] = parent.inverse() * world.rotations[i];
            }
        }
    }
    let goal = root_goal(binding, source);
    place_root(binding, pose, world, |world| goal - middle(world, &binding.root.target_tops));
    world.set(skeleton, pose);
}

/// The world rotation of a joint that follows source joints.
fn followed(binding: &Binding, source: &WorldPose, shares: &[Share], aim: Option<&Aim>) -> Quat {
    let turn = |s: &Share| source.rotation(s.source) * s.source_from_target;
    let turned = match shares {
        [only] => turn(only),
        _ => mean_rotation(shares.iter().map(|s| (turn(s), s.weight))),
    };
    let mut rotation = binding.target_world_from_source * turned;
    if let Some(aim) = aim {
        let [start, end] = aim.source_stretch.map(|end| end.world(source));
        let goal = binding.target_world_from_source * (end - start);
        rotation = rotation_between(rotation * aim.target_bone, goal) * rotation;
    }
    rotation.renormalize();
    rotation
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

/// The clip with its hips, on the level, where they are in its first frame. One forward kinematics a
/// frame.
pub fn in_place(clip: &Clip, binding: &Binding) -> Clip {
    let skeleton = &binding.target.skeleton;
    let up = binding.target.up.vector();
    let level = |v: Vec3| v - up * up.dot(&v);
    let mut held = Clip::with_capacity(skeleton.clone(), clip.frame_time().clone(), clip.len());
    let mut pose = resting_pose(&binding.target);
    let mut world = WorldPose::new(skeleton.len());
    let mut first = None;
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        let hips = world.position(binding.root.hips);
        let goal = hips - level(hips - *first.get_or_insert(hips));
        place_root(binding, &mut pose, &mut world, |world| {
            goal - world.position(binding.root.hips)
        });
        held.push_pose(&pose);
    }
    held
}
