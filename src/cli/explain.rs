//! `retarget explain`: what moved what in one frame.

use super::args::ExplainArgs;
use super::failure::Failure;
use super::stream::{self, Stream};
use super::text::number;
use retarget::contact::{Contact, Part};
use retarget::convert::{
    self, Conversion, Explanation, FootStory, HandStory, KneeStory, LimitOrigin,
};
use retarget::plant::MissReason;
use retarget::report::LEG_CM;
use retarget::settings::Settings;
use serde::Serialize;
use std::fmt::Write;

/// One frame; lengths are for a body with legs of 90 cm. Its fields are the keys of `--json`.
#[derive(Serialize)]
struct Told {
    source: String,
    target: String,
    frame: usize,
    time_s: f64,
    /// The foot from which the body is solved; none in flight, or where nothing is planted.
    support: Option<String>,
    /// How far the body was moved aside, and how far down of that to keep its feet in reach.
    body: Option<BodyTold>,
    feet: Vec<FootTold>,
    /// Hands with a goal of their own.
    hands: Vec<HandTold>,
    /// Knees that kneel.
    knees: Vec<KneeTold>,
    /// How far each is from where it was carried with the body.
    kept: Vec<KeptTold>,
    /// Joints that a limit held back.
    held_back: Vec<HeldTold>,
}

#[derive(Serialize)]
struct BodyTold {
    level_cm: f64,
    up_cm: f64,
    drop_cm: f64,
}

#[derive(Serialize)]
struct FootTold {
    foot: String,
    stands: Vec<StandTold>,
    level_cm: f64,
    up_cm: f64,
    turned_deg: f64,
    sole_height_cm: f64,
    reach_ratio: f64,
    knee_carried_deg: Option<f64>,
    knee_deg: Option<f64>,
    missed_cm: Option<f64>,
    reason: Option<MissReason>,
}

/// The goal of a hand, its kinds with how much each counts.
#[derive(Serialize)]
struct HandTold {
    hand: &'static str,
    floor: f64,
    other_hand: f64,
    body: f64,
    /// What of the body it is nearest to.
    part: Option<String>,
    moved_cm: f64,
    /// How much of that keeps the arm out of the trunk.
    aside_cm: f64,
    missed_cm: Option<f64>,
    reason: Option<MissReason>,
}

/// A knee on the floor.
#[derive(Serialize)]
struct KneeTold {
    knee: &'static str,
    start_s: f64,
    end_s: f64,
    level_cm: f64,
    up_cm: f64,
    missed_cm: Option<f64>,
    reason: Option<MissReason>,
}

#[derive(Serialize)]
struct StandTold {
    part: Part,
    start_s: f64,
    end_s: f64,
    slides: bool,
}

#[derive(Serialize)]
struct KeptTold {
    role: String,
    off_cm: f64,
}

#[derive(Serialize)]
struct HeldTold {
    joint: String,
    by_deg: f64,
    limit: LimitOrigin,
}

/// Converts, and tells of the frame.
pub fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let source = Stream::new(args.source.clone()).read_clip()?;
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let target = convert::load_rig(&args.to)?;
    let done = convert::convert(&source, written, &target, &Settings::default())
        .map_err(|error| convert::in_written(error, from))?;
    let Some(found) = convert::explain(&source, &done, args.frame) else {
        let last = done.result.len() - 1;
        let frame = args.frame;
        let message = format!("--frame {frame} is not in the clip; its frames go from 0 to {last}");
        return Err(Failure::Usage(message));
    };
    let names = [source.path.display().to_string(), args.to.display().to_string()];
    let told = Told::new(names, &done, &found);
    match args.json {
        true => stream::print_json(&told),
        false => stream::print(told.text().as_bytes()),
    }
}

impl Told {
    fn new([source, target]: [String; 2], done: &Conversion, found: &Explanation) -> Self {
        let rig = &done.binding.target;
        let cm = LEG_CM / rig.leg_len;
        let up = rig.up.vector();
        let parts = |v: retarget::math::Vec3| {
            let height = up.dot(&v);
            ((v - up * height).norm() * cm, height * cm)
        };
        let frame_s = done.result.frame_time().seconds();
        let foot = |story: &FootStory| {
            let (level_cm, up_cm) = parts(story.moved);
            let seconds = |frame: usize| frame as f64 * frame_s;
            let stand = |contact: &Contact| StandTold {
                part: contact.part,
                start_s: seconds(contact.frames.start),
                end_s: seconds(contact.frames.end),
                slides: contact.slides,
            };
            FootTold {
                foot: rig.foot(story.foot).name.clone(),
                stands: story.stands.iter().map(stand).collect(),
                level_cm,
                up_cm,
                turned_deg: story.turned_rad.to_degrees(),
                sole_height_cm: story.sole_height * cm,
                reach_ratio: story.reach_ratio,
                knee_carried_deg: story.knee_rad.map(|[was, _]| was.to_degrees()),
                knee_deg: story.knee_rad.map(|[_, is]| is.to_degrees()),
                missed_cm: story.miss.map(|miss| miss.distance_len * cm),
                reason: story.miss.map(|miss| miss.reason),
            }
        };
        let hand = |HandStory { side, moved, miss }: &HandStory| HandTold {
            hand: side.word(),
            floor: moved.floor,
            other_hand: moved.other_hand,
            body: moved.body,
            part: moved.part.map(|part| part.to_string()),
            moved_cm: moved.shift.norm() * cm,
            aside_cm: moved.aside_len * cm,
            missed_cm: miss.map(|miss| miss.distance_len * cm),
            reason: miss.map(|miss| miss.reason),
        };
        let knee = |KneeStory { side, stands, moved, miss }: &KneeStory| {
            let (level_cm, up_cm) = parts(*moved);
            KneeTold {
                knee: side.word(),
                start_s: stands.frames.start as f64 * frame_s,
                end_s: stands.frames.end as f64 * frame_s,
                level_cm,
                up_cm,
                missed_cm: miss.map(|miss| miss.distance_len * cm),
                reason: miss.map(|miss| miss.reason),
            }
        };
        let body = found.body.map(|body| {
            let (level_cm, up_cm) = parts(body.shift);
            BodyTold { level_cm, up_cm, drop_cm: body.drop_len * cm }
        });
        let support = found.body.and_then(|body| body.support);
        let kept = found.kept.iter();
        let held = found.held_back.iter();
        Self {
            source,
            target,
            frame: found.frame,
            time_s: found.frame as f64 * frame_s,
            support: support.map(|foot| rig.foot(foot).name.clone()),
            body,
            feet: found.feet.iter().map(foot).collect(),
            hands: found.hands.iter().map(hand).collect(),
            knees: found.knees.iter().map(knee).collect(),
            kept: kept.map(|(r, off)| KeptTold { role: r.to_string(), off_cm: off * cm }).collect(),
            held_back: held
                .map(|held| HeldTold {
                    joint: rig.skeleton.name(held.joint).to_owned(),
                    by_deg: held.by_rad.to_degrees(),
                    limit: held.limit,
                })
                .collect(),
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (frame, seconds) = (self.frame, number(self.time_s, 3));
        writeln!(out, "{} onto {}: frame {frame}, {seconds} s", self.source, self.target)?;
        match (&self.body, &self.support) {
            (None, _) => writeln!(out, "body      as it was carried")?,
            (Some(body), support) => {
                let root = match support {
                    Some(foot) => format!("the {foot} foot"),
                    None => "the hips, no foot stands".to_owned(),
                };
                let [level, up, drop] = [body.level_cm, body.up_cm, body.drop_cm].map(cm);
                writeln!(
                    out,
                    "body      solved from {root}; moved {level} level, {up} up, {drop} down to keep feet in reach"
                )?;
            }
        }
        self.feet.iter().try_for_each(|foot| foot.write(out))?;
        self.hands.iter().try_for_each(|hand| hand.write(out))?;
        self.knees.iter().try_for_each(|knee| knee.write(out))?;
        let kept: Vec<String> =
            self.kept.iter().map(|kept| format!("{} {}", kept.role, cm(kept.off_cm))).collect();
        writeln!(out, "kept      off their places in the moved body: {}", kept.join(", "))?;
        for held in &self.held_back {
            let whose = match held.limit {
                LimitOrigin::Stated => "its skeleton.toml",
                LimitOrigin::People => "default, what people can do",
            };
            let by = number(held.by_deg, 2);
            writeln!(out, "limit     {:?} is held back by {by}° ({whose})", held.joint)?;
        }
        writeln!(out, "cm are those of a body with legs of {LEG_CM} cm")
    }
}

impl FootTold {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let stand = |stand: &StandTold| {
            let part = stand.part.word();
            let [start, end] = [stand.start_s, stand.end_s].map(|s| number(s, 2));
            let does = if stand.slides { "slides" } else { "stands" };
            format!("{part} {does} from {start} to {end} s")
        };
        let stands: Vec<String> = self.stands.iter().map(stand).collect();
        let how = if stands.is_empty() { "in the air".to_owned() } else { stands.join(", ") };
        writeln!(out, "foot      {}: {how}", self.foot)?;
        let [level, up, sole] = [self.level_cm, self.up_cm, self.sole_height_cm].map(cm);
        writeln!(
            out,
            "          ankle moved {level} level, {up} up; turned {}°; sole {sole} over the floor",
            number(self.turned_deg, 2)
        )?;
        let reach = number(100.0 * self.reach_ratio, 1);
        write!(out, "          leg at {reach} % of its length")?;
        if let Some((was, is)) = self.knee_carried_deg.zip(self.knee_deg) {
            let [was, is] = [was, is].map(|deg| number(deg, 1));
            write!(out, "; knee bent {is}°, carried {was}°")?;
        }
        writeln!(out, "{}", missed(self.missed_cm, self.reason, "leg"))
    }
}

impl HandTold {
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
        writeln!(out, "{}", missed(self.missed_cm, self.reason, "arm"))
    }
}

impl KneeTold {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let [start, end] = [self.start_s, self.end_s].map(|s| number(s, 2));
        let [level, up] = [self.level_cm, self.up_cm].map(cm);
        write!(out, "knee      {}: kneels from {start} to {end} s", self.knee)?;
        write!(out, "; moved {level} level, {up} up")?;
        writeln!(out, "{}", missed(self.missed_cm, self.reason, "thigh"))
    }
}

/// How far off its goal a limb is, if it is.
fn missed(off_cm: Option<f64>, reason: Option<MissReason>, limb: &str) -> String {
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
