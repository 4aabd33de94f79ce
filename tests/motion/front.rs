//! What editors, games and scripts use of the library: the names at its root alone.

use retarget::{
    Binding, ContactTrack, FootPlants, LoadedContacts, LoadedRig, NewAnimation, Pose, Retargeter,
    RigFile, RootMotion, Scale, Settings, SourceClip, WorldPose, convert,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)
}

fn rig(name: &str) -> LoadedRig {
    LoadedRig::load(sample(name)).expect("a sample")
}

/// An editor's state, which outlives the function that began the stream.
struct Editor {
    stream: Retargeter,
    pose: Pose,
}

#[test]
fn a_stream_fits_a_struct_and_goes_to_another_thread() {
    let (source, target) = (rig("walk.bvh"), rig("skeletons/hero.toml"));
    let settings = Settings::default();
    let binding = Binding::between(&source, &target, &settings).expect("people both");
    let clip = SourceClip::load(sample("walk.bvh")).expect("a sample").clip;
    let poses: Vec<Pose> = (0..20).map(|frame| clip.pose(frame)).collect();
    let editor = || Editor {
        stream: Retargeter::new(Arc::new(binding.clone()), &settings, 1.0 / 60.0),
        pose: Pose::rest(&target.rig.skeleton),
    };
    let run = |mut editor: Editor| {
        poses.iter().for_each(|pose| editor.stream.frame(pose, &mut editor.pose));
        editor.pose
    };
    let here = run(editor());
    let (there, editor) = (&run, editor());
    let there = std::thread::scope(|scope| scope.spawn(move || there(editor)).join());
    assert_eq!(there.expect("no panic"), here);
    assert_ne!(here, Pose::rest(&target.rig.skeleton), "nothing moved");
}

#[test]
fn a_rig_of_text_is_the_rig_of_its_file() {
    for (name, named) in [("hero.toml", Some("hero.bvh")), ("child.toml", None)] {
        let path = sample("skeletons").join(name);
        let text = std::fs::read_to_string(&path).expect("a sample");
        let mut asked = None;
        let loaded = LoadedRig::from_toml(&path, &text, |file| {
            asked = Some(file.to_owned());
            std::fs::read(file)
        });
        let (loaded, file) = (loaded.expect("a rig"), LoadedRig::load(&path).expect("a rig"));
        assert_eq!(asked, named.map(|named| sample("skeletons").join(named)), "{name}");
        assert_eq!(loaded.rig.skeleton, file.rig.skeleton, "{name}");
        assert_eq!(loaded.rig.roles, file.rig.roles, "{name}");
        assert_eq!(loaded.rig.leg_len, file.rig.leg_len, "{name}");
    }
}

#[test]
fn a_file_that_the_text_names_and_nobody_has_is_told_by_its_path() {
    let refused = LoadedRig::from_toml(Path::new("rigs/mine.toml"), "bvh = \"gone.bvh\"", |_| {
        Err(io::Error::new(io::ErrorKind::NotFound, "no such asset"))
    });
    let text = refused.expect_err("no file").to_string();
    let path = Path::new("rigs").join("gone.bvh");
    let says = format!(
        "rigs/mine.toml: {}, which it names as `bvh`, cannot be read: no such asset; put that file there, or correct \
         the line",
        path.display()
    );
    assert_eq!(text, says);
}

#[test]
fn a_binding_has_its_targets_scale_and_floor() {
    let source = rig("walk.bvh");
    let text = std::fs::read_to_string(sample("skeletons/child.toml")).expect("a sample");
    let text = text.replacen("floor = 0.0", "floor = 3.0\nscale = 0.25", 1);
    let target = LoadedRig::from_toml(Path::new("child.toml"), &text, |_| unreachable!("no file"));
    let target = target.expect("a rig");
    let binding = Binding::between(&source, &target, &Settings::default()).expect("people both");
    assert_eq!((binding.scale, binding.target_height(0.0)), (0.25, 3.0));
    let keeping = Settings { keep_floor: true, ..Settings::default() };
    let binding = Binding::between(&source, &target, &keeping).expect("people both");
    assert_eq!(binding.target_height(0.0), 0.0);
}

#[test]
fn positions_of_a_clip_are_those_of_its_frames_one_after_the_other() {
    let clip = SourceClip::load(sample("run.bvh")).expect("a sample").clip;
    let (positions, joints) = (clip.world_positions(), clip.skeleton().len());
    assert_eq!(positions.len(), clip.len() * joints);
    for (frame, positions) in positions.chunks(joints).enumerate() {
        assert_eq!(positions, WorldPose::of(clip.skeleton(), &clip.pose(frame)).positions);
    }
}

#[test]
fn contacts_come_back_from_their_text_in_both_formats() {
    let source = SourceClip::load(sample("walk.bvh")).expect("a sample");
    let target = rig("skeletons/hero.toml");
    let settings = Settings::default();
    let convert = |source: &_| -> ContactTrack {
        convert(source, RigFile::default(), &target, &settings).expect("a result").contacts
    };
    let (found, walk) = (convert(&source), rig("walk.bvh"));
    let frame_time_s = source.clip.frame_time().seconds();
    for name in ["contacts.toml", "contacts.json"] {
        let path = Path::new(name);
        let text = found.to_text(path, &walk.rig, "walk", frame_time_s);
        let mut stated = source.clone();
        stated.contacts = Some(LoadedContacts::parse(path, &text).expect("what was written"));
        assert_eq!(convert(&stated).contacts, found.contacts, "{name}");
    }
}

#[test]
fn what_a_setting_may_be_and_what_a_file_is_given_have_names_at_the_root() {
    let source = SourceClip::load(sample("walk.bvh")).expect("a sample");
    let target = rig("skeletons/hero.toml");
    let mut settings = Settings { root_motion: Some(RootMotion::Auto), ..Settings::default() };
    settings.plant.foot_plants = FootPlants::Off;
    settings.binding.scale = Scale::Factor(2.0);
    let done = convert(&source, RigFile::default(), &target, &settings).expect("a result");
    assert_eq!(done.binding.scale, 2.0);
    let (path, animation) = (Path::new("walk.glb"), NewAnimation { name: "walk", replace: false });
    let bytes = target.result_bytes(path, &done.result, animation).expect("glTF");
    assert_eq!(SourceClip::from_bytes(path, &bytes).expect("a clip").clip.len(), done.result.len());
    let bytes = target.result_bytes("walk.bvh", &done.result, animation).expect("BVH");
    assert_eq!(bytes, done.result.bvh_bytes(&settings));
}
