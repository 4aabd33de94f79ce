//! The settings of a solve.

use super::turn::Step;

/// The order in which a pass visits the joints (Kenwright 2012, §5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    /// From the tip to the base. Moves mostly the end: for arms that reach.
    TipToBase,
    /// From the base to the tip. Moves everything from the base outwards: for legs, tentacles.
    BaseToTip,
    /// Tip to base and base to tip in turn. Converges faster and bends more evenly.
    Alternating,
    /// After each new joint the pass starts again from the tip: joints near the base move last and least.
    Bounce,
    /// The pass goes back to the tip only when a joint has just turned by more than the threshold (radians), or slid by
    /// more than this share of its effector's chain length: moves no more joints than needed.
    SmartBounce {
        /// Turns by more than this (radians) go back.
        threshold_rad: f64,
    },
    /// After each new joint the pass starts again from the base: joints near the tip move last and least.
    BounceForward,
    /// As [`SmartBounce`](Self::SmartBounce) from the base outwards, and back to the base.
    SmartBounceForward {
        /// Turns by more than this (radians) go back.
        threshold_rad: f64,
    },
    /// Each joint once a pass, always the one with the largest angle between the directions to its effectors and to
    /// their goals. Quadratic in the number of joints.
    LargestError,
}

/// The purpose of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Does all it can to reach a goal: a first guess, exact steps, no more passes than needed, a stuck chain bent,
    /// other starts. A goal that moves a little may give a different pose.
    Reach,
    /// Follows a moving goal without a jump: a goal that moves a little moves every joint a little, at limits, cones,
    /// straight limbs and between goals in conflict.
    ///
    /// It makes the same number of passes for every goal, from the given pose. Each joint's step is capped by
    /// [`Step::max_turn_rad`](super::Step::max_turn_rad) and fades to nothing where its direction is about to flip.
    /// Smart bounces and the order of the largest error, which decide by thresholds, are replaced by tip to base. There
    /// is no first guess, no bending of stuck chains and no restart; a hinge stops at the end of its range that it
    /// meets first. With [`Method::Auto`], limbs of two free joints that serve no other effector still use the closed
    /// form. It has no jump, but near full extension its joints turn as the square root of the length that is missing.
    /// Effectors of a later priority pull shared joints half as hard as those before them, which move last in every
    /// pass.
    ///
    /// There are exceptions. A per-axis joint whose limits bind at its gimbal lock jumps, since its angles themselves
    /// jump there; so does a cone that opens to nearly half a turn; and a slide that may lengthen an arm to either side
    /// can choose the side abruptly.
    Tracking,
}

/// The solvers used for an effector before and between the sweeps. With a capped step only sweeps are used.
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

/// The settings of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The purpose of the solve.
    pub strategy: Strategy,
    /// The solvers that are used besides sweeps.
    pub method: Method,
    /// The order in which a pass visits the joints.
    pub sweep: Sweep,
    /// How far a joint moves in one visit.
    pub step: Step,
    /// The largest number of passes for each priority and start.
    pub max_iterations: u32,
    /// Further starts from random poses when a solve gets stuck, after all [`Job::stored`](super::Job::stored) ones;
    /// not under [`Strategy::Tracking`].
    pub restarts: u32,
    /// The seed of the random starts.
    pub seed: u64,
    /// Whether a chain that is stuck, in a straight line say, is bent a little; not under [`Strategy::Tracking`].
    pub unsticks: bool,
    /// Whether a pass from tip to base or from base to tip ends as soon as all its effectors are at their goals, so
    /// that its remaining joints do not move.
    pub stops_within_pass: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            strategy: Strategy::Reach,
            method: Method::Auto,
            sweep: Sweep::Alternating,
            step: Step::exact(),
            max_iterations: 100,
            restarts: 0,
            seed: 0,
            unsticks: true,
            stops_within_pass: false,
        }
    }
}

impl Settings {
    /// One pass of sweeps and nothing else, to distribute a solve over frames.
    pub fn one_pass(sweep: Sweep) -> Self {
        Self {
            method: Method::Sweeps,
            sweep,
            max_iterations: 1,
            unsticks: false,
            ..Self::default()
        }
    }

    /// For a goal that moves frame by frame: follows it without a jump, from base to tip, with sweeps alone, in at most
    /// 30 passes and steps of 0.05 radians.
    pub fn tracking() -> Self {
        Self {
            strategy: Strategy::Tracking,
            method: Method::Sweeps,
            sweep: Sweep::BaseToTip,
            step: Step::exact().with_max_turn(0.05),
            max_iterations: 30,
            unsticks: false,
            ..Self::default()
        }
    }

    /// The published method: exact steps from tip to base, without other solvers.
    pub fn plain() -> Self {
        Self { method: Method::Sweeps, sweep: Sweep::TipToBase, unsticks: false, ..Self::default() }
    }
}
