//! What is no person, or contradicts itself, is refused with a way out.

use super::RIGS;
use super::names::{refusal, renamed, with_lines};
use crate::{common, rigs};
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Axis, Vec3};
use retarget::internals::rig::{Problem, RigFile, Role, Side, WrittenRoles, recognise};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

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

/// Without a forearm an arm would be transferred straight, as would a leg without a shin: real bodies of which that joint
/// is not to be used have another one that bends there, or are refused with the part's name.
#[test]
fn a_limb_whose_middle_part_plays_no_role_is_refused() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut refused = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read_hierarchy(&bytes) else { continue };
        let Ok(found) = recognise(&file.skeleton, &WrittenRoles::default()) else { continue };
        for middle in [Role::Forearm, Role::Shin].iter().flat_map(|of| Side::BOTH.map(of)) {
            let Some(joint) = found.roles.joint(middle) else { continue };
            let written = WrittenRoles { ignored: vec![joint], ..WrittenRoles::default() };
            match recognise(&file.skeleton, &written) {
                Ok(other) => assert!(other.roles.joint(middle).is_some(), "{name}: no {middle}"),
                Err(error) => {
                    let says = error.to_string();
                    assert!(says.contains(&middle.to_string()), "{name}, {middle}: {says}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
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

/// The roles that the lines of a refusal propose, read as a file is: those of four legs.
fn proposed_for_animal(clip: &Clip) -> WrittenRoles {
    let error = retarget::internals::rig::recognise_clip(clip, &WrittenRoles::default())
        .expect_err("no person");
    let text = error.to_string();
    let (_, lines) = text.split_once("save as fix.toml:\n").expect("a way out");
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with("  ")).collect();
    let file = RigFile::parse(&lines.join("\n")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let written = file.roles(clip.skeleton()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(written.roles.legs().count(), 4, "{text}");
    written
}

/// A dog of which a person's names tell the upper legs alone is no person either, whatever its legs are guessed to be.
#[test]
fn an_animal_with_legs_of_its_own_names_is_told_with_its_four_legs() {
    let dog = include_bytes!("../../../samples/animals/dog_trot.bvh");
    let clip = retarget::internals::bvh::read(dog).expect("a clip").clip;
    let written = proposed_for_animal(&clip);
    assert!(written.roles.joint(Role::Head).is_some());
}

/// A dog on the names of a person, that stands up on its hind legs now and then: its legs are proposed, and
/// the lines work.
#[test]
fn an_animal_on_names_of_people_is_told_with_its_four_legs() {
    let skeleton = beast(str::to_owned);
    let frame_time =
        retarget::internals::clip::FrameTime::from_seconds(1.0 / 30.0).expect("above zero");
    let mut clip = Clip::new(skeleton.clone(), frame_time);
    for frame in 0..64 {
        let mut pose = retarget::internals::pose::Pose::rest(&skeleton);
        if frame < 5 {
            pose.rotations[0] = retarget::internals::math::Quat::from_scaled_axis(Vec3::x() * -1.0);
        }
        pose.translations[0].z += frame as f64;
        clip.push_pose(&pose);
    }
    let written = proposed_for_animal(&clip);
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
