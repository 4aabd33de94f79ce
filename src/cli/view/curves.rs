//! Curves over time of source and result: height and speed of the feet, angles of the knees.

use super::pack::Pack;
use crate::cli::draw::{Limb, limb_of_foot};
use crate::clip::Clip;
use crate::contact::{FootPaths, Part, foot_paths};
use crate::convert::{Check, SourceClip};
use crate::math::Vec3;
use crate::report::LEG_CM;
use crate::rig::{Rig, Role, Side};
use serde::Serialize;
use std::borrow::Cow;

/// A plot: curves that share a scale.
#[derive(Serialize)]
pub struct Plot {
    title: &'static str,
    unit: &'static str,
    /// The least span of the scale.
    least_span: f64,
    series: Vec<Series>,
}

/// A curve: a number for each frame.
#[derive(Serialize)]
struct Series {
    name: String,
    of: &'static str,
    limb: &'static str,
    /// Where the curve's numbers begin in the pack.
    at: usize,
}

/// One of the two clips. Its curves are in centimetres, normalised to a 90 cm leg.
struct Seen<'a> {
    of: &'static str,
    clip: &'a Clip,
    rig: &'a Rig,
    paths: FootPaths,
    /// The floor's height in the clip's length units; `cm` centimetres are one such unit.
    floor: f64,
    cm: f64,
    /// How far each frame is from its way, of a result that was made in place.
    travel: Option<&'a [Vec3]>,
}

impl<'a> Seen<'a> {
    fn new(of: &'static str, clip: &'a Clip, rig: &'a Rig, floor: f64) -> Self {
        let (paths, cm) = (foot_paths(clip, rig), LEG_CM / rig.leg_len);
        Self { of, clip, rig, paths, floor, cm, travel: None }
    }
}

impl Seen<'_> {
    /// The path of a point as it would be if the body travelled as it was planted.
    fn on_its_way<'p>(&self, path: &'p [Vec3]) -> Cow<'p, [Vec3]> {
        match self.travel {
            Some(travel) => path.iter().zip(travel).map(|(place, way)| place + way).collect(),
            None => Cow::Borrowed(path),
        }
    }
}

/// All plots of a page.
pub fn plots(
    source: &SourceClip,
    result: &SourceClip,
    check: &Check,
    pack: &mut Pack,
) -> Vec<Plot> {
    let binding = &check.binding;
    let floor = check.contacts.floor_height;
    let target_floor = binding.target_height(floor);
    let of_result = Seen::new("result", &result.clip, &binding.target, target_floor);
    let seen = [
        Seen::new("source", &source.clip, &binding.source, floor),
        Seen { travel: check.travel.as_deref(), ..of_result },
    ];
    let (mut heights, mut speeds, mut knees) = (Vec::new(), Vec::new(), Vec::new());
    for seen in &seen {
        for id in seen.rig.foot_ids() {
            let foot = seen.rig.foot(id);
            let limb = limb_of_foot(seen.rig, id);
            let series = |at| Series {
                name: foot.name.replace('_', " "),
                of: seen.of,
                limb: limb.class(),
                at,
            };
            let over = seen.paths.lowest(id).iter().map(|h| (h - seen.floor) * seen.cm);
            heights.push(series(pack.floats(over)));
            let path = seen.on_its_way(seen.paths.of(id, Part::Ball));
            let frame_time_s = seen.clip.frame_time().seconds();
            let speed = speeds_of(&path, frame_time_s).map(|speed| speed * seen.cm);
            speeds.push(series(pack.floats(speed)));
        }
        for side in Side::BOTH {
            let Some(degrees) = knee_degrees(seen, side) else { continue };
            let limb = Limb::of(Role::Shin(side)).class();
            let name = if side == Side::Left { "left" } else { "right" }.to_owned();
            knees.push(Series { name, of: seen.of, limb, at: pack.floats(degrees) });
        }
    }
    // The feet of what is kept in place slide back under it; that is not what anybody wants to see.
    let speed = match check.travel {
        Some(_) => "Speed of the balls on the way",
        None => "Speed of the balls",
    };
    let plot = |title, unit, least_span, series| Plot { title, unit, least_span, series };
    let mut plots = vec![
        plot("Height of the soles", "cm", 1.0, heights),
        plot(speed, "cm/s", 1.0, speeds),
        plot("Bend of the knees", "°", 10.0, knees),
    ];
    plots.retain(|plot| !plot.series.is_empty());
    plots
}

/// The speed in length units per second, from the frames before and after.
fn speeds_of(path: &[Vec3], frame_time_s: f64) -> impl Iterator<Item = f64> + '_ {
    (0..path.len()).map(move |i| {
        let (before, after) = (i.saturating_sub(1), (i + 1).min(path.len() - 1));
        let span_s = (after - before).max(1) as f64 * frame_time_s;
        (path[after] - path[before]).norm() / span_s
    })
}

/// The angle between thigh and shin in every frame; `None` without a knee.
fn knee_degrees(seen: &Seen, side: Side) -> Option<Vec<f64>> {
    let [thigh, shin, foot] =
        [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(|role| seen.rig.joint(role));
    let (thigh, shin, foot) = (thigh?, shin?, foot?);
    let mut degrees = Vec::with_capacity(seen.clip.len());
    seen.clip.each_world(0..seen.clip.len(), |_, world| {
        let [hip, knee, ankle] = [thigh, shin, foot].map(|id| world.position(id));
        degrees.push((knee - hip).angle(&(ankle - knee)).to_degrees());
    });
    Some(degrees)
}
