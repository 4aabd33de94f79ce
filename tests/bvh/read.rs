//! What a BVH file may look like.

use crate::texts::{SOUND, check_refused, check_repaired, check_sound, names, one_joint, read};
use retarget::internals::bvh::{self, BvhErrorKind, BvhFile, Found, RepairKind};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::skeleton::{Channel, JointId};

fn rotation(axes: &[(Axis, f64)]) -> Quat {
    axes.iter().fold(Quat::identity(), |q, (axis, degrees)| {
        q * Quat::from_axis_angle(&axis.unit(), degrees.to_radians())
    })
}

#[test]
fn a_sound_file_gives_its_skeleton_frame_time_and_poses() {
    let BvhFile { clip, repaired } = read(SOUND);
    assert_eq!(repaired, []);
    let [hips, leg] = clip.skeleton().joints() else { panic!("two joints") };
    assert_eq!((hips.name.as_str(), hips.parent), ("Hips", None));
    assert_eq!((leg.name.as_str(), leg.parent), ("Leg", Some(JointId::new(0))));
    assert_eq!(leg.offset, Vec3::new(1.0, -40.0, 2.5));
    assert_eq!((hips.end_sites.len(), leg.end_sites.len()), (0, 1));
    assert_eq!(leg.end_sites[0], Vec3::new(0.0, -45.0, 0.0));
    assert_eq!(clip.frame_time().text(), "0.0083333");
    assert_eq!(clip.len(), 2);
    assert_eq!(clip.translations(1), [Vec3::new(4.0, 5.0, 6.0)]);
    use Axis::{X, Y, Z};
    let truth = [
        rotation(&[(Z, 10.0), (X, 20.0), (Y, 30.0)]),
        rotation(&[(Z, 40.0), (X, 50.0), (Y, 60.0)]),
    ];
    for (found, truth) in clip.rotations(0).iter().zip(truth) {
        assert!(found.angle_to(&truth) < 1e-12);
    }
}

#[test]
fn lines_may_end_in_any_way() {
    check_sound(SOUND.replace('\n', "\r\n"));
    check_sound(SOUND.replace('\n', "\r"));
    check_sound(SOUND.replace('\n', " \t\r\n\n"));
    check_sound(SOUND.trim_end());
}

#[test]
fn blanks_may_be_tabs_and_any_number_of_spaces() {
    check_sound(SOUND.replace(' ', "\t"));
    check_sound(SOUND.replace(' ', "  \t ").replace("\tHips", "Hips"));
    check_sound(SOUND.replace('\t', ""));
}

#[test]
fn a_byte_order_mark_is_skipped() {
    check_sound([b"\xEF\xBB\xBF", SOUND.as_bytes()].concat());
}

#[test]
fn keywords_and_channels_may_be_in_any_case() {
    let names_kept = |text: String| text.replace("hips", "Hips").replace("leg", "Leg");
    check_sound(names_kept(SOUND.to_lowercase()));
    let names_kept = |text: String| text.replace("HIPS", "Hips").replace("LEG", "Leg");
    check_sound(names_kept(SOUND.to_uppercase()));
    check_sound(SOUND.replace("End Site", "End site"));
}

#[test]
fn braces_may_stand_anywhere() {
    check_sound(SOUND.replace("Hips\n{", "Hips {").replace("Leg\n\t{", "Leg{"));
    check_sound(SOUND.replace("End Site\n\t\t{", "End Site{"));
    check_sound(SOUND.replace("-45 0\n\t\t}\n\t}\n}", "-45 0}}}"));
    let (hierarchy, motion) = SOUND.split_once("MOTION").unwrap();
    check_sound(format!("{}\nMOTION{motion}", hierarchy.replace('\n', " ")));
}

#[test]
fn names_may_hold_anything_or_nothing() {
    let named = |name: &str| names(&SOUND.replace("JOINT Leg", &format!("JOINT{name}")))[1].clone();
    assert_eq!(named(" Left Up Leg"), "Left Up Leg");
    assert_eq!(named("\tmixamorig:LeftUpLeg  "), "mixamorig:LeftUpLeg");
    assert_eq!(named(" Bein_schräg 左足"), "Bein_schräg 左足");
    assert_eq!(named(" CHANNELS"), "CHANNELS");
    assert_eq!(named(" a{b}c"), "a{b}c");
    assert_eq!(named(""), "");
    assert_eq!(names(&SOUND.replace("Leg\n\t{", "{")), ["Hips", ""]);
}

#[test]
fn names_that_are_not_utf8_are_read_as_latin_1() {
    let latin = |name: &[u8]| {
        let mut bytes = Vec::new();
        let (before, after) = SOUND.split_once("Leg").unwrap();
        bytes.extend_from_slice(before.as_bytes());
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(after.as_bytes());
        bytes
    };
    let kind = RepairKind::NameNotUtf8 { name: "Fuß".to_owned() };
    let sentence = "line 6: the name \"Fuß\" was not UTF-8 and was read as Latin-1";
    let file = check_repaired(latin(b"Fu\xDF"), 6, kind, sentence);
    assert_eq!(file.clip.skeleton().name(JointId::new(1)), "Fuß");
    // ボ in Shift-JIS, whose second byte is that of an opening brace.
    let file = read(latin(b"\x83\x7B\x81\x5B\x83\x93"));
    assert_eq!(file.clip.skeleton().len(), 2);
    assert_eq!(read(latin(b"\x83\x8A\x83\x7B")).clip.skeleton().len(), 2);
}

#[test]
fn a_joint_may_have_any_number_of_end_sites() {
    let end = "End Site\n{\nOFFSET 0 -45 0\n}\n";
    let ends = |text: String| {
        let joints = read(text).clip.skeleton().joints().to_vec();
        joints.iter().map(|joint| joint.end_sites.len()).collect::<Vec<_>>()
    };
    let (before, after) = SOUND.split_once("\t\tEnd Site").unwrap();
    let (_, after) = after.split_once("}\n").unwrap();
    let (none, two) = (format!("{before}{after}"), format!("{before}{end}{end}{after}"));
    assert_eq!(ends(none), [0, 0]);
    assert_eq!(ends(two), [0, 2]);
    assert_eq!(ends(SOUND.replace("\tJOINT", &format!("{end}\tJOINT"))), [1, 1]);
    assert_eq!(ends(SOUND.replace("\t}\n}\n", &format!("\t}}\n{end}}}\n"))), [1, 1]);
    assert_eq!(ends(SOUND.replace("End Site", "End Site of the leg")), [0, 1]);
}

#[test]
fn a_joint_may_have_no_channels() {
    for channels in ["CHANNELS 0", ""] {
        let text = SOUND
            .replace("CHANNELS 3 Zrotation Xrotation Yrotation", channels)
            .replace(" 40 50 60", "")
            .replace(" -40 -50 -60", "");
        let file = read(text);
        assert_eq!(file.repaired, []);
        assert_eq!(file.clip.skeleton().channel_count(), 6);
        assert_eq!(file.clip.rotations(1)[1], Quat::identity());
    }
}

#[test]
fn any_joint_may_have_any_channels_in_any_order() {
    let channels = "CHANNELS 5 Yrotation Zposition Xrotation Xposition Zrotation";
    let file = read(one_joint(channels, 1, "10 3 20 1 30\n"));
    use Axis::{X, Y, Z};
    let truth = rotation(&[(Y, 10.0), (X, 20.0), (Z, 30.0)]);
    assert!(file.clip.rotations(0)[0].angle_to(&truth) < 1e-12);
    assert_eq!(file.clip.translations(0), [Vec3::new(1.0, 8.0, 3.0)], "Y keeps the OFFSET's");

    let one = read(one_joint("CHANNELS 1 Xrotation", 1, "90\n")).clip;
    assert!(one.rotations(0)[0].angle_to(&rotation(&[(X, 90.0)])) < 1e-12);
    assert_eq!(one.moving(), []);

    let child = SOUND
        .replace("CHANNELS 3 Z", "CHANNELS 4 Yposition Z")
        .replace(" 40", " -41 40")
        .replace(" -40 -50", " -42 -40 -50");
    let clip = read(child).clip;
    assert_eq!(clip.moving(), [JointId::new(0), JointId::new(1)]);
    assert_eq!(clip.translations(1)[1], Vec3::new(1.0, -42.0, 2.5));
}

#[test]
fn there_may_be_several_roots_and_the_first_may_be_a_joint() {
    let second = "ROOT Prop\n{\nOFFSET 5 0 0\nCHANNELS 1 Xposition\n}\nMOTION";
    let file = read(
        SOUND.replace("MOTION", second).replace(" 60\n", " 60 7\n").replace(" -60\n", " -60 8\n"),
    );
    let parents: Vec<_> = file.clip.skeleton().joints().iter().map(|j| j.parent).collect();
    assert_eq!(parents, [None, Some(JointId::new(0)), None]);
    assert_eq!(file.clip.translations(1)[1], Vec3::new(8.0, 0.0, 0.0));
    check_sound(SOUND.replace("ROOT", "JOINT"));
}

#[test]
fn the_motion_header_may_be_written_in_many_ways() {
    for frames in ["Frames:2", "FRAMES:\t2", "Frames : 2", "frames 2", "Frames: +2"] {
        check_sound(SOUND.replace("Frames: 2", frames));
    }
    for time in ["Frames Time: ", "Frame Time:", "FRAME TIME:\t", "FrameTime: ", "Frame time : "] {
        check_sound(SOUND.replace("Frame Time: ", time));
    }
    check_sound(
        SOUND.replace("Frames: 2\nFrame Time: 0.0083333", "Frame Time: 0.0083333\nFrames: 2"),
    );
    for text in [".0083333", "8.3333e-3", "0.04170837504170001", "1"] {
        let file = read(SOUND.replace("0.0083333", text));
        assert_eq!(file.clip.frame_time().text(), text);
    }
}

#[test]
fn numbers_may_be_written_in_many_ways() {
    let row = "+3 .5 5. -0 1e2 -2.5E-1 007 1.5e+1 123456789012345678901234567890e-20";
    let file = read(SOUND.replace("1 2 3 10 20 30 40 50 60", row));
    assert_eq!(file.repaired, []);
    assert_eq!(file.clip.translations(0), [Vec3::new(3.0, 0.5, 5.0)]);
    use Axis::{X, Y, Z};
    let hips = rotation(&[(Z, -0.0), (X, 100.0), (Y, -0.25)]);
    let leg = rotation(&[(Z, 7.0), (X, 15.0), (Y, 1234567890.1234567)]);
    for (found, truth) in file.clip.rotations(0).iter().zip([hips, leg]) {
        assert!(found.angle_to(&truth) < 1e-6, "{found} {truth}");
    }
}

#[test]
fn blank_rows_are_nothing() {
    let rows = "\n\n1 2 3 10 20 30 40 50 60\n \t\n4 5 6 -10 -20 -30 -40 -50 -60\n\n\n";
    check_sound(format!("{}{rows}", SOUND.split_at(SOUND.find("1 2 3").unwrap()).0));
}

#[test]
fn a_row_may_be_broken_over_lines() {
    let kind = RepairKind::BrokenRows { rows: 1 };
    let sentence = "line 19: rows broken over several lines were joined: 1, the first one here";
    let file = check_repaired(SOUND.replace("10 20 30 40", "10\n20 30\n\n40"), 19, kind, sentence);
    assert_eq!(file.clip, read(SOUND).clip);
    let file = read(
        SOUND
            .replace(' ', "\n")
            .replace("CHANNELS\n", "CHANNELS ")
            .replace("ROOT\n", "ROOT ")
            .replace("JOINT\n", "JOINT ")
            .replace("End\nSite", "End Site")
            .replace("Frame\nTime", "Frame Time"),
    );
    assert_eq!(file.repaired[0].kind, RepairKind::BrokenRows { rows: 2 });
    assert_eq!(file.clip, read(SOUND).clip);
}

#[test]
fn more_or_fewer_rows_than_announced_are_read_and_said() {
    for declared in [0, 1, 3, 992, u64::MAX] {
        let kind = RepairKind::FrameCount { declared, found: 2 };
        let sentence =
            format!("line 17: {declared} frames were announced; 2 are there and were read");
        let text = SOUND.replace("Frames: 2", &format!("Frames: {declared}"));
        let file = check_repaired(text, 17, kind, &sentence);
        assert_eq!(file.clip, read(SOUND).clip);
    }
    let file = read(SOUND.replace("Frames: 2", "Frames: 99999999999999999999999999"));
    assert_eq!(file.repaired[0].kind, RepairKind::FrameCount { declared: u64::MAX, found: 2 });
    let kind = RepairKind::NoFrameCount { found: 2 };
    let sentence = "line 16: the number of frames is not given; 2 were read";
    check_repaired(SOUND.replace("Frames: 2\n", ""), 16, kind, sentence);
}

#[test]
fn a_last_row_cut_short_is_dropped_and_said() {
    let file = read(SOUND.replace(" -40 -50 -60\n", ""));
    let kinds: Vec<_> = file.repaired.iter().map(|repair| repair.kind.clone()).collect();
    let cut = RepairKind::CutRow { found: 6, channels: 9 };
    assert_eq!(kinds, [RepairKind::FrameCount { declared: 2, found: 1 }, cut]);
    assert_eq!(
        file.repaired[1].to_string(),
        "line 20: the last row is cut short, 6 of 9 numbers; it was dropped"
    );
    assert_eq!(file.clip.len(), 1);
    assert_eq!(file.clip.rotations(0), read(SOUND).clip.rotations(0));
    // The cut can go through a number.
    for (end, found) in [(" -", 5), (" -40 -5.", 7), (" -40 1e", 6), (" -40 1e-", 6)] {
        let text = SOUND.replace(" -40 -50 -60\n", "").replace(" -30", "") + end;
        let file = read(text);
        assert_eq!(file.clip.len(), 1);
        assert_eq!(file.repaired[1].kind, RepairKind::CutRow { found, channels: 9 }, "{end}");
    }
}

#[test]
fn a_file_may_have_no_frames() {
    let (text, _) = SOUND.split_once("1 2 3").unwrap();
    let file = read(text.replace("Frames: 2", "Frames: 0"));
    assert_eq!((file.clip.len(), file.repaired), (0, vec![]));
    // Without any channel a row holds nothing, so that none can be there.
    let file = read(one_joint("CHANNELS 0", 10, "\n\n\n"));
    assert_eq!(file.clip.len(), 0);
    assert_eq!(file.repaired[0].kind, RepairKind::FrameCount { declared: 10, found: 0 });
}

#[test]
fn a_missing_offset_is_zero_and_said() {
    let kind = RepairKind::NoOffset { joint: "Leg".to_owned() };
    let sentence = "line 6: joint \"Leg\" has no OFFSET; zero was taken";
    check_repaired(SOUND.replace("\t\tOFFSET 1 -40 2.5\n", ""), 6, kind, sentence);
    let kind = RepairKind::NoEndOffset { joint: "Leg".to_owned() };
    let sentence = "line 10: an End Site of joint \"Leg\" has no OFFSET; zero was taken";
    check_repaired(SOUND.replace("\t\t\tOFFSET 0 -45 0\n", ""), 10, kind, sentence);
}

#[test]
fn a_hierarchy_can_be_read_alone() {
    let (hierarchy, _) = SOUND.split_once("MOTION").unwrap();
    let alone = bvh::read_hierarchy(hierarchy.as_bytes()).unwrap();
    assert_eq!((&alone.skeleton, &*alone.repaired), (read(SOUND).clip.skeleton(), &[][..]));
    let whole = bvh::read_hierarchy(SOUND.as_bytes()).unwrap();
    assert_eq!(whole.skeleton, alone.skeleton);
    let found = Found::EndOfFile;
    let sentence = "line 16, column 1: the file has a hierarchy but no motion; expected MOTION, found the end of the file";
    check_refused(hierarchy, BvhErrorKind::NoMotion { found }, sentence);
}

#[test]
fn deep_and_broad_hierarchies_are_read_and_written() {
    let deep = format!("HIERARCHY {} {}", "JOINT a { ".repeat(10_000), "}".repeat(10_000));
    let file = bvh::read_hierarchy(deep.as_bytes()).unwrap();
    assert_eq!(file.skeleton.len(), 10_000);
    assert_eq!(file.repaired.len(), 10_000);
    let broad = format!("HIERARCHY {}", "ROOT a { OFFSET 0 0 0 } ".repeat(10_000));
    let moved = format!("{broad}MOTION\nFrame Time: 1\nFrames: 0\n");
    let clip = read(moved).clip;
    assert_eq!(clip.skeleton().len(), 10_000);
    let mut text = Vec::new();
    bvh::write(&clip, &bvh::WriteSettings::default(), &mut text).unwrap();
    assert_eq!(read(text).clip.skeleton().len(), 10_000);
    let more = format!("HIERARCHY\n{}ROOT b {{ }}", "ROOT a { }\n".repeat(10_000));
    let error = bvh::read_hierarchy(more.as_bytes()).unwrap_err();
    let sentence = "line 10002, column 6: the skeleton has more than 10000 joints";
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn position_channels_are_told_from_rotation_channels() {
    let file = read(SOUND);
    let channels = file.clip.skeleton().joint(JointId::new(0)).channels;
    let kinds = [Axis::X, Axis::Y, Axis::Z].map(Channel::Position);
    assert_eq!(channels.as_slice()[..3], kinds);
}
