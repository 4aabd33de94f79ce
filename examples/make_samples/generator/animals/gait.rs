//! Walking on any number of legs: each stands for its share of a cycle and swings for the rest.

use super::creature::Step;
use retarget::Vec3;

/// How a body goes straight ahead, at one speed.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    /// Metres a second.
    pub speed: f64,
    /// Seconds.
    pub cycle: f64,
    /// Share of its cycle that a leg stands.
    pub duty: f64,
    /// How high a tip is lifted, metres.
    pub lift: f64,
    /// The lean of the last bone as it lands and as it leaves, and how far it folds in the air, radians.
    pub lean: [f64; 2],
    pub fold: f64,
}

/// A leg's stay on the floor, seconds, half-open.
#[derive(Clone, Copy, Debug)]
pub struct Stay {
    pub start: f64,
    pub end: f64,
    pub place: Vec3,
}

impl Gait {
    /// The stay of a leg in the cycle of that number; `phase` is when in a cycle it lands.
    fn stay(&self, home: Vec3, phase: f64, number: i64) -> Stay {
        let start = (number as f64 + phase) * self.cycle;
        let end = start + self.duty * self.cycle;
        // The body passes over the place in the middle of the stay.
        let place = home + Vec3::z() * (self.speed * 0.5 * (start + end));
        Stay { start, end, place }
    }

    /// All stays that touch the clip.
    pub fn stays(&self, home: Vec3, phase: f64, duration: f64) -> Vec<Stay> {
        let cycles = (duration / self.cycle).ceil() as i64;
        let stays = (-2..=cycles).map(|number| self.stay(home, phase, number));
        stays.filter(|stay| stay.end > 0.0 && stay.start <= duration).collect()
    }

    /// Where the leg's tip is at a moment.
    pub fn step(&self, home: Vec3, phase: f64, t: f64) -> Step {
        let number = (t / self.cycle - phase).floor() as i64;
        let stay = self.stay(home, phase, number);
        let [land, leave] = self.lean;
        if t < stay.end {
            let s = (t - stay.start) / (stay.end - stay.start);
            return Step { tip: stay.place, lean: land + (leave - land) * s };
        }
        let next = self.stay(home, phase, number + 1);
        let s = (t - stay.end) / (next.start - stay.end);
        let smooth = s * s * (3.0 - 2.0 * s);
        // Off the floor and onto it at once: the ends of a stay are sharp.
        let up = 4.0 * s * (1.0 - s);
        let tip = stay.place.lerp(&next.place, smooth) + Vec3::y() * (self.lift * up);
        Step { tip, lean: leave + (land - leave) * smooth + self.fold * up * up }
    }
}
