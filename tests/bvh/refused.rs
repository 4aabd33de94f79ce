//! What is refused in a BVH file, with which words.

use crate::texts::{SOUND, check_refused, one_joint, read};
use retarget::internals::bvh::{self, BvhErrorKind, Expected, Found};

fn expected(expected: Expected, found: &str) -> BvhErrorKind {
    BvhErrorKind::Expected { expected, found: word(found) }
}

fn word(found: &str) -> Found {
    Found::Word(found.to_owned())
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
