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
    SmartBounce {
        /// Turns by more than this go back.
        threshold_rad: f64,
    },
    /// After each new joint again from the base: the joints near the tip move last and least.
    BounceForward,
    /// As [`SmartBounce`](Self::SmartBounce) from the base outwards, and back to the base.
    SmartBounceForward {
        /// Turns by more than this go back.
        threshold_rad: f64,
    },
    /// Each joint once a pass, always the one with the largest angle between where its effectors are and where they
    /// should be; quadratic in the joints.
    LargestError,
}

/// What a solve is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Finds a goal at any price: a first guess, exact steps, no more passes than are needed, a stuck chain bent,
    /// other starts. A goal that moves by a little may come to quite another pose.
    Reach,
    /// Follows a moving goal without a jump: a goal that moves by a little moves every joint by a little, at limits,
    /// cones, straight limbs and between goals in conflict.
    ///
    /// Always as many passes, from the given pose, each joint's step capped by
    /// [`Step::max_turn_rad`](super::Step::max_turn_rad) and easing to nothing where its direction is about to flip.
    /// Smart bounces and the order of the largest error, which decide by thresholds, count as from tip to base.
    /// No first guess, no unsticking, no restarts; a hinge stops at the end of its range that it comes to first. With
    /// [`Method::Auto`] limbs of two free joints that serve no other effector still take the closed form, which runs
    /// on without a jump but as the square root of what is missing to full stretch. Effectors of a later priority pull
    /// shared joints half as hard as those before them, which have the last word in every pass.
    ///
    /// A per-axis joint whose limits bind at its gimbal lock is the exception: its angles themselves jump there. So
    /// does a cone that opens to nearly half a turn; and a slide that may lengthen an arm to either side can choose it
    /// abruptly.
    Tracking,
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
    /// What the solve is after.
    pub strategy: Strategy,
    /// What serves an effector besides sweeps.
    pub method: Method,
    /// In which order a pass visits the joints.
    pub sweep: Sweep,
    /// How far a joint goes when it is visited.
    pub step: Step,
    /// Passes for each priority before the solve gives the pose back as it is.
    pub max_iterations: u32,
    /// Further starts from random poses when a solve gets stuck, after all [`Job::stored`](super::Job::stored) ones.
    pub restarts: u32,
    /// What the random starts grow from.
    pub seed: u64,
    /// Whether a chain that is stuck in a straight line is bent a little.
    pub unsticks: bool,
    /// Whether a pass from tip to base or from base to tip ends as soon as all its effectors are there, so that the
    /// joints that are yet to come stay as they are.
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

    /// Following without a jump, from base to tip, with sweeps alone.
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

    /// The published method: exact steps from tip to base and no help.
    pub fn plain() -> Self {
        Self { method: Method::Sweeps, sweep: Sweep::TipToBase, unsticks: false, ..Self::default() }
    }
}
