//! A motion: feet, hips and upper body as functions of time, and the posture that they give.

use super::body::{Body, Posture, sign};
use super::curve::Curve;
use super::foot::{FootPlan, Span};
use super::limb::TwoBone;
use retarget::internals::math::{Quat, Vec3, frame_from_axes};
use retarget::internals::rig::{Role, Side};

/// Pull of the earth, m/s².
pub const GRAVITY: f64 = 9.81;

/// How much the trunk and the arms take part in the steps, each per metre that one ankle is ahead
/// of the hips or of the other ankle.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    /// Turn of the pelvis towards the leg that is behind, radians.
    pub pelvis_turn: f64,
    /// Turn of the chest against the pelvis, radians.
    pub chest_turn: f64,
    /// Drop of the hip on the side of the lifted foot, radians per metre of lift.
    pub pelvis_drop: f64,
    /// Swing of an arm with the opposite leg, radians.
    pub arm_swing: f64,
    /// Further bend of an elbow that swings forwards, radians per radian of swing.
    pub elbow_swing: f64,
}

impl Gait {
    /// No part of the upper body follows the legs.
    pub const STILL: Self = Self {
        pelvis_turn: 0.0,
        chest_turn: 0.0,
        pelvis_drop: 0.0,
        arm_swing: 0.0,
        elbow_swing: 0.0,
    };
}

/// Curves of the upper body, radians; what a gait does comes on top.
#[derive(Clone, Debug)]
pub struct Trunk {
    /// Way that the body faces: the turn about +Y away from +Z.
    pub heading: Curve,
    /// Lean of pelvis, chest and head forwards, each away from upright.
    pub pelvis_lean: Curve,
    pub chest_lean: Curve,
    pub head_lean: Curve,
    /// Turn of the head to the left of the heading.
    pub look: Curve,
    /// Swing of both arms forwards, spread away from the body, bend of the elbows.
    pub arm_swing: Curve,
    pub arm_spread: Curve,
    pub elbow: Curve,
}

/// A hand that goes to a place and stays there for a while.
#[derive(Clone, Debug)]
pub struct Reach {
    pub side: Side,
    /// Where the finger tips rest.
    pub place: Vec3,
    /// Where the fingers point, and the direction that the back of the hand faces.
    pub fingers: Vec3,
    pub back: Vec3,
    /// From 0, the arm hanging, to 1, the finger tips at the place.
    pub weight: Curve,
    /// While the weight is 1.
    pub hold: Span,
}

/// A knee that rests on the floor for a while.
#[derive(Clone, Copy, Debug)]
pub struct Kneel {
    pub side: Side,
    pub hold: Span,
}

/// A span in which no foot touches anything and the hips fall freely.
pub type Flight = Span;

/// A step of a stair: the floor at this height from `from_z` on, towards +Z.
#[derive(Clone, Copy, Debug)]
pub struct Tread {
    pub from_z: f64,
    pub height: f64,
}

/// A motion of the sample body.
#[derive(Clone, Debug)]
pub struct Motion {
    pub name: &'static str,
    /// What is seen, in one sentence.
    pub about: &'static str,
    pub duration: f64,
    /// Left, right.
    pub feet: [FootPlan; 2],
    /// The hips joint: towards +X, up, towards +Z.
    pub hips: [Curve; 3],
    pub trunk: Trunk,
    pub gait: Gait,
    pub flights: Vec<Flight>,
    pub kneels: Vec<Kneel>,
    pub reach: Option<Reach>,
    /// Steps above the floor at 0, lowest first.
    pub stair: Vec<Tread>,
}

fn turn(axis: Vec3, angle: f64) -> Quat {
    Quat::new(axis * angle)
}

impl Motion {
    /// The body at a moment.
    pub fn posture(&self, body: &Body, t: f64) -> Posture {
        let p = &body.proportions;
        let hips = Vec3::from([0, 1, 2].map(|i| self.hips[i].value(t)));
        let feet = Side::BOTH.map(|side| self.feet[side.index()].at(p, t));
        let ankles = feet.map(|foot| foot.ankle_place());
        let trunk = &self.trunk;
        let heading = trunk.heading.value(t);
        let facing = turn(Vec3::y(), heading);
        let ahead = ankles.map(|ankle| (facing.inverse() * (ankle - hips)).z);
        let stride = ahead[1] - ahead[0];
        let lift = ankles[1].y - ankles[0].y;

        let mut turns = vec![Quat::identity(); body.segments.len()];
        let mut set = |role: Role, q: Quat| turns[body.index(role)] = q;
        let roll = self.gait.pelvis_drop * lift;
        let pelvis = facing
            * turn(Vec3::y(), self.gait.pelvis_turn * stride)
            * turn(Vec3::z(), roll)
            * turn(Vec3::x(), trunk.pelvis_lean.value(t));
        let chest = facing
            * turn(Vec3::y(), -self.gait.chest_turn * stride)
            * turn(Vec3::z(), -0.4 * roll)
            * turn(Vec3::x(), trunk.chest_lean.value(t));
        let head = facing
            * turn(Vec3::y(), trunk.look.value(t))
            * turn(Vec3::x(), trunk.head_lean.value(t));
        set(Role::Hips, pelvis);
        set(Role::Spine(1), pelvis.slerp(&chest, 0.35));
        set(Role::Spine(2), pelvis.slerp(&chest, 0.7));
        set(Role::Spine(3), chest);
        set(Role::Neck(1), chest.slerp(&head, 0.5));
        set(Role::Head, head);

        for side in Side::BOTH {
            let foot = &feet[side.index()];
            let hip = hips + pelvis * (body.place(Role::Thigh(side)) - body.place(Role::Hips));
            // A knee points between the way the pelvis faces and the way the toes point.
            let toes = turn(Vec3::y(), foot.yaw.x) * Vec3::z();
            let pole = pelvis * Vec3::z() + toes;
            let leg = TwoBone::reach(hip, foot.ankle_place(), [p.thigh, p.shin], pole);
            let [thigh, shin] = leg.leg_turns();
            set(Role::Thigh(side), thigh);
            set(Role::Shin(side), shin);
            set(Role::Foot(side), foot.foot_turn());
            set(Role::Toe(side), foot.toe_turn());

            let across = ahead[1 - side.index()];
            let swing = trunk.arm_swing.value(t) + self.gait.arm_swing * across;
            let bend = trunk.elbow.value(t) + self.gait.elbow_swing * swing;
            let hang = std::f64::consts::FRAC_PI_2 - trunk.arm_spread.value(t);
            let upper = chest * turn(Vec3::x(), -swing) * turn(Vec3::z(), -sign(side) * hang);
            let fore = upper * turn(Vec3::y(), -sign(side) * bend);
            set(Role::Clavicle(side), chest);
            set(Role::UpperArm(side), upper);
            set(Role::Forearm(side), fore);
            set(Role::Hand(side), fore);
        }
        let mut posture = Posture::new(body, hips, turns);
        if let Some(reach) = &self.reach {
            posture = reach.apply(body, posture, t);
        }
        posture
    }
}

impl Reach {
    /// The posture with the arm on its way to the place.
    fn apply(&self, body: &Body, posture: Posture, t: f64) -> Posture {
        let weight = self.weight.value(t);
        if weight == 0.0 {
            return posture;
        }
        let p = &body.proportions;
        let side = sign(self.side);
        let [upper, fore, hand] =
            [Role::UpperArm(self.side), Role::Forearm(self.side), Role::Hand(self.side)]
                .map(|role| body.index(role));
        let shoulder = posture.places[upper];
        let hand_turn = frame_from_axes(self.fingers * side, self.back).expect("two directions");
        let wrist_goal = self.place - hand_turn * (Vec3::x() * (side * p.hand));
        let goal = posture.places[hand].lerp(&wrist_goal, weight);
        // The elbow stays on the side where the hanging arm has it.
        let along = (posture.places[hand] - shoulder).normalize();
        let elbow = posture.places[fore] - shoulder;
        let pole = elbow - along * along.dot(&elbow);
        let arm = TwoBone::reach(shoulder, goal, [p.upper_arm, p.forearm], pole);
        let [upper_turn, fore_turn] = arm.arm_turns(side);
        let mut turns = posture.turns;
        let free_hand = turns[hand];
        turns[upper] = upper_turn;
        turns[fore] = fore_turn;
        turns[hand] = free_hand.slerp(&hand_turn, weight);
        Posture::new(body, posture.places[0], turns)
    }
}
