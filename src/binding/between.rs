//! Joints without a role that subdivide the same bone in both rigs: helpers between hips and thigh, a palm between
//! hand and finger. They move as their counterparts do.

use crate::rig::Rig;
use crate::skeleton::JointId;
use std::collections::BTreeMap;

/// Pieces of bones whose difference is less than this share of a leg are equal.
const SAME_LEN: f64 = 1e-3;

/// For each target joint between two role joints, the source joint at the same place between the same roles. Both bones
/// must have the same number of pieces, and either the lengths of these in legs or the names of the joints between them
/// must be the same.
pub(super) fn counterparts(source: &Rig, target: &Rig) -> BTreeMap<JointId, JointId> {
    let mut found = BTreeMap::new();
    for (role, source_end) in source.roles.iter() {
        let Some(target_end) = target.joint(role) else { continue };
        let (from, to) = (path(source, source_end), path(target, target_end));
        let role_above = |rig: &Rig, path: &[JointId]| rig.roles.role(*path.last()?);
        if from.len() != to.len() || role_above(source, &from) != role_above(target, &to) {
            continue;
        }
        let len = |rig: &Rig, id: JointId| rig.skeleton.joint(id).offset.norm() / rig.leg_len;
        let pieces = from.len().saturating_sub(1);
        let pairs = || from.iter().copied().zip(to.iter().copied()).take(pieces);
        let same_len = |(s, t)| (len(source, s) - len(target, t)).abs() < SAME_LEN;
        let same_name = |(s, t)| source.skeleton.name(s) == target.skeleton.name(t);
        if pairs().all(same_len) || pairs().skip(1).all(same_name) {
            found.extend(pairs().skip(1).map(|(s, t)| (t, s)));
        }
    }
    found
}

/// A role joint and its ancestors up to the next role joint; empty if there is none.
fn path(rig: &Rig, end: JointId) -> Vec<JointId> {
    let mut path = vec![end];
    for id in rig.skeleton.ancestors(end) {
        path.push(id);
        if rig.roles.role(id).is_some() {
            return path;
        }
    }
    Vec::new()
}
