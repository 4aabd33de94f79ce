//! Everything that can go wrong between a user's files, with the file it is about.
//!
//! ```
//! let error = retarget::SourceClip::from_bytes("walk.bvh", b"garbage").err().expect("no clip");
//! assert!(error.to_string().starts_with("walk.bvh: line 1, column 1: expected HIERARCHY"));
//! ```

use crate::arrays::ArrayError;
use crate::binding::BindingError;
use crate::bvh::{BvhError, Repair};
use crate::contact::ContactFileError;
use crate::edit::RootMotionError;
use crate::rig::{Misfit, PROPOSED, RecogniseError, RigError, RigFileError, StanceDoubt, UpDoubt};
use crate::scene::{FormatError, SceneError};
use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};

/// Why a conversion did not come about. The text of each is one sentence with the place and the way out.
///
/// `path` is the file that it is about, as the user named it; `source` is the cause, which the text already holds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// A file has no bytes, or blanks alone.
    #[error("{}: the file is empty; export it again, or name another file", path.display())]
    Empty { path: PathBuf },
    /// A file is of another format than its name says; `named` and `found` are what people call the two.
    #[error("{}: the file is {found}, and not {named} as its name says; {way_out}", path.display())]
    Misnamed { path: PathBuf, named: &'static str, found: &'static str, way_out: String },
    /// A BVH file is broken beyond repair.
    #[error("{}: {source}", path.display())]
    Bvh { path: PathBuf, source: BvhError },
    /// A file had to be repaired, and [strict](crate::settings::Settings::strict) settings take none; `first` is the
    /// first repair.
    #[error("{}: {first}; --strict takes no file that has to be repaired", path.display())]
    Repaired { path: PathBuf, first: Repair },
    /// A result cannot be written in the format that its name says.
    #[error("{}: {source}", path.display())]
    Unwritable { path: PathBuf, source: FormatError },
    /// A file of nodes, such as glTF or FBX, is broken or cannot be given back; `format` is what people call its
    /// format, `reason` the word that [`reason`](Error::reason) gives.
    #[error("{}: {source}", path.display())]
    Nodes { path: PathBuf, format: &'static str, reason: &'static str, source: FormatError },
    /// The file is of a format that this build cannot read; `feature` is the Cargo feature that it lacks.
    #[error(
        "{}: the file is {format}, and this program was built without it; build it with the feature {feature}",
        path.display()
    )]
    Feature { path: PathBuf, format: &'static str, feature: &'static str },
    /// A file of arrays holds no motion, or says too little of it.
    #[error("{}: {source}", path.display())]
    Arrays { path: PathBuf, source: Box<ArrayError> },
    /// What only files of arrays (`.npy`, `.npz`) need was given for another file.
    #[error(
        "{}: --layout, --fps and --smpl-model are about .npy and .npz files, and this is none; leave them out",
        path.display()
    )]
    NotArrays { path: PathBuf },
    /// The nodes of a file make no skeleton.
    #[error("{}: {source}", path.display())]
    Scene { path: PathBuf, source: SceneError },
    /// A result of the target cannot be written under a name of the ending of `path`; `wanted` are the endings that it
    /// can.
    #[error(
        "{} cannot be made of {}; name a result that ends in {wanted}", path.display(), target.display()
    )]
    OtherFormat { path: PathBuf, target: PathBuf, wanted: String },
    /// The target lacks the joint that is to carry the travel.
    #[error("{}: {source}", path.display())]
    RootMotion { path: PathBuf, source: RootMotionError },
    /// A file holds several animations and nothing says which one is meant, or none of the name that is given; `names`
    /// are those that it has.
    #[error("{}: {why}", path.display())]
    Takes { path: PathBuf, why: String, names: Vec<String> },
    /// The file `named`, which a `skeleton.toml` names, is none of a rig. It may be any file, so nothing of it is
    /// quoted.
    #[error(
        "{}: {}, which it names as `bvh`, cannot be read as a rig; to see why, run: retarget inspect {}",
        path.display(), named.display(), shell_path(named)
    )]
    NotRig { path: PathBuf, named: PathBuf },
    /// The file `named`, which a `skeleton.toml` names, cannot be read.
    #[error(
        "{}: {}, which it names as `bvh`, cannot be read: {source}; put that file there, or correct the line",
        path.display(), named.display()
    )]
    NamedUnreadable { path: PathBuf, named: PathBuf, source: io::Error },
    /// A file that describes a rig was given as a clip.
    #[error(
        "{}: this file says what a rig is and holds no motion; name a clip, and this file as its target with --to",
        path.display()
    )]
    RigForClip { path: PathBuf },
    /// A clip or a character was given as what a user says of a rig.
    #[error(
        "{}: this file holds joints, and --from takes a skeleton.toml, which says what they are; make one of it, or \
         leave --from out", path.display()
    )]
    ClipForRig { path: PathBuf },
    /// A `skeleton.toml` is wrong, at a line and key.
    #[error("{}: {source}", path.display())]
    RigFile { path: PathBuf, source: RigFileError },
    /// A side file of contacts is wrong, or not of this clip.
    #[error("{}: {source}", path.display())]
    Contacts { path: PathBuf, source: Box<ContactFileError> },
    /// A file that should be text is none.
    #[error("{}: the text is not UTF-8; save the file as UTF-8", path.display())]
    NotText { path: PathBuf },
    /// What is said of a source's rig has a `key` that means something for targets alone.
    #[error(
        "{}: {key} says nothing of a source's rig; what does is up, [roles], [reference], \
         [feet] and [[joints]]",
        path.display()
    )]
    NotOfSource { path: PathBuf, key: &'static str },
    /// A clip is not of the rig that it is held to.
    #[error(
        "{}: the clip is not of the rig that --from lists: {source}; write another file for its rig, \
         or leave --from out",
        path.display()
    )]
    OtherRig { path: PathBuf, source: Misfit },
    /// A result is not of the target that it is judged with.
    #[error(
        "{}: the result is not of the rig that --to names, {}: {source}; name the target that it was made \
         for, or leave --to out",
        path.display(), target.display()
    )]
    OtherTarget { path: PathBuf, target: PathBuf, source: Box<Misfit> },
    /// A result has another number of frames than its source, which has as many as `wanted`.
    #[error(
        "{}: the result has {frames} frames and its source {wanted}; a result is compared only with \
         its own source",
        path.display()
    )]
    OtherFrames { path: PathBuf, frames: usize, wanted: usize },
    /// Joints of a person are not recognised, or not surely; the text proposes lines that name them.
    #[error("{}: {source}{}", path.display(), way_out(&path.display().to_string(), &source.to_string()))]
    Recognise { path: PathBuf, source: Box<RecogniseError> },
    /// The recognised joints make no rig.
    #[error("{}: {source}", path.display())]
    Rig { path: PathBuf, source: RigError },
    /// Nothing says surely which axis is up; the text proposes lines for each reading.
    #[error(
        "{}: {doubt}{}\nor go on with the first reading with --accept-doubt",
        path.display(), way_out(&path.display().to_string(), &doubt.to_string())
    )]
    Doubt { path: PathBuf, doubt: Box<UpDoubt> },
    /// Nothing says surely how a rig stands; the text proposes lines for each reading.
    #[error(
        "{}: {doubt}{}\nor go on with what is likely with --accept-doubt",
        path.display(), way_out(&path.display().to_string(), &doubt.to_string())
    )]
    StanceDoubt { path: PathBuf, doubt: StanceDoubt },
    /// The two rigs have too little in common.
    #[error("{source_name} onto {target_name}: {source}")]
    Binding { source_name: String, target_name: String, source: BindingError },
    /// A clip has no frames.
    #[error("{}: the clip has no frames, so there is no motion to transfer", path.display())]
    NoFrames { path: PathBuf },
    /// The legs of a clip are, in a frame, less than half or at least twice as long as its skeleton says; `ratio` is
    /// the one length over the other.
    #[error(
        "{}: in frame {frame} the legs have {ratio:.3} of the length that the rest of the file says; \
         its position channels cannot be meant as BVH means them", path.display()
    )]
    Collapsed { path: PathBuf, frame: usize, ratio: f64 },
    /// A result would be written over a file that is read.
    #[error(
        "{} is also an input; an input is never overwritten, so name another output with -o",
        path.display()
    )]
    OutputIsInput { path: PathBuf },
}

impl Error {
    /// The text of the error and of all its causes. A cause that the text already holds is not repeated.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut next = self.source();
        while let Some(cause) = next {
            let cause_text = cause.to_string();
            if !text.contains(&cause_text) {
                text = format!("{text}: {cause_text}");
            }
            next = cause.source();
        }
        text
    }

    /// A word for all failures of this kind, such as `broken_bvh`, by which failures are counted.
    pub fn reason(&self) -> &'static str {
        match self {
            Error::Read { .. } => "unreadable",
            Error::Unwritable { .. } | Error::Write { .. } => "unwritable",
            Error::Empty { .. } => "empty",
            Error::Misnamed { .. } => "misnamed",
            Error::Bvh { .. } => "broken_bvh",
            Error::Nodes { reason, .. } => reason,
            Error::Arrays { .. } | Error::NotArrays { .. } => "broken_arrays",
            Error::Feature { .. } => "no_feature",
            Error::Scene { .. } => "no_skeleton",
            Error::RootMotion { .. } => "root_motion",
            Error::OtherFormat { .. } => "other_format",
            Error::Takes { .. } => "which_animation",
            Error::Repaired { .. } => "repaired",
            Error::NamedUnreadable { .. } => "unreadable",
            Error::NotRig { .. }
            | Error::RigForClip { .. }
            | Error::ClipForRig { .. }
            | Error::RigFile { .. }
            | Error::NotText { .. }
            | Error::NotOfSource { .. } => "rig_file",
            Error::Contacts { .. } => "contacts",
            Error::Recognise { .. } => "unrecognised",
            Error::Rig { .. } => "unusable_rig",
            Error::Doubt { .. } | Error::StanceDoubt { .. } => "doubtful",
            Error::OtherRig { .. } | Error::OtherTarget { .. } => "other_rig",
            Error::OtherFrames { .. } => "other_frames",
            Error::Binding { .. } => "unlike_rigs",
            Error::NoFrames { .. } => "no_frames",
            Error::Collapsed { .. } => "collapsed",
            Error::OutputIsInput { .. } => "output_is_input",
        }
    }
}

/// How lines that are proposed are used, where there are any.
pub(crate) fn way_out(path: &str, text: &str) -> String {
    if !text.contains(PROPOSED) {
        return String::new();
    }
    let gap = if text.ends_with('\n') { "" } else { "\n" };
    format!(
        "{gap}and run again with --from fix.toml; where it is the target, with the line bvh = {path:?} before them and \
         --to fix.toml"
    )
}

/// A word as a shell takes it, for a command that a message proposes: in quotes where it has anything but what needs none.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// As [`shell_word`], of a file's name.
pub(crate) fn shell_path(path: &Path) -> String {
    shell_word(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_a_shell_is_quoted_where_it_must_be() {
        assert_eq!(shell_word("takes/walk_01.bvh"), "takes/walk_01.bvh");
        assert_eq!(shell_word("my walk.bvh"), "'my walk.bvh'");
        assert_eq!(shell_word("it's; $HOME"), r"'it'\''s; $HOME'");
        assert_eq!(shell_word(""), "''");
    }
}
