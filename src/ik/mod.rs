//! Inverse kinematics on trees of links: cyclic coordinate descent made robust.
//!
//! A [`Tree`] is bodies joined by ball, hinge, per-axis, sliding or fixed [`Joint`]s, rooted at any of
//! them. A [`Plan`] adds [`Effector`]s, points of links that are to be brought to [`Goal`]s in the
//! order of their priority. [`solve`] moves a caller-owned [`TreePose`] and reports a [`Status`] and
//! each effector's [`Residual`]. Trees, plans and scratch buffers are built once; a solve allocates
//! nothing, never fails, and gives the same bits for the same input.
//!
//! Everything is in the caller's length unit and in radians. Link rotations are
//! `parent_from_link`, goals are in the world.
//!
//! ```
//! use retarget::ik::*;
//! use retarget::math::Vec3;
//!
//! // An arm: shoulder, elbow and hand, the elbow bending about its own Y.
//! let tree = Tree::new(&[
//!     Link::base(),
//!     Link::child(LinkId::new(0), Vec3::new(0.2, 1.4, 0.0), Joint::ball()),
//!     Link::child(
//!         LinkId::new(1),
//!         Vec3::new(0.3, 0.0, 0.0),
//!         Joint::hinge(-Vec3::y(), Range::new(0.0, 2.6)),
//!     ),
//!     Link::child(LinkId::new(2), Vec3::new(0.25, 0.0, 0.0), Joint::ball()),
//! ])?;
//! let hand = Effector::new(LinkId::new(3), Vec3::zeros());
//! let plan = Plan::new(tree, &[hand])?;
//!
//! let mut pose = TreePose::rest(plan.tree());
//! let mut scratch = Scratch::new(&plan);
//! let goals = [Goal::at(Vec3::new(0.4, 1.2, 0.3))];
//! let settings = Settings::default();
//! let job = Job::new(&plan, &goals, &settings);
//! let outcome = solve(&job, &mut pose, &mut scratch);
//! assert_eq!(outcome.status, Status::Reached);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A body on its foot
//!
//! A planted foot cannot slide if it is the base. Root the tree there once with [`Tree::rerooted`];
//! link ids stay the same, so effectors and world poses do too. Each frame, carry the pose over with
//! [`TreePose::set_rerooted`], solve, and carry it back. The pelvis, with a position and an orientation
//! goal, is then a limb of two joints (ankle and knee) whose last link takes the orientation: the
//! closed form solves it exactly, as it does the other foot and the hands under [`Span::UpTo`].
//! [`Joint::with_bend_axis`] tells a ball-jointed knee which way it folds, and it folds no other way.

mod balance;
mod ease;
mod effector;
mod euler;
mod from_skeleton;
mod joint;
mod limit;
mod masses;
mod plan;
mod planar;
mod pose;
mod pull;
mod relax;
mod reroot;
mod restart;
mod settings;
mod solve;
mod stage;
mod support;
mod sweep;
mod track;
mod tree;
mod turn;
mod two_bone;
mod work;

pub use effector::{Effector, Goal, Span};
pub use from_skeleton::write_rotations;
pub use joint::{Joint, JointError, JointKind, Range};
pub(crate) use limit::{Approach, unwind};
pub use limit::{Cone, Limit};
pub use masses::Segment;
pub use plan::{Plan, PlanError};
pub use planar::{PlanarChain, PlanarError, PlanarOutcome, PlanarScratch, PlanarSettings, Vec2};
pub use pose::TreePose;
pub use relax::{Relaxed, Shares, relax};
pub use restart::{Score, Start, winner};
pub use settings::{Method, Settings, Strategy, Sweep};
pub use solve::{Job, Outcome, Status, settle, solve, solve_from};
pub use support::SupportArea;
pub use tree::{Link, LinkId, Tree, TreeError};
pub use turn::Step;
pub use two_bone::middle_joint;
pub use work::{ActiveLimit, Residual, Scratch};
