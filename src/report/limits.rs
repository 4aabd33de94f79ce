//! How often joints are outside the limits that a rig states.

use super::{Measure, Report, Seen};
use crate::binding::limited;
use crate::ik::Joint;
use crate::rig::Rig;
use crate::skeleton::JointId;

/// An angle (radians) that a file's decimals may be outside by.
const SLACK_RAD: f64 = 2e-3;

pub(super) struct Ruler {
    limits: Vec<(JointId, Joint)>,
    /// How many frames there are.
    frames: usize,
}

pub(super) struct Tally {
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

impl Ruler {
    pub fn new(rig: &Rig, frames: usize) -> Self {
        let limits = rig.limits.iter().filter_map(|(id, _)| Some((*id, limited(rig, *id)?)));
        Self { limits: limits.collect(), frames }
    }

    pub fn tally(&self) -> Tally {
        Tally { frames_outside: 0, outside: vec![Outside::default(); self.limits.len()] }
    }

    pub fn see(&self, tally: &mut Tally, seen: &Seen) {
        let mut is_outside = false;
        for ((id, limit), outside) in self.limits.iter().zip(&mut tally.outside) {
            let rotation = seen.pose.rotations[id.index()];
            let off_rad = limit.confine(rotation).angle_to(&rotation);
            if off_rad > SLACK_RAD {
                is_outside = true;
                outside.note(Outside { frames: 1, farthest_rad: off_rad, frame: seen.frame });
            }
        }
        tally.frames_outside += usize::from(is_outside);
    }

    pub fn report(&self, report: &mut Report, tally: Tally, rig: &Rig) {
        let share = |frames: usize| frames as f64 / self.frames as f64;
        let worst = self.limits.iter().zip(tally.outside).max_by_key(|(_, own)| own.frames);
        if let Some(((id, _), own)) = worst.filter(|(_, own)| own.frames > 0) {
            report.joint_limits_ratio = Measure {
                value: share(tally.frames_outside),
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

impl Tally {
    pub fn append(&mut self, next: Tally) {
        self.frames_outside += next.frames_outside;
        self.outside.iter_mut().zip(next.outside).for_each(|(own, next)| own.note(next));
    }
}
