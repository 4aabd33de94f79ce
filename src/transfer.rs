//! Transfers a pose from one rig to another: orientations by what each joint's frame means in the
//! reference stance, limb directions exactly, the roll of wide hips and the root path scaled, all within stated limits.
//!
//! ```
//! use retarget::internals::transfer::transfer;
//! use retarget::{Binding, LoadedRig, Settings, SourceClip};
//!
//! let source = LoadedRig::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let binding = Binding::between(&source, &target, &Settings::default())?;
//! let clip = SourceClip::load("samples/walk.bvh")?.clip;
//! assert_eq!(transfer(&clip, &binding).len(), clip.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::binding::{Aim, Binding, Drive, HingedLimb, Share, resting_pose};
use crate::blocks;
use crate::clip::{Clip, Frames};
use crate::ik::{Approach, Joint};
use crate::math::{Quat, Vec3, mean_rotation, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::JointId;
use std::ops::Deref;

/// The transfer of one binding, borrowed or shared: of the whole body, or of what leads to some of its joints.
#[derive(Clone, Debug)]
pub struct Transfer<B> {
    binding: B,
    /// Joints of the source that are looked at, each after its parent.
    source: Vec<JointId>,
    /// Joints of the target that are transferred, each after its parent.
    target: Vec<JointId>,
}

/// Buffers for the transfer of frames, sized once.
#[derive(Clone, Debug)]
pub struct TransferScratch {
    /// The source's world pose of the frame that was transferred last.
    pub source_world: WorldPose,
    /// Of each bone whose twist is shared, radians.
    twists_rad: Vec<f64>,
    /// The target's pose that was transferred last. Nothing drives the translations but the root's.
    pub pose: Pose,
    /// The same in the world.
    pub world: WorldPose,
}

impl TransferScratch {
    pub fn new(binding: &Binding) -> Self {
        let (source, target) = (&binding.source.skeleton, &binding.target);
        Self {
            source_world: WorldPose::new(source.len()),
            twists_rad: vec![0.0; binding.twists.len()],
            pose: resting_pose(target),
            world: WorldPose::new(target.skeleton.len()),
        }
    }
}

/// Transfers every frame of a clip of the source rig. The result has the target's skeleton and the
/// source's frame time.
pub fn transfer(clip: &Clip, binding: &Binding) -> Clip {
    let transfer = Transfer::new(binding);
    let target = &binding.target.skeleton;
    let mut result = Clip::new(target.clone(), clip.frame_time().clone());
    let moving = result.moving().to_vec();
    blocks::gather(
        blocks::of_frames(clip.len()),
        || TransferScratch::new(binding),
        |scratch, block| {
            let mut frames = Frames::with_capacity(target.len(), moving.len(), block.len());
            for frame in block {
                transfer.frame(clip, frame, scratch);
                frames.push(&scratch.pose, &moving);
            }
            frames
        },
        |frames| result.append(frames),
    );
    result
}

impl<B: Deref<Target = Binding>> Transfer<B> {
    /// Of the whole body; the whole source is placed too.
    pub fn new(binding: B) -> Self {
        let ids = |len: usize| (0..len).map(JointId::new).collect();
        let (source, target) =
            (ids(binding.source.skeleton.len()), ids(binding.target.skeleton.len()));
        Self { binding, source, target }
    }

    /// Of these joints of the target, of all above them, and of what those depend on. The other joints
    /// are left anyhow.
    pub fn of(binding: B, joints: impl IntoIterator<Item = JointId>) -> Self {
        let skeleton = &binding.target.skeleton;
        let tops = binding.root.target_tops.iter().copied();
        let root = tops.chain([binding.root.carrier]);
        let mut target = skeleton.with_ancestors(joints.into_iter().chain(root));
        loop {
            let needed = target.iter().flat_map(|&id| binding.sharers(id));
            let more = skeleton.with_ancestors(needed.chain(target.iter().copied()));
            if more.len() == target.len() {
                break;
            }
            target = more;
        }
        let sources = target.iter().flat_map(|id| match &binding.drives[id.index()] {
            Drive::Follow { shares, aim, .. } => {
                let ends = aim.iter().flat_map(|aim| aim.source_stretch.map(|end| end.joint));
                shares.iter().map(|share| share.source).chain(ends).collect()
            }
            Drive::Finger { source_hand, finger, .. } => vec![*source_hand, *finger],
            Drive::Keep(_) | Drive::Twist { .. } | Drive::Palm { .. } => Vec::new(),
        });
        let tops = binding.root.source_tops.iter().copied();
        let source = binding.source.skeleton.with_ancestors(sources.chain(tops));
        Self { binding, source, target }
    }

    /// Places these joints of the source too.
    pub fn with_sources(mut self, joints: impl IntoIterator<Item = JointId>) -> Self {
        let skeleton = &self.binding.source.skeleton;
        self.source = skeleton.with_ancestors(self.source.into_iter().chain(joints));
        self
    }

    /// Transfers one frame into the scratch, whose other frames do not show in it. One pass over the joints
    /// of each skeleton, no allocation.
    pub fn frame(&self, clip: &Clip, frame: usize, scratch: &mut TransferScratch) {
        clip.place_joints(frame, &self.source, &mut scratch.source_world);
        self.transfer(scratch);
    }

    /// As [`frame`](Self::frame), of a pose of the source.
    pub fn pose(&self, source: &Pose, scratch: &mut TransferScratch) {
        let skeleton = &self.binding.source.skeleton;
        scratch.source_world.set_joints(skeleton, source, &self.source);
        self.transfer(scratch);
    }

    /// Transfers the pose in which the scratch's source stands.
    fn transfer(&self, scratch: &mut TransferScratch) {
        let binding = &*self.binding;
        let TransferScratch { source_world: source, twists_rad, pose, world } = scratch;
        for &id in &self.target {
            if let Drive::Follow { shares, aim, .. } = &binding.drives[id.index()] {
                world.rotations[id.index()] = followed(binding, source, shares, aim.as_ref());
            }
        }
        if let Some(line) = &binding.hip_line {
            let roll = line.roll(world.rotation(binding.root.hips), binding.target.up.vector());
            for id in &line.pelvis {
                world.rotations[id.index()] = roll * world.rotations[id.index()];
            }
        }
        if let Some(tilt) = binding.limits.pelvis_tilt() {
            tilt.apply(&binding.limits, world);
        }
        let skeleton = &binding.target.skeleton;
        for &id in &self.target {
            let i = id.index();
            let parent =
                skeleton.parent(id).map_or(Quat::identity(), |parent| world.rotation(parent));
            match binding.drives[i] {
                Drive::Keep(local) => world.rotations[i] = parent * local,
                Drive::Palm { hand } => world.rotations[i] = world.rotation(hand),
                Drive::Finger {
                    hand,
                    source_hand,
                    finger,
                    hand_from_source,
                    finger_from_target,
                } => {
                    let turned = source.rotation(source_hand).inverse() * source.rotation(finger);
                    world.rotations[i] =
                        world.rotation(hand) * hand_from_source * turned * finger_from_target;
                    world.rotations[i].renormalize_fast();
                }
                Drive::Twist { twist, share, axis, rest } => {
                    let angle_rad = share * twists_rad[twist];
                    world.rotations[i] = parent * Quat::from_scaled_axis(axis * angle_rad) * rest;
                }
                Drive::Follow { twist, .. } => {
                    if let Some(place) = twist {
                        let bone = &binding.twists[place];
                        let own = world.rotations[i];
                        let twist_rad = match bone.end {
                            Some(end) => bone.of_end(own, world.rotation(end)),
                            None => bone.of_top(parent, own),
                        };
                        twists_rad[place] = twist_rad;
                        if bone.untwists {
                            world.rotations[i] =
                                own * Quat::from_scaled_axis(bone.axis * -twist_rad);
                        }
                    }
                }
            }
            pose.rotations[i] = match binding.drives[i] {
                Drive::Keep(local) => local,
                Drive::Palm { hand } => pose.rotations[hand.index()],
                _ => parent.inverse() * world.rotations[i],
            };
            if let Some(limb) = binding.limits.hinged_below(id) {
                world.rotations[i] = rolled(binding, limb, parent, world);
                pose.rotations[i] = parent.inverse() * world.rotations[i];
            }
            if let Some(limit) = binding.limits.of(id) {
                pose.rotations[i] = limited(binding, limit, id, parent, world);
                // Errors of length would triple from joint to joint.
                pose.rotations[i].renormalize_fast();
                world.rotations[i] = parent * pose.rotations[i];
            }
        }
        unplace_root(binding, pose);
        world.set_positions(skeleton, pose, &self.target);
        let off = root_goal(binding, source) - middle(world, &binding.root.target_tops);
        move_root(binding, pose, world, off);
    }
}

/// The world rotation of the first joint of a limb with a hinge, rolled for that. An arm is rolled for where its limit lets
/// the upper arm point, so that the forearm is reached from there.
fn rolled(binding: &Binding, limb: &HingedLimb, parent: Quat, world: &WorldPose) -> Quat {
    let own = world.rotation(limb.upper);
    let upper = match binding.limits.of(limb.upper) {
        Some(limit) if limb.is_arm => {
            let allowed = parent * limit.approach(parent.inverse() * own, Approach::SOFT);
            limb.pointing_as(own, allowed)
        }
        _ => own,
    };
    limb.rolled(upper, world.rotation(limb.lower))
}

/// The local rotation of a joint with a limit, brought into it; `world` has that of the joint and, where it is the
/// first of a limb with a hinge, of the hinge too.
fn limited(binding: &Binding, limit: &Joint, id: JointId, parent: Quat, world: &WorldPose) -> Quat {
    let own = world.rotation(id);
    match binding.limits.hinged_at(id) {
        Some(limb) => limb.pointed(parent.inverse() * (own * limb.bone())),
        None => limit.approach(parent.inverse() * own, Approach::SOFT),
    }
}

/// The world rotation of a joint that follows source joints.
fn followed(binding: &Binding, source: &WorldPose, shares: &[Share], aim: Option<&Aim>) -> Quat {
    let turn = |s: &Share| source.rotation(s.source) * s.source_from_target;
    // In the source's world, from which one rotation leads to the target's.
    let mut turned = match shares {
        [only] => turn(only),
        _ => mean_rotation(shares.iter().map(|s| (turn(s), s.weight))),
    };
    if let Some(aim) = aim {
        let [start, end] = aim.source_stretch.map(|end| end.world(source));
        turned = rotation_between(turned * aim.target_bone, end - start) * turned;
    }
    let mut rotation = binding.target_world_from_source * turned;
    // A step of Newton's iteration undoes what rounding did.
    rotation.renormalize_fast();
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
        + binding.target.up.vector() * (binding.lift + binding.floor_offset)
}

/// Takes back what moves the body as a whole, so that [`move_root`] begins from zero and not from where the
/// last frame was: a frame's digits are its own.
pub(crate) fn unplace_root(binding: &Binding, pose: &mut Pose) {
    pose.translations[binding.root.carrier.index()] = Vec3::zeros();
}

/// Moves the joint that carries the body, and all that hangs on it, by `off` (target world).
pub(crate) fn move_root(binding: &Binding, pose: &mut Pose, world: &mut WorldPose, off: Vec3) {
    let carrier = binding.root.carrier;
    let skeleton = &binding.target.skeleton;
    let local_from_world = skeleton.parent(carrier).map(|p| world.rotation(p).inverse());
    pose.translations[carrier.index()] += local_from_world.map_or(off, |q| q * off);
    world.positions[binding.root.moved.clone()].iter_mut().for_each(|p| *p += off);
}

/// Moves a pose of the target so that its hips are, on the level, where they are in the clip's first frame.
/// One forward kinematics.
pub(crate) fn hold_in_place(
    binding: &Binding,
    first_hips: Vec3,
    pose: &mut Pose,
    world: &mut WorldPose,
) {
    let hips = world.position(binding.root.hips);
    let goal = hips - binding.target.up.level(hips - first_hips);
    unplace_root(binding, pose);
    world.set(&binding.target.skeleton, pose);
    let off = goal - world.position(binding.root.hips);
    move_root(binding, pose, world, off);
}
