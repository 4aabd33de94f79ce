//! How a pelvis gives way to the stated limits of its hip joints.
//!
//! Where a thigh would be folded farther than its limit allows, as the thighs of a person who bows to the floor, either
//! the thigh turns away, and a foot that stands goes with it, or the pelvis tilts. The pelvis gives way, and the spine
//! bends evenly for it up to the chest, which keeps its rotation, as on a person who cannot bow far.

use super::hip_line::pelvis;
use super::{Drive, Limits};
use crate::ik::{Approach, Joint};
use crate::math::{Quat, Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

/// How far a thigh is from the middle of its range where it begins to ask less of the pelvis, and where it asks for
/// nothing, radians: half a turn away, neither way back is the nearer one.
const OPPOSITE_RAD: [f64; 2] = [2.5, 3.0];

/// A pelvis that tilts for thighs with limits.
#[derive(Clone, Debug)]
pub(crate) struct PelvisTilt {
    hips: JointId,
    /// The direction to the left in the frame of the hips, unit length.
    left: Vec3,
    thighs: [LimitedThigh; 2],
    /// The joints that turn, and by which share of the tilt.
    turned: Vec<(JointId, f64)>,
}

#[derive(Clone, Debug)]
struct LimitedThigh {
    thigh: JointId,
    limit: Joint,
    /// The nearest joint above it that follows the source, and from there the rotation of its parent.
    above: JointId,
    seat: Quat,
}

impl PelvisTilt {
    /// `None` unless both hip joints have cones as limits. `limits` are those of the target's joints.
    pub fn new(target: &Rig, limits: &[Option<Joint>], drives: &[Drive]) -> Option<Self> {
        let hips = target.joint(Role::Hips)?;
        let skeleton = &target.skeleton;
        let limited = |side: Side| {
            let thigh = target.joint(Role::Thigh(side))?;
            let limit = limits[thigh.index()].filter(Joint::is_cone)?;
            let (mut above, mut seat) = (skeleton.parent(thigh)?, Quat::identity());
            while let Drive::Keep(local) = drives[above.index()] {
                seat = local * seat;
                above = skeleton.parent(above)?;
            }
            Some(LimitedThigh { thigh, limit, above, seat })
        };
        let thighs = [limited(Side::Left)?, limited(Side::Right)?];
        let spine: Vec<JointId> =
            (1..=u8::MAX).map_while(|i| target.joint(Role::Spine(i))).collect();
        let bent = |i: usize| 1.0 - (i + 1) as f64 / spine.len() as f64;
        let spine = spine.iter().enumerate().map(|(i, id)| (*id, bent(i)));
        let turned = pelvis(target)?.into_iter().map(|id| (id, 1.0)).chain(spine).collect();
        let left = target.stance.body_from_joint[hips.index()].inverse() * Vec3::x();
        Some(Self { hips, left, thighs, turned })
    }

    /// Whether the tilt turns this joint.
    pub fn turns(&self, joint: JointId) -> bool {
        self.turned.iter().any(|(turned, _)| *turned == joint)
    }

    /// The joints whose rotations the tilt depends on, apart from those of their limbs.
    pub fn depends_on(&self) -> impl Iterator<Item = JointId> + '_ {
        self.thighs.iter().flat_map(|limited| [limited.thigh, limited.above])
    }

    /// How far forwards the pelvis tilts in `world`, in which every joint has the rotation that it follows: about the
    /// line through the hip joints, by what either thigh lacks. Continuous.
    pub fn tilt_rad(&self, limits: &Limits, world: &WorldPose) -> f64 {
        let left = world.rotation(self.hips) * self.left;
        let [a, b] = self.thighs.each_ref().map(|thigh| thigh.lack_rad(limits, left, world));
        a.max(b).max(0.0) + a.min(b).min(0.0)
    }

    /// Tilts the pelvis of such a `world`. Allocates nothing.
    pub fn apply(&self, limits: &Limits, world: &mut WorldPose) {
        let tilt_rad = self.tilt_rad(limits, world);
        if tilt_rad == 0.0 {
            return;
        }
        let left = world.rotation(self.hips) * self.left;
        for (id, share) in &self.turned {
            let i = id.index();
            let turn = Quat::from_scaled_axis(left * (tilt_rad * share));
            world.rotations[i] = turn * world.rotations[i];
        }
    }
}

impl LimitedThigh {
    /// How far the pelvis would have to turn about `left` (world) to bring the thigh within its limit, radians.
    fn lack_rad(&self, limits: &Limits, left: Vec3, world: &WorldPose) -> f64 {
        let own = world.rotation(self.thigh);
        let own = match limits.hinged_below(self.thigh) {
            Some(limb) => limb.rolled(own, world.rotation(limb.lower)),
            None => own,
        };
        let parent = world.rotation(self.above) * self.seat;
        let local = parent.inverse() * own;
        let within = self.limit.approach(local, Approach::NEAREST);
        if within.angle_to(&local) < 1e-9 {
            return 0.0;
        }
        let lack = parent * (local * within.inverse()).scaled_axis();
        let from_middle = local.angle_to(&self.limit.rest);
        lack.dot(&left) * curve::ramp(from_middle, OPPOSITE_RAD[1], OPPOSITE_RAD[0])
    }
}
