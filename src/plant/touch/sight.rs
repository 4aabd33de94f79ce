//! Where on the target is what the source's hands are near, in one pose.

use super::near;
use super::nearness::Nearness;
use super::trunk::{ArmSight, Beside};
use crate::binding::Binding;
use crate::ik::middle_joint;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{BodyPart, BodyProxy, Place, Shape, Side};

/// The arms of a pose, target world; the body is at its transferred position.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    /// The goal of the left wrist relative to the right one.
    pub apart: Vec3,
    pub arms: [ArmSight; 2],
    pub trunk: Shape,
}

/// The distance by which a nearer part does not yet gain weight, arm lengths.
const SOFT: f64 = 0.03;

/// Rounds in which hands move to arms that move themselves.
const ROUNDS: usize = 3;

impl Sight {
    /// From a source's pose and its transferred pose, of which only arms and trunk are needed.
    pub fn of(
        binding: &Binding,
        proxy: &[BodyProxy; 2],
        source: &WorldPose,
        target: &WorldPose,
    ) -> Self {
        let [from, to] = proxy;
        let size = |proxy: &BodyProxy| (proxy.arms[0].bones[1] + proxy.arms[1].bones[1]) / 2.0;
        let wrist = |side: usize| source.position(from.arms[side].joints[2]);
        let turn = binding.target_world_from_source;
        let apart = turn * (wrist(0) - wrist(1)) * (size(to) / size(from));
        let arms = to.arms.each_ref().map(|arm| {
            let [wrist, tips] = arm.hand(target);
            ArmSight {
                shoulder: target.position(arm.joints[0]),
                elbow: target.position(arm.joints[1]),
                wrist,
                hand: tips - wrist,
                bones: arm.bones,
                offset: Vec3::zeros(),
                beside: Beside::default(),
            }
        });
        Self { apart, arms, trunk: to.trunk.shape(target) }
    }

    /// Computes how the source's arms are at their trunk too. `sinks_below` is how near to it they are where the target's may
    /// sink into its own.
    pub fn look_beside(
        &mut self,
        [from, to]: &[BodyProxy; 2],
        source: &WorldPose,
        sinks_below: Option<f64>,
    ) {
        let (own_trunk, ratio) = (from.trunk.shape(source), to.trunk.depth / from.trunk.depth);
        for (arm, own) in self.arms.iter_mut().zip(&from.arms) {
            arm.beside = Beside::of(own, source, &own_trunk, sinks_below, ratio);
        }
    }

    /// Computes the places of these sides' hands on the body too. The target's pose has all parts, and its arms are moved.
    /// `nearness` is what the source's hands are near, and `rests` how much each hand rests on each part.
    pub fn look_at_body(
        &mut self,
        binding: &Binding,
        proxy: &[BodyProxy; 2],
        source: &WorldPose,
        target: &mut WorldPose,
        sides: [bool; 2],
        (nearness, rests): (&Nearness, impl FnMut(Side, usize) -> f64),
    ) {
        let [from, to] = proxy;
        let turn = binding.target_world_from_source;
        let near = near_parts(from, source, sides, nearness.hands, rests);
        let on_arm = |side: usize| {
            let is_of_arm = nearness.part[side].is_some_and(|part| part.arm().is_some());
            nearness.body[side] > 0.0 && is_of_arm
        };
        let on_arms = on_arm(0) || on_arm(1);
        for _ in 0..ROUNDS {
            let shape = |part: &NearPart| {
                let shape = to.shape(part.part, target)?;
                Some(match part.part {
                    BodyPart::Trunk | BodyPart::Head => shape,
                    _ => shape.rolled_as(&part.shape, turn),
                })
            };
            let shapes = near.each_ref().map(|part| shape(part.as_ref()?));
            let offsets = Side::BOTH.map(|side| match sides[side.index()] {
                true => self.on_body(from, side, &near, &shapes),
                false => Vec3::zeros(),
            });
            for (arm, offset) in self.arms.iter_mut().zip(offsets) {
                arm.offset = offset;
            }
            if !on_arms {
                break;
            }
            // A hand on the other arm is on a part that moves itself.
            for ((arm, seen), body) in to.arms.iter().zip(&self.arms).zip(nearness.body) {
                let by = seen.offset * body;
                let wrist = seen.wrist + by;
                let [first, second] = seen.bones;
                let elbow =
                    middle_joint(seen.shoulder, wrist, seen.elbow + by / 2.0, first, second);
                target.positions[arm.joints[1].index()] = elbow;
                target.positions[arm.joints[2].index()] = wrist;
            }
        }
    }

    /// The offset of a hand from its transferred position to the same place on the body. The shapes are those of the
    /// target's parts.
    fn on_body(
        &self,
        from: &BodyProxy,
        side: Side,
        near: &Parts<NearPart>,
        shapes: &Parts<Shape>,
    ) -> Vec3 {
        let arm_len = from.arms[side.index()].len();
        let seen = &self.arms[side.index()];
        let goals = near::points([seen.wrist, seen.wrist + seen.hand]);
        let (mut weights, mut offsets) = (0.0, Vec3::zeros());
        let both = near.iter().zip(shapes);
        for (near, goal_shape) in both.filter_map(|(near, shape)| near.as_ref().zip(shape.as_ref()))
        {
            let Some(hand) = &near.hands[side.index()] else { continue };
            for (place, goal) in hand.places.iter().zip(&goals) {
                let distance = near.shape.distance(place) / arm_len;
                let weight = (hand.free + 1e-6) / (distance.max(0.0) + SOFT).powi(4);
                weights += weight;
                offsets += (goal_shape.point(place) - goal) * weight;
            }
        }
        offsets / f64::max(weights, 1e-300)
    }
}

/// The parts of the source's body, with the nearness of the hands of these `sides`. `hands` is the nearness of the hands
/// to each other.
fn near_parts(
    from: &BodyProxy,
    source: &WorldPose,
    sides: [bool; 2],
    hands: f64,
    mut rests: impl FnMut(Side, usize) -> f64,
) -> Parts<NearPart> {
    let points = from.arms.each_ref().map(|arm| near::points(arm.hand(source)));
    let trunk = from.trunk.shape(source);
    let hangs = from.arms.each_ref().map(|arm| near::hangs(arm, &trunk, source));
    let mut near = Parts::default();
    for (place, (part, shape)) in from.shapes(source).enumerate() {
        let mut of_hand = |side: Side| {
            let hand = side.index();
            let lifted = near::lifted(hangs[hand], part, &shape, &trunk);
            let free = near::free(part, lifted, hands, rests(side, place));
            NearHand { free, places: points[hand].map(|point| shape.place(point)) }
        };
        let concerns = |side: Side| sides[side.index()] && near::concerns(part, side);
        let hands = Side::BOTH.map(|side| concerns(side).then(|| of_hand(side)));
        near[place] = Some(NearPart { part, shape, hands });
    }
    near
}

/// One for each part of the source's body, in their order.
type Parts<T> = [Option<T>; BodyPart::COUNT];

/// A part of the source's body.
struct NearPart {
    part: BodyPart,
    shape: Shape,
    /// The hands that can touch it.
    hands: [Option<NearHand>; 2],
}

/// A hand of the source at a part.
struct NearHand {
    /// How much the hand can touch it, apart from the distance.
    free: f64,
    /// The places of the hand's points on it.
    places: [Place; near::POINTS.len()],
}
