//! The keys of `[roles]` and the roles that they stand for.

use crate::rig::{Digit, Role, Side};

/// What stands behind a key of `[roles]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoleKey {
    One(Role),
    /// A list; the role of its first joint, the others count on.
    List(Role),
}

impl RoleKey {
    /// All keys, in the order in which a file is written.
    pub fn all() -> Vec<RoleKey> {
        let mut keys = vec![
            RoleKey::One(Role::Hips),
            RoleKey::List(Role::Spine(1)),
            RoleKey::List(Role::Neck(1)),
            RoleKey::One(Role::Head),
        ];
        for side in Side::BOTH {
            let arm =
                [Role::Clavicle(side), Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
            keys.extend(arm.map(RoleKey::One));
        }
        for side in Side::BOTH {
            let leg = [Role::Thigh(side), Role::Shin(side), Role::Foot(side), Role::Toe(side)];
            keys.extend(leg.map(RoleKey::One));
        }
        for side in Side::BOTH {
            for digit in Digit::ALL {
                keys.push(RoleKey::One(Role::Finger(side, digit, 0)));
                keys.push(RoleKey::List(Role::Finger(side, digit, 1)));
            }
        }
        keys
    }

    /// The key that a role is written under.
    pub fn of(role: Role) -> RoleKey {
        match role {
            Role::Spine(_) => RoleKey::List(Role::Spine(1)),
            Role::Neck(_) => RoleKey::List(Role::Neck(1)),
            Role::Finger(side, digit, n) if n > 0 => RoleKey::List(Role::Finger(side, digit, 1)),
            role => RoleKey::One(role),
        }
    }

    /// The key's text.
    pub fn text(self) -> String {
        match self {
            RoleKey::One(role @ Role::Finger(..)) => {
                let text = role.to_string();
                format!("{}_metacarpal", text.trim_end_matches(".0"))
            }
            RoleKey::One(role) => role.to_string(),
            RoleKey::List(role) => role.to_string().trim_end_matches(".1").to_owned(),
        }
    }

    /// The role of the list's joint `index`, counted from 0; `None` beyond the end of the part.
    pub fn role(self, index: usize) -> Option<Role> {
        let n = u8::try_from(index + 1).ok()?;
        match self {
            RoleKey::One(role) => (index == 0).then_some(role),
            RoleKey::List(Role::Spine(_)) => Some(Role::Spine(n)),
            RoleKey::List(Role::Neck(_)) => Some(Role::Neck(n)),
            RoleKey::List(Role::Finger(side, digit, _)) => {
                (n <= 3).then_some(Role::Finger(side, digit, n))
            }
            RoleKey::List(_) => None,
        }
    }
}
