//! Bodies some of whose bones have no length, as files have them that were exported from half a body, or by mistake:
//! they are refused, or what comes out is of numbers alone.

use crate::equivalent::{rig_of, through_bytes};
use crate::gestures::{self, Gesture};
use crate::rewrite::{Rewritten, cut};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{Joint, JointId, Skeleton};
use std::ops::Range;
use std::path::Path;

/// The clip with the bones that lead to these joints so many times as long: all along, or by their position channels
/// from its middle on.
fn shortened(clip: &Clip, joints: &[JointId], factor: f64, from: usize) -> Clip {
    let by = |id: usize, frame: usize| match joints.contains(&JointId::new(id)) && frame >= from {
        true => factor,
        false => 1.0,
    };
    let of = clip.skeleton().joints().iter().enumerate().map(|(i, joint)| {
        let end_sites = joint.end_sites.clone();
        Joint { offset: joint.offset * by(i, 0), end_sites, ..joint.clone() }
    });
    let mut short =
        Clip::new(Skeleton::new(of.collect()).expect("the same tree"), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let mut pose = clip.pose(frame);
        pose.translations.iter_mut().enumerate().for_each(|(i, t)| *t *= by(i, frame));
        short.push_pose(&pose);
    }
    short
}

/// Bones that lose their length together: each, it and the next, and all from it on.
fn together(skeleton: &Skeleton) -> Vec<Vec<JointId>> {
    let bones = skeleton.ids().filter(|id| skeleton.parent(*id).is_some());
    let of = |id: JointId| {
        let ids = |range: Range<usize>| range.map(JointId::new).collect::<Vec<_>>();
        let all = skeleton.subtree(id);
        [ids(all.start..all.start + 1), ids(all.start..all.end.min(all.start + 2)), ids(all)]
    };
    let mut sets: Vec<_> = bones.flat_map(of).collect();
    sets.dedup();
    sets
}

/// Carries `source` over onto `target`; whether that was not refused.
fn retargeted(source: &SourceClip, target: &LoadedRig, case: &str) -> bool {
    let settings = Settings::default();
    let Ok(done) = convert::convert(source, RigFile::default(), target, &settings) else {
        return false;
    };
    for frame in 0..done.result.len() {
        let rotations = done.result.rotations(frame).iter().flat_map(|turn| turn.coords.iter());
        let places = done.result.translations(frame).iter().flat_map(|place| place.iter());
        assert!(rotations.chain(places).all(|x| x.is_finite()), "{case}: frame {frame}");
    }
    true
}

/// A walk, one who kneels, one who leans on a hand, and hands on the other arms.
fn clips() -> Vec<(&'static str, Clip)> {
    let mut clips = vec![("fold", cut(&gestures::clip(Gesture::Fold), 90, 80))];
    for (name, first) in [("walk", 0), ("kneel", 150), ("crouch", 30)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("samples/{name}.bvh"));
        let clip = convert::SourceClip::load(&path).expect("a sample").clip;
        clips.push((name, cut(&clip, first, 80)));
    }
    clips
}

#[test]
fn bones_without_length_make_no_number_that_is_none() {
    let (mut whole, mut all) = (0, 0);
    for (name, clip) in clips() {
        let rig = rig_of(&clip).expect("a body");
        let moving = Rewritten::of(&clip).with_positions(false);
        for joints in together(clip.skeleton()) {
            for factor in [0.0, 1e-12] {
                for from in [0, 30] {
                    let case = format!("{name}, {joints:?}, times {factor} from frame {from}");
                    let short = shortened(&moving.clip, &joints, factor, from);
                    let read = through_bytes(&short);
                    all += 2;
                    whole += usize::from(retargeted(&read, &rig, &case));
                    let onto = rig_of(&short);
                    let onto =
                        onto.is_ok_and(|onto| retargeted(&through_bytes(&clip), &onto, &case));
                    whole += usize::from(onto);
                }
            }
        }
    }
    assert!(whole > all / 3, "{whole} of {all}");
}
