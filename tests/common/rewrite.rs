//! The same body and the same motion, written differently: what a rig's author, an exporter or a
//! pipeline may change without changing where any joint is in the world.
//!
//! Each rewriting is exact, so the truth of a retarget onto or from it is known to the last digit.

#![allow(dead_code)]

#[path = "rewrite/joints.rs"]
mod joints;
#[path = "rewrite/posture.rs"]
mod posture;

pub use posture::Posture;

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
