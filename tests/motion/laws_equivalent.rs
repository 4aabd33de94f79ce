//! The same body written differently is the same body: names, units, channels, roots, the up axis and
//! the rest pose change nothing, on the source's side or on the target's.
//!
//! Distances are those of role joints from the exactly known truth, in centimetres of a leg of 90 cm.

use crate::common;
use crate::equivalent::{
    FAMILIES, Original, Written, errors, originals, retargeted, samples, target,
};
use crate::rewrite::{Rewritten, world, world_turn};
use crate::writings;
use crate::writings::Writing;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Rig, Role, Side};
use retarget::internals::skeleton::{JointId, Skeleton};

/// Only the digits of the file stand between the truth and the result.
const EXACT_CM: f64 = 0.001;
/// What a rest pose may cost.
const REST_CM: f64 = 0.1;
/// Frames of each clip that are looked at.
const LONGEST: usize = 150;

/// How far the retargets with one side written differently were off.
#[derive(Default)]
struct Seen {
    cases: usize,
    p95: f64,
    max: f64,
    place: String,
}

/// Retargets between each of our samples' and every family's clips and their writings, both ways, and
/// fails for each that is off by more than `bound_cm` anywhere. `cases` is how many retargets that must
/// have been, of samples and of families.
fn hold(law: &str, writings: fn(&Original) -> Vec<Writing>, bound_cm: f64, cases: [usize; 2]) {
    let families = common::mocap_dir().map(|dir| originals(&dir, &FAMILIES, LONGEST));
    let wanted = [Some(cases[0]), families.is_some().then_some(cases[1])];
    let mut wrong = Vec::new();
    let mut seen: [Seen; 3] = Default::default();
    for (originals, cases) in [Some(samples(LONGEST)), families].into_iter().zip(wanted) {
        let (Some(originals), Some(cases)) = (originals, cases) else { continue };
        let before: usize = seen.iter().map(|seen| seen.cases).sum();
        for (o, how, other) in all_written(&originals, writings) {
            for (written, seen) in Written::ALL.into_iter().zip(&mut seen) {
                if written == Written::BareTarget && !writings::is_known_bare(&how, &other) {
                    continue;
                }
                seen.cases += 1;
                let case = format!("{}, {how}, {written:?}", o.name);
                match errors(o, &other, written) {
                    Ok(e) => {
                        if e.max.is_nan() || e.max > bound_cm {
                            wrong.push(format!("{case}: {:.4} cm, {}", e.max, e.place));
                        }
                        seen.p95 = seen.p95.max(e.p95());
                        if e.max > seen.max {
                            (seen.max, seen.place) = (e.max, format!("{case}: {}", e.place));
                        }
                    }
                    Err(e) => wrong.push(format!("{case}: {e}")),
                }
            }
        }
        let done = seen.iter().map(|seen| seen.cases).sum::<usize>() - before;
        assert_eq!(done, cases, "{law}: cases");
    }
    for (written, seen) in Written::ALL.into_iter().zip(seen) {
        let Seen { cases, p95, max, place } = seen;
        eprintln!("{law} | {written:?} | {cases} | p95 {p95:.5} | max {max:.5} cm | {place}");
    }
    assert!(wrong.is_empty(), "{law}:\n{}", wrong.join("\n"));
}

/// Each original with each of its writings and what that is called.
fn all_written(
    originals: &[Original],
    writings: fn(&Original) -> Vec<Writing>,
) -> impl Iterator<Item = (&Original, String, Rewritten)> {
    originals.iter().flat_map(move |o| writings(o).into_iter().map(move |(how, w)| (o, how, w)))
}

#[test]
fn the_targets_own_rig_gives_the_clip_back() {
    let as_is = |o: &Original| vec![("itself".to_owned(), Rewritten::of(&o.clip))];
    hold("own rig", as_is, EXACT_CM, [15, 63]);
}

#[test]
fn names_change_nothing() {
    hold("names", writings::names, EXACT_CM, [45, 189]);
}

#[test]
fn units_change_nothing() {
    hold("units", writings::units, EXACT_CM, [45, 189]);
}

#[test]
fn channel_orders_and_position_channels_change_nothing() {
    hold("channels", writings::channels, EXACT_CM, [120, 504]);
}

#[test]
fn an_unmoving_root_above_the_hips_changes_nothing() {
    hold("roots", writings::roots, EXACT_CM, [45, 189]);
}

#[test]
fn the_up_axis_changes_nothing() {
    hold("up axes", writings::up_axes, EXACT_CM, [30, 125]);
}

#[test]
fn arms_in_a_t_or_an_a_change_nothing() {
    hold("T and A", writings::arms, REST_CM, [30, 126]);
}

#[test]
fn straight_legs_change_nothing() {
    hold("straight legs", writings::straight_legs, REST_CM, [15, 63]);
}

#[test]
fn bones_along_x_change_nothing_even_where_no_pose_shows_the_stance() {
    hold("along X", writings::along_x, REST_CM, [45, 189]);
}

#[test]
fn where_the_rest_pose_faces_changes_nothing() {
    hold("facing", writings::facings, REST_CM, [30, 126]);
}

#[test]
fn a_joint_more_in_a_bone_changes_nothing() {
    hold("inserted joints", writings::inserted, REST_CM, [74, 299]);
}

#[test]
fn twist_joints_change_nothing() {
    hold("twist joints", writings::twists, REST_CM, [75, 312]);
}

#[test]
fn many_changes_at_once_change_nothing() {
    hold("many at once", writings::at_once, REST_CM, [45, 188]);
}

#[test]
fn another_clip_of_the_same_rig_shows_the_same_stance() {
    let Some(dir) = common::mocap_dir() else { return };
    let pairs = [
        ("lafan1/fall_getup", "lafan1/walk"),
        ("lafan1/walk", "lafan1/fall_getup"),
        ("bandai_namco/kick_normal_001", "bandai_namco/walk_normal_001"),
        ("bandai_namco/walk_normal_001", "bandai_namco/kick_normal_001"),
    ];
    /// A turn counts by how far it moves the end of a hand.
    const HAND_LEGS: f64 = 0.2;
    for (source, rig) in pairs {
        let [source, rig] = &originals(&dir, &[source, rig], 600)[..] else { panic!("two clips") };
        let result = retargeted(&source.clip, &target(&rig.clip, true).unwrap()).unwrap();
        let mut worst = 0.0f64;
        for frame in 0..source.clip.len() {
            let (truth, now) = (world(&source.clip, frame), world(&result, frame));
            for (_, id) in source.rig.roles.iter() {
                worst = worst.max((truth.position(id) - now.position(id)).norm());
                let turned = truth.rotation(id).angle_to(&now.rotation(id));
                worst = worst.max(turned * HAND_LEGS * source.rig.leg_len);
            }
        }
        let cm = worst * 90.0 / source.rig.leg_len;
        eprintln!("{} onto {}: {cm:.5} cm", source.name, rig.name);
        assert!(cm < REST_CM, "{} onto {}: {cm} cm", source.name, rig.name);
    }
}

/// Foreign pairs, source and target.
const PAIRS: [(&str, &str); 6] = [
    ("cmu_3dsmax/131_01", "lafan1/walk"),
    ("lafan1/walk", "cmu_motionbuilder/npybvh_run"),
    ("bandai_namco/kick_normal_001", "smpl_names/hml3d_template_m"),
    ("vicon_zup_inch/zombie", "rokoko/jesse_dance"),
    ("biovision18_inch/jumpkick", "asf_femur21_inch/cartwheel_clean"),
    ("smpl_names/hml3d_template_m", "dfki_fk_jnt/custom_skeleton_walk"),
];

/// Retargets a foreign pair as it is and with both sides changed, and compares: every joint of the
/// changed result must be where `wanted` takes it, given the plain result's point and the scale.
fn changed(
    law: &str,
    change: impl Fn(&Original, &Original) -> (Rewritten, Rewritten),
    wanted: impl Fn(&Original, &Original, f64, Vec3) -> Vec3,
) {
    let Some(dir) = common::mocap_dir() else { return };
    for (source, rig) in PAIRS {
        let [source, rig] = &originals(&dir, &[source, rig], LONGEST)[..] else { panic!("two") };
        let case = format!("{law}: {} onto {}", source.name, rig.name);
        let (other_source, other_rig) = change(source, rig);
        let plain = retargeted(&source.clip, &target(&rig.clip, true).unwrap()).unwrap();
        let other =
            retargeted(&other_source.clip, &target(&other_rig.clip, true).unwrap()).unwrap();
        let scale = rig.rig.leg_len / source.rig.leg_len;
        let cm = 90.0 / (rig.rig.leg_len * other_rig.scale);
        let mut worst = 0.0f64;
        for frame in 0..plain.len() {
            let (plain, other) = (world(&plain, frame), world(&other, frame));
            for id in rig.clip.skeleton().ids() {
                let wanted = wanted(source, rig, scale, plain.position(id));
                worst = worst.max((other.position(other_rig.now(id)) - wanted).norm() * cm);
            }
        }
        eprintln!("{case}: {worst:.5} cm");
        assert!(worst < EXACT_CM, "{case}: {worst} cm");
    }
}

#[test]
fn lengths_compare_by_leg_so_that_a_scaled_source_moves_the_target_as_before() {
    changed(
        "scaled source",
        |source, rig| (Rewritten::of(&source.clip).scaled(2.54), Rewritten::of(&rig.clip)),
        |_, _, _, point| point,
    );
}

#[test]
fn scaling_source_and_target_scales_the_result() {
    changed(
        "scaled pair",
        |source, rig| {
            (Rewritten::of(&source.clip).scaled(3.0), Rewritten::of(&rig.clip).scaled(3.0))
        },
        |_, _, _, point| point * 3.0,
    );
}

#[test]
fn moving_the_source_moves_the_result_by_the_scale() {
    let by = |source: &Original| Vec3::new(2.0, 0.5, -3.0) * source.rig.leg_len;
    changed(
        "moved source",
        |source, rig| (Rewritten::of(&source.clip).moved(by(source)), Rewritten::of(&rig.clip)),
        |source, rig, scale, point| {
            point + world_turn(source.rig.up, rig.rig.up) * by(source) * scale
        },
    );
}

#[test]
fn turning_the_source_about_up_turns_the_result() {
    let turn = |o: &Original| Quat::from_scaled_axis(o.rig.up.vector() * 1.9);
    changed(
        "turned source",
        |source, rig| (Rewritten::of(&source.clip).turned(turn(source)), Rewritten::of(&rig.clip)),
        |_, rig, _, point| turn(rig) * point,
    );
}

/// The same skeleton with other lengths: each bone by a factor of its own, alike on both sides.
///
/// Its hips are as wide for its legs as those of the clip's `rig`, so that they roll as these do.
fn with_other_lengths(clip: &Clip, rig: &Rig) -> Clip {
    const FACTORS: [f64; 4] = [1.0, 1.15, 0.85, 1.3];
    let skeleton = clip.skeleton();
    let factor = |id: JointId| {
        let name = skeleton.name(id).replace("Left", "").replace("Right", "");
        let sum: usize = name.bytes().map(usize::from).sum();
        FACTORS[sum % FACTORS.len()]
    };
    let joint = |role: Role| rig.joint(role).expect("a person");
    let (hips, thighs) = (joint(Role::Hips), Side::BOTH.map(|side| joint(Role::Thigh(side))));
    let bones = || {
        let leg =
            |foot| skeleton.ancestors(foot).take_while(|id| !thighs.contains(id)).chain([foot]);
        Side::BOTH.into_iter().flat_map(move |side| leg(joint(Role::Foot(side))))
    };
    let len = |id: JointId| skeleton.joint(id).offset.norm();
    let leg_factor =
        bones().map(|id| factor(id) * len(id)).sum::<f64>() / bones().map(len).sum::<f64>();
    let in_pelvis = |id: JointId| {
        let leads = |thigh: JointId| id == thigh || skeleton.is_ancestor(id, thigh);
        skeleton.is_ancestor(hips, id) && thighs.into_iter().any(leads)
    };
    let mut joints = skeleton.joints().to_vec();
    for (id, joint) in skeleton.ids().zip(&mut joints) {
        joint.offset *= if in_pelvis(id) { leg_factor } else { factor(id) };
    }
    let skeleton = Skeleton::new(joints).expect("the same tree");
    let mut other = Clip::new(skeleton, clip.frame_time().clone());
    (0..clip.len()).for_each(|frame| other.push_pose(&clip.pose(frame)));
    other
}

/// Rigs of one family have one stance, whatever their lengths and whether any pose shows it.
#[test]
fn a_bare_rig_of_the_sources_family_points_its_bones_where_the_source_does() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    let families = common::mocap_dir().map(|dir| originals(&dir, &FAMILIES, LONGEST));
    for o in samples(LONGEST).into_iter().chain(families.unwrap_or_default()) {
        for along_x in [false, true] {
            let written = Rewritten::of(&o.clip);
            let source = if along_x { written.along_x() } else { written }.clip;
            let case = format!("{}, along X {along_x}", o.name);
            let result = target(&with_other_lengths(&source, &o.rig), false)
                .and_then(|rig| Ok((retargeted(&source, &rig)?, rig)));
            let (result, rig) = match result {
                Ok(done) => done,
                Err(e) => {
                    wrong.push(format!("{case}: {e}"));
                    continue;
                }
            };
            let mut worst = (0.0f64, String::new());
            let turn = o.rig.up.turn_to(rig.rig.up);
            let skeleton = result.skeleton();
            for frame in (0..result.len()).step_by(10) {
                let (is, was) = (world(&result, frame), world(&source, frame));
                for id in skeleton.ids() {
                    // Between parts of the body: a joint of none may turn to and fro.
                    let has_role = |id: &JointId| rig.rig.roles.role(*id).is_some();
                    let parent = skeleton.parent(id).filter(|parent| has_role(parent));
                    let Some(parent) = parent.filter(|_| has_role(&id)) else { continue };
                    let bone = |at: &WorldPose| at.position(id) - at.position(parent);
                    if bone(&was).norm() < 1e-3 * o.rig.leg_len {
                        continue;
                    }
                    let off = bone(&is).angle(&(turn * bone(&was))).to_degrees();
                    if off.is_nan() || off > worst.0 {
                        worst = (off, format!("{} in frame {frame}", skeleton.name(id)));
                    }
                    checked += 1;
                }
            }
            if worst.0.is_nan() || worst.0 >= 1.0 {
                wrong.push(format!("{case}: {:.1}°, {}", worst.0, worst.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 1000, "{checked} bones");
}
