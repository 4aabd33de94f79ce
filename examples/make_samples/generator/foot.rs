//! A foot through time: where it stands, how it rolls over heel and ball, how it swings.

use super::body::Proportions;
use super::curve::{hump, quintic};
use super::jet::Jet;
use retarget::{Quat, Vec3};

/// A half-open span of time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn new(start: f64, end: f64) -> Self {
        Self { start, end }
    }
}

/// How far a foot is pitched as it lands or leaves; positive lifts the heel over the ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roll {
    pub pitch: f64,
    /// Radians a second.
    pub rate: f64,
    /// Radians a second squared.
    pub acceleration: f64,
}

impl Roll {
    /// Flat and at rest.
    pub const FLAT: Self = Self { pitch: 0.0, rate: 0.0, acceleration: 0.0 };

    pub fn new(pitch: f64, rate: f64) -> Self {
        Self { pitch, rate, acceleration: 0.0 }
    }
}

/// One stay of a foot on the floor. While the heel stands it does not move, and neither does the ball.
#[derive(Clone, Debug)]
pub struct Stance {
    /// The point of the floor under the ankle of the flat foot.
    pub place: Vec3,
    /// Direction of the toes: the turn about +Y away from +Z.
    pub yaw: f64,
    pub heel: Span,
    pub ball: Span,
    pub landing: Roll,
    pub leaving: Roll,
    /// How far the foot pivots on its ball after the heel has left.
    pub pivot: f64,
    /// From when on the foot stays on its tucked toes, pitched as it leaves: of one who kneels.
    pub tucked: Option<f64>,
}

impl Stance {
    /// When any part of the foot stands.
    pub fn span(&self) -> Span {
        Span::new(self.heel.start.min(self.ball.start), self.heel.end.max(self.ball.end))
    }

    /// The whole sole stands within this span.
    fn flat(&self) -> Span {
        Span::new(self.heel.start.max(self.ball.start), self.heel.end.min(self.ball.end))
    }

    /// A point of the flat foot, seen from its ankle, in the world.
    pub fn point(&self, p: &Proportions, local: Vec3) -> Vec3 {
        self.place + Vec3::y() * p.ankle + Quat::from_axis_angle(&Vec3::y_axis(), self.yaw) * local
    }
}

/// How a foot travels from one stance to the next.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    /// Height that the ankle rises above the straight way, metres.
    pub lift: f64,
    /// Where on the way it is highest, 0 to 1.
    pub peak: f64,
    /// Acceleration of the ankle as the foot leaves and as it lands, along the way and upwards,
    /// m/s²: the floor's push ends and begins at once, so that these may jump there.
    pub launch: [f64; 2],
    pub brake: [f64; 2],
}

/// A foot at one moment.
#[derive(Clone, Copy, Debug)]
pub struct FootState {
    pub ankle: [Jet; 3],
    pub yaw: Jet,
    /// Positive lifts the heel.
    pub pitch: Jet,
    /// Turn of the toes against the foot; positive points them down.
    pub bend: Jet,
}

impl FootState {
    pub fn ankle_place(&self) -> Vec3 {
        Vec3::from(self.ankle.map(|j| j.x))
    }

    /// Turn of the foot away from standing flat and facing +Z.
    pub fn foot_turn(&self) -> Quat {
        let yaw = Quat::from_axis_angle(&Vec3::y_axis(), self.yaw.x);
        yaw * Quat::from_axis_angle(&Vec3::x_axis(), self.pitch.x)
    }

    pub fn toe_turn(&self) -> Quat {
        self.foot_turn() * Quat::from_axis_angle(&Vec3::x_axis(), self.bend.x)
    }
}

/// All stances of one foot, and the swing before each but the first.
#[derive(Clone, Debug)]
pub struct FootPlan {
    pub stances: Vec<Stance>,
    pub swings: Vec<Swing>,
}

impl FootPlan {
    /// The foot at a moment; before the first stance and after the last it stays as there.
    pub fn at(&self, p: &Proportions, t: f64) -> FootState {
        let next = self.stances.partition_point(|s| s.span().start <= t);
        if next == 0 {
            return stand(&self.stances[0], p, self.stances[0].span().start);
        }
        let stance = &self.stances[next - 1];
        if t < stance.span().end || next == self.stances.len() {
            return stand(stance, p, t.min(stance.span().end));
        }
        swing(stance, &self.stances[next], self.swings[next - 1], p, t)
    }
}

/// The foot within a stance.
fn stand(stance: &Stance, p: &Proportions, t: f64) -> FootState {
    let flat = stance.flat();
    let roll = |r: Roll| Jet::new(r.pitch, r.rate, r.acceleration);
    // The floor stops a falling foot at once and a lifting heel leaves it at once: without this the
    // ends of contacts would be as vague as in a blurred recording.
    let from_flat = |r: Roll, seconds: f64| Jet::new(0.0, 0.0, 3.0 * r.pitch / (seconds * seconds));
    let (mut pitch, mut yaw) = (Jet::default(), Jet::still(stance.yaw));
    let mut on_heel = false;
    let span = stance.span();
    if stance.tucked.is_some_and(|tucked| t >= tucked) {
        pitch = roll(stance.leaving);
    } else if t < flat.start {
        pitch = quintic(
            span.start,
            roll(stance.landing),
            flat.start,
            from_flat(stance.landing, flat.start - span.start),
            t,
        );
        on_heel = stance.heel.start < stance.ball.start;
    } else if t >= flat.end && span.end > flat.end {
        let up = stance.tucked.unwrap_or(span.end);
        let lifts = from_flat(stance.leaving, up - flat.end);
        pitch = quintic(flat.end, lifts, up, roll(stance.leaving), t);
        let pivoted = Jet::still(stance.yaw + stance.pivot);
        yaw = quintic(flat.end, yaw, span.end, pivoted, t);
    }
    let pivot = if on_heel { p.heel_point() } else { p.toe_joint() };
    let anchor = stance.point(p, pivot);
    // The ankle circles about what stands: anchor + yaw * pitch * (-pivot).
    let arm = -pivot;
    let up = pitch.cos() * arm.y - pitch.sin() * arm.z;
    let ahead = pitch.sin() * arm.y + pitch.cos() * arm.z;
    let ankle = [
        yaw.sin() * ahead + Jet::still(anchor.x),
        up + Jet::still(anchor.y),
        yaw.cos() * ahead + Jet::still(anchor.z),
    ];
    // Over the ball the toes stay on the floor; over the heel they follow the foot.
    let bend = if on_heel { Jet::default() } else { -pitch };
    FootState { ankle, yaw, pitch, bend }
}

/// The foot in the air between two stances.
fn swing(from: &Stance, to: &Stance, swing: Swing, p: &Proportions, t: f64) -> FootState {
    let (t0, t1) = (from.span().end, to.span().start);
    let (mut a, mut b) = (stand(from, p, t0), stand(to, p, t1));
    let way = Vec3::new(to.place.x - from.place.x, 0.0, to.place.z - from.place.z);
    let way = way.try_normalize(1e-9).unwrap_or_default();
    for i in 0..3 {
        let along = |[ahead, up]: [f64; 2]| way[i] * ahead + Vec3::y()[i] * up;
        a.ankle[i].a += along(swing.launch);
        b.ankle[i].a += along(swing.brake);
    }
    let run = |from: Jet, to: Jet| quintic(t0, from, t1, to, t);
    let lift = swing.lift * hump((t - t0) / (t1 - t0), swing.peak);
    let mut ankle: [Jet; 3] = std::array::from_fn(|i| run(a.ankle[i], b.ankle[i]));
    ankle[1].x += lift;
    FootState {
        ankle,
        yaw: run(a.yaw, b.yaw),
        pitch: run(a.pitch, b.pitch),
        bend: run(a.bend, b.bend),
    }
}
