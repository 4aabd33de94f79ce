//! Makes a skeleton of a scene's joints, and converts animations in both directions.
//!
//! A joint of a file has axes of its own. The skeleton's joint has the world's axes in the zero pose: its rotation in
//! the world is that of the file's joint relative to the zero pose. This only changes the joint's frame, so it is exact
//! in both directions. Scales of nodes, and transforms of nodes above the joints, are included.

use super::frame::{NodeFrame, rotation_in};
use super::rest::{self, Base};
use super::{Local, NodeId, Scene, Track, limbs};
use crate::clip::{Clip, FrameTime};
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{Channels, Joint, JointId, MOST_JOINTS, Skeleton, SkeletonError};
use nalgebra::Matrix3;

/// The joints of a [`Scene`] as a [`Skeleton`].
#[derive(Clone, Debug)]
pub struct Body {
    skeleton: Skeleton,
    /// The node of each joint.
    nodes: Vec<NodeId>,
    /// All nodes, each after its parent.
    order: Vec<NodeId>,
    /// The frames of all nodes in the zero pose, in the world.
    zero: Vec<NodeFrame>,
    /// Which pose of the file the zero pose is.
    pub base: Base,
}

/// Why a scene has no skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    #[error("the file has no joints: no node that a skin, an animation or a humanoid names")]
    NoJoints,
    #[error("the file has {0} joints, and at most {MOST_JOINTS} are read")]
    ManyJoints(usize),
    #[error("node {0} has no rotation: it has scale zero along an axis, or is a mirror image")]
    Flat(String),
    #[error("the position of node {0} is not finite")]
    Far(String),
    #[error("{0}")]
    Skeleton(#[from] SkeletonError),
}

/// A joint that moves by less than this share of the body's size counts as unmoved.
const STILL_SHARE: f64 = 1e-6;

impl Body {
    /// Makes the skeleton of all joints and their ancestors. Its roots have position channels.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        let order = scene.in_order();
        let mut is_joint: Vec<bool> = scene.nodes.iter().map(|node| node.is_joint).collect();
        for &id in order.iter().rev() {
            if let (true, Some(parent)) = (is_joint[id], scene.nodes[id].parent) {
                is_joint[parent] = true;
            }
        }
        let joints: Vec<NodeId> = order.iter().copied().filter(|id| is_joint[*id]).collect();
        match joints.len() {
            0 => return Err(SceneError::NoJoints),
            len if len > MOST_JOINTS => return Err(SceneError::ManyJoints(len)),
            _ => {}
        }
        let (zero, base) = rest::base(scene, &order);
        for &id in &joints {
            if !zero[id].is_finite() {
                return Err(SceneError::Far(scene.nodes[id].name.clone()));
            }
            if rotation_in(&zero[id].linear).is_none() && zero[id].size() >= 0.0 {
                return Err(SceneError::Flat(scene.nodes[id].name.clone()));
            }
        }
        let parents: Vec<Option<NodeId>> = scene.nodes.iter().map(|node| node.parent).collect();
        let skeleton = skeleton(scene, &joints, &parents, &zero)?;
        let feet = limbs::loose_feet(&skeleton);
        if feet.is_empty() {
            return Ok(Self { skeleton, nodes: joints, order, zero, base });
        }
        let mut parents = parents;
        for (foot, shin) in feet {
            parents[joints[foot.index()]] = Some(joints[shin.index()]);
        }
        let joints = depth_first(&joints, &parents);
        let skeleton = self::skeleton(scene, &joints, &parents, &zero)?;
        Ok(Self { skeleton, nodes: joints, order, zero, base })
    }

    /// The skeleton. Only its roots have position channels.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The node of each joint, in skeleton order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The skeleton with position channels for these joints too.
    pub fn skeleton_moving(&self, moving: impl Fn(JointId) -> bool) -> Skeleton {
        let mut joints = self.skeleton.joints().to_vec();
        for (id, joint) in self.skeleton.ids().zip(&mut joints) {
            if moving(id) {
                joint.channels = Channels::usual(true);
            }
        }
        Skeleton::new(joints).expect("the same joints")
    }

    /// An animation of the nodes as a clip of `frames` frames. Joints that move away from their offsets have position
    /// channels; a joint without a rotation in a frame keeps that of the frame before. Costs two passes over the
    /// frames, each with one product per node.
    pub fn clip(&self, scene: &Scene, tracks: &[Track], frames: usize, time: FrameTime) -> Clip {
        let mut of_node = vec![None; scene.nodes.len()];
        for track in tracks {
            of_node[track.node] = Some(track);
        }
        let still_len = STILL_SHARE * self.skeleton.reach_len();
        let mut pose = Pose::rest(&self.skeleton);
        let mut moves = vec![false; self.skeleton.len()];
        let mut mover = Mover::new(self, scene, &of_node);
        for frame in 0..frames {
            mover.pose(frame, &mut pose);
            for ((moves, joint), place) in
                moves.iter_mut().zip(self.skeleton.joints()).zip(&pose.translations)
            {
                *moves |= (place - joint.offset).norm() > still_len;
            }
        }
        let skeleton = self.skeleton_moving(|id| moves[id.index()]);
        let mut clip = Clip::with_capacity(skeleton, time, frames);
        let mut mover = Mover::new(self, scene, &of_node);
        for frame in 0..frames {
            mover.pose(frame, &mut pose);
            clip.push_pose(&pose);
        }
        clip
    }

    /// A clip of this skeleton as tracks of the nodes: a rotation in each frame for every joint that is `keyed`, and
    /// translations for those that move away from their offsets. All other joints and nodes stay at rest.
    pub fn tracks(&self, scene: &Scene, clip: &Clip, keyed: &[bool]) -> Vec<Track> {
        let still_len = STILL_SHARE * self.skeleton.reach_len();
        let mut joint_of = vec![None; scene.nodes.len()];
        for (joint, &node) in self.nodes.iter().enumerate() {
            joint_of[node] = Some(joint).filter(|joint| keyed[*joint]);
        }
        let mut tracks: Vec<Track> = Vec::new();
        let mut place_of = vec![usize::MAX; scene.nodes.len()];
        for (joint, &node) in self.nodes.iter().enumerate() {
            if keyed[joint] {
                place_of[node] = tracks.len();
                let translations = Some(Vec::with_capacity(clip.len()));
                let rotations = Some(Vec::with_capacity(clip.len()));
                tracks.push(Track { node, translations, rotations, scales: None });
            }
        }
        let mut pose = Pose::rest(clip.skeleton());
        let mut world = WorldPose::new(clip.skeleton().len());
        let mut nodes = vec![NodeFrame::default(); scene.nodes.len()];
        for frame in 0..clip.len() {
            clip.read_pose(frame, &mut pose);
            world.set(clip.skeleton(), &pose);
            for &id in &self.order {
                let node = &scene.nodes[id];
                let above = node.parent.map_or(scene.above(), |parent| nodes[parent]);
                let mut local = node.local;
                if let Some(joint) = joint_of[id] {
                    let turn = world.rotations[joint].to_rotation_matrix().into_inner();
                    let goal = NodeFrame {
                        linear: turn * self.zero[id].linear,
                        place: world.positions[joint],
                    };
                    let track = &mut tracks[place_of[id]];
                    if let Some(inverse) = above.inverse() {
                        let inner = inverse.then(&goal);
                        local.translation = inner.place;
                        // The scale along the node's own axes applies before its rotation.
                        let unsized_ = inner.linear
                            * Matrix3::from_diagonal(&node.local.scale.map(inverse_or_one));
                        local.rotation = rotation_in(&unsized_).unwrap_or(local.rotation);
                    }
                    let (places, turns) = (&mut track.translations, &mut track.rotations);
                    places.get_or_insert_default().push(local.translation);
                    turns.get_or_insert_default().push(local.rotation);
                }
                nodes[id] = above.then(&local.frame());
            }
        }
        for track in &mut tracks {
            let rest = &scene.nodes[track.node].local;
            let size = self.order_size(scene, track.node);
            let moves = |place: &Vec3| (place - rest.translation).norm() * size > still_len;
            if !track.translations.iter().flatten().any(moves) {
                track.translations = None;
            }
        }
        tracks
    }

    /// The factor by which a length grows from the frame of a node's parent to the world.
    fn order_size(&self, scene: &Scene, node: NodeId) -> f64 {
        scene.nodes[node].parent.map_or(1.0, |parent| self.zero[parent].size().abs())
    }
}

fn inverse_or_one(size: f64) -> f64 {
    if size == 0.0 { 1.0 } else { 1.0 / size }
}

/// The joints as a skeleton whose zero pose is `zero`.
fn skeleton(
    scene: &Scene,
    joints: &[NodeId],
    parents: &[Option<NodeId>],
    zero: &[NodeFrame],
) -> Result<Skeleton, SkeletonError> {
    let mut place_of = vec![None; scene.nodes.len()];
    for (place, &id) in joints.iter().enumerate() {
        place_of[id] = Some(JointId::new(place));
    }
    let joint = |&id: &NodeId| {
        let parent = parents[id];
        let name = match scene.nodes[id].name.as_str() {
            "" => format!("node{id}"),
            name => name.to_owned(),
        };
        let offset = zero[id].place - parent.map_or(Vec3::zeros(), |parent| zero[parent].place);
        Joint::new(name, parent.and_then(|parent| place_of[parent]), offset)
    };
    Skeleton::new(joints.iter().map(joint).collect())
}

/// The joints in depth-first order; children keep their order.
fn depth_first(joints: &[NodeId], parents: &[Option<NodeId>]) -> Vec<NodeId> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut stack = Vec::new();
    for &id in joints {
        match parents[id] {
            Some(parent) => children[parent].push(id),
            None => stack.push(id),
        }
    }
    stack.reverse();
    let mut order = Vec::with_capacity(joints.len());
    while let Some(id) = stack.pop() {
        order.push(id);
        stack.extend(children[id].iter().rev());
    }
    order
}

/// Makes poses of a body from tracks.
struct Mover<'a> {
    body: &'a Body,
    scene: &'a Scene,
    of_node: &'a [Option<&'a Track>],
    /// From the frame of a joint's node to the joint's rotation relative to the zero pose.
    zero_inverse: Vec<Matrix3<f64>>,
    nodes: Vec<NodeFrame>,
    world: WorldPose,
}

impl<'a> Mover<'a> {
    fn new(body: &'a Body, scene: &'a Scene, of_node: &'a [Option<&'a Track>]) -> Self {
        let inverse = |id: &NodeId| body.zero[*id].linear.try_inverse().unwrap_or_default();
        Self {
            body,
            scene,
            of_node,
            zero_inverse: body.nodes.iter().map(inverse).collect(),
            nodes: vec![NodeFrame::default(); scene.nodes.len()],
            world: WorldPose::new(body.nodes.len()),
        }
    }

    fn pose(&mut self, frame: usize, pose: &mut Pose) {
        let scene = self.scene;
        for &id in &self.body.order {
            let node = &scene.nodes[id];
            let local: Local = match self.of_node[id] {
                Some(track) => track.at(frame, &node.local),
                None => node.local,
            };
            let own = local.frame();
            self.nodes[id] = match node.parent {
                Some(parent) => self.nodes[parent].then(&own),
                None => scene.above().then(&own),
            };
        }
        let skeleton = &self.body.skeleton;
        for (joint, &id) in self.body.nodes.iter().enumerate() {
            let NodeFrame { linear, place } = self.nodes[id];
            if let Some(turn) = rotation_in(&(linear * self.zero_inverse[joint])) {
                self.world.rotations[joint] = turn;
            }
            self.world.positions[joint] = place;
            let above = skeleton.joints()[joint].parent;
            let (turn, from) = match above {
                Some(parent) => {
                    (self.world.rotation(parent).inverse(), self.world.position(parent))
                }
                None => (Quat::identity(), Vec3::zeros()),
            };
            pose.rotations[joint] = turn * self.world.rotations[joint];
            pose.translations[joint] = turn * (place - from);
        }
    }
}
