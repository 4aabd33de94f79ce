//! The ways in which the samples are written, after what is found in the wild.

mod cmu;
mod lafan;
mod mixamo;
mod plain;
mod z_up;

use super::body::Body;
use super::rig::{Rig, RigJoint};
use retarget::internals::math::{Axis, Quat};
use retarget::internals::rig::Role;

/// The names of a rig; `{}` stands for the side.
pub struct Names {
    pub sides: [&'static str; 2],
    pub hips: &'static str,
    pub spine: [&'static str; 3],
    pub neck: &'static str,
    pub head: &'static str,
    pub arm: [&'static str; 4],
    pub leg: [&'static str; 4],
}

impl Names {
    fn of(&self, role: Role) -> String {
        let pattern = match role {
            Role::Hips => self.hips,
            Role::Spine(n) => self.spine[n as usize - 1],
            Role::Neck(_) => self.neck,
            Role::Head => self.head,
            Role::Clavicle(_) => self.arm[0],
            Role::UpperArm(_) => self.arm[1],
            Role::Forearm(_) => self.arm[2],
            Role::Hand(_) => self.arm[3],
            Role::Thigh(_) => self.leg[0],
            Role::Shin(_) => self.leg[1],
            Role::Foot(_) => self.leg[2],
            Role::Toe(_) => self.leg[3],
            Role::Finger(..) | Role::Chain(..) => unreachable!("the sample body has neither"),
        };
        match role.side() {
            Some(side) => pattern.replace("{}", self.sides[side.index()]),
            None => pattern.to_owned(),
        }
    }
}

/// All styles, the plain one first.
pub fn styles(body: &Body) -> Vec<Rig> {
    vec![
        plain::plain(body),
        cmu::cmu(body),
        lafan::lafan(body),
        z_up::z_up(body),
        mixamo::mixamo(body),
    ]
}

/// One joint a segment, all frames along the axes of the file.
pub fn joints(body: &Body, names: &Names, axes: [Axis; 3]) -> Vec<RigJoint> {
    let joint = |segment: &super::body::Segment| RigJoint {
        name: names.of(segment.role),
        parent: segment.parent,
        role: segment.role,
        place: segment.place,
        frame: Quat::identity(),
        axes,
        ends: segment.end.map(Some).into_iter().collect(),
    };
    body.segments.iter().map(joint).collect()
}

/// Puts a joint between joint `child` and its parent.
fn insert_above(joints: &mut Vec<RigJoint>, child: usize, joint: RigJoint) {
    let parent = joints[child].parent;
    insert(joints, child, RigJoint { parent, ..joint });
    joints[child + 1].parent = Some(child);
}

/// Puts a joint at `place` of the list; those behind it move up by one.
pub fn insert(joints: &mut Vec<RigJoint>, place: usize, joint: RigJoint) {
    for other in &mut joints[place..] {
        other.parent = other.parent.map(|p| if p >= place { p + 1 } else { p });
    }
    joints.insert(place, joint);
}

pub fn find(joints: &[RigJoint], role: Role) -> usize {
    joints.iter().position(|joint| joint.role == role).expect("every rig has this role")
}
