//! Worlds of other conventions: which axis is up, which way bodies face, in which unit, where the floor
//! is. Whatever they are, a result is the motion moved as a whole: never a mirror, left stays left.

use crate::bodies::{Body, FRAMES, PLAIN};
use crate::equivalent::{bytes, retargeted, target, through_bytes};
use crate::rewrite::{Rewritten, world};
use crate::rigid::Rigid;
use retarget::internals::clip::Clip;
use retarget::internals::contact;
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, UpAxis};
use retarget::internals::settings::Settings;
use std::f64::consts::{FRAC_PI_2, PI};

/// A file's digits and no more.
const EXACT_CM: f64 = 0.001;

/// Every joint in every frame.
fn points(clip: &Clip) -> Vec<Vec3> {
    (0..clip.len()).flat_map(|frame| world(clip, frame).positions).collect()
}

fn up(text: &str) -> UpAxis {
    text.parse().expect("an axis")
}

/// The turn from Y up to another axis up.
fn world_turn(to: &str) -> Quat {
    let quarter = |axis: Vec3, quarters: f64| Quat::from_scaled_axis(axis * quarters * FRAC_PI_2);
    match to {
        "y" => Quat::identity(),
        "-y" => quarter(Vec3::z(), 2.0),
        "z" => quarter(Vec3::x(), 1.0),
        "-z" => quarter(Vec3::x(), -1.0),
        "x" => quarter(Vec3::z(), -1.0),
        "-x" => quarter(Vec3::z(), 1.0),
        _ => panic!("{to} is no axis"),
    }
}

const AXES: [&str; 6] = ["y", "z", "-y", "-z", "x", "-x"];

/// Holds a result to being the motion moved as a whole, `scale` times as large, up where it should be.
fn hold(case: &str, truth: &Clip, result: &Clip, scale: f64, ups: [&str; 2]) -> Quat {
    let truth: Vec<Vec3> = points(truth).into_iter().map(|p| p * scale).collect();
    let result = points(result);
    assert_eq!(truth.len(), result.len(), "{case}");
    let rigid = Rigid::between(&truth, &result);
    let off = truth.iter().zip(&result).map(|(a, b)| (rigid.point(*a) - b).norm());
    let off = off.fold(0.0, f64::max) / scale;
    assert!(off < EXACT_CM, "{case}: {off} cm off a rotation");
    let [from, to] = ups.map(|axis| up(axis).vector());
    let tilted = (rigid.turn * from).angle(&to);
    assert!(tilted < 1e-5, "{case}: up is tilted by {tilted} rad");
    rigid.turn
}

#[test]
fn any_axis_may_be_up_on_either_side() {
    let clip = Body::new(PLAIN).clip();
    for from in AXES {
        for onto in AXES {
            let case = format!("{from} up onto {onto} up");
            let source = Rewritten::of(&clip).turned_with_rest(world_turn(from)).clip;
            let other = Rewritten::of(&clip).turned_with_rest(world_turn(onto)).clip;
            for with_motion in [true, false] {
                let rig = target(&other, with_motion).unwrap_or_else(|e| panic!("{case}: {e}"));
                assert_eq!(rig.rig.up, up(onto), "{case}");
                let result = retargeted(&source, &rig).unwrap_or_else(|e| panic!("{case}: {e}"));
                let turn = hold(&case, &source, &result, 1.0, [from, onto]);
                if from == onto {
                    assert!(turn.angle() < 1e-5, "{case}: turned by {} rad", turn.angle());
                }
            }
        }
    }
}

#[test]
fn bodies_may_face_any_way_and_move_where_the_source_moves() {
    let clip = Body::new(PLAIN).clip();
    for degrees in (0..360).step_by(30) {
        let turn = Quat::from_scaled_axis(Vec3::y() * f64::from(degrees).to_radians());
        let case = format!("a rest pose turned by {degrees}°");
        // The rest pose alone: the motion is where it was.
        let rest = vec![turn.inverse(); clip.skeleton().len()];
        let other = Rewritten::of(&clip).reframed(&rest).clip;
        for with_motion in [true, false] {
            let rig = target(&other, with_motion).unwrap_or_else(|e| panic!("{case}: {e}"));
            let result = retargeted(&clip, &rig).unwrap_or_else(|e| panic!("{case}: {e}"));
            let turned = hold(&format!("onto {case}"), &clip, &result, 1.0, ["y", "y"]).angle();
            assert!(turned < 1e-5, "onto {case}: turned by {turned} rad");
        }
        let rig = target(&clip, true).expect("a rig");
        let result = retargeted(&other, &rig).unwrap_or_else(|e| panic!("{case}: {e}"));
        let turned = hold(&format!("from {case}"), &clip, &result, 1.0, ["y", "y"]).angle();
        assert!(turned < 1e-5, "from {case}: turned by {turned} rad");
    }
}

#[test]
fn any_unit_goes_onto_any_other() {
    let clip = Body::new(PLAIN).clip();
    // Metres, inches, millimetres and decimetres a centimetre, and what no one uses.
    let units =
        [("cm", 1.0), ("m", 0.01), ("inch", 1.0 / 2.54), ("mm", 10.0), ("dm", 0.1), ("?", 1e5)];
    for (from, source_unit) in units {
        for (onto, target_unit) in units {
            let case = format!("{from} onto {onto}");
            let source = Rewritten::of(&clip).scaled(source_unit).clip;
            let other = Rewritten::of(&clip).scaled(target_unit).clip;
            let rig = target(&other, true).unwrap_or_else(|e| panic!("{case}: {e}"));
            let result = retargeted(&source, &rig).unwrap_or_else(|e| panic!("{case}: {e}"));
            // Six decimals of a metre are fine enough for a hundredth of a millimetre.
            hold(&case, &clip, &result, target_unit, ["y", "y"]);
        }
    }
}

#[test]
fn a_floor_that_is_said_is_stood_on_wherever_the_sources_lies() {
    let clip = Body::new(PLAIN).clip();
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("rig.bvh"), bytes(&clip)).expect("written");
    std::fs::write(folder.path().join("rig.toml"), "bvh = \"rig.bvh\"\nfloor = 12.5\n")
        .expect("written");
    let rig = convert::LoadedRig::load(folder.path().join("rig.toml")).expect("a rig");
    stands_alike(&clip, &rig);
    let said = stand(&clip, &rig, &Settings::default());
    let at = Vec3::new(0.0, 12.5, 0.0);
    let bare = stand(&clip, &target(&clip, true).expect("a rig"), &Settings::default());
    assert!(said.iter().zip(bare).all(|(a, b)| (a - b - at).norm() < EXACT_CM));
}

/// The places of all joints of a result.
fn stand(source: &Clip, rig: &LoadedRig, settings: &Settings) -> Vec<Vec3> {
    let source = through_bytes(source);
    let done = convert::convert(&source, RigFile::default(), rig, settings).expect("retargeted");
    points(&done.result)
}

/// Holds results to being in one place, wherever the source's floor lies.
fn stands_alike(clip: &Clip, rig: &LoadedRig) {
    let on_floor = |raised: f64| {
        let source = Rewritten::of(clip).moved(Vec3::new(0.0, raised, 0.0)).clip;
        stand(&source, rig, &Settings::default())
    };
    let plain = on_floor(0.0);
    for raised in [-300.0, 0.7, 95.0, 1e4] {
        let off = plain.iter().zip(on_floor(raised)).map(|(a, b)| (a - b).norm());
        let off = off.fold(0.0, f64::max);
        assert!(off < EXACT_CM, "a floor at {raised}: {off} cm");
    }
}

#[test]
fn whatever_is_up_results_stand_on_zero_unless_the_height_is_to_be_kept() {
    let clip = Body::new(PLAIN).clip();
    let high = Rewritten::of(&clip).moved(Vec3::new(0.0, 140.0, 0.0)).clip;
    for onto in AXES {
        let other = Rewritten::of(&clip).turned_with_rest(world_turn(onto)).clip;
        for with_motion in [true, false] {
            let case = format!("onto {onto}, with motion: {with_motion}");
            let rig = target(&other, with_motion).unwrap_or_else(|e| panic!("{case}: {e}"));
            stands_alike(&clip, &rig);
            let height = |settings: &Settings| {
                let done =
                    convert::convert(&through_bytes(&high), RigFile::default(), &rig, settings);
                let result = through_bytes(&done.expect("retargeted").result);
                let rig = convert::source_rig(&result, RigFile::default()).expect("a rig").rig;
                let feet = contact::foot_paths(&result.clip, &rig);
                let frame_time_s = result.clip.frame_time().seconds();
                contact::detect(&feet, &rig, frame_time_s, &settings.contact).floor_height
            };
            let (stands, keep) =
                (Settings::default(), Settings { keep_floor: true, ..Settings::default() });
            assert!(height(&stands).abs() < 0.5, "{case}: stands at {} cm", height(&stands));
            assert!((height(&keep) - 140.0).abs() < 5.0, "{case}: kept at {} cm", height(&keep));
        }
    }
}

/// Turned as a whole to begin where the target faces; nothing else is changed.
#[test]
fn whatever_way_a_source_faces_results_begin_facing_forwards_where_that_is_asked_for() {
    let clip = Body::new(PLAIN).clip();
    let forward = Settings { face_forward: true, ..Settings::default() };
    for onto in ["y", "z", "-x"] {
        let other = Rewritten::of(&clip).turned_with_rest(world_turn(onto)).clip;
        let rig = target(&other, false).expect("a rig");
        let faces = |clip: &Clip| rig.rig.facing(&world(clip, 0)).expect("it stands");
        let stance = WorldPose::of(&rig.rig.skeleton, &rig.rig.stance.local);
        let ahead = rig.rig.facing(&stance).expect("it stands");
        for degrees in [0.0_f64, 40.0, 100.0, 180.0, 290.0] {
            let turn = Quat::from_scaled_axis(Vec3::y() * degrees.to_radians());
            let source = through_bytes(&Rewritten::of(&clip).turned(turn).clip);
            let of = |settings: &Settings| {
                let done = convert::convert(&source, RigFile::default(), &rig, settings);
                done.expect("retargeted").result
            };
            let (kept, turned) = (of(&Settings::default()), of(&forward));
            let off = faces(&turned).angle(&ahead);
            assert!(off < 1e-6, "{degrees}° onto {onto}: faces {off} rad aside");
            let was = turn.angle_to(&Quat::identity());
            let is = faces(&kept).angle(&ahead);
            assert!((is - was).abs() < 0.2, "{degrees}° onto {onto}: kept {is} of {was} rad");
            hold(&format!("{degrees}°, {onto}"), &kept, &turned, 1.0, [onto, onto]);
        }
    }
}

/// Left hands and feet stay on the body's left whatever the worlds: seen from above, with up towards the
/// eye, the way from right to left is a quarter turn anticlockwise from the way ahead.
#[test]
fn left_stays_left() {
    let body = Body::new(PLAIN);
    let clip = body.clip();
    let find = |name: &str| body.skeleton.find(name).expect("a joint").index();
    let [left, right] = ["LeftUpLeg", "RightUpLeg"].map(find);
    let [ankle, toe] = ["LeftFoot", "LeftToeBase"].map(find);
    let yaw = |axis: &str| Quat::from_scaled_axis(up(axis).vector() * (0.7 * PI));
    for from in AXES {
        for onto in AXES {
            let source = Rewritten::of(&clip).turned_with_rest(yaw(from) * world_turn(from)).clip;
            let other = Rewritten::of(&clip).turned_with_rest(world_turn(onto)).clip;
            let rig = target(&other, true).expect("a rig");
            let result = retargeted(&source, &rig).expect("retargeted");
            // Feet turn and point down while they walk; a mirror would change the sign.
            let handed = |frame: usize| {
                let now = world(&result, frame).positions;
                let (side, ahead) = (now[left] - now[right], now[toe] - now[ankle]);
                side.cross(&up(onto).vector()).normalize().dot(&ahead.normalize())
            };
            let mean = (0..FRAMES).map(handed).sum::<f64>() / FRAMES as f64;
            assert!(mean > 0.2, "{from} onto {onto}: {mean}");
        }
    }
}
