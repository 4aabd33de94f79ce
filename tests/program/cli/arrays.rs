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
    let source = convert::load_clip(&project().join("samples/walk.bvh")).expect("a sample");
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
    let load = |name: &str| convert::load_clip(&folder.path(name)).expect("read").clip;
    let target = convert::load_rig(&folder.path("hero.bvh")).expect("a rig");
    let source = convert::load_clip(&folder.path("walk.bvh")).expect("read");
    let done = convert::convert(&source, RigFile::default(), &target, &Default::default());
    let (result, read) = (done.expect("carried over").result, load("out.npz"));
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
