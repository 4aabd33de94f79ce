//! How much rougher a result moves than the same body with the rotations copied, and whether its
//! knees pop.

use super::{Measure, Report};
use crate::clip::Clip;
use crate::math::{Vec3, percentile};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

/// Compares third differences of the places of hips, knees, feet, elbows, hands and head, and second
/// differences of the knees' angles, with those of `carried`, the result before planting.
pub(super) fn measure(report: &mut Report, carried: &Clip, result: &Clip, rig: &Rig) {
    let limbs = |s| [Role::Shin(s), Role::Foot(s), Role::Forearm(s), Role::Hand(s)];
    let joints: Vec<JointId> = [Role::Hips, Role::Head]
        .into_iter()
        .chain(Side::BOTH.into_iter().flat_map(limbs))
        .filter_map(|role| rig.joint(role))
        .collect();
    let was = Roughness::of(carried, rig, &joints);
    let is = Roughness::of(result, rig, &joints);
    let means = |r: &Roughness| {
        let of_joint = |j: usize| {
            let own = r.jerks.iter().skip(j).step_by(joints.len());
            own.sum::<f64>() / (r.jerks.len() / joints.len()).max(1) as f64
        };
        (0..joints.len()).map(of_joint).collect::<Vec<f64>>()
    };
    let (was_means, is_means) = (means(&was), means(&is));
    let smallest = SMALLEST_LEN * rig.leg_len;
    report.jerk_ratio.value =
        ratio(is_means.iter().sum::<f64>(), was_means.iter().sum::<f64>(), smallest);
    for (j, &id) in joints.iter().enumerate() {
        let worst_frame = || {
            let excess = |f: usize| is.jerks[f] - was.jerks[f];
            let own = (j..is.jerks.len()).step_by(joints.len());
            own.max_by(|&a, &b| excess(a).total_cmp(&excess(b))).map_or(0, |i| i / joints.len() + 2)
        };
        let of_joint = ratio(is_means[j], was_means[j], smallest);
        if of_joint > report.jerk_ratio.worst {
            let joint = rig.skeleton.name(id).to_owned();
            let value = report.jerk_ratio.value;
            report.jerk_ratio = Measure { value, worst: of_joint, joint, frame: worst_frame() };
        }
    }
    let peak = |r: &Roughness| percentile(r.jerks.iter().copied(), 0.999);
    let value = ratio(peak(&is), peak(&was), smallest);
    let worst = is.jerks.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    report.jerk_peak_ratio = match worst {
        Some((i, most)) => Measure {
            value,
            worst: ratio(*most, was.jerks.iter().copied().fold(0.0, f64::max), smallest),
            joint: rig.skeleton.name(joints[i % joints.len()]).to_owned(),
            frame: i / joints.len() + 2,
        },
        None => Measure { value, ..Measure::default() },
    };
    let sides = [0, 1].map(|i| ratio(is.pops[i].most, was.pops[i].most, SMALLEST_RAD));
    let side = usize::from(sides[1] > sides[0]);
    let most = |r: &Roughness| r.pops[0].most.max(r.pops[1].most);
    report.knee_pop_ratio = Measure {
        value: ratio(most(&is), most(&was), SMALLEST_RAD),
        worst: sides[side],
        joint: rig
            .joint(Role::Shin(Side::BOTH[side]))
            .map_or_else(String::new, |id| rig.skeleton.name(id).to_owned()),
        frame: is.pops[side].frame,
    };
}

/// Moves and third differences below this share of a leg (a frame, a frame³) are no motion.
pub(super) const SMALLEST_LEN: f64 = 1e-6;
/// Changes of a knee's speed below this (radians a frame²) are none.
const SMALLEST_RAD: f64 = 1e-3;

/// How many times as much; 1 where both are next to nothing.
pub(super) fn ratio(is: f64, was: f64, smallest: f64) -> f64 {
    (is + smallest) / (was + smallest)
}

/// The largest change of a knee's angular speed from one frame to the next.
#[derive(Clone, Copy, Default)]
struct Pop {
    most: f64,
    frame: usize,
}

struct Roughness {
    /// Lengths of third differences, frame by frame, joint by joint.
    jerks: Vec<f64>,
    pops: [Pop; 2],
}

impl Roughness {
    fn of(clip: &Clip, rig: &Rig, joints: &[JointId]) -> Self {
        let mut pose = Pose::rest(&rig.skeleton);
        let mut world = WorldPose::new(rig.skeleton.len());
        let mut last = vec![[Vec3::zeros(); 4]; joints.len()];
        let mut bends = [[0.0; 3]; 2];
        let mut jerks = Vec::with_capacity(clip.len().saturating_sub(3) * joints.len());
        let mut pops = [Pop::default(); 2];
        for frame in 0..clip.len() {
            clip.read_pose(frame, &mut pose);
            world.set(&rig.skeleton, &pose);
            for (&id, [a, b, c, d]) in joints.iter().zip(&mut last) {
                (*a, *b, *c, *d) = (*b, *c, *d, world.position(id));
                if frame >= 3 {
                    jerks.push((*d - 3.0 * *c + 3.0 * *b - *a).norm());
                }
            }
            for (side, ([a, b, c], pop)) in
                Side::BOTH.into_iter().zip(bends.iter_mut().zip(&mut pops))
            {
                (*a, *b, *c) = (*b, *c, knee_bend(rig, &world, side));
                let change = (*c - 2.0 * *b + *a).abs();
                if frame >= 2 && change > pop.most {
                    *pop = Pop { most: change, frame: frame - 1 };
                }
            }
        }
        Self { jerks, pops }
    }
}

/// The angle between thigh and shin, radians; 0 where the leg is straight.
fn knee_bend(rig: &Rig, world: &WorldPose, side: Side) -> f64 {
    let place = |role: Role| rig.joint(role).map_or(Vec3::zeros(), |id| world.position(id));
    let [hip, knee, ankle] = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(place);
    (knee - hip).angle(&(ankle - knee))
}
