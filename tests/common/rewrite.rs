//! The same body and the same motion, written differently: what a rig's author, an exporter or a
//! pipeline may change without changing where any joint is in the world.
//!
//! Each rewriting is exact, so the truth of a retarget onto or from it is known to the last digit.

#![allow(dead_code)]

use retarget::internals::clip::Clip;
use retarget::internals::math::{Axis, Quat, Vec3, rotation_between, swing_twist};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Rig, Role, Side, UpAxis};
use retarget::internals::skeleton::{Channel, Channels, Joint, JointId, Skeleton};
use std::collections::BTreeMap;

/// A clip with the way back to the clip that it was written from.
#[derive(Clone)]
pub struct Rewritten {
    pub clip: Clip,
    /// For each joint of the original clip where it is now.
    pub place: Vec<JointId>,
    /// Length units a unit of the original.
    pub scale: f64,
    /// `world_from_original_world`.
    pub turn: Quat,
    /// Frames that were put before the original's first.
    pub lead: usize,
}

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// The six orders of three rotation axes.
pub const ORDERS: [[Axis; 3]; 6] = [
    [Axis::X, Axis::Y, Axis::Z],
    [Axis::X, Axis::Z, Axis::Y],
    [Axis::Y, Axis::X, Axis::Z],
    [Axis::Y, Axis::Z, Axis::X],
    [Axis::Z, Axis::X, Axis::Y],
    [Axis::Z, Axis::Y, Axis::X],
];

impl Rewritten {
    /// The clip as it is.
    pub fn of(clip: &Clip) -> Self {
        let place = clip.skeleton().ids().collect();
        Self { clip: clip.clone(), place, scale: 1.0, turn: Quat::identity(), lead: 0 }
    }

    /// Where a point of the original's world is now.
    pub fn point(&self, original_world: Vec3) -> Vec3 {
        self.turn * (original_world * self.scale)
    }

    /// Other names: each joint's by `name`, from its place now and its name now.
    pub fn renamed(self, name: impl Fn(usize, &str) -> String) -> Self {
        let joints = self.joints(|i, joint| joint.name = name(i, &joint.name));
        self.onto(joints, |pose| pose.clone())
    }

    /// Every length times `factor`.
    pub fn scaled(mut self, factor: f64) -> Self {
        let joints = self.joints(|_, joint| {
            joint.offset *= factor;
            joint.end_sites.iter_mut().for_each(|end| *end *= factor);
        });
        self.scale *= factor;
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            pose.translations.iter_mut().for_each(|t| *t *= factor);
            pose
        })
    }

    /// Another order of the rotation channels on each joint; `shift` 0 to 5 goes through all six on
    /// every joint. With `rotations_first` they stand before the positions.
    pub fn reordered(self, shift: usize, rotations_first: bool) -> Self {
        let joints = self.joints(|i, joint| {
            let rotations = ORDERS[(i + shift) % 6].map(Channel::Rotation);
            let positions = joint.channels.as_slice().iter().copied();
            let positions = positions.filter(|c| matches!(c, Channel::Position(_))).rev();
            let listed: Vec<Channel> = match rotations_first {
                true => rotations.into_iter().chain(positions).collect(),
                false => positions.chain(rotations).collect(),
            };
            joint.channels = Channels::new(&listed).expect("no channel twice");
        });
        self.onto(joints, |pose| pose.clone())
    }

    /// Position channels on every joint. OFFSETs say something else where `other_offsets`, since
    /// position channels replace them.
    pub fn with_positions(self, other_offsets: bool) -> Self {
        let joints = self.joints(|_, joint| {
            let rotations = rotation_channels(joint);
            let positions = AXES.map(Channel::Position);
            let listed: Vec<Channel> = positions.into_iter().chain(rotations).collect();
            joint.channels = Channels::new(&listed).expect("no channel twice");
            if other_offsets && joint.parent.is_none() {
                joint.offset += Vec3::new(3.0, -2.0, 1.0) * self.scale;
            }
        });
        self.onto(joints, |pose| pose.clone())
    }

    /// A joint above every root that never moves, at `place` and turned by `turn`.
    pub fn under_root(mut self, name: &str, place: Vec3, turn: Quat) -> Self {
        let skeleton = self.clip.skeleton();
        let mut joints = vec![Joint {
            name: name.to_owned(),
            parent: None,
            offset: place,
            channels: Channels::positions_and_rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        }];
        for joint in skeleton.joints() {
            let parent = joint.parent.map_or(0, |p| p.index() + 1);
            let mut joint = joint.clone();
            if joint.parent.is_none() {
                joint.offset = turn.inverse() * (joint.offset - place);
            }
            joints.push(Joint { parent: Some(JointId::new(parent)), ..joint });
        }
        self.place.iter_mut().for_each(|id| *id = JointId::new(id.index() + 1));
        let roots: Vec<usize> = skeleton
            .ids()
            .filter(|&id| skeleton.parent(id).is_none())
            .map(JointId::index)
            .collect();
        self.onto(joints, move |pose| {
            let mut rotations = vec![turn];
            let mut translations = vec![place];
            rotations.extend_from_slice(&pose.rotations);
            translations.extend_from_slice(&pose.translations);
            for &root in &roots {
                rotations[root + 1] = turn.inverse() * pose.rotations[root];
                translations[root + 1] = turn.inverse() * (pose.translations[root] - place);
            }
            Pose { rotations, translations }
        })
    }

    /// The whole world turned, the zero pose left as it is: the roots' channels alone change.
    pub fn turned(mut self, world_turn: Quat) -> Self {
        let joints = self.joints(|_, joint| {
            if joint.parent.is_none() {
                joint.offset = world_turn * joint.offset;
            }
        });
        let roots: Vec<bool> = joints.iter().map(|j| j.parent.is_none()).collect();
        self.turn = world_turn * self.turn;
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            for (i, _) in roots.iter().enumerate().filter(|(_, root)| **root) {
                pose.rotations[i] = world_turn * pose.rotations[i];
                pose.translations[i] = world_turn * pose.translations[i];
            }
            pose
        })
    }

    /// The whole world turned, the zero pose with it, as Blender does between Y up and Z up.
    pub fn turned_with_rest(self, world_turn: Quat) -> Self {
        let frames = vec![world_turn.inverse(); self.clip.skeleton().len()];
        self.turned(world_turn).reframed(&frames)
    }

    /// Moved in the world.
    pub fn moved(self, by: Vec3) -> Self {
        let roots: Vec<bool> =
            self.clip.skeleton().joints().iter().map(|j| j.parent.is_none()).collect();
        let joints = self.joints(|_, _| ());
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            for (i, _) in roots.iter().enumerate().filter(|(_, root)| **root) {
                pose.translations[i] += by;
            }
            pose
        })
    }

    /// Every joint's frame turned by a constant, given one a joint as `joint_from_new_joint`; no joint
    /// moves in the world, but the zero pose becomes another one: that in which joint `i` was turned
    /// by the inverse of `frames[i]`.
    pub fn reframed(self, frames: &[Quat]) -> Self {
        let parent_frame =
            |joint: &Joint| joint.parent.map_or(Quat::identity(), |p| frames[p.index()]);
        let joints = self.joints(|i, joint| {
            joint.offset = parent_frame(joint).inverse() * joint.offset;
            joint.end_sites.iter_mut().for_each(|end| *end = frames[i].inverse() * *end);
            // A constant turn of a joint without rotation channels could not be written.
            if rotation_channels(joint).len() < 3 {
                let positions = joint.channels.as_slice().iter().copied();
                let listed: Vec<Channel> = positions
                    .filter(|c| matches!(c, Channel::Position(_)))
                    .chain(AXES.map(Channel::Rotation))
                    .collect();
                joint.channels = Channels::new(&listed).expect("no channel twice");
            }
        });
        let parents: Vec<Quat> = self.clip.skeleton().joints().iter().map(parent_frame).collect();
        self.onto(joints, |pose| {
            let rotations = pose.rotations.iter().zip(&parents).zip(frames);
            let translations = pose.translations.iter().zip(&parents);
            Pose {
                rotations: rotations.map(|((local, p), own)| p.inverse() * local * own).collect(),
                translations: translations.map(|(t, p)| p.inverse() * t).collect(),
            }
        })
    }

    /// The zero pose becomes the posture in which each joint's world rotation is that of `posture`,
    /// one a joint.
    pub fn with_rest(self, posture: &[Quat]) -> Self {
        let frames: Vec<Quat> = posture.iter().map(Quat::inverse).collect();
        self.reframed(&frames)
    }

    /// Every bone along +X of its joint's frame, as many exporters lay them; a joint with several
    /// children follows its longest way down.
    pub fn along_x(self) -> Self {
        self.along(Vec3::x())
    }

    /// As [`along_x`](Self::along_x), along another direction.
    pub fn along(self, direction: Vec3) -> Self {
        let skeleton = self.clip.skeleton();
        let reach = reach(skeleton);
        let main = |id: JointId| {
            let child = skeleton
                .children(id)
                .filter(|&c| skeleton.joint(c).offset.norm() > 1e-9)
                .max_by(|a, b| reach[a.index()].total_cmp(&reach[b.index()]));
            let end = skeleton.joint(id).end_sites.first().copied();
            child.map(|c| skeleton.joint(c).offset).or(end).filter(|v| v.norm() > 1e-9)
        };
        let frames: Vec<Quat> = skeleton
            .ids()
            .map(|id| main(id).map_or(Quat::identity(), |bone| rotation_between(direction, bone)))
            .collect();
        self.reframed(&frames)
    }

    /// One more frame before all others, the given local pose of the clip's skeleton now.
    pub fn led_by(mut self, pose: &Pose) -> Self {
        let mut clip = Clip::new(self.clip.skeleton().clone(), self.clip.frame_time().clone());
        clip.push_pose(pose);
        for frame in 0..self.clip.len() {
            clip.push_pose(&self.clip.pose(frame));
        }
        self.clip = clip;
        self.lead += 1;
        self
    }

    /// A joint that never turns in the middle of the bone from `from` to `to` (places now); `to`
    /// must hang directly on `from`.
    pub fn with_inserted(self, to: JointId, name: &str) -> Self {
        let parent = self.clip.skeleton().parent(to).expect("a bone");
        let half = 0.5 * self.clip.skeleton().joint(to).offset;
        let extra = Joint {
            name: name.to_owned(),
            parent: Some(parent),
            offset: half,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        self.with_joint_above(to, extra, half, |local| (local, Quat::identity()))
    }

    /// A joint inside the bone that ends at `to`, which takes over the twist of the bone's joint
    /// about the bone, so that the joint itself only swings.
    pub fn with_inline_twist(self, to: JointId, name: &str) -> Self {
        let parent = self.clip.skeleton().parent(to).expect("a bone");
        // What else hangs on the bone's joint would swing without the twist that moves it.
        assert_eq!(self.clip.skeleton().children(parent).count(), 1, "a bone without branches");
        let offset = self.clip.skeleton().joint(to).offset;
        let axis = offset.normalize();
        let extra = Joint {
            name: name.to_owned(),
            parent: Some(parent),
            offset: 0.5 * offset,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        self.with_joint_above(to, extra, 0.5 * offset, move |local| swing_twist(local, axis))
    }

    /// Puts `extra` between `to` and its parent. `split` takes the parent's local rotation apart into
    /// its new one and the extra joint's.
    fn with_joint_above(
        mut self,
        to: JointId,
        extra: Joint,
        rest_of_bone: Vec3,
        split: impl Fn(Quat) -> (Quat, Quat),
    ) -> Self {
        let skeleton = self.clip.skeleton();
        let parent = skeleton.parent(to).expect("a bone");
        // The new joint stands where `to` stood, directly before it.
        let at = to.index();
        let moved = |id: JointId| JointId::new(id.index() + usize::from(id.index() >= at));
        let mut joints = skeleton.joints().to_vec();
        joints.iter_mut().for_each(|j| j.parent = j.parent.map(moved));
        joints[at].parent = Some(to);
        joints[at].offset = rest_of_bone;
        joints.insert(at, extra);
        self.place.iter_mut().for_each(|id| *id = moved(*id));
        let half = joints[at].offset;
        self.onto(joints, |pose| {
            let (above, own) = split(pose.rotations[parent.index()]);
            let mut pose = pose.clone();
            pose.rotations[parent.index()] = above;
            pose.rotations.insert(at, own);
            pose.translations[at] -= half;
            pose.translations.insert(at, half);
            pose
        })
    }

    /// A joint of no length that never turns between `to` and its parent.
    pub fn with_above(self, to: JointId, name: &str) -> Self {
        let skeleton = self.clip.skeleton();
        let offset = skeleton.joint(to).offset;
        let extra = Joint {
            name: name.to_owned(),
            parent: skeleton.parent(to),
            offset,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        self.with_joint_above(to, extra, Vec3::zeros(), |local| (local, Quat::identity()))
    }

    /// A joint turned anyhow in every frame, and all that hangs on it without length turned back, or joints of no
    /// length that are put between: nothing moves in the world.
    pub fn with_turns_that_cancel(
        mut self,
        branch: JointId,
        mut turn: impl FnMut() -> Quat,
    ) -> Self {
        let original: Vec<JointId> = self.clip.skeleton().children(branch).collect();
        let mut between = Vec::new();
        let mut inserted = 0;
        for &child in &original {
            // Each joint that was put in before moved what comes after it.
            let to = JointId::new(child.index() + inserted);
            let skeleton = self.clip.skeleton();
            let offset = skeleton.joint(to).offset;
            if offset.norm() == 0.0 {
                between.push(to.index());
                continue;
            }
            let extra = Joint {
                name: format!("{}_dummy", skeleton.name(to)),
                parent: Some(branch),
                offset: Vec3::zeros(),
                channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
                end_sites: Vec::new(),
            };
            self = self.with_joint_above(to, extra, offset, |local| (local, Quat::identity()));
            between.push(to.index());
            inserted += 1;
        }
        let mut clip = Clip::new(self.clip.skeleton().clone(), self.clip.frame_time().clone());
        for frame in 0..self.clip.len() {
            let mut pose = self.clip.pose(frame);
            let by = turn();
            pose.rotations[branch.index()] *= by;
            for &i in &between {
                pose.rotations[i] = by.inverse() * pose.rotations[i];
            }
            clip.push_pose(&pose);
        }
        self.clip = clip;
        self
    }

    /// A copy of a run of joints, each the parent of the next, beside the first of them; it moves as they
    /// do. Runs with joints between are left alone.
    pub fn with_copy_beside(mut self, run: &[JointId], name: impl Fn(&str) -> String) -> Self {
        let skeleton = self.clip.skeleton();
        if run.windows(2).any(|pair| skeleton.parent(pair[1]) != Some(pair[0])) {
            return self;
        }
        let at = skeleton.subtree(run[0]).end;
        let moved = |id: JointId| match id.index() >= at {
            true => JointId::new(id.index() + run.len()),
            false => id,
        };
        let mut joints = skeleton.joints().to_vec();
        joints.iter_mut().for_each(|j| j.parent = j.parent.map(moved));
        for (i, &id) in run.iter().enumerate() {
            let mut copy = skeleton.joint(id).clone();
            copy.name = name(&copy.name);
            copy.end_sites.clear();
            if i > 0 {
                copy.parent = Some(JointId::new(at + i - 1));
            }
            joints.insert(at + i, copy);
        }
        self.place.iter_mut().for_each(|id| *id = moved(*id));
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            for (i, &id) in run.iter().enumerate() {
                pose.rotations.insert(at + i, pose.rotations[id.index()]);
                pose.translations.insert(at + i, pose.translations[id.index()]);
            }
            pose
        })
    }

    /// A childless joint in the middle of the bone of `on` that ends at `to`, which follows half of
    /// the twist of `to` about the bone.
    pub fn with_leaf_twist(mut self, on: JointId, to: JointId, name: &str) -> Self {
        let skeleton = self.clip.skeleton();
        let offset = skeleton.joint(to).offset;
        let axis = offset.try_normalize(1e-12).unwrap_or(Vec3::x());
        let at = (on.index() + 1..skeleton.len())
            .find(|&i| !skeleton.is_ancestor(on, JointId::new(i)))
            .unwrap_or(skeleton.len());
        let mut joints = skeleton.joints().to_vec();
        let moved = |id: JointId| JointId::new(id.index() + usize::from(id.index() >= at));
        joints.iter_mut().for_each(|j| j.parent = j.parent.map(moved));
        let extra = Joint {
            name: name.to_owned(),
            parent: Some(on),
            offset: 0.5 * offset,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        joints.insert(at, extra);
        self.place.iter_mut().for_each(|id| *id = moved(*id));
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            let (_, twist) = swing_twist(pose.rotations[to.index()], axis);
            pose.rotations.insert(at, Quat::from_scaled_axis(0.5 * twist.scaled_axis()));
            pose.translations.insert(at, 0.5 * offset);
            pose
        })
    }

    /// Where a joint of the original is now.
    pub fn now(&self, original: JointId) -> JointId {
        self.place[original.index()]
    }

    /// The first frames from `first` on, `count` of them.
    pub fn cut(mut self, first: usize, count: usize) -> Self {
        self.clip = cut(&self.clip, first, count);
        self
    }

    /// The joints now, each changed by `change`.
    fn joints(&self, mut change: impl FnMut(usize, &mut Joint)) -> Vec<Joint> {
        let mut joints = self.clip.skeleton().joints().to_vec();
        joints.iter_mut().enumerate().for_each(|(i, joint)| change(i, joint));
        joints
    }

    /// The clip on other joints, every pose rewritten by `pose`.
    fn onto(&self, joints: Vec<Joint>, pose: impl Fn(&Pose) -> Pose) -> Self {
        let skeleton = Skeleton::new(joints).expect("rewriting keeps the order");
        let mut clip = Clip::new(skeleton, self.clip.frame_time().clone());
        for frame in 0..self.clip.len() {
            clip.push_pose(&pose(&self.clip.pose(frame)));
        }
        Self { clip, place: self.place.clone(), ..*self }
    }
}

/// Frames `first..first + count` of a clip.
pub fn cut(clip: &Clip, first: usize, count: usize) -> Clip {
    let mut short = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
    (first..first + count).for_each(|frame| short.push_pose(&clip.pose(frame)));
    short
}

/// A joint's rotation channels, or three where it has fewer.
fn rotation_channels(joint: &Joint) -> Vec<Channel> {
    let own = joint.channels.as_slice().iter().copied();
    own.filter(|c| matches!(c, Channel::Rotation(_))).collect()
}

/// The longest way from each joint's parent down through it, length units.
fn reach(skeleton: &Skeleton) -> Vec<f64> {
    let mut reach = vec![0.0f64; skeleton.len()];
    for id in skeleton.ids().rev() {
        let joint = skeleton.joint(id);
        let ends = joint.end_sites.iter().map(|e| e.norm()).fold(0.0, f64::max);
        reach[id.index()] = reach[id.index()].max(ends) + joint.offset.norm();
        if let Some(parent) = joint.parent {
            reach[parent.index()] = reach[parent.index()].max(reach[id.index()]);
        }
    }
    reach
}

/// Joint names as another tool gives them, by role: Unreal's, or HumanIK's as Mixamo has them.
pub fn styled(role: Role, unreal: bool) -> String {
    let (l, left) = match role.side() {
        Some(Side::Right) => ("r", "Right"),
        _ => ("l", "Left"),
    };
    let (word, finger) = match role {
        Role::Finger(_, digit, n) => (format!("{digit:?}").to_lowercase(), n),
        _ => (String::new(), 0),
    };
    if unreal {
        return match role {
            Role::Hips => "pelvis".into(),
            Role::Spine(n) => format!("spine_{n:02}"),
            Role::Neck(n) => format!("neck_{n:02}"),
            Role::Head => "head".into(),
            Role::Clavicle(_) => format!("clavicle_{l}"),
            Role::UpperArm(_) => format!("upperarm_{l}"),
            Role::Forearm(_) => format!("lowerarm_{l}"),
            Role::Hand(_) => format!("hand_{l}"),
            Role::Thigh(_) => format!("thigh_{l}"),
            Role::Shin(_) => format!("calf_{l}"),
            Role::Foot(_) => format!("foot_{l}"),
            Role::Toe(_) => format!("ball_{l}"),
            Role::Finger(..) if finger == 0 => format!("{word}_metacarpal_{l}"),
            Role::Finger(..) => format!("{word}_{finger:02}_{l}"),
            Role::Chain(name, n) => format!("{name}_{n:02}"),
        };
    }
    match role {
        Role::Hips => "mixamorig:Hips".into(),
        Role::Spine(1) => "mixamorig:Spine".into(),
        Role::Spine(n) => format!("mixamorig:Spine{}", n - 1),
        Role::Neck(1) => "mixamorig:Neck".into(),
        Role::Neck(n) => format!("mixamorig:Neck{}", n - 1),
        Role::Head => "mixamorig:Head".into(),
        Role::Clavicle(_) => format!("mixamorig:{left}Shoulder"),
        Role::UpperArm(_) => format!("mixamorig:{left}Arm"),
        Role::Forearm(_) => format!("mixamorig:{left}ForeArm"),
        Role::Hand(_) => format!("mixamorig:{left}Hand"),
        Role::Thigh(_) => format!("mixamorig:{left}UpLeg"),
        Role::Shin(_) => format!("mixamorig:{left}Leg"),
        Role::Foot(_) => format!("mixamorig:{left}Foot"),
        Role::Toe(_) => format!("mixamorig:{left}ToeBase"),
        Role::Finger(_, digit, 0) => format!("mixamorig:{left}InHand{digit:?}"),
        Role::Finger(_, digit, n) => format!("mixamorig:{left}Hand{digit:?}{n}"),
        Role::Chain(name, n) => format!("mixamorig:{name}{n}"),
    }
}

/// A posture as world rotations, with the places of the joints, to be bent into another rest pose.
pub struct Posture<'a> {
    skeleton: &'a Skeleton,
    roles: BTreeMap<Role, JointId>,
    pub rotations: Vec<Quat>,
    up: Vec3,
    left: Vec3,
}

impl<'a> Posture<'a> {
    /// The zero pose where the body stands in it, else the rig's straightened stance in its own
    /// world; then bends are small or none.
    pub fn standing(rig: &'a Rig) -> Self {
        let skeleton = &rig.skeleton;
        let stands = rig.stance.origin == retarget::internals::rig::StanceOrigin::Rest;
        let mut posture = Self {
            skeleton,
            roles: rig.roles.iter().collect(),
            rotations: vec![Quat::identity(); skeleton.len()],
            up: Vec3::y(),
            left: Vec3::x(),
        };
        if stands {
            let places = posture.places();
            let place = |role: Role| rig.joint(role).map(|id| places[id.index()]);
            let middle = |role: fn(Side) -> Role| {
                Some(0.5 * (place(role(Side::Left))? + place(role(Side::Right))?))
            };
            let thighs = middle(Role::Thigh).expect("legs");
            let top = middle(Role::UpperArm).or(place(Role::Head)).expect("a trunk");
            posture.up = nearest_axis(top - thighs);
            let left =
                place(Role::Thigh(Side::Left)).unwrap() - place(Role::Thigh(Side::Right)).unwrap();
            posture.left = nearest_axis(left - posture.up * posture.up.dot(&left));
        } else {
            let world_from_body = rotation_between(Vec3::y(), rig.up.vector());
            posture.up = rig.up.vector();
            posture.left = world_from_body * Vec3::x();
            for (rotation, body) in posture.rotations.iter_mut().zip(&rig.stance.body_from_joint) {
                *rotation = world_from_body * body;
            }
        }
        posture
    }

    /// Turned about up, the whole of it.
    pub fn turned(mut self, angle_rad: f64) -> Self {
        let axis = retarget::internals::math::Vec3::try_normalize(&self.up, 0.0).unwrap();
        let turn = Quat::from_scaled_axis(axis * angle_rad);
        self.rotations.iter_mut().for_each(|r| *r = turn * *r);
        self.left = turn * self.left;
        self
    }

    /// Each arm as one piece turned about the body's forward axis, until the upper arm points this far
    /// below the horizontal, seen from the front: 0 is a T, 45° an A.
    pub fn with_arms(mut self, below_rad: f64) -> Self {
        let forward = self.left.cross(&self.up);
        for side in Side::BOTH {
            let (Some(&upper), Some(&fore)) =
                (self.roles.get(&Role::UpperArm(side)), self.roles.get(&Role::Forearm(side)))
            else {
                continue;
            };
            let places = self.places();
            let bone = places[fore.index()] - places[upper.index()];
            let in_plane = bone - forward * forward.dot(&bone);
            let out = if side == Side::Left { self.left } else { -self.left };
            let wanted = out * below_rad.cos() - self.up * below_rad.sin();
            let cross = in_plane.cross(&wanted).dot(&forward);
            let angle = cross.atan2(in_plane.dot(&wanted));
            self.turn_branch(upper, Quat::from_scaled_axis(forward * angle));
        }
        self
    }

    /// Thighs and shins straight down. Feet of widely splayed legs come along, as in a pose that was
    /// splayed at the hips; others keep their own rotation, as in one that was modelled flat.
    pub fn with_legs_straight(mut self) -> Self {
        for side in Side::BOTH {
            let [thigh, shin, foot] =
                [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(|r| self.roles[&r]);
            let kept = self.rotations.clone();
            let places = self.places();
            let splay = (places[foot.index()] - places[thigh.index()]).angle(&-self.up);
            for (upper, lower) in [(thigh, shin), (shin, foot)] {
                let places = self.places();
                let bone = places[lower.index()] - places[upper.index()];
                self.turn_branch(upper, rotation_between(bone, -self.up));
            }
            if splay < 10f64.to_radians() {
                for id in self.skeleton.ids() {
                    if id == foot || self.skeleton.is_ancestor(foot, id) {
                        self.rotations[id.index()] = kept[id.index()];
                    }
                }
            }
        }
        self
    }

    /// As on a chair: thighs ahead, shins down.
    pub fn sitting(mut self) -> Self {
        for side in Side::BOTH {
            let turn = Quat::from_scaled_axis(self.left * -std::f64::consts::FRAC_PI_2);
            self.turn_branch(self.roles[&Role::Thigh(side)], turn);
            self.turn_branch(self.roles[&Role::Shin(side)], turn.inverse());
        }
        self
    }

    /// Towards the body's left.
    pub fn left(&self) -> Vec3 {
        self.left
    }

    /// Where the body faces.
    pub fn ahead(&self) -> Vec3 {
        self.left.cross(&self.up)
    }

    /// Turns a joint and all that hangs on it.
    fn turn_branch(&mut self, top: JointId, turn: Quat) {
        for id in self.skeleton.ids() {
            if id == top || self.skeleton.is_ancestor(top, id) {
                self.rotations[id.index()] = turn * self.rotations[id.index()];
            }
        }
    }

    /// Places of the joints in this posture, roots at their offsets.
    fn places(&self) -> Vec<Vec3> {
        let mut places: Vec<Vec3> = Vec::new();
        for joint in self.skeleton.joints() {
            places.push(match joint.parent {
                None => joint.offset,
                Some(p) => places[p.index()] + self.rotations[p.index()] * joint.offset,
            });
        }
        places
    }

    /// As local rotations, with the roots where the clip's first frame has them.
    pub fn as_pose(&self, clip: &Clip) -> Pose {
        let first = clip.pose(0);
        let mut pose = Pose::rest(self.skeleton);
        for (i, joint) in self.skeleton.joints().iter().enumerate() {
            pose.rotations[i] = match joint.parent {
                None => self.rotations[i],
                Some(p) => self.rotations[p.index()].inverse() * self.rotations[i],
            };
            if joint.parent.is_none() {
                pose.translations[i] = first.translations[i];
            }
        }
        pose
    }
}

/// The coordinate axis nearest to a direction, with its sign.
fn nearest_axis(v: Vec3) -> Vec3 {
    let axis = v.iamax();
    let mut unit = Vec3::zeros();
    unit[axis] = v[axis].signum();
    unit
}

/// The turn between worlds with Y and Z up, as Blender does it: a quarter turn about X.
pub fn world_turn(from: UpAxis, to: UpAxis) -> Quat {
    let quarters = match (from, to) {
        (UpAxis::Y, UpAxis::Z) => 1.0,
        (UpAxis::Z, UpAxis::Y) => -1.0,
        _ => {
            assert_eq!(from, to, "worlds with +Y or +Z up");
            0.0
        }
    };
    Quat::from_scaled_axis(Vec3::x() * (quarters * std::f64::consts::FRAC_PI_2))
}

/// World positions of a frame.
pub fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), &clip.pose(frame))
}
