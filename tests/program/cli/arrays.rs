//! `.npz` and `.npy` on the command line: clips of arrays, and results as arrays.

use crate::harness::{Folder, project};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, Reading};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role, Side};
use std::io::Write;

/// An array as numpy saves one.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.into_bytes());
    bytes.extend(data);
    bytes
}

fn numbers(shape: &str, values: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy("<f8", shape, &data)
}

/// An archive of arrays, packed.
fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (key, array) in arrays {
        let name = format!("{key}.npy");
        let file = archive.new_file(&name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().expect("a name");
        let packer = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast());
        let mut writer = config.wrap(packer);
        writer.write_all(array).expect("packed");
        let (packer, descriptor) = writer.finish().expect("packed");
        packer.finish().expect("packed");
        entry.finish(descriptor).expect("written");
    }
    archive.finish().expect("written");
    bytes
}

/// The parts of the body in the order of HumanML3D.
fn humanml3d() -> Vec<Role> {
    let both = |role: fn(Side) -> Role| [role(Side::Left), role(Side::Right)];
    [
        &[Role::Hips][..],
        &both(Role::Thigh),
        &[Role::Spine(1)],
        &both(Role::Shin),
        &[Role::Spine(2)],
        &both(Role::Foot),
        &[Role::Spine(3)],
        &both(Role::Toe),
        &[Role::Neck(1)],
        &both(Role::Clavicle),
        &[Role::Head],
        &both(Role::UpperArm),
        &both(Role::Forearm),
        &both(Role::Hand),
    ]
    .concat()
}

/// Where the points of HumanML3D are in the sample walk, metres.
fn points() -> (Clip, Vec<f64>) {
    let source = convert::SourceClip::load(project().join("samples/walk.bvh")).expect("a sample");
    let rig = convert::source_rig(&source, RigFile::default()).expect("a rig").rig;
    let joints: Vec<_> =
        humanml3d().into_iter().map(|role| rig.joint(role).expect("each has a joint")).collect();
    let clip = source.clip;
    let mut all = Vec::new();
    for frame in 0..clip.len() {
        let world = WorldPose::of(clip.skeleton(), &clip.pose(frame));
        all.extend(
            joints
                .iter()
                .flat_map(|id| world.position(*id).iter().map(|x| x * 0.01).collect::<Vec<_>>()),
        );
    }
    (clip, all)
}

#[test]
fn a_result_as_arrays_is_the_result_to_the_last_bit() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.npz"]).done();
    let load = |name: &str| convert::SourceClip::load(folder.path(name)).expect("read").clip;
    let target = convert::LoadedRig::load(folder.path("hero.bvh")).expect("a rig");
    let source = convert::SourceClip::load(folder.path("walk.bvh")).expect("read");
    let done = convert::convert(&source, RigFile::default(), &target, &Default::default());
    let (result, read) = (done.expect("retargeted").result, load("out.npz"));
    assert_eq!(read.len(), result.len());
    assert_eq!(read.frame_time().text(), result.frame_time().text());
    for frame in 0..read.len() {
        assert_eq!(read.rotations(frame), result.rotations(frame), "frame {frame}");
        let [own, wanted] = [&read, &result].map(|clip| clip.pose(frame).translations);
        assert_eq!(own, wanted, "frame {frame}");
    }
    // It is a source and a target like any other, and written again it is the same.
    folder.run(&["check", "walk.bvh", "out.npz", "--to", "hero.bvh"]).done();
    assert!(folder.run(&["inspect", "out.npz"]).done().stdout.contains("18 joints, 40 frames"));
    folder.run(&["walk.bvh", "--to", "out.npz", "-o", "again.npz"]).done();
    assert_eq!(load("again.npz").skeleton(), read.skeleton());
    let bytes = std::fs::read(folder.path("out.npz")).expect("written");
    let has = |key: &str| {
        let key = format!("{key}.npy");
        bytes.windows(key.len()).any(|at| at == key.as_bytes())
    };
    for key in ["names", "rotations", "positions", "contacts", "contact_names", "fps"] {
        assert!(has(key), "{key}");
    }
    // So is a library of them.
    std::fs::create_dir(folder.path("lib")).expect("a folder");
    std::fs::copy(folder.path("out.npz"), folder.path("lib/a.npz")).expect("copied");
    folder.run(&["lib", "--to", "hero.bvh", "-o", "as_bvh"]).done();
    assert!(folder.text("as_bvh/a.bvh").starts_with("HIERARCHY"));
    folder.run(&["lib", "--to", "hero.bvh", "-o", "as_npz", "--format", "npz"]).done();
    assert_eq!(load("as_npz/a.npz").len(), read.len());
}

#[test]
fn points_of_a_layout_become_a_clip() {
    let folder = Folder::new();
    let (clip, points) = points();
    let shape = format!("({}, 22, 3)", clip.len());
    folder.put("joints.npy", numbers(&shape, &points));
    let args = ["joints.npy", "--to", "hero.bvh", "-o", "out.bvh"];
    let run = |more: &[&str]| folder.run(&[&args[..], more].concat());
    run(&["--fps", "60"]).failed(1, "say so with --layout, of which there is humanml3d");
    run(&["--layout", "humanml3d"]).failed(1, "say so with --fps");
    run(&["--layout", "coco17", "--fps", "60"])
        .failed(1, "the layout coco17 has 17 points, and a frame has 22");
    run(&["--layout", "openpose"]).failed(2, "expected one of humanml3d");
    run(&["--layout", "humanml3d", "--fps", "60"]).done();
    folder.put(
        "named.npz",
        npz(&[("positions", numbers(&shape, &points)), ("fps", numbers("()", &[60.0]))]),
    );
    let named = ["named.npz", "--to", "hero.bvh", "--layout", "humanml3d", "-o", "named.bvh"];
    folder.run(&named).done();
    assert_eq!(folder.text("named.bvh"), folder.text("out.bvh"));
    folder
        .run(&["walk.bvh", "--fps", "60", "--to", "hero.bvh"])
        .failed(1, "this is none; leave them out");
    let mut broken = points.clone();
    broken[22 * 3 * 7 + 3] = f64::NAN;
    folder.put("joints.npy", numbers(&shape, &broken));
    run(&["--layout", "humanml3d", "--fps", "60"]).failed(1, "frame 7, joint \"point 1\"");
}

/// A folder with the points of the sample walk, `joints.npy`.
fn with_points() -> Folder {
    let (folder, (clip, points)) = (Folder::new(), points());
    folder.put("joints.npy", numbers(&format!("({}, 22, 3)", clip.len()), &points));
    folder
}

const SAID: [&str; 4] = ["--layout", "humanml3d", "--fps", "60"];

#[test]
fn every_command_that_reads_clips_takes_points() {
    let folder = with_points();
    let run = |args: &[&str]| folder.run(&[args, &SAID].concat());
    run(&["joints.npy", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    assert!(run(&["inspect", "joints.npy"]).done().stdout.contains("22 joints"));
    assert!(run(&["skeleton", "joints.npy", "--lock"]).done().stdout.contains("Left_knee"));
    run(&["check", "joints.npy", "out.bvh", "--to", "hero.bvh"]).done();
    run(&["explain", "joints.npy", "--to", "hero.bvh", "--frame", "7"]).done();
    run(&["sheet", "joints.npy", "out.bvh", "--to", "hero.bvh", "-o", "sheet.svg"]).done();
    assert!(folder.text("sheet.svg").contains("joints.npy"));
    run(&["view", "joints.npy", "out.bvh", "--to", "hero.bvh", "-o", "page.html"]).done();
    assert!(folder.text("page.html").contains("joints.npy"));
    // As a target too, beside a clip that says all by itself.
    run(&["walk.bvh", "--to", "joints.npy", "-o", "onto.bvh"]).done();
    run(&["check", "walk.bvh", "onto.bvh", "--to", "joints.npy"]).done();
    // Where nothing is of arrays nothing is about them.
    for command in ["inspect", "sheet", "skeleton"] {
        run(&[command, "walk.bvh"]).failed(1, "this is none; leave them out");
    }
    run(&["view", "walk.bvh", "out.bvh", "--to", "hero.toml"]).failed(1, "leave them out");
    run(&["walk.bvh", "--to", "hero.toml"]).failed(1, "leave them out");
}

#[test]
fn a_library_of_points_and_other_clips_is_read_with_what_is_said_of_points() {
    let folder = with_points();
    std::fs::create_dir(folder.path("lib")).expect("a folder");
    for name in ["joints.npy", "walk.bvh"] {
        std::fs::copy(folder.path(name), folder.path("lib").join(name)).expect("copied");
    }
    folder.run(&[&["lib", "--to", "hero.bvh", "-o", "out"][..], &SAID].concat()).done();
    for name in ["joints.bvh", "walk.bvh"] {
        assert!(folder.text(&format!("out/{name}")).starts_with("HIERARCHY"), "{name}");
    }
}

#[test]
fn a_result_as_positions_is_where_its_joints_are() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.npy"]).done();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.npz"]).done();
    let clip = convert::SourceClip::load(folder.path("out.npz")).expect("read").clip;
    let places = (0..clip.len()).flat_map(|frame| {
        let world = WorldPose::of(clip.skeleton(), &clip.pose(frame));
        world.positions.iter().flat_map(|at| [at.x, at.y, at.z]).collect::<Vec<_>>()
    });
    let bytes = std::fs::read(folder.path("out.npy")).expect("written");
    let shape = format!("'shape': ({}, {}, 3)", clip.len(), clip.skeleton().len());
    assert!(bytes.windows(shape.len()).any(|at| at == shape.as_bytes()), "{shape}");
    let data: Vec<u8> = places.flat_map(f64::to_le_bytes).collect();
    assert!(bytes.ends_with(&data));
    // Onto a body of a layout it has that layout's order, and is read with it.
    let folder = with_points();
    let run = |args: &[&str]| folder.run(&[args, &SAID].concat());
    run(&["walk.bvh", "--to", "joints.npy", "-o", "onto.npy"]).done();
    run(&["walk.bvh", "--to", "joints.npy", "-o", "onto.bvh"]).done();
    run(&["check", "onto.bvh", "onto.npy", "--limit", "limb_direction_deg=0.5"]).done_with_notes();
    std::fs::create_dir(folder.path("lib")).expect("a folder");
    std::fs::copy(folder.path("walk.bvh"), folder.path("lib/walk.bvh")).expect("copied");
    run(&["lib", "--to", "joints.npy", "-o", "out", "--format", "npy"]).done();
    let [one, of_library] =
        ["onto.npy", "out/walk.npy"].map(|name| std::fs::read(folder.path(name)).expect("written"));
    assert_eq!(one, of_library);
}

#[test]
fn points_in_other_shapes_are_refused_with_the_line_that_turns_them() {
    let folder = Folder::new();
    for (shape, says) in [
        ("(2, 5, 22, 3)", "the first one as points[0]"),
        ("(2, 22, 3, 5)", "points[0].transpose(2, 0, 1)"),
        ("(22, 3, 5)", "points.transpose(2, 0, 1)"),
        ("(5, 3, 22)", "points.transpose(0, 2, 1)"),
        ("(3, 5, 22)", "points.transpose(1, 2, 0)"),
        ("(22, 5, 3)", "points.transpose(1, 0, 2)"),
        ("(5, 66)", "points.reshape(len(points), -1, 3)"),
        ("(22, 3)", "points[None]"),
        ("(5, 22, 4)", "points[..., :3]"),
        ("(5, 22, 2)", "points in a picture"),
        ("(5, 263)", "HumanML3D's features"),
    ] {
        let sizes = shape.trim_matches(['(', ')']).split(", ").map(|size| size.parse::<usize>());
        let count = sizes.product::<Result<usize, _>>().expect("sizes");
        folder.put("joints.npy", numbers(shape, &vec![0.0; count]));
        folder.run(&[&["inspect", "joints.npy"][..], &SAID].concat()).failed(1, says);
    }
    folder.put("results.npy", npy("|O", "()", b"\x80\x04."));
    folder.run(&["inspect", "results.npy"]).failed(1, "pickled object, which is never loaded");
    folder.put("results.pkl", b"\x80\x04}.");
    folder.run(&["inspect", "results.pkl"]).failed(1, "pickled object, which is never loaded");
    folder.put("results.pt", npz(&[("archive/data.pkl", Vec::new())]));
    folder.run(&["inspect", "results.pt"]).failed(1, "pickled object, which is never loaded");
}

#[test]
fn a_result_on_a_body_of_smpl_has_the_keys_of_amass() {
    let folder = Folder::new();
    let betas: Vec<f64> = (0..10).map(|beta| f64::from(beta) * 0.1).collect();
    let gender: Vec<u8> = "male".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let body = |joints: usize, fps: &'static str| {
        npz(&[
            ("poses", numbers(&format!("(1, {})", 3 * joints), &vec![0.0; 3 * joints])),
            ("trans", numbers("(1, 3)", &[0.0, 0.0, 0.9])),
            ("betas", numbers("(10,)", &betas)),
            ("gender", npy("<U4", "()", &gender)),
            (fps, numbers("()", &[60.0])),
        ])
    };
    for joints in [24, 52, 55] {
        folder.put("body.npz", body(joints, "fps"));
        let run = folder.run(&["walk.bvh", "--to", "body.npz", "-o", "out.npz"]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stderr.contains("body.npz: without a model's file"), "{run:?}");
        let read = |name: &str| convert::SourceClip::load(folder.path(name)).expect("read");
        let bytes = std::fs::read(folder.path("out.npz")).expect("written");
        let has = |what: &[u8]| bytes.windows(what.len()).any(|at| at == what);
        for key in ["poses", "trans", "betas", "gender", "mocap_framerate", "contacts"] {
            assert!(has(format!("{key}.npy").as_bytes()), "{key}");
        }
        assert!(!has(b"rotations.npy"));
        let shape = read("out.npz").native.shape.expect("a body of SMPL");
        assert_eq!((shape.betas, shape.gender.as_str()), (betas.clone(), "male"));
        // What was retargeted is in it.
        let source = read("walk.bvh");
        let target = convert::LoadedRig::load(folder.path("body.npz")).expect("a rig");
        let done = convert::convert(&source, RigFile::default(), &target, &Default::default());
        let (own, wanted) = (read("out.npz").clip, done.expect("retargeted").result);
        assert_eq!((own.len(), own.skeleton().len()), (wanted.len(), joints));
        for frame in 0..own.len() {
            let [own, wanted] = [&own, &wanted]
                .map(|clip| WorldPose::of(clip.skeleton(), &clip.pose(frame)).positions);
            let apart = own.iter().zip(&wanted).map(|(a, b)| (a - b).norm());
            assert!(apart.fold(0.0, f64::max) < 1e-9, "frame {frame}");
        }
    }
}

#[test]
fn poses_of_smpl_become_a_clip_and_a_note_says_what_was_taken_for_granted() {
    let folder = Folder::new();
    let frames = 90;
    let mut poses = vec![0.0; frames * 156];
    let mut trans = Vec::new();
    for frame in 0..frames {
        let swing = 0.5 * (frame as f64 * 0.12).sin();
        let row = &mut poses[frame * 156..(frame + 1) * 156];
        // A world with Z up: the pelvis lies on its back there.
        row[0] = std::f64::consts::FRAC_PI_2;
        (row[3], row[6], row[12], row[15]) = (-swing, swing, swing.abs() + 0.1, swing.abs() + 0.1);
        trans.extend([0.0, -0.012 * frame as f64, 0.95]);
    }
    let arrays = |poses: Vec<u8>| {
        npz(&[
            ("poses", poses),
            ("trans", numbers(&format!("({frames}, 3)"), &trans)),
            ("betas", numbers("(16,)", &[0.0; 16])),
            ("gender", npy("<U4", "()", &[0; 16])),
            ("mocap_framerate", numbers("()", &[60.0])),
        ])
    };
    folder.put("amass.npz", arrays(numbers(&format!("({frames}, 156)"), &poses)));
    let args = ["amass.npz", "--to", "hero.bvh", "-o", "out.bvh"];
    let run = folder.run(&args);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("name yours with --smpl-model"), "{run:?}");
    let read = convert::load_as(&folder.path("amass.npz"), &Reading::default()).expect("read");
    let rig = convert::source_rig(&read, RigFile::default()).expect("a rig");
    assert_eq!((rig.rig.up.to_string(), read.clip.skeleton().len()), ("y".to_owned(), 52));
    assert!((0.75..0.95).contains(&rig.rig.leg_len), "{}", rig.rig.leg_len);
    folder.put("amass.npz", arrays(numbers(&format!("({frames}, 100)"), &poses[..frames * 100])));
    folder.run(&args).failed(1, "a pose has 100 numbers");
    folder.put("amass.npz", arrays(npy("|O", &format!("({frames}, 156)"), &[0])));
    folder.run(&args).failed(1, "\"poses\" is a pickled object, which is never loaded");
    folder.put(
        "amass.npz",
        npz(&[("betas", numbers("(1,)", &[0.0])), ("x", numbers("(1,)", &[0.0]))]),
    );
    folder.run(&args).failed(1, "neither rotations nor poses nor positions; it has betas, x");
}

#[test]
fn a_small_archive_cannot_ask_for_all_memory() {
    let folder = Folder::new();
    let zeros = npy("<f4", "(10000000, 22, 3)", &vec![0; 256 << 20]);
    folder.put("bomb.npz", npz(&[("positions", zeros)]));
    let args = ["bomb.npz", "--to", "hero.bvh", "--layout", "humanml3d", "--fps", "20"];
    folder.run(&args).failed(1, "the most that is taken out of so small a file");
}

#[test]
fn a_body_as_good_as_without_size_far_away_is_refused() {
    let (_, places) = points();
    let far: Vec<f64> = places.iter().map(|place| 1e3 + place * 1e-8).collect();
    let folder = Folder::new();
    folder.put("far.npy", numbers(&format!("({}, 22, 3)", far.len() / 66), &far));
    let args = ["far.npy", "--to", "hero.bvh", "--layout", "humanml3d", "--fps", "20"];
    folder.run(&args).failed(1, "\"positions\": the body is farther away than");
}
