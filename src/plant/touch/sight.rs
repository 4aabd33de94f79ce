//! What hands are near in one pose of the source, and where that is on the target.

use super::near;
use super::trunk;
use crate::binding::Binding;
use crate::ik::middle_joint;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{BodyPart, BodyProxy, Shape, Side};

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
    /// Of a source's pose, with those some time before and after it, and the same transferred. Where no hand `touches`
    /// anything, what it could touch is not looked at, nor the poses before and after.
    pub fn of(
        binding: &Binding,
        proxy: &[BodyProxy; 2],
        sources: [&WorldPose; 3],
        target: &mut WorldPose,
        touches: bool,
    ) -> Self {
        let ([from, to], source) = (proxy, sources[1]);
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
        for _ in 0..if touches { ROUNDS } else { 0 } {
            let seen = Side::BOTH
                .map(|side| sight.on_body(binding, proxy, side, &own_trunk, sources, target));
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

    /// How near a hand is to the body, to what of it, and how far from where it was transferred it is in the same
    /// place.
    fn on_body(
        &self,
        binding: &Binding,
        [from, to]: &[BodyProxy; 2],
        side: Side,
        own_trunk: &Shape,
        sources: [&WorldPose; 3],
        target: &WorldPose,
    ) -> (f64, Option<BodyPart>, Vec3) {
        let source = sources[1];
        let own = &from.arms[side.index()];
        let points = near::points(own.hand(source));
        let seen = &self.arms[side.index()];
        let goals = near::points([seen.wrist, seen.wrist + seen.hand]);
        let (mut body, mut nearest) = (0.0, None);
        let (mut weights, mut offsets) = (0.0, Vec3::zeros());
        for part in from.parts().filter(|part| near::concerns(*part, side)) {
            let shapes = from.shape(part, source).zip(to.shape(part, target));
            let Some((shape, goal_shape)) = shapes else { continue };
            let goal_shape = match part {
                BodyPart::Trunk | BodyPart::Head => goal_shape,
                _ => goal_shape.rolled_as(&shape, binding.target_world_from_source),
            };
            // Hands that meet are held by each other.
            let apart = if part.arm().is_some() { 1.0 - self.hands } else { 1.0 };
            let rests = near::rests(from, part, own, sources);
            let free = near::lifted(own, part, &shape, own_trunk, source) * apart * rests;
            for (point, goal) in points.iter().zip(&goals) {
                let place = shape.place(*point);
                let distance = shape.distance(&place) / own.len();
                let near = near::surface(distance, 0.0) * free;
                if near > body {
                    (body, nearest) = (near, Some(part));
                }
                let weight = (free + 1e-6) / (distance.max(0.0) + SOFT).powi(4);
                weights += weight;
                offsets += (goal_shape.point(&place) - goal) * weight;
            }
        }
        (body, nearest, offsets / f64::max(weights, 1e-300))
    }
}
