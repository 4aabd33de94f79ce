//! How often joints are outside the limits that a rig states.

use super::{Measure, Report};
use crate::clip::Clip;
use crate::ik::Joint;
use crate::plant::limited;
use crate::pose::Pose;
use crate::rig::Rig;
use crate::skeleton::JointId;

/// An angle (radians) that a file's decimals may be outside by.
const SLACK_RAD: f64 = 2e-3;

/// One pass over the frames of a rig that states limits; nothing to do for others.
pub(super) fn measure(report: &mut Report, result: &Clip, rig: &Rig) {
    let limits: Vec<(JointId, Joint)> =
        rig.limits.iter().filter_map(|(id, _)| Some((*id, limited(rig, *id)?))).collect();
    if limits.is_empty() || result.is_empty() {
        return;
    }
    let mut pose = Pose::rest(&rig.skeleton);
    let mut frames_outside = 0usize;
    // Of each joint how many frames, and the farthest of them.
    let mut of_joint = vec![(0usize, 0.0f64, 0usize); limits.len()];
    for frame in 0..result.len() {
        result.read_pose(frame, &mut pose);
        let mut outside = false;
        for ((id, limit), (count, farthest, at)) in limits.iter().zip(&mut of_joint) {
            let rotation = pose.rotations[id.index()];
            let off_rad = limit.confine(rotation).angle_to(&rotation);
            if off_rad > SLACK_RAD {
                outside = true;
                *count += 1;
                if off_rad > *farthest {
                    (*farthest, *at) = (off_rad, frame);
                }
            }
        }
        frames_outside += usize::from(outside);
    }
    let share = |count: usize| count as f64 / result.len() as f64;
    let worst = limits.iter().zip(of_joint).max_by_key(|(_, (count, ..))| *count);
    if let Some(((id, _), (count, _, frame))) = worst.filter(|(_, (count, ..))| *count > 0) {
        report.joint_limits_ratio = Measure {
            value: share(frames_outside),
            worst: share(count),
            joint: rig.skeleton.name(*id).to_owned(),
            frame,
        };
    }
}
