//! Bodies whose arms are long for their legs: their hands would pass through the floor where the source's do not.

use crate::rewrite::world;
use crate::strangers::{Lengths, Limits, Stance, Stranger};
use retarget::internals::convert::{self, Conversion, LoadedRig};
use retarget::internals::plant::FootPlants;
use retarget::internals::report::LEG_CM;
use retarget::internals::rig::{RigFile, Role, Side};
use retarget::internals::settings::Settings;
use std::path::Path;

/// With legs and arms of these lengths, and these limits.
fn body(leg: f64, arm: f64, hand: f64, limits: Limits) -> LoadedRig {
    let lengths = Lengths {
        thigh: leg,
        shin: leg,
        arm,
        hand,
        foot: 1.0,
        hips: 1.0,
        shoulders: 1.0,
        neck_and_head: 1.0,
    };
    Stranger { lengths, limits, stance: Stance::T, ..Stranger::new(3) }.rig()
}

fn convert(name: &str, target: &LoadedRig, foot_plants: FootPlants) -> Conversion {
    let source = convert::SourceClip::load(Path::new("samples").join(name)).expect("a clip");
    let mut settings = Settings::default();
    settings.plant.foot_plants = foot_plants;
    convert::convert(&source, RigFile::default(), target, &settings).expect("a person")
}

/// How deep the lowest point of both hands is below 0, over all frames, centimetres of a body with legs of 90 cm.
fn deepest_hand_cm(done: &Conversion) -> f64 {
    let rig = &done.binding.target;
    let hands = Side::BOTH.map(|side| rig.joint(Role::Hand(side)).expect("a hand"));
    let heights = (0..done.result.len()).flat_map(|frame| {
        let world = world(&done.result, frame);
        let of_hands = hands.iter().flat_map(|hand| rig.skeleton.at_and_below(*hand));
        let points = of_hands.flat_map(|id| {
            let ends = rig.skeleton.joint(id).end_sites.iter().map(move |end| (id, *end));
            ends.chain([(id, Default::default())])
        });
        points.map(|(id, point)| rig.up.height(world.point(id, point))).collect::<Vec<f64>>()
    });
    -heights.fold(0.0, f64::min) * LEG_CM / rig.leg_len
}

/// Legs, arms, hands.
const LONG_ARMED: [[f64; 3]; 4] =
    [[0.6, 1.0, 1.0], [0.8, 1.5, 1.0], [0.5, 1.0, 2.0], [1.0, 1.8, 1.0]];

#[test]
fn a_report_tells_how_deep_a_hand_is_below_the_floor() {
    for [leg, arm, hand] in LONG_ARMED {
        let target = body(leg, arm, hand, Limits::None);
        let done = convert("crouch.bvh", &target, FootPlants::Off);
        let reported = &done.report.below_floor_cm;
        let deepest = deepest_hand_cm(&done);
        assert!(
            deepest > 5.0 && (reported.value - deepest).abs() < 1e-6,
            "{deepest} cm: {reported:?}"
        );
    }
}

#[test]
fn hands_of_bodies_with_long_arms_stay_over_the_floor() {
    for [leg, arm, hand] in LONG_ARMED {
        for limits in [Limits::None, Limits::Hinges(0.0)] {
            let target = body(leg, arm, hand, limits);
            for name in ["crouch.bvh", "kneel.bvh", "sit.bvh", "walk.bvh"] {
                let done = convert(name, &target, FootPlants::Auto);
                let (deepest, report) = (deepest_hand_cm(&done), &done.report);
                let case =
                    format!("legs x {leg}, arms x {arm}, hands x {hand}, {limits:?}, {name}");
                assert!(deepest < 0.2, "{case}: {deepest} cm below the floor");
                assert!(report.snap_deg.value < 2.5, "{case}: {:?}", report.snap_deg);
            }
        }
    }
}
