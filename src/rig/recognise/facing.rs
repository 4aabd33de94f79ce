//! Left and right by geometry and motion: told where a body is seen upright and its feet, knees and
//! elbows show which way it faces.

use super::views::Views;
use crate::math::{Vec3, rejection};
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// The joints of one leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    pub thigh: JointId,
    pub shin: JointId,
    pub foot: JointId,
    pub toe: Option<JointId>,
}

/// The joints of one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arm {
    pub upper: JointId,
    pub fore: JointId,
    pub hand: Option<JointId>,
}

/// A body whose pairs of limbs are known, but perhaps not which of each is the left one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limbs {
    pub legs: [Leg; 2],
    pub arms: Option<[Arm; 2]>,
    /// The upper end of the trunk where there are no arms.
    pub top: Option<JointId>,
}

/// How well the first leg of the pair is seen on the body's left.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Handedness {
    /// -1 (on the right) to 1 (on the left).
    pub score: f64,
    /// How much was seen: 1 is one good witness, such as knees that bend.
    pub weight: f64,
}

/// One kind of witness: the sum of what it says, weighed, and the sum of the weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Witness {
    pub sum: f64,
    pub total: f64,
}

/// All witnesses of the way a body faces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Witnesses {
    pub knees: Witness,
    pub toes: Witness,
    pub ends: Witness,
    pub elbows: Witness,
    /// Where the body goes.
    pub travel: Witness,
    /// How many times a leg was looked at.
    pub legs: usize,
}

/// Who goes faster than this goes ahead more often than not, legs a second.
const STROLL: f64 = 0.5;

impl Witness {
    /// What it says on the whole, -1 to 1; 0 if it was not heard.
    pub fn says(self) -> f64 {
        if self.total > 0.0 { self.sum / self.total } else { 0.0 }
    }

    fn hear(&mut self, says: f64, weight: f64) {
        self.sum += says * weight;
        self.total += weight;
    }
}

/// Legs within 45° of straight down, and not folded up.
const UPRIGHT: f64 = 0.7;
/// Legs as on a chair.
const SEATED: f64 = 0.4;
/// Legs of who sits and moves: leant forward, or with the feet put ahead.
const SITTING: f64 = 0.3;

/// How much each kind counts: knees always bend to the front; toes nearly always point there; an
/// End Site below the ankle says little, and an elbow turns with the shoulder.
const KNEES: f64 = 2.0;
const TOES: f64 = 2.0;
const FOOT_ENDS: f64 = 0.5;
const ELBOWS: f64 = 0.5;

/// An End Site that stands off the line of the shin by more than this is a toe's, radians.
const OFF_SHIN_RAD: f64 = 0.8;
/// A foot whose bone is nearer to the line of the shin than this leads down to the sole, radians.
const DOWN_RAD: f64 = 0.4;

/// What shows where a foot points: the way from a joint to a point in the frame of the same or another one (local).
#[derive(Clone, Copy)]
struct Tip {
    from: JointId,
    to: JointId,
    to_local: Vec3,
    is_toe: bool,
}

impl Tip {
    fn way(&self, world: &WorldPose) -> Vec3 {
        world.point(self.to, self.to_local) - world.position(self.from)
    }
}

impl Leg {
    /// What shows where the foot points. A toe joint straight below the ankle marks the sole; then the bone of the toes
    /// shows it.
    fn tip(&self, skeleton: &Skeleton, views: &Views) -> Option<Tip> {
        let end = |joint: JointId| {
            let &to_local = skeleton.joint(joint).end_sites.first()?;
            let tip = Tip { from: joint, to: joint, to_local, is_toe: false };
            let is_toe = self.stands_off_shin(&tip, OFF_SHIN_RAD, views);
            Some(Tip { is_toe, ..tip })
        };
        let Some(toe) = self.toe else { return end(self.foot) };
        let foot = Tip { from: self.foot, to: toe, to_local: Vec3::zeros(), is_toe: true };
        let leads_down = !self.stands_off_shin(&foot, DOWN_RAD, views);
        let toes = end(toe).filter(|tip| leads_down && tip.is_toe);
        Some(toes.unwrap_or(foot))
    }

    /// Whether the way to a tip stands off the line of the shin in most postures.
    fn stands_off_shin(&self, tip: &Tip, angle_rad: f64, views: &Views) -> bool {
        let stands_off = |world: &&WorldPose| {
            let shin = world.position(self.foot) - world.position(self.shin);
            let way = tip.way(world);
            way.norm() > 0.0 && shin.angle(&way) > angle_rad
        };
        let shown = views.shown();
        2 * shown.iter().filter(stands_off).count() > shown.len()
    }
}

impl Limbs {
    /// From the middle of the hips to the middle of the shoulders (world, unit length).
    fn up(&self, world: &WorldPose) -> Option<Vec3> {
        let mid = |[a, b]: [JointId; 2]| 0.5 * (world.position(a) + world.position(b));
        let top = match (self.arms, self.top) {
            (Some(arms), _) => mid(arms.map(|arm| arm.upper)),
            (None, Some(top)) => world.position(top),
            (None, None) => return None,
        };
        (top - mid(self.legs.map(|leg| leg.thigh))).try_normalize(1e-12)
    }

    /// Whether the legs reach down from the trunk by this share of their length or more.
    fn reach_down(&self, world: &WorldPose, up: Vec3, share: f64) -> bool {
        self.legs.iter().all(|leg| {
            let [thigh, knee, foot] = [leg.thigh, leg.shin, leg.foot].map(|j| world.position(j));
            let length = (knee - thigh).norm() + (foot - knee).norm();
            length > 0.0 && (foot - thigh).dot(&up) < -share * length
        })
    }

    /// Whether the trunk nearly always goes off sideways from the legs, and the arms reach down beside them,
    /// as on four legs. A zero pose counts where there is no motion alone; but one that stands is a person's, who may
    /// crouch for the while that a short clip lasts.
    pub fn is_on_all_fours(&self, views: &Views) -> bool {
        const SIDEWAYS_COS: f64 = 0.27;
        const BESIDE_COS: f64 = 0.7;
        const MOSTLY: f64 = 0.9;
        let Some(arms) = self.arms else { return false };
        let rest = views.rest();
        if self.up(rest).is_some_and(|up| self.reach_down(rest, up, UPRIGHT)) {
            return false;
        }
        let on_fours = |world: &&WorldPose| {
            let at = |joint| world.position(joint);
            let leg: Vec3 = self.legs.iter().map(|leg| at(leg.foot) - at(leg.thigh)).sum();
            let arm: Vec3 = arms.iter().map(|a| at(a.hand.unwrap_or(a.fore)) - at(a.upper)).sum();
            let beside = arm.dot(&leg) > BESIDE_COS * arm.norm() * leg.norm();
            let up = self.up(world).unwrap_or_default();
            beside && up.dot(&leg).abs() < SIDEWAYS_COS * leg.norm()
        };
        let shown = views.shown();
        shown.iter().filter(on_fours).count() as f64 >= MOSTLY * shown.len() as f64
    }

    /// Where the first leg is, by all that is seen.
    pub fn handedness(&self, skeleton: &Skeleton, views: &Views) -> Handedness {
        let seen = self.witnesses(skeleton, views);
        let mut all = Witness::default();
        let kinds =
            [(seen.knees, KNEES), (seen.toes, TOES), (seen.ends, FOOT_ENDS), (seen.elbows, ELBOWS)];
        for (kind, weight) in kinds {
            if kind.total > 0.0 {
                all.hear(kind.says(), weight);
            }
        }
        match all.total > 0.0 {
            true => Handedness { score: all.says(), weight: all.total / KNEES },
            false => Handedness::default(),
        }
    }

    /// What speaks for the way the body faces if the first leg is the left one: above 0 where a witness
    /// agrees. Where nobody stands, a zero pose without a motion shows it sitting, and a motion in which the body sits.
    /// Beside a motion a zero pose is one posture of many: it may be any.
    pub fn witnesses(&self, skeleton: &Skeleton, views: &Views) -> Witnesses {
        let ways = || views.ways(self.legs.map(|leg| leg.thigh));
        let mut seen = Witnesses::default();
        if !views.has_motion() {
            self.hear_all(skeleton, views, views.all().zip(ways()), SEATED, &mut seen);
            return seen;
        }
        let shown = || views.shown().iter().zip(ways());
        self.hear_all(skeleton, views, shown(), UPRIGHT, &mut seen);
        if seen.legs == 0 {
            self.hear_all(skeleton, views, shown(), SITTING, &mut seen);
        }
        let rest = [(views.rest(), Vec3::zeros())];
        self.hear_all(skeleton, views, rest.into_iter(), UPRIGHT, &mut seen);
        seen
    }

    /// Hears the witnesses of some postures, each with how it moves, in which the legs reach down by this share of their
    /// length.
    fn hear_all<'a>(
        &self,
        skeleton: &Skeleton,
        views: &Views,
        postures: impl Iterator<Item = (&'a WorldPose, Vec3)>,
        reach: f64,
        seen: &mut Witnesses,
    ) {
        let tips = self.legs.map(|leg| leg.tip(skeleton, views));
        for (world, travelled) in postures {
            let Some(up) = self.up(world) else { continue };
            if !self.reach_down(world, up, reach) {
                continue;
            }
            let [a, b] = self.legs.map(|leg| world.position(leg.thigh));
            // Forward, if the first leg is the left one.
            let Some(forward) = (a - b).cross(&up).try_normalize(1e-12) else { continue };
            let level = |v: Vec3| rejection(v, up);
            for (leg, tip) in self.legs.iter().zip(tips) {
                let at = |joint| world.position(joint);
                let knee = bend(at(leg.thigh), at(leg.shin), at(leg.foot));
                seen.knees.hear(knee.direction.dot(&forward), knee.weight);
                seen.legs += 1;
                let Some(tip) = tip else { continue };
                let way = tip.way(world);
                if let Some(ahead) = level(way).try_normalize(0.4 * way.norm()) {
                    let witness = if tip.is_toe { &mut seen.toes } else { &mut seen.ends };
                    witness.hear(ahead.dot(&forward), 1.0);
                }
            }
            for arm in self.arms.into_iter().flatten() {
                let Some(hand) = arm.hand.map(|hand| world.position(hand)) else { continue };
                let elbow = bend(world.position(arm.upper), world.position(arm.fore), hand);
                seen.elbows.hear(-level(elbow.direction).dot(&forward), elbow.weight);
            }
            let leg = self.legs[0];
            let leg_len = (world.position(leg.shin) - world.position(leg.thigh)).norm()
                + (world.position(leg.foot) - world.position(leg.shin)).norm();
            let way = level(travelled);
            if way.norm() > STROLL * leg_len {
                seen.travel.hear(way.normalize().dot(&forward), 1.0);
            }
        }
    }

    /// Whether the first arm is on the side of the first leg: -1 (never) to 1 (always), where the legs
    /// reach down, or in the whole motion where they never do; a zero pose that lays all bones along one axis shows no
    /// sides.
    pub fn arms_beside_legs(&self, views: &Views) -> f64 {
        let Some(arms) = self.arms else { return 0.0 };
        let beside = |world: &WorldPose| {
            let across = |a: JointId, b: JointId| {
                let across = world.position(a) - world.position(b);
                across.try_normalize(1e-12).unwrap_or_default()
            };
            let legs = across(self.legs[0].thigh, self.legs[1].thigh);
            legs.dot(&across(arms[0].upper, arms[1].upper))
        };
        let reaches = |world: &&WorldPose| {
            self.up(world).is_some_and(|up| self.reach_down(world, up, SEATED))
        };
        let mut said = Witness::default();
        if !views.has_motion() {
            views.all().filter(reaches).for_each(|world| said.hear(beside(world), 1.0));
        } else {
            views.shown().iter().filter(reaches).for_each(|world| said.hear(beside(world), 1.0));
            if said.total == 0.0 {
                views.shown().iter().for_each(|world| said.hear(beside(world), 1.0));
            }
        }
        said.says()
    }
}

struct Bend {
    /// From the straight line between the ends to the joint (world, unit length or zero).
    direction: Vec3,
    /// How far it stands out, as a share of the limb's length; 0 for one that is nearly straight.
    weight: f64,
}

/// How a limb bends at its middle joint.
fn bend(upper: Vec3, middle: Vec3, lower: Vec3) -> Bend {
    let straight = Bend { direction: Vec3::zeros(), weight: 0.0 };
    let length = (middle - upper).norm() + (lower - middle).norm();
    let line = lower - upper;
    if line.norm_squared() <= 1e-6 * length * length {
        return straight;
    }
    let out = (middle - upper) - line * ((middle - upper).dot(&line) / line.norm_squared());
    match out.norm() > 0.03 * length {
        true => Bend { direction: out.normalize(), weight: out.norm() / length },
        false => straight,
    }
}
