//! Why a file cannot be read as glTF. Each error names the place in the file.

/// Why a file cannot be read as glTF, or be given an animation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GltfReadError {
    #[error("the file begins as binary glTF and ends within its chunks; copy or export it again")]
    Cut,
    #[error("the file is glTF {0}; export it as glTF 2.0")]
    Version(String),
    #[error("the JSON of the file cannot be read: {0}")]
    Json(String),
    #[error("{place} names {what} {index}, which is not there")]
    Missing { place: String, what: &'static str, index: usize },
    #[error("{place} reaches beyond the {bytes} bytes of its buffer")]
    Beyond { place: String, bytes: usize },
    #[error("{place} is {found}, where glTF has {wanted}")]
    Kind { place: String, found: String, wanted: &'static str },
    #[error("{place} is compressed with {extension}; export the file without it")]
    Compressed { place: String, extension: String },
    #[error("{place} holds a number that is not finite")]
    NotFinite { place: String },
    #[error("{place} has no times, or times that do not grow")]
    Times { place: String },
    #[error("{place} has {found} values for {wanted} keys")]
    Values { place: String, found: usize, wanted: usize },
    #[error("node {0} is its own ancestor, or has two parents")]
    Circle(usize),
    #[error("buffer {index}: {why}")]
    Buffer { index: usize, why: String },
    #[error("{what} {index}: {why}")]
    Outside { what: &'static str, index: usize, why: String },
    #[error(
        "animation {name:?} would have {values} values in all of its frames, and at most {most} are read; \
         export a part of it"
    )]
    Long { name: String, values: u64, most: u64 },
    #[error("there is an animation {0:?} already; give another name, or have it replaced")]
    NameTaken(String),
    #[error(
        "many animations go into binary glTF alone; save the file as .glb first, or add them one by one"
    )]
    NoChunk,
    #[error("the file would exceed 4 GiB, the limit of binary glTF")]
    TooLarge,
}
