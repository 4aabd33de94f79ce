//! FBX files that get an animation more: what is read of it is what was written, and all else is as it was.

use super::{files, place, read, second_opinion, size_len, world};
use retarget::internals::formats::fbx::{self, FbxError, FbxFile};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::scene::{Scene, Track};

const FRAMES: usize = 25;
const FRAME_TIME_S: f64 = 1.0 / 60.0;

/// A motion of all joints: turns about an axis of each one's own up to half a turn, and places for every fifth.
fn motion(scene: &Scene) -> Vec<Track> {
    let joints = scene.nodes.iter().enumerate().filter(|(_, node)| node.is_joint);
    let track = |(node, joint): (usize, &retarget::internals::scene::Node)| {
        let seed = node as f64;
        let axis = Vec3::new(seed.sin(), (1.7 * seed).cos(), (2.3 * seed).sin() + 0.1);
        let swing = move |frame: usize| (0.31 * frame as f64 + seed).sin();
        let turn = |frame| Quat::new(axis.normalize() * std::f64::consts::PI * swing(frame));
        let rest = joint.local;
        let rotations = (0..FRAMES).map(|frame| rest.rotation * turn(frame)).collect();
        let shift = move |frame| rest.translation * (1.0 + 0.2 * swing(frame));
        let translations = (node % 5 == 0).then(|| (0..FRAMES).map(shift).collect());
        Track { node, translations, rotations: Some(rotations), scales: None }
    };
    joints.map(track).collect()
}

fn with(name: &str, file: &FbxFile, tracks: &[Track], replace: bool) -> Vec<u8> {
    let bytes = file.with_animation("new", tracks, FRAME_TIME_S, replace);
    bytes.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A record: how deep it lies, its name, and the bytes of its properties.
type Plain = (usize, String, Vec<u8>);

/// All records of a binary file; and what stands after them, without the
/// zeros in it.
fn records(bytes: &[u8]) -> (Vec<Plain>, Vec<u8>) {
    let version = u32::from_le_bytes(bytes[23..27].try_into().expect("four bytes"));
    let size = if version >= 7500 { 8 } else { 4 };
    let number = |at: usize| {
        let mut eight = [0; 8];
        eight[..size].copy_from_slice(&bytes[at..at + size]);
        u64::from_le_bytes(eight) as usize
    };
    let (mut found, mut at, mut ends) = (Vec::new(), 27, Vec::new());
    loop {
        while ends.last() == Some(&at) {
            ends.pop();
        }
        let (end, props_len) = (number(at), number(at + 2 * size));
        let name_len = usize::from(bytes[at + 3 * size]);
        let name_at = at + 3 * size + 1;
        at = name_at + name_len;
        if end == 0 {
            match ends.last() {
                Some(end) => assert_eq!(*end, at, "a list ends within its record"),
                None => break,
            }
            continue;
        }
        assert!(
            end >= at && ends.last().is_none_or(|outer| end <= *outer),
            "a record ends outside"
        );
        let name = String::from_utf8_lossy(&bytes[name_at..at]).into_owned();
        found.push((ends.len(), name, bytes[at..at + props_len].to_vec()));
        at += props_len;
        if end > at {
            ends.push(end);
        }
    }
    (found, bytes[at..].iter().copied().filter(|byte| *byte != 0).collect())
}

#[test]
fn what_was_added_is_read_again_by_us_and_by_ufbx() {
    let Some(files) = files() else { return };
    for (name, bytes) in files {
        let file = read(&name, &bytes);
        let scene = file.scene();
        let tracks = motion(scene);
        let size_len = size_len(scene, &world(scene, &[], 0));
        let written = with(&name, &file, &tracks, false);
        let (again, other) = (read(&name, &written), second_opinion(&written));
        assert_eq!(again.scene().nodes, scene.nodes, "{name}");
        let takes = &again.scene().takes;
        assert_eq!(takes[..takes.len() - 1], scene.takes, "{name}");
        let (index, take) = (takes.len() - 1, &takes[takes.len() - 1]);
        assert_eq!((take.name.as_str(), take.moves), ("new", true), "{name}");
        assert!((take.len_s - (FRAMES - 1) as f64 * FRAME_TIME_S).abs() < 1e-6, "{name}: {take:?}");
        // Whatever frame rate the file has.
        assert_eq!(take.frames(), FRAMES, "{name}: {take:?}");
        assert!((take.frame_time_s - FRAME_TIME_S).abs() < 1e-8, "{name}: {take:?}");
        for other in 0..index {
            let (was, is) =
                (file.tracks(other).expect("a take"), again.tracks(other).expect("a take"));
            assert_eq!(was, is, "{name}: take {other}");
        }
        let stack = &other.anim_stacks[index];
        for frame in 0..FRAMES {
            let wanted = world(scene, &tracks, frame);
            let time_s = frame as f64 * FRAME_TIME_S;
            let moved = ufbx::evaluate_scene(&other, &stack.anim, time_s, Default::default());
            let moved = moved.expect("it evaluates");
            for (id, node) in scene.nodes.iter().enumerate() {
                let is = place(&moved.nodes[id + 1].node_to_world);
                let off = (is - wanted[id].place).norm();
                let name_of = &node.name;
                assert!(
                    off < 1e-5 * size_len,
                    "{name}: {name_of} in frame {frame} is {off} m away"
                );
            }
        }
    }
}

#[test]
fn every_other_record_is_as_it_was() {
    let Some(files) = files() else { return };
    for (name, bytes) in files {
        let file = read(&name, &bytes);
        let tracks = motion(file.scene());
        let ((was, last), (is, is_last)) =
            (records(&bytes), records(&with(&name, &file, &tracks, false)));
        assert_eq!(last, is_last, "{name}: what stands after the records");
        let mut is = is.into_iter();
        let (mut passed, mut counts, mut in_definitions) = (Vec::new(), 0, false);
        for record in was {
            if record.0 == 0 {
                in_definitions = record.1 == "Definitions";
            }
            if in_definitions && record.1 == "Count" {
                let found = is.by_ref().find(|it| it.0 == record.0 && it.1 == "Count");
                counts += usize::from(found.expect("a count").2 != record.2);
                continue;
            }
            loop {
                let next = is.next();
                let next = next.unwrap_or_else(|| panic!("{name}: {} is gone", record.1));
                if next == record {
                    break;
                }
                passed.push(next);
            }
        }
        passed.extend(is);
        let added = |wanted: &str| passed.iter().filter(|(_, name, _)| name == wanted).count();
        let moved = tracks.iter().filter(|track| track.translations.is_some()).count();
        // Where a node has pivots its places are written with its turns.
        let nodes = added("AnimationCurveNode");
        assert!((tracks.len() + moved..=2 * tracks.len()).contains(&nodes), "{name}: {nodes}");
        assert_eq!(added("AnimationCurve"), 3 * nodes, "{name}");
        assert_eq!([added("AnimationStack"), added("AnimationLayer")], [1, 1], "{name}");
        assert_eq!(added("C"), 1 + 2 * nodes + 3 * nodes, "{name}");
        assert!(counts > 0, "{name}");
    }
}

#[test]
fn an_animation_of_the_name_goes_only_when_asked() {
    let Some(files) = files() else { return };
    for (name, bytes) in files {
        let file = read(&name, &bytes);
        let tracks = motion(file.scene());
        let once = with(&name, &file, &tracks, false);
        let again = read(&name, &once);
        let refused = again.with_animation("new", &tracks, FRAME_TIME_S, false);
        assert_eq!(refused, Err(FbxError::NameTaken("new".to_owned())), "{name}");
        let twice = with(&name, &again, &tracks, true);
        // Numbers of objects differ, and with them nothing else.
        let names = |bytes: &[u8]| {
            let names =
                records(bytes).0.into_iter().map(|(deep, name, props)| (deep, name, props.len()));
            names.collect::<Vec<_>>()
        };
        assert_eq!(names(&twice), names(&once), "{name}");
        assert_eq!(read(&name, &twice).scene().takes, again.scene().takes, "{name}");
    }
}

/// A body of two bones as text.
const TEXT: &str = "; FBX 7.4.0 project file\n\
    FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n\
    Objects:  {\n\
    \tNodeAttribute: 11, \"NodeAttribute::\", \"LimbNode\" {\n\t\tTypeFlags: \"Skeleton\"\n\t}\n\
    \tModel: 1, \"Model::hips\", \"LimbNode\" {\n\t\tVersion: 232\n\t}\n\
    \tNodeAttribute: 12, \"NodeAttribute::\", \"LimbNode\" {\n\t\tTypeFlags: \"Skeleton\"\n\t}\n\
    \tModel: 2, \"Model::head\", \"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n\
    \t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,50,0\n\t\t}\n\t}\n}\n\
    Connections:  {\n\tC: \"OO\",1,0\n\tC: \"OO\",2,1\n\tC: \"OO\",11,1\n\tC: \"OO\",12,2\n}\n";

#[test]
fn text_is_read_and_refused_with_the_way_out_when_it_is_to_be_written() {
    let file = fbx::read(TEXT.as_bytes()).expect("it reads");
    let scene = file.scene();
    let names: Vec<&str> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["hips", "head"]);
    assert!(scene.nodes.iter().all(|node| node.is_joint));
    assert!((world(scene, &[], 0)[1].place - Vec3::new(0.0, 0.5, 0.0)).norm() < 1e-12);
    let refused = file.with_animation("new", &motion(scene), FRAME_TIME_S, false).unwrap_err();
    assert_eq!(refused, FbxError::NotBinary);
    assert!(refused.to_string().contains("export it as binary FBX 7.4"), "{refused}");
}
