//! Bodies whose arms or feet are long for their legs: hands and feet would pass through the floor where the source's do not.

use crate::bodies::Build;
use crate::common;
use crate::rewrite::world;
use crate::strangers::{Lengths, Limits, Stance, Stranger};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3, curve};
use retarget::internals::plant::{FootPlants, GoalLimb, MissReason};
use retarget::internals::pose::Pose;
use retarget::internals::report::{LEG_CM, Report};
use retarget::internals::rig::{JointLimit, RigFile, Role, Side};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{JointId, Skeleton};
use std::path::Path;

/// With legs and arms of these lengths, and these limits.
fn body(leg: f64, arm: f64, hand: f64, limits: Limits) -> LoadedRig {
    let lengths =
        Lengths { thigh: leg, shin: leg, upper_arm: arm, forearm: arm, hand, ..Lengths::PLAIN };
    Stranger { lengths, limits, stance: Stance::T, ..Stranger::new(3) }.rig()
}

fn sample(name: &str) -> SourceClip {
    convert::SourceClip::load(Path::new("samples").join(name)).expect("a clip")
}

fn convert(name: &str, target: &LoadedRig, foot_plants: FootPlants) -> Conversion {
    converted(&sample(name), target, foot_plants)
}

fn converted(source: &SourceClip, target: &LoadedRig, foot_plants: FootPlants) -> Conversion {
    let mut settings = Settings::default();
    settings.plant.foot_plants = foot_plants;
    convert::convert(source, RigFile::default(), target, &settings).expect("a person")
}

/// The clip without its hands: the forearms end in End Sites at the wrists.
fn without_hands(name: &str) -> SourceClip {
    let clip = sample(name).clip;
    let skeleton = clip.skeleton();
    let is_hand = |id: JointId| skeleton.joint(id).name.contains("Hand");
    let kept: Vec<JointId> = skeleton.ids().filter(|id| !is_hand(*id)).collect();
    assert!(kept.len() + 2 <= skeleton.len());
    let joints = kept.iter().map(|&id| {
        let mut joint = skeleton.joint(id).clone();
        let hands = skeleton.children(id).filter(|child| is_hand(*child));
        joint.end_sites.extend(hands.map(|hand| skeleton.joint(hand).offset));
        let place = |above: JointId| kept.iter().position(|id| *id == above).expect("kept");
        joint.parent = joint.parent.map(|above| JointId::new(place(above)));
        joint
    });
    let joints = Skeleton::new(joints.collect()).expect("a tree");
    let mut handless = Clip::new(joints, clip.frame_time().clone());
    for frame in 0..clip.len() {
        let (whole, mut pose) = (clip.pose(frame), Pose::rest(handless.skeleton()));
        for (i, id) in kept.iter().enumerate() {
            pose.rotations[i] = whole.rotations[id.index()];
            pose.translations[i] = whole.translations[id.index()];
        }
        handless.push_pose(&pose);
    }
    SourceClip::new(name, handless)
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
                let jerk = &report.jerk_peak_ratio;
                assert!(jerk.value < 1.1, "{case}: {jerk:?}");
            }
        }
    }
}

/// How deep the lower elbow is below 0, over all frames, centimetres of a body with legs of 90 cm.
fn deepest_elbow_cm(done: &Conversion) -> f64 {
    let rig = &done.binding.target;
    let elbows = Side::BOTH.map(|side| rig.joint(Role::Forearm(side)).expect("an elbow"));
    let heights = (0..done.result.len()).flat_map(|frame| {
        let world = world(&done.result, frame);
        elbows.map(|elbow| rig.up.height(world.position(elbow)))
    });
    -heights.fold(0.0, f64::min) * LEG_CM / rig.leg_len
}

/// Somebody who bends down for a bag. An arm that folds to keep its hand over the floor would let its elbow hang below it.
#[test]
fn elbows_of_bodies_with_long_arms_stay_over_the_floor() {
    let Some(mocap) = common::mocap_dir() else { return };
    let path = mocap.join("mocapbank19/walk_carrybag.bvh");
    let source = convert::SourceClip::load(path).expect("a clip");
    for (leg, arm) in [(0.4, 1.6), (0.5, 1.8), (0.35, 1.3)] {
        for limits in [Limits::None, Limits::Hinges(0.0)] {
            let target = body(leg, arm, 0.6, limits);
            let [copied, done] = [FootPlants::Off, FootPlants::Auto]
                .map(|foot_plants| converted(&source, &target, foot_plants));
            let [before, deepest] = [&copied, &done].map(deepest_elbow_cm);
            let (snap, case) =
                (&done.report.snap_deg, format!("legs x {leg}, arms x {arm}, {limits:?}"));
            assert!(before > 30.0 && deepest < 1.0, "{case}: {before} and {deepest} cm");
            assert!(snap.value < 2.5, "{case}: {snap:?}");
        }
    }
}

/// Somebody who gets up from the floor: hips come down between the feet, nearer to them than such legs fold.
#[test]
fn feet_of_folded_legs_are_not_pushed_below_the_floor() {
    let Some(mocap) = common::mocap_dir() else { return };
    let path = mocap.join("lafan1/fall_getup.bvh");
    let source = convert::SourceClip::load(path).expect("a clip");
    for (thigh, shin, foot) in [(1.0, 1.0, 1.0), (0.7, 0.7, 1.0), (0.9, 1.1, 1.3)] {
        for limits in [Limits::None, Limits::Hinges(0.0)] {
            let lengths = Lengths { thigh, shin, foot, ..Lengths::PLAIN };
            let target = Stranger { lengths, limits, stance: Stance::T, ..Stranger::new(3) }.rig();
            let report = converted(&source, &target, FootPlants::Auto).report;
            let case = format!("thighs x {thigh}, shins x {shin}, feet x {foot}, {limits:?}");
            let (deepest, snap) = (&report.below_floor_cm, &report.snap_deg);
            assert!(deepest.value < 1.0, "{case}: {deepest:?}");
            assert!(snap.value < 2.5, "{case}: {snap:?}");
        }
    }
}

/// Small skeletons end at the wrist.
#[test]
fn hands_stay_over_the_floor_although_the_source_has_none() {
    for [leg, arm, hand] in LONG_ARMED {
        let target = body(leg, arm, hand, Limits::None);
        for name in ["crouch.bvh", "sit.bvh", "walk.bvh"] {
            let source = without_hands(name);
            let [copied, done] = [FootPlants::Off, FootPlants::Auto]
                .map(|foot_plants| converted(&source, &target, foot_plants));
            let (deepest, report) = (deepest_hand_cm(&done), &done.report);
            let case = format!("legs x {leg}, arms x {arm}, hands x {hand}, {name}");
            assert!(name != "crouch.bvh" || deepest_hand_cm(&copied) > 5.0, "{case}");
            assert!(deepest < 0.5, "{case}: {deepest} cm below the floor");
            assert!(report.snap_deg.value < 2.5, "{case}: {:?}", report.snap_deg);
        }
    }
}

/// A real cartwheel: on legs so short, the body turns over lower than its trunk is long, unless it rises.
#[test]
fn a_cartwheel_on_short_legs_stands_on_its_hands() {
    let Some(mocap) = common::mocap_dir() else { return };
    let path = mocap.join("asf_femur21_inch/cartwheel_clean.bvh");
    let source = convert::SourceClip::load(path).expect("a clip");
    for [leg, arm] in [[0.4, 0.6], [0.5, 0.9], [0.6, 1.3], [0.8, 1.5]] {
        let target = body(leg, arm, 1.0, Limits::None);
        let [copied, done] = [FootPlants::Off, FootPlants::Auto]
            .map(|foot_plants| converted(&source, &target, foot_plants));
        let (report, case) = (&done.report, format!("legs x {leg}, arms x {arm}"));
        let [was, is] = [&copied, &done].map(|done| done.report.below_floor_cm.value);
        assert!(was > 25.0 && is < 0.15 * was, "{case}: {was} and {is} cm below the floor");
        for smooth in [&report.jump_ratio, &report.jerk_peak_ratio, &report.knee_pop_ratio] {
            assert!(smooth.value < 1.2, "{case}: {smooth:?}");
        }
        assert!(report.snap_deg.value < 2.5, "{case}: {:?}", report.snap_deg);
        // No hand misses the floor; feet that leave it sooner than the source's are told.
        let misses = &done.plant.misses;
        let of_feet = misses.iter().all(|miss| matches!(miss.limb, GoalLimb::Foot(_)));
        let let_go = misses.iter().filter(|miss| miss.reason == MissReason::LetGo).count();
        assert!(of_feet && let_go > 0 && let_go < done.result.len() / 4, "{case}: {let_go}");
    }
}

/// Hands that are longer than their wrists come up turn about their wrists as the body kneels.
#[test]
fn large_hands_of_short_bodies_stay_over_the_floor() {
    for [leg, arm, hand] in [[0.3, 1.0, 3.0], [0.4, 1.0, 3.0], [0.3, 1.4, 2.0], [0.4, 1.4, 3.0]] {
        let target = body(leg, arm, hand, Limits::None);
        let [copied, done] = [FootPlants::Off, FootPlants::Auto]
            .map(|foot_plants| convert("kneel.bvh", &target, foot_plants));
        let [was, is] = [&copied, &done].map(deepest_hand_cm);
        let case = format!("legs x {leg}, arms x {arm}, hands x {hand}");
        assert!(was > 50.0 && is < 2.0, "{case}: {was} and {is} cm below the floor");
        assert!(done.report.snap_deg.value < 2.5, "{case}: {:?}", done.report.snap_deg);
    }
}

/// Legs, feet. Feet that are long for their legs scuff as they leave the floor and as they land.
const LONG_FOOTED: [[f64; 2]; 4] = [[1.0, 1.7], [0.6, 1.0], [0.8, 1.5], [1.3, 2.2]];

#[test]
fn feet_in_the_air_stay_over_the_floor() {
    for [leg, foot] in LONG_FOOTED {
        for toes in [true, false] {
            let lengths = Lengths { thigh: leg, shin: leg, foot, ..Lengths::PLAIN };
            let stranger = Stranger::new(3);
            let build = Build { toes, ..stranger.build };
            let limits = Limits::None;
            let target = Stranger { lengths, limits, build, stance: Stance::T, ..stranger }.rig();
            for name in ["walk.bvh", "run.bvh", "turn.bvh"] {
                let [copied, done] = [FootPlants::Off, FootPlants::Auto]
                    .map(|foot_plants| convert(name, &target, foot_plants));
                let [was, is] = [&copied, &done].map(|done| &done.report.below_floor_cm);
                let case = format!("legs x {leg}, feet x {foot}, toes {toes}, {name}");
                assert!(was.value > 2.5, "{case}: the plain copy scuffs, {was:?}");
                assert!(is.value < 1.5, "{case}: {is:?}");
            }
        }
    }
}

/// Who stands, within a second lies down on its face, with its chest lower than its hips, and rises.
fn lies_down() -> SourceClip {
    let mut source = sample("walk.bvh");
    let rig = convert::source_rig(&source, RigFile::default()).expect("a sample").rig;
    let hips = rig.joint(Role::Hips).expect("hips").index();
    let stands = source.clip.pose(0);
    let frame_time = source.clip.frame_time().clone();
    let mut clip = Clip::new(rig.skeleton.clone(), frame_time.clone());
    for frame in 0..(8.0 / frame_time.seconds()) as usize {
        let seconds = frame as f64 * frame_time.seconds();
        let down = curve::ramp(seconds, 3.0, 4.0) * curve::ramp(seconds, 6.0, 5.0);
        let mut pose = stands.clone();
        let turn = Quat::from_scaled_axis(Vec3::x() * 105f64.to_radians() * down);
        pose.rotations[hips] = turn * pose.rotations[hips];
        pose.translations[hips].y *= 1.0 - 0.6 * down;
        clip.push_pose(&pose);
    }
    source.clip = clip;
    source
}

#[test]
fn a_large_head_on_a_long_neck_stays_over_the_floor_and_within_its_limit() {
    let source = lies_down();
    for (spine, neck) in [(1, 1), (5, 2)] {
        let lengths = Lengths { thigh: 0.5, shin: 0.5, neck_and_head: 4.0, ..Lengths::PLAIN };
        let stranger = Stranger { lengths, limits: Limits::None, ..Stranger::new(3) };
        let build = Build { spine, neck, ..stranger.build };
        let mut target = Stranger { build, ..stranger }.rig();
        let [copied, planted] = [FootPlants::Off, FootPlants::Auto]
            .map(|plants| converted(&source, &target, plants).report);
        let deep = |report: &Report| report.below_floor_cm.value;
        assert!(deep(&copied) > 20.0, "it would be below: {:?}", copied.below_floor_cm);
        assert!(deep(&planted) < 3.0, "{:?}", planted.below_floor_cm);
        assert!(planted.snap_deg.value < 0.1, "{:?}", planted.snap_deg);
        let neck = target.rig.joint(Role::Neck(1)).expect("a neck");
        let limit = JointLimit::Ball { swing_rad: [0.1; 2], twist_rad: [-0.1, 0.1] };
        target.rig.limits.push((neck, limit));
        let held = converted(&source, &target, FootPlants::Auto).report;
        assert!(deep(&held) > deep(&planted), "a stiff neck turns less: {:?}", held.below_floor_cm);
        assert!(held.joint_limits_ratio.value < 1.0 + 1e-6, "{:?}", held.joint_limits_ratio);
    }
}
