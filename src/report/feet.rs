//! Sliding, sinking and floating of standing feet.

use super::core::contact_cores;
use super::{FrameSample, LEG_CM, Report, Worst};
use crate::binding::Binding;
use crate::contact::{ContactTrack, FootPaths, Part};
use crate::math::{Tail, Vec3, median, percentile, runs};
use crate::rig::FootId;
use std::ops::Range;

pub(super) struct Metrics {
    /// How many cores the source has.
    cores: usize,
    /// One for each foot of the target.
    feet: Vec<Stands>,
    frame_time_s: f64,
}

/// When a foot of the target should stand.
struct Stands {
    /// The cores of its source's foot, in time.
    cores: Vec<Range<usize>>,
    /// The frames in which any part is in contact, in time, and the height of the floor there, target length units.
    floors: Vec<(Range<usize>, f64)>,
}

pub(super) struct Accumulator {
    /// Where each foot's ball is in the frames of its cores, one after the other, target world.
    balls: Vec<Vec<Vec3>>,
    /// Heel, ball and tip of each foot in the last frame, target world.
    soles: Vec<[Vec3; 3]>,
    speeds: (f64, usize),
    fastest: Worst,
    depths: Tail,
    heights: Tail,
    deepest: Worst,
    highest: Worst,
}

/// Which percentiles of drift, depth and height are reported, as shares.
const SHARE: f64 = 0.95;

impl Metrics {
    pub fn new(
        source_feet: &FootPaths,
        track: &ContactTrack,
        binding: &Binding,
        frame_time_s: f64,
    ) -> Self {
        let cores = contact_cores(&binding.source, source_feet, track, frame_time_s);
        let stands = |foot: FootId| {
            let source_foot = binding.source_foot(foot);
            let own = cores.iter().filter(|core| binding.target_foot(core.foot) == Some(foot));
            let floors = source_foot.map_or(Vec::new(), |foot| floors(track, foot));
            let on_target = |(run, height)| (run, binding.target_height(height));
            Stands {
                cores: own.map(|core| core.frames.clone()).collect(),
                floors: floors.into_iter().map(on_target).collect(),
            }
        };
        let feet = binding.target.foot_ids().map(stands).collect();
        Self { cores: cores.len(), feet, frame_time_s }
    }

    /// Counts no foot as standing in frames in which it `lets_go` of the floor.
    pub fn without(&mut self, lets_go: impl Fn(FootId, usize) -> bool) {
        for (i, stands) in self.feet.iter_mut().enumerate() {
            let kept = |run: Range<usize>| runs(run, |frame| !lets_go(FootId::new(i), frame));
            stands.cores = stands.cores.drain(..).flat_map(kept).collect();
            let kept = |(run, floor)| kept(run).into_iter().map(move |run| (run, floor));
            stands.floors = stands.floors.drain(..).flat_map(kept).collect();
        }
    }

    pub fn cores(&self) -> usize {
        self.cores
    }

    pub fn accumulator(&self) -> Accumulator {
        // A frame counts once for each foot.
        let floors = self.feet.iter().flat_map(|foot| &foot.floors);
        let in_contact = floors.map(|(run, _)| run.len()).sum();
        Accumulator {
            balls: vec![Vec::new(); self.feet.len()],
            soles: vec![[Vec3::zeros(); 3]; self.feet.len()],
            speeds: (0.0, 0),
            fastest: Worst::default(),
            depths: Tail::new(in_contact, SHARE),
            heights: Tail::new(in_contact, SHARE),
            deepest: Worst::default(),
            highest: Worst::default(),
        }
    }

    pub fn add(
        &self,
        sums: &mut Accumulator,
        sample: &FrameSample,
        counts: bool,
        binding: &Binding,
    ) {
        let (target, frame) = (&binding.target, sample.frame);
        let cm = LEG_CM / target.leg_len;
        for (i, (stands, foot)) in self.feet.iter().zip(&target.feet).enumerate() {
            let sole = foot.sole_world(sample.world);
            let ball = sole[1];
            let [_, before, _] = std::mem::replace(&mut sums.soles[i], sole);
            if !counts {
                continue;
            }
            if let Some(core) = run_with(&stands.cores, |core| core, frame) {
                sums.balls[i].push(ball);
                if frame > core.start {
                    let speed = target.up.level(ball - before).norm() * cm / self.frame_time_s;
                    sums.speeds.0 += speed;
                    sums.speeds.1 += 1;
                    sums.fastest.note(speed, i, frame - 1);
                }
            }
            if let Some((_, floor)) = run_with(&stands.floors, |(run, _)| run, frame) {
                let over = (foot.bottom(sole, target.up) - floor) * cm;
                let (depth, height) = ((-over).max(0.0), over.max(0.0));
                sums.depths.push(depth);
                sums.heights.push(height);
                sums.deepest.note(depth, i, frame);
                sums.highest.note(height, i, frame);
            }
        }
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, binding: &Binding) {
        let target = &binding.target;
        let cm = LEG_CM / target.leg_len;
        let ball_name = |foot: usize| {
            let foot = &target.feet[foot];
            target.skeleton.name(foot.toe.unwrap_or(foot.ankle))
        };
        let mut drifts = Vec::new();
        let mut farthest = Worst::default();
        for (i, (stands, balls)) in self.feet.iter().zip(&sums.balls).enumerate() {
            let mut balls = balls.as_slice();
            for core in &stands.cores {
                let (path, rest) = balls.split_at(core.len());
                balls = rest;
                let middle = Vec3::from_fn(|axis, _| median(path.iter().map(|p| p[axis])));
                let mut drift = 0.0f64;
                for (p, frame) in path.iter().zip(core.clone()) {
                    let off = target.up.level(p - middle).norm() * cm;
                    drift = drift.max(off);
                    farthest.note(off, i, frame);
                }
                drifts.push(drift);
            }
        }
        let (sum, count) = sums.speeds;
        report.plant_drift_cm = farthest.measure(percentile(drifts, SHARE), ball_name);
        report.skate_cm_s = sums.fastest.measure(sum / count.max(1) as f64, ball_name);
        report.penetration_cm = sums.deepest.measure(sums.depths.value(), ball_name);
        report.float_cm = sums.highest.measure(sums.heights.value(), ball_name);
    }
}

impl Accumulator {
    /// Heel, ball and tip of each foot in the frame that was added last, target world.
    pub fn soles(&self) -> &[[Vec3; 3]] {
        &self.soles
    }

    pub fn append(&mut self, mut next: Accumulator) {
        self.balls.iter_mut().zip(&mut next.balls).for_each(|(own, next)| own.append(next));
        self.speeds.0 += next.speeds.0;
        self.speeds.1 += next.speeds.1;
        self.fastest.append(next.fastest);
        self.depths.append(next.depths);
        self.heights.append(next.heights);
        self.deepest.append(next.deepest);
        self.highest.append(next.highest);
    }
}

/// The run that holds the frame; the runs are in order of time.
fn run_with<T>(runs: &[T], range: impl Fn(&T) -> &Range<usize>, frame: usize) -> Option<&T> {
    let place = runs.partition_point(|run| range(run).end <= frame);
    runs.get(place).filter(|run| range(run).start <= frame)
}

/// The runs of frames in which a foot is in contact, with the height of the floor, source length units. While
/// heel and ball overlap a frame counts once, on the ball's floor.
fn floors(track: &ContactTrack, foot: FootId) -> Vec<(Range<usize>, f64)> {
    let mut floors: Vec<Option<f64>> = vec![None; track.frames];
    for contact in Part::HELD.iter().flat_map(|&part| track.of(foot, part)) {
        floors[contact.frames.clone()].fill(Some(contact.floor_height));
    }
    let mut runs: Vec<(Range<usize>, f64)> = Vec::new();
    for (frame, floor) in floors.into_iter().enumerate() {
        let Some(floor) = floor else { continue };
        match runs.last_mut() {
            Some((run, height)) if run.end == frame && *height == floor => run.end = frame + 1,
            _ => runs.push((frame..frame + 1, floor)),
        }
    }
    runs
}
