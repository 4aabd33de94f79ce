//! What a skeleton means: which joint plays which part of a body.

mod names;
mod recognise;
mod role;

pub use names::JointNameError;
pub use recognise::{
    Evidence, Problem, Reason, RecogniseError, Recognised, WrittenRoles, recognise,
};
pub use role::{Digit, Role, Roles, Side};
