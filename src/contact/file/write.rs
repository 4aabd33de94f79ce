//! Contacts as the text of a side file.

use super::key;
use crate::contact::{Contact, ContactTrack, Part};
use crate::rig::Rig;
use std::fmt::Write;
use std::ops::Range;

/// The text of a side file that states all contacts of a clip of `rig`: read back and
/// [applied](super::ContactFile::applied) it gives `track` again, to the last bit. Each stay has its
/// seconds beside it.
pub fn write(track: &ContactTrack, rig: &Rig, frame_time_s: f64) -> String {
    let mut out = String::from(HEAD);
    // Writing to a String cannot fail.
    let _ = body(&mut out, track, rig, frame_time_s);
    out
}

const HEAD: &str = "\
# When heel and ball of each foot stand: edit it, and give it back with --use-contacts.
# Frames count from 0, both ends stand. A list that is taken out is found again; [] stands never.
# docs/CONTACTS.md says the rest.
";

fn body(out: &mut String, track: &ContactTrack, rig: &Rig, frame_time_s: f64) -> std::fmt::Result {
    writeln!(out, "frames = {}", track.frames)?;
    writeln!(out, "floor_height = {:?}", track.floor_height)?;
    for id in rig.foot_ids() {
        let foot = rig.foot(id);
        writeln!(out, "\n[feet.{}]", foot.name)?;
        let parts = if foot.is_point() { &[Part::Ball][..] } else { &Part::BOTH };
        for &part in parts {
            if track.of(id, part).next().is_none() {
                writeln!(out, "{} = []", key(part))?;
                continue;
            }
            writeln!(out, "{} = [", key(part))?;
            for contact in track.of(id, part) {
                let stay = stay(contact, track.floor_height);
                let seconds = |frame: usize| frame as f64 * frame_time_s;
                let Range { start, end } = contact.frames;
                let (from, to) = (seconds(start), seconds(end - 1));
                writeln!(out, "    {{ {stay} }}, # {from:.2} to {to:.2} s")?;
            }
            writeln!(out, "]")?;
        }
    }
    Ok(())
}

fn stay(contact: &Contact, ground: f64) -> String {
    let range = |r: &Range<usize>| format!("[{}, {}]", r.start, r.end - 1);
    let mut text = format!("frames = {}", range(&contact.frames));
    if contact.slow != contact.frames {
        text += &format!(", slow = {}", range(&contact.slow));
    }
    if contact.floor_height != ground {
        text += &format!(", floor_height = {:?}", contact.floor_height);
    }
    text
}
