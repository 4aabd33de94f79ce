//! BVH files: bytes to a [`Clip`](crate::clip::Clip) and back. Degrees exist only in here.
//!
//! [`read()`] takes what real files hold and says what it repaired; [`write()`] writes what every reader
//! takes. Neither knows a file's name: the caller puts it before the error.
//!
//! ```
//! use retarget::internals::bvh::{self, WriteSettings};
//!
//! let clip = bvh::read(&std::fs::read("samples/walk.bvh")?)?.clip;
//! let mut bytes = Vec::new();
//! bvh::write(&clip, &WriteSettings::default(), &mut bytes)?;
//! assert_eq!(bvh::read(&bytes)?.clip.len(), clip.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod angles;
#[cfg(feature = "bvh_anim")]
mod anim;
mod arctangent;
mod decimal;
mod error;
mod euler_filter;
mod half_turn;
mod hierarchy;
mod motion;
mod number;
mod parts;
mod read;
mod row;
mod row_writer;
mod text;
mod write;

#[cfg(feature = "bvh_anim")]
pub use anim::{BvhAnimError, from_bvh_anim, to_bvh_anim};
pub use error::{BvhError, BvhErrorKind, Expected, Found, Repair, RepairKind};
pub use euler_filter::EulerFilter;
pub use parts::Pieces;
pub use read::{BvhFile, BvhHierarchy, hierarchy_of_beginning, read, read_hierarchy, read_pieces};
pub use row_writer::{RowWriter, Rows, WriteSettings};
pub use write::{push_header, write, written_name};
