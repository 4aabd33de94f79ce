//! Feet that are longer than their legs.

use crate::limits::{assert_good, on};
use crate::strangers::{Lengths, Limits, Stance, Stranger};
use retarget::internals::convert::SourceClip;
use retarget::internals::plant::FootPlants;

/// Feet that pitched as their sources' had up to 1.8.
const MOST_JERK: f64 = 1.3;

/// Such a foot that pitches as its source's lifts its ankle higher than its leg can fold.
#[test]
fn feet_that_are_longer_than_their_legs_hardly_throw_them_about() {
    for legs in [0.35, 0.45] {
        let lengths = Lengths { thigh: legs, shin: legs, foot: 2.2, ..Lengths::PLAIN };
        let plain = Stranger::new(3);
        let target = Stranger { lengths, limits: Limits::None, stance: Stance::T, ..plain }.rig();
        for name in ["walk", "run", "turn", "lafan_style/walk", "mixamo_style/walk"] {
            let source = SourceClip::load(format!("samples/{name}.bvh")).expect("a sample");
            let report = on(&source, &target, FootPlants::Auto).report;
            let jerk = &report.jerk_ratio;
            assert!(jerk.value < MOST_JERK, "{name}, legs x {legs}: {jerk:?}");
            assert_good(&format!("{name}, legs x {legs}"), &report, &["plant_drift_cm"]);
        }
    }
}
