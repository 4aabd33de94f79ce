//! Relates the soles of two rigs: when the source stands flat, so does the target.
//!
//! Only planting uses this. The transfer uses the reference stances alone, so that it does not depend on the clip.

use super::Drive;
use super::feet::FeetPairs;
use crate::math::{Quat, rotation_between};
use crate::rig::{Foot, FootId, Rig, SoleOrigin, own_piece};
use crate::skeleton::JointId;

/// End Sites of two feet within this angle were placed alike.
const SAME_END_RAD: f64 = 0.05;

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

/// Gives a target that shares the source's skeleton the source's soles, so that its feet lie as the source's do: two motions
/// show one sole by some degrees otherwise. It keeps those that a user wrote, and those that a pose of its own shows by its
/// bones unless the source's motion shows more. If its own are assumed, it also gets the height at which the source stands
/// over its soles. `stance` is the source's stance in the target's frames.
pub(super) fn share(
    source: &Rig,
    stance: &[Quat],
    is_same_body: bool,
    target: &mut Rig,
    feet: &FeetPairs,
) {
    for id in target.foot_ids() {
        let Some(from) = feet.source_of(id).map(|id| source.foot(id)) else { continue };
        let to = target.foot(id);
        let is_own = match to.origin {
            SoleOrigin::Written => true,
            SoleOrigin::Bones => from.origin != SoleOrigin::Motion,
            SoleOrigin::Motion | SoleOrigin::Assumed => false,
        };
        if is_own || to.toe.is_some() != from.toe.is_some() {
            continue;
        }
        let [len, source_len] = foot_lens([(target, to), (source, from)], is_same_body);
        let scale = len / source_len;
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
            stance_ankle_height: match to.origin {
                SoleOrigin::Assumed => from.stance_ankle_height * scale,
                _ => to.stance_ankle_height,
            },
            ball_height: from.ball_height * scale,
            up: ankle * from.up,
            ahead: ankle * from.ahead,
            toe_ahead: tip * from.toe_ahead,
            origin: from.origin,
            ..to.clone()
        };
    }
}

/// What the lengths of two feet compare by: the bone from the ankle to the toe joint, or to an End Site that lies in the
/// same direction; else the legs. Exporters write End Sites as they like: they say nothing of one body.
fn foot_lens(feet: [(&Rig, &Foot); 2], is_same_body: bool) -> [f64; 2] {
    let legs = feet.map(|(rig, _)| rig.leg_len);
    let bones = feet.map(|(rig, foot)| match foot.toe {
        Some(toe) => Some(rig.skeleton.joint(toe).offset),
        None if is_same_body => None,
        None => own_piece(&rig.skeleton, &rig.roles, foot.ankle),
    });
    match bones {
        [Some(bone), Some(other)] if bone.norm().min(other.norm()) > 0.0 => {
            let is_alike = feet[0].1.toe.is_some() || bone.angle(&other) < SAME_END_RAD;
            if is_alike { [bone.norm(), other.norm()] } else { legs }
        }
        _ => legs,
    }
}
