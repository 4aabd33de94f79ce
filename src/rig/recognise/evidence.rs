//! What was recognised, how sure it is, and why.

use crate::rig::{Role, Roles};
use crate::skeleton::JointId;
use std::collections::BTreeMap;
use std::fmt;

/// Why a joint was given its role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The user said so.
    Written,
    /// Its name says so.
    Name,
    /// Its name can mean several parts; its neighbours settle which.
    NameAndNeighbours,
    /// Its place in the tree between joints that are known.
    Place,
    /// The shape of the tree and the lengths of its bones; the names say nothing.
    Shape,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Written => "written",
            Reason::Name => "name",
            Reason::NameAndNeighbours => "name and neighbours",
            Reason::Place => "place in the tree",
            Reason::Shape => "shape",
        })
    }
}

/// One role, the joint that plays it, and how sure that is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    pub role: Role,
    pub joint: JointId,
    /// 0 (a guess) to 1 (the user said so).
    pub confidence: f64,
    pub reason: Reason,
}

/// Roles as they are found one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    found: BTreeMap<Role, Evidence>,
}

impl Findings {
    /// Gives a role to a joint, unless the role is taken already.
    pub fn add(&mut self, role: Role, joint: JointId, confidence: f64, reason: Reason) {
        self.found.entry(role).or_insert(Evidence { role, joint, confidence, reason });
    }

    pub fn joint(&self, role: Role) -> Option<JointId> {
        self.found.get(&role).map(|e| e.joint)
    }

    pub fn has_joint(&self, joint: JointId) -> bool {
        self.found.values().any(|e| e.joint == joint)
    }

    pub fn roles(&self) -> Roles {
        let mut roles = Roles::new();
        for evidence in self.found.values() {
            roles.insert(evidence.role, evidence.joint);
        }
        roles
    }

    pub fn into_evidence(self) -> Vec<Evidence> {
        self.found.into_values().collect()
    }
}
