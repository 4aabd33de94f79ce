//! The summary of a conversion, for people and for programs.

mod rig;

use super::job::Job;
use super::text::{count, number};
use super::verdict;
use crate::batch::Limit;
use crate::contact::{ContactTrack, Part};
use crate::convert::{Conversion, LoadedRig, SourceClip};
use crate::plant::{FootPlants, GoalLimb, MissReason};
use crate::report::{LEG_CM, Measure, NUMBERS, Report};
use crate::rig::{FootId, Rig};
pub use rig::NO_HANDS;
use rig::RigSummary;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// The outcome of one conversion. Its fields are the keys of `--json`; those that end in `_cm` are for
/// a 90 cm leg.
#[derive(Debug, Serialize)]
pub struct Summary {
    input: String,
    output: String,
    frames: usize,
    /// Frames that the source's file announces or begins and does not have.
    missing_frames: u64,
    fps: f64,
    duration_s: f64,
    /// Target length units a source length unit.
    scale: f64,
    foot_plants: FootPlants,
    source: RigSummary,
    target: RigSummary,
    contacts: ContactCounts,
    /// In time.
    misses: Vec<MissSummary>,
    /// How far the body was lowered so that its feet reach their places.
    deepest_drop_cm: f64,
    report: Report,
    /// The limits that the user gives.
    #[serde(skip)]
    limits: Vec<Limit>,
    /// The command that explains the conversion, but for the frame.
    #[serde(skip)]
    explained_by: Option<String>,
}

/// How often each part of each foot stands: keys such as `left_heel`, or the foot's name alone where
/// it stands on one point.
#[derive(Debug)]
struct ContactCounts(Vec<FootContacts>);

#[derive(Debug)]
struct FootContacts {
    foot: String,
    /// `None` where the foot is a point.
    heel: Option<usize>,
    ball: usize,
}

impl ContactCounts {
    fn new(rig: &Rig, track: &ContactTrack) -> Self {
        let count = |id: FootId| FootContacts {
            foot: rig.foot(id).name.clone(),
            heel: (!rig.foot(id).is_point()).then(|| track.of(id, Part::Heel).count()),
            ball: track.of(id, Part::Ball).count(),
        };
        Self(rig.foot_ids().map(count).collect())
    }

    fn text(&self) -> String {
        let text = |c: &FootContacts| match c.heel {
            Some(heel) => format!("{} heel {heel}, ball {}", c.foot, c.ball),
            None => format!("{} {}", c.foot, c.ball),
        };
        self.0.iter().map(text).collect::<Vec<_>>().join("; ")
    }
}

impl Serialize for ContactCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = |c: &FootContacts| {
            let heel = c.heel.map(|heel| (format!("{}_heel", c.foot), heel));
            let ball = if heel.is_some() { format!("{}_ball", c.foot) } else { c.foot.clone() };
            heel.into_iter().chain([(ball, c.ball)])
        };
        serializer.collect_map(self.0.iter().flat_map(parts))
    }
}

#[derive(Debug, Serialize)]
struct MissSummary {
    frame: usize,
    limb: String,
    distance_cm: f64,
    reason: MissReason,
}

/// What texts call a foot or another limb that has a goal.
fn limb(rig: &Rig, goal: GoalLimb) -> String {
    match goal {
        GoalLimb::Foot(foot) => format!("{} foot", rig.foot(foot).name),
        GoalLimb::Limb(limb) => format!("{} {}", limb.side().word(), limb.word()),
    }
}

impl Summary {
    pub fn new(
        job: &Job,
        source: &SourceClip,
        target: &LoadedRig,
        conversion: &Conversion<()>,
    ) -> Self {
        let frame_time_s = source.clip.frame_time().seconds();
        let frames = source.clip.len();
        let cm = LEG_CM / target.rig.leg_len;
        let misses = conversion.plant.misses.iter();
        let repaired = source.repaired.iter().map(ToString::to_string).collect();
        let rig = &conversion.binding.source;
        Self {
            input: job.input.to_string(),
            output: job.output.to_string(),
            frames,
            missing_frames: source.missing_frames(),
            fps: 1.0 / frame_time_s,
            duration_s: frames as f64 * frame_time_s,
            scale: conversion.binding.scale,
            foot_plants: job.setup.settings.plant.foot_plants,
            source: RigSummary::new(
                job.input.to_string(),
                rig,
                &conversion.binding,
                &conversion.recognised,
                repaired,
            ),
            target: RigSummary::new(
                target.path.display().to_string(),
                &target.rig,
                &conversion.binding,
                &target.recognised,
                target.repaired.iter().map(ToString::to_string).collect(),
            ),
            contacts: ContactCounts::new(rig, &conversion.contacts),
            misses: misses
                .map(|miss| MissSummary {
                    frame: miss.frame,
                    limb: limb(&target.rig, miss.limb),
                    distance_cm: miss.distance_len * cm,
                    reason: miss.reason,
                })
                .collect(),
            deepest_drop_cm: conversion.plant.deepest_drop_len() * cm,
            report: conversion.report.clone(),
            limits: job.setup.limits.clone(),
            explained_by: job.explained_by(),
        }
    }

    /// A few lines for people; with `all` also every role, repair and miss.
    pub fn text(&self, all: bool) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut out, all);
        out
    }

    fn write(&self, out: &mut String, all: bool) -> std::fmt::Result {
        let (frames, fps) = (count(self.frames, "frame"), number(self.fps, 2));
        let seconds = number(self.duration_s, 2);
        writeln!(out, "{}: {frames} at {fps} fps, {seconds} s", self.output)?;
        if self.missing_frames > 0 {
            writeln!(
                out,
                "missing   {} frames, which the source's file lacks",
                self.missing_frames
            )?;
        }
        self.source.write(out, "source", all)?;
        self.target.write(out, "target", all)?;
        writeln!(out, "scale     {}", number(self.scale, 4))?;
        writeln!(out, "contacts  {}", self.contacts.text())?;
        self.write_feet(out)?;
        self.write_misses(out, all)?;
        let limbs = &self.report.limb_direction_deg;
        let (mean, worst) = (number(limbs.value, DECIMALS), at_worst(limbs, "°"));
        writeln!(out, "limbs     mean direction error {mean}°{worst}")?;
        self.write_flaws(out)?;
        if all {
            out.push_str(&verdict::table(&self.report, None, &self.limits));
        }
        writeln!(out, "lengths in cm are normalised to a {LEG_CM} cm leg")
    }

    fn write_feet(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        if report.contact_cores == 0 {
            return writeln!(out, "feet      never stand long enough to be measured");
        }
        let how = match self.foot_plants {
            FootPlants::Auto => "planted",
            FootPlants::Ground => "kept above the ground, not planted",
            FootPlants::Off => "not planted",
        };
        writeln!(
            out,
            "feet      {how}; drift {} cm{}, skate {} cm/s, penetration {} cm, float {} cm",
            number(report.plant_drift_cm.value, DECIMALS),
            at_worst(&report.plant_drift_cm, " cm"),
            number(report.skate_cm_s.value, DECIMALS),
            number(report.penetration_cm.value, DECIMALS),
            number(report.float_cm.value, DECIMALS),
        )
    }

    /// The flaws that a viewer would see, and the command that shows them.
    fn write_flaws(&self, out: &mut String) -> std::fmt::Result {
        let mut first = None;
        for number in NUMBERS.iter().filter(|number| number.is_seen) {
            let (measure, most) = (number.of(&self.report), Limit::most_of(number, &self.limits));
            if measure.value <= most {
                continue;
            }
            let (value, limit) = (number_text(measure.value), number_text(most));
            let (about, joint, frame) = (number.about, &measure.joint, measure.frame);
            writeln!(
                out,
                "look at   {about}: {} {value}, limit {limit}; {joint:?}, frame {frame}",
                number.name
            )?;
            first.get_or_insert(frame);
        }
        match (first, &self.explained_by) {
            (Some(frame), Some(line)) => writeln!(out, "          {line} --frame {frame}"),
            _ => Ok(()),
        }
    }

    fn write_misses(&self, out: &mut String, all: bool) -> std::fmt::Result {
        let (let_go, missed): (Vec<&MissSummary>, Vec<&MissSummary>) =
            self.misses.iter().partition(|miss| miss.reason.why_let_go().is_some());
        let most = missed.iter().max_by(|a, b| a.distance_cm.total_cmp(&b.distance_cm));
        match (most, self.foot_plants) {
            (Some(most), _) => writeln!(
                out,
                "goals     {} contact goals missed, by at most {} cm: {}, frame {}",
                missed.len(),
                number(most.distance_cm, DECIMALS),
                most.limb,
                most.frame
            )?,
            (None, FootPlants::Auto) if let_go.is_empty() => {
                writeln!(out, "goals     all contact goals reached")?;
            }
            _ => (),
        }
        let reasons = [MissReason::LetGo, MissReason::LongFoot, MissReason::FastStep];
        for (reason, why) in
            reasons.iter().filter_map(|reason| Some((reason, reason.why_let_go()?)))
        {
            let of = let_go.iter().filter(|miss| miss.reason == *reason);
            let mut frames: Vec<usize> = of.map(|miss| miss.frame).collect();
            frames.dedup();
            if let (Some(first), Some(last)) = (frames.first(), frames.last()) {
                writeln!(
                    out,
                    "goals     feet let go of the floor in {} frames, {first} to {last}, {why}",
                    frames.len(),
                )?;
            }
        }
        for miss in self.misses.iter().filter(|_| all) {
            let cm = number(miss.distance_cm, DECIMALS);
            let reason = match (miss.reason, miss.reason.why_let_go()) {
                (_, Some(why)) => format!("it lets go of the floor, {why}"),
                (MissReason::OutOfReach, _) => "the limb is straight and too short".to_owned(),
                _ => "the limb's limits or its shape keep it away".to_owned(),
            };
            writeln!(out, "    frame {}, {}: {cm} cm off; {reason}", miss.frame, miss.limb)?;
        }
        Ok(())
    }
}

fn at_worst(measure: &Measure, unit: &str) -> String {
    let worst = number(measure.worst, DECIMALS);
    if worst == "0" {
        return String::new();
    }
    format!(" (at worst {worst}{unit}: {:?}, frame {})", measure.joint, measure.frame)
}

fn number_text(value: f64) -> String {
    number(value, DECIMALS)
}

/// Decimals of centimetres: nobody sees 0.001 cm.
const DECIMALS: usize = 3;
