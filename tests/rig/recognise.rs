//! Roles are told from names and tree for every rig in wide use, and from nothing else.

mod names;
mod refused;

use crate::common;
use crate::listed::listed;
use crate::rigs;
use retarget::internals::bvh;
#[cfg(feature = "fbx")]
use retarget::internals::convert;
use retarget::internals::rig::{Role, WrittenRoles, recognise};
use retarget::internals::skeleton::{JointId, Skeleton};
use std::collections::BTreeMap;

const RIGS: &str = include_str!("recognise/rigs.txt");
const MOCAP: &str = include_str!("recognise/mocap.txt");
#[cfg(feature = "fbx")]
pub const CHARACTERS: &str = include_str!("recognise/characters.txt");

/// What differs between the roles expected and those found, a line each; empty if nothing does.
fn differences(skeleton: &Skeleton, expected: &BTreeMap<Role, JointId>) -> Vec<String> {
    let found = match recognise(skeleton, &WrittenRoles::default()) {
        Ok(found) => found.roles.iter().collect::<BTreeMap<Role, JointId>>(),
        Err(error) => return vec![format!("refused: {error}")],
    };
    let roles: std::collections::BTreeSet<Role> =
        expected.keys().chain(found.keys()).copied().collect();
    let name = |joint: Option<&JointId>| joint.map_or("nothing", |&j| skeleton.name(j));
    roles
        .into_iter()
        .filter(|role| expected.get(role) != found.get(role))
        .map(|role| {
            let (wanted, got) = (name(expected.get(&role)), name(found.get(&role)));
            format!("{role} should be {wanted:?}, but is {got:?}")
        })
        .collect()
}

#[test]
fn every_known_rig_gets_exactly_its_roles() {
    let rigs = rigs::parse(RIGS);
    assert_eq!(rigs.len(), 76);
    let mut wrong = Vec::new();
    for rig in rigs {
        for difference in differences(&rig.skeleton, &rig.roles) {
            wrong.push(format!("{}: {difference}", rig.title));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn known_rigs_are_called_by_their_names() {
    let rigs = rigs::parse(RIGS);
    for (title, family) in [
        ("Mixamo", Some("Mixamo")),
        ("Unreal 5 Manny", Some("Unreal")),
        ("3ds Max Biped", Some("3ds Max Biped")),
        ("DAZ Genesis 9", Some("DAZ Genesis 9")),
        ("VRoid", Some("VRoid")),
        ("CMU, Daz-friendly", Some("CMU, Daz-friendly")),
        ("Only legs and a root", None),
    ] {
        let rig = rigs.iter().find(|rig| rig.title == title).expect("a rig of the table");
        let found = recognise(&rig.skeleton, &WrittenRoles::default()).expect(title);
        assert_eq!(found.family, family, "{title}");
    }
}

/// Clips of the folder that hold no body.
const NO_BODY: [&str; 7] = [
    "quirks/all_zero_offsets_sample",
    "quirks/empty_joint_name_test7",
    "quirks/full_precision_frame_time",
    "quirks/rotation_first_root",
    "quirks/row_longer_than_channels",
    "quirks/single_joint_skeleton",
    "quirks/two_joint_simple",
];

#[test]
fn every_real_clip_gets_exactly_its_roles_and_what_is_no_body_is_refused() {
    let Some(dir) = common::mocap_dir() else { return };
    let clips = common::mocap_clips(&dir);
    let skeletons: BTreeMap<String, Skeleton> = clips
        .into_iter()
        .map(|(name, bytes)| {
            let file = bvh::read_hierarchy(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            (name.trim_end_matches(".bvh").to_owned(), file.skeleton)
        })
        .collect();
    let mut wrong = Vec::new();
    let mut bodies = 0;
    for section in MOCAP.split("# ").skip(1) {
        let (names, lines) = section.split_once('\n').expect("a title line");
        let listed = listed(lines);
        for name in names.split(' ') {
            bodies += 1;
            let skeleton = &skeletons[name];
            let joint = |joint: &str| {
                skeleton.find(joint).unwrap_or_else(|| panic!("{name} has no {joint:?}"))
            };
            let expected = listed.iter().map(|(&role, name)| (role, joint(name))).collect();
            for difference in differences(skeleton, &expected) {
                wrong.push(format!("{name}: {difference}"));
            }
        }
    }
    for name in NO_BODY {
        if recognise(&skeletons[name], &WrittenRoles::default()).is_ok() {
            wrong.push(format!("{name}: not refused"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(bodies + NO_BODY.len(), skeletons.len());
}

#[cfg(feature = "fbx")]
#[test]
fn every_real_character_has_the_roles_that_its_names_say_and_no_other() {
    let Some(dir) = common::characters_dir() else { return };
    let (mut files, mut of_palms) = (0, Vec::new());
    for section in CHARACTERS.split("# ").skip(1) {
        let (names, lines) = section.split_once('\n').expect("a title line");
        let listed = listed(lines);
        for name in names.split(' ') {
            let target = convert::LoadedRig::load(dir.join(name)).unwrap_or_else(|e| panic!("{e}"));
            let named = |(role, joint)| (role, target.rig.skeleton.name(joint).to_owned());
            let found: BTreeMap<Role, String> = target.rig.roles.iter().map(named).collect();
            for (role, joint) in &found {
                assert_eq!(listed.get(role), Some(joint), "{name}: {role}");
            }
            let is_missing = |role: &&Role| !found.contains_key(role);
            for role in listed.keys().filter(is_missing) {
                // The fingers of several palms, none of which holds the others, move with these alone.
                let Role::Finger(side, ..) = *role else { panic!("{name}: no {role}") };
                assert!(found[&Role::Hand(side)].starts_with("Palm"), "{name}: no {role}");
                of_palms.push(name);
            }
            files += 1;
        }
    }
    of_palms.dedup();
    assert_eq!((files, of_palms), (24, vec!["glb/robot_expressive.glb"]));
}
