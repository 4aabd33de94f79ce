//! What a BVH file may look like, and what is refused with which words.

use retarget::internals::bvh::{self, BvhErrorKind, BvhFile, Expected, Found, RepairKind};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::skeleton::{Channel, JointId};

const SOUND: &str = "\
HIERARCHY
ROOT Hips
{
\tOFFSET 0 90 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Leg
\t{
\t\tOFFSET 1 -40 2.5
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -45 0
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.0083333
1 2 3 10 20 30 40 50 60
4 5 6 -10 -20 -30 -40 -50 -60
";

#[track_caller]
fn read(text: impl AsRef<[u8]>) -> BvhFile {
    bvh::read(text.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

/// The same clip as [`SOUND`], with nothing repaired.
#[track_caller]
fn check_sound(text: impl AsRef<[u8]>) {
    let file = read(text);
    assert_eq!(file.repaired, []);
    assert_eq!(file.clip, read(SOUND).clip);
}

#[track_caller]
fn check_repaired(
    text: impl AsRef<[u8]>,
    line: usize,
    kind: RepairKind,
    sentence: &str,
) -> BvhFile {
    let file = read(text);
    assert_eq!(file.repaired.len(), 1, "{:?}", file.repaired);
    assert_eq!((file.repaired[0].line, &file.repaired[0].kind), (line, &kind));
    assert_eq!(file.repaired[0].to_string(), sentence);
    file
}

#[track_caller]
fn check_refused(text: impl AsRef<[u8]>, kind: BvhErrorKind, sentence: &str) {
    let error = bvh::read(text.as_ref()).expect_err("refused");
    assert_eq!(error.kind, kind, "{error}");
    assert_eq!(error.to_string(), sentence);
}

fn expected(expected: Expected, found: &str) -> BvhErrorKind {
    BvhErrorKind::Expected { expected, found: word(found) }
}

fn word(found: &str) -> Found {
    Found::Word(found.to_owned())
}

/// A file of one root with the given channels and motion lines.
fn one_joint(channels: &str, frames: usize, rows: &str) -> String {
    format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 7 8 9\n{channels}\n}}\nMOTION\nFrames: {frames}\nFrame Time: 0.1\n{rows}"
    )
}

/// A hierarchy with the given text, without motion.
fn names(text: &str) -> Vec<String> {
    let file = bvh::read_hierarchy(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    file.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
}

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
fn numbers_that_are_not_finite_are_refused() {
    for text in ["nan", "NaN", "-nan(ind)", "inf", "-Infinity", "1.#IND", "-1.#QNAN", "1e999"] {
        let sentence = format!("line 19, column 7: {text:?} is not a finite number");
        let kind = BvhErrorKind::NotFinite { found: word(text) };
        check_refused(SOUND.replace("10 20", &format!("{text} 20")), kind, &sentence);
        let kind = BvhErrorKind::NotFinite { found: word(text) };
        let sentence = format!("line 8, column 10: {text:?} is not a finite number");
        check_refused(SOUND.replace("OFFSET 1", &format!("OFFSET {text}")), kind, &sentence);
    }
}

#[test]
fn a_row_with_too_many_numbers_is_refused() {
    let too_long =
        |row, found, first_line| BvhErrorKind::RowTooLong { row, channels: 9, found, first_line };
    check_refused(
        SOUND.replace("50 60\n", "50 60 70 80\n"),
        too_long(1, 11, 19),
        "line 19, column 25: row 1 has 11 numbers where the joints have 9 channels; it begins on line 19",
    );
    // A number lost in one row pulls the next one over.
    check_refused(
        SOUND.replace("10 20 30", "10 20"),
        too_long(1, 17, 19),
        "line 20, column 3: row 1 has 17 numbers where the joints have 9 channels; it begins on line 19",
    );
    let kind = BvhErrorKind::RowTooLong { row: 1, channels: 0, found: 1, first_line: 10 };
    let sentence = "line 10, column 1: row 1 has 1 numbers where the joints have 0 channels; it begins on line 10";
    check_refused(one_joint("CHANNELS 0", 1, "1\n"), kind, sentence);
}

#[test]
fn text_among_the_numbers_is_refused() {
    for (text, column) in
        [("abc", 7), ("1.2.3", 7), ("-", 7), ("e5", 7), ("1e", 7), ("0x10", 7), (".", 7)]
    {
        let sentence = format!("line 19, column {column}: expected a number, found {text:?}");
        let row = SOUND.replace("10 20", &format!("{text} 20"));
        check_refused(row, expected(Expected::Number, text), &sentence);
    }
    let long = "x".repeat(100);
    let error = bvh::read(SOUND.replace("10 20", &long).as_bytes()).unwrap_err();
    let shown = format!("{}…", "x".repeat(40));
    assert_eq!(error.kind, expected(Expected::Number, &shown));
}

#[test]
fn a_file_without_hierarchy_joint_or_motion_is_refused() {
    let nothing = BvhErrorKind::Expected { expected: Expected::Hierarchy, found: Found::EndOfFile };
    let sentence = "line 1, column 1: expected HIERARCHY, the first word of every BVH file, found the end of the file";
    check_refused("", nothing, sentence);
    check_refused(
        "Kaydara FBX Binary",
        expected(Expected::Hierarchy, "Kaydara"),
        "line 1, column 1: expected HIERARCHY, the first word of every BVH file, found \"Kaydara\"",
    );
    let sentence = "line 2, column 1: the hierarchy has no joint; expected ROOT and a name";
    check_refused("HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 1\n", BvhErrorKind::NoJoint, sentence);
    check_refused(
        SOUND.replace("MOTION", "MOVEMENT"),
        expected(Expected::Root, "MOVEMENT"),
        "line 16, column 1: expected ROOT or MOTION, found \"MOVEMENT\"",
    );
}

#[test]
fn utf16_is_refused() {
    let sentence = "line 1, column 1: the text is UTF-16; save the file as UTF-8";
    let little: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = SOUND.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [&[0xFF, 0xFE][..], &[0xFE, 0xFF], &little, &big] {
        check_refused(bytes, BvhErrorKind::Utf16, sentence);
    }
}

#[test]
fn unbalanced_braces_are_refused() {
    let found = word("MOTION");
    check_refused(
        SOUND.replace("\t}\n}\n", "\t}\n"),
        BvhErrorKind::Unclosed { joint: "Hips".to_owned(), open: 1, found },
        "line 15, column 1: joint \"Hips\" is not closed; 1 \"}\" missing before \"MOTION\"",
    );
    check_refused(
        &SOUND[..SOUND.find("\t\tEnd").unwrap()],
        BvhErrorKind::Unclosed { joint: "Leg".to_owned(), open: 2, found: Found::EndOfFile },
        "line 10, column 1: joint \"Leg\" is not closed; 2 \"}\" missing before the end of the file",
    );
    check_refused(
        SOUND.replace("\t}\n}\n", "\t}\n}\n}\n"),
        BvhErrorKind::NothingToClose,
        "line 16, column 1: this \"}\" closes nothing; every joint above is closed already",
    );
    check_refused(
        SOUND.replace("\tJOINT", "}\tJOINT"),
        BvhErrorKind::JointOutside { joint: "Leg".to_owned() },
        "line 6, column 3: joint \"Leg\" stands outside of every other; one \"}\" above is too many, or it is a ROOT",
    );
    check_refused(
        SOUND.replace("Leg\n\t{\n", "Leg\n"),
        expected(Expected::OpeningBrace, "OFFSET"),
        "line 7, column 3: expected \"{\", found \"OFFSET\"",
    );
}

#[test]
fn wrong_channels_are_refused() {
    check_refused(
        SOUND.replace("3 Zrotation", "3 Wrotation"),
        BvhErrorKind::UnknownChannel { name: word("Wrotation") },
        "line 9, column 14: unknown channel \"Wrotation\"; the channels are Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation",
    );
    check_refused(
        SOUND.replace("3 Zrotation Xrotation", "3 Zrotation zrotation"),
        BvhErrorKind::RepeatedChannel { name: word("zrotation"), joint: "Leg".to_owned() },
        "line 9, column 24: channel \"zrotation\" stands twice in joint \"Leg\"",
    );
    let count =
        |declared, listed| BvhErrorKind::ChannelCount { declared, listed, joint: "Leg".to_owned() };
    check_refused(
        SOUND.replace("CHANNELS 3", "CHANNELS 6"),
        count(6, 3),
        "line 9, column 12: CHANNELS of joint \"Leg\" announces 6 but lists 3",
    );
    check_refused(
        SOUND.replace("CHANNELS 3", "CHANNELS 2"),
        count(2, 3),
        "line 9, column 12: CHANNELS of joint \"Leg\" announces 2 but lists 3",
    );
    check_refused(
        SOUND.replace("CHANNELS 3", "CHANNELS"),
        expected(Expected::ChannelCount, "Zrotation"),
        "line 9, column 12: expected a whole number of channels, found \"Zrotation\"",
    );
}

#[test]
fn what_stands_twice_or_too_late_is_refused() {
    check_refused(
        SOUND.replace("\t\tEnd", "\t\tOFFSET 1 2 3\n\t\tEnd"),
        BvhErrorKind::Repeated { word: "OFFSET", joint: "Leg".to_owned() },
        "line 10, column 3: OFFSET stands twice in joint \"Leg\"",
    );
    check_refused(
        SOUND.replace("\t\tEnd", "\t\tCHANNELS 0\n\t\tEnd"),
        BvhErrorKind::Repeated { word: "CHANNELS", joint: "Leg".to_owned() },
        "line 10, column 3: CHANNELS stands twice in joint \"Leg\"",
    );
    let channels = "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    let late = SOUND.replace(channels, "").replace("\t}\n}\n", &format!("\t}}\n{channels}}}\n"));
    check_refused(
        late,
        BvhErrorKind::LateChannels { joint: "Hips".to_owned() },
        "line 14, column 2: the CHANNELS of joint \"Hips\" stand after its children; they must stand before",
    );
    check_refused(
        SOUND.replace("Frame Time: 0.0083333", "Frames: 3"),
        BvhErrorKind::RepeatedHeader { word: "Frames" },
        "line 18, column 1: Frames stands twice",
    );
}

#[test]
fn a_wrong_motion_header_is_refused() {
    for time in ["0", "-0.01", "0.0", "-0", "1e-400", "9e-6", "1e-320", "1001", "1e308"] {
        let sentence = format!(
            "line 18, column 13: expected a frame time in seconds, from 0.00001 to 1000, found {time:?}"
        );
        let kind = BvhErrorKind::FrameTime { found: word(time) };
        check_refused(SOUND.replace("0.0083333", time), kind, &sentence);
    }
    check_refused(
        SOUND.replace("Frame Time: 0.0083333\n", ""),
        BvhErrorKind::NoFrameTime,
        "line 18, column 1: the frame time is missing; expected a line such as \"Frame Time: 0.033333\"",
    );
    check_refused(
        SOUND.replace("0.0083333", "fast"),
        expected(Expected::Number, "fast"),
        "line 18, column 13: expected a number, found \"fast\"",
    );
    check_refused(
        SOUND.replace("0.0083333", "nan"),
        BvhErrorKind::NotFinite { found: word("nan") },
        "line 18, column 13: \"nan\" is not a finite number",
    );
    for frames in ["2.5", "-2", "two"] {
        let sentence =
            format!("line 17, column 9: expected a whole number of frames, found {frames:?}");
        let text = SOUND.replace("Frames: 2", &format!("Frames: {frames}"));
        check_refused(text, expected(Expected::FrameCount, frames), &sentence);
    }
    check_refused(
        SOUND.replace("0.0083333", "0.0083333 s"),
        expected(Expected::EndOfLine, "s"),
        "line 18, column 23: expected the end of the line, found \"s\"",
    );
}

#[test]
fn offsets_that_are_no_three_numbers_are_refused() {
    check_refused(
        SOUND.replace("OFFSET 1 -40 2.5", "OFFSET 1 -40"),
        expected(Expected::Number, "CHANNELS"),
        "line 9, column 3: expected a number, found \"CHANNELS\"",
    );
    check_refused(
        SOUND.replace("OFFSET 1 -40 2.5", "OFFSET 1 -40 2.5 7"),
        expected(Expected::JointItem, "7"),
        "line 8, column 20: expected OFFSET, CHANNELS, JOINT, End Site or \"}\", found \"7\"",
    );
    check_refused(
        SOUND.replace("\t\t\tOFFSET 0 -45 0", "JOINT toe"),
        expected(Expected::EndSiteItem, "JOINT"),
        "line 12, column 1: expected OFFSET or \"}\" of the End Site, found \"JOINT\"",
    );
}

#[test]
fn columns_count_characters_and_lines_every_line_end() {
    let text = "HIERARCHY\r\nROOT Ünï\r{\nOFFSET ü";
    let error = bvh::read(text.as_bytes()).unwrap_err();
    assert_eq!((error.line, error.column), (4, 8));
    let error = bvh::read(b"\xEF\xBB\xBFHIERARCHY x").unwrap_err();
    assert_eq!((error.line, error.column), (1, 11));
    let error = bvh::read("HIERARCHY ROOT é { é".as_bytes()).unwrap_err();
    assert_eq!((error.line, error.column), (1, 20));
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
fn lengths_beyond_all_measure_are_refused_where_they_stand() {
    for (text, sentence) in [
        (
            "HIERARCHY ROOT a { OFFSET 0 0 0\nJOINT b { OFFSET 0 -1.5e9 0 } }".to_owned(),
            "line 2, column 20: the length \"-1.5e9\" is beyond 1000000000, the most in either direction",
        ),
        (
            "HIERARCHY ROOT a { OFFSET 0 0 0\nEnd Site { OFFSET 1e60 0 0 } }".to_owned(),
            "line 2, column 19: the length \"1e60\" is beyond 1000000000, the most in either direction",
        ),
        (
            "HIERARCHY ROOT a { OFFSET 5 0 0\nJOINT b { OFFSET 0 1e-20 0 } }".to_owned(),
            "line 1, column 1: all bones together are shorter than 0.000001, so that no motion of them could be \
             written; scale the skeleton",
        ),
    ] {
        let error = bvh::read_hierarchy(text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), sentence);
    }
    let root = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 4 Zrotation Xposition Yposition Zposition\n\
                JOINT b { OFFSET 0 2 0 } } MOTION\nFrames: 3\nFrame Time: 0.1\n";
    // A body may be anywhere on earth, in any unit; and an angle may be any number.
    for row in ["1 2e8 -2e8 3", "1e300 0 0 0"] {
        assert_eq!(read(format!("{root}0 0 0 0\n{row}\n0 0 0 0\n")).clip.len(), 3);
    }
    for (row, column, word) in [("1 2.1e8 0 0", 3, "2.1e8"), ("1 2  3 -1e308", 8, "-1e308")] {
        let error = bvh::read(format!("{root}0 0 0 0\n{row}\n").as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "line 6, column {column}: the position {word:?} is more than 100000000 times as far away as all \
                 bones together are long"
            )
        );
        // The same in a file that is read in parts.
        let rows = "0 0 0 0\n".repeat(50_000);
        let error = bvh::read(format!("{root}{rows}{row}\n{rows}").as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column), (50_005, column));
    }
}

#[test]
fn what_people_write_and_bvh_does_not_know_comes_with_the_remedy() {
    for (from, to, sentence) in [
        (
            "OFFSET 0",
            "OFFSET 0,5",
            "; numbers have a point and no comma, so export the file with decimal points",
        ),
        ("OFFSET 0", "OFFSET 0,", "; only blanks stand between numbers, so take the comma out"),
        ("MOTION", "# of a walk\nMOTION", "found \"#\"; BVH has no comments, so take this one out"),
        (
            "\tOFFSET",
            "\t// thigh\n\tOFFSET",
            "found \"//\"; BVH has no comments, so take this one out",
        ),
    ] {
        assert!(SOUND.contains(from), "{from}");
        let error = bvh::read(SOUND.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.to_string().ends_with(sentence), "{error}");
    }
}

#[test]
fn a_file_cannot_ask_for_much_more_memory_than_its_size() {
    // Thousands of joints without channels make a frame of kilobytes out of two bytes.
    let joints = "JOINT a { OFFSET 0 0 0 } ".repeat(9_000);
    let text =
        one_joint(&format!("CHANNELS 1 Xrotation {joints}"), 1_000_000, &"0\n".repeat(1_000_000));
    let error = bvh::read(text.as_bytes()).unwrap_err();
    assert_eq!(error.kind, BvhErrorKind::TooLarge { times: 32 });
    assert_eq!(
        error.kind.to_string(),
        "the motion would grow to more than 32 times the file, nearly all of it joints without channels"
    );
}

#[test]
fn position_channels_are_told_from_rotation_channels() {
    let file = read(SOUND);
    let channels = file.clip.skeleton().joint(JointId::new(0)).channels;
    let kinds = [Axis::X, Axis::Y, Axis::Z].map(Channel::Position);
    assert_eq!(channels.as_slice()[..3], kinds);
}
