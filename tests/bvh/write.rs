//! What a written file looks like.

use retarget::internals::bvh::{self, WriteSettings, written_name};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Axis, EulerOrder, Vec3};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

fn joint(name: &str, parent: Option<usize>, channels: Channels) -> Joint {
    let parent = parent.map(JointId::new);
    Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::new(0.0, 1.0, -0.0),
        channels,
        end_sites: vec![],
    }
}

fn full() -> Channels {
    Channels::positions_and_rotations([Axis::Z, Axis::X, Axis::Y]).unwrap()
}

fn clip(joints: Vec<Joint>, frame_time: &str) -> Clip {
    Clip::new(Skeleton::new(joints).unwrap(), FrameTime::parse(frame_time).unwrap())
}

fn written(clip: &Clip, decimals: u8) -> String {
    let mut text = Vec::new();
    bvh::write(clip, &WriteSettings { decimals }, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The motion rows of a written clip.
fn rows(text: &str) -> Vec<&str> {
    text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).collect()
}

#[test]
fn a_file_has_everything_that_readers_ask_for() {
    let mut hips = joint("the hips", None, full());
    hips.end_sites = vec![Vec3::new(0.1, 0.2, 1e-7)];
    let leg = joint("leg:left", Some(0), Channels::none());
    let mut clip = clip(vec![hips, leg, joint("prop", None, Channels::none())], ".0083333");
    let order = EulerOrder::new(&[Axis::Z, Axis::X, Axis::Y]).unwrap();
    let q = order.compose([10f64.to_radians(), -0.3e-9, 30f64.to_radians()]);
    clip.push(&[q, Default::default(), Default::default()], &[Vec3::new(1.0, -2.5, 1234567.0)]);
    let truth = "\
HIERARCHY
ROOT the hips
{
\tOFFSET 0 1 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tEnd Site
\t{
\t\tOFFSET 0.1 0.2 0.0000001
\t}
\tJOINT leg:left
\t{
\t\tOFFSET 0 1 0
\t\tCHANNELS 0
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 0 0
\t\t}
\t}
}
ROOT prop
{
\tOFFSET 0 1 0
\tCHANNELS 0
\tEnd Site
\t{
\t\tOFFSET 0 0 0
\t}
}
MOTION
Frames: 1
Frame Time: .0083333
1.000000 -2.500000 1234567.000000 10.000000 0.000000 30.000000
";
    assert_eq!(written(&clip, 6), truth);
}

#[test]
fn decimals_are_an_option() {
    let mut clip = clip(vec![joint("a", None, full())], "0.1");
    clip.push(&[Default::default()], &[Vec3::new(1.0 / 3.0, 2.5, -1e-30)]);
    assert_eq!(rows(&written(&clip, 0)), ["0 2 0 0 0 0"]);
    assert_eq!(rows(&written(&clip, 2)), ["0.33 2.50 0.00 0.00 0.00 0.00"]);
    let nine = "0.333333333 2.500000000 0.000000000 0.000000000 0.000000000 0.000000000";
    assert_eq!(rows(&written(&clip, 9)), [nine]);
}

#[test]
fn angles_run_on_beyond_half_a_turn() {
    let mut clip = clip(
        vec![joint("a", None, Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap())],
        "0.1",
    );
    let order = EulerOrder::new(&[Axis::Z, Axis::X, Axis::Y]).unwrap();
    for step in 0..40 {
        clip.push(&[order.compose([f64::from(step) * 0.25, 0.0, 0.0])], &[]);
    }
    let text = written(&clip, 3);
    for (step, row) in rows(&text).into_iter().enumerate() {
        assert_eq!(row, format!("{:.3} 0.000 0.000", (step as f64 * 0.25).to_degrees()));
    }
}

#[test]
fn the_first_angles_are_the_nearest_to_zero_and_half_a_turn_is_positive() {
    for (degrees, truth) in
        [(190.0, "-170.000"), (-350.0, "10.000"), (180.0, "180.000"), (-180.0, "180.000")]
    {
        let channels = Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap();
        let mut clip = clip(vec![joint("a", None, channels)], "0.1");
        let order = EulerOrder::new(&[Axis::Z, Axis::X, Axis::Y]).unwrap();
        clip.push(&[order.compose([f64::to_radians(degrees), 0.0, 0.0])], &[]);
        assert_eq!(rows(&written(&clip, 3)), [format!("{truth} 0.000 0.000")], "{degrees}");
    }
}

#[test]
fn names_that_would_end_early_are_changed_and_all_others_kept() {
    for name in ["", "a b", "mixamorig:Hips", "Bein_schräg", "左足", "CHANNELS", "a\tb", "\u{85}"]
    {
        assert_eq!(written_name(name), name);
    }
    assert_eq!(written_name("a\nb\r{c}\0"), "a_b__c__");
    assert_eq!(written_name(" \ta "), "a");
    for name in ["", "a b", "a:b", "左足", "{", "a {", "a\n}\nb", " a ", "End Site", "\u{a0}a", "}"]
    {
        let joints =
            vec![joint(name, None, Channels::none()), joint(name, Some(0), Channels::none())];
        let text = written(&clip(joints, "1"), 6);
        let file = bvh::read(text.as_bytes()).unwrap_or_else(|error| panic!("{name:?}: {error}"));
        assert_eq!(file.repaired, []);
        assert_eq!(file.clip.skeleton().len(), 2);
        for id in file.clip.skeleton().ids() {
            assert_eq!(file.clip.skeleton().name(id), written_name(name));
        }
    }
}

#[test]
fn a_clip_without_frames_is_a_whole_file() {
    let clip = clip(vec![joint("a", None, full())], "0.1");
    let text = written(&clip, 6);
    assert!(text.ends_with("MOTION\nFrames: 0\nFrame Time: 0.1\n"), "{text}");
    assert_eq!(bvh::read(text.as_bytes()).unwrap().clip.len(), 0);
}

#[test]
fn a_clip_of_many_blocks_is_written_whole() {
    let mut clip = clip(vec![joint("a", None, full())], "0.1");
    for frame in 0..10_000 {
        clip.push(&[Default::default()], &[Vec3::new(frame as f64, 0.0, 0.0)]);
    }
    let read = bvh::read(written(&clip, 6).as_bytes()).unwrap();
    assert_eq!(read.repaired, []);
    assert_eq!(read.clip.len(), 10_000);
    assert!((0..10_000).all(|frame| read.clip.translations(frame)[0].x == frame as f64));
}

#[test]
fn an_error_of_the_output_is_passed_on() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let clip = clip(vec![joint("a", None, full())], "0.1");
    let error = bvh::write(&clip, &WriteSettings::default(), &mut Full).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}
