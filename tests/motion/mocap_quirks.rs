//! Files that break the rules: which are read, which go through a whole conversion, and what a person
//! is told of the others.

use crate::common;
use retarget::internals::convert;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::path::PathBuf;

/// What becomes of a file.
enum Fate {
    /// It is retargeted, after this many repairs.
    Works(usize),
    /// It cannot be read; the message says this.
    Unread(&'static str),
    /// It is read, but shows no body; the message says this.
    NoBody(&'static str),
    /// It is read, but shows no body; the message says this and nothing else.
    NoBodyAlone(&'static str),
}
use Fate::{NoBody, NoBodyAlone, Unread, Works};

const NO_SIZE: &str = "every OFFSET is zero, so the joints have names but no places, and nothing can be \
                       measured or transferred; export the file again with the lengths of its bones";
const NO_LEG: &str = "no joint's name or place speaks for a leg; is this a body?";

const QUIRKS: [(&str, Fate); 14] = [
    ("all_zero_offsets_sample", NoBodyAlone(NO_SIZE)),
    ("blank_line_in_motion_debug", Works(0)),
    ("channels_0_dummies_walk", Works(0)),
    ("cr_only_names_with_spaces_window_shop", Works(0)),
    ("empty_joint_name_test7", NoBody(NO_LEG)),
    ("frames_time_typo_walk_left_90", Works(0)),
    ("full_precision_frame_time", NoBody(NO_LEG)),
    ("header_992_frames_data_1", Works(1)),
    ("nan_values_mdm_results", Unread("line 148, column 238: \"nan\" is not a finite number")),
    ("no_toes_noneck_walk01", Works(0)),
    ("rotation_first_root", NoBody("no joint was found for right_thigh")),
    ("row_longer_than_channels", Unread("line 47, column 49: row 1 has 27 numbers")),
    ("single_joint_skeleton", NoBody(NO_LEG)),
    ("two_joint_simple", NoBody(NO_LEG)),
];

#[test]
fn each_odd_file_is_retargeted_or_refused_with_its_reason() {
    let Some(dir) = common::mocap_dir() else { return };
    let target = dir.join("smpl_names/hml3d_template_m.bvh");
    let target = convert::LoadedRig::load(&target).unwrap_or_else(|e| panic!("{e}"));
    let files = std::fs::read_dir(dir.join("quirks")).expect("the folder can be listed").count();
    assert_eq!(files, QUIRKS.len(), "files in quirks");
    let mut wrong = Vec::new();
    for (name, fate) in QUIRKS {
        let path = PathBuf::from(format!("quirks/{name}.bvh"));
        let bytes = std::fs::read(dir.join(&path)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let read = convert::SourceClip::from_bytes(&path, &bytes);
        let (says, message) = match (&fate, &read) {
            (Works(repairs), Ok(source)) if *repairs == source.repaired.len() => {
                let settings = Settings::default();
                match convert::convert(source, RigFile::default(), &target, &settings) {
                    Ok(done) if done.result.len() == source.clip.len() => continue,
                    Ok(_) => ("as many frames as the source", String::new()),
                    Err(error) => ("a result", error.to_string()),
                }
            }
            (Works(_), Ok(source)) => ("other repairs", format!("{:?}", source.repaired)),
            (Unread(says), Err(error)) => (*says, error.to_string()),
            (NoBody(says) | NoBodyAlone(says), Ok(source)) => {
                let settings = Settings::default();
                match convert::convert(source, RigFile::default(), &target, &settings) {
                    Ok(_) => (*says, "nothing: it was retargeted".to_owned()),
                    Err(error) => (*says, error.to_string()),
                }
            }
            (Works(_), Err(error)) => ("that it is read", error.to_string()),
            (Unread(says) | NoBody(says) | NoBodyAlone(says), _) => {
                (*says, "another stage's error".to_owned())
            }
        };
        // The file comes first, so that the message can stand alone in a long log.
        let place = format!("{}: ", path.display());
        let alone = matches!(fate, NoBodyAlone(_));
        let reported = match message.strip_prefix(&place) {
            Some(message) if alone => message == says,
            Some(message) => message.contains(says),
            None => false,
        };
        if !reported {
            wrong.push(format!("{name}: expected {says:?}, got {message:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
