//! How a solve goes about it.

use super::turn::Step;

/// In which order a pass visits the joints (Kenwright 2012, §5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    /// Moves mostly the end: arms that reach.
    TipToBase,
    /// Moves everything from the base outwards: legs, tentacles.
    BaseToTip,
    /// The two in turn: converges faster and bends more evenly.
    Alternating,
    /// After each new joint again from the tip: the joints near the base move last and least.
    Bounce,
    /// Back to the tip only when a joint has just turned by more than this (radians), or slid by more
    /// than this share of its effector's chain length: moves no more joints than are needed.
    SmartBounce { threshold_rad: f64 },
}

/// What serves an effector before and between the sweeps. A step with a cap leaves nothing but sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The closed form for limbs of two joints, constraint relaxation for longer chains, sweeps for
    /// what remains.
    Auto,
    /// Constraint relaxation for chains of any length that share no joints, sweeps for the others.
    Relaxation,
    /// Sweeps alone.
    Sweeps,
}

/// How a solve goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    pub method: Method,
    pub sweep: Sweep,
    pub step: Step,
    /// Passes for each priority before the solve gives the pose back as it is.
    pub max_iterations: u32,
    /// Further starts, from stored and then from random poses, when a solve gets stuck.
    pub restarts: u32,
    /// What the random starts grow from.
    pub seed: u64,
    /// Whether a chain that is stuck in a straight line is bent a little.
    pub unsticks: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::Auto,
            sweep: Sweep::Alternating,
            step: Step::exact(),
            max_iterations: 100,
            restarts: 0,
            seed: 0,
            unsticks: true,
        }
    }
}

impl Settings {
    /// One pass of sweeps and nothing else, to spread a solve over frames.
    pub fn one_pass(sweep: Sweep) -> Self {
        Self {
            method: Method::Sweeps,
            sweep,
            max_iterations: 1,
            unsticks: false,
            ..Self::default()
        }
    }

    /// The published method: exact steps from tip to base and no help.
    pub fn plain() -> Self {
        Self { method: Method::Sweeps, sweep: Sweep::TipToBase, unsticks: false, ..Self::default() }
    }
}
