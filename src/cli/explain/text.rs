//! The explanation of a frame as text for people.

use super::{Explained, FootReport, HandReport, LeanReport, StandReport};
use crate::cli::text::number;
use crate::convert::LimitOrigin;
use crate::plant::MissReason;
use crate::report::LEG_CM;
use std::fmt::Write;

impl Explained {
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (frame, seconds) = (self.frame, number(self.time_s, 3));
        writeln!(out, "{} onto {}: frame {frame}, {seconds} s", self.source, self.target)?;
        match (&self.body, &self.support) {
            (None, _) => writeln!(out, "body      as it was transferred")?,
            (Some(body), support) => {
                let root = match support {
                    Some(foot) => format!("the {foot} foot"),
                    None => "the hips, no foot stands".to_owned(),
                };
                let [level, up, drop] = [body.horizontal_cm, body.up_cm, body.drop_cm].map(cm);
                writeln!(
                    out,
                    "body      solved from {root}; moved {level} horizontally, {up} up, {drop} down to keep feet in reach"
                )?;
                if body.trunk_lean_deg != 0.0 {
                    let lean = number(body.trunk_lean_deg, 1);
                    writeln!(out, "trunk     leans by {lean}° more for hands on the floor")?;
                }
            }
        }
        // As much as a digit shows.
        if self.pelvis_tilt_deg.abs() >= 0.05 {
            let way = if self.pelvis_tilt_deg > 0.0 { "forwards" } else { "back" };
            let by = number(self.pelvis_tilt_deg.abs(), 1);
            writeln!(
                out,
                "pelvis    tilts {way} by {by}°, since limits of the hip joints let thighs fold no farther"
            )?;
        }
        if self.head_tilt_deg >= 0.05 {
            let by = number(self.head_tilt_deg, 1);
            writeln!(out, "head      turns by {by}° about its neck to stay over the floor")?;
        }
        self.feet.iter().try_for_each(|foot| foot.write(out))?;
        self.hands.iter().try_for_each(|hand| hand.write(out))?;
        self.leans.values().flatten().try_for_each(|lean| lean.write(out))?;
        let kept: Vec<String> =
            self.kept.iter().map(|kept| format!("{} {}", kept.role, cm(kept.off_cm))).collect();
        writeln!(
            out,
            "kept      distances from their places in the moved body: {}",
            kept.join(", ")
        )?;
        for held in &self.held_back {
            let whose = match held.limit {
                LimitOrigin::Stated => "its skeleton.toml",
                LimitOrigin::People => "default, what people can do",
            };
            let by = number(held.by_deg, 2);
            writeln!(out, "limit     {:?} is held back by {by}° ({whose})", held.joint)?;
        }
        writeln!(out, "lengths in cm are normalised to a {LEG_CM} cm leg")
    }
}

impl FootReport {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let stand = |stand: &StandReport| {
            let part = stand.part.word();
            let [start, end] = [stand.start_s, stand.end_s].map(|s| number(s, 2));
            let does = if stand.slides { "slides" } else { "stands" };
            format!("{part} {does} from {start} to {end} s")
        };
        let stands: Vec<String> = self.stands.iter().map(stand).collect();
        let how = if stands.is_empty() { "in the air".to_owned() } else { stands.join(", ") };
        writeln!(out, "foot      {}: {how}", self.foot)?;
        let [level, up, sole] = [self.horizontal_cm, self.up_cm, self.sole_height_cm].map(cm);
        writeln!(
            out,
            "          ankle moved {level} horizontally, {up} up; turned {}°; sole {sole} over the floor",
            number(self.turned_deg, 2)
        )?;
        let reach = number(100.0 * self.reach_ratio, 1);
        write!(out, "          leg at {reach} % of its length")?;
        if let Some((was, is)) = self.knee_transferred_deg.zip(self.knee_deg) {
            let [was, is] = [was, is].map(|deg| number(deg, 1));
            write!(out, "; knee bent {is}°, transferred {was}°")?;
        }
        writeln!(out, "{}", missed(self.missed_cm, self.reason, "leg"))?;
        if self.sweeps > 0 {
            let (sweeps, left) = (self.sweeps, cm(self.left_cm));
            writeln!(
                out,
                "          limits turned it away; sweeps of its leg: {sweeps}; {left} left along the floor"
            )?;
        }
        Ok(())
    }
}

impl HandReport {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let body = self.part.as_deref().unwrap_or("body");
        let goals =
            [("the floor", self.floor), ("the other hand", self.other_hand), (body, self.body)];
        let goals: Vec<String> = goals
            .into_iter()
            .filter(|(_, weight)| *weight > 0.0)
            .map(|(goal, weight)| format!("{goal} by {} %", number(100.0 * weight, 0)))
            .collect();
        let goals = if goals.is_empty() { "near nothing".to_owned() } else { goals.join(", ") };
        write!(out, "hand      {}: {goals}; moved {}", self.hand, cm(self.moved_cm))?;
        if self.aside_cm > 0.0 {
            write!(out, ", {} of it to keep the arm out of the trunk", cm(self.aside_cm))?;
        }
        if self.lifted_cm > 0.0 {
            write!(out, ", {} of it to keep the hand over the floor", cm(self.lifted_cm))?;
        }
        if self.elbow_deg >= 0.5 {
            write!(out, "; elbow turned by {}°", number(self.elbow_deg, 0))?;
        }
        if self.turned_deg >= 0.5 {
            write!(out, "; hand turned by {}° over the floor", number(self.turned_deg, 0))?;
        }
        writeln!(out, "{}", missed(self.missed_cm, self.reason, "arm"))
    }
}

impl LeanReport {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let limb = self.limb.0;
        let (word, side, carries) = (limb.word(), limb.side().word(), limb.carries());
        let [start, end] = [self.start_s, self.end_s].map(|s| number(s, 2));
        let [level, up] = [self.horizontal_cm, self.up_cm].map(cm);
        write!(out, "{word:10}{side}: {carries} from {start} to {end} s")?;
        write!(out, "; moved {level} horizontally, {up} up")?;
        writeln!(out, "{}", missed(self.missed_cm, self.reason, limb.lever()))
    }
}

/// How far off its goal a limb is, if it is.
fn missed(off_cm: Option<f64>, reason: Option<MissReason>, limb: &str) -> String {
    let why_let_go = reason.and_then(MissReason::why_let_go);
    if let Some((off, why)) = off_cm.zip(why_let_go) {
        return format!("; {} off the floor: it lets go of it, {why}", cm(off));
    }
    match (off_cm.map(cm), reason) {
        (Some(off), Some(MissReason::OutOfReach)) => {
            format!("; {off} off its goal: the {limb} is straight and too short")
        }
        (Some(off), _) => format!("; {off} off its goal, kept away by limits"),
        (None, _) => String::new(),
    }
}

fn cm(value: f64) -> String {
    number(value, 2) + " cm"
}
