//! Roles are told from names and tree for every rig in wide use, and from nothing else.

mod common;
#[path = "common/rigs.rs"]
mod rigs;

use retarget::bvh;
use retarget::clip::Clip;
use retarget::rig::{Role, Side, WrittenRoles, recognise, recognise_clip};
use retarget::skeleton::{JointId, Skeleton};
use std::collections::BTreeMap;

const RIGS: &str = include_str!("recognise/rigs.txt");
const MOCAP: &str = include_str!("recognise/mocap.txt");

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
    assert_eq!(rigs.len(), 48);
    let mut wrong = Vec::new();
    for rig in rigs {
        for difference in differences(&rig.skeleton, &rig.roles) {
            wrong.push(format!("{}: {difference}", rig.title));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The roles that a section of the clips' table lists, by joint name.
fn listed(lines: &str) -> BTreeMap<Role, String> {
    let mut roles = BTreeMap::new();
    for line in lines.lines().filter(|l| !l.is_empty()) {
        let (key, names) = line.split_once(" = ").expect("a key and names");
        let names: Vec<&str> = names.split(", ").collect();
        for (n, name) in names.iter().enumerate().filter(|(_, name)| **name != "-") {
            if let "hips" | "spine" | "neck" | "head" = key {
                let text = match key {
                    "spine" | "neck" => format!("{key}.{}", n + 1),
                    _ => key.to_owned(),
                };
                roles.insert(text.parse().expect("a role"), (*name).to_owned());
                continue;
            }
            for side in Side::BOTH {
                let word = if side == Side::Left { "left" } else { "right" };
                let part = match key {
                    "arm" => ["clavicle", "upper_arm", "forearm", "hand"][n].to_owned(),
                    "leg" => ["thigh", "shin", "foot", "toe"][n].to_owned(),
                    finger => format!("{finger}.{n}"),
                };
                let role = format!("{word}_{part}").parse().expect("a role");
                roles.insert(role, rigs::sided(name, Some(side)));
            }
        }
    }
    roles
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

/// The clip with its joints renamed to what says nothing.
fn nameless(clip: &Clip) -> Clip {
    let mut joints = clip.skeleton().joints().to_vec();
    for (i, joint) in joints.iter_mut().enumerate() {
        joint.name = format!("q{i}");
    }
    let skeleton = Skeleton::new(joints).expect("the same tree");
    let mut renamed = Clip::with_capacity(skeleton, clip.frame_time().clone(), clip.len());
    for frame in 0..clip.len() {
        renamed.push(clip.rotations(frame), clip.translations(frame));
    }
    renamed
}

#[test]
fn without_names_real_clips_get_right_roles_or_none() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut right, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let expected = recognise(file.clip.skeleton(), &WrittenRoles::default());
        let clip = nameless(&file.clip);
        match (recognise_clip(&clip, &WrittenRoles::default()), expected) {
            (Err(_), _) => refused.push(name),
            (Ok(_), Err(_)) => wrong.push(format!("{name} is no body")),
            (Ok(found), Ok(expected)) => {
                right += 1;
                for (role, joint) in found.roles.iter() {
                    if expected.roles.joint(role) != Some(joint) {
                        let joint = file.clip.skeleton().name(joint);
                        wrong.push(format!("{name}: {role} is not {joint:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right >= 21, "only {right} of the clips; refused: {}", refused.join(", "));
}
