//! What hands are near in one pose of the source, and where that is on the target.

use super::near::{self, Ways};
use super::trunk;
use crate::binding::Binding;
use crate::ik::middle_joint;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{BodyPart, BodyProxy, Place, Shape, Side};

/// A pose's arms, target world; the body where it was transferred.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    /// How near the hands are to each other.
    pub hands: f64,
    /// Where the left wrist belongs, seen from the right one.
    pub apart: Vec3,
    pub arms: [ArmSight; 2],
    pub trunk: Shape,
}

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct ArmSight {
    pub shoulder: Vec3,
    pub elbow: Vec3,
    pub wrist: Vec3,
    /// From the wrist to the finger tips.
    pub hand: Vec3,
    pub bones: [f64; 2],
    /// How near the hand is to the body, and to what of it.
    pub body: f64,
    pub part: Option<BodyPart>,
    /// From where it was transferred to the same place on the body.
    pub offset: Vec3,
    /// How much the arm has to be kept out of the trunk, and how deep its points may be in it.
    pub sinks: f64,
    pub allowed: [f64; trunk::POINTS],
}

/// Of two places this much nearer counts for no more, arm lengths.
const SOFT: f64 = 0.03;

/// Rounds in which hands come to arms that move themselves.
const ROUNDS: usize = 3;

impl Sight {
    /// Of a source's pose and the same transferred. Where the hands are on the parts of the source's body some time
    /// before, in and after the pose is given where a hand could touch something; else that is not looked at.
    pub fn of(
        binding: &Binding,
        proxy: &[BodyProxy; 2],
        source: &WorldPose,
        target: &mut WorldPose,
        ways: Option<[&Ways; 3]>,
    ) -> Self {
        let [from, to] = proxy;
        let turn = binding.target_world_from_source;
        let hands = near::hands(&from.arms, source, 0.0);
        let size = |proxy: &BodyProxy| (proxy.arms[0].bones[1] + proxy.arms[1].bones[1]) / 2.0;
        let wrist = |side: usize| source.position(from.arms[side].joints[2]);
        let apart = turn * (wrist(0) - wrist(1)) * (size(to) / size(from));
        let (own_trunk, trunk) = (from.trunk.shape(source), to.trunk.shape(target));
        let ratio = to.trunk.depth / from.trunk.depth;
        let sinks_below = trunk::sinks_below(proxy);
        let arms = [Side::Left, Side::Right].map(|side| {
            let [own, arm] = [from, to].map(|proxy| &proxy.arms[side.index()]);
            let [wrist, tips] = arm.hand(target);
            let allowed = trunk::allowed(own, source, &own_trunk, ratio);
            let clearance = trunk::clearance(own, source, &own_trunk);
            ArmSight {
                shoulder: target.position(arm.joints[0]),
                elbow: target.position(arm.joints[1]),
                wrist,
                hand: tips - wrist,
                bones: arm.bones,
                body: 0.0,
                part: None,
                offset: Vec3::zeros(),
                sinks: trunk::sinks(sinks_below, clearance, own),
                allowed,
            }
        });
        let mut sight = Self { hands, apart, arms, trunk };
        let Some(ways) = ways else { return sight };
        let near = sight.near_parts(from, source, &own_trunk, ways);
        for _ in 0..ROUNDS {
            let shape = |part: &NearPart| {
                let shape = to.shape(part.part, target)?;
                Some(match part.part {
                    BodyPart::Trunk | BodyPart::Head => shape,
                    _ => shape.rolled_as(&part.shape, turn),
                })
            };
            let shapes = near.each_ref().map(|part| shape(part.as_ref()?));
            let seen = Side::BOTH.map(|side| sight.on_body(from, side, &near, &shapes));
            let mut on_arms = false;
            for (side, (body, part, offset)) in Side::BOTH.into_iter().zip(seen) {
                let arm = &mut sight.arms[side.index()];
                (arm.body, arm.part, arm.offset) = (body, part, offset);
                on_arms |= body > 0.0 && part.is_some_and(|part| part.arm().is_some());
            }
            if !on_arms {
                break;
            }
            // A hand on the other arm is on one that moves itself.
            for (arm, seen) in to.arms.iter().zip(&sight.arms) {
                let by = seen.offset * seen.body;
                let wrist = seen.wrist + by;
                let [first, second] = seen.bones;
                let elbow =
                    middle_joint(seen.shoulder, wrist, seen.elbow + by / 2.0, first, second);
                target.positions[arm.joints[1].index()] = elbow;
                target.positions[arm.joints[2].index()] = wrist;
            }
        }
        sight
    }

    /// The parts of the source's body, as its hands are near them.
    fn near_parts(
        &self,
        from: &BodyProxy,
        source: &WorldPose,
        trunk: &Shape,
        ways: [&Ways; 3],
    ) -> Parts<NearPart> {
        let points = from.arms.each_ref().map(|arm| near::points(arm.hand(source)));
        let mut near = Parts::default();
        for (i, (part, shape)) in from.shapes(source).enumerate() {
            let of_hand = |side: Side| {
                let (own, hand) = (&from.arms[side.index()], side.index());
                // Hands that meet are held by each other.
                let apart = if part.arm().is_some() { 1.0 - self.hands } else { 1.0 };
                let rests = near::rests(own, ways.map(|ways| ways[hand][i]));
                let free = near::lifted(own, part, &shape, trunk, source) * apart * rests;
                NearHand { free, places: points[hand].map(|point| shape.place(point)) }
            };
            let hands = Side::BOTH.map(|side| near::concerns(part, side).then(|| of_hand(side)));
            near[i] = Some(NearPart { part, shape, hands });
        }
        near
    }

    /// How near a hand is to the body, to what of it, and how far from where it was transferred it is in the same
    /// place. The shapes are those of the target's parts.
    fn on_body(
        &self,
        from: &BodyProxy,
        side: Side,
        near: &Parts<NearPart>,
        shapes: &Parts<Shape>,
    ) -> (f64, Option<BodyPart>, Vec3) {
        let arm_len = from.arms[side.index()].len();
        let seen = &self.arms[side.index()];
        let goals = near::points([seen.wrist, seen.wrist + seen.hand]);
        let (mut body, mut nearest) = (0.0, None);
        let (mut weights, mut offsets) = (0.0, Vec3::zeros());
        let both = near.iter().zip(shapes);
        for (near, goal_shape) in both.filter_map(|(near, shape)| near.as_ref().zip(shape.as_ref()))
        {
            let Some(hand) = &near.hands[side.index()] else { continue };
            for (place, goal) in hand.places.iter().zip(&goals) {
                let distance = near.shape.distance(place) / arm_len;
                let is_near = near::surface(distance, 0.0) * hand.free;
                if is_near > body {
                    (body, nearest) = (is_near, Some(near.part));
                }
                let weight = (hand.free + 1e-6) / (distance.max(0.0) + SOFT).powi(4);
                weights += weight;
                offsets += (goal_shape.point(place) - goal) * weight;
            }
        }
        (body, nearest, offsets / f64::max(weights, 1e-300))
    }
}

/// One for each part of the source's body, in their order.
type Parts<T> = [Option<T>; BodyPart::COUNT];

/// A part of the source's body.
struct NearPart {
    part: BodyPart,
    shape: Shape,
    /// The hands that it concerns.
    hands: [Option<NearHand>; 2],
}

/// A hand of the source at a part.
struct NearHand {
    /// How much it can touch it, but for the distance.
    free: f64,
    /// Where its points are on it.
    places: [Place; near::POINTS.len()],
}
