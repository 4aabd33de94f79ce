//! Feet that are longer than their legs.

use crate::limits::{assert_good, on};
use crate::strangers::{Lengths, Limits, Stance, Stranger};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3, curve};
use retarget::internals::plant::{FootPlants, GoalLimb, MissReason, Swept};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Rig, RigFile, Role, Side};

/// Feet that pitched as their sources' had up to 1.8.
const MOST_JERK: f64 = 1.3;

fn body_with_long_feet(legs: f64, limits: Limits) -> LoadedRig {
    let lengths = Lengths { thigh: legs, shin: legs, foot: 2.2, ..Lengths::PLAIN };
    Stranger { lengths, limits, stance: Stance::T, ..Stranger::new(3) }.rig()
}

/// Such a foot that pitches as its source's lifts its ankle higher than its leg can fold.
#[test]
fn feet_that_are_longer_than_their_legs_hardly_throw_them_about() {
    for legs in [0.35, 0.45] {
        let target = body_with_long_feet(legs, Limits::None);
        for name in ["walk", "run", "turn", "lafan_style/walk", "mixamo_style/walk"] {
            let source = SourceClip::load(format!("samples/{name}.bvh")).expect("a sample");
            let report = on(&source, &target, FootPlants::Auto).report;
            let jerk = &report.jerk_ratio;
            assert!(jerk.value < MOST_JERK, "{name}, legs x {legs}: {jerk:?}");
            assert_good(&format!("{name}, legs x {legs}"), &report, &["plant_drift_cm"]);
        }
    }
}

/// Who stands as in the first frame of a sample, and moves so in that pose of its rig over these seconds.
fn stands(seconds: f64, moved: impl Fn(&Rig, &Pose, f64) -> Pose) -> SourceClip {
    let mut source = SourceClip::load("samples/walk.bvh").expect("a sample");
    let rig = convert::source_rig(&source, RigFile::default()).expect("a sample").rig;
    let (stands, frame_time) = (source.clip.pose(0), source.clip.frame_time().clone());
    let mut clip = Clip::new(rig.skeleton.clone(), frame_time.clone());
    for frame in 0..(seconds / frame_time.seconds()) as usize {
        clip.push_pose(&moved(&rig, &stands, frame as f64 * frame_time.seconds()));
    }
    source.clip = clip;
    source
}

/// Who holds its left leg 60 degrees forwards from second 1 to 4.
fn holds_a_leg_up() -> SourceClip {
    stands(5.0, |rig, stands, seconds| {
        let hip = rig.joint(Role::Thigh(Side::Left)).expect("a thigh");
        let hips = rig.joint(Role::Hips).expect("hips");
        let seated = WorldPose::of(&rig.skeleton, stands).rotation(hips);
        let up = curve::ramp(seconds, 0.5, 1.0) * curve::ramp(seconds, 4.5, 4.0);
        let turn = Quat::from_scaled_axis(Vec3::x() * -60f64.to_radians() * up);
        let mut pose = stands.clone();
        pose.rotations[hip.index()] =
            seated.inverse() * turn * seated * pose.rotations[hip.index()];
        pose
    })
}

/// A leg need not fold for a foot that is far from the floor.
#[test]
fn a_long_foot_that_is_held_up_keeps_its_pitch() {
    let target = body_with_long_feet(0.35, Limits::None);
    let source = holds_a_leg_up();
    let foot = target.rig.joint(Role::Foot(Side::Left)).expect("a foot");
    let [transferred, planted] = [FootPlants::Off, FootPlants::Auto].map(|plants| {
        let clip = on(&source, &target, plants).result;
        WorldPose::of(clip.skeleton(), &clip.pose(clip.len() / 2)).rotation(foot)
    });
    let lost_deg = transferred.angle_to(&planted).to_degrees();
    assert!(lost_deg < 1.0, "its foot turned by {lost_deg} deg");
}

/// A cartoon body: the legs of a small child, the feet of a grown person, a large head.
#[test]
fn a_cartoon_body_that_kneels_keeps_its_balls_where_they_stand() {
    let source = SourceClip::load("samples/kneel.bvh").expect("a sample");
    for legs in [0.35, 0.4, 0.5] {
        let lengths =
            Lengths { thigh: legs, shin: legs, hand: 2.0, neck_and_head: 4.0, ..Lengths::PLAIN };
        for stance in [Stance::T, Stance::ArmsDown] {
            let limits = Limits::None;
            let target = Stranger { lengths, limits, stance, ..Stranger::new(3) }.rig();
            let done = on(&source, &target, FootPlants::Auto);
            assert!(done.plant.misses.iter().all(|miss| miss.reason != MissReason::LongFoot));
            let report = done.report;
            let numbers = ["plant_drift_cm", "skate_cm_s", "penetration_cm", "snap_deg"];
            assert_good(&format!("legs x {legs}, {stance:?}"), &report, &numbers);
        }
    }
}

/// Their ankles are free, so that a sole moves as its ankle does, however long the foot is.
#[test]
fn soles_of_long_feet_come_back_to_their_places_on_knees_whose_hinges_are_off_square() {
    let source = SourceClip::load("samples/kneel.bvh").expect("a sample");
    for [legs, off_rad] in [[0.38, 0.17], [0.38, 0.3], [0.45, 0.17], [0.45, 0.3], [0.6, 0.3]] {
        let target = body_with_long_feet(legs, Limits::Hinges(off_rad));
        let done = on(&source, &target, FootPlants::Auto);
        let (swept, leg_len) = (done.plant.swept, done.binding.target.leg_len);
        assert!(swept.len() > 50, "{} of all soles were turned away", swept.len());
        for Swept { frame, left_len, .. } in swept {
            let left = left_len / leg_len;
            assert!(left < 0.01, "legs x {legs}, {off_rad} off, frame {frame}: {left}");
        }
    }
}

/// A foot that is as long as its shin cannot stay on its ball under a knee that kneels.
#[test]
fn feet_as_long_as_shins_lie_behind_kneeling_knees_on_the_floor() {
    let source = SourceClip::load("samples/kneel.bvh").expect("a sample");
    for legs in [0.3, 0.45, 0.6] {
        for limits in [Limits::None, Limits::Hinges(0.0)] {
            let done = on(&source, &body_with_long_feet(legs, limits), FootPlants::Auto);
            let (target, case) = (&done.binding.target, format!("legs x {legs}, {limits:?}"));
            assert_eq!(done.contacts.limbs.len(), 2, "{case}: both knees kneel");
            for contact in &done.contacts.limbs {
                let side = contact.limb.side();
                let [shin, foot] = [Role::Shin(side), Role::Foot(side)]
                    .map(|role| target.joint(role).expect("a person"));
                let id = target.foot_ids().find(|id| target.foot(*id).ankle == foot);
                let id = id.expect("a foot");
                let sole = target.foot(id);
                for frame in contact.frames.clone() {
                    let world = WorldPose::of(&target.skeleton, &done.result.pose(frame));
                    let [knee, ankle] = [shin, foot].map(|joint| world.position(joint));
                    let ball = world.point(foot, sole.ball);
                    let cos = (ball - ankle).normalize().dot(&(ankle - knee).normalize());
                    assert!(cos > 0.8, "{case}, frame {frame}: its foot is at {cos} to its shin");
                    let deep = -sole.bottom(sole.sole_world(&world), target.up) / target.leg_len;
                    assert!(deep < 0.02, "{case}, frame {frame}: {deep} legs below the floor");
                    let told = done.plant.misses.iter().any(|miss| {
                        let of_foot = miss.limb == GoalLimb::Foot(id);
                        of_foot && miss.frame == frame && miss.reason == MissReason::LongFoot
                    });
                    assert!(told, "{case}, frame {frame}: a foot that lets go is told");
                }
            }
            assert_good(&case, &done.report, &["snap_deg", "skate_cm_s"]);
        }
    }
}

/// A foot that comes to lie behind a knee points straight down on its way, where it is longer than its ankle is high.
#[test]
fn feet_that_come_to_lie_behind_kneeling_knees_and_go_back_do_not_flick_over() {
    let source = SourceClip::load("samples/kneel.bvh").expect("a sample");
    let seconds = source.clip.frame_time().seconds();
    for legs in [0.3, 0.35, 0.4, 0.45] {
        for feet in [1.0, 1.6, 2.2] {
            let lengths = Lengths { thigh: legs, shin: legs, foot: feet, ..Lengths::PLAIN };
            let (limits, stance) = (Limits::None, Stance::T);
            let target = Stranger { lengths, limits, stance, ..Stranger::new(3) }.rig();
            let clip = on(&source, &target, FootPlants::Auto).result;
            for foot in target.rig.foot_ids() {
                let (ankle, ball) = (target.rig.foot(foot).ankle, target.rig.foot(foot).ball);
                let mut ways = Vec::new();
                clip.each_world(0..clip.len(), |_, world| {
                    ways.push((world.rotation(ankle) * ball).normalize());
                });
                let turned = |w: &[Vec3]| w[1].angle(&w[0]) / seconds;
                let fastest = ways.windows(2).map(turned).fold(0.0, f64::max);
                let case = format!("legs x {legs}, feet x {feet}, {foot:?}");
                assert!(fastest < 45.0, "{case}: turns at {fastest} radians a second");
            }
        }
    }
}

/// Who turns from second 1 to 2 about the ball of its left foot.
fn turns_on_a_ball(turn_deg: f64) -> SourceClip {
    stands(3.0, |rig, stands, seconds| {
        let ball = rig.feet[0].sole_world(&WorldPose::of(&rig.skeleton, stands))[1];
        let turned_rad = turn_deg.to_radians() * curve::ramp(seconds, 1.0, 2.0);
        let turn = Quat::from_scaled_axis(rig.up.vector() * turned_rad);
        let mut pose = stands.clone();
        pose.rotations[0] = turn * pose.rotations[0];
        pose.translations[0] = ball + turn * (pose.translations[0] - ball);
        pose
    })
}

/// The ankle of a long foot goes far around the ball, and would drag the body along.
#[test]
fn a_body_on_long_feet_stays_in_its_place_as_it_turns_on_a_ball() {
    for (lengths, lets_go) in [
        (Lengths::PLAIN, false),
        (Lengths { thigh: 0.8, shin: 0.8, ..Lengths::PLAIN }, false),
        (Lengths { thigh: 0.6, shin: 0.6, foot: 2.2, ..Lengths::PLAIN }, true),
        (Lengths { thigh: 0.4, shin: 0.4, foot: 2.2, ..Lengths::PLAIN }, true),
        (Lengths { thigh: 0.5, shin: 0.3, foot: 1.5, ..Lengths::PLAIN }, true),
    ] {
        for turn_deg in [120.0, -120.0] {
            let (limits, stance) = (Limits::None, Stance::T);
            let target = Stranger { lengths, limits, stance, ..Stranger::new(3) }.rig();
            let source = turns_on_a_ball(turn_deg);
            let [copied, done] =
                [FootPlants::Off, FootPlants::Auto].map(|plants| on(&source, &target, plants));
            let case = format!("{lengths:?}, by {turn_deg}");
            let hips = target.rig.joint(Role::Hips).expect("a person");
            let place = |clip: &Clip, frame: usize| {
                WorldPose::of(clip.skeleton(), &clip.pose(frame)).position(hips)
            };
            let dragged = (0..source.clip.len())
                .map(|frame| (place(&done.result, frame) - place(&copied.result, frame)).norm())
                .fold(0.0, f64::max);
            let dragged = dragged / target.rig.leg_len;
            assert!(dragged < 0.15, "{case}: dragged by {dragged} leg lengths");
            let long = done.plant.misses.iter().any(|miss| miss.reason == MissReason::LongFoot);
            assert_eq!(long, lets_go, "{case}: whether a foot lets go is told");
            assert_good(&case, &done.report, &["snap_deg", "plant_drift_cm", "skate_cm_s"]);
        }
    }
}
