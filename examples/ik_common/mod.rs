//! What the examples of inverse kinematics share: building skeletons and writing clips.

use retarget::ik::{Outcome, Scratch, Status};
use retarget::internals::bvh;
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Axis, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

/// Frames a second of every clip that the examples write.
pub const RATE_HZ: f64 = 30.0;

/// A joint in depth-first order: name, parent, place in the parent's frame.
pub type Bone = (String, Option<usize>, Vec3);

/// A skeleton whose leaves end in a bone as long as `end` says; roots have positions.
pub fn skeleton(bones: &[Bone], end: Vec3) -> Result<Skeleton, Box<dyn Error>> {
    let order = [Axis::Z, Axis::X, Axis::Y];
    let root = Channels::positions_and_rotations(order).ok_or("three axes")?;
    let inner = Channels::rotations(order).ok_or("three axes")?;
    let is_leaf = |place: usize| bones.iter().all(|(_, parent, _)| *parent != Some(place));
    let joints = bones.iter().enumerate().map(|(place, (name, parent, offset))| Joint {
        name: name.clone(),
        parent: parent.map(JointId::new),
        offset: *offset,
        channels: if parent.is_some() { inner } else { root },
        end_sites: if is_leaf(place) { vec![end] } else { vec![] },
    });
    Ok(Skeleton::new(joints.collect())?)
}

/// Frames of a skeleton, written to the path in the first argument, or else as `NAME.bvh` into the
/// folder for temporary files.
pub struct Film {
    clip: Clip,
    path: PathBuf,
}

impl Film {
    pub fn new(skeleton: &Skeleton, name: &str) -> Result<Self, Box<dyn Error>> {
        let time = FrameTime::from_seconds(1.0 / RATE_HZ).ok_or("a frame time above zero")?;
        let default = || std::env::temp_dir().join(format!("{name}.bvh"));
        let path = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
        Ok(Self { clip: Clip::new(skeleton.clone(), time), path })
    }

    pub fn push(&mut self, pose: &Pose) {
        self.clip.push_pose(pose);
    }

    pub fn write(self) -> Result<(), Box<dyn Error>> {
        let mut out = BufWriter::new(File::create(&self.path)?);
        bvh::write(&self.clip, &bvh::WriteSettings::default(), &mut out)?;
        println!("{} frames in {}", self.clip.len(), self.path.display());
        Ok(())
    }
}

/// What a run of solves came to.
#[derive(Default)]
pub struct Totals {
    pub solves: usize,
    pub reached: usize,
    pub iterations: u32,
    /// Largest distance between an effector and its goal.
    pub worst_len: f64,
    pub seconds: f64,
}

impl Totals {
    pub fn add(&mut self, outcome: &Outcome, scratch: &Scratch, seconds: f64) {
        self.solves += 1;
        self.reached += usize::from(outcome.status == Status::Reached);
        self.iterations += outcome.iterations;
        for residual in scratch.residuals() {
            self.worst_len = self.worst_len.max(residual.position_len);
        }
        self.seconds += seconds;
    }

    pub fn print(&self) {
        let solves = self.solves.max(1) as f64;
        println!(
            "{} of {} solves reached, {:.1} iterations and {:.1} µs a solve, worst miss {:.2e}",
            self.reached,
            self.solves,
            f64::from(self.iterations) / solves,
            self.seconds * 1e6 / solves,
            self.worst_len,
        );
    }
}
