//! Sliding, sinking and floating of standing feet.

use super::core::Core;
use super::{LEG_CM, Measure, Report};
use crate::binding::Binding;
use crate::contact::{ContactTrack, FootPaths, Part};
use crate::math::{Vec3, median, percentile};
use crate::rig::FootId;

pub(super) fn measure(
    report: &mut Report,
    cores: &[Core],
    track: &ContactTrack,
    binding: &Binding,
    paths: &FootPaths,
    frame_time_s: f64,
) {
    let target = &binding.target;
    let up = target.up.vector();
    let level = |v: Vec3| (v - up * up.dot(&v)).norm();
    let cm = LEG_CM / target.leg_len;
    let ball_name = |foot: FootId| {
        let foot = target.foot(foot);
        target.skeleton.name(foot.toe.unwrap_or(foot.ankle)).to_owned()
    };

    let mut drifts = Vec::new();
    let mut speeds = Vec::new();
    for core in cores {
        let Some(foot) = binding.target_foot(core.foot) else { continue };
        let path = &paths.of(foot, Part::Ball)[core.frames.clone()];
        let middle = Vec3::from_fn(|axis, _| median(path.iter().map(|p| p[axis])));
        let off = path.iter().map(|p| level(p - middle) * cm).enumerate();
        let (frame, drift) = off.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a core has frames");
        drifts.push(drift);
        report.plant_drift_cm.note(drift, core.frames.start + frame, || ball_name(foot));
        for (i, pair) in path.windows(2).enumerate() {
            let speed = level(pair[1] - pair[0]) * cm / frame_time_s;
            speeds.push(speed);
            report.skate_cm_s.note(speed, core.frames.start + i, || ball_name(foot));
        }
    }
    report.plant_drift_cm.value = percentile(drifts, 0.95);
    report.skate_cm_s.value = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;

    let (mut depths, mut heights) = (Vec::new(), Vec::new());
    for foot in target.foot_ids() {
        let source_foot = binding.source_foot(foot);
        // While heel and ball overlap a frame counts once.
        let mut floors: Vec<Option<f64>> = vec![None; track.frames];
        for contact in Part::HELD
            .iter()
            .flat_map(|&part| source_foot.into_iter().flat_map(move |foot| track.of(foot, part)))
        {
            floors[contact.frames.clone()].fill(Some(binding.target_height(contact.floor_height)));
        }
        for (frame, floor) in floors.iter().enumerate() {
            let Some(floor) = floor else { continue };
            let over = (paths.bottom(foot)[frame] - floor) * cm;
            depths.push((-over).max(0.0));
            heights.push(over.max(0.0));
            report.penetration_cm.note((-over).max(0.0), frame, || ball_name(foot));
            report.float_cm.note(over.max(0.0), frame, || ball_name(foot));
        }
    }
    report.penetration_cm.value = percentile(depths, 0.95);
    report.float_cm.value = percentile(heights, 0.95);
}

impl Measure {
    /// Keeps the worst value with its place.
    pub(super) fn note(&mut self, value: f64, frame: usize, joint: impl FnOnce() -> String) {
        if value > self.worst {
            *self = Self { value: self.value, worst: value, joint: joint(), frame };
        }
    }
}
