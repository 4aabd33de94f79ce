//! Makes a clip with rotations of the positions of joints, which text-to-motion models and pose trackers give.
//!
//! Each bone has its median length. Several bones at one joint (pelvis, chest, hand) determine that joint's rotation. A
//! single bone determines only a direction, so its joint gets the rotation with the least twist. Thighs and upper arms
//! get their roll from the plane in which knee and elbow bend, wherever those bend enough to show one. The twist from
//! hips to chest is spread evenly over the spine.
//!
//! ```
//! use retarget::internals::clip::FrameTime;
//! use retarget::internals::math::Vec3;
//! use retarget::internals::positions::{Layout, Tracked, clip_of};
//!
//! let layout = Layout::named("humanml3d").expect("a known layout");
//! let one_frame = vec![Vec3::zeros(); layout.points()];
//! let frame_time = FrameTime::from_seconds(0.05).expect("a frame time");
//! // All joints in one place make no body.
//! assert!(clip_of(&layout.tracked(&one_frame, 22).expect("22 points"), frame_time, None).is_err());
//! ```

mod layout;
mod rest;
mod roll;
mod spine;
mod turn;

pub use layout::Layout;

use crate::clip::{Clip, FrameTime, Frames};
use crate::math::{Vec3, median, percentile};
use crate::rig::{Role, UpAxis, WrittenRoles, recognise};
use crate::skeleton::{
    Channels, Joint, JointId, ParentsError, Skeleton, SkeletonError, depth_first,
};
use rest::Rest;

/// Positions of a body's joints over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    names: Vec<String>,
    /// Places of the parents; negative for a root.
    parents: Vec<isize>,
    /// Frame-major, world; one a joint.
    positions: Vec<Vec3>,
}

/// What was made of positions.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub clip: Clip,
    /// How much bones change their length: the interquartile range of a bone's lengths as a share of its length, in the
    /// median over the bones. 0 for a rigid body; 0.01 is visible noise.
    pub noise_ratio: f64,
    /// The bone whose length changes most, and by which share.
    pub noisiest: (String, f64),
}

impl Fitted {
    /// A sentence that says that the positions are noisy, where that is visible.
    pub fn noise(&self) -> Option<String> {
        let (joint, most) = &self.noisiest;
        (self.noise_ratio > NOISY).then(|| {
            format!(
                "the positions are noisy: the middle half of a bone's lengths differs by {:.1} % of it in the median, and \
                 by {:.1} % of that to {joint:?}; bones have their median lengths",
                100.0 * self.noise_ratio,
                100.0 * most
            )
        })
    }
}

/// The share of its length by which a bone may vary before a note says so.
const NOISY: f64 = 0.01;

/// Why positions make no clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionsError {
    #[error("there are no frames")]
    NoFrames,
    #[error("there are {names} names, {parents} parents and {points} positions a frame")]
    Counts { names: usize, parents: usize, points: usize },
    #[error(transparent)]
    Parents(#[from] ParentsError),
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    #[error("frame {frame}, joint {joint:?}: the position is not a finite number")]
    NotFinite { frame: usize, joint: String },
    #[error("all joints lie in one place, so there is no body")]
    NoLength,
    #[error(
        "the body is farther away than 100000000 times the length of all its bones; is their unit right?"
    )]
    FarAway,
}

impl Tracked {
    /// Positions of joints with names and parents (places of the parents; negative for a root) in any order,
    /// frame-major.
    pub fn new(
        names: Vec<String>,
        parents: Vec<isize>,
        positions: Vec<Vec3>,
    ) -> Result<Self, PositionsError> {
        let points = positions.len() % names.len().max(1);
        if names.is_empty() || names.len() != parents.len() || points != 0 {
            return Err(PositionsError::Counts {
                names: names.len(),
                parents: parents.len(),
                points,
            });
        }
        let order = depth_first(&parents)?;
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let parent = |&old: &usize| usize::try_from(parents[old]).map_or(-1, |p| place[p] as isize);
        let joints = names.len();
        for (i, at) in positions.iter().enumerate() {
            if !at.iter().all(|x| x.is_finite()) {
                let joint = names[i % joints].clone();
                return Err(PositionsError::NotFinite { frame: i / joints, joint });
            }
        }
        let in_order = |frame: &[Vec3]| order.iter().map(|&old| frame[old]).collect::<Vec<_>>();
        Ok(Self {
            parents: order.iter().map(parent).collect(),
            names: order.iter().map(|&old| names[old].clone()).collect(),
            positions: positions.chunks_exact(joints).flat_map(in_order).collect(),
        })
    }

    fn joints(&self) -> usize {
        self.names.len()
    }

    fn frames(&self) -> usize {
        self.positions.len() / self.joints()
    }

    fn parent(&self, joint: usize) -> Option<usize> {
        usize::try_from(self.parents[joint]).ok()
    }

    fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        (joint + 1..self.joints()).filter(move |&child| self.parent(child) == Some(joint))
    }

    fn at(&self, frame: usize, joint: usize) -> Vec3 {
        self.positions[frame * self.joints() + joint]
    }

    /// From one joint to another.
    fn way(&self, frame: usize, from: usize, to: usize) -> Vec3 {
        self.at(frame, to) - self.at(frame, from)
    }
}

/// How long a bone is, and how much that varies.
#[derive(Clone, Copy, Debug, Default)]
struct Bone {
    /// The median of its lengths.
    len: f64,
    /// The interquartile range of its lengths.
    spread: f64,
}

impl Bone {
    /// Whether it is rigid enough to be a bone, rather than a joint that moves independently.
    fn is_rigid(&self) -> bool {
        self.spread <= LOOSE * self.len
    }
}

/// The interquartile range of a bone's lengths, as a share of its length, over which it is no bone.
const LOOSE: f64 = 0.25;

/// The same for a bone that leads to the hips, which is often none, since a body walks away from its root.
const LOOSE_ROOT: f64 = 0.001;

/// Makes a clip of positions. Without `up` the axis up is found from the body's posture.
///
/// The clip's zero pose is the body standing with its arms to the sides, facing +Z (where Y is up), with the trunk's
/// own median shape. Costs a few passes over the frames for each joint.
pub fn clip_of(
    tracked: &Tracked,
    frame_time: FrameTime,
    up: Option<UpAxis>,
) -> Result<Fitted, PositionsError> {
    if tracked.frames() == 0 {
        return Err(PositionsError::NoFrames);
    }
    let mut bones = bones(tracked);
    if bones.iter().all(|bone| bone.len < 1e-12) {
        return Err(PositionsError::NoLength);
    }
    let roles = recognise(&plain(tracked, &bones)?, &WrittenRoles::default());
    let roles = roles.map(|found| found.roles).ok();
    if let Some(hips) = roles.as_ref().and_then(|roles| roles.joint(Role::Hips)) {
        let above = std::iter::successors(Some(hips.index()), |&joint| tracked.parent(joint));
        for joint in above {
            if bones[joint].spread > LOOSE_ROOT * bones[joint].len {
                bones[joint].spread = f64::INFINITY;
            }
        }
    }
    let mut rest = Rest::new(tracked, &bones, roles.as_ref(), up);
    let world = turn::world_rotations(tracked, &bones, roles.as_ref(), &mut rest);
    let skeleton = skeleton(tracked, &rest.offsets, |joint| is_moving(tracked, &bones, joint))?;
    let most = skeleton.most_away_len();
    let clip = clip(tracked, skeleton, &world, frame_time);
    let mut places = (0..clip.len()).flat_map(|frame| clip.translations(frame));
    if places.any(|place| place.amax() > most) {
        return Err(PositionsError::FarAway);
    }
    let of_bones: Vec<(usize, f64)> = (0..tracked.joints())
        .filter(|&joint| tracked.parent(joint).is_some() && bones[joint].len > 1e-12)
        .filter(|&joint| bones[joint].is_rigid())
        .map(|joint| (joint, bones[joint].spread / bones[joint].len))
        .collect();
    let noisiest = of_bones.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let noisiest = noisiest
        .map_or_else(Default::default, |(joint, noise)| (tracked.names[joint].clone(), noise));
    Ok(Fitted { clip, noise_ratio: median(of_bones.into_iter().map(|(_, noise)| noise)), noisiest })
}

/// The bone from each joint's parent to it.
fn bones(tracked: &Tracked) -> Vec<Bone> {
    let bone = |joint: usize| {
        let Some(parent) = tracked.parent(joint) else { return Bone::default() };
        let len = |frame| tracked.way(frame, parent, joint).norm();
        let lens: Vec<f64> = (0..tracked.frames()).map(len).collect();
        let share = |share| percentile(lens.iter().copied(), share);
        Bone { len: share(0.5), spread: share(0.75) - share(0.25) }
    };
    (0..tracked.joints()).map(bone).collect()
}

/// Whether a joint has a place of its own in every frame.
fn is_moving(tracked: &Tracked, bones: &[Bone], joint: usize) -> bool {
    tracked.parent(joint).is_none() || !bones[joint].is_rigid()
}

/// The skeleton in the shape of the first frame, to be recognised.
fn plain(tracked: &Tracked, bones: &[Bone]) -> Result<Skeleton, PositionsError> {
    let offset = |joint: usize| {
        tracked.parent(joint).map_or(Vec3::zeros(), |parent| {
            let way = tracked.way(0, parent, joint);
            way.try_normalize(1e-12).map_or(way, |along| along * bones[joint].len)
        })
    };
    let offsets: Vec<Vec3> = (0..tracked.joints()).map(offset).collect();
    skeleton(tracked, &offsets, |_| false)
}

fn skeleton(
    tracked: &Tracked,
    offsets: &[Vec3],
    is_moving: impl Fn(usize) -> bool,
) -> Result<Skeleton, PositionsError> {
    let joint = |joint: usize| {
        let parent = tracked.parent(joint).map(JointId::new);
        let channels = Channels::usual(is_moving(joint) || parent.is_none());
        Joint { channels, ..Joint::new(&tracked.names[joint], parent, offsets[joint]) }
    };
    Ok(Skeleton::new((0..tracked.joints()).map(joint).collect())?)
}

/// The clip of world rotations, frame-major.
fn clip(
    tracked: &Tracked,
    skeleton: Skeleton,
    world: &[crate::math::Quat],
    frame_time: FrameTime,
) -> Clip {
    let joints = tracked.joints();
    let mut clip = Clip::new(skeleton, frame_time);
    let moving = clip.moving().to_vec();
    let mut frames = Frames::with_capacity(joints, moving.len(), tracked.frames());
    for frame in 0..tracked.frames() {
        let world = &world[frame * joints..(frame + 1) * joints];
        let local = |joint: usize| match tracked.parent(joint) {
            Some(parent) => world[parent].inverse() * world[joint],
            None => world[joint],
        };
        frames.rotations.extend((0..joints).map(local));
        frames.translations.extend(moving.iter().map(|id| match tracked.parent(id.index()) {
            Some(parent) => world[parent].inverse() * tracked.way(frame, parent, id.index()),
            None => tracked.at(frame, id.index()),
        }));
    }
    clip.append(frames);
    clip
}
