//! Postures that a zero pose may have.

use super::*;

/// A posture as world rotations, with the places of the joints, to be bent into another rest pose.
pub struct Posture<'a> {
    skeleton: &'a Skeleton,
    roles: BTreeMap<Role, JointId>,
    pub rotations: Vec<Quat>,
    up: Vec3,
    left: Vec3,
}

impl<'a> Posture<'a> {
    /// The zero pose where the body stands in it, else the rig's straightened stance in its own
    /// world; then bends are small or none.
    pub fn standing(rig: &'a Rig) -> Self {
        let skeleton = &rig.skeleton;
        let stands = rig.stance.origin == retarget::internals::rig::StanceOrigin::Rest;
        let mut posture = Self {
            skeleton,
            roles: rig.roles.iter().collect(),
            rotations: vec![Quat::identity(); skeleton.len()],
            up: Vec3::y(),
            left: Vec3::x(),
        };
        if stands {
            let places = posture.places();
            let place = |role: Role| rig.joint(role).map(|id| places[id.index()]);
            let middle = |role: fn(Side) -> Role| {
                Some(0.5 * (place(role(Side::Left))? + place(role(Side::Right))?))
            };
            let thighs = middle(Role::Thigh).expect("legs");
            let top = middle(Role::UpperArm).or(place(Role::Head)).expect("a trunk");
            posture.up = nearest_axis(top - thighs);
            let left =
                place(Role::Thigh(Side::Left)).unwrap() - place(Role::Thigh(Side::Right)).unwrap();
            posture.left = nearest_axis(left - posture.up * posture.up.dot(&left));
        } else {
            let world_from_body = rotation_between(Vec3::y(), rig.up.vector());
            posture.up = rig.up.vector();
            posture.left = world_from_body * Vec3::x();
            for (rotation, body) in posture.rotations.iter_mut().zip(&rig.stance.body_from_joint) {
                *rotation = world_from_body * body;
            }
        }
        posture
    }

    /// Turned about up, the whole of it.
    pub fn turned(mut self, angle_rad: f64) -> Self {
        let axis = retarget::internals::math::Vec3::try_normalize(&self.up, 0.0).unwrap();
        let turn = Quat::from_scaled_axis(axis * angle_rad);
        self.rotations.iter_mut().for_each(|r| *r = turn * *r);
        self.left = turn * self.left;
        self
    }

    /// Each arm as one piece turned about the body's forward axis, until the upper arm points this far
    /// below the horizontal, seen from the front: 0 is a T, 45° an A.
    pub fn with_arms(mut self, below_rad: f64) -> Self {
        let forward = self.left.cross(&self.up);
        for side in Side::BOTH {
            let (Some(&upper), Some(&fore)) =
                (self.roles.get(&Role::UpperArm(side)), self.roles.get(&Role::Forearm(side)))
            else {
                continue;
            };
            let places = self.places();
            let bone = places[fore.index()] - places[upper.index()];
            let in_plane = bone - forward * forward.dot(&bone);
            let out = if side == Side::Left { self.left } else { -self.left };
            let wanted = out * below_rad.cos() - self.up * below_rad.sin();
            let cross = in_plane.cross(&wanted).dot(&forward);
            let angle = cross.atan2(in_plane.dot(&wanted));
            self.turn_branch(upper, Quat::from_scaled_axis(forward * angle));
        }
        self
    }

    /// Thighs and shins straight down. Feet of widely splayed legs come along, as in a pose that was
    /// splayed at the hips; others keep their own rotation, as in one that was modelled flat.
    pub fn with_legs_straight(mut self) -> Self {
        for side in Side::BOTH {
            let [thigh, shin, foot] =
                [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(|r| self.roles[&r]);
            let kept = self.rotations.clone();
            let places = self.places();
            let splay = (places[foot.index()] - places[thigh.index()]).angle(&-self.up);
            for (upper, lower) in [(thigh, shin), (shin, foot)] {
                let places = self.places();
                let bone = places[lower.index()] - places[upper.index()];
                self.turn_branch(upper, rotation_between(bone, -self.up));
            }
            if splay < 10f64.to_radians() {
                for id in self.skeleton.ids() {
                    if id == foot || self.skeleton.is_ancestor(foot, id) {
                        self.rotations[id.index()] = kept[id.index()];
                    }
                }
            }
        }
        self
    }

    /// As on a chair: thighs ahead, shins down.
    pub fn sitting(mut self) -> Self {
        for side in Side::BOTH {
            let turn = Quat::from_scaled_axis(self.left * -std::f64::consts::FRAC_PI_2);
            self.turn_branch(self.roles[&Role::Thigh(side)], turn);
            self.turn_branch(self.roles[&Role::Shin(side)], turn.inverse());
        }
        self
    }

    /// Towards the body's left.
    pub fn left(&self) -> Vec3 {
        self.left
    }

    /// Where the body faces.
    pub fn ahead(&self) -> Vec3 {
        self.left.cross(&self.up)
    }

    /// Turns a joint and all that hangs on it.
    fn turn_branch(&mut self, top: JointId, turn: Quat) {
        for id in self.skeleton.ids() {
            if id == top || self.skeleton.is_ancestor(top, id) {
                self.rotations[id.index()] = turn * self.rotations[id.index()];
            }
        }
    }

    /// Places of the joints in this posture, roots at their offsets.
    fn places(&self) -> Vec<Vec3> {
        let mut places: Vec<Vec3> = Vec::new();
        for joint in self.skeleton.joints() {
            places.push(match joint.parent {
                None => joint.offset,
                Some(p) => places[p.index()] + self.rotations[p.index()] * joint.offset,
            });
        }
        places
    }

    /// As local rotations, with the roots where the clip's first frame has them.
    pub fn as_pose(&self, clip: &Clip) -> Pose {
        let first = clip.pose(0);
        let mut pose = Pose::rest(self.skeleton);
        for (i, joint) in self.skeleton.joints().iter().enumerate() {
            pose.rotations[i] = match joint.parent {
                None => self.rotations[i],
                Some(p) => self.rotations[p.index()].inverse() * self.rotations[i],
            };
            if joint.parent.is_none() {
                pose.translations[i] = first.translations[i];
            }
        }
        pose
    }
}
