//! A motion on bodies of other builds: spines and necks of any number of joints, with and without
//! clavicles, hands, fingers, toes and head, with twist joints in the bones or beside them.
//!
//! The bodies of `common/bodies.rs` make one motion, so that what each joint of a result must do is
//! known from the motion, and not from the library.

use crate::bodies::{Body, Build, FRAMES, Fingers, PLAIN, Part, Twists, turn};
use crate::equivalent::{carried, target};
use crate::rewrite::world;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::Side;
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

/// A file's digits and no more.
const EXACT_RAD: f64 = 1e-5;

/// The motion, from one body to another.
fn between(from: Build, onto: Build) -> (Body, Clip) {
    let (source, body) = (Body::new(from), Body::new(onto));
    let case = format!("{from:?} onto {onto:?}");
    let rig = target(&body.clip(), false).unwrap_or_else(|e| panic!("{case}: {e}"));
    let result = carried(&source.clip(), &rig).unwrap_or_else(|e| panic!("{case}: {e}"));
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
    let result = carried(&clip, &rig).expect("carried");
    let mut worst = 0.0f64;
    for frame in 1..TURNS {
        let pairs = result.rotations(frame - 1).iter().zip(result.rotations(frame));
        worst = pairs.map(|(a, b)| a.angle_to(b)).fold(worst, f64::max);
    }
    let step = 2.0 * std::f64::consts::TAU / TURNS as f64;
    // The wrist takes what the forearm gives back towards the half turn.
    assert!(worst < 5.0 * step, "{worst} rad a step of {step}");
}

/// A joint more on a skeleton, the last below its parent; a root of its own without one.
fn with_joint(skeleton: &Skeleton, parent: Option<&str>, name: &str, offset: Vec3) -> Skeleton {
    let mut joints = skeleton.joints().to_vec();
    let parent = parent.map(|name| skeleton.find(name).expect("a joint"));
    let below = |&i: &usize| parent.is_some_and(|p| skeleton.is_ancestor(p, JointId::new(i)));
    let last = parent.map(|p| (0..joints.len()).filter(below).max().unwrap_or(p.index()));
    let at = last.map_or(joints.len(), |last| last + 1);
    for joint in &mut joints {
        joint.parent = joint.parent.map(|p| JointId::new(p.index() + usize::from(p.index() >= at)));
    }
    let order = [Axis::Z, Axis::X, Axis::Y];
    let channels = Channels::positions_and_rotations(order).expect("three axes");
    let name = name.to_owned();
    joints.insert(at, Joint { name, parent, offset, channels, end_sites: Vec::new() });
    Skeleton::new(joints).expect("a tree")
}

/// The clip on a skeleton that has more joints; those turn and move by `extra` in each frame.
fn on_more(clip: &Clip, skeleton: &Skeleton, extra: impl Fn(usize) -> (Quat, Vec3)) -> Clip {
    let mut more = Clip::new(skeleton.clone(), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let known = clip.pose(frame);
        let mut pose = Pose::rest(skeleton);
        for id in skeleton.ids() {
            match clip.skeleton().find(skeleton.name(id)) {
                Some(old) => {
                    pose.rotations[id.index()] = known.rotations[old.index()];
                    pose.translations[id.index()] = known.translations[old.index()];
                }
                None => {
                    let (turn, shift) = extra(frame);
                    pose.rotations[id.index()] = turn;
                    pose.translations[id.index()] += shift;
                }
            }
        }
        more.push_pose(&pose);
    }
    more
}

/// Joints that play no part, whatever their channels.
const HELPERS: [(Option<&str>, &str, [f64; 3]); 7] = [
    (Some("LeftHand"), "LeftProp", [5.0, -3.0, 2.0]),
    (Some("Hips"), "IK_LeftFoot", [9.0, -90.0, 0.0]),
    (Some("LeftUpLeg"), "LeftThigh_jiggle", [2.0, -20.0, -5.0]),
    (Some("Spine2"), "Breast_jiggle", [0.0, 3.0, 8.0]),
    (Some("Hips"), "Hips_dummy", [0.0, 0.0, 0.0]),
    (Some("LeftForeArm"), "LeftForeArm_null", [0.0, 0.0, 0.0]),
    (None, "Camera", [100.0, 150.0, 300.0]),
];

fn with_helpers(skeleton: &Skeleton) -> Skeleton {
    let add = |skeleton: Skeleton, (parent, name, [x, y, z]): (Option<&str>, &str, [f64; 3])| {
        with_joint(&skeleton, parent, name, Vec3::new(x, y, z))
    };
    HELPERS.into_iter().fold(skeleton.clone(), add)
}

#[test]
fn joints_without_a_part_stay_at_rest_and_change_nothing() {
    let body = Body::new(PLAIN);
    let clip = body.clip();
    let plain = carried(&clip, &target(&clip, false).expect("a rig")).expect("carried");
    let more = with_helpers(&body.skeleton);
    let at_rest = on_more(&clip, &more, |_| (Quat::identity(), Vec3::zeros()));
    let result = carried(&clip, &target(&at_rest, false).expect("a rig")).expect("carried");
    for frame in 0..FRAMES {
        let (known, pose) = (world(&plain, frame), result.pose(frame));
        let now = world(&result, frame);
        for id in more.ids() {
            match body.skeleton.find(more.name(id)) {
                Some(old) => {
                    let off = (now.position(id) - known.position(old)).norm();
                    assert!(off < 0.001, "{} in frame {frame}: {off} cm", more.name(id));
                }
                None => {
                    let turned = pose.rotations[id.index()].angle();
                    let moved = (pose.translations[id.index()] - more.joint(id).offset).norm();
                    assert!(turned < EXACT_RAD && moved < 1e-5, "{}: {turned}", more.name(id));
                }
            }
        }
    }
    // In a source they may do what they like.
    let wild = on_more(&clip, &more, |frame| {
        let s = frame as f64;
        (Quat::from_euler_angles(s, 0.7 * s, 2.0), Vec3::new(3.0 * s.sin(), s, 0.0))
    });
    let from_wild = carried(&wild, &target(&clip, false).expect("a rig")).expect("carried");
    let (cm, place) = apart_cm((&body, &from_wild), (&body, &plain), |_| false);
    assert!(cm < 0.001, "{cm} cm, {place}");
}

/// The clip with its travel taken apart: the joint above the hips goes over the ground and turns, the
/// hips do the rest.
fn split_root(clip: &Clip, name: &str) -> Clip {
    let mut joints = vec![Joint {
        name: name.to_owned(),
        parent: None,
        offset: Vec3::zeros(),
        channels: Channels::positions_and_rotations([Axis::Z, Axis::X, Axis::Y]).expect("axes"),
        end_sites: Vec::new(),
    }];
    joints.extend(clip.skeleton().joints().iter().cloned().map(|mut joint| {
        let order = [Axis::Z, Axis::X, Axis::Y];
        if joint.parent.is_none() {
            joint.channels = Channels::positions_and_rotations(order).expect("axes");
        }
        joint.parent = Some(joint.parent.map_or(JointId::new(0), |p| JointId::new(p.index() + 1)));
        joint
    }));
    let mut split = Clip::new(Skeleton::new(joints).expect("a tree"), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let mut pose = clip.pose(frame);
        let above = Quat::from_euler_angles(0.0, 0.02 * frame as f64, 0.0);
        let ground = Vec3::new(pose.translations[0].x, 0.0, 0.5 * pose.translations[0].z);
        pose.rotations[0] = above.inverse() * pose.rotations[0];
        pose.translations[0] = above.inverse() * (pose.translations[0] - ground);
        pose.rotations.insert(0, above);
        pose.translations.insert(0, ground);
        split.push_pose(&pose);
    }
    split
}

#[test]
fn motion_above_the_hips_counts() {
    let body = Body::new(PLAIN);
    let clip = body.clip();
    let own = target(&clip, false).expect("a rig");
    let plain = carried(&clip, &own).expect("carried");
    for name in ["joint_Root", "Reference", "root", "Armature"] {
        let split = split_root(&clip, name);
        let result = carried(&split, &own).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (cm, place) = apart_cm((&body, &result), (&body, &plain), |_| false);
        assert!(cm < 0.001, "under {name}: {cm} cm, {place}");
        // As a target the hips take all of the motion, and what is above stays.
        let rig = target(&split, false).unwrap_or_else(|e| panic!("{name}: {e}"));
        let result = carried(&clip, &rig).unwrap_or_else(|e| panic!("{name}: {e}"));
        for frame in 0..FRAMES {
            let (now, known) = (world(&result, frame), world(&plain, frame));
            for (i, place) in known.positions.iter().enumerate() {
                let off = (now.positions[i + 1] - place).norm();
                assert!(off < 0.001, "onto {name}: {off} cm, {:?}", body.parts[i]);
            }
            assert!(now.positions[0].norm() < 1e-9, "onto {name}");
        }
    }
}
