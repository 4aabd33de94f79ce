//! A file's joint names checked against the skeleton that they speak of.

use super::role_keys::RoleKey;
use super::{JointLimit, RigFile, RigFileError, RigFileProblem, RigLeg};
use crate::clip::Clip;
use crate::math::Quat;
use crate::pose::Pose;
use crate::rig::names::find_joint;
use crate::rig::{ChainName, RigHints, Role, WrittenRoles};
use crate::skeleton::{JointId, Skeleton};

impl RigFile {
    /// The written roles. Refuses a name that no joint has or several have, a joint that is given two roles, and a
    /// joint of a leg or chain that does not hang below the one before it.
    pub fn roles(&self, skeleton: &Skeleton) -> Result<WrittenRoles, RigFileError> {
        let mut written = WrittenRoles::default();
        for (&role, name) in &self.roles {
            let key = format!("roles.{}", RoleKey::of(role).text());
            let joint = self.joint(skeleton, &key, name)?;
            if let Some(other) = written.roles.role(joint) {
                let problem =
                    RigFileProblem::SecondRole { joint: name.clone(), role: Box::new(other) };
                return Err(self.error(&key, problem));
            }
            written.roles.insert(role, joint);
        }
        for (&leg, RigLeg { joints, .. }) in &self.legs {
            self.chain(skeleton, &format!("legs.{leg}.joints"), leg, joints, &mut written)?;
            written.roles.add_leg(leg);
        }
        for (&chain, joints) in &self.chains {
            let key = format!("chains.{chain}.joints");
            self.chain(skeleton, &key, chain, joints, &mut written)?;
        }
        for name in &self.ignore {
            let joint = self.joint(skeleton, "roles.ignore", name)?;
            if let Some(role) = written.roles.role(joint) {
                let problem =
                    RigFileProblem::SecondRole { joint: name.clone(), role: Box::new(role) };
                return Err(self.error("roles.ignore", problem));
            }
            written.ignored.push(joint);
        }
        Ok(written)
    }

    /// Adds the joints of a leg or chain, each below the one before it.
    fn chain(
        &self,
        skeleton: &Skeleton,
        key: &str,
        chain: ChainName,
        names: &[String],
        written: &mut WrittenRoles,
    ) -> Result<(), RigFileError> {
        let mut above: Option<JointId> = None;
        for (number, name) in (1..).zip(names) {
            let joint = self.joint(skeleton, key, name)?;
            if let Some(role) = written.roles.role(joint) {
                let problem =
                    RigFileProblem::SecondRole { joint: name.clone(), role: Box::new(role) };
                return Err(self.error(key, problem));
            }
            if let Some(above) = above.filter(|&above| !skeleton.is_ancestor(above, joint)) {
                let above = skeleton.name(above).to_owned();
                return Err(
                    self.error(key, RigFileProblem::NotBelow { joint: name.clone(), above })
                );
            }
            above = Some(joint);
            written.roles.insert(Role::Chain(chain, number), joint);
        }
        Ok(())
    }

    /// What the file says of stance, up axis, soles, limits and weights. `clip` is the rig's own file, whose frames
    /// `[reference]` counts from 0. Refuses a name that no joint has or several have, a frame that `clip` does not
    /// have, and a joint's rotation of another number of angles than it has rotation channels.
    pub fn hints(
        &self,
        skeleton: &Skeleton,
        clip: Option<&Clip>,
    ) -> Result<RigHints, RigFileError> {
        let limits = self.limits(skeleton)?;
        let worn = |name: &String| self.joint(skeleton, "roles.worn", name);
        let worn = self.worn.iter().map(worn).collect::<Result<_, _>>()?;
        let stance = self.stance(skeleton, clip)?;
        let frames = match &stance {
            Some(pose) => self.frames(skeleton, pose)?,
            None => None,
        };
        let leg_soles = self.legs.iter().filter_map(|(&leg, l)| Some((leg, l.sole?))).collect();
        Ok(RigHints {
            up: self.up,
            faces: self.faces,
            stance,
            frames,
            modelled: false,
            soles: self.feet,
            leg_soles,
            limits,
            human_limits: self.human_limits.unwrap_or(true),
            weights: self.weights.clone(),
            worn,
        })
    }

    /// The written reference stance as a local pose, if there is one.
    fn stance(
        &self,
        skeleton: &Skeleton,
        clip: Option<&Clip>,
    ) -> Result<Option<Pose>, RigFileError> {
        let Some(reference) = &self.reference else { return Ok(None) };
        let mut pose = match reference.frame {
            None => Pose::rest(skeleton),
            Some(frame) => {
                let frames = clip.map_or(0, Clip::len);
                let clip = clip.filter(|_| frame < frames);
                let problem = RigFileProblem::NoFrame { frames };
                clip.ok_or_else(|| self.error("reference.frame", problem))?.pose(frame)
            }
        };
        for (name, angles_rad) in &reference.rotations_rad {
            let key = format!("reference.rotations_deg.{name}");
            let id = self.joint(skeleton, &key, name)?;
            let order = skeleton.joint(id).channels.euler_order();
            let axes = order.axes().len();
            if angles_rad.len() != axes {
                let problem = RigFileProblem::Angles { joint: name.clone(), axes };
                return Err(self.error(&key, problem));
            }
            let mut angles = [0.0; 3];
            angles[..axes].copy_from_slice(angles_rad);
            pose.rotations[id.index()] = order.compose(angles);
        }
        for (name, rotation) in &reference.rotations {
            let id = self.joint(skeleton, &format!("reference.rotations_xyzw.{name}"), name)?;
            pose.rotations[id.index()] = *rotation;
        }
        for (name, place) in &reference.translations {
            let id = self.joint(skeleton, &format!("reference.translations.{name}"), name)?;
            pose.translations[id.index()] = *place;
        }
        Ok(Some(pose))
    }

    /// The written frames of all joints in the straight stance, if there are any.
    fn frames(&self, skeleton: &Skeleton, pose: &Pose) -> Result<Option<Vec<Quat>>, RigFileError> {
        let Some(reference) = self.reference.as_ref().filter(|r| !r.frames.is_empty()) else {
            return Ok(None);
        };
        let mut written = vec![None; skeleton.len()];
        for (name, frame) in &reference.frames {
            let id = self.joint(skeleton, &format!("reference.frames_xyzw.{name}"), name)?;
            written[id.index()] = Some(*frame);
        }
        let mut frames: Vec<Quat> = Vec::with_capacity(skeleton.len());
        for (id, frame) in skeleton.ids().zip(written) {
            let above = skeleton.parent(id).map_or(Quat::identity(), |p| frames[p.index()]);
            frames.push(frame.unwrap_or_else(|| above * pose.rotations[id.index()]));
        }
        Ok(Some(frames))
    }

    /// The written limits, in skeleton order.
    fn limits(&self, skeleton: &Skeleton) -> Result<Vec<(JointId, JointLimit)>, RigFileError> {
        let limit = |(name, &limit): (&String, &JointLimit)| {
            Ok((self.joint(skeleton, &format!("limits.{name}"), name)?, limit))
        };
        let mut limits = self.limits.iter().map(limit).collect::<Result<Vec<_>, RigFileError>>()?;
        limits.sort_by_key(|(joint, _)| *joint);
        Ok(limits)
    }

    fn joint(&self, skeleton: &Skeleton, key: &str, name: &str) -> Result<JointId, RigFileError> {
        find_joint(skeleton, name).map_err(|e| self.error(key, e.into()))
    }
}
