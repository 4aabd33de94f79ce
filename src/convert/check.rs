//! Measures a result from a file, whichever program made it.

use super::{Bound, LoadedRig, SourceClip, bind, source_rig};
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::contact::ContactTrack;
use crate::edit;
use crate::error::Error;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::report::{Accumulator, FrameSample, Metrics, Report};
use crate::rig::{Recognised, RigFile};
use crate::settings::Settings;
use crate::transfer::{self, Transfer, TransferScratch, hold_in_place};
use std::borrow::Cow;
use std::path::Path;

/// A result beside its source.
#[derive(Clone, Debug)]
pub struct Check {
    /// From the source's rig to the result's.
    pub binding: Binding,
    /// Of the source.
    pub recognised: Recognised,
    /// When the source's feet stand.
    pub contacts: ContactTrack,
    /// The source transferred onto the result's rig and not planted: what a copy of rotations gives. It stays where it
    /// begins where the result was made in place.
    pub transferred: Clip,
    pub report: Report,
    /// The report on `transferred`, with which that on the result is compared.
    pub copy: Report,
    /// How far each frame of a result that was made in place is from its way, world.
    pub travel: Option<Vec<Vec3>>,
    /// What was made of the source's frames, and what nothing tells of either rig, a sentence each.
    pub notes: Vec<String>,
}

/// How the way of a result differs from the one that the settings give, which planting alone does not do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OtherWay {
    /// They stay where they begin.
    pub stays: bool,
    /// They travel so many times as far.
    pub times: Option<f64>,
    /// They travel in another direction.
    pub is_turned: bool,
    /// The feet stand on another floor.
    pub is_raised: bool,
}

/// Measures a result against its source. `written` is what the user said of the source's rig; `target`
/// is the rig that the result was made for, which is found in the result itself if none is given.
///
/// The result may be of any scale and unit, since lengths compare by the legs; but its floor has to
/// be where the source's is, so scaled, or where the target's file says.
pub fn check(
    source: &SourceClip,
    written: RigFile,
    result: &SourceClip,
    target: Option<LoadedRig>,
    settings: &Settings,
) -> Result<Check, Error> {
    check_frames(&result.path, &result.clip, &source.clip)?;
    let target = match target {
        Some(target) => {
            check_target(&result.path, &result.clip, &target)?;
            target
        }
        None => source_rig(result, RigFile::default())?,
    };
    let Bound { clip, binding, recognised, feet, contacts, apart, notes, .. } =
        bind(source, written.clone(), &target, settings)?;
    let apart: Vec<usize> = apart.into_iter().map(|(frame, _)| frame).collect();
    let travel = match settings.in_place {
        true => Some(travel(source, written, &target, settings, &apart)?),
        false => None,
    };
    let result_clip = motion(&result.clip, &apart);
    let frame_time_s = source.clip.frame_time().seconds();
    let metrics = Metrics::new(&feet, &contacts, &binding, frame_time_s);
    let measured = measure(&clip, &result_clip, travel.as_deref(), &binding, &metrics);
    let [report, copy] = measured.map(|sums| metrics.report(&binding, sums));
    let mut transferred = transfer::transfer(&clip, &binding);
    if settings.in_place {
        transferred = held(&transferred, &binding);
    }
    Ok(Check { binding, recognised, contacts, transferred, report, copy, travel, notes })
}

/// The clip without the poses apart from its motion.
fn motion<'a>(clip: &'a Clip, apart: &[usize]) -> Cow<'a, Clip> {
    match apart {
        [] => Cow::Borrowed(clip),
        _ => Cow::Owned(edit::without_strays(clip, apart)),
    }
}

/// How far a conversion that keeps the body in place took its hips back in each frame, world. A result that is put back
/// on its way by that is measured as it was planted.
fn travel(
    source: &SourceClip,
    written: RigFile,
    target: &LoadedRig,
    settings: &Settings,
    apart: &[usize],
) -> Result<Vec<Vec3>, Error> {
    let free = Settings { in_place: false, root_motion: None, ..settings.clone() };
    let done = super::convert(source, written, target, &free)?;
    Ok(level_path(&motion(&done.result, apart), &done.binding))
}

/// A clip of the target whose hips stay where they begin.
fn held(clip: &Clip, binding: &Binding) -> Clip {
    let skeleton = &binding.target.skeleton;
    let mut held = Clip::with_capacity(skeleton.clone(), clip.frame_time().clone(), clip.len());
    let (mut pose, mut world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
    let mut first_hips = None;
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        let first_hips = *first_hips.get_or_insert(world.position(binding.root.hips));
        hold_in_place(binding, first_hips, &mut pose, &mut world);
        held.push_pose(&pose);
    }
    held
}

/// Where the hips of a clip of the target are in each frame, world.
fn hips_of(clip: &Clip, binding: &Binding) -> Vec<Vec3> {
    let skeleton = &binding.target.skeleton;
    let (mut pose, mut world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
    (0..clip.len())
        .map(|frame| {
            clip.read_pose(frame, &mut pose);
            world.set(skeleton, &pose);
            world.position(binding.root.hips)
        })
        .collect()
}

/// Where the hips of a clip of the target are on the level, from where they are in the first frame.
fn level_path(clip: &Clip, binding: &Binding) -> Vec<Vec3> {
    leveled(&hips_of(clip, binding), binding)
}

fn leveled(places: &[Vec3], binding: &Binding) -> Vec<Vec3> {
    places.iter().map(|place| binding.target.up.level(place - places[0])).collect()
}

impl Check {
    /// How the result travels otherwise than what is transferred by these settings.
    pub fn other_way(&self, result: &Clip) -> OtherWay {
        let (binding, leg_len) = (&self.binding, self.binding.target.leg_len);
        let up = binding.target.up;
        let places = [result, &self.transferred].map(|clip| hips_of(clip, binding));
        let [own, wanted] = [0, 1].map(|of| leveled(&places[of], binding));
        let farthest = |path: &[Vec3]| path.iter().map(|way| way.norm()).fold(0.0, f64::max);
        let off_floor = |report: &Report| report.float_cm.value - report.penetration_cm.value;
        let [off, of_copy] = [&self.report, &self.copy].map(off_floor);
        let is_upright = self.report.wrong_way_deg.value < UPRIGHT_DEG;
        // Feet that are not planted stand where those of the copy do.
        let is_raised = is_upright && off.abs() > RAISED_CM && (off - of_copy).abs() > RAISED_CM;
        if farthest(&wanted) <= TRAVELS * leg_len {
            return OtherWay { is_raised, ..OtherWay::default() };
        }
        if farthest(&own) < STILL * leg_len {
            return OtherWay { stays: true, is_raised, ..OtherWay::default() };
        }
        if farthest(&wanted) <= FAR * leg_len {
            return OtherWay { is_raised, ..OtherWay::default() };
        }
        // The turn about the up axis and the factor that lead from one path to the other with the least squares left.
        let sum = |of: &dyn Fn(&Vec3, &Vec3) -> f64| -> f64 {
            wanted.iter().zip(&own).map(|(wanted, own)| of(wanted, own)).sum()
        };
        let all = sum(&|wanted, _| wanted.norm_squared());
        let along = sum(&|wanted, own| wanted.dot(own)) / all;
        let across = sum(&|wanted, own| up.vector().dot(&wanted.cross(own))) / all;
        let times = along.hypot(across);
        let left = sum(&|_, own| own.norm_squared()) / all - times * times;
        if left > LIKE * times * times {
            return OtherWay { is_raised, ..OtherWay::default() };
        }
        let times = Some(times).filter(|times| (times - 1.0).abs() > SCALED);
        // A body of another scale is at another height.
        let is_raised = is_raised && times.is_none();
        OtherWay {
            stays: false,
            times,
            is_turned: across.atan2(along).abs() > TURNED_RAD,
            is_raised,
        }
    }
}

/// The farthest that hips which stay are away, the least that hips which travel are, and those of whose way planting
/// moves no great part, leg lengths.
const STILL: f64 = 1e-4;
const TRAVELS: f64 = 0.25;
const FAR: f64 = 1.0;

/// From where on a way is another one: by its length, its direction, and its height in centimetres of a report. Planting
/// moves the body by less.
const SCALED: f64 = 0.02;
const TURNED_RAD: f64 = 0.1;
const RAISED_CM: f64 = 18.0;

/// How far a body may be turned as a whole of which the height of its feet tells that of its floor.
const UPRIGHT_DEG: f64 = 20.0;

/// How much of a way may be left unexplained by a turn and a factor, as a part of its square.
const LIKE: f64 = 1e-3;

/// Refuses a result that has not as many frames as its source; `path` is the result's, for messages.
pub fn check_frames(path: &Path, result: &Clip, source: &Clip) -> Result<(), Error> {
    match (result.len(), source.len()) {
        (frames, wanted) if frames == wanted => Ok(()),
        (frames, wanted) => Err(Error::OtherFrames { path: path.to_owned(), frames, wanted }),
    }
}

/// Refuses a result that has not the skeleton of the target; `path` is the result's, for messages.
pub fn check_target(path: &Path, result: &Clip, target: &LoadedRig) -> Result<(), Error> {
    let other = |misfit| Error::OtherTarget {
        path: path.to_owned(),
        target: target.path.clone(),
        source: Box::new(misfit),
    };
    target.file.check_fit(&target.rig.skeleton, result.skeleton()).map_err(other)
}

/// Measures a result, put back on its way by its `travel`, and the copy with which it is compared, in blocks of frames.
fn measure(
    source: &Clip,
    result: &Clip,
    travel: Option<&[Vec3]>,
    binding: &Binding,
    metrics: &Metrics,
) -> [Accumulator; 2] {
    let skeleton = &binding.target.skeleton;
    let transfer = Transfer::new(binding);
    let sums = blocks::map(
        blocks::of_frames(source.len()),
        || {
            let result = (Pose::rest(result.skeleton()), WorldPose::new(skeleton.len()));
            (TransferScratch::new(binding), result)
        },
        |(scratch, (pose, world)), block| {
            let mut sums = [metrics.accumulator(block.start), metrics.accumulator(block.start)];
            for frame in Metrics::looks_back(block.start)..block.end {
                transfer.frame(source, frame, scratch);
                let (source, transferred) = (&scratch.source_world, &scratch.world);
                result.read_pose(frame, pose);
                world.set(skeleton, pose);
                if let Some(travel) = travel {
                    world.positions.iter_mut().for_each(|place| *place += travel[frame]);
                }
                let sample = FrameSample { frame, source, transferred, pose, world };
                metrics.add(binding, &mut sums[0], &sample);
                let copy = FrameSample { pose: &scratch.pose, world: transferred, ..sample };
                metrics.add(binding, &mut sums[1], &copy);
            }
            sums
        },
    );
    let mut whole = [metrics.accumulator(0), metrics.accumulator(0)];
    for block in sums {
        whole.iter_mut().zip(block).for_each(|(whole, next)| whole.append(next));
    }
    whole
}
