//! How far the line through the hip joints leans.
//!
//! Hips that are wide for their legs lift one foot far over the other where they lean as those of the source do. Where
//! these feet stand, knees bend or the body bobs for it. So a pelvis rolls until one hip joint is as much higher than the
//! other as in the source, in leg lengths.

use crate::math::{Quat, Vec3, curve, rotation_between};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

/// The sines of the lean up to which the heights of the hip joints count, and from which on the pelvis rolls as the
/// source's: on its side, a body is not carried by its legs.
const LEAN_SINE: [f64; 2] = [0.25, 0.6];

/// Hips that are narrower than this, in legs, say nothing of a person's width.
const LEAST_WIDTH: f64 = 0.05;

/// A pelvis with narrow hips rolls at most so many times as far as the source's.
const STEEPEST: f64 = 1.5;

/// Hips whose width differs by less than this share are as wide: two stances of one body differ by as much.
const AS_WIDE: f64 = 0.02;

/// How a pelvis with hips of another width than the source's rolls.
#[derive(Clone, Debug)]
pub(crate) struct HipLine {
    /// The hips and the joints between them and the thighs.
    pub pelvis: Vec<JointId>,
    /// To the left in the frame of the hips, unit length.
    left: Vec3,
    /// How far the line leans, as a multiple of the source's lean.
    steepness: f64,
}

impl HipLine {
    /// `None` where the hips of both are as wide for their legs, or not those of people.
    pub fn new(source: &Rig, target: &Rig) -> Option<Self> {
        let steepness = (width(source)? / width(target)?).min(STEEPEST);
        let hips = target.joint(Role::Hips)?;
        let pelvis = pelvis(target)?;
        let left = target.stance.body_from_joint[hips.index()].inverse() * Vec3::x();
        ((steepness - 1.0).abs() > AS_WIDE).then_some(Self { pelvis, left, steepness })
    }

    /// The rotation that rolls a pelvis whose hips have this `rotation`; both in the target's world. Continuous: an even
    /// turn of the source's turns the pelvis at most three times as fast.
    pub fn roll(&self, rotation: Quat, up: Vec3) -> Quat {
        let left = rotation * self.left;
        let sine = left.dot(&up);
        let counts = curve::ramp(sine.abs(), LEAN_SINE[1], LEAN_SINE[0]);
        rotation_between(left, left + up * (sine * (self.steepness - 1.0) * counts))
    }
}

/// The hips and the joints between them and the thighs, each after its parent; `None` where thighs do not hang below the
/// hips.
pub(super) fn pelvis(rig: &Rig) -> Option<Vec<JointId>> {
    let (hips, skeleton) = (rig.joint(Role::Hips)?, &rig.skeleton);
    let thighs = [rig.joint(Role::Thigh(Side::Left))?, rig.joint(Role::Thigh(Side::Right))?];
    if !thighs.iter().all(|thigh| skeleton.is_ancestor(hips, *thigh)) {
        return None;
    }
    let mut pelvis = skeleton.with_ancestors(thighs);
    let hips_and_below = skeleton.subtree(hips);
    pelvis.retain(|id| hips_and_below.contains(&id.index()) && !thighs.contains(id));
    Some(pelvis)
}

/// How far apart the thighs begin in the stance, in legs.
fn width(rig: &Rig) -> Option<f64> {
    let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
    let place = |side| rig.joint(Role::Thigh(side)).map(|thigh| world.position(thigh));
    let width = (place(Side::Left)? - place(Side::Right)?).norm() / rig.leg_len;
    (width >= LEAST_WIDTH).then_some(width)
}
