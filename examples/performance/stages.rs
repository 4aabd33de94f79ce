//! The stages of a conversion, each doing its part of a whole clip.

use super::bodies::Body;
use retarget::internals::binding::Binding;
use retarget::internals::bvh::{self, RowWriter, Rows, WriteSettings};
use retarget::internals::contact::{self, ContactTrack, FootPaths};
use retarget::internals::convert::{self, SourceClip};
use retarget::internals::live::Retargeter;
use retarget::internals::plant::{Diagnostics, PlantPlan, PlantScratch};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::report::{FrameSample, Metrics};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use retarget::internals::transfer::{Transfer, TransferScratch};
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

/// A stage: what it is called, nanoseconds a frame of the best plain loops at 31 joints and at 78, where known,
/// and work that does it once for all frames of a body.
pub struct Stage {
    pub name: &'static str,
    pub yardstick: [Option<u32>; 2],
    pub work: for<'a> fn(&'a Body) -> Box<dyn FnMut() + 'a>,
}

pub const STAGES: &[Stage] = &[
    // The yardstick's loops had forward kinematics in them.
    Stage { name: "read", yardstick: [Some(950 + 1590), Some(2250 + 4300)], work: read },
    Stage { name: "parse", yardstick: [Some(950), Some(2250)], work: parse },
    Stage { name: "forward-kinematics", yardstick: [None; 2], work: forward },
    Stage { name: "recognise", yardstick: [None; 2], work: recognise },
    Stage { name: "contacts", yardstick: [None; 2], work: contacts },
    Stage { name: "plan", yardstick: [None; 2], work: plan },
    Stage { name: "transfer", yardstick: [None; 2], work: transfer },
    // The yardstick's has map and forward kinematics in it, to 1 % of a chain.
    Stage { name: "solve", yardstick: [Some(4740), Some(6240)], work: solve },
    Stage { name: "measure", yardstick: [None; 2], work: measure },
    Stage { name: "live", yardstick: [None; 2], work: live },
    Stage { name: "to-euler", yardstick: [Some(1680), Some(4400)], work: to_euler },
    Stage { name: "write", yardstick: [Some(1070), Some(2220)], work: write },
];

fn read(body: &Body) -> Box<dyn FnMut() + '_> {
    Box::new(|| {
        black_box(bvh::read(black_box(&body.text)).expect("a sound file"));
    })
}

/// Reading of the same rows as positions, which takes no angles.
fn parse(body: &Body) -> Box<dyn FnMut() + '_> {
    let text = body.text_of_positions();
    Box::new(move || {
        black_box(bvh::read(black_box(&text)).expect("a sound file"));
    })
}

fn forward(body: &Body) -> Box<dyn FnMut() + '_> {
    let mut pose = body.clip.pose(0);
    let mut world = WorldPose::new(pose.rotations.len());
    Box::new(move || {
        for frame in 0..body.clip.len() {
            body.clip.read_pose(frame, &mut pose);
            world.set(body.clip.skeleton(), &pose);
            black_box(&world);
        }
    })
}

fn contacts(body: &Body) -> Box<dyn FnMut() + '_> {
    let settings = Settings::default();
    Box::new(move || {
        let paths = contact::foot_paths(&body.clip, &body.rig.rig);
        let seconds = body.clip.frame_time().seconds();
        black_box(contact::detect(&paths, &body.rig.rig, seconds, &settings.contact));
    })
}

fn recognise(body: &Body) -> Box<dyn FnMut() + '_> {
    let path = PathBuf::from("walk.bvh");
    let source = SourceClip::new(path, body.clip.clone());
    Box::new(move || {
        black_box(convert::source_rig(&source, RigFile::default()).expect("a body"));
    })
}

/// One frame at a time: transfer, contacts and solve.
fn live(body: &Body) -> Box<dyn FnMut() + '_> {
    let Carrying { binding, .. } = Carrying::new(body);
    let seconds = body.clip.frame_time().seconds();
    let mut pose = body.clip.pose(0);
    let binding = Arc::new(binding);
    let mut result = Pose::rest(&binding.target.skeleton);
    Box::new(move || {
        let mut retargeter = Retargeter::new(binding.clone(), &Settings::default(), seconds);
        for frame in 0..body.clip.len() {
            body.clip.read_pose(frame, &mut pose);
            retargeter.frame(&pose, &mut result);
            black_box(&result);
        }
    })
}

/// What the frames of a conversion have in common.
struct Carrying {
    binding: Binding,
    paths: FootPaths,
    track: ContactTrack,
    plan: PlantPlan,
}

impl Carrying {
    fn new(body: &Body) -> Self {
        let settings = Settings::default();
        let (source, target) = (&body.rig.rig, &body.target.rig);
        let seconds = body.clip.frame_time().seconds();
        let paths = contact::foot_paths(&body.clip, source);
        let track = contact::detect(&paths, source, seconds, &settings.contact);
        let binding = Binding::new(source.clone(), target.clone(), &settings.binding);
        let binding = binding.expect("bodies of one shape");
        let soles = paths.clone().into_heights(binding.source.up);
        let plan = PlantPlan::new(&body.clip, &soles, &track, &binding, &settings.plant);
        Self { binding, paths, track, plan }
    }
}

fn plan(body: &Body) -> Box<dyn FnMut() + '_> {
    let Carrying { binding, paths, track, .. } = Carrying::new(body);
    let settings = Settings::default();
    let soles = paths.into_heights(binding.source.up);
    Box::new(move || {
        black_box(PlantPlan::new(&body.clip, &soles, &track, &binding, &settings.plant));
    })
}

fn transfer(body: &Body) -> Box<dyn FnMut() + '_> {
    let Carrying { binding, .. } = Carrying::new(body);
    Box::new(move || {
        let transfer = Transfer::new(&binding);
        let mut scratch = TransferScratch::new(&binding);
        for frame in 0..body.clip.len() {
            transfer.frame(&body.clip, frame, &mut scratch);
            black_box(&scratch);
        }
    })
}

/// All frames of a clip, transferred and planted.
struct Frames {
    carrying: Carrying,
    scratch: Vec<TransferScratch>,
    poses: Vec<(Pose, WorldPose)>,
}

impl Frames {
    /// Transferred, but not planted.
    fn new(body: &Body) -> Self {
        let carrying = Carrying::new(body);
        let transfer = Transfer::new(&carrying.binding);
        let transferred = (0..body.clip.len()).map(|frame| {
            let mut scratch = TransferScratch::new(&carrying.binding);
            transfer.frame(&body.clip, frame, &mut scratch);
            scratch
        });
        let scratch: Vec<_> = transferred.collect();
        let poses = scratch.iter().map(|s| (s.pose.clone(), s.world.clone())).collect();
        Self { carrying, scratch, poses }
    }

    /// Copies each transferred frame and plants it.
    fn plant(&mut self, scratch: &mut PlantScratch) {
        let Carrying { binding, plan, .. } = &self.carrying;
        let mut diagnostics = Diagnostics::default();
        for (frame, (pose, world)) in self.poses.iter_mut().enumerate() {
            pose.copy_from(&self.scratch[frame].pose);
            world.copy_from(&self.scratch[frame].world);
            plan.solve(binding, frame, pose, world, scratch, &mut diagnostics);
        }
        black_box(diagnostics);
    }
}

fn solve(body: &Body) -> Box<dyn FnMut() + '_> {
    let mut frames = Frames::new(body);
    let mut scratch = frames.carrying.plan.scratch();
    Box::new(move || frames.plant(&mut scratch))
}

fn measure(body: &Body) -> Box<dyn FnMut() + '_> {
    let mut frames = Frames::new(body);
    let mut scratch = frames.carrying.plan.scratch();
    frames.plant(&mut scratch);
    Box::new(move || {
        let Carrying { binding, paths, track, .. } = &frames.carrying;
        let metrics = Metrics::new(paths, track, binding, body.clip.frame_time().seconds());
        let mut sums = metrics.accumulator(0);
        for (frame, (pose, world)) in frames.poses.iter().enumerate() {
            let TransferScratch { source_world, world: transferred, .. } = &frames.scratch[frame];
            let sample = FrameSample { frame, source: source_world, transferred, pose, world };
            metrics.add(binding, &mut sums, &sample);
        }
        black_box(metrics.report(binding, sums));
    })
}

fn to_euler(body: &Body) -> Box<dyn FnMut() + '_> {
    let writer = RowWriter::new(body.clip.skeleton(), &WriteSettings::default());
    let mut rows = writer.rows(body.clip.len());
    Box::new(move || numbers(body, &writer, &mut rows))
}

/// All rows of a body's clip.
fn numbers(body: &Body, writer: &RowWriter, rows: &mut Rows) {
    rows.clear();
    for frame in 0..body.clip.len() {
        writer.push_frame(body.clip.rotations(frame), body.clip.translations(frame), rows);
    }
    writer.run_on(&mut writer.euler_filter(), rows);
    black_box(rows);
}

fn write(body: &Body) -> Box<dyn FnMut() + '_> {
    let writer = RowWriter::new(body.clip.skeleton(), &WriteSettings::default());
    let mut rows = writer.rows(body.clip.len());
    numbers(body, &writer, &mut rows);
    let mut text = Vec::new();
    Box::new(move || {
        text.clear();
        writer.push_text(black_box(&rows), &mut text);
        black_box(&text);
    })
}
