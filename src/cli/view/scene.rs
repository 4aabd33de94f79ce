//! The data of a page that shows a result beside its source.

use super::curves::{Plot, plots};
use super::mesh::MeshReport;
use super::pack::Pack;
use crate::cli::draw::{Motion, limb_of_foot, limb_of_lean};
use crate::cli::text::{count, number};
use crate::contact::{Limb, Part};
use crate::convert::{Check, Looks, SourceClip};
use crate::math::Vec3;
use crate::report::{LEG_CM, NUMBERS};
use crate::rig::{FootId, UpAxis};
use serde::Serialize;

/// Everything that the page's script reads, except the numbers in the [`Pack`].
#[derive(Serialize)]
pub struct Scene {
    pub title: String,
    about: String,
    frames: usize,
    fps: f64,
    leg_cm: f64,
    /// Where the result faces in the first frame, along X and Z.
    facing: [f64; 2],
    source: Body,
    result: Body,
    /// The plain rotation copy: the source's rotations on the target, without planting.
    copy: Body,
    feet: Vec<FootReport>,
    /// The hands and knees that ever carry weight.
    leans: Vec<LeanReport>,
    plots: Vec<Plot>,
    numbers: Vec<NumberReport>,
}

/// A body over time. Its points are the joints in their order, then End Sites and soles; in legs, with Y up and the
/// floor at 0.
#[derive(Serialize)]
struct Body {
    joints: Vec<String>,
    points: usize,
    /// The two points of each line, and its limb.
    lines: Vec<(usize, usize, &'static str)>,
    /// The points of heel, ball and tip, for each foot of the scene.
    soles: Vec<Option<[usize; 3]>>,
    /// Where the first joint's positions begin in the pack.
    roots: usize,
    /// Where the other points' positions begin in the pack, relative to the first joint.
    steps: usize,
    /// The largest distance of a point from the first joint along an axis, legs.
    reach: f64,
    mesh: MeshReport,
}

/// A hand or a knee of the source that carries weight at times.
#[derive(Serialize)]
struct LeanReport {
    name: String,
    limb: &'static str,
    /// The first frame of each contact, and its end, not included.
    intervals: Vec<[usize; 2]>,
}

/// A foot of the result.
#[derive(Serialize)]
struct FootReport {
    name: String,
    limb: &'static str,
    /// For heel, ball and tip, the source's contacts: the first frame of each, and its end, not included.
    intervals: [Vec<[usize; 2]>; 3],
}

/// A number of the report.
#[derive(Serialize)]
struct NumberReport {
    name: &'static str,
    about: &'static str,
    value: f64,
    threshold: f64,
    over: bool,
    /// The number's value for the plain rotation copy.
    copied: f64,
    worst: f64,
    joint: String,
    frame: usize,
}

impl Scene {
    /// Costs one forward kinematics per frame of source, result and copy, and three for the curves.
    pub fn new(
        [source, result]: [&SourceClip; 2],
        looks: [&Looks; 2],
        check: &Check,
        pack: &mut Pack,
    ) -> Self {
        let binding = &check.binding;
        let target = &binding.target;
        let upright = target.up.turn_to(UpAxis::Y);
        let unit = 1.0 / target.leg_len;
        let floor = check.contacts.floor_height;
        let mut of_source = Motion::laid(
            &source.clip,
            Some(&binding.source),
            upright * binding.target_world_from_source,
            unit * binding.scale,
            floor * unit * binding.scale,
        );
        let target_floor = binding.target_height(floor) * unit;
        let of_target = |clip| Motion::laid(clip, Some(target), upright, unit, target_floor);
        let (mut of_result, mut of_copy) = (of_target(&result.clip), of_target(&check.transferred));
        let facing = of_result.facing(0).unwrap_or(Vec3::z());
        let feet: Vec<FootId> = target.foot_ids().collect();
        let source_feet: Vec<Option<FootId>> =
            feet.iter().map(|&foot| binding.source_foot(foot)).collect();
        let own: Vec<Option<FootId>> = feet.iter().copied().map(Some).collect();
        let fps = 1.0 / result.clip.frame_time().seconds();
        let frames = result.clip.len();
        let name = |clip: &SourceClip| {
            clip.path.file_name().unwrap_or(clip.path.as_os_str()).to_string_lossy().into_owned()
        };
        let intervals = |foot: Option<FootId>, part: Part| {
            let contacts = foot.into_iter().flat_map(|foot| check.contacts.of(foot, part));
            contacts.map(|c| [c.frames.start, c.frames.end]).collect::<Vec<_>>()
        };
        let report = |(&foot, &from): (&FootId, &Option<FootId>)| FootReport {
            name: target.foot(foot).name.replace('_', " "),
            limb: limb_of_foot(target, foot).class(),
            intervals: Part::ALL.map(|part| intervals(from, part)),
        };
        let leans = |limb: Limb| {
            let intervals = check.contacts.of_limb(limb).map(|c| [c.frames.start, c.frames.end]);
            let intervals: Vec<[usize; 2]> = intervals.collect();
            (!intervals.is_empty()).then(|| LeanReport {
                name: format!("{} {}", limb.side().word(), limb.word()),
                limb: limb_of_lean(limb).class(),
                intervals,
            })
        };
        Self {
            title: name(result),
            about: format!(
                "beside its source {}  ·  {} at {} fps  ·  {} s",
                name(source),
                count(frames, "frame"),
                number(fps, 2),
                number(frames as f64 / fps, 2)
            ),
            frames,
            fps,
            leg_cm: LEG_CM,
            facing: [facing.x, facing.z],
            source: Body::new(&mut of_source, &source_feet, pack).with_mesh(MeshReport::new(
                looks[0],
                &name(source),
                &of_source,
                pack,
            )),
            result: Body::new(&mut of_result, &own, pack).with_mesh(MeshReport::new(
                looks[1],
                &name(result),
                &of_result,
                pack,
            )),
            copy: Body::new(&mut of_copy, &own, pack),
            feet: feet.iter().zip(&source_feet).map(report).collect(),
            leans: Limb::ALL.into_iter().filter_map(leans).collect(),
            plots: plots(source, result, check, pack),
            numbers: numbers(check),
        }
    }
}

impl Scene {
    /// Whether the page has a mesh to draw.
    pub fn has_mesh(&self) -> bool {
        self.source.mesh.is_shown() || self.result.mesh.is_shown()
    }
}

impl Body {
    fn new(motion: &mut Motion, feet: &[Option<FootId>], pack: &mut Pack) -> Self {
        let frames = motion.clip.len();
        let (mut roots, mut ways, mut reach) = (Vec::with_capacity(frames), Vec::new(), 0.0f64);
        for frame in 0..frames {
            let points = motion.points(frame);
            let root = points[motion.root];
            roots.push(root);
            // Joints that stay behind the body are not drawn, and would make the steps of all points coarser.
            let of_body = points.iter().zip(motion.of_body());
            let way = |(point, of_body): (&Vec3, &bool)| {
                if *of_body { point - root } else { Vec3::zeros() }
            };
            ways.extend(of_body.map(way));
        }
        ways.iter().for_each(|way| reach = reach.max(way.amax()));
        let soles = |foot: &Option<FootId>| foot.map(|foot| motion.soles[foot.index()]);
        let line = |line: &crate::cli::draw::Line| (line.from, line.to, line.limb.class());
        Self {
            joints: motion.clip.skeleton().joints().iter().map(|j| j.name.clone()).collect(),
            points: ways.len() / frames.max(1),
            lines: motion.lines().iter().map(line).collect(),
            soles: feet.iter().map(soles).collect(),
            roots: pack.floats(roots.iter().flat_map(|p| [p.x, p.y, p.z])),
            steps: pack.steps(ways, reach),
            reach,
            mesh: MeshReport::default(),
        }
    }

    fn with_mesh(self, mesh: MeshReport) -> Self {
        Self { mesh, ..self }
    }
}

fn numbers(check: &Check) -> Vec<NumberReport> {
    let report = |number: &crate::report::Number| {
        let measure = number.of(&check.report);
        NumberReport {
            name: number.name,
            about: number.about,
            value: measure.value,
            threshold: number.threshold,
            over: measure.value > number.threshold,
            copied: number.of(&check.copy).value,
            worst: measure.worst,
            joint: measure.joint.clone(),
            frame: measure.frame,
        }
    };
    NUMBERS.iter().map(report).collect()
}
