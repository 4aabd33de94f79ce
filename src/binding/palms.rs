//! Hands of several joints, which turn as one of them does.

use super::{Binding, Drive};
use crate::rig::{Rig, Role, Side, palms_beside};
use crate::skeleton::JointId;
use std::collections::BTreeMap;

/// The joints beside those with a hand's role that are of the same hand, each with that one.
pub(super) fn of(rig: &Rig) -> BTreeMap<JointId, JointId> {
    let hands = Side::BOTH.into_iter().filter_map(|side| rig.joint(Role::Hand(side)));
    let beside = |hand| palms_beside(&rig.skeleton, hand).into_iter().map(move |palm| (palm, hand));
    hands.flat_map(beside).collect()
}

impl Binding {
    /// The target's joints that turn as one with a hand's role, each with that one.
    pub(crate) fn palms(&self) -> impl Iterator<Item = [JointId; 2]> + '_ {
        let palm = |id: JointId| match self.drives[id.index()] {
            Drive::Palm { hand } => Some([id, hand]),
            _ => None,
        };
        self.target.skeleton.ids().filter_map(palm)
    }
}
