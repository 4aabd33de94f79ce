//! The inverse kinematics library alone.

#[path = "../common/counting.rs"]
mod counting;

mod alone;
mod balance;
mod biped;
mod cases;
mod laws;
mod no_alloc;
mod parts;
mod planar;
mod reroot;
mod stuck;
mod sweeps;
mod tracking;
