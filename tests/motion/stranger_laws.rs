//! Bodies drawn by seeds that nobody tuned anything to.

use crate::common;
use crate::rewrite::world;
use crate::strangers::{Lengths, Limits, Stance, Stranger, UNEVEN_ARMS};
use retarget::internals::contact::Limb;
use retarget::internals::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::internals::plant::FootPlants;
use retarget::internals::report::{Measure, Report};
use retarget::internals::rig::{RigFile, Role, Side};
use retarget::internals::settings::Settings;
use std::path::Path;

/// A limb breaks by no more than this beyond what the source's limbs do, degrees a frame².
const MOST_SNAP_DEG: f64 = 2.5;

/// A hand, a foot or toes break by no more than this beyond what anything of the plain copy does, degrees a frame².
const MOST_FLICK_DEG: f64 = 10.0;

/// `None` for a source that is refused.
fn convert(source: &SourceClip, target: &LoadedRig, foot_plants: FootPlants) -> Option<Conversion> {
    let mut settings = Settings::default();
    settings.plant.foot_plants = foot_plants;
    convert::convert(source, RigFile::default(), target, &settings).ok()
}

fn report(source: &SourceClip, target: &LoadedRig, foot_plants: FootPlants) -> Option<Report> {
    Some(convert(source, target, foot_plants)?.report)
}

/// Walks, a run, a jump, stairs, a turn, and bodies that bow and kneel.
fn samples() -> Vec<(&'static str, SourceClip)> {
    let load = |name| convert::SourceClip::load(Path::new("samples").join(name)).expect("a clip");
    let names =
        ["crouch.bvh", "jump.bvh", "kneel.bvh", "run.bvh", "stairs.bvh", "turn.bvh", "walk.bvh"];
    names.map(|name| (name, load(name))).into()
}

#[test]
fn a_stranger_is_a_sound_person_and_its_seed_alone_makes_it() {
    let (mut stances, mut limits) = ([0; 4], 0);
    for seed in 0..40 {
        let stranger = Stranger::new(seed);
        let rig = stranger.rig().rig;
        for side in Side::BOTH {
            for role in [Role::Thigh(side), Role::Shin(side), Role::Foot(side), Role::Forearm(side)]
            {
                assert!(rig.joint(role).is_some(), "{}: no {role}", stranger.name());
            }
        }
        let lengths = stranger.lengths;
        let leg_len = 42.0 * lengths.thigh + 41.0 * lengths.shin;
        assert!((rig.leg_len - leg_len).abs() < 1e-3, "{}: {}", stranger.name(), rig.leg_len);
        assert_eq!(stranger.files(), Stranger::new(seed).files());
        let all = [Stance::T, Stance::A, Stance::ArmsDown, Stance::Aligned];
        stances[all.iter().position(|stance| *stance == stranger.stance).expect("one of all")] += 1;
        limits += usize::from(stranger.limits != Limits::None);
        assert_eq!(rig.limits.is_empty(), stranger.limits == Limits::None);
    }
    assert!(stances.iter().all(|count| *count > 3) && limits > 15, "{stances:?}, {limits}");
}

#[test]
fn stated_limits_hold_in_every_frame_and_what_is_carried_does_not_snap_on_them() {
    let clips = samples();
    let strangers = (0..60).map(Stranger::new).filter(|s| s.limits != Limits::None);
    let strangers: Vec<Stranger> = strangers.take(12).collect();
    for stranger in &strangers {
        let target = stranger.rig();
        for (name, clip) in &clips {
            for plants in [FootPlants::Off, FootPlants::Auto] {
                let report = report(clip, &target, plants).expect("a person");
                let of = format!("{name} onto {}, {plants:?}", stranger.name());
                assert_eq!(report.joint_limits_ratio.value, 0.0, "{of}");
                // What planting does on such bodies is the matter of other tests.
                let snaps = plants == FootPlants::Off && report.snap_deg.value > MOST_SNAP_DEG;
                assert!(!snaps, "{of}: {:?}", report.snap_deg);
            }
        }
    }
    assert_eq!((strangers.len(), clips.len()), (12, 7));
}

/// Who kneels or crouches may still snap on a few of them; docs/RESULTS.md has how many.
#[test]
fn no_limb_of_who_walks_runs_jumps_climbs_turns_or_sits_snaps_on_a_stranger_and_nothing_flicks() {
    let names = ["jump.bvh", "run.bvh", "sit.bvh", "stairs.bvh", "turn.bvh", "walk.bvh"];
    for seed in 0..24 {
        let stranger = Stranger::new(seed);
        let target = stranger.rig();
        for name in names {
            let clip = convert::SourceClip::load(Path::new("samples").join(name)).expect("a clip");
            let report = report(&clip, &target, FootPlants::Auto).expect("a person");
            let (snap, flick) = (&report.snap_deg, &report.flick_deg);
            assert!(snap.value <= MOST_SNAP_DEG, "{name} onto {}: {snap:?}", stranger.name());
            assert!(flick.value <= MOST_FLICK_DEG, "{name} onto {}: {flick:?}", stranger.name());
        }
    }
}

/// A file that holds nothing but bones that all lie along an axis, and somebody who walks, shows where a pelvis points by the
/// line between its thighs: the axes of its frame lie off the planes of the body.
#[test]
fn hips_of_a_stranger_who_walks_are_read_from_the_motion_alone_as_they_are() {
    /// The most by which the hips of a result are off, degrees.
    const MOST_OFF_DEG: f64 = 6.0;
    let walk = convert::SourceClip::load("samples/walk.bvh").expect("a clip");
    let hero = LoadedRig::load("samples/skeletons/hero.toml").expect("a rig");
    let mut aligned = 0;
    for seed in 0..60 {
        let stranger = Stranger::new(seed);
        let done = convert(&walk, &stranger.rig(), FootPlants::Auto).expect("a person");
        let read = SourceClip::new("walk of a stranger", done.result);
        let report = report(&read, &hero, FootPlants::Auto).expect("a person");
        let off = &report.wrong_way_deg;
        assert!(off.value <= MOST_OFF_DEG, "{}: {off:?}", stranger.name());
        aligned += usize::from(stranger.stance == Stance::Aligned);
    }
    assert!(aligned > 10, "{aligned}");
}

#[test]
fn hinges_about_the_right_axis_leave_limbs_where_they_point() {
    let hinged = |s: &Stranger| s.limits == Limits::Hinges(0.0);
    let strangers: Vec<Stranger> = (0..60).map(Stranger::new).filter(hinged).take(4).collect();
    assert_eq!(strangers.len(), 4);
    for stranger in &strangers {
        let target = stranger.rig();
        for (name, clip) in samples() {
            let report = report(&clip, &target, FootPlants::Off).expect("a person");
            let off = report.limb_direction_deg;
            assert!(off.value < 0.5, "{name} onto {}: {off:?}", stranger.name());
        }
    }
}

/// docs/RESULTS.md says which foot flicks.
#[test]
fn no_limb_of_a_real_clip_snaps_on_the_sample_skeletons_and_at_most_one_foot_in_a_hundred_flicks() {
    let Some(dir) = common::mocap_dir() else { return };
    let rigs = ["child.toml", "game.toml", "hero.toml", "long_legged.bvh", "stocky.toml"];
    let load =
        |name| convert::LoadedRig::load(Path::new("samples/skeletons").join(name)).expect("a rig");
    let rigs = rigs.map(|name| (name, load(name)));
    let (mut results, mut flicks) = (0, Vec::new());
    for (name, source) in common::moving_clips(&dir) {
        for (rig, target) in &rigs {
            let Some(report) = report(&source, target, FootPlants::Auto) else { continue };
            let snap = &report.snap_deg;
            assert!(snap.value <= MOST_SNAP_DEG, "{name} onto {rig}: {snap:?}");
            results += 1;
            if report.flick_deg.value > MOST_FLICK_DEG {
                flicks.push(format!("{name} onto {rig}: {:?}", report.flick_deg));
            }
        }
    }
    assert_eq!(results, 37 * rigs.len(), "clips of people with motion");
    assert!(100 * flicks.len() <= results, "{} of {results}: {flicks:#?}", flicks.len());
}

/// docs/RESULTS.md says on which bodies and clips limbs still snap, and hands and feet flick.
#[test]
fn at_most_one_real_clip_in_two_hundred_snaps_on_a_stranger_and_one_in_fifty_flicks() {
    let Some(dir) = common::mocap_dir() else { return };
    let seeds = (1000..1008).chain(UNEVEN_ARMS..UNEVEN_ARMS + 4);
    let strangers: Vec<(Stranger, LoadedRig)> =
        seeds.map(Stranger::new).map(|stranger| (stranger, stranger.rig())).collect();
    let (mut results, mut snaps, mut flicks) = (0, Vec::new(), Vec::new());
    for (name, source) in common::moving_clips(&dir) {
        for (stranger, target) in &strangers {
            let Some(report) = report(&source, target, FootPlants::Auto) else { continue };
            results += 1;
            let place = |of: &Measure| format!("{name} onto {}: {of:?}", stranger.name());
            if report.snap_deg.value > MOST_SNAP_DEG {
                snaps.push(place(&report.snap_deg));
            }
            if report.flick_deg.value > MOST_FLICK_DEG {
                flicks.push(place(&report.flick_deg));
            }
        }
    }
    assert_eq!(results, 37 * strangers.len(), "clips of people with motion");
    assert!(200 * snaps.len() <= results, "{} of {results}: {snaps:#?}", snaps.len());
    assert!(50 * flicks.len() <= results, "{} of {results}: {flicks:#?}", flicks.len());
}

/// Retargets each of these real clips onto the strangers of these seeds that are as `is` says: how many results there are,
/// and the joint and the place of each `flaw`. `None` without real clips.
fn flawed(
    clips: &[&str],
    seeds: impl Iterator<Item = u64>,
    is: impl Fn(&Stranger) -> bool,
    flaw: impl Fn(Report) -> Option<Measure>,
) -> Option<(usize, Vec<(String, String)>)> {
    let dir = common::mocap_dir()?;
    let load = |clip: &&str| convert::SourceClip::load(dir.join(clip)).expect("a clip");
    let sources: Vec<SourceClip> = clips.iter().map(load).collect();
    let (mut results, mut flaws) = (0, Vec::new());
    for stranger in seeds.map(Stranger::new).filter(is) {
        let target = stranger.rig();
        for source in &sources {
            results += 1;
            let report = report(source, &target, FootPlants::Auto).expect("a person");
            if let Some(measure) = flaw(report) {
                let place = format!("{}: {measure:?}", stranger.name());
                flaws.push((measure.joint, place));
            }
        }
    }
    Some((results, flaws))
}

/// A limb that snaps.
fn snap(report: Report) -> Option<Measure> {
    (report.snap_deg.value > MOST_SNAP_DEG).then_some(report.snap_deg)
}

/// How long a stranger's feet are, from ankle to ball, in lengths of its shins.
fn foot_by_shin(stranger: &Stranger) -> f64 {
    stranger.lengths.foot * 12.5 / (stranger.lengths.shin * 41.0)
}

/// The body comes down for short arms, but not onto its own legs, a hand out of reach lets go, and a shin over a long foot
/// folds no farther than its knee.
#[test]
fn no_limb_of_who_gets_up_from_the_floor_snaps_but_on_feet_much_longer_than_shins() {
    let is_sound = |s: &Stranger| foot_by_shin(s) < 1.5;
    let seeds = (70_000..70_100).chain(80_000..80_050);
    let Some((results, snaps)) = flawed(&["lafan1/fall_getup.bvh"], seeds, is_sound, snap) else {
        return;
    };
    assert!(results > 130, "{results} of 150 have such feet");
    assert!(snaps.is_empty(), "{} of {results}:\n{snaps:?}", snaps.len());
}

/// An arm is not asked out of its cone for what its hand leans on.
#[test]
fn at_most_one_arm_with_cones_in_ten_snaps_as_hands_lean_on_the_floor() {
    let clips = ["lafan1/fall_getup.bvh", "asf_femur21_inch/cartwheel_clean.bvh"];
    let has_cones = |s: &Stranger| s.limits == Limits::Cones;
    let seeds = (60_000..60_100).chain(80_000..80_100);
    let Some((results, snaps)) = flawed(&clips, seeds, has_cones, snap) else { return };
    let is_arm = |(joint, _): &&(String, String)| joint.contains("Arm");
    let arms: Vec<_> = snaps.iter().filter(is_arm).collect();
    assert!(results > 50, "{results} results");
    assert!(10 * arms.len() <= results, "{} of {results}:\n{arms:?}", arms.len());
}

/// The sources' legs are nearly straight as they stand, where a millimetre bends a knee by degrees.
#[test]
fn knees_of_nearly_straight_legs_seldom_pop_on_a_stranger() {
    let clips = [
        "cmu_3dsmax/131_01.bvh",
        "lafan1/walk.bvh",
        "smpl_names/hml3d_template_m.bvh",
        "vicon_zup_inch/zombie.bvh",
    ];
    let has_no_cones = |s: &Stranger| s.limits != Limits::Cones;
    let pop = |r: Report| (r.knee_pop_ratio.value > 1.2).then_some(r.knee_pop_ratio);
    let Some((results, pops)) = flawed(&clips, 60_000..60_040, has_no_cones, pop) else { return };
    assert!(results > 120, "{results} results");
    assert!(40 * pops.len() <= results, "{} of {results}:\n{pops:?}", pops.len());
}

/// Feet nearly as long as shins and longer let go while their knees kneel. docs/RESULTS.md says how many snap.
#[test]
fn at_most_one_in_fifty_of_those_on_long_feet_snaps_as_they_get_up_from_the_floor() {
    let seeds = (60_000..60_200).chain(80_000..80_100);
    let is_long = |s: &Stranger| foot_by_shin(s) >= 0.6;
    let Some((results, snaps)) = flawed(&["lafan1/fall_getup.bvh"], seeds, is_long, snap) else {
        return;
    };
    assert!(results > 90, "{results} of 300 have such feet");
    assert!(50 * snaps.len() <= results, "{} of {results}:\n{snaps:?}", snaps.len());
}

/// A long foot that turns as it lands swings its ankle farther, so it turns over more time.
#[test]
fn no_leg_of_who_kicks_snaps_however_long_its_foot() {
    let seeds = (60_000..60_200).chain(70_000..70_100).chain(80_000..80_100);
    let is_long = |s: &Stranger| foot_by_shin(s) >= 1.5;
    let clips = ["bandai_namco/kick_normal_001.bvh"];
    let Some((results, snaps)) = flawed(&clips, seeds, is_long, snap) else { return };
    assert!(results > 10, "{results} of 400 have such feet");
    assert!(snaps.is_empty(), "{} of {results}:\n{snaps:?}", snaps.len());
}

/// As people do in a cartwheel; otherwise its elbows would have to fold all the way. The others' hands let go of the floor.
#[test]
fn most_bodies_with_long_arms_rise_while_their_hands_carry_them() {
    let Some(dir) = common::mocap_dir() else { return };
    let clip = dir.join("asf_femur21_inch/cartwheel_clean.bvh");
    let source = SourceClip::load(&clip).expect("a clip");
    let has_long_arms = |s: &Stranger| {
        let Lengths { upper_arm, forearm, thigh, shin, .. } = s.lengths;
        let by_legs = 0.5 * (upper_arm + forearm) / thigh.max(shin);
        s.limits != Limits::Cones && (1.3..1.8).contains(&by_legs)
    };
    let mut all_rises = Vec::new();
    for stranger in (60_000..60_100).map(Stranger::new).filter(has_long_arms) {
        let target = stranger.rig();
        let convert = |foot_plants| convert(&source, &target, foot_plants).expect("a person");
        let [done, copy] = [FootPlants::Auto, FootPlants::Off].map(convert);
        // A quarter of a second from every stand of a foot.
        let is_far = |f: &usize| {
            let stands = &done.contacts.contacts;
            stands.iter().all(|c| f + 30 < c.frames.start || c.frames.end + 30 < *f)
        };
        let leans = |side| done.contacts.of_limb(Limb::Hand(side)).flat_map(|c| c.frames.clone());
        let carried: Vec<usize> =
            leans(Side::Left).chain(leans(Side::Right)).filter(is_far).collect();
        assert!(!carried.is_empty(), "{}", stranger.name());
        let hips = target.rig.joint(Role::Hips).expect("hips");
        let height = |of: &Conversion, f| target.rig.up.height(world(&of.result, f).position(hips));
        let rises = carried.iter().map(|&f| height(&done, f) - height(&copy, f));
        let rise = rises.sum::<f64>() / carried.len() as f64 / target.rig.leg_len;
        all_rises.push(rise);
    }
    let risen = all_rises.iter().filter(|rise| **rise > 0.1).count();
    assert!(all_rises.len() >= 10 && 2 * risen > all_rises.len(), "{risen} of {all_rises:.2?}");
}
