//! How a hand stands on a floor: how high its lowest point is over it, and how far the hand lies down about its wrist.
//!
//! Many sources end at the wrist. A hand with fingers that takes over their rotations hangs from its wrist, stands on its finger
//! tips, and folds the arm above by as much. So it lies down as far as its source's hand would be in the floor.

use super::arm::{Arm, TransferredArm};
use crate::binding::Binding;
use crate::math::{Vec3, curve, median};
use crate::rig::UpAxis;

/// The length of a hand from which on it counts as one, leg lengths: many rigs have none below the wrist, or a stub.
const NO_HAND: f64 = 0.1;

/// The least height of the wrist of a hand that lies down, leg lengths: 4 cm over legs of 90.
const WRIST: f64 = 0.044;

/// How much deeper than it should a hand hangs from where on it lies down, and does so wholly, leg lengths.
const DEEPER: [f64; 2] = [0.03, 0.08];

/// How long a hand is up to which it lies down wholly, and from which on it does not, leg lengths: a longer one cannot come to
/// lie within the time in which its wrist comes down.
const LIES: [f64; 2] = [0.3, 0.45];

/// A hand of the target, as it may stand on a floor.
pub(super) struct Palm {
    leg_len: f64,
    /// From the wrist to the farthest point of the hand.
    hand_len: f64,
    /// The same of the source's hand, scaled; more than 0.
    source_len: f64,
    /// How much it lacks what is below the wrist, from 0 to 1.
    lacks_hand: f64,
    /// How far it may lie down, from 0 to 1.
    can_lie: f64,
    up: UpAxis,
}

/// How it stands in one contact.
pub(super) struct OnFloor {
    /// Where it touches the floor in each frame, before it comes there; target world.
    pub bottoms: Vec<Vec3>,
    /// The height at which that is held, along the up axis; below the floor where the hand lies down.
    pub height: f64,
    /// How far its lowest point comes up under its wrist as it lies down, target length units.
    pub lies_len: f64,
}

impl Palm {
    pub fn of(arm: &Arm, binding: &Binding) -> Self {
        let Binding { source, target, scale, .. } = binding;
        let (hand_len, leg_len) = (arm.hand_len(target), target.leg_len);
        let source_len = Arm::of(source, arm.side).map_or(0.0, |arm| arm.hand_len(source) * scale);
        let legs = hand_len / leg_len;
        Self {
            leg_len,
            hand_len,
            source_len: source_len.max(1e-300),
            lacks_hand: curve::ramp(legs, NO_HAND, 0.0),
            // How far a wrist with a stated limit lets its hand lie is not known here.
            can_lie: match binding.limits.of(arm.joints[2]) {
                Some(_) => 0.0,
                None => curve::ramp(legs, LIES[1], LIES[0]),
            },
            up: target.up,
        }
    }

    /// In the frames of one contact with a floor of this height, in which the source's wrist and its hand's lowest point are so
    /// high over the floor, target length units. Joints lie within a hand, so the lowest of the target's is as high.
    pub fn on_floor(
        &self,
        arms: &[TransferredArm],
        floor: f64,
        [wrist_len, bottom_len]: [f64; 2],
    ) -> OnFloor {
        let (up, flesh_len) = (self.up, wrist_len - bottom_len);
        let under_len = median(arms.iter().map(|arm| arm.under(up)));
        // A hand that ends at its wrist has it where the source's is.
        let over_len = bottom_len + flesh_len * self.lacks_hand;
        let over_len = (wrist_len - under_len).min(over_len).max(0.0);
        // It hangs no deeper than its source's of the same length would.
        let lying = median(arms.iter().map(|arm| arm.under_lying));
        let hangs = flesh_len / self.source_len * self.hand_len;
        let least = (bottom_len + hangs).max(lying).max(WRIST * self.leg_len);
        let deeper = (under_len - least).max(0.0);
        let worth = curve::ramp(deeper / self.leg_len, DEEPER[0], DEEPER[1]);
        // It lies down instead of being lifted, and never so that the body would have to come down for it.
        let lifted = median(arms.iter().map(|arm| floor + over_len - up.height(arm.bottom(up))));
        let lies_len = (deeper * worth * self.can_lie).min(lifted.max(0.0));
        // It is the wrist of a hand that lies down that stays in its place, and the lowest point of any other.
        let lies = (2.0 * lies_len / under_len.max(1e-300)).min(1.0);
        let bottom = |arm: &TransferredArm| {
            let under = arm.under(up);
            arm.wrist - up.vector() * (under + (under_len - under) * lies)
        };
        OnFloor {
            bottoms: arms.iter().map(bottom).collect(),
            height: floor + over_len - lies_len,
            lies_len,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PALM: Palm = Palm {
        leg_len: 90.0,
        hand_len: 16.0,
        source_len: 1e-300,
        lacks_hand: 0.0,
        can_lie: 1.0,
        up: UpAxis::Y,
    };

    /// The height of the floor.
    const FLOOR: f64 = -70.0;

    /// An arm whose hand hangs 16 under its wrist, which is so high over the floor, and is 4 thick as it lies.
    fn hanging(wrist: f64) -> TransferredArm {
        TransferredArm {
            wrist: Vec3::y() * (FLOOR + wrist),
            lowest: -Vec3::y() * 16.0,
            under_lying: 4.0,
            ..TransferredArm::default()
        }
    }

    /// How high the wrist comes to stand over the floor.
    fn wrist_height(palm: &Palm, wrist: f64, heights: [f64; 2]) -> f64 {
        let arm = hanging(wrist);
        let on = palm.on_floor(&[arm], FLOOR, heights);
        on.height + arm.wrist.y - on.bottoms[0].y - FLOOR
    }

    #[test]
    fn a_hand_lies_down_where_its_source_ends_at_the_wrist() {
        let height = wrist_height(&PALM, 3.0, [3.0, 3.0]);
        assert!((3.9..5.0).contains(&height), "{height}");
        assert!(
            (wrist_height(&PALM, 12.0, [3.0, 3.0]) - 12.0).abs() < 1e-9,
            "as far as it is lifted"
        );
        assert_eq!(wrist_height(&PALM, 20.0, [3.0, 3.0]), 16.0, "not where it comes down");
    }

    #[test]
    fn a_hand_stands_on_its_finger_tips_where_its_source_does() {
        let palm = Palm { source_len: 16.0, ..PALM };
        assert_eq!(wrist_height(&palm, 3.0, [15.0, 0.0]), 16.0);
    }

    #[test]
    fn a_hand_without_fingers_has_its_wrist_where_the_sources_is() {
        let palm = Palm { lacks_hand: 1.0, hand_len: 0.0, ..PALM };
        let arm = TransferredArm { lowest: Vec3::zeros(), ..hanging(1.0) };
        for heights in [[4.0, 4.0], [6.0, 0.5]] {
            assert_eq!(palm.on_floor(&[arm], FLOOR, heights).height, FLOOR + heights[0]);
        }
    }
}
