//! A clip: a skeleton, a frame time, and the local pose of every frame.
//!
//! ```
//! let clip = retarget::SourceClip::load("samples/walk.bvh")?.clip;
//! let pose = clip.pose(clip.len() - 1);
//! assert_eq!(pose.rotations.len(), clip.skeleton().len());
//! assert!((clip.frame_time().seconds() - 1.0 / 60.0).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod chunks;

use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};
use chunks::Chunks;
use std::ops::RangeInclusive;

/// The time from one frame to the next, with the digits that the file gave.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTime {
    seconds: f64,
    text: String,
}

impl FrameTime {
    /// The least and the most seconds of a frame, both inclusive: a hundredth of what the fastest cameras need, and
    /// longer than anyone looks at a pose. The bounds also bound time and memory, since lengths of time are converted
    /// to numbers of frames.
    pub const BOUNDS_S: RangeInclusive<f64> = 1e-5..=1e3;

    /// A frame time from its text in a file; `None` unless it is a number within [the bounds](Self::BOUNDS_S).
    pub fn parse(text: &str) -> Option<Self> {
        let seconds: f64 = text.parse().ok()?;
        Self::BOUNDS_S.contains(&seconds).then(|| Self { seconds, text: text.to_owned() })
    }

    /// A frame time from seconds; `None` unless it is within [the bounds](Self::BOUNDS_S).
    pub fn from_seconds(seconds: f64) -> Option<Self> {
        Self::parse(&seconds.to_string())
    }

    /// Seconds from one frame to the next.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The seconds as text: as they stand in the file, else the shortest digits that give the same number.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Local poses of a skeleton over time, stored frame-major in skeleton order. Frames count from 0. Appended frames are
/// not moved in memory, and clones share them until one of the clips changes. Two clips with equal frames are equal, however
/// the frames were added.
///
/// Translations are stored only for joints with a position channel; the others stay at their
/// [OFFSET](crate::skeleton::Joint::offset). All lengths are in the unit of the OFFSETs.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    skeleton: Skeleton,
    frame_time: FrameTime,
    moving: Vec<JointId>,
    /// The OFFSETs, one a joint.
    offsets: Vec<Vec3>,
    /// By joint, its place among `moving`; `None` for a joint without position channels.
    places: Vec<Option<usize>>,
    local: Chunks,
}

/// Local poses one after the other, as a clip stores them: for each frame one rotation for each joint and one
/// translation for each joint of [`Clip::moving`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    /// One for each joint and frame, frame-major, each relative to its parent.
    pub rotations: Vec<Quat>,
    /// One for each moving joint and frame, frame-major, from the parent and in its frame, in length units.
    pub translations: Vec<Vec3>,
}

impl Frames {
    /// No frames, for a skeleton of this many joints, `moving` of which have position channels. There is room for
    /// `capacity` frames.
    pub fn with_capacity(joints: usize, moving: usize, capacity: usize) -> Self {
        Self {
            rotations: Vec::with_capacity(capacity * joints),
            translations: Vec::with_capacity(capacity * moving),
        }
    }

    /// Appends a pose; translations of joints without position channels are not stored.
    pub fn push(&mut self, pose: &Pose, moving: &[JointId]) {
        self.rotations.extend_from_slice(&pose.rotations);
        self.translations.extend(moving.iter().map(|id| pose.translations[id.index()]));
    }
}

/// Joints with a position channel, in skeleton order.
pub fn moving_joints(skeleton: &Skeleton) -> Vec<JointId> {
    skeleton.ids().filter(|&id| skeleton.joint(id).channels.has_position()).collect()
}

impl Clip {
    /// A clip without frames, with memory for `capacity` of them.
    pub fn with_capacity(skeleton: Skeleton, frame_time: FrameTime, capacity: usize) -> Self {
        let moving = moving_joints(&skeleton);
        let mut places = vec![None; skeleton.len()];
        moving.iter().enumerate().for_each(|(place, id)| places[id.index()] = Some(place));
        Self {
            places,
            local: Chunks::with_capacity(skeleton.len(), moving.len(), capacity),
            offsets: skeleton.joints().iter().map(|joint| joint.offset).collect(),
            moving,
            skeleton,
            frame_time,
        }
    }

    /// A clip without frames.
    pub fn new(skeleton: Skeleton, frame_time: FrameTime) -> Self {
        Self::with_capacity(skeleton, frame_time, 0)
    }

    /// Appends a frame, with one rotation for each joint and one translation for each joint of
    /// [`moving`](Self::moving); panics on other lengths.
    pub fn push(&mut self, rotations: &[Quat], translations: &[Vec3]) {
        assert_eq!(rotations.len(), self.skeleton.len(), "one rotation a joint");
        assert_eq!(translations.len(), self.moving.len(), "one translation a moving joint");
        self.local.push(|frames| {
            frames.rotations.extend_from_slice(rotations);
            frames.translations.extend_from_slice(translations);
        });
    }

    /// Appends a pose of this skeleton as a frame; translations of joints without position channels are not stored.
    /// Panics on a pose of another number of joints.
    pub fn push_pose(&mut self, pose: &Pose) {
        assert_eq!(pose.rotations.len(), self.skeleton.len(), "one rotation a joint");
        self.local.push(|frames| frames.push(pose, &self.moving));
    }

    /// Puts another pose in the place of a frame: one rotation for each joint and one translation for each joint of
    /// [`moving`](Self::moving). Copies the frames that came with it, if a clone shares them. Panics on other lengths.
    pub(crate) fn replace(&mut self, frame: usize, rotations: &[Quat], translations: &[Vec3]) {
        self.local.replace(frame, rotations, translations);
    }

    /// Appends frames without copying them. Panics unless they are whole frames of this skeleton.
    pub fn append(&mut self, frames: Frames) {
        self.local.append(frames);
    }

    /// The same clip with all frames one after the other in memory. If they are in several pieces this costs a copy; each
    /// piece is freed once it is copied.
    pub fn joined(mut self) -> Self {
        self.local.join();
        self
    }

    /// All rotations (one for each joint of each frame) and all translations (one for each joint of
    /// [`moving`](Self::moving) of each frame), frame-major, of a clip that [is joined](Self::joined); `None` if its
    /// frames are in several pieces.
    pub fn whole(&self) -> Option<(&[Quat], &[Vec3])> {
        self.local.whole()
    }

    /// The joints.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The time from one frame to the next.
    pub fn frame_time(&self) -> &FrameTime {
        &self.frame_time
    }

    /// How many frames there are; may be none.
    pub fn len(&self) -> usize {
        self.local.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Joints with a position channel, in skeleton order: those that have a translation in every frame.
    pub fn moving(&self) -> &[JointId] {
        &self.moving
    }

    /// Local rotations of a frame, one for each joint, each relative to its parent. Panics unless `frame` is less than
    /// [`len`](Self::len), as all that takes a frame does.
    pub fn rotations(&self, frame: usize) -> &[Quat] {
        self.local.frame(frame).0
    }

    /// Local translations of a frame, one for each joint of [`moving`](Self::moving), each from its parent in the
    /// parent's frame, in the clip's length unit.
    pub fn translations(&self, frame: usize) -> &[Vec3] {
        self.local.frame(frame).1
    }

    /// Copies a frame into `pose` (a pose of this skeleton) without allocating. Joints without position channels get
    /// their OFFSET. Panics on a pose of another number of joints.
    pub fn read_pose(&self, frame: usize, pose: &mut Pose) {
        let (rotations, translations) = self.local.frame(frame);
        pose.rotations.copy_from_slice(rotations);
        pose.translations.copy_from_slice(&self.offsets);
        for (id, &translation) in self.moving.iter().zip(translations) {
            pose.translations[id.index()] = translation;
        }
    }

    /// Forward kinematics of a frame, of these joints alone, without allocating: each must come after its parent, which
    /// must be one of them. Panics on a `world` of fewer joints.
    pub(crate) fn place_joints(&self, frame: usize, joints: &[JointId], world: &mut WorldPose) {
        let (rotations, translations) = self.local.frame(frame);
        for id in joints {
            let i = id.index();
            let translation = self.places[i].map_or(self.offsets[i], |place| translations[place]);
            world.set_joint(self.skeleton.parent(*id), i, rotations[i], translation);
        }
    }

    /// The position of every joint in the world, frame-major, in the clip's length units: joint `j` of frame `f` is at
    /// `f * joints + j`. Costs one forward kinematics a frame.
    pub fn world_positions(&self) -> Vec<Vec3> {
        let mut positions = Vec::with_capacity(self.len() * self.skeleton().len());
        self.each_world(0..self.len(), |_, world| positions.extend_from_slice(&world.positions));
        positions
    }

    /// Calls `see` with the number and the world pose of each of these frames. Costs one forward kinematics a frame, and
    /// memory for one pose.
    pub fn each_world(
        &self,
        frames: impl IntoIterator<Item = usize>,
        mut see: impl FnMut(usize, &WorldPose),
    ) {
        let mut pose = Pose::rest(self.skeleton());
        let mut world = WorldPose::new(self.skeleton().len());
        for frame in frames {
            self.read_pose(frame, &mut pose);
            world.set(self.skeleton(), &pose);
            see(frame, &world);
        }
    }

    /// A frame as a new pose; [`read_pose`](Self::read_pose) fills an existing one without allocating.
    pub fn pose(&self, frame: usize) -> Pose {
        let mut pose = Pose::rest(&self.skeleton);
        self.read_pose(frame, &mut pose);
        pose
    }
}
