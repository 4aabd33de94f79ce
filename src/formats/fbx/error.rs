//! Why an FBX file cannot be read or written.

use crate::scene::{FormatError, WayOut};

/// Why an FBX file cannot be read or written. Each is one sentence with the place and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FbxError {
    #[error("the file does not begin like an FBX file")]
    NotFbx,
    #[error("the file ends too early; copy or export it again")]
    CutShort,
    #[error(
        "the file asks for more than {times} times the memory of its size; export it again without what is no part of the \
         body"
    )]
    TooLarge { times: usize },
    #[error("the file cannot be read as FBX ({0}); export it again as binary FBX 7.4")]
    Broken(String),
    #[error(
        "only binary FBX can be given an animation, and the file is text; export it as binary FBX 7.4, or name a result that \
         ends in .bvh"
    )]
    NotBinary,
    #[error(
        "only FBX 7.0 and later can be given an animation, and the file is of version {0}; export it as binary FBX 7.4, or \
         name a result that ends in .bvh"
    )]
    OldVersion(u32),
    #[error(
        "the records of the file cannot be copied: the layout of the one at byte {at} is unknown; export it as binary FBX \
         7.4, or name a result that ends in .bvh"
    )]
    Records { at: usize },
    #[error(
        "only a file with right-handed axes can be given an animation, and the file's are left-handed; export it with \
         right-handed axes, or name a result that ends in .bvh"
    )]
    LeftHanded,
    #[error(
        "node {node:?} {why}, and so cannot be animated as it is; export the file with plain transforms, or name a result \
         that ends in .bvh"
    )]
    Unfit { node: String, why: &'static str },
    #[error("there is an animation {0:?} already; give another name, or have it replaced")]
    NameTaken(String),
    #[error("the file would exceed 4 GiB, the limit of FBX before 7.5; export it as FBX 7.5")]
    TooLong,
    #[error("the file has {0} frames a second; export it again with its frame rate")]
    FrameRate(String),
    #[error(
        "animation {name:?} would have {frames} frames of {nodes} nodes, far more than a file of this size can mean; export \
         a part of it"
    )]
    LongTake { name: String, frames: usize, nodes: usize },
}

/// What leads out of an error.
pub(super) fn way_out(error: &FormatError) -> Option<WayOut> {
    use FbxError::{LeftHanded, NameTaken, NotBinary, OldVersion, Records, Unfit};
    match error.downcast_ref()? {
        NameTaken(_) => Some(WayOut::Replace),
        NotBinary | OldVersion(_) | Records { .. } | LeftHanded | Unfit { .. } => {
            Some(WayOut::OtherFormat)
        }
        _ => None,
    }
}
