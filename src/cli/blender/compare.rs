//! Whether Blender has each joint where forward kinematics has it.

use super::job::SeenClip;
use super::side::Side;
use retarget::clip::Clip;
use retarget::math::Vec3;
use retarget::pose::{Pose, WorldPose};
use serde::Serialize;

/// How far off a joint may be, as a share of the body. Blender counts in 32 bits, which is a thousandth
/// of this for a body near the origin.
pub const MOST_OFF_RATIO: f64 = 1e-4;

/// What Blender shows of one clip, against what is computed.
#[derive(Debug, Serialize)]
pub struct Agreement {
    pub file: String,
    pub joints: usize,
    /// How many frames were compared.
    pub frames: usize,
    /// Bones of Blender's armature; each stands for a joint, in order.
    pub bones: usize,
    /// Whether the bones are joined as the joints are; else nothing else is compared.
    pub same_tree: bool,
    /// Largest distance of a bone's head from its joint, over the body's size: the diagonal of the box
    /// about all joints, in the frame where it is largest.
    pub off_ratio: f64,
    /// Where it is that far off.
    pub joint: String,
    pub frame: usize,
}

/// `heads` are the bones' heads in Blender's world, frame after frame of [`Side::compared`].
pub fn compare(side: &Side, seen: &SeenClip, heads: &[Vec3]) -> Agreement {
    let skeleton = side.clip.skeleton();
    let frames = side.compared();
    let parents = skeleton.joints().iter().map(|joint| joint.parent.map(|p| p.index()));
    let mut agreement = Agreement {
        file: side.path.display().to_string(),
        joints: skeleton.len(),
        frames: frames.len(),
        bones: seen.parents.len(),
        same_tree: seen.parents.iter().copied().eq(parents)
            && heads.len() == frames.len() * skeleton.len(),
        off_ratio: 0.0,
        joint: String::new(),
        frame: 0,
    };
    if !agreement.same_tree {
        return agreement;
    }
    let (mut body_len, mut off) = (0.0f64, 0.0f64);
    for_each(&side.clip, &frames, |place, frame, world| {
        let joints = &world.positions;
        body_len = body_len.max(diagonal(joints));
        for (i, (joint, head)) in joints.iter().zip(&heads[place * joints.len()..]).enumerate() {
            let distance = (blender_from_file(*joint) - head).norm();
            // What is no number is as far off as can be.
            let distance = if distance.is_nan() { f64::INFINITY } else { distance };
            if distance > off {
                off = distance;
                agreement.joint = skeleton.joints()[i].name.clone();
                agreement.frame = frame;
            }
        }
    });
    // A single joint has no size: then nothing may be off at all.
    agreement.off_ratio = if off == 0.0 { 0.0 } else { off / body_len };
    agreement
}

impl Agreement {
    /// Whether Blender shows what is computed.
    pub fn holds(&self) -> bool {
        self.same_tree && self.off_ratio <= MOST_OFF_RATIO
    }

    /// What Blender shows otherwise, if it does.
    pub fn difference(&self) -> Option<String> {
        let Self { file, joints, bones, joint, frame, off_ratio, .. } = self;
        if !self.same_tree {
            return Some(format!("{file} has {joints} joints, and {bones} bones another tree"));
        }
        let off =
            || format!("{file}: {joint} in frame {frame} is {off_ratio:.1e} of the body away");
        (!self.holds()).then(off)
    }
}

/// A point as Blender's importer turns it, −Z forward and Y up.
pub fn blender_from_file(point: Vec3) -> Vec3 {
    Vec3::new(point.x, -point.z, point.y)
}

/// Calls `see` with each of the frames: its place in the list, its number, its world pose.
pub fn for_each(clip: &Clip, frames: &[usize], mut see: impl FnMut(usize, usize, &WorldPose)) {
    let mut pose = Pose::rest(clip.skeleton());
    let mut world = WorldPose::new(clip.skeleton().len());
    for (place, &frame) in frames.iter().enumerate() {
        clip.read_pose(frame, &mut pose);
        world.set(clip.skeleton(), &pose);
        see(place, frame, &world);
    }
}

/// The diagonal of the box about points.
pub fn diagonal(points: &[Vec3]) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let (mut least, mut most) = (*first, *first);
    for point in points {
        (least, most) = (least.inf(point), most.sup(point));
    }
    (most - least).norm()
}
