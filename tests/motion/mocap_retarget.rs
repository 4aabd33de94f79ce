//! Every real clip with motion goes onto every real rig: without an error, without a number that is
//! none, without a joint that jumps where the source's do not.

use crate::common;
use crate::rewrite::world;
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::internals::rig::{Rig, RigFile, Role};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::JointId;
use std::path::{Path, PathBuf};

/// Rigs that everything goes onto.
const RIGS: [&str; 5] = [
    "bandai_namco/walk_normal_001",
    "cmu_motionbuilder/npybvh_run",
    "geno/Geno_bind",
    "lafan1/walk",
    "smpl_names/hml3d_template_m",
];

/// Files outside of `quirks` that hold a pose and no motion.
const POSES: [&str; 4] = [
    "geno/Geno_bind",
    "lafan1/hum_std",
    "makehuman/default_rig_tpose",
    "makehuman/rigify_like_dance1_pose",
];

/// How much farther than any of the source's a joint of a result may move from one frame to the
/// next, each compared with its distance from the hips.
const JUMP: f64 = 1.4;

/// Every clip with motion.
fn sources(dir: &Path) -> Vec<SourceClip> {
    let clips = common::mocap_clips(dir);
    let wanted = |name: &str| {
        let name = name.trim_end_matches(".bvh");
        !name.starts_with("quirks/") && !POSES.contains(&name)
    };
    let clips = clips.into_iter().filter(|(name, _)| wanted(name));
    clips
        .map(|(name, bytes)| {
            convert::SourceClip::from_bytes(PathBuf::from(name), &bytes).expect("readable")
        })
        .collect()
}

/// One of the real rigs, or of the sample skeletons, which are named with their ending.
fn rig(dir: &Path, name: &str) -> LoadedRig {
    let path = match Path::new(name).extension() {
        Some(_) => Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/skeletons").join(name),
        None => dir.join(format!("{name}.bvh")),
    };
    convert::LoadedRig::load(&path).unwrap_or_else(|e| panic!("{e}"))
}

/// How far a joint is from the hips along the bones, or a leg where that is longer: what a turn of the
/// body moves it by.
fn reach(rig: &Rig, id: JointId) -> f64 {
    let hips = rig.joint(Role::Hips).expect("every rig has hips");
    let above = std::iter::once(id).chain(rig.skeleton.ancestors(id));
    let bones = above.take_while(|&id| id != hips).map(|id| rig.skeleton.joint(id).offset.norm());
    bones.sum::<f64>().max(rig.leg_len)
}

/// The farthest that a joint with a role moves from one frame to the next, of its reach, and where.
fn jump(clip: &Clip, rig: &Rig, other: &Rig) -> (f64, String) {
    // Roles that both have.
    let shared = rig.roles.iter().filter(|(role, _)| other.joint(*role).is_some());
    let joints: Vec<(Role, JointId, f64)> =
        shared.map(|(role, id)| (role, id, reach(rig, id))).collect();
    let mut worst = (0.0, String::new());
    let mut before = world(clip, 0);
    for frame in 1..clip.len() {
        let now = world(clip, frame);
        for &(role, id, reach) in &joints {
            let moved = (now.position(id) - before.position(id)).norm() / reach;
            if moved > worst.0 {
                worst = (moved, format!("{role} in frame {frame}"));
            }
        }
        before = now;
    }
    worst
}

/// What is wrong with a conversion, and by how much its joints jump over the source's.
fn judge(source: &SourceClip, target: &LoadedRig, done: &Conversion) -> (Vec<String>, f64, String) {
    let mut wrong = Vec::new();
    let result = &done.result;
    for frame in 0..result.len() {
        let numbers = result.rotations(frame).iter().flat_map(|q| q.coords.iter().copied());
        let places = result.translations(frame).iter().flat_map(|v| v.iter().copied());
        if !numbers.chain(places).all(f64::is_finite) {
            wrong.push(format!("frame {frame} holds a number that is not finite"));
            break;
        }
    }
    if result.len() != source.clip.len() || result.frame_time() != source.clip.frame_time() {
        wrong.push("other frames than the source".to_owned());
    }
    if result.skeleton() != &target.rig.skeleton {
        wrong.push("another skeleton than the target's".to_owned());
    }
    let written = result.bvh_bytes(&Settings::default());
    match bvh::read(&written) {
        Ok(file) if file.clip.len() == result.len() && file.repaired.is_empty() => (),
        Ok(_) => wrong.push("the written file is not what was written".to_owned()),
        Err(error) => wrong.push(format!("the written file: {error}")),
    }
    let (from, to) = (&done.binding.source, &done.binding.target);
    let (source_jump, _) = jump(&source.clip, from, to);
    let (target_jump, place) = jump(result, to, from);
    (wrong, target_jump / source_jump, place)
}

/// Retargets every clip onto one rig.
fn every_clip_onto(name: &str) {
    let Some(dir) = common::mocap_dir() else { return };
    let target = rig(&dir, name);
    let sources = sources(&dir);
    assert_eq!(sources.len(), 33, "clips with motion");
    let mut wrong = Vec::new();
    for source in &sources {
        let case = format!("{} onto {name}", source.path.display());
        let settings = Settings::default();
        match convert::convert(source, RigFile::default(), &target, &settings) {
            Err(error) => wrong.push(format!("{case}: {error}")),
            Ok(done) => {
                let (faults, ratio, place) = judge(source, &target, &done);
                wrong.extend(faults.into_iter().map(|fault| format!("{case}: {fault}")));
                eprintln!("{case}: jumps {ratio:.3}, {place}");
                if ratio.is_nan() || ratio > JUMP {
                    wrong.push(format!("{case}: jumps {ratio:.3} times the source's, {place}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_clip_goes_onto_bandai_namco() {
    every_clip_onto(RIGS[0]);
}

#[test]
fn every_clip_goes_onto_cmu() {
    every_clip_onto(RIGS[1]);
}

#[test]
fn every_clip_goes_onto_geno() {
    every_clip_onto(RIGS[2]);
}

#[test]
fn every_clip_goes_onto_lafan1() {
    every_clip_onto(RIGS[3]);
}

#[test]
fn every_clip_goes_onto_smpl() {
    every_clip_onto(RIGS[4]);
}

#[test]
fn every_clip_goes_onto_the_sample_skeletons() {
    for name in ["child.toml", "game.toml", "hero.toml", "long_legged.bvh", "stocky.toml"] {
        every_clip_onto(name);
    }
}
