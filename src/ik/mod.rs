//! Inverse kinematics on trees of links: cyclic coordinate descent made robust.
//!
//! ```
//! use retarget::ik::*;
//! use retarget::{Quat, Vec3};
//!
//! // An arm along X: the elbow bends forwards, the hand follows a goal that moves.
//! let mut body = TreeBuilder::new();
//! let chest = body.base("chest");
//! let upper_arm = body.link("upper arm", chest, Vec3::new(0.2, 0.0, 0.0), Joint::ball());
//! let elbow = Joint::hinge(-Vec3::y(), Range::new(0.0, 2.6));
//! let forearm = body.link("forearm", upper_arm, Vec3::new(0.3, 0.0, 0.0), elbow);
//! let hand = body.link("hand", forearm, Vec3::new(0.25, 0.0, 0.0), Joint::ball());
//! let hand = Effector::new(hand, Vec3::zeros()).with_tolerance_len(0.001);
//! let plan = Plan::new(body.build()?, &[hand])?;
//!
//! let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
//! pose.set_base(plan.tree(), Vec3::new(0.0, 1.4, 0.0), Quat::identity());
//! for frame in 0..60 {
//!     let way = 0.1 * f64::from(frame);
//!     let goals = [Goal::at(Vec3::new(0.4, 1.3 + 0.1 * way.sin(), 0.3))];
//!     let outcome = solve(&Job::new(&plan, &goals, &Settings::default()), &mut pose, &mut scratch);
//!     let _where_to_draw_the_arm = scratch.world();
//!     assert_eq!(outcome.status, Status::Reached);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Tree`] consists of bodies joined by ball, hinge, per-axis, sliding or fixed [`Joint`]s, rooted at any of
//! them. A [`Plan`] adds [`Effector`]s, points of links with [`Goal`]s, which are served in the order of their priority.
//! [`solve`] changes a caller-owned [`TreePose`] and returns how it ended; the [`Scratch`] has each effector's
//! [`Residual`], the active limits and the world pose of all links. Build trees, plans and scratch buffers once: a solve
//! allocates nothing, never fails, and gives the same bits for the same input.
//!
//! Lengths are in the caller's unit, angles in radians. Link rotations are `parent_from_link`, goals are in the world.
//! Numbers are `f64` only: limits are held and residuals measured to 1e-9, of which `f32` would leave 1e-4 in chains far
//! from the origin, and the time of a solve depends on dot products in sequence, not on memory.
//!
//! # Which settings
//!
//! Use [`Settings::default`] to reach a goal once. Use [`Settings::tracking`] to follow a moving goal frame by frame
//! without a jump. Use [`Settings::one_pass`] to distribute one solve over frames.
//!
//! # A body on its foot
//!
//! A planted foot cannot slide if it is the base. Root the tree there once with [`Tree::rerooted`];
//! link ids stay the same, so effectors and world poses stay valid. In each frame, convert the pose with
//! [`TreePose::set_rerooted`], solve, and convert it back. The pelvis, with a position and an orientation
//! goal, is then a limb of two joints (ankle and knee) whose last link takes the orientation: the
//! closed form solves it exactly, as it does the other foot and the hands under [`Span::UpTo`].
//! [`Joint::with_bend_axis`] states the side to which a ball-jointed knee folds; it folds to no other side.

mod angle;
mod approach;
mod balance;
mod builder;
mod cone;
mod ease;
mod effector;
mod euler;
mod from_skeleton;
mod joint;
mod limit;
mod masses;
mod parts;
mod plan;
mod planar;
mod pole;
mod pose;
mod pull;
mod relax;
mod reroot;
mod restart;
mod scratch;
mod settings;
mod solve;
mod stage;
mod support;
mod sweep;
mod track;
mod tree;
mod turn;
mod two_bone;
mod unstick;
mod work;

pub(crate) use angle::unwind;
pub use angle::{JointError, Range};
pub(crate) use approach::Approach;
pub use builder::TreeBuilder;
pub use cone::Cone;
pub use effector::{Effector, Goal, Span};
pub use from_skeleton::write_rotations;
pub use joint::{Joint, JointKind};
pub use limit::Limit;
pub use masses::Segment;
pub use parts::Part;
pub use plan::{Plan, PlanError};
pub use planar::{PlanarChain, PlanarError, PlanarOutcome, PlanarScratch, PlanarSettings, Vec2};
pub use pose::TreePose;
pub use relax::{Relaxed, Shares, relax};
pub use restart::{Score, Start, winner};
pub use scratch::{ActiveLimit, Residual, Scratch};
pub use settings::{Method, Settings, Strategy, Sweep};
pub use solve::{Job, Outcome, Status, solve, solve_from, solve_pose};
pub use support::SupportArea;
pub use tree::{Link, LinkId, Tree, TreeError};
pub use turn::Step;
pub use two_bone::middle_joint;
