//! From a list of steps to feet and hips: the way of walking that walk, turn and stair share.

use super::curve::Curve;
use super::foot::{FootPlan, Roll, Span, Stance, Swing};
use retarget::internals::rig::Side;
use retarget::{Quat, Vec3};

/// How steps are made; times in seconds, lengths in metres.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From one landing to the next landing of the other foot.
    pub step: f64,
    /// How long a foot is in the air.
    pub swing: f64,
    /// From heel strike until the foot is flat; 0 lands flat.
    pub strike: f64,
    /// From heel off until toe off.
    pub push: f64,
    /// Of a step of full length; shorter ones roll less.
    pub landing: Roll,
    pub leaving: Roll,
    pub full_step: f64,
    pub lift: f64,
    pub peak: f64,
    /// See [`Swing`].
    pub launch: [f64; 2],
    pub brake: [f64; 2],
    /// Hips over the lower foot's floor while both feet stand.
    pub hips_low: f64,
    /// Hips over the standing foot's floor while the other passes it.
    pub hips_high: f64,
    /// Hips while standing at the start and at the end.
    pub hips_standing: f64,
    /// How far ahead of the feet's middle the hips are while walking.
    pub hips_ahead: f64,
    /// Share of the way towards the standing foot that the hips sway.
    pub sway: f64,
}

/// Where a foot is put.
#[derive(Clone, Copy, Debug)]
pub struct Print {
    pub place: Vec3,
    pub yaw: f64,
}

impl Print {
    pub fn new(x: f64, floor: f64, z: f64, yaw: f64) -> Self {
        Self { place: Vec3::new(x, floor, z), yaw }
    }
}

/// A step: which foot goes where.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub side: Side,
    pub print: Print,
}

/// Feet, hips and heading of a way of steps that starts and ends standing.
pub struct Way {
    pub feet: [FootPlan; 2],
    pub hips: [Curve; 3],
    pub heading: Curve,
    pub duration: f64,
}

impl Pace {
    /// Walks the steps one after the other; `stand` seconds are stood before the first foot lifts
    /// and after the last one has landed. `pivot` is the share of a foot's coming turn that it
    /// makes on its ball before it leaves the floor.
    pub fn walk(&self, start: [Print; 2], steps: &[Step], stand: f64, pivot: f64) -> Way {
        let land = |k: usize| stand + self.swing + self.step * k as f64;
        let duration = land(steps.len() - 1) + stand + SETTLE;
        let feet = Side::BOTH.map(|side| {
            let mut prints = vec![(0.0, start[side.index()])];
            let own = steps.iter().enumerate().filter(|(_, step)| step.side == side);
            prints.extend(own.map(|(k, step)| (land(k), step.print)));
            self.foot_plan(&prints, duration, pivot)
        });
        let (hips, heading) = self.hips(start, steps, &land, duration);
        Way { feet, hips, heading, duration }
    }

    fn foot_plan(&self, prints: &[(f64, Print)], duration: f64, pivot: f64) -> FootPlan {
        let mut plan = FootPlan { stances: Vec::new(), swings: Vec::new() };
        // How much of the full roll a stride asks for: two steps make a stride.
        let share = |a: Print, b: Print| {
            let way = b.place - a.place;
            0.25 + 0.75 * (way.x.hypot(way.z) / (2.0 * self.full_step)).min(1.0)
        };
        let scaled = |roll: Roll, share: f64| Roll {
            pitch: roll.pitch * share,
            rate: roll.rate * share,
            acceleration: roll.acceleration * share,
        };
        for (i, &(land, print)) in prints.iter().enumerate() {
            let before = i.checked_sub(1).map(|b| prints[b].1);
            let next = prints.get(i + 1).copied();
            let leave = next.map_or(duration, |(land, _)| land - self.swing);
            let landing = before.map_or(Roll::FLAT, |b| scaled(self.landing, share(b, print)));
            let strike = if before.is_some() { self.strike } else { 0.0 };
            let push = if next.is_some() { self.push } else { 0.0 };
            plan.stances.push(Stance {
                place: print.place,
                yaw: print.yaw,
                heel: Span::new(land, leave - push),
                ball: Span::new(land + strike, leave),
                landing,
                leaving: next.map_or(Roll::FLAT, |(_, n)| scaled(self.leaving, share(print, n))),
                pivot: next.map_or(0.0, |(_, n)| pivot * (n.yaw - print.yaw)),
                tucked: None,
            });
            if before.is_some() {
                plan.swings.push(Swing {
                    lift: self.lift,
                    peak: self.peak,
                    launch: self.launch,
                    brake: self.brake,
                });
            }
        }
        plan
    }

    fn hips(
        &self,
        start: [Print; 2],
        steps: &[Step],
        land: &dyn Fn(usize) -> f64,
        duration: f64,
    ) -> ([Curve; 3], Curve) {
        // Where the hips go over the floor and which way they face; and how high they are.
        let mut keys: Vec<(f64, Vec3, f64)> = Vec::new();
        let mut heights: Vec<(f64, f64)> = Vec::new();
        let middle = |a: Print, b: Print| ((a.place + b.place) / 2.0, (a.yaw + b.yaw) / 2.0);
        let lower = |a: Print, b: Print| a.place.y.min(b.place.y);
        let mut feet = start;
        let first_shift = (land(0) - self.swing - SHIFT).max(0.01);
        for t in [0.0, first_shift] {
            let (place, yaw) = middle(feet[0], feet[1]);
            keys.push((t, place, yaw));
            heights.push((t, lower(feet[0], feet[1]) + self.hips_standing));
        }
        for (k, step) in steps.iter().enumerate() {
            let side = step.side.index();
            let (from, to, other) = (feet[side], step.print, feet[1 - side]);
            let passing = land(k) - self.swing / 2.0;
            let yaw = (from.yaw + 2.0 * other.yaw + to.yaw) / 4.0;
            let place = (from.place + other.place * 2.0 + to.place) / 4.0;
            // Over the standing foot: sideways by a share of the distance to it.
            let left = turned(yaw, Vec3::x());
            let aside = left.dot(&(other.place - (from.place + to.place) / 2.0));
            let ahead = turned(yaw, Vec3::z()) * self.hips_ahead;
            keys.push((passing, place + left * (aside * self.sway) + ahead, yaw));
            // The first and the last step have no speed to vault over the standing leg with.
            let high = if k == 0 || k + 1 == steps.len() {
                self.hips_high.min((self.hips_standing + self.hips_low) / 2.0)
            } else {
                self.hips_high
            };
            heights.push((passing, other.place.y + high));
            feet[side] = to;
            if k + 1 < steps.len() {
                let both = (land(k) + land(k + 1) - self.swing) / 2.0;
                let (place, yaw) = middle(feet[0], feet[1]);
                keys.push((both, place + turned(yaw, Vec3::z()) * self.hips_ahead, yaw));
                // The leg in front is stretched most as it lands: the hips are lowest right then.
                heights.push((land(k), lower(feet[0], feet[1]) + self.hips_low));
            }
        }
        for t in [land(steps.len() - 1) + SETTLE, duration] {
            let (place, yaw) = middle(feet[0], feet[1]);
            keys.push((t, place, yaw));
            heights.push((t, lower(feet[0], feet[1]) + self.hips_standing));
        }
        let spline = |value: &dyn Fn(&(f64, Vec3, f64)) -> f64| {
            Curve::spline(&keys.iter().map(|key| (key.0, value(key))).collect::<Vec<_>>())
        };
        let hips = [spline(&|key| key.1.x), Curve::spline(&heights), spline(&|key| key.1.z)];
        (hips, spline(&|key| key.2))
    }
}

fn turned(yaw: f64, v: Vec3) -> Vec3 {
    Quat::from_axis_angle(&Vec3::y_axis(), yaw) * v
}

/// How long before the first foot lifts the weight begins to go over to the other, seconds.
const SHIFT: f64 = 0.3;
/// How long the hips take to come to rest after the last landing, seconds.
const SETTLE: f64 = 0.35;
