//! Where a limb snaps: its direction changes so abruptly from one frame to the next as that of no limb of the source at
//! about the same time.

use super::{FrameSample, Measure, Report, Worst};
use crate::binding::Binding;
use crate::math::{Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{BoneEnd, Rig, Role, bone_end};
use crate::skeleton::JointId;

/// The limbs whose directions are looked at: thighs, shins, upper arms and forearms, and the joints of named chains.
pub(super) struct Metrics {
    source: Vec<Limb>,
    target: Vec<Limb>,
    /// Limbs of the source are compared within this many frames.
    radius: usize,
}

struct Limb {
    joint: JointId,
    end: BoneEnd,
}

pub(super) struct Accumulator {
    source: Directions,
    target: Directions,
    /// One a frame, but for the clip's first and last.
    breaks: Vec<Breaks>,
}

/// The largest break of any limb in a frame, for source and result, degrees a frame². A break is the second difference
/// of a limb's direction.
struct Breaks {
    source_deg: f64,
    target_deg: f64,
    /// Which of the target's limbs it is.
    limb: usize,
}

/// The directions of limbs in the last two frames, the newest last.
struct Directions(Vec<[Vec3; 2]>);

/// Limbs of the source are compared within this time, seconds, since a limb may break a little earlier or later than
/// its source's.
const WITHIN_S: f64 = 0.1;

/// A limb snaps where it breaks more than this many times as much as the source's limbs.
const TIMES: f64 = 3.0;

impl Metrics {
    pub fn new(binding: &Binding, frame_time_s: f64) -> Self {
        let radius = (WITHIN_S / frame_time_s).round().max(1.0) as usize;
        Self { source: limbs(&binding.source), target: limbs(&binding.target), radius }
    }

    pub fn accumulator(&self) -> Accumulator {
        let of = |limbs: &[Limb]| Directions(vec![[Vec3::zeros(); 2]; limbs.len()]);
        Accumulator { source: of(&self.source), target: of(&self.target), breaks: Vec::new() }
    }

    /// Adds a frame, which decides whether a limb breaks in the frame before it. Allocates only what is kept.
    pub fn add(&self, sums: &mut Accumulator, sample: &FrameSample, counts: bool) {
        let source = sums.source.see(&self.source, sample.source);
        let target = sums.target.see(&self.target, sample.world);
        if counts && sample.frame >= 2 {
            let [source_deg, target_deg] = [source.value, target.value].map(f64::to_degrees);
            sums.breaks.push(Breaks { source_deg, target_deg, limb: target.of });
        }
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, rig: &Rig) {
        let source: Vec<f64> = sums.breaks.iter().map(|breaks| breaks.source_deg).collect();
        let mut worst = Worst::default();
        let allowed = curve::highest_within(&source, self.radius);
        for ((i, breaks), most) in sums.breaks.iter().enumerate().zip(allowed) {
            worst.note(breaks.target_deg - TIMES * most, breaks.limb, i + 1);
        }
        let name = |limb: usize| rig.skeleton.name(self.target[limb].joint);
        report.snap_deg = match worst.value > 0.0 {
            true => worst.measure(worst.value, name),
            false => Measure::default(),
        };
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.breaks.extend(next.breaks);
    }
}

impl Directions {
    /// The largest break of any limb, radians a frame²: the length of the second difference of its unit vector over
    /// this frame and the two before it.
    fn see(&mut self, limbs: &[Limb], world: &WorldPose) -> Worst {
        let mut most = Worst::default();
        for (i, (limb, [before, last])) in limbs.iter().zip(&mut self.0).enumerate() {
            let along = limb.end.world(world) - world.position(limb.joint);
            let is = along.try_normalize(1e-300).unwrap_or(*last);
            most.note((is - *last * 2.0 + *before).norm(), i, 0);
            (*before, *last) = (*last, is);
        }
        most
    }
}

fn limbs(rig: &Rig) -> Vec<Limb> {
    let limb = |(role, joint): (Role, JointId)| {
        let is_limb = matches!(
            role,
            Role::Thigh(_)
                | Role::Shin(_)
                | Role::UpperArm(_)
                | Role::Forearm(_)
                | Role::Chain(_, _)
        );
        let end = bone_end(&rig.skeleton, &rig.roles, joint).filter(|_| is_limb)?;
        Some(Limb { joint, end })
    };
    rig.roles.iter().filter_map(limb).collect()
}
