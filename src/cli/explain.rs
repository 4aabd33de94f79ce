//! `retarget explain`: what moved what in one frame.

mod text;

use super::args::{ArrayArgs, ExplainArgs};
use super::failure::Failure;
use super::made_for::{load_target, recorded};
use super::stream::{self, Stream};
use super::typed::Change;
use crate::contact::{Contact, Limb, Part};
use crate::convert::{
    self, Conversion, Explanation, FootStory, HandStory, LeanStory, LimitOrigin, LoadedRig,
};
use crate::plant::MissReason;
use crate::report::LEG_CM;
use crate::rig::Side;
use crate::settings::Settings;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One frame; lengths are normalised to a 90 cm leg. Its fields are the keys of `--json`.
#[derive(Serialize)]
struct Explained {
    source: String,
    target: String,
    frame: usize,
    time_s: f64,
    /// The foot from which the body is solved; none in flight, or where nothing is planted.
    support: Option<String>,
    /// How far the body was moved, and how much of that was down to keep its feet in reach.
    body: Option<BodyReport>,
    /// How far forwards the pelvis tilts, since limits of the hip joints do not let thighs fold farther.
    pelvis_tilt_deg: f64,
    /// How far the head turns about its neck to stay over the floor.
    head_tilt_deg: f64,
    feet: Vec<FootReport>,
    /// Hands with a goal of their own.
    hands: Vec<HandReport>,
    /// Limbs beside feet and hands that carry, by the table of their kind, such as `knees`.
    #[serde(flatten)]
    leans: BTreeMap<&'static str, Vec<LeanReport>>,
    /// How far hands and head are from where the transfer put them, moved with the body.
    kept: Vec<KeptReport>,
    /// Joints that a limit held back.
    held_back: Vec<HeldReport>,
}

#[derive(Serialize)]
struct BodyReport {
    horizontal_cm: f64,
    up_cm: f64,
    drop_cm: f64,
    /// How much further forwards than the source's the trunk leans for hands on the floor.
    trunk_lean_deg: f64,
}

#[derive(Serialize)]
struct FootReport {
    foot: String,
    stands: Vec<StandReport>,
    horizontal_cm: f64,
    up_cm: f64,
    turned_deg: f64,
    sole_height_cm: f64,
    reach_ratio: f64,
    knee_transferred_deg: Option<f64>,
    knee_deg: Option<f64>,
    /// How many times the joints of its leg were swept since stated limits turned the foot away, and how far the sole is
    /// from its place then.
    sweeps: usize,
    left_cm: f64,
    missed_cm: Option<f64>,
    reason: Option<MissReason>,
}

/// The goals of a hand, each with its weight from 0 to 1.
#[derive(Serialize)]
struct HandReport {
    hand: &'static str,
    floor: f64,
    other_hand: f64,
    body: f64,
    /// The part of the body that it is nearest to.
    part: Option<String>,
    moved_cm: f64,
    /// How much of that move keeps the arm out of the trunk.
    aside_cm: f64,
    lifted_cm: f64,
    /// How far its elbow turns about the line from shoulder to wrist, to either side.
    elbow_deg: f64,
    /// How far the hand turns about its wrist to stay over the floor.
    turned_deg: f64,
    missed_cm: Option<f64>,
    reason: Option<MissReason>,
}

/// A limb on the floor, such as a knee.
#[derive(Serialize)]
struct LeanReport {
    #[serde(flatten)]
    limb: LimbReport,
    start_s: f64,
    end_s: f64,
    horizontal_cm: f64,
    up_cm: f64,
    missed_cm: Option<f64>,
    reason: Option<MissReason>,
}

/// Which limb it is, with the key of its kind and the value of its side: `"knee": "left"`.
struct LimbReport(Limb);

impl Serialize for LimbReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0.word(), self.0.side().word())])
    }
}

#[derive(Serialize)]
struct StandReport {
    part: Part,
    start_s: f64,
    end_s: f64,
    slides: bool,
}

#[derive(Serialize)]
struct KeptReport {
    role: String,
    off_cm: f64,
}

#[derive(Serialize)]
struct HeldReport {
    joint: String,
    by_deg: f64,
    limit: LimitOrigin,
}

/// Retargets the clip and prints what moved what in the frame.
pub fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let Meant { source, target, from, settings, clip, arrays } = meant(args)?;
    let reading = arrays.reading_among(&[&source, &target.path], clip.as_deref());
    let mut source = Stream::new(source).read_clip(&reading)?;
    args.asked.set_contacts(&mut source)?;
    let from = from.as_deref();
    let written = convert::read_written(from)?;
    let done = convert::convert(&source, written, &target, &settings)
        .map_err(|error| convert::in_written(error, from))?;
    stream::tell_notes(&source.path, &done.notes);
    let Some(found) = convert::explain(&source, &done, args.frame) else {
        let last = done.result.len() - 1;
        let frame = args.frame;
        let message = format!("--frame {frame} is not in the clip; its frames go from 0 to {last}");
        return Err(Failure::Meant(message, vec![Change::Set("frame", last.to_string())]));
    };
    let names = [source.path.display().to_string(), target.path.display().to_string()];
    let explained = Explained::new(names, &done, &found);
    match args.json {
        true => stream::print_json(&explained),
        false => stream::print_text(&explained.text()),
    }
}

/// What is explained, and how it was made.
struct Meant {
    source: PathBuf,
    target: LoadedRig,
    from: Option<PathBuf>,
    settings: Settings,
    clip: Option<String>,
    arrays: ArrayArgs,
}

/// The clip and the target that are named, or those of a result that a journal names.
fn meant(args: &ExplainArgs) -> Result<Meant, Failure> {
    let ExplainArgs { source, from, clip, arrays, asked, .. } = args;
    let mut meant = if let Some(to) = &args.to {
        let mut settings = Settings::default();
        asked.set(&mut settings);
        let target = load_target(to, &arrays.reading(None), settings.accept_doubt)?;
        let (source, from) = (source.clone(), from.clone());
        Meant { source, target, from, settings, clip: clip.clone(), arrays: arrays.clone() }
    } else if let Some(recorded) = recorded(source, None)? {
        let mut settings = recorded.settings.clone();
        asked.set(&mut settings);
        let target = recorded.load()?;
        let arrays = arrays.clone().or(&recorded.arrays);
        let (from, clip) = (from.clone().or(recorded.from), clip.clone().or(recorded.clip));
        Meant { source: recorded.source, target, from, settings, clip, arrays }
    } else {
        let sentence = format!("no journal beside {} says a target; name it", source.display());
        return Err(Failure::Meant(sentence, vec![Change::Set("to", "TARGET".to_owned())]));
    };
    meant.target = convert::with_asked_scale(meant.target, asked.scale.is_some());
    // The body on its way: what is kept in place is the same but for the travel.
    meant.settings.in_place = false;
    Ok(meant)
}

impl Explained {
    fn new([source, target]: [String; 2], done: &Conversion, found: &Explanation) -> Self {
        let rig = &done.binding.target;
        let cm = LEG_CM / rig.leg_len;
        let up = rig.up.vector();
        let parts = |v: crate::math::Vec3| {
            let height = up.dot(&v);
            ((v - up * height).norm() * cm, height * cm)
        };
        let frame_s = done.result.frame_time().seconds();
        let foot = |story: &FootStory| {
            let (horizontal_cm, up_cm) = parts(story.moved);
            let seconds = |frame: usize| frame as f64 * frame_s;
            let stand = |contact: &Contact| StandReport {
                part: contact.part,
                start_s: seconds(contact.frames.start),
                end_s: seconds(contact.frames.end),
                slides: contact.slides,
            };
            FootReport {
                foot: rig.foot(story.foot).name.clone(),
                stands: story.stands.iter().map(stand).collect(),
                horizontal_cm,
                up_cm,
                turned_deg: story.turned_rad.to_degrees(),
                sole_height_cm: story.sole_height * cm,
                reach_ratio: story.reach_ratio,
                knee_transferred_deg: story.knee_rad.map(|[was, _]| was.to_degrees()),
                knee_deg: story.knee_rad.map(|[_, is]| is.to_degrees()),
                sweeps: story.swept.map_or(0, |swept| swept.sweeps),
                left_cm: story.swept.map_or(0.0, |swept| swept.left_len * cm),
                missed_cm: story.miss.map(|miss| miss.distance_len * cm),
                reason: story.miss.map(|miss| miss.reason),
            }
        };
        let hand = |HandStory { side, moved, miss }: &HandStory| HandReport {
            hand: side.word(),
            floor: moved.floor,
            other_hand: moved.other_hand,
            body: moved.body,
            part: moved.part.map(|part| part.to_string()),
            moved_cm: moved.offset.norm() * cm,
            aside_cm: moved.aside_len * cm,
            lifted_cm: moved.lifted_len * cm,
            elbow_deg: moved.swivel_rad.to_degrees().abs(),
            turned_deg: moved.tilt.norm().to_degrees(),
            missed_cm: miss.map(|miss| miss.distance_len * cm),
            reason: miss.map(|miss| miss.reason),
        };
        let lean = |LeanStory { stands, moved, miss }: &LeanStory| {
            let (horizontal_cm, up_cm) = parts(*moved);
            LeanReport {
                limb: LimbReport(stands.limb),
                start_s: stands.frames.start as f64 * frame_s,
                end_s: stands.frames.end as f64 * frame_s,
                horizontal_cm,
                up_cm,
                missed_cm: miss.map(|miss| miss.distance_len * cm),
                reason: miss.map(|miss| miss.reason),
            }
        };
        let body = found.body.map(|body| {
            let (horizontal_cm, up_cm) = parts(body.offset);
            let trunk_lean_deg = body.trunk_lean_rad.to_degrees();
            BodyReport { horizontal_cm, up_cm, drop_cm: body.drop_len * cm, trunk_lean_deg }
        });
        let beside_hands = Limb::KINDS.map(|of| of(Side::Left)).into_iter();
        let beside_hands = beside_hands.filter(|limb| !matches!(limb, Limb::Hand(_)));
        let leans_of = |limb: Limb| {
            let of_kind =
                found.leans.iter().filter(|story| story.stands.limb.table() == limb.table());
            of_kind.map(lean).collect()
        };
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
            pelvis_tilt_deg: found.pelvis_tilt_rad.to_degrees(),
            head_tilt_deg: found.head_tilt_rad.to_degrees(),
            feet: found.feet.iter().map(foot).collect(),
            hands: found.hands.iter().map(hand).collect(),
            leans: beside_hands.map(|limb| (limb.table(), leans_of(limb))).collect(),
            kept: kept
                .map(|(r, off)| KeptReport { role: r.to_string(), off_cm: off * cm })
                .collect(),
            held_back: held
                .map(|held| HeldReport {
                    joint: rig.skeleton.name(held.joint).to_owned(),
                    by_deg: held.by_rad.to_degrees(),
                    limit: held.limit,
                })
                .collect(),
        }
    }
}
