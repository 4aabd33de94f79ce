//! BVH files as texts, and what is checked of them.

use retarget::internals::bvh::{self, BvhErrorKind, BvhFile, RepairKind};

pub const SOUND: &str = "\
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
pub fn read(text: impl AsRef<[u8]>) -> BvhFile {
    bvh::read(text.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

/// The same clip as [`SOUND`], with nothing repaired.
#[track_caller]
pub fn check_sound(text: impl AsRef<[u8]>) {
    let file = read(text);
    assert_eq!(file.repaired, []);
    assert_eq!(file.clip, read(SOUND).clip);
}

#[track_caller]
pub fn check_repaired(
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
pub fn check_refused(text: impl AsRef<[u8]>, kind: BvhErrorKind, sentence: &str) {
    let error = bvh::read(text.as_ref()).expect_err("refused");
    assert_eq!(error.kind, kind, "{error}");
    assert_eq!(error.to_string(), sentence);
}

/// A file of one root with the given channels and motion lines.
pub fn one_joint(channels: &str, frames: usize, rows: &str) -> String {
    format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 7 8 9\n{channels}\n}}\nMOTION\nFrames: {frames}\nFrame Time: 0.1\n{rows}"
    )
}

/// A hierarchy with the given text, without motion.
pub fn names(text: &str) -> Vec<String> {
    let file = bvh::read_hierarchy(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    file.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
}
