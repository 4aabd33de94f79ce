//! `retarget inspect`: prints what is recognised in a file.

use super::args::InspectArgs;
use super::assumed::AssumedReport;
use super::draw;
use super::failure::{Failure, say};
use super::stream::{self, Stream, tell_notes};
use super::summary::NO_HANDS;
use super::text::{axis, count, length, number, percent};
use crate::contact::{ContactSettings, Limb, Part};
use crate::convert::{self, Inspection, LengthUnit};
use crate::error::Error;
use crate::rig::{FootId, Rig, StanceOrigin};
use crate::scene::Base;
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

/// Reads a file and prints what is recognised in it.
pub fn run(args: &InspectArgs) -> Result<(), Failure> {
    let settings = ContactSettings::default();
    let input = Stream::new(args.file.clone());
    let from = args.from.as_deref();
    let found = match &input {
        Stream::File(path) if convert::is_rig_file(path) => {
            if from.is_some() {
                let message = "--from is about a clip's rig; a skeleton.toml speaks for itself";
                return Err(Failure::Usage(message.to_owned()));
            }
            convert::inspect_rig_file(path, &args.arrays.reading(None))?
        }
        _ => {
            let (path, bytes) = input.read()?;
            let written = convert::read_written(from)?;
            let reading = args.arrays.reading(args.clip.as_deref());
            let mut found = convert::inspect(&path, &bytes, &written, &reading, &settings)?;
            found.problem = found.problem.map(|problem| convert::in_written(problem, from));
            found
        }
    };
    tell_notes(&found.path, &found.notes);
    if let Some(file) = &args.draw {
        let files = found.files.iter().map(|file| file.as_path());
        let model = args.arrays.smpl_model.as_deref();
        let inputs: Vec<&Path> = files.chain(from).chain(model).collect();
        draw::write(&draw::stance(&found), file, &inputs)?;
    }
    let inspected = Inspected::new(&found);
    match args.json {
        true => stream::print_json(&inspected)?,
        false => stream::print_text(&inspected.text())?,
    }
    match &inspected.problem {
        None => Ok(()),
        Some(problem) => {
            say(&format!("error: {problem}"));
            Err(Failure::Reported)
        }
    }
}

/// What is printed of a file. Its fields are the keys of `--json`; what was not found is null.
#[derive(Serialize)]
struct Inspected {
    file: String,
    joints: Vec<JointReport>,
    frames: usize,
    fps: Option<f64>,
    duration_s: Option<f64>,
    family: Option<&'static str>,
    up: Option<String>,
    faces: Option<String>,
    #[serde(skip)]
    faces_off_deg: f64,
    stance: Option<StanceOrigin>,
    /// Parts of the stance that nothing in the file determines.
    assumed: Option<AssumedReport>,
    /// Whether an arm ends at its forearm.
    lacks_hands: bool,
    /// Length of a leg, in the file's own unit: thigh plus shin, or what counts as a leg in bodies other than people's.
    leg_len: Option<f64>,
    unit: Option<LengthUnit>,
    /// Along the up axis, in the file's own unit.
    floor_height: Option<f64>,
    /// The names of the feet, and whether each stands on one point.
    #[serde(skip)]
    feet: Vec<(String, bool)>,
    contacts: Vec<ContactReport>,
    repaired: Vec<String>,
    /// The animations of a file that can hold several.
    animations: Vec<AnimationReport>,
    /// How far the pose of the nodes is from the bind pose of the mesh, which is taken as the zero pose.
    nodes_off_bind_deg: Option<f64>,
    /// Why the file cannot be retargeted.
    problem: Option<String>,
}

#[derive(Serialize)]
struct AnimationReport {
    name: String,
    frames: usize,
    fps: f64,
}

#[derive(Serialize)]
struct JointReport {
    name: String,
    /// Place of the parent in this list; null for a root.
    parent: Option<usize>,
    #[serde(skip)]
    depth: usize,
    role: Option<String>,
    /// 0 (a guess) to 1.
    confidence: Option<f64>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct ContactReport {
    side: String,
    part: &'static str,
    start_s: f64,
    end_s: f64,
    floor_height: f64,
    /// It moves on along its floor.
    slides: bool,
}

impl Inspected {
    fn new(found: &Inspection) -> Self {
        let clip = found.clip.as_ref();
        let rig = found.rig.as_ref();
        let frame_time_s = clip.map_or(0.0, |clip| clip.frame_time().seconds());
        let facing = found.facing().map(axis);
        let of_feet = found.contacts.iter().flat_map(|track| &track.contacts);
        let of_limbs = found.contacts.iter().flat_map(|track| &track.limbs);
        let foot = |id: FootId| rig.map_or(String::new(), |rig| rig.foot(id).name.clone());
        let report = |side, part, frames: &Range<usize>, floor_height, slides| ContactReport {
            side,
            part,
            start_s: frames.start as f64 * frame_time_s,
            end_s: frames.end as f64 * frame_time_s,
            floor_height,
            slides,
        };
        Self {
            file: found.path.display().to_string(),
            joints: joints(found),
            frames: clip.map_or(0, |clip| clip.len()),
            fps: clip.map(|_| 1.0 / frame_time_s),
            duration_s: clip.map(|clip| clip.len() as f64 * frame_time_s),
            family: found.recognised.as_ref().and_then(|r| r.family),
            up: rig.map(|rig| rig.up.to_string()),
            faces_off_deg: facing.as_ref().map_or(0.0, |(_, off)| *off),
            faces: facing.map(|(axis, _)| axis),
            stance: rig.map(|rig| rig.stance.origin.clone()),
            assumed: rig.map(|rig| AssumedReport::new(&rig.stance.assumed(&rig.roles))),
            lacks_hands: rig.is_some_and(Rig::lacks_hands),
            leg_len: rig.map(|rig| rig.leg_len),
            unit: found.unit(),
            floor_height: found.contacts.as_ref().map(|track| track.floor_height),
            feet: rig
                .iter()
                .flat_map(|rig| &rig.feet)
                .map(|foot| (foot.name.clone(), foot.is_point()))
                .collect(),
            contacts: of_feet
                .map(|c| report(foot(c.foot), c.part.word(), &c.frames, c.floor_height, c.slides))
                .chain(of_limbs.map(|c| {
                    let side = c.limb.side().word().to_owned();
                    report(side, c.limb.word(), &c.frames, c.floor_height, false)
                }))
                .collect(),
            repaired: found.repaired.iter().map(ToString::to_string).collect(),
            animations: found
                .takes
                .iter()
                .map(|take| AnimationReport {
                    name: take.name.clone(),
                    frames: take.frames(),
                    fps: 1.0 / take.frame_time_s,
                })
                .collect(),
            nodes_off_bind_deg: match found.base {
                Some(Base::Bind { off_rad }) => Some(off_rad.to_degrees()),
                _ => None,
            },
            problem: found.problem.as_ref().map(Error::with_causes),
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let joints = count(self.joints.len(), "joint");
        let motion = match (self.fps, self.duration_s) {
            (Some(fps), Some(s)) => {
                let (fps, s) = (number(fps, 2), number(s, 2));
                format!("{} at {fps} fps, {s} s", count(self.frames, "frame"))
            }
            _ => "no motion".to_owned(),
        };
        writeln!(out, "{}: {joints}, {motion}", self.file)?;
        for repair in &self.repaired {
            writeln!(out, "repaired    {repair}")?;
        }
        if let Some(off_deg) = self.nodes_off_bind_deg {
            let off = number(off_deg, 0);
            writeln!(
                out,
                "bind pose taken as the zero pose; the nodes were left up to {off}° off it"
            )?;
        }
        for animation in self.animations.iter().filter(|_| self.fps.is_none()) {
            let AnimationReport { name, frames, fps } = animation;
            let (frames, fps) = (count(*frames, "frame"), number(*fps, 2));
            writeln!(out, "animation {name:?}: {frames} at {fps} fps")?;
        }
        if let (Some(up), Some(stance), Some(leg_len)) = (&self.up, &self.stance, self.leg_len) {
            if let Some(family) = self.family {
                writeln!(out, "rig       {family}")?;
            }
            writeln!(out, "up        {up}{}", self.facing_text())?;
            writeln!(out, "stance    {stance}")?;
            if let Some(assumed) = self.assumed.as_ref().and_then(AssumedReport::text) {
                writeln!(out, "assumed   {assumed}")?;
            }
            if self.lacks_hands {
                writeln!(out, "hands     {NO_HANDS}")?;
            }
            let unit = match self.unit {
                Some(unit) => format!("probably {unit}"),
                None => "in an unknown unit".to_owned(),
            };
            let (measured, one) = match self.feet.is_empty() {
                true => ("chain ", "the chain"),
                false => ("legs  ", "a leg"),
            };
            writeln!(out, "{measured}    {} long, {unit}", length(leg_len, leg_len))?;
            if let Some(floor) = self.floor_height {
                let share = percent_of(floor, leg_len);
                writeln!(
                    out,
                    "floor     {}, {share} of {one} over the origin",
                    length(floor, leg_len)
                )?;
            }
        }
        // The error about roles already shows the tree.
        if self.joints.iter().any(|joint| joint.role.is_some()) {
            self.write_joints(out)?;
        }
        match self.contacts.is_empty() {
            true => Ok(()),
            false => self.write_contacts(out),
        }
    }

    fn facing_text(&self) -> String {
        let Some(faces) = &self.faces else { return String::new() };
        let off = match self.faces_off_deg {
            off if off < 5.0 => String::new(),
            off => format!(" ({off:.0}° off)"),
        };
        let when = if self.frames > 0 { "in the first frame" } else { "in the stance" };
        format!(", faces {faces}{off} {when}")
    }

    fn write_joints(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "joints    with their roles, and how sure each is")?;
        for joint in &self.joints {
            let indent = 2 + 2 * joint.depth.min(DEEPEST);
            let name = if joint.name.is_empty() { "(no name)" } else { &joint.name };
            write!(out, "{:indent$}{name}", "")?;
            if let (Some(role), Some(confidence), Some(reason)) =
                (&joint.role, joint.confidence, &joint.reason)
            {
                write!(out, "  = {role} ({}, {reason})", percent(confidence))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// When a part stands; `None` where it never does.
    fn intervals(&self, side: &str, part: &str) -> Option<String> {
        let intervals = self.contacts.iter().filter(|c| c.side == side && c.part == part);
        let interval = |c: &ContactReport| {
            let how = if c.slides { " sliding" } else { "" };
            format!("{:.2} to {:.2}{how}", c.start_s, c.end_s)
        };
        let intervals: Vec<String> = intervals.map(interval).collect();
        (!intervals.is_empty()).then(|| intervals.join(", "))
    }

    fn write_contacts(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "contacts  in seconds")?;
        for (foot, is_point) in &self.feet {
            let parts: &[Part] = if *is_point { &[Part::Ball] } else { &Part::ALL };
            for part in parts.iter().map(|part| part.word()) {
                let intervals = self.intervals(foot, part).unwrap_or_else(|| "none".to_owned());
                let word = if *is_point { foot.clone() } else { format!("{foot} {part}") };
                writeln!(out, "  {word:10}  {intervals}")?;
            }
        }
        // Few clips have any.
        for limb in Limb::ALL {
            let (side, word) = (limb.side().word(), limb.word());
            if let Some(intervals) = self.intervals(side, word) {
                writeln!(out, "  {:10}  {intervals}", format!("{side} {word}"))?;
            }
        }
        Ok(())
    }
}

/// Deeper joints are not indented any further.
const DEEPEST: usize = 20;

fn percent_of(part: f64, whole: f64) -> String {
    format!("{} %", number(100.0 * part / whole, 1))
}

fn joints(found: &Inspection) -> Vec<JointReport> {
    let skeleton = &found.skeleton;
    let mut joints: Vec<JointReport> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let parent = joint.parent.map(|p| p.index());
        let depth = parent.map_or(0, |p| joints[p].depth + 1);
        let name = joint.name.clone();
        joints.push(JointReport {
            name,
            parent,
            depth,
            role: None,
            confidence: None,
            reason: None,
        });
    }
    for evidence in found.recognised.iter().flat_map(|r| &r.evidence) {
        let joint = &mut joints[evidence.joint.index()];
        joint.role = Some(evidence.role.to_string());
        joint.confidence = Some(evidence.confidence);
        joint.reason = Some(evidence.reasons.to_string());
    }
    joints
}
