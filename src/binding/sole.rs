//! Relates the soles of two rigs: when the source stands flat, so does the target.
//!
//! Only planting uses this. The transfer uses the reference stances alone, so that it does not depend on the clip.

use super::Drive;
use super::feet::FeetPairs;
use crate::math::{Quat, rotation_between};
use crate::rig::{Foot, FootId, Rig, SoleOrigin};
use crate::skeleton::JointId;

/// The rotations, in the frames of a target's ankle and toe joint (local), after which the sole is flat when the
/// source's is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SoleTurn {
    pub foot: Quat,
    /// `None` for toes that rotate with the foot.
    pub toe: Option<Quat>,
}

impl SoleTurn {
    /// World rotations of ankle and toe joint, turned.
    pub fn applied(&self, foot: Quat, toe: Quat) -> [Quat; 2] {
        let turned = foot * self.foot;
        let toe = match self.toe {
            Some(turn) => toe * turn,
            None => turned * foot.inverse() * toe,
        };
        [turned, toe]
    }
}

/// The rotations for every foot of the target; `None` for a foot without a partner, and for one that is a point.
pub(super) fn turns(
    source: &Rig,
    target: &Rig,
    feet: &FeetPairs,
    drives: &[Drive],
) -> Vec<SoleTurn> {
    let turn = |id: FootId| {
        let foot = target.foot(id);
        let partner = source.foot(feet.source_of(id)?);
        if foot.is_point() || partner.is_point() {
            return None;
        }
        let follows = |joint: JointId, of: JointId| match &drives[joint.index()] {
            Drive::Follow { shares, .. } => match shares[..] {
                [only] if only.source == of => Some(only.source_from_target.inverse()),
                _ => None,
            },
            _ => None,
        };
        let of_ankle = follows(foot.ankle, partner.ankle)?;
        let toe = foot.toe.zip(partner.toe).and_then(|(toe, of)| follows(toe, of));
        let foot_turn = rotation_between(foot.up, of_ankle * partner.up);
        let toe_turn =
            toe.map(|of_toe| rotation_between(foot.toe_ahead, of_toe * partner.toe_ahead));
        Some(SoleTurn { foot: foot_turn, toe: toe_turn })
    };
    target.foot_ids().map(|id| turn(id).unwrap_or_default()).collect()
}

/// Gives a target that shares the source's skeleton the soles that the source's motion shows. `stance` is the source's
/// stance in the target's frames.
pub(super) fn share(source: &Rig, stance: &[Quat], target: &mut Rig, feet: &FeetPairs) {
    for id in target.foot_ids() {
        let Some(from) = feet.source_of(id).map(|id| source.foot(id)) else { continue };
        let to = target.foot(id);
        let unknown = to.origin == SoleOrigin::Bones && from.origin == SoleOrigin::Motion;
        if !unknown || to.toe.is_some() != from.toe.is_some() {
            continue;
        }
        let len = |rig: &Rig, toe: Option<JointId>| {
            let len = toe.map_or(0.0, |toe| rig.skeleton.joint(toe).offset.norm());
            if len > 0.0 { len } else { rig.leg_len }
        };
        let scale = len(target, to.toe) / len(source, from.toe);
        let turn = |of: JointId, joint: JointId| {
            target.stance.body_from_joint[joint.index()].inverse() * stance[of.index()]
        };
        let ankle = turn(from.ankle, to.ankle);
        let tip = turn(from.toe.unwrap_or(from.ankle), to.toe.unwrap_or(to.ankle));
        target.feet[id.index()] = Foot {
            heel: ankle * from.heel * scale,
            ball: ankle * from.ball * scale,
            tip: tip * from.tip * scale,
            ankle_height: from.ankle_height * scale,
            ball_height: from.ball_height * scale,
            up: ankle * from.up,
            ahead: ankle * from.ahead,
            toe_ahead: tip * from.toe_ahead,
            origin: SoleOrigin::Motion,
            ..to.clone()
        };
    }
}
