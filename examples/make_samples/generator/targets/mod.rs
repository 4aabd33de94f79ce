//! Skeletons to retarget onto: other bodies than the one that the samples show.

mod game;
mod people;

use super::body::Body;
use super::rig::Rig;
use super::styles::{Names, joints};
use retarget::internals::bvh::{WriteSettings, write};
use retarget::internals::clip::Clip;
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::{
    Digit, FileJoint, JointLimit, RigFile, RigReference, Role, Side, UpAxis,
};
use retarget::internals::skeleton::JointId;

/// A target and how it is stored.
pub struct Target {
    pub name: &'static str,
    pub about: &'static str,
    rig: Rig,
    body: Body,
    form: Form,
}

enum Form {
    /// A BVH file and a `skeleton.toml` that names it.
    BvhAndToml,
    /// A BVH file alone.
    Bvh,
    /// A `skeleton.toml` with all joints in it.
    Toml,
}

/// All targets.
pub fn targets() -> Vec<Target> {
    vec![people::hero(), people::child(), people::long_legged(), people::stocky(), game::game()]
}

impl Target {
    /// The target's files: path under `samples/skeletons` and contents.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let bvh_name = format!("{}.bvh", self.name);
        let toml_name = format!("{}.toml", self.name);
        let mut files = Vec::new();
        if !matches!(self.form, Form::Toml) {
            files.push((bvh_name.clone(), self.bvh()));
        }
        if !matches!(self.form, Form::Bvh) {
            let mut file = self.rig_file();
            match self.form {
                Form::BvhAndToml => file.bvh = Some(bvh_name),
                _ => file.joints = self.file_joints(),
            }
            let text = format!("# {}: {}\n\n{}", self.name, self.about, file.to_toml());
            files.push((toml_name, text.into_bytes()));
        }
        files
    }

    /// One frame of the zero pose, with the hips where they are while standing.
    fn bvh(&self) -> Vec<u8> {
        let skeleton = self.rig.skeleton();
        let rest = vec![Quat::identity(); skeleton.len()];
        let places: Vec<Vec3> = skeleton
            .joints()
            .iter()
            .filter(|joint| joint.channels.has_position())
            .map(|joint| match joint.parent {
                None => self.rig.place(self.rig.joints[0].place),
                Some(_) => joint.offset,
            })
            .collect();
        let mut clip = Clip::new(skeleton, self.rig.frame_time());
        clip.push(&rest, &places);
        let mut bytes = Vec::new();
        write(&clip, &WriteSettings::default(), &mut bytes).expect("memory takes all bytes");
        bytes
    }

    fn file_joints(&self) -> Vec<FileJoint> {
        let skeleton = self.rig.skeleton();
        let name = |id: JointId| skeleton.name(id).to_owned();
        let joint = |id: JointId| {
            let joint = skeleton.joint(id);
            FileJoint {
                name: name(id),
                parent: joint.parent.map(name),
                offset: tidy(joint.offset),
                channels: Some(joint.channels),
                end_sites: joint.end_sites.iter().copied().map(tidy).collect(),
            }
        };
        skeleton.ids().map(joint).collect()
    }

    /// All that the skeleton alone cannot say.
    fn rig_file(&self) -> RigFile {
        let mut file = RigFile::default();
        let (rig, p) = (&self.rig, &self.body.proportions);
        file.up = Some(UpAxis::nearest(rig.world * Vec3::y()));
        file.floor = Some(0.0);
        file.reference = Some(RigReference::default());
        file.roles = self.roles();
        for side in Side::BOTH {
            let joint = |role: Role| {
                let name = &file.roles[&role];
                rig.joints.iter().find(|j| j.name == *name).expect("roles name joints")
            };
            let (foot, toe) = (joint(Role::Foot(side)), joint(Role::Toe(side)));
            let sole = &mut file.feet[side.index()];
            sole.heel = Some(tidy(rig.local(foot, p.heel_point())));
            // The ball is what the foot turns about while the heel lifts: the toe joint itself.
            sole.ball = Some(tidy(rig.local(foot, p.toe_joint())));
            sole.toe = Some(tidy(rig.local(toe, p.tip_point())));
            let shin = joint(Role::Shin(side));
            // A knee bends about the body's left; a few degrees past straight is still a knee.
            let axis = tidy(shin.frame.inverse() * (rig.world * Vec3::x()));
            let limit = JointLimit::Hinge {
                axis,
                min_rad: (-3f64).to_radians(),
                max_rad: 160f64.to_radians(),
            };
            file.limits.insert(shin.name.clone(), limit);
        }
        file
    }

    /// Joint names by role: one joint a segment, but for spines and fingers, which go by name.
    fn roles(&self) -> std::collections::BTreeMap<Role, String> {
        let mut roles = std::collections::BTreeMap::new();
        for joint in &self.rig.joints {
            let role = match joint.name.split_once('_') {
                Some(("spine", n)) => Role::Spine(n.parse().expect("a number")),
                Some((digit, rest)) if finger(digit).is_some() => {
                    let (n, side) = rest.split_once('_').expect("a number and a side");
                    let side = if side == "l" { Side::Left } else { Side::Right };
                    let digit = finger(digit).expect("it was one");
                    Role::Finger(side, digit, n.parse().expect("a number"))
                }
                Some((_, rest)) if rest.starts_with("twist") => continue,
                _ if joint.name == "root" => continue,
                _ => joint.role,
            };
            roles.entry(role).or_insert_with(|| joint.name.clone());
        }
        roles
    }
}

fn finger(word: &str) -> Option<Digit> {
    match word {
        "thumb" => Some(Digit::Thumb),
        "index" => Some(Digit::Index),
        "middle" => Some(Digit::Middle),
        "ring" => Some(Digit::Ring),
        "pinky" => Some(Digit::Pinky),
        _ => None,
    }
}

/// Without digits that mean nothing.
fn tidy(v: Vec3) -> Vec3 {
    v.map(|x| (x * 1e6).round() / 1e6 + 0.0)
}

/// A rig of a body, in centimetres with Y up and a T as zero pose.
fn rig(body: &Body, names: &Names, axes: [Axis; 3]) -> Rig {
    Rig {
        folder: "skeletons",
        about: "",
        motions: &[],
        units: 100.0,
        world: Quat::identity(),
        frame_time: "0.0333333",
        // The hips' height stands in the OFFSET, so that the hierarchy alone stands on the floor.
        root_offset: tidy(body.place(Role::Hips) * 100.0),
        joints: joints(body, names, axes),
    }
}
