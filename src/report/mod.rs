//! The verdict on a result: numbers measured in the world, each with its worst place.
//!
//! Lengths are given in centimetres of a body whose legs (thigh plus shin) measure 90 cm, so that
//! every rig and unit compares.

mod core;
mod feet;
mod limbs;
mod limits;
mod numbers;
mod smooth;

pub use numbers::{NUMBERS, Number, Numbers};

use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, FootPaths, foot_paths};
use serde::{Deserialize, Serialize};

/// Centimetres that a leg length stands for in a report.
pub const LEG_CM: f64 = 90.0;

/// A number with the place where it is worst.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The number that the report is about; its unit is in the field's name.
    pub value: f64,
    /// The single worst value, in the same unit.
    pub worst: f64,
    /// Where that is: a joint of the target, and the frame.
    pub joint: String,
    pub frame: usize,
}

/// What a result is like beside its source.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// How many contact cores the source has: stretches in which any sensible detector agrees that a
    /// foot stands.
    pub contact_cores: usize,
    /// 95th percentile over the contact cores of the ball's largest distance from its median place,
    /// level.
    pub plant_drift_cm: Measure,
    /// Mean level speed of the ball in the contact cores.
    pub skate_cm_s: Measure,
    /// 95th percentile of the depth of the lowest sole point under the floor while in contact.
    pub penetration_cm: Measure,
    /// 95th percentile of the height of the lowest sole point over the floor while in contact.
    pub float_cm: Measure,
    /// Mean angle between source and target bones of limbs; of feet, trunk and neck between those of the
    /// carried clip and the result's, since bodies differ in their shape; feet laid flat where the source's
    /// rest flat.
    pub limb_direction_deg: Measure,
    /// Share of frames in which a joint is outside a limit that the target states; the worst is that of one
    /// joint.
    pub joint_limits_ratio: Measure,
    /// The largest frame-to-frame move of a joint over the source's largest, both in legs.
    pub jump_ratio: Measure,
    /// Mean third difference of hips, knees, feet, elbows, hands and head, over that of the carried clip; the
    /// worst is that of one joint.
    pub jerk_ratio: Measure,
    /// 99.9th percentile of the same; the worst is the largest over the largest.
    pub jerk_peak_ratio: Measure,
    /// The largest change of a knee's angular speed from one frame to the next, over that of the carried clip.
    pub knee_pop_ratio: Measure,
}

/// Measures a result of this binding against its source and against `carried`, the same motion before planting.
/// Costs three forward kinematics a frame of the result, two of `carried` and one of the source; panics
/// if the frame counts differ.
pub fn measure(
    source: &Clip,
    source_feet: &FootPaths,
    carried: &Clip,
    result: &Clip,
    track: &ContactTrack,
    binding: &Binding,
) -> Report {
    assert_eq!(source.len(), result.len(), "a result has its source's frames");
    let cores = core::contact_cores(source, &binding.source, source_feet, track.floor_height);
    let paths = foot_paths(result, &binding.target);
    let mut report = Report { contact_cores: cores.len(), ..Report::default() };
    feet::measure(&mut report, &cores, track, binding, &paths, result.frame_time().seconds());
    limbs::measure(&mut report, source, carried, result, binding);
    limits::measure(&mut report, result, &binding.target);
    smooth::measure(&mut report, carried, result, &binding.target);
    report
}
