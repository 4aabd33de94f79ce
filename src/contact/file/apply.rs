//! What a side file says, put in the place of what was found.

use super::{ContactFile, ContactFileError, ContactFileProblem, Stated, StatedStay};
use crate::contact::{Contact, ContactTrack, FootPaths, Part};
use crate::rig::names::nearest;
use crate::rig::{FootId, Rig};

/// How far from a foot its floor may be said to lie, leg lengths. More is a wrong unit or a slip.
const FARTHEST_FLOOR: f64 = 1.0;
/// How far from the found ground another may be said to lie, leg lengths.
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
        let on = Ground { paths, rig, floor_height };
        let mut contacts = Vec::with_capacity(found.contacts.len());
        for foot in rig.foot_ids() {
            let stated = self.feet.get(&rig.foot(foot).name);
            for part in Part::BOTH {
                match stated.and_then(|stated| stated.value.parts[part.index()].as_ref()) {
                    None => contacts.extend(found.of(foot, part).cloned()),
                    Some(heels) if part == Part::Heel && rig.foot(foot).is_point() => {
                        let foot = rig.foot(foot).name.clone();
                        return Err(heels.error(ContactFileProblem::NoHeel { foot }));
                    }
                    Some(stays) => contacts.extend(on.contacts(foot, part, &stays.value)?),
                }
            }
        }
        Ok(ContactTrack { frames, floor_height, contacts })
    }
}

/// What stated stays are held against.
struct Ground<'a> {
    paths: &'a FootPaths,
    rig: &'a Rig,
    /// Source length units.
    floor_height: f64,
}

impl Ground<'_> {
    /// The stays of one part in time, checked.
    fn contacts(
        &self,
        foot: FootId,
        part: Part,
        stays: &[Stated<StatedStay>],
    ) -> Result<Vec<Contact>, ContactFileError> {
        let mut stays: Vec<&Stated<StatedStay>> = stays.iter().collect();
        stays.sort_by_key(|stay| stay.value.frames.start);
        let mut contacts: Vec<Contact> = Vec::with_capacity(stays.len());
        for stay in stays {
            let mut contact = self.contact(foot, part, stay)?;
            if let Some(before) = contacts.last_mut() {
                let (first, end) = (contact.frames.start, before.frames.end);
                if first < end {
                    let last = end - 1;
                    return Err(stay.error(ContactFileProblem::Overlap { first, last }));
                }
                // What settles into one stay is over with the next.
                before.slow.end = before.slow.end.min(first);
                contact.slow.start = contact.slow.start.max(before.slow.end);
            }
            contacts.push(contact);
        }
        Ok(contacts)
    }

    fn contact(
        &self,
        foot: FootId,
        part: Part,
        stay: &Stated<StatedStay>,
    ) -> Result<Contact, ContactFileError> {
        let StatedStay { frames, slow, floor_height } = stay.value.clone();
        let count = self.paths.frames();
        if slow.end > count {
            let problem = ContactFileProblem::Outside { last: slow.end - 1, frames: count };
            return Err(stay.error(problem));
        }
        let floor_height = floor_height.unwrap_or(self.floor_height);
        let path = self.paths.of(foot, part);
        let height = |frame: usize| self.rig.up.height(path[frame]);
        let over = |frame: &usize| (height(*frame) - floor_height).abs();
        let nearest = frames.clone().min_by(|a, b| over(a).total_cmp(&over(b)));
        let frame = nearest.unwrap_or(frames.start);
        if over(&frame) > FARTHEST_FLOOR * self.rig.leg_len {
            let (floor, part) = (floor_height, height(frame));
            return Err(stay.error(ContactFileProblem::FarFloor { floor, part, frame }));
        }
        Ok(Contact { foot, part, frames, slow, floor_height })
    }
}
