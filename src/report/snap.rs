//! Where a limb snaps: its direction changes so abruptly from one frame to the next as that of no limb of the source at
//! about the same time. Where a hand, a foot or toes flick: the same, as nothing of the transferred clip, since these have
//! no direction of their own in many sources.

use super::{FrameSample, Measure, Report, Worst};
use crate::binding::Binding;
use crate::math::{Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{BoneEnd, Rig, Role, bone_end};
use crate::skeleton::JointId;

/// The bones whose directions are looked at.
pub(super) struct Metrics {
    /// Thighs, shins, upper arms and forearms, and the bones of named chains.
    limbs: Bones,
    /// Hands, feet and toes, compared with limbs, hands, feet and toes.
    ends: Bones,
    /// Bones are compared within this many frames.
    radius: usize,
}

/// Bones of one kind, and what they are compared with.
struct Bones {
    compared: Vec<Bone>,
    own: Vec<Bone>,
}

struct Bone {
    joint: JointId,
    end: BoneEnd,
}

pub(super) struct Accumulator {
    limbs: Seen,
    ends: Seen,
}

/// What was seen of bones of one kind.
struct Seen {
    /// The directions in the last two frames, the newest last, of the bones and of those that they are compared with.
    own: Vec<[Vec3; 2]>,
    compared: Vec<[Vec3; 2]>,
    /// One a frame, but for the clip's first and last.
    breaks: Vec<Breaks>,
}

/// The largest break of any bone in a frame, and of any that it is compared with, degrees a frame². A break is the second
/// difference of a bone's direction.
struct Breaks {
    compared_deg: f64,
    own_deg: f64,
    /// Which of the result's bones it is.
    bone: usize,
}

/// Bones are compared within this time, seconds, since a bone may break a little earlier or later than its source's.
const WITHIN_S: f64 = 0.1;

/// A limb snaps, and a hand, a foot or toes flick, where it breaks more than this many times as much as all that it is
/// compared with.
const TIMES: f64 = 3.0;

impl Metrics {
    pub fn new(binding: &Binding, frame_time_s: f64) -> Self {
        let radius = (WITHIN_S / frame_time_s).round().max(1.0) as usize;
        let Binding { source, target, .. } = binding;
        let limbs = Bones { compared: bones(source, is_limb), own: bones(target, is_limb) };
        let is_any = |role| is_limb(role) || is_end(role);
        let ends = Bones { compared: bones(target, is_any), own: bones(target, is_end) };
        Self { limbs, ends, radius }
    }

    pub fn accumulator(&self) -> Accumulator {
        Accumulator { limbs: self.limbs.seen(), ends: self.ends.seen() }
    }

    /// Adds a frame, which decides whether a bone breaks in the frame before it. Allocates only what is kept.
    pub fn add(&self, sums: &mut Accumulator, sample: &FrameSample, counts: bool) {
        let limbs = self.limbs.breaks(&mut sums.limbs, sample.source, sample.world);
        let ends = self.ends.breaks(&mut sums.ends, sample.transferred, sample.world);
        if counts && sample.frame >= 2 {
            sums.limbs.breaks.push(limbs);
            sums.ends.breaks.push(ends);
        }
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, rig: &Rig) {
        report.snap_deg = self.limbs.worst(&sums.limbs.breaks, self.radius, rig);
        report.flick_deg = self.ends.worst(&sums.ends.breaks, self.radius, rig);
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.limbs.breaks.extend(next.limbs.breaks);
        self.ends.breaks.extend(next.ends.breaks);
    }
}

impl Bones {
    fn seen(&self) -> Seen {
        let none = |bones: &[Bone]| vec![[Vec3::zeros(); 2]; bones.len()];
        Seen { own: none(&self.own), compared: none(&self.compared), breaks: Vec::new() }
    }

    fn breaks(&self, seen: &mut Seen, compared: &WorldPose, own: &WorldPose) -> Breaks {
        let compared = see(&mut seen.compared, &self.compared, compared);
        let own = see(&mut seen.own, &self.own, own);
        let [compared_deg, own_deg] = [compared.value, own.value].map(f64::to_degrees);
        Breaks { compared_deg, own_deg, bone: own.of }
    }

    /// The break that is the farthest beyond those within this many frames that it is compared with.
    fn worst(&self, breaks: &[Breaks], radius: usize, rig: &Rig) -> Measure {
        let compared: Vec<f64> = breaks.iter().map(|breaks| breaks.compared_deg).collect();
        let mut worst = Worst::default();
        let allowed = curve::highest_within(&compared, radius);
        for ((i, breaks), most) in breaks.iter().enumerate().zip(allowed) {
            worst.note(breaks.own_deg - TIMES * most, breaks.bone, i + 1);
        }
        let name = |bone: usize| rig.skeleton.name(self.own[bone].joint);
        match worst.value > 0.0 {
            true => worst.measure(worst.value, name),
            false => Measure::default(),
        }
    }
}

/// The largest break of any bone, radians a frame²: the length of the second difference of its unit vector over this
/// frame and the two before it.
fn see(directions: &mut [[Vec3; 2]], bones: &[Bone], world: &WorldPose) -> Worst {
    let mut most = Worst::default();
    for (i, (bone, [before, last])) in bones.iter().zip(directions).enumerate() {
        let along = bone.end.world(world) - world.position(bone.joint);
        let is = along.try_normalize(1e-300).unwrap_or(*last);
        most.note((is - *last * 2.0 + *before).norm(), i, 0);
        (*before, *last) = (*last, is);
    }
    most
}

fn is_limb(role: Role) -> bool {
    matches!(
        role,
        Role::Thigh(_) | Role::Shin(_) | Role::UpperArm(_) | Role::Forearm(_) | Role::Chain(_, _)
    )
}

fn is_end(role: Role) -> bool {
    matches!(role, Role::Hand(_) | Role::Foot(_) | Role::Toe(_))
}

fn bones(rig: &Rig, is_one: impl Fn(Role) -> bool) -> Vec<Bone> {
    let bone = |(role, joint): (Role, JointId)| {
        let end = bone_end(&rig.skeleton, &rig.roles, joint).filter(|_| is_one(role))?;
        Some(Bone { joint, end })
    };
    rig.roles.iter().filter_map(bone).collect()
}
