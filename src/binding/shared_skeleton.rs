//! Two rigs with a shared skeleton: the same bones, whatever their names, units, zero poses and joint frames; and two
//! of one family, whose bones have other lengths.
//!
//! The bones that leave a joint show how its frame lies in the body. If two rigs have the same bones, these relate the
//! frames of both, so that nothing depends on what either rig's stance leaves open.

use super::between;
use crate::math::{Quat, Vec3, fit_directions};
use crate::pose::WorldPose;
use crate::rig::Rig;
use crate::skeleton::JointId;
use std::collections::BTreeMap;

/// Bones whose difference is less than this share of a leg are equal.
const SAME_LEN: f64 = 1e-4;
/// Bones that are farther than this share of a leg from one line show the roll about it.
const SPREAD_LEN: f64 = 5e-4;
/// If a joint's frames in the two rigs differ by more than this, they are different conventions, even with equal bones:
/// a frame may be rolled about its bone. Conventions differ by quarter turns; half of one separates them from the
/// difference between two poses of an arm.
const SAME_FRAME_RAD: f64 = std::f64::consts::FRAC_PI_4;

/// Bones of limbs and of the trunk within this angle follow one convention. (Bones from the pelvis to the thighs may
/// differ more, with the breadth of the hips.)
const SAME_LIMB_RAD: f64 = 0.05;
const SAME_TRUNK_RAD: f64 = 0.2;

/// One joint of the body in both rigs, with the bones that leave it.
struct Twin {
    source: JointId,
    target: JointId,
    /// Each bone in the source joint's frame and in the target joint's frame (local), in legs.
    bones: Vec<(Vec3, Vec3)>,
}

/// The source's stance in the target's frames: for each joint the rotation from its frame to body space at which its
/// bones lie as the target's do. `None` unless both rigs have the same roles and the same bones.
///
/// The roll about a single bone is that of the two stances, or zero if both rigs also have the same frames.
pub(super) fn shared_stance(source: &Rig, target: &Rig) -> Option<Vec<Quat>> {
    let roles = |rig: &Rig| rig.roles.iter().map(|(role, _)| role).collect::<Vec<_>>();
    if roles(source) != roles(target) {
        return None;
    }
    let twins = twins(source, target)?;
    let same_frames =
        twins.iter().flat_map(|twin| &twin.bones).all(|(from, to)| (from - to).norm() < SAME_LEN);
    let mut stance = source.stance.body_from_joint.clone();
    for twin in &twins {
        let own = &mut stance[twin.source.index()];
        let meaning = target.stance.body_from_joint[twin.target.index()];
        let in_body = |&(from, to): &(Vec3, Vec3)| (*own * from, meaning * to);
        let in_body: Vec<(Vec3, Vec3)> = twin.bones.iter().map(in_body).collect();
        let turn = fit_directions(&in_body, SPREAD_LEN);
        if in_body.iter().any(|(from, to)| (turn * from - to).norm() > SAME_LEN) {
            return None;
        }
        *own = turn * *own;
        let same_name = source.skeleton.name(twin.source) == target.skeleton.name(twin.target);
        if same_frames && (same_name || own.angle_to(&meaning) < SAME_FRAME_RAD) {
            *own = meaning;
        }
    }
    Some(stance)
}

/// The same for two rigs of one family: their trees of names are equal, and their bones have the same directions but
/// other lengths, so that joints of one name have frames of one meaning. `None` for any other rigs.
pub(super) fn family_stance(source: &Rig, target: &Rig) -> Option<Vec<Quat>> {
    let roles = |rig: &Rig| rig.roles.iter().map(|(role, _)| role).collect::<Vec<_>>();
    if roles(source) != roles(target) {
        return None;
    }
    let twins = twins(source, target)?;
    let shares_skeleton = |twin: &Twin| {
        let is_limb = source.roles.role(twin.source).is_some_and(|role| role.side().is_some());
        let most = if is_limb { SAME_LIMB_RAD } else { SAME_TRUNK_RAD };
        let is_alike = |(from, to): &(Vec3, Vec3)| {
            from.norm().min(to.norm()) < SPREAD_LEN || from.angle(to) < most
        };
        source.skeleton.name(twin.source) == target.skeleton.name(twin.target)
            && twin.bones.iter().all(is_alike)
    };
    if !twins.iter().all(shares_skeleton) {
        return None;
    }
    let mut stance = source.stance.body_from_joint.clone();
    for twin in &twins {
        stance[twin.source.index()] = target.stance.body_from_joint[twin.target.index()];
    }
    Some(stance)
}

/// All joints that both rigs have, by role and by place between roles. `None` if their trees differ.
fn twins(source: &Rig, target: &Rig) -> Option<Vec<Twin>> {
    let mut source_of: BTreeMap<JointId, JointId> = between::counterparts(source, target);
    source_of.extend(target.roles.iter().filter_map(|(role, id)| Some((id, source.joint(role)?))));
    let target_of: BTreeMap<JointId, JointId> = source_of.iter().map(|(t, s)| (*s, *t)).collect();
    let mut twins: BTreeMap<JointId, Twin> = source_of
        .iter()
        .map(|(&target, &source)| (target, Twin { source, target, bones: Vec::new() }))
        .collect();
    let places = |rig: &Rig| WorldPose::of(&rig.skeleton, &rig.stance.local);
    let (source_places, target_places) = (places(source), places(target));
    for (&target_end, &source_end) in &source_of {
        let above = target.skeleton.ancestors(target_end).find(|a| source_of.contains_key(a));
        let source_above =
            source.skeleton.ancestors(source_end).find(|a| target_of.contains_key(a));
        let Some(above) = above else {
            if source_above.is_some() {
                return None;
            }
            continue;
        };
        if source_of.get(&above) != source_above.as_ref() {
            return None;
        }
        let twin = twins.get_mut(&above).expect("every pair has its twin");
        let from = bone(source, &source_places, twin.source, source_end);
        let to = bone(target, &target_places, twin.target, target_end);
        twin.bones.push((from, to));
    }
    let ends = |rig: &Rig, id: JointId| -> Vec<Vec3> {
        rig.skeleton.joint(id).end_sites.iter().map(|end| end / rig.leg_len).collect()
    };
    for twin in twins.values_mut() {
        let (from, to) = (ends(source, twin.source), ends(target, twin.target));
        // Exporters omit End Sites or add their own, so only equal ones count.
        let same = |(a, b): (&Vec3, &Vec3)| (a.norm() - b.norm()).abs() < SAME_LEN;
        if from.len() == to.len() && from.iter().zip(&to).all(same) {
            twin.bones.extend(from.into_iter().zip(to));
        }
    }
    Some(twins.into_values().collect())
}

/// The position of the joint `end` in the frame of `id`, in legs.
fn bone(rig: &Rig, places: &WorldPose, id: JointId, end: JointId) -> Vec3 {
    places.rotation(id).inverse() * (places.position(end) - places.position(id)) / rig.leg_len
}
