//! Where hands and knees are over a clip: what a body leans on beside its feet.

use super::Limb;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{Rig, Role};
use crate::skeleton::JointId;

/// A limb's joint and all that could touch the floor under it.
#[derive(Clone, Debug)]
pub(crate) struct LimbPoints {
    pub limb: Limb,
    joint: JointId,
    /// Joints and End Sites from that joint outwards: a point in a joint's frame each (local, length units).
    below: Vec<(JointId, Vec3)>,
}

impl LimbPoints {
    /// Those of a rig's limbs, by their order in [`Limb::ALL`]; without those whose joint plays no part.
    pub fn all(rig: &Rig) -> Vec<Self> {
        Limb::ALL.into_iter().filter_map(|limb| Self::of(rig, limb)).collect()
    }

    /// Those of one limb; `None` where its joint plays no part.
    pub fn of(rig: &Rig, limb: Limb) -> Option<Self> {
        let (skeleton, zero) = (&rig.skeleton, Vec3::zeros());
        match limb {
            Limb::Knee(side) => {
                let joint = rig.roles.joint(Role::Shin(side))?;
                Some(Self { limb, joint, below: vec![(joint, zero)] })
            }
            Limb::Hand(side) => {
                let joint = rig.roles.joint(Role::Hand(side))?;
                let mut below = Vec::new();
                for id in skeleton.at_and_below(joint) {
                    below.push((id, zero));
                    below.extend(skeleton.joint(id).end_sites.iter().map(|end| (id, *end)));
                }
                Some(Self { limb, joint, below })
            }
        }
    }

    /// All joints that say where it is.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.below.iter().map(|(id, _)| *id).chain([self.joint])
    }

    /// Where the limb is: its joint, at the height of its lowest point.
    pub fn at(&self, world: &WorldPose, rig: &Rig) -> Vec3 {
        let joint = world.position(self.joint);
        let heights = self.below.iter().map(|(id, point)| rig.up.height(world.point(*id, *point)));
        let lowest = heights.fold(f64::INFINITY, f64::min);
        joint + rig.up.vector() * (lowest - rig.up.height(joint))
    }
}
