//! One motion that two files write differently lands in one place, and a clip that goes onto a foreign
//! rig and back is the clip again.
//!
//! Distances are in centimetres of a leg of 90 cm, nothing is done about the feet.

use crate::common;
use crate::equivalent;
use crate::equivalent::{Errors, retargeted, target, through_bytes};
use crate::rewrite::{cut, world};
use crate::rigid::Rigid;
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::convert;
use retarget::internals::math::Vec3;
use retarget::internals::rig::{Rig, Role};
use std::path::Path;

/// Frames of each clip that are looked at.
const LONGEST: usize = 300;

fn read(dir: &Path, name: &str) -> Clip {
    let path = dir.join(format!("{name}.bvh"));
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    bvh::read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}")).clip
}

fn first_frames(clip: &Clip) -> Clip {
    cut(clip, 0, clip.len().min(LONGEST))
}

/// The roles that every one of the rigs has.
fn shared(rigs: &[&Rig]) -> Vec<Role> {
    let all = rigs[0].roles.iter().map(|(role, _)| role);
    all.filter(|&role| rigs.iter().all(|rig| rig.joint(role).is_some())).collect()
}

/// Where role joints are in every frame, centimetres of a leg of 90 cm.
fn places(clip: &Clip, rig: &Rig, roles: &[Role]) -> Vec<(usize, Role, Vec3)> {
    let cm = 90.0 / rig.leg_len;
    let frame = |frame: usize| {
        let world = world(clip, frame);
        let place = |&role: &Role| world.position(rig.joint(role).expect("shared")) * cm;
        roles.iter().map(|role| (frame, *role, place(role))).collect::<Vec<_>>()
    };
    (0..clip.len()).flat_map(frame).collect()
}

fn distances(from: &[(usize, Role, Vec3)], to: &[(usize, Role, Vec3)]) -> (Errors, f64) {
    assert_eq!(from.len(), to.len());
    let mut errors = Errors::default();
    let mut sum = 0.0;
    for ((frame, role, a), (_, _, b)) in from.iter().zip(to) {
        errors.note((a - b).norm(), || format!("{role} in frame {frame}"));
        sum += (a - b).norm();
    }
    (errors, sum / from.len() as f64)
}

/// `from` moved as a whole as near to `to` as can be: what two recordings' worlds differ by.
fn laid_over(from: &[(usize, Role, Vec3)], to: &[(usize, Role, Vec3)]) -> Vec<(usize, Role, Vec3)> {
    let points = |all: &[(usize, Role, Vec3)]| all.iter().map(|(_, _, p)| *p).collect::<Vec<_>>();
    let rigid = Rigid::between(&points(from), &points(to));
    from.iter().map(|&(frame, role, p)| (frame, role, rigid.point(p))).collect()
}

/// Files that hold the same motion. `scaled_131_01` has one frame more at its
/// end; the Vicon pair stands in another place of another world.
const PAIRS: [(&str, &str); 5] = [
    ("cmu_3dsmax/131_01", "cmu_3dsmax/scaled_131_01"),
    ("smpl_names/hml3d_template_m", "smpl_names/hml3d_pelvis_cm"),
    ("snu_dummy26_inch/wd2_boxing_girl", "snu_dummy26_inch/wd2_boxing_girl_edit20"),
    ("snu_woody20/wd2_n_kick", "snu_woody20/wd2_n_kick_edit"),
    ("pybvh_vicon24/bvh_test3_fingers", "pybvh_vicon24/bvh_test4"),
];

#[test]
fn one_motion_written_twice_lands_in_one_place() {
    let Some(dir) = common::mocap_dir() else { return };
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/skeletons");
    for (one, other) in PAIRS {
        let clips = [one, other].map(|name| first_frames(&read(&dir, name)));
        let rigs = clips.each_ref().map(|clip| equivalent::rig_of(clip).expect("a rig").rig);
        let roles = shared(&[&rigs[0], &rigs[1]]);
        let [a, b] = [0, 1].map(|i| places(&clips[i], &rigs[i], &roles));
        let own = distances(&laid_over(&a, &b), &b).0;
        for onto in ["hero.toml", "game.toml"] {
            let target = convert::LoadedRig::load(samples.join(onto)).expect("a sample");
            let results =
                clips.each_ref().map(|clip| retargeted(clip, &target).expect("retargeted"));
            let roles = shared(&[&target.rig, &rigs[0], &rigs[1]]);
            let [a, b] = results.each_ref().map(|result| places(result, &target.rig, &roles));
            let (errors, _) = distances(&laid_over(&a, &b), &b);
            let case = format!("{one} and {other} onto {onto}");
            eprintln!(
                "{case}: p95 {:.5} max {:.5} cm; the files' own p95 {:.5} max {:.5} cm, {}",
                errors.p95(),
                errors.max,
                own.p95(),
                own.max,
                own.place
            );
            assert!(errors.max <= 0.1, "{case}: {} cm, {}", errors.max, errors.place);
        }
    }
}

/// Clips and the foreign rigs that they go to and come back from. Every pair is of two families; the
/// rig between has joints for all that the clip moves.
const ROUNDS: [(&str, &str); 12] = [
    ("cmu_3dsmax/131_01", "lafan1/walk"),
    ("lafan1/walk", "cmu_motionbuilder/npybvh_run"),
    ("lafan1/fall_getup", "rokoko/jesse_dance"),
    ("bandai_namco/walk_normal_001", "smpl_names/hml3d_template_m"),
    ("bandai_namco/kick_normal_001", "geno/Geno_bind"),
    ("vicon_zup_inch/zombie", "rokoko/jesse_dance"),
    ("biovision18_inch/sprint", "asf_femur21_inch/cartwheel_clean"),
    ("asf_osu22/Swagger", "bandai_namco/walk_normal_001"),
    ("rokoko/jesse_dance", "xsens_names/pybvh_test2"),
    ("mocapbank19/walk_carrybag", "ipisoft52/2017-12-22_16-22-35"),
    ("poser_mixed/dancing41-1", "accad19_inch/10_01"),
    ("cmu_daz/02_02", "snu_woody20/wd2_n_kick"),
];

#[test]
fn a_clip_comes_back_from_a_foreign_rig() {
    let Some(dir) = common::mocap_dir() else { return };
    for (clip, foreign) in ROUNDS {
        let case = format!("{clip} by {foreign}");
        let clip = first_frames(&read(&dir, clip));
        let own = target(&clip, true).expect("a rig");
        let between = target(&read(&dir, foreign), true).expect("a rig");
        let there = through_bytes(&retargeted(&clip, &between).expect("retargeted"));
        // The rig between is known: what its own file says of its stance holds on the way back.
        let back =
            convert::convert(&there, convert::lock(&between), &own, &equivalent::plants_off());
        let back = back.unwrap_or_else(|e| panic!("{case}: {e}")).result;
        let roles = shared(&[&own.rig, &between.rig]);
        let truth = places(&clip, &own.rig, &roles);
        let (errors, mean) = distances(&truth, &places(&back, &own.rig, &roles));
        eprintln!(
            "{case}: mean {mean:.4} p95 {:.4} max {:.4} cm, {}",
            errors.p95(),
            errors.max,
            errors.place
        );
        assert!(mean <= 0.5, "{case}: mean {mean} cm, at worst {} in {}", errors.max, errors.place);
    }
}
