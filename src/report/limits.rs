//! How often joints are outside the limits that a rig states.

use super::{FrameSample, Measure, Report};
use crate::binding::limited;
use crate::ik::Joint;
use crate::rig::Rig;
use crate::skeleton::JointId;

/// How far outside a limit a joint may be for the rounding of a file's decimals alone, radians.
const SLACK_RAD: f64 = 2e-3;

pub(super) struct Metrics {
    limits: Vec<(JointId, Joint)>,
    /// How many frames there are.
    frames: usize,
}

pub(super) struct Accumulator {
    frames_outside: usize,
    /// One a limit.
    outside: Vec<Outside>,
}

/// How often a joint is outside its limit.
#[derive(Clone, Copy, Default)]
struct Outside {
    frames: usize,
    farthest_rad: f64,
    /// The frame in which it is farthest outside.
    frame: usize,
}

impl Metrics {
    pub fn new(rig: &Rig, frames: usize) -> Self {
        let limits = rig.limits.iter().filter_map(|(id, _)| Some((*id, limited(rig, *id)?)));
        Self { limits: limits.collect(), frames }
    }

    pub fn accumulator(&self) -> Accumulator {
        Accumulator { frames_outside: 0, outside: vec![Outside::default(); self.limits.len()] }
    }

    pub fn add(&self, sums: &mut Accumulator, sample: &FrameSample) {
        let mut is_outside = false;
        for ((id, limit), outside) in self.limits.iter().zip(&mut sums.outside) {
            let rotation = sample.pose.rotations[id.index()];
            let off_rad = limit.confine(rotation).angle_to(&rotation);
            if off_rad > SLACK_RAD {
                is_outside = true;
                outside.note(Outside { frames: 1, farthest_rad: off_rad, frame: sample.frame });
            }
        }
        sums.frames_outside += usize::from(is_outside);
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, rig: &Rig) {
        let share = |frames: usize| frames as f64 / self.frames as f64;
        let worst = self.limits.iter().zip(sums.outside).max_by_key(|(_, own)| own.frames);
        if let Some(((id, _), own)) = worst.filter(|(_, own)| own.frames > 0) {
            report.joint_limits_ratio = Measure {
                value: share(sums.frames_outside),
                worst: share(own.frames),
                joint: rig.skeleton.name(*id).to_owned(),
                frame: own.frame,
            };
        }
    }
}

impl Outside {
    fn note(&mut self, next: Outside) {
        self.frames += next.frames;
        if next.farthest_rad > self.farthest_rad {
            (self.farthest_rad, self.frame) = (next.farthest_rad, next.frame);
        }
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.frames_outside += next.frames_outside;
        self.outside.iter_mut().zip(next.outside).for_each(|(own, next)| own.note(next));
    }
}
