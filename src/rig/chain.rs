//! Legs and chains by name: the limbs of bodies that are not people's, tails and trunks.

use super::{Role, Roles};
use crate::pose::{Pose, WorldPose};
use crate::rig::bone::bone_end;
use crate::skeleton::{JointId, Skeleton};
use arrayvec::ArrayString;
use std::fmt;
use std::str::FromStr;

/// The name of a leg or a chain, as in `[legs.front_left]`: two rigs' chains of one name move alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ChainName(ArrayString<LONGEST>);

/// Bytes that a name may have.
const LONGEST: usize = 31;

impl ChainName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ChainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text that is no name of a chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no name of a chain: those have up to {LONGEST} of a to z, 0 to 9, _ and -")]
pub struct ChainNameError(pub String);

impl FromStr for ChainName {
    type Err = ChainNameError;

    fn from_str(text: &str) -> Result<Self, ChainNameError> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        let name = ArrayString::from(text).ok();
        let name = name.filter(|name| !name.is_empty() && name.chars().all(fits));
        name.map(Self).ok_or_else(|| ChainNameError(text.to_owned()))
    }
}

/// Length along a chain from its first joint to its far end in a pose, length units.
pub(crate) fn chain_len(
    skeleton: &Skeleton,
    roles: &Roles,
    world: &WorldPose,
    name: ChainName,
) -> f64 {
    let bone = |id: JointId| {
        let end = bone_end(skeleton, roles, id)?;
        Some((end.world(world) - world.position(id)).norm())
    };
    roles.chain(name).into_iter().filter_map(bone).sum()
}

/// How long a body of named chains is for comparing lengths: the mean of its legs, without any the
/// longest of its chains and its trunk. Length units.
pub(crate) fn measure(skeleton: &Skeleton, roles: &Roles, pose: &Pose) -> f64 {
    let world = WorldPose::of(skeleton, pose);
    let len = |name| chain_len(skeleton, roles, &world, name);
    let legs: Vec<f64> = roles.legs().map(len).collect();
    if !legs.is_empty() {
        return legs.iter().sum::<f64>() / legs.len() as f64;
    }
    let trunk: Vec<JointId> = roles
        .joint(Role::Hips)
        .into_iter()
        .chain(roles.spine())
        .chain(roles.neck())
        .chain(roles.joint(Role::Head))
        .collect();
    let bones =
        trunk.windows(2).map(|two| (world.position(two[1]) - world.position(two[0])).norm());
    roles.chain_names().map(len).chain([bones.sum()]).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_from_its_text() {
        for text in ["front_left", "l1", "tail-2", "a"] {
            assert_eq!(text.parse::<ChainName>().map(|name| name.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "Front", "a b", "a.b", "ü", "a_name_that_is_longer_than_it_may_be"] {
            assert_eq!(text.parse::<ChainName>(), Err(ChainNameError(text.to_owned())));
        }
    }
}
