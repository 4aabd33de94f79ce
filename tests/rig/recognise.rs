//! Roles are told from names and tree for every rig in wide use, and from nothing else.

use crate::common;
use crate::listed::listed;
use crate::rigs;
use retarget::internals::bvh;
#[cfg(feature = "fbx")]
use retarget::internals::convert;
use retarget::internals::math::{Axis, Vec3};
use retarget::internals::rig::{
    Evidence, Problem, Reason, RecogniseError, Recognised, RigFile, Role, Roles, Side,
    WrittenRoles, recognise,
};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
use std::collections::BTreeMap;

const RIGS: &str = include_str!("recognise/rigs.txt");
const MOCAP: &str = include_str!("recognise/mocap.txt");
#[cfg(feature = "fbx")]
const CHARACTERS: &str = include_str!("recognise/characters.txt");

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
    let (mut files, mut without_hand) = (0, Vec::new());
    for section in CHARACTERS.split("# ").skip(1) {
        let (names, lines) = section.split_once('\n').expect("a title line");
        let listed = listed(lines);
        for name in names.split(' ') {
            let target = convert::load_rig(&dir.join(name)).unwrap_or_else(|e| panic!("{e}"));
            let named = |(role, joint)| (role, target.rig.skeleton.name(joint).to_owned());
            let found: BTreeMap<Role, String> = target.rig.roles.iter().map(named).collect();
            for (role, joint) in &found {
                assert_eq!(listed.get(role), Some(joint), "{name}: {role}");
            }
            let is_missing = |role: &&Role| !found.contains_key(role);
            for role in listed.keys().filter(is_missing) {
                // Fingers are those of a hand.
                let Role::Finger(side, ..) = *role else { panic!("{name}: no {role}") };
                assert!(!found.contains_key(&Role::Hand(side)), "{name}: no {role}");
                without_hand.push(name);
            }
            files += 1;
        }
    }
    without_hand.dedup();
    assert_eq!((files, without_hand), (24, vec!["glb/robot_expressive.glb"]));
}

/// The Mixamo rig of the table, with its names changed.
fn renamed(rename: impl Fn(&str) -> String) -> Skeleton {
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

fn refusal(skeleton: &Skeleton) -> RecogniseError {
    recognise(skeleton, &WrittenRoles::default()).expect_err("not refused")
}

/// Recognises with the lines of a `[roles]` section.
fn with_lines(skeleton: &Skeleton, lines: &[String]) -> Result<Recognised, String> {
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
    let dog = include_bytes!("../../samples/animals/dog_trot.bvh");
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

/// A four-legged body with a tail, all of its joints called by `name`.
fn beast(name: impl Fn(&str) -> String) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |text: &str, parent: Option<usize>, offset: [f64; 3]| {
        joints.push(Joint {
            name: name(text),
            parent: parent.map(JointId::new),
            offset: Vec3::from(offset),
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).expect("axes"),
            end_sites: Vec::new(),
        });
        joints.len() - 1
    };
    let hips = add("Pelvis", None, [0.0, 50.0, 0.0]);
    let mut leg = |from: usize, names: [&str; 4], x: f64, upper: f64| {
        let thigh = add(names[0], Some(from), [x, -4.0, 0.0]);
        let shin = add(names[1], Some(thigh), [0.0, -upper, 4.0]);
        let foot = add(names[2], Some(shin), [0.0, -upper, -4.0]);
        add(names[3], Some(foot), [0.0, -4.0, 5.0]);
    };
    leg(hips, ["LeftThigh", "LeftShin", "LeftFoot", "LeftToe"], 6.0, 19.0);
    leg(hips, ["RightThigh", "RightShin", "RightFoot", "RightToe"], -6.0, 19.0);
    // Its chest follows from the hips, level.
    let spine = joints.len();
    joints.push(Joint {
        name: name("Spine"),
        parent: Some(JointId::new(hips)),
        ..joints[0].clone()
    });
    joints[spine].offset = Vec3::new(0.0, 2.0, 20.0);
    joints.push(Joint {
        name: name("Chest"),
        parent: Some(JointId::new(spine)),
        ..joints[spine].clone()
    });
    let chest = spine + 1;
    for (side, x) in [("Left", 6.0), ("Right", -6.0)] {
        for (i, part) in ["UpperArm", "ForeArm", "Hand"].into_iter().enumerate() {
            let parent = if i == 0 { chest } else { joints.len() - 1 };
            let offset =
                [Vec3::new(x, -4.0, 0.0), Vec3::new(0.0, -17.0, -2.0), Vec3::new(0.0, -17.0, 2.0)];
            joints.push(Joint {
                name: name(&format!("{side}{part}")),
                parent: Some(JointId::new(parent)),
                offset: offset[i],
                ..joints[0].clone()
            });
        }
    }
    let head =
        Joint { name: name("Head"), parent: Some(JointId::new(chest)), ..joints[spine].clone() };
    joints.push(head);
    Skeleton::new(joints).expect("a tree")
}

#[test]
fn a_four_legged_body_is_no_person_whatever_its_names() {
    let rename: [fn(&str) -> String; 2] = [str::to_owned, |_| "q".to_owned()];
    for name in rename {
        let error = refusal(&beast(name));
        assert!(matches!(error.problems[..], [Problem::NoPerson { .. }]), "{error}");
        assert!(error.to_string().contains("[legs.NAME]"), "{error}");
    }
}

/// A dog on the names of a person, that stands up on its hind legs now and then: its legs are proposed, and
/// the lines work.
#[test]
fn an_animal_on_names_of_people_is_told_with_its_four_legs() {
    let skeleton = beast(str::to_owned);
    let frame_time =
        retarget::internals::clip::FrameTime::from_seconds(1.0 / 30.0).expect("above zero");
    let mut clip = retarget::internals::clip::Clip::new(skeleton.clone(), frame_time);
    for frame in 0..64 {
        let mut pose = retarget::internals::pose::Pose::rest(&skeleton);
        if frame < 5 {
            pose.rotations[0] = retarget::internals::math::Quat::from_scaled_axis(Vec3::x() * -1.0);
        }
        pose.translations[0].z += frame as f64;
        clip.push_pose(&pose);
    }
    let error = retarget::internals::rig::recognise_clip(&clip, &WrittenRoles::default())
        .expect_err("no person");
    let text = error.to_string();
    let (_, lines) = text.split_once("save as fix.toml:\n").expect("a way out");
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with("  ")).collect();
    let file = RigFile::parse(&lines.join("\n")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let written = file.roles(&skeleton).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(written.roles.legs().count(), 4, "{text}");
    retarget::internals::rig::recognise_clip(&clip, &written).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_body_without_size_is_told_so() {
    let skeleton = renamed(str::to_owned);
    let mut joints = skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.offset = Vec3::zeros());
    let error = refusal(&Skeleton::new(joints).expect("the same tree"));
    assert_eq!(error.problems, [Problem::NoSize]);
    let text = error.to_string();
    assert!(text.contains("export the file again") && !text.contains("[roles]"), "{text}");
}

#[test]
fn names_that_contradict_the_tree_are_refused() {
    let swap = |name: &str, a: &str, b: &str| match name {
        _ if name == a => b.to_owned(),
        _ if name == b => a.to_owned(),
        _ => name.to_owned(),
    };
    // A shin above its thigh, a foot under the other leg, sides swapped on a standing body.
    let cases = [
        renamed(|name| swap(name, "LeftUpLeg", "LeftFoot")),
        renamed(|name| swap(name, "LeftFoot", "RightFoot")),
        renamed(|name| match name {
            _ if name.contains("Left") => name.replace("Left", "Right"),
            _ => name.replace("Right", "Left"),
        }),
    ];
    for (i, skeleton) in cases.iter().enumerate() {
        let error = refusal(skeleton);
        let mirrored = matches!(error.problems[..], [Problem::Mirrored { .. }]);
        assert_eq!(mirrored, i == 2, "{error}");
    }
}

#[test]
fn two_bodies_in_one_file_are_a_question() {
    let body = rigs::parse(RIGS).swap_remove(0).skeleton;
    let mut joints = body.joints().to_vec();
    for joint in body.joints() {
        let mut joint = joint.clone();
        joint.parent = joint.parent.map(|p| JointId::new(p.index() + body.len()));
        // The second one lacks toes, so that it is the worse one, but a body all the same.
        joint.name = joint.name.replace("Toe", "Blob");
        joints.push(joint);
    }
    let error = refusal(&Skeleton::new(joints).expect("two trees"));
    assert!(matches!(error.problems[0], Problem::Ambiguous { .. }), "{error}");
}

#[test]
fn what_the_user_wrote_goes_before_names() {
    let skeleton = renamed(str::to_owned);
    let lines = ["left_toe = \"LeftToe_End\"", "ignore = [\"RightHand\"]"].map(str::to_owned);
    let found = with_lines(&skeleton, &lines).expect("a body");
    let joint = |name: &str| skeleton.find(name);
    assert_eq!(found.roles.joint(Role::Toe(Side::Left)), joint("LeftToe_End"));
    assert_eq!(found.roles.joint(Role::Hand(Side::Right)), None);
    let wrong = ["left_shin = \"RightFoot\""].map(str::to_owned);
    let error = with_lines(&skeleton, &wrong).expect_err("a contradiction");
    assert!(error.contains("\"RightFoot\" cannot be left_shin"), "{error}");
}

#[test]
fn the_message_about_a_large_skeleton_stays_short() {
    let rigs = rigs::parse(RIGS);
    let large = rigs.iter().max_by_key(|rig| rig.skeleton.len()).expect("rigs");
    let mut joints = large.skeleton.joints().to_vec();
    assert!(joints.len() > 60);
    for joint in &mut joints {
        joint.name = joint.name.replace("Foot", "Hand");
    }
    let text = refusal(&Skeleton::new(joints).expect("the same tree")).to_string();
    assert!(text.lines().count() < 60, "{text}");
    assert!(text.contains("… "), "{text}");
}

#[test]
fn no_tree_of_any_names_makes_it_panic_or_give_a_joint_two_roles() {
    const NAMES: [&str; 24] = [
        "Hips",
        "Spine",
        "Chest",
        "Neck",
        "Head",
        "LeftShoulder",
        "LeftArm",
        "LeftForeArm",
        "LeftHand",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "LeftToe",
        "RightHip",
        "RightKnee",
        "RightAnkle",
        "RightToe",
        "RightThumb1",
        "LeftHandIndex",
        "Left",
        "",
        "#2",
        "頭",
        "l_twist",
    ];
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..3000 {
        let mut path: Vec<usize> = Vec::new();
        let mut joints = Vec::new();
        for i in 0..1 + random(40) {
            path.truncate(random(path.len() + 1).max(path.len().saturating_sub(3)));
            let offset = Vec3::new(random(3) as f64, random(3) as f64, random(3) as f64);
            joints.push(Joint {
                name: NAMES[random(NAMES.len())].to_owned(),
                parent: path.last().map(|&p| JointId::new(p)),
                offset,
                channels: Channels::none(),
                end_sites: Vec::new(),
            });
            path.push(i);
        }
        let skeleton = Skeleton::new(joints).expect("depth-first");
        match recognise(&skeleton, &WrittenRoles::default()) {
            Ok(found) => assert_eq!(found.roles.len(), found.evidence.len()),
            Err(error) => assert!(!error.to_string().is_empty() && !error.problems.is_empty()),
        }
    }
}

#[test]
fn huge_skeletons_of_one_name_are_refused_at_once() {
    const JOINTS: usize = 50_000;
    for name in ["LeftLeg", "Head", "Spine", "LeftHandIndex1", "q"] {
        for chain in [true, false] {
            let joint = |i: usize| Joint {
                name: name.to_owned(),
                parent: (i > 0).then(|| JointId::new(if chain { i - 1 } else { 0 })),
                offset: Vec3::y(),
                channels: Channels::none(),
                end_sites: Vec::new(),
            };
            let skeleton = Skeleton::new((0..JOINTS).map(joint).collect()).expect("a tree");
            let text = refusal(&skeleton).to_string();
            assert!(text.lines().count() < 400, "{}", text.lines().count());
        }
    }
}
