//! The moves of hands and elbows over the clip, once feet and body are planned. Nothing else writes them.

use crate::clip::Clip;
use crate::plant::HandMove;
use crate::plant::arm::ArmFrames;
use crate::plant::body_ground::BodyGround;
use crate::plant::elbow_clearance;
use crate::plant::elbows;
use crate::plant::hand_clearance;
use crate::plant::hand_plan::HandPlan;
use crate::plant::hands;
use crate::plant::limited_goals;
use crate::plant::touch::{PlantedLegs, Touches};
use crate::rig::Side;

/// The moves of each hand that leans, touches something or is lifted, or whose elbow is, by side. Hands touch, and are
/// kept over the `ground`, where `legs` has the planted legs.
pub(super) fn moves(
    source: &Clip,
    leaning: Vec<HandPlan>,
    legs: Option<&PlantedLegs>,
    ground: &BodyGround,
) -> [Option<Vec<HandMove>>; 2] {
    let BodyGround { binding, body, trunk_leans: leans, frames, .. } = *ground;
    let touches = legs.and_then(|_| Touches::new(source, binding, frames));
    let touches = touches.as_ref().zip(legs);
    let mut hands = hands::moves(leaning, touches, binding, body, frames);
    for mut arm in Side::BOTH.into_iter().filter_map(|side| ArmFrames::of(side, source, binding)) {
        let moves = &mut hands[arm.arm.side.index()];
        let low = match legs {
            Some(_) => hand_clearance::may_be_low(ground, &arm.arm),
            None => Vec::new(),
        };
        hand_clearance::lift(ground, &low, &mut arm, moves);
        if let Some(moves) = moves {
            elbows::even(moves, &mut arm, binding, frames);
        }
        elbow_clearance::turn_up(ground, &low, &mut arm, moves);
        if let Some(moves) = moves {
            limited_goals::hand(moves, &mut arm, binding, leans, frames);
        }
    }
    hands
}
