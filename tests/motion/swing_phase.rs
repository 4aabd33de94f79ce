//! Knees of planted legs, from one stand to the next.

use crate::common;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, Conversion, LoadedRig};
use retarget::internals::edit;
use retarget::internals::plant::FootPlants;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Rig, RigFile, Role, Side};
use retarget::internals::settings::Settings;
use std::path::Path;

/// A knee's angular speed changes from frame to frame at most this many times as fast as the source's ever does.
const MOST_POP: f64 = 1.2;
/// Or by so much more, degrees a frame, where the source's hardly changes at all.
const UNSEEN_DEG: f64 = 0.1;
/// The same where the rig's own limits hold a knee of the source back by more than the second, degrees: then the body
/// stands otherwise than the source's, and nobody sees so little either.
const UNSEEN_HELD_DEG: [f64; 2] = [0.2, 2.0];

/// A knee stays bent by this share of what it was, or of this angle where it was bent farther.
const LEAST_OF_WAS: f64 = 0.45;
const NEARLY_STRAIGHT_DEG: f64 = 1.7;

const RIGS: [&str; 5] = ["child.toml", "game.toml", "hero.toml", "long_legged.bvh", "stocky.toml"];

fn rig(name: &str) -> LoadedRig {
    convert::LoadedRig::load(Path::new("samples/skeletons").join(name)).expect("a rig")
}

#[test]
fn no_knee_pops_as_its_foot_lands_or_leaves() {
    let samples = Path::new("samples");
    for clip in ["jump", "run", "stairs", "turn", "walk"] {
        let source =
            convert::SourceClip::load(samples.join(clip).with_extension("bvh")).expect("a clip");
        for name in RIGS {
            let target = rig(name);
            let done = convert::convert(&source, RigFile::default(), &target, &Settings::default());
            let Conversion { report, plant, .. } = done.expect("a person");
            assert!(plant.body.iter().any(|moved| moved.offset.norm() > 0.0), "{clip} onto {name}");
            let pop = &report.knee_pop_ratio;
            assert!(pop.value < MOST_POP, "{clip} onto {name}: {pop:?}");
        }
    }
}

/// How far the knees are bent in every frame, degrees.
fn bends_deg(clip: &Clip, rig: &Rig) -> [Vec<f64>; 2] {
    let mut world = WorldPose::new(rig.skeleton.len());
    Side::BOTH.map(|side| {
        let roles = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let joints = roles.map(|role| rig.joint(role).expect("a leg"));
        let bend = |frame: usize| {
            world.set(&rig.skeleton, &clip.pose(frame));
            let [hip, knee, ankle] = joints.map(|id| world.position(id));
            (knee - hip).angle(&(ankle - knee)).to_degrees()
        };
        (0..clip.len()).map(bend).collect()
    })
}

/// The most by which the speed of a knee's angle changes from one frame to the next, degrees a frame, and that frame.
fn pop_deg(bends_deg: &[Vec<f64>; 2]) -> (f64, usize) {
    let mut worst = (0.0, 0);
    for bends_deg in bends_deg {
        for (i, three) in bends_deg.windows(3).enumerate() {
            let pop = (three[0] - 2.0 * three[1] + three[2]).abs();
            if pop > worst.0 {
                worst = (pop, i + 1);
            }
        }
    }
    worst
}

#[test]
fn no_knee_of_a_real_clip_pops_either_or_locks() {
    let Some(dir) = common::mocap_dir() else { return };
    let rigs = RIGS.map(rig);
    // Stated limits hold a copy of the rotations too: what the source's knees do shows without them.
    let unlimited = RIGS.map(|name| {
        let mut target = rig(name);
        target.rig.limits.clear();
        target
    });
    let mut clips = 0;
    for (name, source) in common::moving_clips(&dir) {
        let run = |target: &LoadedRig, foot_plants: FootPlants| {
            let mut settings = Settings::default();
            settings.plant.foot_plants = foot_plants;
            convert::convert(&source, RigFile::default(), target, &settings)
        };
        let apart = edit::poses_apart(&source.clip);
        for ((target, unlimited), rig) in rigs.iter().zip(&unlimited).zip(RIGS) {
            let Ok(planted) = run(target, FootPlants::Auto) else { continue };
            let copied = run(unlimited, FootPlants::Off).expect("as the planted one");
            let limited = run(target, FootPlants::Off).expect("as the planted one");
            let [is, was, held] =
                [planted, copied, limited].map(|done| bends_deg(&done.result, &target.rig));
            let off = was.iter().flatten().zip(held.iter().flatten()).map(|(a, b)| (a - b).abs());
            let [unseen, back] = UNSEEN_HELD_DEG;
            let is_held = off.fold(0.0, f64::max) > back;
            let unseen = if is_held { unseen } else { UNSEEN_DEG };
            let ((pop, frame), (was_pop, _)) = (pop_deg(&is), pop_deg(&was));
            let most = (MOST_POP * was_pop).max(was_pop + unseen);
            assert!(pop < most, "{name} onto {rig}: {pop:.2}° in {frame}, copied {was_pop:.2}°");
            for (frame, (is, was)) in is.iter().flatten().zip(was.iter().flatten()).enumerate() {
                let least = LEAST_OF_WAS * was.min(NEARLY_STRAIGHT_DEG);
                let frame = frame % source.clip.len();
                // A rest pose before the motion is not planted.
                if apart.contains(&frame) {
                    continue;
                }
                assert!(*is > least, "{name} onto {rig}: {is:.3}° in {frame}, copied {was:.3}°");
            }
            clips += usize::from(rig == RIGS[0]);
        }
    }
    assert_eq!(clips, 37, "clips of people with motion");
}
