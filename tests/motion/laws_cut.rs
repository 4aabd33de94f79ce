//! Cutting frames off a clip changes no pose away from the cut.

use crate::common;
use crate::equivalent::{originals, target, through_bytes};
use crate::rewrite::{cut, world};
use retarget::internals::binding::{Binding, BindingSettings};
use retarget::internals::clip::Clip;
use retarget::internals::contact::{
    self, Contact, ContactSettings, ContactTrack, LimbContact, Part,
};
use retarget::internals::convert;
use retarget::internals::plant::{Diagnostics, FootPlants, PlantPlan, PlantSettings};
use retarget::internals::rig::{Rig, RigFile};
use retarget::internals::transfer::{Transfer, TransferScratch};
use std::ops::Range;

/// Clips whose zero pose shows the stance, so that no frame is needed for it.
const CLIPS: [&str; 8] = [
    "asf_osu22/Swagger",
    "biovision18_inch/sprint",
    "cmu_3dsmax/131_01",
    "cmu_motionbuilder/npybvh_run",
    "mocapbank19/walk_carrybag",
    "smpl_names/hml3d_template_m",
    "snu_dummy26_inch/wd2_boxing_girl",
    "vicon_zup_inch/zombie",
];

/// Both cuts of a clip: a third off its start, a third off its end.
fn cuts(clip: &Clip) -> [Range<usize>; 2] {
    let third = clip.len() / 3;
    [third..clip.len(), 0..clip.len() - third]
}

/// The part of a track that lies in a range of frames.
fn cut_track(track: &ContactTrack, range: &Range<usize>) -> ContactTrack {
    let part = |frames: &Range<usize>| {
        let [start, end] = [frames.start, frames.end].map(|f| f.clamp(range.start, range.end));
        start - range.start..end - range.start
    };
    let inside = |c: &Contact| {
        let (frames, slow) = (part(&c.frames), part(&c.slow));
        (!frames.is_empty()).then(|| Contact { frames, slow, ..c.clone() })
    };
    let contacts = track.contacts.iter().filter_map(inside).collect();
    let leaning = |c: &LimbContact| {
        let frames = part(&c.frames);
        (!frames.is_empty()).then(|| LimbContact { frames, ..c.clone() })
    };
    let limbs = track.limbs.iter().filter_map(leaning).collect();
    ContactTrack { frames: range.len(), contacts, limbs, ..track.clone() }
}

/// Transfer and planting of a clip with a track that is known.
fn retargeted(
    clip: &Clip,
    source: &Rig,
    rig: &Rig,
    track: &ContactTrack,
    plants: FootPlants,
) -> Clip {
    let binding = Binding::new(source.clone(), rig.clone(), &BindingSettings::default()).unwrap();
    let feet = contact::foot_paths(clip, source);
    let settings = PlantSettings { foot_plants: plants, ..PlantSettings::default() };
    let plan =
        PlantPlan::new(clip, &feet.into_heights(binding.source.up), track, &binding, &settings);
    let (transfer, mut scratch) = (Transfer::new(&binding), TransferScratch::new(&binding));
    let (mut plant_scratch, mut diagnostics) = (plan.scratch(), Diagnostics::default());
    let mut result = Clip::new(rig.skeleton.clone(), clip.frame_time().clone());
    for frame in 0..clip.len() {
        transfer.frame(clip, frame, &mut scratch);
        let TransferScratch { pose, world, .. } = &mut scratch;
        plan.solve(&binding, frame, pose, world, &mut plant_scratch, &mut diagnostics);
        result.push_pose(pose);
    }
    result
}

/// For each frame of a cut the largest distance of a joint from where the whole clip's result has it,
/// in centimetres of a leg of 90 cm.
fn distances(whole: &Clip, part: &Clip, first: usize, rig: &Rig) -> Vec<f64> {
    let distance = |frame: usize| {
        let (a, b) = (world(whole, first + frame), world(part, frame));
        let off = a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm());
        off.fold(0.0, f64::max) * 90.0 / rig.leg_len
    };
    (0..part.len()).map(distance).collect()
}

/// Runs every clip whole and cut onto another body, and hands over what was cut off and how far each
/// frame of the rest is off.
fn each_cut(
    plants: FootPlants,
    mut see: impl FnMut(&str, &Clip, &ContactTrack, Range<usize>, &[f64]),
) {
    let Some(dir) = common::mocap_dir() else { return };
    let target_clip = &originals(&dir, &["cmu_daz/02_02"], 10)[0];
    let rig = target(&target_clip.clip, true).unwrap().rig;
    for o in originals(&dir, &CLIPS, usize::MAX) {
        let feet = contact::foot_paths(&o.clip, &o.rig);
        let frame_time_s = o.clip.frame_time().seconds();
        let track = contact::detect(&feet, &o.rig, frame_time_s, &ContactSettings::default());
        let whole = retargeted(&o.clip, &o.rig, &rig, &track, plants);
        for range in cuts(&o.clip) {
            let part = cut(&o.clip, range.start, range.len());
            // The rig as the cut file alone shows it.
            let source = convert::source_rig(&through_bytes(&part), RigFile::default());
            let mut source = source.unwrap_or_else(|e| panic!("{}: {e}", o.name)).rig;
            // Soles are a fact of the whole clip, as its floor is; a lock holds them.
            source.feet.clone_from(&o.rig.feet);
            let result = retargeted(&part, &source, &rig, &cut_track(&track, &range), plants);
            let off = distances(&whole, &result, range.start, &rig);
            see(&o.name, &o.clip, &track, range, &off);
        }
    }
}

#[test]
fn a_cut_changes_no_transferred_pose_at_all() {
    let mut cases = 0;
    each_cut(FootPlants::Off, |name, _, _, range, off| {
        let worst = off.iter().copied().fold(0.0, f64::max);
        assert!(worst < 1e-9, "{name}, frames {range:?}: {worst} cm");
        cases += 1;
    });
    assert!(cases == 16 || cases == 0, "{cases} cases");
}

#[test]
fn a_cut_changes_no_planted_pose_beyond_its_contacts_neighbourhood() {
    // From the end of the contacts that are cut through. The body's shift has no window but forgets an end, by a factor
    // of e in two of its times where feet stand and in three where they seldom do: of 2 cm 0.01 is left after sixteen.
    let neighbourhood_s = 16.0 * PlantSettings::default().body_s;
    const SAME_CM: f64 = 0.01;
    let mut cases = 0;
    each_cut(FootPlants::Auto, |name, clip, track, range, off| {
        let frame_time_s = clip.frame_time().seconds();
        let through = |frame: usize| {
            let cut_through = track.contacts.iter().filter(move |c| c.slow.contains(&frame));
            cut_through.map(|c| c.slow.clone())
        };
        let (mut reach_s, mut beyond_s) = (0.0f64, 0.0f64);
        let at_start = range.start > 0;
        let edge = match at_start {
            true => through(range.start).map(|c| c.end).max().unwrap_or(range.start),
            false => through(range.end - 1).map(|c| c.start).min().unwrap_or(range.end),
        };
        for (frame, cm) in off.iter().enumerate().filter(|(_, cm)| **cm >= SAME_CM) {
            let frame = range.start + frame;
            let (from_cut, from_edge) = match at_start {
                true => (frame - range.start, frame as f64 - edge as f64),
                false => (range.end - 1 - frame, edge as f64 - frame as f64),
            };
            assert!(cm.is_finite(), "{name}: frame {frame}");
            reach_s = reach_s.max(from_cut as f64 * frame_time_s);
            beyond_s = beyond_s.max(from_edge * frame_time_s);
        }
        let end = if at_start { "start" } else { "end" };
        eprintln!(
            "{name}: cut at its {end}, same from {reach_s:.2} s on, {beyond_s:.2} s after the contacts"
        );
        assert!(beyond_s < neighbourhood_s, "{name}, frames {range:?}: {beyond_s} s");
        cases += 1;
    });
    assert!(cases == 16 || cases == 0, "{cases} cases");
}

/// The body's shift is solved in spans, of which no seam may be seen: of a clip of many, a cut has its seams elsewhere.
#[test]
fn a_long_clip_has_no_seams() {
    const ROUNDS: usize = 60;
    /// Farther than planting sees from a cut.
    const AWAY_S: f64 = 8.0;
    const SAME_CM: f64 = 0.0001;
    let walk = convert::SourceClip::load("samples/walk.bvh").unwrap().clip;
    let (mut long, root) = (Clip::new(walk.skeleton().clone(), walk.frame_time().clone()), 0);
    let [first, last] = [0, walk.len() - 1].map(|frame| walk.pose(frame).translations[root]);
    for round in 0..ROUNDS {
        for frame in 0..walk.len() - 1 {
            let mut pose = walk.pose(frame);
            pose.translations[root] += (last - first) * round as f64;
            long.push_pose(&pose);
        }
    }
    let fps = 1.0 / long.frame_time().seconds();
    let source = convert::LoadedRig::load("samples/walk.bvh").unwrap().rig;
    let target = convert::LoadedRig::load("samples/skeletons/child.toml").unwrap().rig;
    let feet = contact::foot_paths(&long, &source);
    let track = contact::detect(&feet, &source, 1.0 / fps, &ContactSettings::default());
    let whole = retargeted(&long, &source, &target, &track, FootPlants::Auto);
    let away = (AWAY_S * fps) as usize;
    let range = 2 * away..long.len();
    let part = cut(&long, range.start, range.len());
    let result = retargeted(&part, &source, &target, &cut_track(&track, &range), FootPlants::Auto);
    let off = distances(&whole, &result, range.start, &target);
    assert!(off.len() as f64 > 120.0 * fps, "{} frames are too few for two seams", off.len());
    let (frame, cm) =
        (away..off.len()).map(|f| (f, off[f])).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!(cm < SAME_CM, "{cm} cm at frame {frame}");
}

/// What stands is told by its own neighbourhood, but for the ground, which is one for a clip, and for what the feet
/// drift on average, which slides are told by. Cuts whose ground is found elsewhere are left out.
#[test]
fn a_cut_changes_hardly_a_contact_away_from_its_ends() {
    /// Of the cut's ends, seconds.
    const NEIGHBOURHOOD_S: f64 = 0.5;
    /// How far apart the grounds may be, legs.
    const SAME_GROUND: f64 = 0.005;
    /// Share of frames whose answer may differ.
    const MOST_CHANGED: f64 = 0.02;
    let Some(dir) = common::mocap_dir() else { return };
    let mut cases = 0;
    for o in originals(&dir, &CLIPS, usize::MAX) {
        let frame_time_s = o.clip.frame_time().seconds();
        let detect = |clip: &Clip| {
            let paths = contact::foot_paths(clip, &o.rig);
            contact::detect(&paths, &o.rig, frame_time_s, &ContactSettings::default())
        };
        let whole = detect(&o.clip);
        let margin = (NEIGHBOURHOOD_S / frame_time_s).ceil() as usize;
        for range in cuts(&o.clip) {
            let part = detect(&cut(&o.clip, range.start, range.len()));
            let wanted = cut_track(&whole, &range);
            let apart = (part.floor_height - whole.floor_height).abs() / o.rig.leg_len;
            if apart > SAME_GROUND {
                continue;
            }
            let inside = margin..range.len().saturating_sub(margin).max(margin);
            let (mut seen, mut changed) = (0, 0);
            for (foot, at) in o.rig.foot_ids().flat_map(|foot| Part::ALL.map(|at| (foot, at))) {
                let (is, should) = (part.mask(foot, at), wanted.mask(foot, at));
                seen += inside.len();
                changed += inside.clone().filter(|&frame| is[frame] != should[frame]).count();
            }
            assert!(
                changed as f64 <= MOST_CHANGED * seen as f64,
                "{}, frames {range:?}: {changed} of {seen}",
                o.name
            );
            cases += 1;
        }
    }
    assert!(cases >= 12 || cases == 0, "{cases} cases");
}
