//! Bodies of other proportions, made from a clip's own rig.

use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::rig::{Rig, RigFile, Role, Side};
use retarget::internals::skeleton::{JointId, Skeleton};

/// A body: what it is called, and how long each bone is by the role that it ends in.
pub struct Plain {
    pub name: &'static str,
    factor: fn(Role) -> f64,
    /// Of all bones, End Sites and the path of the hips.
    all: f64,
}

fn legs(role: Role, factor: f64) -> f64 {
    if matches!(role, Role::Shin(_) | Role::Foot(_)) { factor } else { 1.0 }
}

fn arms(role: Role, factor: f64) -> f64 {
    if matches!(role, Role::Forearm(_) | Role::Hand(_)) { factor } else { 1.0 }
}

/// The bodies that planting is measured on.
pub const PLAIN: [Plain; 7] = [
    Plain { name: "legs x 1.3", factor: |r| legs(r, 1.3), all: 1.0 },
    Plain { name: "legs x 0.75, arms x 1.25", factor: |r| legs(r, 0.75) * arms(r, 1.25), all: 1.0 },
    Plain {
        name: "hips x 1.6",
        factor: |r| if matches!(r, Role::Thigh(_)) { 1.6 } else { 1.0 },
        all: 1.0,
    },
    Plain { name: "all x 1.8", factor: |_| 1.0, all: 1.8 },
    Plain {
        name: "child",
        factor: |r| match r {
            Role::Spine(_) | Role::Neck(_) | Role::Head | Role::Clavicle(_) | Role::UpperArm(_) => {
                0.7
            }
            _ => legs(r, 0.55) * arms(r, 0.55),
        },
        all: 1.0,
    },
    Plain {
        name: "feet x 1.7",
        factor: |r| if matches!(r, Role::Toe(_)) { 1.7 } else { 1.0 },
        all: 1.0,
    },
    Plain {
        name: "thigh x 0.85, shin x 1.2",
        factor: |r| match r {
            Role::Shin(_) => 0.85,
            Role::Foot(_) => 1.2,
            _ => 1.0,
        },
        all: 1.0,
    },
];

impl Plain {
    /// The body as a rig, read from a file that shows the clip's motion on it.
    pub fn rig(&self, rig: &Rig, clip: &Clip) -> LoadedRig {
        let source = SourceClip::new(self.name, self.clip(rig, clip));
        convert::source_rig(&source, RigFile::default()).expect("a body of the same shape")
    }

    /// The clip's motion on the body.
    pub fn clip(&self, rig: &Rig, clip: &Clip) -> Clip {
        let factors = self.factors(rig);
        let joints = rig.skeleton.joints().iter().zip(&factors).map(|(joint, &factor)| {
            let mut joint = joint.clone();
            joint.offset *= factor;
            joint
        });
        let mut joints: Vec<_> = joints.collect();
        let foot_factor = self.all * (self.factor)(Role::Toe(Side::Left));
        let feet = Side::BOTH.map(|side| rig.joint(Role::Foot(side)).expect("every rig has feet"));
        for id in rig.skeleton.ids() {
            let on_foot = feet
                .iter()
                .any(|&foot| foot == id || rig.skeleton.ancestors(id).any(|above| above == foot));
            let factor = if on_foot { foot_factor } else { self.all };
            joints[id.index()].end_sites.iter_mut().for_each(|end| *end *= factor);
        }
        let skeleton = Skeleton::new(joints).expect("the same tree");
        let mut moved = Clip::new(skeleton, clip.frame_time().clone());
        for frame in 0..clip.len() {
            let mut pose = clip.pose(frame);
            pose.translations.iter_mut().zip(&factors).for_each(|(t, factor)| *t *= *factor);
            moved.push_pose(&pose);
        }
        moved
    }

    /// For each joint how many times as long the bone that ends in it is.
    fn factors(&self, rig: &Rig) -> Vec<f64> {
        let leg = (self.factor)(Role::Shin(Side::Left));
        let mut factors = vec![self.all; rig.skeleton.len()];
        for (role, id) in rig.roles.iter() {
            let above: Vec<JointId> = rig.skeleton.ancestors(id).collect();
            let between = above.iter().take_while(|&&a| rig.roles.role(a).is_none());
            let factor = match role {
                Role::Hips => leg,
                _ => (self.factor)(role),
            };
            for &joint in [id].iter().chain(between) {
                factors[joint.index()] = self.all * factor;
            }
        }
        factors
    }
}
