//! Rotations, Euler orders and the few vector helpers that every stage shares.
//!
//! All angles are radians, all quaternions unit Hamilton quaternions that turn vectors by `q * v`.
//!
//! ```
//! use retarget::internals::math::{Vec3, rotation_between};
//!
//! let turn = rotation_between(Vec3::x(), Vec3::y());
//! assert!((turn * Vec3::x() - Vec3::y()).norm() < 1e-12);
//! ```

mod average;
mod band;
#[cfg(feature = "retargeting")]
pub mod curve;
mod euler;
mod fit;
mod rank;
mod rotation;
mod runs;
mod soft;
mod spring;
mod tail;

pub use average::{mean_rotation, median_rotation};
pub use band::BandSystem;
pub use euler::{Axis, EulerOrder};
pub use fit::fit_directions;
pub use rank::{median, percentile};
pub use rotation::{any_perpendicular, frame_from_axes, rejection, rotation_between, swing_twist};
pub use runs::{runs, with_values};
pub use soft::{bounded, saturated};
pub use spring::Spring;
pub use tail::Tail;

/// A point or a direction; its space (local or world) is in the name of the variable.
pub type Vec3 = nalgebra::Vector3<f64>;

/// A rotation: a unit quaternion that turns vectors by `q * v`. Names read right to left, as in
/// `world_from_parent * parent_from_joint`.
pub type Quat = nalgebra::UnitQuaternion<f64>;
