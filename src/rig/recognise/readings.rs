//! The other reading of a body whose sides are in doubt, with the lines that say it.

use super::error::{Problem, RecogniseError};
use crate::rig::Role;
use crate::rig::file::{RoleKey, quoted};
use crate::rig::names::joint_text;
use crate::skeleton::JointId;
use std::fmt;

/// What stands before the lines of the other one of two readings.
pub const OTHERWISE: &str = "save instead";

impl RecogniseError {
    /// Writes the reading that is not taken, where there are two, and its lines.
    pub(super) fn write_other_reading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (when, lines) = match self.problems[..] {
            [Problem::Mirrored { left, .. }] => {
                ("knees and toes are right and names wrong", self.swapped(left))
            }
            [Problem::LeftOrRight { thighs: [_, other] }] => {
                let role = Role::Thigh(crate::rig::Side::Left);
                ("the other one is the left leg", vec![self.line(RoleKey::of(role), &[other])])
            }
            _ => return Ok(()),
        };
        writeln!(f, "or, where {when}, {OTHERWISE}:\n  [roles]")?;
        lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }

    /// The lines that give all parts of both sides to the joints of the other one, or those of the arms alone where
    /// these are in doubt.
    fn swapped(&self, doubted: JointId) -> Vec<String> {
        let role_of = |joint: JointId| self.guess.iter().find(|e| e.joint == joint).map(|e| e.role);
        let is_arm = |role: Role| {
            let arm = [Role::Clavicle, Role::UpperArm, Role::Forearm, Role::Hand];
            let side = role.side();
            matches!(role, Role::Finger(..))
                || side.is_some_and(|side| arm.iter().any(|part| part(side) == role))
        };
        let arms_alone = role_of(doubted).is_some_and(is_arm);
        let line = |key: RoleKey| {
            let joints = (0..).map_while(|index| {
                let other = key.role(index)?.on_other_side();
                self.guess.iter().find(|e| e.role == other).map(|e| e.joint)
            });
            let joints: Vec<JointId> = joints.collect();
            (!joints.is_empty()).then(|| self.line(key, &joints))
        };
        let is_swapped = |key: &RoleKey| {
            key.role(0).is_some_and(|role| role.side().is_some() && (!arms_alone || is_arm(role)))
        };
        RoleKey::all().into_iter().filter(is_swapped).filter_map(line).collect()
    }

    fn line(&self, key: RoleKey, joints: &[JointId]) -> String {
        let names: Vec<String> =
            joints.iter().map(|&joint| quoted(&joint_text(&self.skeleton, joint))).collect();
        match key {
            RoleKey::One(_) => format!("{} = {}", key.text(), names.join(", ")),
            RoleKey::List(_) => format!("{} = [{}]", key.text(), names.join(", ")),
        }
    }
}
