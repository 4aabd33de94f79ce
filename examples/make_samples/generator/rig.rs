//! A rig that writes the body down: names, units, up axis, zero pose, channels and frame rate.

use super::body::{Body, Posture};
use super::motion::Motion;
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::Role;
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

/// A joint of a rig, tied to the segment of the body that it moves with.
#[derive(Clone, Debug)]
pub struct RigJoint {
    pub name: String,
    pub parent: Option<usize>,
    /// The segment that it moves with.
    pub role: Role,
    /// Its place while the body stands in a T, in the body's metres.
    pub place: Vec3,
    /// The axes of its frame in that stance, in the world of the file: this alone decides what the
    /// zero pose looks like.
    pub frame: Quat,
    pub axes: [Axis; 3],
    /// Ends of the bone, placed as the joint is; `None` for an end site that says nothing.
    pub ends: Vec<Option<Vec3>>,
}

/// A way of writing the body down.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Folder under `samples` that its clips lie in; empty for the plain one.
    pub folder: &'static str,
    pub about: &'static str,
    /// Names of the motions that are written in this way.
    pub motions: &'static [&'static str],
    /// File units in a metre.
    pub units: f64,
    /// Turns the body's world, Y up, into that of the file.
    pub world: Quat,
    /// Written as it stands in the file.
    pub frame_time: &'static str,
    /// OFFSET of the root, file units; says nothing about any frame.
    pub root_offset: Vec3,
    pub joints: Vec<RigJoint>,
}

impl Rig {
    /// Path of a clip under `samples`, without its ending.
    pub fn path(&self, motion: &Motion) -> String {
        if self.folder.is_empty() {
            motion.name.to_owned()
        } else {
            format!("{}/{}", self.folder, motion.name)
        }
    }

    /// A point of the body's world in the file's.
    pub fn place(&self, place: Vec3) -> Vec3 {
        self.world * place * self.units
    }

    /// The skeleton as the file has it.
    pub fn skeleton(&self) -> Skeleton {
        let joints = self.joints.iter().map(|joint| {
            let local = |place: Vec3| self.local(joint, place - joint.place);
            let offset = match joint.parent {
                None => self.root_offset,
                Some(p) => {
                    let parent = &self.joints[p];
                    self.local(parent, joint.place - parent.place)
                }
            };
            let channels = match joint.parent {
                None => Channels::positions_and_rotations(joint.axes),
                Some(_) => Channels::rotations(joint.axes),
            };
            Joint {
                name: joint.name.clone(),
                parent: joint.parent.map(JointId::new),
                offset,
                channels: channels.expect("three different axes"),
                end_sites: joint.ends.iter().map(|e| e.map_or(Vec3::zeros(), local)).collect(),
            }
        });
        Skeleton::new(joints.collect()).expect("the joints are in depth-first order")
    }

    pub fn frame_time(&self) -> FrameTime {
        FrameTime::parse(self.frame_time).expect("a frame time")
    }

    /// How many frames a motion takes.
    pub fn frames(&self, motion: &Motion) -> usize {
        (motion.duration / self.frame_time().seconds() + 1e-6).floor() as usize + 1
    }

    /// The motion in this rig.
    pub fn clip(&self, body: &Body, motion: &Motion) -> Clip {
        let frames = self.frames(motion);
        let frame_time = self.frame_time();
        let seconds = frame_time.seconds();
        let mut clip = Clip::with_capacity(self.skeleton(), frame_time, frames);
        for frame in 0..frames {
            let posture = motion.posture(body, frame as f64 * seconds);
            let (rotations, root) = self.pose(body, &posture);
            clip.push(&rotations, &[root]);
        }
        clip
    }

    /// Local rotations of all joints, and the place of the root.
    pub fn pose(&self, body: &Body, posture: &Posture) -> (Vec<Quat>, Vec3) {
        let worlds: Vec<Quat> = self
            .joints
            .iter()
            .map(|joint| {
                let turn = posture.turns[body.index(joint.role)];
                self.world * turn * self.world.inverse() * joint.frame
            })
            .collect();
        let locals = self.joints.iter().zip(&worlds).map(|(joint, world)| match joint.parent {
            None => *world,
            Some(p) => worlds[p].inverse() * world,
        });
        let root = &self.joints[0];
        let place = posture.point(body, body.index(root.role), root.place);
        (locals.collect(), self.place(place))
    }

    /// The joint that a role starts at.
    pub fn joint(&self, role: Role) -> &RigJoint {
        self.joints.iter().find(|joint| joint.role == role).expect("every rig has this role")
    }

    /// A point that is given by its way from a joint while the body stands in a T, in the joint's
    /// frame.
    pub fn local(&self, joint: &RigJoint, way: Vec3) -> Vec3 {
        joint.frame.inverse() * self.place(way)
    }
}
