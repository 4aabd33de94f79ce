//! Joints whose names say little: the shape tells their roles, or a question does.

use super::RIGS;
use crate::rigs;
use retarget::internals::math::{Axis, Vec3};
use retarget::internals::rig::{
    Evidence, Problem, Reason, RecogniseError, Recognised, RigFile, Role, Roles, Side,
    WrittenRoles, recognise,
};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

/// The Mixamo rig of the table, with its names changed.
pub fn renamed(rename: impl Fn(&str) -> String) -> Skeleton {
    let rig = rigs::parse(RIGS).swap_remove(0);
    let mut joints = rig.skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.name = rename(joint.name.trim_start_matches("mixamorig:"));
    }
    Skeleton::new(joints).expect("the same tree")
}

/// As [`renamed`], but a body without arms, so that the shape does not tell a person.
fn renamed_without_arms(rename: impl Fn(&str) -> String) -> Skeleton {
    let skeleton = renamed(str::to_owned);
    let on_arm = |id: JointId| {
        let arm = |joint: JointId| skeleton.name(joint).ends_with("Shoulder");
        arm(id) || skeleton.ancestors(id).any(arm)
    };
    let kept: Vec<JointId> = skeleton.ids().filter(|&id| !on_arm(id)).collect();
    let place = |id: JointId| JointId::new(kept.iter().position(|&k| k == id).expect("kept"));
    let joints = kept.iter().map(|&id| {
        let joint = skeleton.joint(id).clone();
        Joint { name: rename(&joint.name), parent: joint.parent.map(place), ..joint }
    });
    Skeleton::new(joints.collect()).expect("a tree")
}

pub fn refusal(skeleton: &Skeleton) -> RecogniseError {
    recognise(skeleton, &WrittenRoles::default()).expect_err("not refused")
}

/// Recognises with the lines of a `[roles]` section.
pub fn with_lines(skeleton: &Skeleton, lines: &[String]) -> Result<Recognised, String> {
    let text = format!("[roles]\n{}", lines.join("\n"));
    let file = RigFile::parse(&text).map_err(|e| format!("{text}\n{e}"))?;
    let written = file.roles(skeleton).map_err(|e| format!("{text}\n{e}"))?;
    recognise(skeleton, &written).map_err(|e| format!("{text}\n{e}"))
}

#[test]
fn names_without_a_side_are_refused_and_two_thighs_settle_it() {
    let skeleton = renamed_without_arms(|name| name.replace("Left", "").replace("Right", ""));
    let error = refusal(&skeleton);
    assert!(matches!(error.problems[..], [Problem::NoSides { .. }]), "{error}");
    let lines = ["left_thigh = \"UpLeg#1\"", "right_thigh = \"UpLeg#2\""].map(str::to_owned);
    let found = with_lines(&skeleton, &lines).expect("settled");
    let name = |role: &str| {
        let joint = found.roles.joint(role.parse().expect("a role")).expect("a joint");
        (skeleton.name(joint), found.roles.role(joint).map(|r| r.to_string()))
    };
    assert_eq!(name("left_foot"), ("Foot", Some("left_foot".to_owned())));
    assert_ne!(
        found.roles.joint(Role::Foot(Side::Left)),
        found.roles.joint(Role::Foot(Side::Right))
    );
}

#[test]
fn a_missing_joint_is_guessed_and_the_lines_of_the_message_settle_it() {
    let whole = renamed_without_arms(str::to_owned);
    let expected = recognise(&whole, &WrittenRoles::default()).expect("a body").roles;
    for part in ["UpLeg", "Leg", "Foot"] {
        let skeleton = renamed_without_arms(|name| match name.strip_suffix(part) {
            Some(side @ ("Left" | "Right")) => format!("{side}Blob"),
            _ => name.to_owned(),
        });
        let error = refusal(&skeleton);
        let text = error.to_string();
        for line in error.lines() {
            assert!(text.contains(&line), "{text}\nlacks {line}");
        }
        let found = with_lines(&skeleton, &error.lines()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(found.roles, expected, "{part}");
    }
}

#[test]
fn two_missing_joints_of_a_limb_are_not_guessed_to_be_one() {
    let dog = include_bytes!("../../../samples/animals/dog_trot.bvh");
    let clip = retarget::internals::bvh::read(dog).expect("a clip").clip;
    let error = recognise(clip.skeleton(), &WrittenRoles::default()).expect_err("no person");
    let lines = error.lines();
    for line in ["left_shin = \"LeftHock\"", "left_foot = \"LeftHindPaw\""] {
        assert!(lines.iter().any(|l| l.starts_with(line)), "{lines:?}");
    }
}

#[test]
fn what_names_do_not_tell_the_shape_does() {
    let expected = recognise(&renamed(str::to_owned), &WrittenRoles::default()).expect("a body");
    let strip = |words: &'static [&'static str]| {
        move |name: &str| words.iter().fold(name.to_owned(), |n, word| n.replace(word, "Blob"))
    };
    let cases: [&'static [&'static str]; 6] =
        [&["UpLeg"], &["Foot"], &["Leg"], &["Left", "Right"], &["Spine", "Hips"], &["Arm", "Hand"]];
    for words in cases {
        let skeleton = renamed(strip(words));
        let found = recognise(&skeleton, &WrittenRoles::default());
        let found = found.unwrap_or_else(|e| panic!("{words:?}: {e}"));
        assert_eq!(found.roles, expected.roles, "{words:?}");
    }
}

#[test]
fn a_prefix_that_all_names_share_means_nothing() {
    let expected = recognise(&renamed(str::to_owned), &WrittenRoles::default()).expect("a body");
    let prefixes = [
        "",
        "mixamorig:",
        "mixamorig7:",
        "mixamorig_",
        "mixamorig7_",
        "mixamorig",
        "Armature|",
        "hero.",
        "scene:hero01:",
        "Group_3|hero|",
        "男:",
    ];
    for prefix in prefixes {
        let skeleton = renamed(|name| format!("{prefix}{name}"));
        let found = recognise(&skeleton, &WrittenRoles::default());
        let found = found.unwrap_or_else(|e| panic!("{prefix:?}: {e}"));
        assert_eq!(found.roles, expected.roles, "{prefix:?}");
        // By its names, not by its shape.
        let by_name = |e: &&Evidence| {
            e.reasons.contains(Reason::Name) || e.reasons.contains(Reason::NameAndNeighbours)
        };
        assert_eq!(found.evidence.iter().filter(by_name).count(), found.roles.len(), "{prefix:?}");
    }
}

/// The skeleton with a second and a third root beside it: a chain and a fork.
fn with_props(body: &Skeleton) -> Skeleton {
    let prop = |name: &str, parent: Option<usize>, x: f64| Joint {
        name: name.to_owned(),
        parent: parent.map(JointId::new),
        offset: Vec3::new(x, 30.0, 10.0),
        channels: Channels::positions_and_rotations([Axis::Z, Axis::X, Axis::Y]).expect("axes"),
        end_sites: Vec::new(),
    };
    let mut joints =
        vec![prop("p0", None, 80.0), prop("p1", Some(0), 0.0), prop("p2", Some(1), 0.0)];
    joints.extend(body.joints().iter().map(|joint| Joint {
        parent: joint.parent.map(|p| JointId::new(p.index() + 3)),
        ..joint.clone()
    }));
    let fork = joints.len();
    joints.push(prop("p3", None, -90.0));
    joints.push(prop("p4", Some(fork), 5.0));
    joints.push(prop("p5", Some(fork), -5.0));
    Skeleton::new(joints).expect("three trees")
}

#[test]
fn props_beside_the_body_change_nothing_with_names_or_without() {
    for names in [true, false] {
        let body = renamed(|name| if names { name.to_owned() } else { "q".to_owned() });
        let expected = recognise(&body, &WrittenRoles::default()).expect("a body").roles;
        let found = recognise(&with_props(&body), &WrittenRoles::default());
        let found = found.unwrap_or_else(|e| panic!("{e}")).roles;
        let moved = expected.iter().map(|(role, j)| (role, JointId::new(j.index() + 3)));
        assert!(moved.eq(found.iter()), "names: {names}");
    }
}

#[test]
fn sides_alone_in_names_settle_the_sides() {
    let whole = renamed(str::to_owned);
    let expected = recognise(&whole, &WrittenRoles::default()).expect("a body").roles;
    // As Blender names them, of a body whose feet and knees show nothing.
    let mut joints = whole.joints().to_vec();
    for (i, joint) in joints.iter_mut().enumerate() {
        let side = if joint.name.starts_with("Left") {
            ".L"
        } else if joint.name.starts_with("Right") {
            ".R"
        } else {
            ""
        };
        joint.offset.z = if joint.name.contains("Hand") { joint.offset.z } else { 0.0 };
        joint.name = format!("Bone.{i:03}{side}");
    }
    let sided = Skeleton::new(joints.clone()).expect("the same tree");
    let found = recognise(&sided, &WrittenRoles::default()).unwrap_or_else(|e| panic!("{e}"));
    let legs_and_arms = |roles: &Roles| -> Vec<(Role, JointId)> {
        roles.iter().filter(|(role, _)| role.side().is_some()).collect()
    };
    assert_eq!(legs_and_arms(&found.roles), legs_and_arms(&expected));
    // Without them, one line settles it.
    joints.iter_mut().for_each(|joint| joint.name.truncate(8));
    let unsided = Skeleton::new(joints).expect("the same tree");
    let error = refusal(&unsided);
    assert!(matches!(error.problems[..], [Problem::LeftOrRight { .. }]), "{error}");
    let lines = error.lines();
    assert_eq!(lines.len(), 1, "{error}");
    let found = with_lines(&unsided, &lines).unwrap_or_else(|e| panic!("{e}"));
    let left = found.roles.joint(Role::Thigh(Side::Left)).expect("a thigh");
    assert!(lines[0].contains(unsided.name(left)), "{lines:?}");
}
