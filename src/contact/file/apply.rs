//! What a side file says, put in the place of what was found.

use super::{ContactFile, ContactFileError, ContactFileProblem, Intervals, Stated, StatedInterval};
use crate::contact::{Contact, ContactTrack, FootPaths, Limb, LimbContact, Part};
use crate::math::Vec3;
use crate::rig::Rig;
use crate::rig::names::nearest;
use std::ops::Range;

/// The greatest distance of a stated floor from its foot, leg lengths. A larger one is a wrong unit or a slip.
const FARTHEST_FLOOR: f64 = 1.0;
/// The greatest distance of a stated ground from the one that is found, leg lengths.
const FARTHEST_GROUND: f64 = 10.0;

impl ContactFile {
    /// The contacts of a clip of `rig`, whose feet go along `paths`: those that this file states, and
    /// for all parts that it leaves out the `found` ones.
    pub fn applied(
        &self,
        found: ContactTrack,
        paths: &FootPaths,
        rig: &Rig,
    ) -> Result<ContactTrack, ContactFileError> {
        let frames = found.frames;
        if let Some(stated) = self.frames.filter(|stated| stated.value != frames) {
            let problem = ContactFileProblem::OtherClip { stated: stated.value, frames };
            return Err(stated.error(problem));
        }
        for (name, foot) in &self.feet {
            if !rig.feet.iter().any(|known| known.name == *name) {
                let known: Vec<String> = rig.feet.iter().map(|foot| foot.name.clone()).collect();
                let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                let (name, nearest) = (name.clone(), near);
                return Err(foot.error(ContactFileProblem::UnknownFoot { name, nearest, known }));
            }
        }
        let floor_height = match self.floor_height {
            Some(stated) => {
                let far = (stated.value - found.floor_height).abs();
                if far > FARTHEST_GROUND * rig.leg_len {
                    let (floor, found) = (stated.value, found.floor_height);
                    return Err(stated.error(ContactFileProblem::FarGround { floor, found }));
                }
                stated.value
            }
            None => found.floor_height,
        };
        let on = Ground { rig, floor_height };
        let mut contacts = Vec::with_capacity(found.contacts.len());
        for foot in rig.foot_ids() {
            let stated = self.feet.get(&rig.foot(foot).name);
            for part in Part::ALL {
                match stated.and_then(|stated| stated.value.parts[part.index()].as_ref()) {
                    None => contacts.extend(found.of(foot, part).cloned()),
                    Some(intervals) if part != Part::Ball && rig.foot(foot).is_point() => {
                        let foot = rig.foot(foot).name.clone();
                        return Err(intervals.error(ContactFileProblem::OnePoint { foot }));
                    }
                    Some(intervals) => {
                        let intervals = on.intervals(paths.of(foot, part), intervals)?;
                        contacts.extend(intervals.into_iter().map(|interval| {
                            let StandingInterval { frames, slow, floor_height, slides } = interval;
                            Contact { foot, part, frames, slow, floor_height, slides }
                        }));
                    }
                }
            }
        }
        let mut limbs = Vec::with_capacity(found.limbs.len());
        for limb in Limb::ALL {
            let Some(intervals) = self.limbs.get(&limb) else {
                limbs.extend(found.of_limb(limb).cloned());
                continue;
            };
            let path = paths.of_limb(limb).ok_or_else(|| {
                let (side, limb) = (limb.side().word(), limb.word());
                intervals.error(ContactFileProblem::NoLimb { side, limb })
            })?;
            limbs.extend(on.intervals(path, intervals)?.into_iter().map(|interval| {
                let StandingInterval { frames, floor_height, .. } = interval;
                LimbContact { limb, frames, floor_height }
            }));
        }
        Ok(ContactTrack { frames, floor_height, contacts, limbs })
    }
}

/// What stated intervals are checked against.
struct Ground<'a> {
    rig: &'a Rig,
    /// Source length units.
    floor_height: f64,
}

/// A contact interval that fits its clip, on a floor that is known.
struct StandingInterval {
    frames: Range<usize>,
    slow: Range<usize>,
    /// Source length units.
    floor_height: f64,
    slides: bool,
}

impl Ground<'_> {
    /// The intervals of a point along its path (source world) in time, checked.
    fn intervals(
        &self,
        path: &[Vec3],
        stated: &Intervals,
    ) -> Result<Vec<StandingInterval>, ContactFileError> {
        let mut in_time: Vec<&Stated<StatedInterval>> = stated.value.iter().collect();
        in_time.sort_by_key(|interval| interval.value.frames.start);
        let mut intervals: Vec<StandingInterval> = Vec::with_capacity(in_time.len());
        for interval in in_time {
            let mut standing = self.standing(path, interval)?;
            if let Some(before) = intervals.last_mut() {
                let (first, end) = (standing.frames.start, before.frames.end);
                if first < end {
                    let last = end - 1;
                    return Err(interval.error(ContactFileProblem::Overlap { first, last }));
                }
                // The slow frames around one interval end where those of the next begin.
                before.slow.end = before.slow.end.min(first);
                standing.slow.start = standing.slow.start.max(before.slow.end);
            }
            intervals.push(standing);
        }
        Ok(intervals)
    }

    fn standing(
        &self,
        path: &[Vec3],
        interval: &Stated<StatedInterval>,
    ) -> Result<StandingInterval, ContactFileError> {
        let StatedInterval { frames, slow, floor_height, slides } = interval.value.clone();
        let count = path.len();
        if slow.end > count {
            let problem = ContactFileProblem::Outside { last: slow.end - 1, frames: count };
            return Err(interval.error(problem));
        }
        let floor_height = floor_height.unwrap_or(self.floor_height);
        let height = |frame: usize| self.rig.up.height(path[frame]);
        let over = |frame: &usize| (height(*frame) - floor_height).abs();
        let nearest = frames.clone().min_by(|a, b| over(a).total_cmp(&over(b)));
        let frame = nearest.unwrap_or(frames.start);
        if over(&frame) > FARTHEST_FLOOR * self.rig.leg_len {
            let (floor, part) = (floor_height, height(frame));
            return Err(interval.error(ContactFileProblem::FarFloor { floor, part, frame }));
        }
        Ok(StandingInterval { frames, slow, floor_height, slides })
    }
}
