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
    /// The shape of the tree and the lengths of its bones.
    Shape,
    /// What it does in the motion: knees bend to the front, feet stay.
    Motion,
}

impl Reason {
    const ALL: [Reason; 6] = [
        Reason::Written,
        Reason::Name,
        Reason::NameAndNeighbours,
        Reason::Place,
        Reason::Shape,
        Reason::Motion,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Written => "written",
            Reason::Name => "name",
            Reason::NameAndNeighbours => "name and neighbours",
            Reason::Place => "place in the tree",
            Reason::Shape => "shape",
            Reason::Motion => "motion",
        })
    }
}

/// All that speaks for one role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reasons(u8);

impl Reasons {
    /// Whether this is one of them.
    pub fn contains(self, reason: Reason) -> bool {
        self.0 & 1 << reason as u8 != 0
    }

    fn insert(&mut self, reason: Reason) {
        self.0 |= 1 << reason as u8;
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for reason in Reason::ALL.into_iter().filter(|&reason| self.contains(reason)) {
            write!(f, "{separator}{reason}")?;
            separator = ", ";
        }
        Ok(())
    }
}

/// one role, the joint that has it, and how sure that is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    pub role: Role,
    pub joint: JointId,
    /// 0 (a guess) to 1 (the user said so).
    pub confidence: f64,
    pub reasons: Reasons,
}

/// Roles as they are found one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    found: BTreeMap<Role, Evidence>,
}

impl Findings {
    /// Gives a role to a joint, unless the role is taken already.
    pub fn add(&mut self, role: Role, joint: JointId, confidence: f64, reason: Reason) {
        self.found.entry(role).or_insert_with(|| {
            let mut reasons = Reasons::default();
            reasons.insert(reason);
            Evidence { role, joint, confidence, reasons }
        });
    }

    /// Notes one more, independent reason for a role that was found. The user's word needs none.
    pub fn support(&mut self, role: Role, reason: Reason) {
        if let Some(evidence) = self.found.get_mut(&role)
            && ![reason, Reason::Written].iter().any(|&r| evidence.reasons.contains(r))
        {
            evidence.reasons.insert(reason);
            evidence.confidence = 1.0 - 0.5 * (1.0 - evidence.confidence);
        }
    }

    /// All roles found so far, in the order of [`Role`].
    pub fn iter(&self) -> impl Iterator<Item = &Evidence> {
        self.found.values()
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
