//! FBX files of many tools: where their nodes are, what their takes do, which pose is the zero pose, which parts joints
//! play. `ufbx` is the second opinion: with the world's axes given to its own nodes, and whole scenes evaluated at a
//! time.

mod append;
mod mesh;

use crate::common::characters_dir;
use retarget::internals::clip::FrameTime;
use retarget::internals::formats::fbx::{self, FbxError, FbxFile};
use retarget::internals::math::Vec3;
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Role, Side, recognise};
use retarget::internals::scene::{Base, Body, NodeFrame, Scene, Track};

/// All FBX files by name, with their bytes. Panics unless there are 11.
fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let dir = characters_dir()?;
    let mut files = Vec::new();
    for folder in ["clips", "fbx"] {
        for entry in std::fs::read_dir(dir.join(folder)).expect("the folder can be listed") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|end| end == "fbx") {
                let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                files.push((name, std::fs::read(&path).expect("readable")));
            }
        }
    }
    files.sort();
    assert_eq!(files.len(), 11, "FBX files in {}", dir.display());
    Some(files)
}

fn read(name: &str, bytes: &[u8]) -> FbxFile {
    fbx::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The file as `ufbx` has it, in metres with +Y up.
fn second_opinion(bytes: &[u8]) -> ufbx::SceneRoot {
    let options = ufbx::LoadOpts {
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::AdjustTransforms,
        ..Default::default()
    };
    ufbx::load_memory(bytes, options).expect("it reads")
}

fn place(matrix: &ufbx::Matrix) -> Vec3 {
    Vec3::new(matrix.m03, matrix.m13, matrix.m23)
}

/// Where all nodes are in a frame of a take, or at rest.
fn world(scene: &Scene, tracks: &[Track], frame: usize) -> Vec<NodeFrame> {
    let mut of_node = vec![None; scene.nodes.len()];
    tracks.iter().for_each(|track| of_node[track.node] = Some(track));
    scene.world(&scene.in_order(), |id| {
        let rest = scene.nodes[id].local;
        of_node[id].map_or(rest, |track| track.at(frame, &rest))
    })
}

/// How far the joints are apart at most, along an axis.
fn size_len(scene: &Scene, world: &[NodeFrame]) -> f64 {
    let joints = || scene.nodes.iter().zip(world).filter(|(node, _)| node.is_joint);
    let along = |axis: usize| joints().map(move |(_, frame)| frame.place[axis]);
    let len = |axis| along(axis).fold(f64::MIN, f64::max) - along(axis).fold(f64::MAX, f64::min);
    (0..3).map(len).fold(0.0, f64::max)
}

#[test]
fn every_node_is_where_ufbx_has_it_at_rest_and_in_every_take() {
    let Some(files) = files() else { return };
    let (mut takes, mut frames) = (0, 0);
    for (name, bytes) in files {
        let (file, other) = (read(&name, &bytes), second_opinion(&bytes));
        let scene = file.scene();
        assert_eq!(scene.nodes.len() + 1, other.nodes.count, "{name}");
        let own = world(scene, &[], 0);
        let size_len = size_len(scene, &own);
        let compare = |own: &[NodeFrame], other: &ufbx::Scene, when: &str| {
            for (id, node) in scene.nodes.iter().enumerate() {
                let theirs = &other.nodes[id + 1];
                assert_eq!(node.name, theirs.element.name.to_string(), "{name}");
                let off = (own[id].place - place(&theirs.node_to_world)).norm();
                assert!(off < 1e-6 * size_len, "{name} {when}: {} is {off} m away", node.name);
            }
        };
        compare(&own, &other, "at rest");
        for (index, take) in scene.takes.iter().enumerate() {
            let tracks = file.tracks(index).expect("a take");
            let stack = &other.anim_stacks[index];
            for frame in (0..take.frames()).step_by(7) {
                let time_s = stack.time_begin + frame as f64 * take.frame_time_s;
                let moved = ufbx::evaluate_scene(&other, &stack.anim, time_s, Default::default());
                let when = format!("{} in frame {frame}", take.name);
                compare(&world(scene, &tracks, frame), &moved.expect("it evaluates"), &when);
                frames += 1;
            }
            takes += 1;
        }
    }
    assert!(takes == 23 && frames > 100, "{takes} takes, {frames} frames");
}

#[test]
fn nodes_that_are_read_without_their_takes_are_the_same() {
    let Some(files) = files() else { return };
    let (mut joints, mut takes) = (0, 0);
    for (name, bytes) in files {
        let whole = read(&name, &bytes);
        let (whole, nodes) = (whole.scene(), fbx::read_nodes(&bytes).expect("it reads"));
        assert!(nodes.nodes == whole.nodes, "{name}");
        assert_eq!(nodes.meshes, whole.meshes, "{name}");
        let names = |scene: &Scene| -> Vec<String> {
            scene.takes.iter().map(|take| take.name.clone()).collect()
        };
        assert_eq!(names(&nodes), names(whole), "{name}");
        joints += nodes.nodes.iter().filter(|node| node.is_joint).count();
        takes += nodes.takes.len();
    }
    assert!(takes == 23 && joints > 250, "{takes} takes, {joints} joints");
}

/// Files whose nodes stand otherwise than the skin says, in their order.
const BOUND: [&str; 3] = ["blender_barbarian", "pab_skeleton", "quaternius_male_casual"];

#[test]
fn the_zero_pose_is_that_of_the_skin_and_upright() {
    let Some(files) = files() else { return };
    let (mut bound, mut joints) = (Vec::new(), 0);
    for (name, bytes) in files {
        let (file, other) = (read(&name, &bytes), second_opinion(&bytes));
        let body = Body::new(file.scene()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let zero = WorldPose::of(body.skeleton(), &Pose::rest(body.skeleton()));
        let size_len = body.skeleton().reach_len();
        for cluster in &other.skin_clusters {
            let node = cluster.bone_node.as_deref().expect("a bone").element.typed_id as usize - 1;
            let joint = body.nodes().iter().position(|id| *id == node).expect("a joint");
            // Nodes that agree with the skin within a hundredth are taken as they are.
            let off = (zero.positions[joint] - place(&cluster.bind_to_world)).norm();
            assert!(
                off < 1e-4 * size_len,
                "{name}: {} is {off} m away",
                file.scene().nodes[node].name
            );
            joints += 1;
        }
        if matches!(body.base, Base::Bind { .. }) {
            bound.push(name);
        }
    }
    assert_eq!(bound, BOUND);
    assert!(joints > 250, "{joints} bones of skins");
}

#[test]
fn tracks_become_a_clip_and_tracks_again_with_every_joint_in_place() {
    let Some(files) = files() else { return };
    let mut frames = 0;
    for (name, bytes) in files {
        let file = read(&name, &bytes);
        let scene = file.scene();
        let body = Body::new(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        let size_len = body.skeleton().reach_len();
        for (index, take) in scene.takes.iter().enumerate() {
            let there = file.tracks(index).expect("a take");
            let time = FrameTime::from_seconds(take.frame_time_s).expect("a time");
            let clip = body.clip(scene, &there, take.frames(), time);
            assert_eq!(clip.len(), take.frames());
            let back = body.tracks(scene, &clip, &vec![true; body.nodes().len()]);
            for frame in 0..take.frames() {
                let (was, is) = (world(scene, &there, frame), world(scene, &back, frame));
                for &id in body.nodes() {
                    let off = (was[id].place - is[id].place).norm();
                    let joint = &scene.nodes[id].name;
                    assert!(off < 1e-6 * size_len, "{name} {}: {joint} is {off} m away", take.name);
                }
                frames += 1;
            }
        }
    }
    assert!(frames > 1000, "{frames} frames");
}

#[test]
fn takes_have_the_files_names_lengths_and_rates() {
    let Some(files) = files() else { return };
    let mut found = Vec::new();
    for (name, bytes) in files {
        for take in &read(&name, &bytes).scene().takes {
            let fps = (1.0 / take.frame_time_s).round();
            found.push(format!("{name} {} {} {fps} {}", take.name, take.frames(), take.moves));
        }
    }
    for wanted in [
        "cmu_91_48_daz 91_48|91_48 111 30 true",
        "pab_locomotions_3_takes jog 25 30 true",
        "pab_locomotions_3_takes run 21 30 true",
        "pab_locomotions_3_takes walk 41 30 true",
        "blender_barbarian Armature|idle 63 24 true",
        "maya_character Take 001 120 24 false",
        "pab_skeleton Take 001 151 30 false",
        "quaternius_male_casual HumanArmature|Man_Walk 26 24 true",
        "rocketbox_male_adult_01 Take 001 2 30 false",
    ] {
        assert!(found.iter().any(|take| take == wanted), "{wanted}: {found:#?}");
    }
    assert_eq!(found.len(), 23, "{found:#?}");
}

/// The joints of the left leg and arm by their names, thigh to foot and upper arm to forearm, and those of the right
/// are said to be their twins. The barbarian's limbs are called by where they end: a shin is a foot, and a forearm a
/// hand.
const LIMBS: [(&str, [&str; 5]); 11] = [
    (
        "blender_barbarian",
        ["jambe gauche", "pied gauche", "pied gauche.001", "bras gauche", "main gauche"],
    ),
    ("cmu_91_48_daz", ["lThigh", "lShin", "lFoot", "lShldr", "lForeArm"]),
    ("cmu_91_50_daz", ["lThigh", "lShin", "lFoot", "lShldr", "lForeArm"]),
    ("maya_character", ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"]),
    ("maya_human_ik", ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"]),
    ("pab_arnaud", ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"]),
    ("pab_locomotions_3_takes", ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"]),
    ("pab_skeleton", ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"]),
    ("pab_walk", ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm"]),
    ("quaternius_male_casual", ["UpperLeg.L", "LowerLeg.L", "Foot.L", "UpperArm.L", "LowerArm.L"]),
    (
        "rocketbox_male_adult_01",
        ["Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 L UpperArm", "Bip01 L Forearm"],
    ),
];

#[test]
fn bodies_are_recognised_in_whatever_language_and_limbs_by_their_bones() {
    let Some(files) = files() else { return };
    let mut recognised = 0;
    for (name, bytes) in files {
        let file = read(&name, &bytes);
        let body = Body::new(file.scene()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let skeleton = body.skeleton();
        let found = recognise(skeleton, &Default::default());
        let left = LIMBS.iter().find(|(of, _)| *of == name);
        let (_, left) = left.unwrap_or_else(|| panic!("{name} is new"));
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        let name_of = |role| {
            let joint = found.roles.joint(role).unwrap_or_else(|| panic!("{name}: {role}"));
            skeleton.joint(joint).name.clone()
        };
        let limbs = |side| {
            [
                Role::Thigh(side),
                Role::Shin(side),
                Role::Foot(side),
                Role::UpperArm(side),
                Role::Forearm(side),
            ]
        };
        let (is_left, is_right) = (limbs(Side::Left).map(name_of), limbs(Side::Right).map(name_of));
        for ((is_left, is_right), wanted) in is_left.iter().zip(&is_right).zip(left) {
            assert!(is_left.ends_with(wanted), "{name}: {is_left} is no {wanted}");
            let twin = match wanted.strip_prefix('l') {
                Some(rest) => format!("r{rest}"),
                None => wanted.replace("Left", "Right").replace(".L", ".R").replace(" L ", " R "),
            };
            let twin = twin.replace("gauche", "droit");
            let is_right = is_right.replace("droite", "droit");
            assert!(is_right.ends_with(&twin), "{name}: {is_right} is no {twin}");
        }
        recognised += 1;
    }
    assert_eq!(recognised, LIMBS.len());
}

#[test]
fn what_is_cut_short_or_garbled_is_read_or_refused() {
    let Some(files) = files() else { return };
    let (name, bytes) = files.into_iter().min_by_key(|(_, bytes)| bytes.len()).expect("a file");
    read(&name, &bytes);
    let mut refused = 0;
    for share in 0..200 {
        let len = bytes.len() * share / 200;
        refused += usize::from(fbx::read(&bytes[..len]).is_err());
        let mut garbled = bytes.clone();
        for step in 0..8 {
            let at = (len + step * 7919) % bytes.len();
            garbled[at] = garbled[at].wrapping_mul(31).wrapping_add(97);
        }
        let Ok(file) = fbx::read(&garbled) else { continue };
        if let Ok(meshes) = file.meshes(&|_| Err("none".to_owned())) {
            let world = world(file.scene(), &[], 0);
            meshes.surfaces.iter().for_each(|surface| drop(surface.placed(&world)));
        }
        for take in 0..file.scene().takes.len() {
            let _ = file.tracks(take);
        }
        let _ = Body::new(file.scene());
    }
    assert!(refused > 180, "{refused} of 200 pieces are refused");
    let others: [&[u8]; 3] = [
        b"HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n}\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        b"glTF",
    ];
    for other in others {
        assert_eq!(fbx::read(other).err(), Some(FbxError::NotFbx));
    }
    assert_eq!(fbx::read(b"").err(), Some(FbxError::NotFbx));
}
