//! The roles of nodes by VRM's names of bones.

use super::document::Extensions;
use crate::rig::{Digit, Role, Side};

/// The nodes that VRM names, with their roles. Eyes and jaw have none.
pub fn roles(extensions: &Extensions) -> Vec<(Role, usize)> {
    let mut named: Vec<(&str, usize)> = Vec::new();
    for vrm in [&extensions.vrm_1, &extensions.vrm_animation].into_iter().flatten() {
        let bones = vrm.humanoid.human_bones.iter();
        named.extend(bones.map(|(name, bone)| (name.as_str(), bone.node)));
    }
    if let Some(vrm) = &extensions.vrm_0 {
        let bones = vrm.humanoid.human_bones.iter();
        named.extend(
            bones.filter_map(|it| Some((it.bone.as_str(), usize::try_from(it.node).ok()?))),
        );
    }
    let counts_metacarpal = extensions.vrm_0.is_none();
    let mut roles: Vec<(Role, usize)> = named
        .iter()
        .filter_map(|&(name, node)| Some((role(name, counts_metacarpal)?, node)))
        .collect();
    // The joints of the spine are numbered without a gap, even where the chest is missing.
    let spine = SPINE.iter().filter_map(|name| named.iter().find(|(own, _)| own == name));
    roles.extend((1..).map(Role::Spine).zip(spine.map(|(_, node)| *node)));
    roles.sort_by_key(|(role, _)| *role);
    roles.dedup_by_key(|(role, _)| *role);
    roles
}

/// VRM's bones of the spine, from below upwards.
pub const SPINE: [&str; 3] = ["spine", "chest", "upperChest"];

/// The role of a bone's name. VRM 1.0 calls the first of a thumb's three bones metacarpal, and VRM 0.x proximal.
fn role(name: &str, counts_metacarpal: bool) -> Option<Role> {
    let (side, part) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(part), _) => (Side::Left, part),
        (_, Some(part)) => (Side::Right, part),
        _ => {
            return match name {
                "hips" => Some(Role::Hips),
                "neck" => Some(Role::Neck(1)),
                "head" => Some(Role::Head),
                _ => None,
            };
        }
    };
    LIMBS
        .iter()
        .find(|(own, _)| *own == part)
        .map(|(_, role)| role(side))
        .or_else(|| finger(side, part, counts_metacarpal))
}

type OfSide = fn(Side) -> Role;

/// The role of a bone of a limb.
pub const LIMBS: [(&str, OfSide); 8] = [
    ("Shoulder", Role::Clavicle),
    ("UpperArm", Role::UpperArm),
    ("LowerArm", Role::Forearm),
    ("Hand", Role::Hand),
    ("UpperLeg", Role::Thigh),
    ("LowerLeg", Role::Shin),
    ("Foot", Role::Foot),
    ("Toes", Role::Toe),
];

/// The fingers, and VRM's words for them.
pub const DIGITS: [(&str, Digit); 5] = [
    ("Thumb", Digit::Thumb),
    ("Index", Digit::Index),
    ("Middle", Digit::Middle),
    ("Ring", Digit::Ring),
    ("Little", Digit::Pinky),
];

fn finger(side: Side, part: &str, counts_metacarpal: bool) -> Option<Role> {
    let (rest, digit) =
        DIGITS.iter().find_map(|(word, digit)| Some((part.strip_prefix(word)?, *digit)))?;
    let number = match (digit, rest) {
        (Digit::Thumb, "Metacarpal") => 1,
        (Digit::Thumb, "Proximal") if counts_metacarpal => 2,
        (_, "Proximal") => 1,
        (_, "Intermediate") => 2,
        (_, "Distal") => 3,
        _ => return None,
    };
    Some(Role::Finger(side, digit, number))
}
