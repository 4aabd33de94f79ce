//! The verdict on a result: numbers measured in the world, each with its worst place.
//!
//! Lengths are in centimetres, normalised to a 90 cm leg (thigh plus shin), so that rigs of any size and unit compare.
//! Frames are measured one by one, in stretches of any length.
//!
//! ```
//! use retarget::{LoadedRig, RigFile, Settings, SourceClip, convert};
//!
//! let source = SourceClip::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let done = convert(&source, RigFile::default(), &target, &Settings::default())?;
//! assert!(done.report.measures().all(|(number, measure)| measure.value <= number.threshold));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod core;
mod feet;
mod floor;
mod limbs;
mod limits;
mod numbers;
mod smooth;
mod snap;
mod way;

pub use numbers::{NUMBERS, Number, Numbers, SNAP};

use crate::binding::Binding;
use crate::contact::{ContactTrack, FootPaths};
use crate::pose::{Pose, WorldPose};
use crate::rig::FootId;
use serde::{Deserialize, Serialize};

/// Centimetres that a leg length stands for in a report.
pub const LEG_CM: f64 = 90.0;

/// A number with the place where it is worst.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The number over the whole clip. The name of its field in [`Report`] ends in its unit.
    pub value: f64,
    /// The single worst value, in the same unit.
    pub worst: f64,
    /// The name of the target's joint that has the worst value; empty where nothing is worse than 0.
    pub joint: String,
    /// The frame of the worst value, counted from 0.
    pub frame: usize,
}

/// How good a result is, compared with its source. Numbers are best at 0. Those of jumps, jerks and knees compare it
/// with the transferred clip, the result before planting: at 1 it moves as smoothly.
///
/// Names end in the unit: `cm` and `cm_s` are centimetres (a second) on a body that is scaled to legs (thigh plus shin)
/// of 90 cm, `deg` degrees; `ratio` has none. [`measures`](Self::measures) gives each number with its limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// How many contact cores the source has: stretches of frames in which any reasonable detector would say that a
    /// foot stands.
    pub contact_cores: usize,
    /// 95th percentile over the contact cores of the largest horizontal distance of the ball of the foot from its
    /// median position in the core.
    pub plant_drift_cm: Measure,
    /// Mean horizontal speed of the ball of the foot in the contact cores.
    pub skate_cm_s: Measure,
    /// 95th percentile of the depth of the lowest sole point under the floor while heel or ball is in contact.
    pub penetration_cm: Measure,
    /// 95th percentile of the height of the lowest sole point over the floor while heel or ball is in contact.
    pub float_cm: Measure,
    /// How far the lowest point of soles, hands, arms, knees, trunk and head is below the floor, or below the source's lowest
    /// point, scaled, where that is lower; the largest of all frames.
    pub below_floor_cm: Measure,
    /// Mean angle between the directions of the result's bones and those that they should have. Limbs should have the
    /// source's. Feet, trunk and neck should have those of the transferred clip, since bodies differ in shape there,
    /// with feet laid flat where the source's rest flat.
    pub limb_direction_deg: Measure,
    /// Share of frames (0 to 1) in which any joint is outside a limit that the target states; the worst is the share of
    /// a single joint.
    pub joint_limits_ratio: Measure,
    /// The largest move of a joint from frame to frame, as a multiple of the largest in the transferred clip.
    pub jump_ratio: Measure,
    /// Mean third difference of the positions of hips, knees, feet, elbows, hands and head, as a multiple of that of
    /// the transferred clip; the worst is that of a single joint.
    pub jerk_ratio: Measure,
    /// The same ratio of the 99.9th percentiles of these differences; the worst is the ratio of the largest ones.
    pub jerk_peak_ratio: Measure,
    /// The largest change of a knee's angular speed from one frame to the next, as a multiple of that of the
    /// transferred clip.
    pub knee_pop_ratio: Measure,
    /// Median over the frames of the larger one of two angles between source and result: that between their trunks and
    /// that between their hip lines. 0 unless both bodies are people's.
    pub wrong_way_deg: Measure,
    /// By how much a limb of the result snaps, degrees a frame²: the second difference of its direction, less three
    /// times the largest one of any limb of the source within 0.1 s. 0 where no limb exceeds that.
    pub snap_deg: Measure,
    /// The same of hands, feet and toes, against limbs, hands, feet and toes of the transferred clip.
    pub flick_deg: Measure,
}

/// What is the same in every frame that is measured: the bones that are compared, the contact cores, the limits.
pub struct Metrics {
    feet: feet::Metrics,
    floor: floor::Metrics,
    limbs: limbs::Metrics,
    limits: limits::Metrics,
    smooth: smooth::Metrics,
    snap: snap::Metrics,
    way: way::Metrics,
}

/// The numbers of a stretch of frames. Merged in order, those of all stretches make the numbers of the clip.
pub struct Accumulator {
    /// The first frame that counts. Frames that are added before it are there for differences over time alone.
    first: usize,
    feet: feet::Accumulator,
    floor: floor::Accumulator,
    limbs: limbs::Accumulator,
    limits: limits::Accumulator,
    smooth: smooth::Accumulator,
    snap: snap::Accumulator,
    way: way::Accumulator,
}

/// One frame as it is measured.
#[derive(Clone, Copy)]
pub struct FrameSample<'a> {
    /// Its number, counted from 0.
    pub frame: usize,
    /// The source in its world.
    pub source: &'a WorldPose,
    /// The same motion on the target before planting, in the target's world.
    pub transferred: &'a WorldPose,
    /// The result.
    pub pose: &'a Pose,
    /// The result in the world.
    pub world: &'a WorldPose,
}

impl Metrics {
    /// For results of this binding, made from a source with this frame time (seconds) in which `track` was found
    /// and whose feet went along `source_feet`.
    pub fn new(
        source_feet: &FootPaths,
        track: &ContactTrack,
        binding: &Binding,
        frame_time_s: f64,
    ) -> Self {
        Self {
            feet: feet::Metrics::new(source_feet, track, binding, frame_time_s),
            floor: floor::Metrics::new(track, binding),
            limbs: limbs::Metrics::new(binding),
            limits: limits::Metrics::new(&binding.target, track.frames),
            smooth: smooth::Metrics::new(&binding.target, track.frames),
            snap: snap::Metrics::new(binding, frame_time_s),
            way: way::Metrics::new(binding),
        }
    }

    /// Counts no foot of the target as standing in frames in which it `lets_go` of the floor: these are misses of the plan.
    pub fn without_feet_that_let_go(mut self, lets_go: impl Fn(FootId, usize) -> bool) -> Self {
        self.feet.without(lets_go);
        self
    }

    /// The numbers of no frames, to be fed with those from `first` on, in order. To count the first of them,
    /// the frames from [`looks_back`](Self::looks_back) on must be fed before it.
    pub fn accumulator(&self, first: usize) -> Accumulator {
        Accumulator {
            first,
            feet: self.feet.accumulator(),
            floor: floor::Accumulator::default(),
            limbs: self.limbs.accumulator(),
            limits: self.limits.accumulator(),
            smooth: self.smooth.accumulator(),
            snap: self.snap.accumulator(),
            way: way::Accumulator::default(),
        }
    }

    /// The earliest frame that is needed to measure the frame `first`.
    pub fn looks_back(first: usize) -> usize {
        first.saturating_sub(smooth::DIFFERENCES)
    }

    /// Adds a frame of the same binding. Allocates only what the percentiles keep.
    pub fn add(&self, binding: &Binding, sums: &mut Accumulator, sample: &FrameSample) {
        let counts = sample.frame >= sums.first;
        self.feet.add(&mut sums.feet, sample, counts, binding);
        self.limbs.add(&mut sums.limbs, sample, counts, binding);
        self.smooth.add(&mut sums.smooth, sample, counts);
        self.snap.add(&mut sums.snap, sample, counts);
        self.way.add(&mut sums.way, sample, counts, binding);
        if counts {
            self.floor.add(&mut sums.floor, sample, sums.feet.soles(), binding);
            self.limits.add(&mut sums.limits, sample);
        }
    }

    /// The report on all frames that were added, of the same binding.
    pub fn report(&self, binding: &Binding, sums: Accumulator) -> Report {
        let mut report = Report { contact_cores: self.feet.cores(), ..Report::default() };
        self.feet.report(&mut report, sums.feet, binding);
        self.floor.report(&mut report, sums.floor, &binding.target);
        self.limbs.report(&mut report, sums.limbs, binding);
        self.limits.report(&mut report, sums.limits, &binding.target);
        self.smooth.report(&mut report, sums.smooth, &binding.target);
        self.snap.report(&mut report, sums.snap, &binding.target);
        self.way.report(&mut report, sums.way, binding);
        report
    }
}

impl Accumulator {
    /// Adds the numbers of the next stretch to these.
    pub fn append(&mut self, next: Accumulator) {
        self.feet.append(next.feet);
        self.floor.append(next.floor);
        self.limbs.append(next.limbs);
        self.limits.append(next.limits);
        self.smooth.append(next.smooth);
        self.snap.append(next.snap);
        self.way.append(next.way);
    }
}

/// The worst of values, the first of equals, and where it is: what it is of, by its place in some list, and the
/// frame.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    value: f64,
    of: usize,
    frame: usize,
}

impl Worst {
    fn note(&mut self, value: f64, of: usize, frame: usize) {
        if value > self.value {
            *self = Self { value, of, frame };
        }
    }

    fn append(&mut self, next: Worst) {
        self.note(next.value, next.of, next.frame);
    }

    /// With the number that it is the worst of; no joint where nothing was worse than 0.
    fn measure<'n>(self, value: f64, name: impl FnOnce(usize) -> &'n str) -> Measure {
        let joint = if self.value > 0.0 { name(self.of).to_owned() } else { String::new() };
        Measure { value, worst: self.value, joint, frame: self.frame }
    }
}
