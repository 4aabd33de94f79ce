//! A motion on bodies of other builds: spines and necks of any number of joints, with and without
//! clavicles, hands, fingers, toes and head, with twist joints in the bones or beside them.
//!
//! The bodies of `common/bodies.rs` make one motion, so that what each joint of a result must do is
//! known from the motion, and not from the library.

mod more_joints;

use crate::bodies::{Body, Build, FRAMES, Fingers, PLAIN, Part, Twists, turn};
use crate::equivalent::{retargeted, target};
use crate::rewrite::world;
use retarget::internals::clip::Clip;
use retarget::internals::math::Quat;
use retarget::internals::rig::Side;

/// A file's digits and no more.
const EXACT_RAD: f64 = 1e-5;

/// The motion, from one body to another.
fn between(from: Build, onto: Build) -> (Body, Clip) {
    let (source, body) = (Body::new(from), Body::new(onto));
    let case = format!("{from:?} onto {onto:?}");
    let rig = target(&body.clip(), false).unwrap_or_else(|e| panic!("{case}: {e}"));
    let result = retargeted(&source.clip(), &rig).unwrap_or_else(|e| panic!("{case}: {e}"));
    assert_eq!(result.len(), FRAMES, "{case}");
    (body, result)
}

/// How far joints of these parts are turned off the motion, at most; radians.
fn off_rad(body: &Body, result: &Clip, parts: impl Fn(Part) -> bool) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for frame in 0..result.len() {
        let now = world(result, frame);
        for (part, rotation) in body.parts.iter().zip(&now.rotations) {
            let off = rotation.angle_to(&body.turn(*part, frame));
            assert!(off.is_finite(), "{part:?} in frame {frame}");
            if parts(*part) && off >= worst.0 {
                worst = (off, format!("{part:?} in frame {frame}"));
            }
        }
    }
    worst
}

/// How far the joints that two bodies share lie apart in their clips, at most, those of `skipped` parts
/// aside; centimetres.
fn apart_cm(a: (&Body, &Clip), b: (&Body, &Clip), skipped: impl Fn(Part) -> bool) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for frame in 0..FRAMES {
        let (one, other) = (world(a.1, frame), world(b.1, frame));
        for (i, &part) in a.0.parts.iter().enumerate() {
            let Some(id) = b.0.joint(part).filter(|_| !skipped(part)) else { continue };
            let off = (one.positions[i] - other.position(id)).norm();
            if off >= worst.0 {
                worst = (off, format!("{part:?} in frame {frame}"));
            }
        }
    }
    worst
}

/// How far a chain's joint is turned from the chain's lower end, as a share of the way to its upper.
fn share_of_turn(low: Quat, own: Quat, high: Quat) -> f64 {
    low.angle_to(&own) / low.angle_to(&high)
}

/// Retargets between chains of every number of joints in `counts`. Both ends of a chain must turn as
/// the motion says, what lies between by a share that grows along it; joints that both bodies have must
/// lie where the source's do: where every source joint has its place in the target exactly, else by
/// `most_cm`.
fn chains(counts: std::ops::RangeInclusive<usize>, build: fn(usize) -> Build, most_cm: f64) {
    let mut farthest = (0.0, String::new());
    for from in counts.clone() {
        for onto in counts.clone() {
            let case = format!("{from} onto {onto}");
            let (body, result) = between(build(from), build(onto));
            let within = |part| match part {
                Part::Trunk(share) | Part::Neck(share) => share > 0.0 && share < 1.0,
                _ => false,
            };
            let (off, place) = off_rad(&body, &result, |part| !within(part));
            assert!(off < EXACT_RAD, "{case}: {off} rad, {place}");
            for frame in 0..FRAMES {
                let now = world(&result, frame);
                let mut before = 0.0;
                for (part, &own) in body.parts.iter().zip(&now.rotations) {
                    let (low, high) = match part {
                        Part::Trunk(_) => {
                            (turn(Part::Trunk(0.0), frame), turn(Part::Trunk(1.0), frame))
                        }
                        Part::Neck(_) => {
                            (turn(Part::Neck(0.0), frame), turn(Part::Neck(1.0), frame))
                        }
                        _ => continue,
                    };
                    let share = share_of_turn(low, own, high);
                    if *part == Part::Trunk(0.0) || matches!(part, Part::Neck(_)) && before == 1.0 {
                        before = 0.0;
                    }
                    let grows = (before - 1e-4..=1.0 + 1e-4).contains(&share);
                    assert!(grows, "{case}: {part:?} in frame {frame}: {share} after {before}");
                    before = if share > 1.0 - 1e-4 { 1.0 } else { share };
                }
            }
            let source = Body::new(build(from));
            let (cm, place) = apart_cm((&body, &result), (&source, &source.clip()), within);
            let splits = from > 0 && onto > 0 && onto % from == 0;
            assert!(!splits || cm < 0.001, "{case}: {cm} cm, {place}");
            // A trunk of one joint has nothing to bend with between hips and chest.
            if cm > farthest.0 && onto > 1 {
                farthest = (cm, format!("{case}: {place}"));
            }
        }
    }
    eprintln!("at most {:.2} cm, {}", farthest.0, farthest.1);
    assert!(farthest.0 < most_cm, "{} cm, {}", farthest.0, farthest.1);
}

#[test]
fn spines_of_one_to_nine_joints_carry_the_chest_alike() {
    chains(1..=9, |spine| Build { spine, ..PLAIN }, 3.0);
}

#[test]
fn necks_of_none_to_four_joints_carry_the_head_alike() {
    chains(0..=4, |neck| Build { neck, ..PLAIN }, 2.5);
}

/// Every body with or without clavicles, hands, toes and head.
fn builds() -> Vec<Build> {
    let bit = |i: usize, at: usize| i & (1 << at) != 0;
    let build = |i| Build {
        clavicles: bit(i, 0),
        hands: bit(i, 1),
        toes: bit(i, 2),
        head: bit(i, 3),
        ..PLAIN
    };
    (0..16).map(build).collect()
}

#[test]
fn what_both_bodies_have_moves_alike_whatever_else_they_have() {
    for from in builds() {
        for onto in builds() {
            let case = format!("{from:?} onto {onto:?}");
            let (body, result) = between(from, onto);
            let source = Body::new(from);
            let both = |part: Part| match part {
                // A neck without a head is the head's carrier and takes what turn there is.
                Part::Neck(share) => from.head && onto.head || share == 0.0,
                part => source.joint(part).is_some(),
            };
            let (off, place) = off_rad(&body, &result, both);
            assert!(off < EXACT_RAD, "{case}: {off} rad, {place}");
            // What only the target has hangs on its parent as it does in the zero pose.
            for frame in 0..FRAMES {
                let now = world(&result, frame);
                for (i, joint) in body.skeleton.joints().iter().enumerate() {
                    let neck = matches!(body.parts[i], Part::Neck(_));
                    if neck || source.joint(body.parts[i]).is_some() {
                        continue;
                    }
                    let parent = joint.parent.expect("no root").index();
                    let turned = now.rotations[i].angle_to(&now.rotations[parent]);
                    assert!(turned < EXACT_RAD, "{case}: {:?} {turned}", body.parts[i]);
                }
            }
        }
    }
}

#[test]
fn fingers_bend_alike_whatever_their_joints_and_with_or_without_bones_in_the_palm() {
    const FINGERS: [Fingers; 4] =
        [Fingers::None, Fingers::Plain(2), Fingers::Plain(3), Fingers::Metacarpals];
    for from in FINGERS {
        for onto in FINGERS {
            let build = |fingers| Build { fingers, ..PLAIN };
            let (body, result) = between(build(from), build(onto));
            let source = Body::new(build(from));
            let both = |part: Part| source.joint(part).is_some();
            let (off, place) = off_rad(&body, &result, both);
            assert!(off < EXACT_RAD, "{from:?} onto {onto:?}: {off} rad, {place}");
            // A joint that the source lacks goes with the one that carries it.
            for frame in 0..FRAMES {
                let now = world(&result, frame);
                for (i, joint) in body.skeleton.joints().iter().enumerate() {
                    if both(body.parts[i]) {
                        continue;
                    }
                    let parent = joint.parent.expect("no root").index();
                    let turned = now.rotations[i].angle_to(&now.rotations[parent]);
                    assert!(turned < EXACT_RAD, "{from:?} onto {onto:?}: {:?}", body.parts[i]);
                }
            }
        }
    }
}

#[test]
fn a_body_of_thirteen_joints_takes_a_full_ones_motion_and_gives_it_back() {
    let small = Build {
        spine: 1,
        neck: 0,
        clavicles: false,
        hands: true,
        toes: false,
        head: true,
        ..PLAIN
    };
    assert_eq!(Body::new(small).skeleton.len(), 15);
    let smaller = Build { hands: false, ..small };
    assert_eq!(Body::new(smaller).skeleton.len(), 13);
    let full = Build { spine: 5, neck: 2, twists: Twists::Beside(2), ..PLAIN };
    for (from, onto) in [(full, small), (full, smaller), (small, full), (smaller, full)] {
        let (body, result) = between(from, onto);
        let limbs = |part| {
            use Part::*;
            matches!(part, UpperArm(_) | Forearm(_) | Thigh(_) | Shin(_) | Foot(_))
                || part == Neck(1.0)
                || part == Trunk(1.0)
        };
        let (off, place) = off_rad(&body, &result, limbs);
        assert!(off < EXACT_RAD, "{from:?} onto {onto:?}: {off} rad, {place}");
    }
}

const TWISTS: [Twists; 5] =
    [Twists::None, Twists::Inline(1), Twists::Inline(2), Twists::Beside(1), Twists::Beside(3)];

#[test]
fn twist_joints_take_their_share_by_place_and_lose_nothing_of_the_hands_roll() {
    for from in TWISTS {
        for onto in TWISTS {
            let build = |twists| Build { twists, ..PLAIN };
            let (body, result) = between(build(from), build(onto));
            let (off, place) = off_rad(&body, &result, |_| true);
            assert!(off < EXACT_RAD, "{from:?} onto {onto:?}: {off} rad, {place}");
            let source = Body::new(build(from));
            let is_twist = |part| matches!(part, Part::Twist(..));
            let (cm, place) = apart_cm((&body, &result), (&source, &source.clip()), is_twist);
            assert!(cm < 0.001, "{from:?} onto {onto:?}: {cm} cm, {place}");
        }
    }
    // The motion has twists to share.
    let roll = |frame| {
        let [fore, hand] = [Part::Forearm(Side::Left), Part::Hand(Side::Left)];
        turn(fore, frame).angle_to(&turn(hand, frame))
    };
    assert!((0..FRAMES).map(roll).fold(0.0, f64::max) > 1.4);
}

/// A hand that goes on rolling, over and over: no joint of the forearm may jump at the half turn.
#[test]
fn a_shared_twist_never_jumps() {
    let source = Body::new(PLAIN);
    let hand = source.joint(Part::Hand(Side::Left)).expect("a hand");
    let mut clip = Clip::new(source.skeleton.clone(), source.clip().frame_time().clone());
    let mut pose = source.clip().pose(0);
    const TURNS: usize = 360;
    for step in 0..TURNS {
        let angle = 2.0 * std::f64::consts::TAU * step as f64 / TURNS as f64;
        pose.rotations[hand.index()] = Quat::from_euler_angles(angle, 0.0, 0.0);
        clip.push_pose(&pose);
    }
    let body = Body::new(Build { twists: Twists::Inline(2), ..PLAIN });
    let rig = target(&body.clip(), false).expect("a rig");
    let result = retargeted(&clip, &rig).expect("retargeted");
    let mut worst = 0.0f64;
    for frame in 1..TURNS {
        let pairs = result.rotations(frame - 1).iter().zip(result.rotations(frame));
        worst = pairs.map(|(a, b)| a.angle_to(b)).fold(worst, f64::max);
    }
    let step = 2.0 * std::f64::consts::TAU / TURNS as f64;
    // The wrist takes what the forearm gives back towards the half turn.
    assert!(worst < 5.0 * step, "{worst} rad a step of {step}");
}
