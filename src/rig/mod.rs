//! What a skeleton means: which joint plays which part of a body.

mod role;

pub use role::{Digit, Role, Roles, Side};
