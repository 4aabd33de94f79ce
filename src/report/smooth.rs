//! How much rougher a result moves than the transferred clip before planting: how far its joints jump, how they jerk, and
//! whether its knees pop.

use super::{FrameSample, Measure, Report, Worst};
use crate::math::{Tail, Vec3};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

/// Compares first and third differences of the places of hips, knees, feet, elbows, hands and head, and second
/// differences of the knees' angles, with those of the transferred clip, the result before planting.
pub(super) struct Metrics {
    joints: Vec<JointId>,
    /// Hip, knee and ankle of each side that has them.
    knees: [Option<[JointId; 3]>; 2],
    /// How many frames there are.
    frames: usize,
}

/// How many frames before its own a third difference needs.
pub(super) const DIFFERENCES: usize = 3;

pub(super) struct Accumulator {
    was: Roughness,
    is: Roughness,
    /// How much longer a third difference of the result's is, and the frame in which it ends, by joint.
    excess: Vec<(f64, usize)>,
}

/// How the result or the transferred clip moves.
struct Roughness {
    /// The places of the last frames, the newest last, by joint.
    places: Vec<[Vec3; DIFFERENCES + 1]>,
    /// The knees' angles in the last frames (radians), by side.
    bends: [[f64; 3]; 2],
    /// Sums of the lengths of third differences, by joint.
    sums: Vec<f64>,
    /// The lengths of this frame, by joint.
    jerks: Vec<f64>,
    peak: Tail,
    longest: Worst,
    /// The largest move from one frame to the next.
    jump: Worst,
    /// The largest change of a knee's angular speed (radians a frame²), by side.
    pops: [Worst; 2],
}

/// The share of third differences that are no longer than the peak.
const PEAK: f64 = 0.999;

impl Metrics {
    pub fn new(rig: &Rig, frames: usize) -> Self {
        let limbs = |s| [Role::Shin(s), Role::Foot(s), Role::Forearm(s), Role::Hand(s)];
        let joints = [Role::Hips, Role::Head]
            .into_iter()
            .chain(Side::BOTH.into_iter().flat_map(limbs))
            .filter_map(|role| rig.joint(role))
            .collect();
        let knees = Side::BOTH.map(|side| {
            let joint = |role| rig.joint(role);
            Some([joint(Role::Thigh(side))?, joint(Role::Shin(side))?, joint(Role::Foot(side))?])
        });
        Self { joints, knees, frames }
    }

    pub fn accumulator(&self) -> Accumulator {
        let count = self.joints.len();
        let roughness = || Roughness {
            places: vec![[Vec3::zeros(); DIFFERENCES + 1]; count],
            bends: [[0.0; 3]; 2],
            sums: vec![0.0; count],
            jerks: vec![0.0; count],
            peak: Tail::new(self.jerks(), PEAK),
            longest: Worst::default(),
            jump: Worst::default(),
            pops: [Worst::default(); 2],
        };
        let excess = vec![(f64::NEG_INFINITY, 1); count];
        Accumulator { was: roughness(), is: roughness(), excess }
    }

    /// How many third differences there are.
    fn jerks(&self) -> usize {
        self.frames.saturating_sub(DIFFERENCES) * self.joints.len()
    }

    pub fn add(&self, sums: &mut Accumulator, sample: &FrameSample, counts: bool) {
        let Accumulator { was, is, excess } = sums;
        was.see(self, sample.transferred, sample.frame, counts);
        is.see(self, sample.world, sample.frame, counts);
        if counts && sample.frame >= DIFFERENCES {
            for ((was, is), excess) in was.jerks.iter().zip(&is.jerks).zip(excess) {
                if is - was >= excess.0 {
                    *excess = (is - was, sample.frame);
                }
            }
        }
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, rig: &Rig) {
        let Accumulator { was, is, excess } = sums;
        let name = |joint: usize| rig.skeleton.name(self.joints[joint]);
        let smallest = SMALLEST_LEN * rig.leg_len;
        let of_joint = self.frames.saturating_sub(DIFFERENCES).max(1) as f64;
        let sum = |r: &Roughness| r.sums.iter().sum::<f64>() / of_joint;
        let jump = ratio(is.jump.value, was.jump.value, smallest);
        report.jump_ratio = Measure { worst: jump, ..is.jump.measure(jump, name) };
        let mut worst = Worst::default();
        for ((i, (is, was)), (_, frame)) in is.sums.iter().zip(&was.sums).enumerate().zip(excess) {
            worst.note(ratio(is / of_joint, was / of_joint, smallest), i, frame - 1);
        }
        report.jerk_ratio = worst.measure(ratio(sum(&is), sum(&was), smallest), name);
        let longest = is.longest;
        let value = ratio(is.peak.value(), was.peak.value(), smallest);
        report.jerk_peak_ratio = match self.jerks() {
            0 => Measure { value, ..Measure::default() },
            _ => Measure {
                value,
                worst: ratio(longest.value, was.longest.value, smallest),
                joint: name(longest.of).to_owned(),
                frame: longest.frame.max(DIFFERENCES) - 1,
            },
        };
        let sides = [0, 1].map(|i| ratio(is.pops[i].value, was.pops[i].value, SMALLEST_RAD));
        let side = usize::from(sides[1] > sides[0]);
        let most = |pops: &[Worst; 2]| pops[0].value.max(pops[1].value);
        report.knee_pop_ratio = Measure {
            value: ratio(most(&is.pops), most(&was.pops), SMALLEST_RAD),
            worst: sides[side],
            joint: rig
                .joint(Role::Shin(Side::BOTH[side]))
                .map_or_else(String::new, |id| rig.skeleton.name(id).to_owned()),
            frame: is.pops[side].frame,
        };
    }
}

/// Moves (leg lengths a frame) and third differences (leg lengths a frame³) below this count as no motion.
const SMALLEST_LEN: f64 = 1e-6;
/// Changes of a knee's angular speed below this, radians a frame² (0.4°), count as none: a sixth of what is seen as a
/// snap of a limb that nothing else moves.
const SMALLEST_RAD: f64 = 7e-3;

/// The ratio of two amounts, of which what is below the smallest counts as that; 1 where both are next to nothing.
fn ratio(is: f64, was: f64, smallest: f64) -> f64 {
    is.max(smallest) / was.max(smallest)
}

impl Roughness {
    fn see(&mut self, metrics: &Metrics, world: &WorldPose, frame: usize, counts: bool) {
        for (i, (&id, places)) in metrics.joints.iter().zip(&mut self.places).enumerate() {
            let [_, a, b, c] = *places;
            *places = [a, b, c, world.position(id)];
            if counts && frame > 0 {
                self.jump.note((places[DIFFERENCES] - places[DIFFERENCES - 1]).norm(), i, frame);
            }
            if counts && frame >= DIFFERENCES {
                let [a, b, c, d] = *places;
                let jerk = (d - 3.0 * c + 3.0 * b - a).norm();
                self.jerks[i] = jerk;
                self.sums[i] += jerk;
                self.peak.push(jerk);
                self.longest.note(jerk, i, frame);
            }
        }
        for (i, knee) in metrics.knees.iter().enumerate() {
            let Some(knee) = knee else { continue };
            let [hip, knee, ankle] = knee.map(|id| world.position(id));
            let [a, b, c] = &mut self.bends[i];
            // Between thigh and shin; 0 where the leg is straight.
            (*a, *b, *c) = (*b, *c, (knee - hip).angle(&(ankle - knee)));
            if counts && frame >= 2 {
                self.pops[i].note((*c - 2.0 * *b + *a).abs(), i, frame - 1);
            }
        }
    }

    fn append(&mut self, next: Roughness) {
        self.sums.iter_mut().zip(next.sums).for_each(|(own, next)| *own += next);
        self.peak.append(next.peak);
        self.longest.append(next.longest);
        self.jump.append(next.jump);
        self.pops.iter_mut().zip(next.pops).for_each(|(own, next)| own.append(next));
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.was.append(next.was);
        self.is.append(next.is);
        for (own, next) in self.excess.iter_mut().zip(next.excess) {
            if next.0 >= own.0 {
                *own = next;
            }
        }
    }
}
