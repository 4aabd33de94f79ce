//! What is weighed where a rig shows little: the pose of who only sits, bones that lead down to the sole, shoulders
//! without a neck. What nothing shows is refused.

use crate::common;
use crate::doubtful::{Outcome, as_source, as_target, named, with_helpers};
use crate::equivalent::{
    FAMILIES, Original, bytes, original, originals, plants_off, rig_of, samples, target,
    through_bytes,
};
use crate::rewrite::{self, Rewritten};
use retarget::internals::clip::Clip;
use retarget::internals::convert;
use retarget::internals::error::Error;
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{Foot, Rig, RigFile, Role, Side, StanceDoubt, StanceOrigin, UpAxis};
use retarget::internals::settings::Settings;
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

fn sample(name: &str) -> Original {
    let [sample] = originals(Path::new(env!("CARGO_MANIFEST_DIR")), &[name], usize::MAX)
        .try_into()
        .unwrap_or_else(|_| panic!("one clip"));
    sample
}

/// The frames of a clip in which the hips are low, as on a chair, with the rig of the whole clip.
fn seated(whole: &Original) -> Original {
    let height = |frame: usize| {
        let world = rewrite::world(&whole.clip, frame);
        let at = |role: Role| world.position(whole.rig.joint(role).expect("a body"));
        whole.rig.up.height(at(Role::Hips) - at(Role::Foot(Side::Left))) / whole.rig.leg_len
    };
    let low: Vec<usize> = (0..whole.clip.len()).filter(|&frame| height(frame) < 0.6).collect();
    let (first, last) = (low[0], low[low.len() - 1]);
    let clip = rewrite::cut(&whole.clip, first, last + 1 - first);
    Original { rig: whole.rig.clone(), ..original("who sits", clip) }
}

/// The knees, toes and elbows of who sits all the time show where he faces, whatever the zero pose is.
#[test]
fn who_only_sits_shows_which_side_is_left() {
    let sits = seated(&sample("samples/sit"));
    let target = target(&sample("samples/walk").clip, true).expect("a rig");
    for direction in [Vec3::x(), Vec3::y()] {
        let along = || Rewritten::of(&sits.clip).along(direction);
        for (kind, wanted) in [(0, true), (2, false), (4, true)] {
            let (names, other) = named(&sits, along(), kind);
            let outcome = as_source(&sits, &other.clip, other.lead, &target);
            match wanted {
                true => assert_eq!(outcome, Outcome::Right, "{names}"),
                false => assert!(matches!(outcome, Outcome::Refused(_)), "{names}: {outcome:?}"),
            }
        }
    }
}

/// Who is pushed along in a chair, with nothing at rest on any floor, shows which axis is up, be it one that files hardly
/// ever have: people lie down along their way and not across it, unless they roll over the floor.
#[test]
fn who_goes_across_the_trunk_and_does_not_roll_is_upright() {
    const SURE: f64 = 0.8;
    const LEGS_S: f64 = 0.7;
    const ROLLS_RAD_S: f64 = 2.5;
    let sits = seated(&sample("samples/sit"));
    let shift_len = |o: &Original, frame: usize| {
        LEGS_S * o.rig.leg_len * o.clip.frame_time().seconds() * frame as f64
    };
    let moved = |o: &Original, pose: &dyn Fn(usize) -> Pose| {
        let mut clip = rewrite::cut(&o.clip, 0, 0);
        for frame in 0..o.clip.len() {
            let mut pose = pose(frame);
            pose.translations[0] += Vec3::z() * shift_len(o, frame);
            clip.push_pose(&pose);
        }
        clip
    };
    let pushed = moved(&sits, &|frame| sits.clip.pose(frame));
    for up in ["y", "z", "-y", "x"].map(|axis| axis.parse().expect("an axis")) {
        let other = Rewritten::of(&pushed).turned(UpAxis::Y.turn_to(up));
        let found = rig_of(&other.clip).expect("a body").rig.up_found;
        assert!(found.up == up && found.sure >= SURE, "{up} up: {found:?}");
    }
    let walks = sample("samples/walk");
    let rolling = moved(&walks, &|frame| {
        let turned_rad = ROLLS_RAD_S * walks.clip.frame_time().seconds() * frame as f64;
        let turn = Quat::from_scaled_axis(Vec3::x() * turned_rad)
            * Quat::from_scaled_axis(Vec3::z() * FRAC_PI_2);
        let mut pose = walks.clip.pose(0);
        pose.rotations[0] = turn * pose.rotations[0];
        pose
    });
    let found = rig_of(&rolling).expect("a body").rig.up_found;
    assert!(found.up.axis != Axis::X || found.sure < SURE, "rolling: {found:?}");
}

/// Joints beside those of limbs, which move as they do and carry nothing, hide no body from who sees its shape alone, be
/// they single ones in the place of one that goes on or, where names tell the parts but no sides, whole legs.
#[test]
fn helpers_beside_limbs_hide_no_body_without_sides() {
    let [beside, legs] = [2, 3];
    let [unsided, nameless] = [1, 4];
    let Some(dir) = common::mocap_dir() else { return };
    let game = target(&sample("samples/walk").clip, true).expect("a rig");
    let names = ["asf_femur21_inch/cartwheel_clean", "bandai_namco/walk_normal_001", "lafan1/walk"];
    for o in originals(&dir, &names, 240) {
        for (helpers, kind) in [(beside, unsided), (beside, nameless), (legs, unsided)] {
            let (word, with) = with_helpers(&o, Rewritten::of(&o.clip), helpers);
            let (how, other) = named(&o, with, kind);
            let outcome = as_source(&o, &other.clip, other.lead, &game);
            assert_eq!(outcome, Outcome::Right, "{}, {word}, {how}", o.name);
        }
    }
}

/// A foot whose bone leads down to the sole alone points where its knee does, and frames of both sides are laid alike.
#[test]
fn feet_that_show_no_toes_point_ahead_though_the_fighter_turns_them_out() {
    let Some(dir) = common::mocap_dir() else { return };
    let walk = target(&sample("samples/walk").clip, true).expect("a rig");
    let names = ["biovision18_inch/jumpkick", "biovision18_inch/sprint"];
    for o in originals(&dir, &names, 240) {
        for direction in [Vec3::x(), Vec3::y()] {
            let other = Rewritten::of(&o.clip).along(direction);
            let outcome = as_source(&o, &other.clip, other.lead, &walk);
            assert_eq!(outcome, Outcome::Right, "{} along {direction:?}", o.name);
        }
    }
}

/// Of a bare hierarchy with bones along an axis: shoulders without neck and head lie above the joint that carries them,
/// and a bone from the ankle that is far shorter than the toes' leads down to the sole.
#[test]
fn bare_bones_show_a_chest_by_its_shoulders_and_a_sole_by_a_short_bone() {
    let Some(dir) = common::mocap_dir() else { return };
    let walk = samples(60).remove(3);
    let names = ["snu_reduced13_m/walk_left_45degree", "pybvh_vicon24/bvh_test3_fingers"];
    for o in originals(&dir, &names, 60) {
        for direction in [Vec3::x(), Vec3::y()] {
            let other = Rewritten::of(&o.clip).along(direction);
            let outcome = as_target(&o, &other, &walk, true);
            assert_eq!(outcome, Outcome::Right, "{} along {direction:?}", o.name);
        }
    }
}

/// Where all bones lie along one axis and those of the legs begin in the hips' own place, nothing shows how pelvis and
/// trunk are turned: that is refused, unless the source is of the same family, which tells it.
#[test]
fn a_trunk_that_nothing_shows_is_refused_but_between_kin() {
    let kin = sample("samples/cmu_style/run");
    let bare = target(&Rewritten::of(&kin.clip).along_x().clip, false).expect("a rig");
    assert_eq!(bare.rig.stance.origin, StanceOrigin::Built);
    assert!(StanceDoubt::of(&bare.rig).is_some());
    let other = sample("samples/walk");
    let retargeted = |o: &Original, settings| {
        convert::convert(&through_bytes(&o.clip), RigFile::default(), &bare, &settings)
    };
    let refused = retargeted(&other, plants_off()).map(|_| ()).expect_err("refused").to_string();
    for part in ["how its trunk is turned", "[reference]", "--accept-doubt"] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    let mut accepted = plants_off();
    accepted.accept_doubt = true;
    let done = retargeted(&other, accepted).expect("gone on with");
    assert!(done.binding.stance_doubt(&done.binding.target).is_some());
    let along = Original { clip: Rewritten::of(&kin.clip).along_x().clip, ..kin };
    let done = retargeted(&along, plants_off()).expect("of one family");
    assert!(done.binding.stance_doubt(&done.binding.target).is_none());
    assert!(done.notes.is_empty(), "{:?}", done.notes);
}

/// What such a refusal proposes settles it: the lines of either reading, pasted. Those of the first one make of a target, and
/// of a source, what `--accept-doubt` makes of it, fingers at rest included.
#[test]
fn the_stance_that_a_refusal_proposes_works_when_it_is_pasted() {
    const MOST_CM: f64 = 0.1;
    const FIRST: &str = "to settle it, save as fix.toml:\n";
    const OTHER: &str = "save instead:\n";
    let Some(dir) = common::mocap_dir() else { return };
    let source = through_bytes(&sample("samples/walk").clip);
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/skeletons/game.toml");
    let game = convert::LoadedRig::load(&game).expect("a sample");
    let asking = plants_off();
    let accepting = Settings { accept_doubt: true, ..plants_off() };
    let (mut targets, mut sources) = (0, 0);
    for o in originals(&dir, &FAMILIES, 2).iter().chain(&samples(2)) {
        for direction in [Vec3::x(), Vec3::y()] {
            let other = Rewritten::of(&o.clip).along(direction).clip;
            let Ok(bare) = target(&other, false) else { continue };
            let onto = |target: &convert::LoadedRig, settings: &Settings| {
                convert::convert(&source, RigFile::default(), target, settings).map(|c| c.result)
            };
            let refused = onto(&bare, &asking).err();
            let is_stance = |e: &Error| matches!(e, Error::StanceDoubt { .. });
            let asks = refused.as_ref().is_some_and(is_stance);
            let [lines, other_lines] = [FIRST, OTHER]
                .map(|marker| refused.as_ref().and_then(|e| proposed_stance(e, marker)));
            let both = [&lines, &other_lines].map(Option::is_some);
            assert_eq!(both, [asks; 2], "{} {direction:?}: lines of both readings", o.name);
            assert!(!asks || lines != other_lines, "{} {direction:?}: twice the same", o.name);
            for (lines, is_first) in [(lines, true), (other_lines, false)] {
                let Some(lines) = lines else { continue };
                targets += 1;
                let folder = tempfile::tempdir().expect("a temporary folder");
                let file = |name| folder.path().join(name);
                let text = String::from_utf8(bytes(&other)).expect("UTF-8");
                let (hierarchy, _) = text.split_once("MOTION").expect("motion");
                std::fs::write(file("bare.bvh"), hierarchy).expect("a writable folder");
                std::fs::write(file("fix.toml"), format!("bvh = \"bare.bvh\"\n{lines}"))
                    .expect("a writable folder");
                let rig =
                    convert::LoadedRig::load(file("fix.toml")).expect("what was proposed is read");
                let fixed = onto(&rig, &asking).expect("what was proposed settles it");
                if !is_first {
                    continue;
                }
                let off = apart_cm(&onto(&bare, &accepting).expect("accepted"), &fixed, &bare.rig);
                assert!(off < MOST_CM, "target {} {direction:?}: {off} cm", o.name);
            }
            let mut still = rewrite::cut(&other, 0, 0);
            still.push_pose(&Pose::rest(other.skeleton()));
            let still = through_bytes(&still);
            let from =
                |file, settings| convert::convert(&still, file, &game, settings).map(|c| c.result);
            let refused = from(RigFile::default(), &asking).err();
            for marker in [FIRST, OTHER] {
                let lines = refused.as_ref().and_then(|e| proposed_stance(e, marker));
                let Some(lines) = lines else { continue };
                sources += 1;
                let file = RigFile::parse(&lines).expect("what was proposed is read");
                let fixed = from(file, &asking).expect("what was proposed settles it");
                if marker == OTHER {
                    continue;
                }
                let accepted = from(RigFile::default(), &accepting).expect("accepted");
                let off = apart_cm(&accepted, &fixed, &game.rig);
                assert!(off < MOST_CM, "source {} {direction:?}: {off} cm", o.name);
            }
        }
    }
    assert!(targets >= 20 && sources >= 20, "{targets} targets, {sources} sources");
}

/// The lines that a refusal for a stance proposes, by what stands before them.
fn proposed_stance(refused: &Error, marker: &str) -> Option<String> {
    let Error::StanceDoubt { .. } = refused else { return None };
    let text = refused.to_string();
    let (_, lines) = text.split_once(marker)?;
    Some(lines.lines().take_while(|line| line.starts_with("  ")).collect::<Vec<_>>().join("\n"))
}

/// How far role joints, and ends of bones of a tenth of a leg, are apart at most in two results on one rig, in
/// centimetres of a leg of 90 cm.
fn apart_cm(one: &Clip, other: &Clip, rig: &Rig) -> f64 {
    let mut most = 0.0f64;
    for frame in 0..one.len() {
        let [a, b] = [one, other].map(|clip| rewrite::world(clip, frame));
        for (_, id) in rig.roles.iter() {
            let ends_len = 0.1 * rig.leg_len * a.rotation(id).angle_to(&b.rotation(id));
            most = most.max((a.position(id) - b.position(id)).norm() + ends_len);
        }
    }
    90.0 / rig.leg_len * most
}

/// Clips of one rig agree on how its feet lie and how high its ankles stand, on both sides; on its soles too, unless the
/// feet of its stance are so far from flat that only the motion shows these.
#[test]
fn clips_of_one_rig_show_one_stance_of_the_feet_one_sole_and_one_ankle_height() {
    const STANCE_DEG: f64 = 1.0;
    const SOLE_DEG: f64 = 1.0;
    const SHOWN_DEG: f64 = 10.0;
    const HEIGHT_LEGS: f64 = 0.02;
    let Some(dir) = common::mocap_dir() else { return };
    let rigs = [
        ["snu_reduced13_m/walk_left_45degree", "quirks/frames_time_typo_walk_left_90"],
        ["vicon_zup_inch/dab", "vicon_zup_inch/zombie"],
        ["snu_woody20/wd2_1foot_contact_run2", "snu_woody20/wd2_n_kick"],
        ["bandai_namco/kick_normal_001", "bandai_namco/walk_normal_001"],
        ["cmu_3dsmax/131_01", "cmu_3dsmax/scaled_131_01"],
        ["lafan1/walk", "lafan1/hum_std"],
    ];
    let mut soles = 0;
    for names in rigs {
        let clips = originals(&dir, &names, usize::MAX);
        let feet: Vec<_> =
            clips.iter().flat_map(|o| o.rig.feet.iter().map(move |f| (o, f))).collect();
        let height = |&(o, foot): &(&Original, &Foot)| foot.ankle_height / o.rig.leg_len;
        let stance =
            |&(o, foot): &(&Original, &Foot)| o.rig.stance.body_from_joint[foot.ankle.index()];
        for (a, b) in [(0, 1), (0, 2), (1, 3)] {
            let off = (height(&feet[a]) - height(&feet[b])).abs();
            assert!(off < HEIGHT_LEGS, "{names:?}: ankles {off} of a leg apart");
        }
        for side in 0..2 {
            let off = stance(&feet[side]).angle_to(&stance(&feet[side + 2])).to_degrees();
            assert!(off < STANCE_DEG, "{names:?}: {off} degrees");
            let [from, to] = [feet[side], feet[side + 2]];
            let lifted = (stance(&from) * from.1.up).angle(&Vec3::y()).to_degrees();
            if lifted < SHOWN_DEG {
                soles += 1;
                let off = from.1.up.angle(&to.1.up).to_degrees();
                assert!(off < SOLE_DEG, "{names:?}: soles {off} degrees");
            }
        }
    }
    assert_eq!(soles, 10, "feet that their rigs show");
}
