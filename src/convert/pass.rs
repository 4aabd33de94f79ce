//! The one pass over a clip's frames: each is transferred, planted and measured while it is in the cache, and
//! handed on, block by block.

use super::{Bound, Conversion};
use crate::binding::Binding;
use crate::blocks::{self, Steps};
use crate::bvh::{self, RowWriter, Rows};
use crate::clip::{Clip, Frames, moving_joints};
use crate::contact::ContactTrack;
use crate::edit;
use crate::math::Vec3;
use crate::plant::{Diagnostics, PlantPlan, PlantScratch};
use crate::pose::{Pose, WorldPose};
use crate::report::{Accumulator, FrameSample, Measure, Metrics};
use crate::rig::Recognised;
use crate::settings::Settings;
use crate::skeleton::JointId;
use crate::transfer::{Transfer, TransferScratch, hold_in_place};
use std::borrow::Cow;
use std::convert::Infallible;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A conversion that is planned: all is known but the frames of its result.
///
/// Memory: the source clip, some 270 bytes a frame of two feet, and the blocks in hand.
pub struct Planned<'a> {
    source: Cow<'a, Clip>,
    pub binding: Binding,
    pub recognised: Recognised,
    pub contacts: ContactTrack,
    plan: PlantPlan,
    metrics: Metrics,
    in_place: bool,
    /// The joint that is to carry the travel, where that is not the hips.
    root: Option<JointId>,
    /// The uppermost joint of a character's pelvis, where that is not the hips.
    pelvis_top: Option<JointId>,
    /// The poses apart from the motion, each a clip of one frame, with their frames. They are planned and measured as if
    /// the motion went on there, and handed on as transferred.
    apart: Vec<(usize, Clip)>,
    /// What was made of the source's frames, and what nothing tells of either rig, a sentence each.
    pub notes: Vec<String>,
}

/// A block of the result.
struct Block<R> {
    frames: R,
    sums: Option<Accumulator>,
    diagnostics: Diagnostics,
}

/// What the frames of a pass share.
struct Pass<'a> {
    planned: &'a Planned<'a>,
    transfer: Transfer<&'a Binding>,
    moving: Vec<JointId>,
    /// Where the hips of the first frame are, for a result that is to stay there.
    first_hips: Option<Vec3>,
}

/// Buffers of a thread.
struct PassScratch {
    transfer: TransferScratch,
    plant: PlantScratch,
    pose: Pose,
    world: WorldPose,
}

impl<'a> Planned<'a> {
    pub(super) fn new(bound: Bound<'a>, settings: &Settings) -> Self {
        let Bound { clip: source, binding, recognised, feet, contacts, .. } = bound;
        let (root, pelvis_top) = (bound.root, bound.pelvis_top);
        let (apart, notes) = (bound.apart, bound.notes);
        let metrics = Metrics::new(&feet, &contacts, &binding, source.frame_time().seconds());
        let plan = PlantPlan::new(
            &source,
            &feet.into_heights(binding.source.up),
            &contacts,
            &binding,
            &settings.plant,
        );
        let metrics = metrics.without_feet_that_let_go(|foot, frame| plan.lets_go(foot, frame));
        let in_place = settings.in_place;
        Self {
            source,
            binding,
            recognised,
            contacts,
            plan,
            metrics,
            in_place,
            root,
            pelvis_top,
            apart,
            notes,
        }
    }

    /// Makes the result and keeps it as a clip.
    pub fn collected(self) -> Conversion {
        let root = self.root;
        let (skeleton, frame_time) =
            (self.binding.target.skeleton.clone(), self.source.frame_time().clone());
        let mut result = Clip::new(skeleton, frame_time);
        let take = |frames| {
            result.append(frames);
            Ok::<(), Infallible>(())
        };
        let Ok(done) = self.run(|frames| frames, |_| (), |frames| frames, take);
        let Conversion { binding, recognised, contacts, plant, report, notes, .. } = done;
        if let Some(root) = root {
            result = edit::on_root(&result, &binding.target, root);
        }
        Conversion { result, binding, recognised, contacts, plant, report, notes }
    }

    /// Makes the result and writes it as a BVH file, block by block. Where the travel goes onto another joint it is
    /// written as a whole, since that joint's heading depends on earlier frames.
    pub fn written(
        self,
        settings: &bvh::WriteSettings,
        out: &mut (dyn Write + Send),
    ) -> io::Result<Conversion<()>> {
        if self.root.is_some() {
            let (result, conversion) = self.collected().apart();
            bvh::write(&result, settings, &mut { out })?;
            return Ok(conversion);
        }
        let skeleton = &self.binding.target.skeleton;
        let (joints, moving) = (skeleton.len(), moving_joints(skeleton).len());
        let writer = RowWriter::new(skeleton, settings);
        let mut filter = writer.euler_filter();
        let mut header = Vec::new();
        bvh::push_header(skeleton, self.source.len(), self.source.frame_time(), &mut header);
        out.write_all(&header)?;
        let (most_len, is_far) = (skeleton.most_away_len(), AtomicBool::new(false));
        let rows = |frames: Frames| {
            let is_near = |place: &Vec3| place.amax() <= most_len;
            if !frames.translations.iter().all(is_near) {
                is_far.store(true, Ordering::Relaxed);
            }
            let mut rows = writer.rows(frames.rotations.len() / joints);
            for (i, rotations) in frames.rotations.chunks_exact(joints).enumerate() {
                let translations = &frames.translations[i * moving..(i + 1) * moving];
                writer.push_frame(rotations, translations, &mut rows);
            }
            rows
        };
        let run_on = |rows: &mut Rows| writer.run_on(&mut filter, rows);
        let text = |rows: Rows| {
            let mut text = Vec::new();
            writer.push_text(&rows, &mut text);
            text
        };
        let done = self.run(rows, run_on, text, |text: Vec<u8>| out.write_all(&text))?;
        let is_finite = |measure: &Measure| measure.value.is_finite() && measure.worst.is_finite();
        let all_finite = done.report.measures().all(|(_, measure)| is_finite(measure));
        // What is written goes with an error.
        match (all_finite, is_far.into_inner()) {
            (false, _) => Err(io::Error::new(io::ErrorKind::InvalidData, NOT_FINITE)),
            (_, true) => Err(io::Error::other(FAR_AWAY)),
            _ => Ok(done),
        }
    }

    /// Makes the result block by block. Any thread calls `each` and `finish` for a block; `in_order` and `take` are
    /// called for one block after the other, in the order of the frames.
    fn run<R: Send, T: Send, E: Send>(
        self,
        each: impl Fn(Frames) -> R + Sync + Send,
        mut in_order: impl FnMut(&mut R) + Send,
        finish: impl Fn(R) -> T + Sync + Send,
        take: impl FnMut(T) -> Result<(), E> + Send,
    ) -> Result<Conversion<()>, E> {
        let pass = Pass::new(&self);
        let mut sums = self.metrics.accumulator(0);
        let mut diagnostics = Diagnostics::default();
        let steps = Steps {
            buffers: || pass.scratch(),
            work: |scratch: &mut PassScratch, block| {
                let Block { frames, sums, diagnostics } = pass.block(block, scratch);
                Block { frames: each(frames), sums, diagnostics }
            },
            in_order: |block: &mut Block<R>| {
                block.sums.take().into_iter().for_each(|next| sums.append(next));
                diagnostics.append(std::mem::take(&mut block.diagnostics));
                in_order(&mut block.frames);
            },
            finish: |block: Block<R>| finish(block.frames),
            take,
        };
        blocks::stream(blocks::of_frames(self.source.len()), steps)?;
        let report = self.metrics.report(&self.binding, sums);
        let plant = self.plan.outcome(diagnostics);
        let Self { binding, recognised, contacts, notes, .. } = self;
        Ok(Conversion { result: (), binding, recognised, contacts, plant, report, notes })
    }
}

/// The error of a result that no reader would accept: its numbers are beyond those that `bvh` reads.
const FAR_AWAY: &str = "the body would be more than 100000000 times as far away as all of its bones together are \
                        long; bring the clip nearer to the origin, or give a smaller --scale";

const NOT_FINITE: &str = "the result would hold numbers that are not finite; the program itself is wrong \
                          here: please report it with this clip";

impl<'a> Pass<'a> {
    fn new(planned: &'a Planned<'a>) -> Self {
        let binding = &planned.binding;
        let moving = moving_joints(&binding.target.skeleton);
        let transfer = Transfer::new(binding);
        let mut pass = Self { planned, transfer, moving, first_hips: None };
        if planned.in_place && !planned.source.is_empty() {
            let mut scratch = pass.scratch();
            pass.frame(0, &mut scratch, &mut Diagnostics::default());
            pass.first_hips = Some(scratch.world.position(binding.root.hips));
        }
        pass
    }

    fn scratch(&self) -> PassScratch {
        let transfer = TransferScratch::new(&self.planned.binding);
        let (pose, world) = (transfer.pose.clone(), transfer.world.clone());
        PassScratch { transfer, plant: self.planned.plan.scratch(), pose, world }
    }

    /// Transfers and plants a frame.
    fn frame(&self, frame: usize, scratch: &mut PassScratch, diagnostics: &mut Diagnostics) {
        let PassScratch { transfer, plant, pose, world } = scratch;
        let Planned { source, binding, plan, .. } = self.planned;
        self.transfer.frame(source, frame, transfer);
        pose.copy_from(&transfer.pose);
        world.copy_from(&transfer.world);
        plan.solve(binding, frame, pose, world, plant, diagnostics);
    }

    /// Makes the frames of a block, and measures them. No allocation in the loop but for what is kept.
    fn block(&self, block: Range<usize>, scratch: &mut PassScratch) -> Block<Frames> {
        let Planned { binding, metrics, pelvis_top, apart, .. } = self.planned;
        let mut frames =
            Frames::with_capacity(binding.target.skeleton.len(), self.moving.len(), block.len());
        let mut sums = metrics.accumulator(block.start);
        let mut diagnostics = Diagnostics::default();
        for frame in Metrics::looks_back(block.start)..block.end {
            // The block before adds these diagnostics itself.
            if frame == block.start {
                diagnostics.clear();
            }
            let apart = apart.iter().find(|(of, _)| *of == frame);
            let mut unused = Diagnostics::default();
            let diagnostics = if apart.is_some() { &mut unused } else { &mut diagnostics };
            self.frame(frame, scratch, diagnostics);
            let PassScratch { transfer, pose, world, .. } = &mut *scratch;
            let (source, transferred) = (&transfer.source_world, &transfer.world);
            metrics.add(
                binding,
                &mut sums,
                &FrameSample { frame, source, transferred, pose, world },
            );
            if frame >= block.start {
                if let Some((_, of_pose)) = apart {
                    self.transfer.frame(of_pose, 0, transfer);
                    pose.copy_from(&transfer.pose);
                    world.copy_from(&transfer.world);
                }
                if let Some(first_hips) = self.first_hips {
                    hold_in_place(binding, first_hips, pose, world);
                }
                if let Some(top) = pelvis_top {
                    let skeleton = &binding.target.skeleton;
                    edit::move_pelvis(skeleton, [*top, binding.root.hips], pose, world);
                }
                frames.push(pose, &self.moving);
            }
        }
        Block { frames, sums: Some(sums), diagnostics }
    }
}
