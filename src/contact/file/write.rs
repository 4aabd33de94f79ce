//! Contacts as the text of a side file.

use crate::contact::{Contact, ContactTrack, Limb, LimbContact, Part};
use crate::rig::{Rig, Side};
use std::fmt::Write;
use std::ops::Range;

/// The text of a side file that states all contacts of a clip of `rig`: read back and
/// [applied](super::ContactFile::applied) it gives `track` again, to the last bit. Each interval has its
/// seconds beside it.
pub fn write(track: &ContactTrack, rig: &Rig, frame_time_s: f64) -> String {
    let limbs = Limb::KINDS.map(|of| of(Side::Left).table()).join(" and ");
    let mut out = format!(
        "\
# When heel, ball and tip of each foot stand, and {limbs} carry: edit it, and give it back with --use-contacts.
# Frames count from 0, both ends stand. A list that is taken out is found again; [] stands never.
# docs/CONTACTS.md says the rest.
"
    );
    // Writing to a String cannot fail.
    let _ = body(&mut out, track, rig, frame_time_s);
    out
}

fn body(out: &mut String, track: &ContactTrack, rig: &Rig, frame_time_s: f64) -> std::fmt::Result {
    writeln!(out, "frames = {}", track.frames)?;
    writeln!(out, "floor_height = {:?}", track.floor_height)?;
    for id in rig.foot_ids() {
        let foot = rig.foot(id);
        writeln!(out, "\n[feet.{}]", foot.name)?;
        let parts = if foot.is_point() { &[Part::Ball][..] } else { &Part::ALL };
        for &part in parts {
            let interval = |c: &Contact| (c.frames.clone(), interval(c, track.floor_height));
            list(out, part.word(), track.of(id, part).map(interval), frame_time_s)?;
        }
    }
    for of in Limb::KINDS {
        if Side::BOTH.iter().all(|&side| track.of_limb(of(side)).next().is_none()) {
            continue;
        }
        writeln!(out, "\n[{}]", of(Side::Left).table())?;
        for side in Side::BOTH {
            let interval = |c: &LimbContact| {
                (c.frames.clone(), frames(&c.frames) + &floor(c.floor_height, track.floor_height))
            };
            list(out, side.word(), track.of_limb(of(side)).map(interval), frame_time_s)?;
        }
    }
    Ok(())
}

/// A list of intervals, each with its seconds beside it.
fn list(
    out: &mut String,
    key: &str,
    intervals: impl Iterator<Item = (Range<usize>, String)>,
    frame_time_s: f64,
) -> std::fmt::Result {
    let mut intervals = intervals.peekable();
    if intervals.peek().is_none() {
        return writeln!(out, "{key} = []");
    }
    writeln!(out, "{key} = [")?;
    for (Range { start, end }, interval) in intervals {
        let seconds = |frame: usize| frame as f64 * frame_time_s;
        let (from, to) = (seconds(start), seconds(end - 1));
        writeln!(out, "    {{ {interval} }}, # {from:.2} to {to:.2} s")?;
    }
    writeln!(out, "]")
}

fn interval(contact: &Contact, ground: f64) -> String {
    let mut text = frames(&contact.frames);
    if contact.slow != contact.frames {
        text += &format!(", slow = {}", range(&contact.slow));
    }
    text += &floor(contact.floor_height, ground);
    if contact.slides {
        text += ", slides = true";
    }
    text
}

fn frames(frames: &Range<usize>) -> String {
    format!("frames = {}", range(frames))
}

fn range(frames: &Range<usize>) -> String {
    format!("[{}, {}]", frames.start, frames.end - 1)
}

/// The floor of an interval where that is not the ground.
fn floor(height: f64, ground: f64) -> String {
    if height == ground { String::new() } else { format!(", floor_height = {height:?}") }
}
