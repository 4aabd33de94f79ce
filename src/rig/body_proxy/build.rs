//! How thick people are, as shares of their bones.
//!
//! Girths, breadths and depths are means of the men of the survey ANSUR II (Gordon et al. 2014, the 2012 survey of the
//! US Army); lengths of bones are the shares of their stature, 1.756 m, that Winter has (Biomechanics and Motor Control
//! of Human Movement, figure 4.1). docs/SKELETON.md has what was measured, what of it could not be read at the source,
//! and how women differ.

use super::BodyPart;
use crate::rig::Side;

/// How thick a limb is at its two ends, as shares of its bone's length.
pub(super) fn thickness(part: BodyPart) -> [f64; 2] {
    match part {
        BodyPart::Thigh(_) => [0.23, 0.15],
        BodyPart::Shin(_) => [0.145, 0.085],
        BodyPart::UpperArm(_) => [0.175, 0.15],
        _ => [0.19, 0.11],
    }
}

/// How high the joint of a knee lies that rests on a floor, for a shin of this length; in its unit.
pub(crate) fn knee_radius(shin_len: f64) -> f64 {
    thickness(BodyPart::Shin(Side::Left))[0] * shin_len
}

/// What flesh adds to half the way between the hip joints, and takes from half of that between the shoulder joints
/// down to the chest, for each length from hips to shoulders.
pub(super) const HIPS_FLESH: f64 = 0.17;
pub(super) const CHEST_INSET: f64 = 0.08;
/// What half a breadth is at least, of the same: rigs put joints anywhere.
pub(super) const LEAST_BREADTH: f64 = 0.2;
/// Half the trunk's depth, and what the head measures, for each length from hips to shoulders.
pub(super) const TRUNK_DEPTH: f64 = 0.25;
pub(super) const HEAD_RADIUS: f64 = 0.18;
pub(super) const HEAD_LEN: f64 = 0.2;
/// From the wrist to the finger tips, for each length of a forearm.
pub(super) const HAND_OF_FOREARM: f64 = 0.74;
