//! Finds which feet stand, from the frames so far.

use super::Stands;
use crate::binding::Binding;
use crate::contact::ContactSettings;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{Foot, Rig};

/// Follows the feet of the source, frame by frame.
pub(super) struct Watch {
    settings: ContactSettings,
    frame_time_s: f64,
    /// For each foot of the target, its foot of the source.
    feet: Vec<Option<Watched>>,
    /// The floor's height, source world: the lowest height at which a part has been slow, or that of the lowest sole in
    /// the first frame.
    floor: Option<f64>,
}

struct Watched {
    place: usize,
    parts: [PartWatch; 2],
}

/// One part's last positions, source world, and whether it stands.
struct PartWatch {
    last: Vec<Vec3>,
    seen: usize,
    stands: bool,
}

impl Watch {
    pub fn new(binding: &Binding, settings: &ContactSettings, frame_time_s: f64) -> Self {
        let window = ((settings.speed_window_s / frame_time_s).round() as usize).max(1);
        let part = || PartWatch { last: vec![Vec3::zeros(); window], seen: 0, stands: false };
        let foot = |foot| {
            let place = binding.source_foot(foot)?.index();
            Some(Watched { place, parts: [part(), part()] })
        };
        let feet = binding.target.foot_ids().map(foot).collect();
        Self { settings: *settings, frame_time_s, feet, floor: None }
    }

    pub fn reset(&mut self) {
        self.floor = None;
        for part in self.feet.iter_mut().flatten().flat_map(|foot| &mut foot.parts) {
            (part.seen, part.stands) = (0, false);
        }
    }

    /// The floor's height in the source's world, length units.
    pub fn floor(&self) -> f64 {
        self.floor.unwrap_or(0.0)
    }

    /// Which parts of each foot of the target stand. Allocates nothing.
    pub fn see(&mut self, source: &Rig, world: &WorldPose, stands: &mut [Stands]) {
        let Self { settings, frame_time_s, feet, floor } = self;
        let bottom = |foot: &Foot| foot.bottom(foot.sole_world(world), source.up);
        let floor = floor.get_or_insert_with(|| {
            source.feet.iter().map(bottom).min_by(f64::total_cmp).unwrap_or(0.0)
        });
        for (watched, stands) in feet.iter_mut().zip(stands) {
            let Some(Watched { place, parts }) = watched else { continue };
            let foot = &source.feet[*place];
            let [heel, ball, _] = foot.sole_world(world);
            let heights = [source.up.height(heel), source.up.height(ball) - foot.ball_height];
            let most_lift = if parts[0].stands { settings.leave_lift } else { settings.enter_lift };
            let held = [(heel, heights[0]), (ball, heights[1])];
            for (part, (at, height)) in parts.iter_mut().zip(held) {
                let speed = part.speed(at, *frame_time_s) / source.leg_len;
                if speed < settings.enter_speed && part.seen > 1 {
                    *floor = floor.min(height);
                }
                let (most_speed, most_height) = match part.stands {
                    true => (settings.leave_speed, settings.leave_height),
                    false => (settings.enter_speed, settings.enter_height),
                };
                let over = (height - *floor) / source.leg_len;
                part.stands = part.seen > 1 && speed < most_speed && over < most_height;
            }
            parts[0].stands &= !foot.is_heel_lifted(heights, most_lift);
            let heel = parts[0].stands && !foot.is_point();
            *stands = Stands { heel, ball: parts[1].stands };
        }
    }
}

impl PartWatch {
    /// The mean speed over the window up to this frame, length units per second.
    fn speed(&mut self, at: Vec3, frame_time_s: f64) -> f64 {
        let window = self.last.len();
        let slot = self.seen % window;
        let (from, frames) = match self.seen {
            0 => (at, 1),
            seen if seen < window => (self.last[0], seen),
            _ => (self.last[slot], window),
        };
        self.last[slot] = at;
        self.seen += 1;
        (at - from).norm() / (frames as f64 * frame_time_s)
    }
}
