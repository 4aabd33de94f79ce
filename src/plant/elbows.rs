//! Elbows of moved arms bend evenly and go an even way.
//!
//! A hand that fades out of its goal in an even way straightens its arm abruptly: near a straight elbow a millimetre at the
//! hand is degrees. So hands that are on their way give way a little, along the line from the shoulder.
//!
//! The plane in which a nearly straight arm is bent trembles and turns fast, and so does the roll of an upper arm. An arm
//! that bends farther than transferred bends in that plane, so that its elbow would whirl about. So it turns about the line
//! from shoulder to wrist, by a curve over the clip, the more the farther the arm bends.
//!
//! Arms are transferred in those frames alone in which a hand is moved, and shortly before and after.

use super::HandMove;
use super::arm::{ArmFrames, TransferredArm};
use super::arm_ik::ArmBend;
use super::contact_interval::{Frames, widened};
use super::even::{BEND, Bent, swivel_rad};
use crate::binding::Binding;
use crate::math::{Quat, Vec3, curve, rejection, rotation_between, runs, with_values};

/// How far a hand must be moved for its elbow to be turned, and to be turned fully, arm lengths. The second is small, since a
/// hand may return within some frames.
const MOVED: [f64; 2] = [0.001, 0.02];

/// How many times as much a move of a hand that touches something or leans counts as one of a free hand.
const IN_CONTACT: f64 = 20.0;

/// A hand that leans on a floor with a weight of this and less is on its way and counts as free: an arm that has just let go
/// is often straight, and its elbow bends within some frames.
const LETS_GO: f64 = 0.5;

/// A hand that is lifted over the floor by this, arm lengths, counts as one that touches it.
const LIFTED: f64 = 0.05;

/// Turns the elbow of an arm whose hand is moved.
pub(super) fn even(moves: &mut [HandMove], arm: &mut ArmFrames, binding: &Binding, frames: Frames) {
    let bend = ArmBend::of(binding, arm.arm.side, arm.arm.joints[0]);
    let (len, count) = (arm.arm.len(&binding.target).max(1e-300), moves.len());
    let moved = |hand: &HandMove| hand.offset.norm() / len;
    let far = runs(0..moves.len(), |f| moved(&moves[f]) > MOVED[0]);
    let near = widened(far, frames.hand / 2, moves.len());
    let arms = arm.in_runs(&near);
    for (run, own) in with_values(&near, &arms) {
        let held = [run.start > 0, run.end < count];
        give_way(&bend, own, &mut moves[run.clone()], held, frames);
        let turns_rad = turns_rad(&bend, own, &moves[run.clone()], frames);
        for (hand, turn_rad) in moves[run].iter_mut().zip(turns_rad) {
            hand.swivel_rad += turn_rad * curve::ramp(moved(hand), MOVED[0], MOVED[1]);
        }
    }
}

/// Moves a hand nearer to its shoulder or farther from it, the less the more it is held, so that its elbow bends evenly.
/// A hand that must be at its goal stays. At the `held` ends of these frames, at the beginning and at the end, hands stay.
fn give_way(
    bend: &ArmBend,
    arms: &[TransferredArm],
    moves: &mut [HandMove],
    held: [bool; 2],
    frames: Frames,
) {
    let Some(bones) = arms.first().map(|arm| bend.bones(arm)) else { return };
    if bones.lens.contains(&0.0) {
        return;
    }
    let ways = arms.iter().zip(&*moves).map(|(arm, hand)| bend.reached(arm, hand.offset));
    let ways: Vec<Vec3> = ways.collect();
    let bent = |(f, (arm, hand)): (usize, (&TransferredArm, &HandMove))| {
        let bend_rad = bones.bend_rad(ways[f].norm());
        let is_end = held[0] && f < 2 || held[1] && f + 2 >= arms.len();
        let lifted = curve::ramp(hand.lifted_len, 0.0, LIFTED * bones.len());
        let leans = curve::ramp(hand.floor, LETS_GO, 1.0);
        let contact = leans.max(hand.other_hand).max(hand.body).max(lifted);
        let weight = if is_end || hand.counts() {
            f64::INFINITY
        } else {
            BEND * BEND * IN_CONTACT.powf(2.0 * contact)
        };
        Bent { bend_rad, farther_rad: bend_rad - bones.bend_rad(arm.way().norm()), weight }
    };
    let bent: Vec<Bent> = arms.iter().zip(&*moves).enumerate().map(bent).collect();
    let farther_lens = bones.give_way(&bent, frames.limb);
    for ((hand, way), farther_len) in moves.iter_mut().zip(ways).zip(farther_lens) {
        hand.offset += way.try_normalize(1e-300).unwrap_or_default() * farther_len;
    }
}

/// How far the elbow of one arm turns in frames after each other, so that it goes an even way.
fn turns_rad(
    bend: &ArmBend,
    arms: &[TransferredArm],
    moves: &[HandMove],
    frames: Frames,
) -> Vec<f64> {
    let elbow = |(arm, hand): (&TransferredArm, &HandMove)| {
        let way = bend.reached(arm, hand.offset);
        let line = way.try_normalize(1e-300).unwrap_or_default();
        let swivel = Quat::from_scaled_axis(line * hand.swivel_rad);
        (line, swivel * rejection(bend.elbow(arm, way), line))
    };
    let elbows: Vec<(Vec3, Vec3)> = arms.iter().zip(moves).map(elbow).collect();
    // Beside a line that swings to where it pointed away from, an elbow that stays in the world would come to the other side.
    let carried = carried(elbows.iter().map(|(line, _)| *line));
    let besides: Vec<Vec3> = elbows
        .iter()
        .zip(&carried)
        .map(|((_, beside), carried)| carried.inverse() * beside)
        .collect();
    let even = curve::smooth(&besides, frames.hand);
    let even: Vec<Vec3> = even.iter().zip(&carried).map(|(even, carried)| carried * even).collect();
    let turn_rad = |((arm, (line, is)), even): ((&TransferredArm, &(Vec3, Vec3)), &Vec3)| {
        let line_was = arm.way().try_normalize(1e-300).unwrap_or_default();
        let farther = is.norm() - rejection(arm.elbow - arm.shoulder, line_was).norm();
        let len: f64 = arm.bones().iter().sum();
        swivel_rad(*line, *is, *even, farther, len)
    };
    arms.iter().zip(&elbows).zip(&even).map(turn_rad).collect()
}

/// The rotations that carry what is beside the first of these `lines` along with them, each by the shortest turn from line to
/// line.
fn carried(lines: impl Iterator<Item = Vec3>) -> Vec<Quat> {
    let (mut before, mut carried) = (None, Quat::identity());
    let next = |line: Vec3| {
        let turn = before.map_or(Quat::identity(), |before| rotation_between(before, line));
        (before, carried) = (Some(line), turn * carried);
        carried
    };
    lines.map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    /// An arm of length 1 that hangs and is bent by 3° backwards, turned about itself.
    fn hanging(turn_rad: f64) -> TransferredArm {
        let upper = Quat::from_scaled_axis(Vec3::y() * turn_rad);
        let elbow = Vec3::y() * 0.5 - upper * Vec3::z() * 0.013;
        TransferredArm { shoulder: Vec3::y(), elbow, upper, ..TransferredArm::default() }
    }

    /// The largest second difference of the direction in which the elbow of an arm lies whose hand is lifted by 0.2, before
    /// and after its elbow is evened.
    fn broken(arms: &[TransferredArm]) -> [f64; 2] {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        let bend = ArmBend::free(-Vec3::x());
        let lifted = HandMove { offset: Vec3::y() * 0.2, ..HandMove::default() };
        let turns = turns_rad(&bend, arms, &vec![lifted; arms.len()], frames);
        let broken = |turns: &[f64]| {
            let elbow = |(arm, turn_rad): (&TransferredArm, &f64)| {
                let way = bend.reached(arm, lifted.offset);
                let line = way.normalize();
                let swivel = Quat::from_scaled_axis(line * *turn_rad);
                swivel * rejection(bend.elbow(arm, way), line).normalize()
            };
            let elbows: Vec<Vec3> = arms.iter().zip(turns).map(elbow).collect();
            elbows.windows(3).map(|w| (w[2] - w[1] * 2.0 + w[0]).norm()).fold(0.0, f64::max)
        };
        [broken(&vec![0.0; arms.len()]), broken(&turns)]
    }

    /// An arm whose hand is held 0.1 over where it hangs, with these weights of what holds it in each frame, and let go. How far
    /// its bend breaks before and after it gives way, radians a frame², and its moves before and after.
    fn let_go(hold: &dyn Fn(&mut HandMove, f64)) -> ([f64; 2], [Vec<HandMove>; 2]) {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        let bend = ArmBend::free(-Vec3::x());
        let arms = [hanging(0.0); 60];
        let hand = |f: usize| {
            let held = curve::ramp(f as f64, 40.0, 30.0);
            let mut hand = HandMove { offset: Vec3::y() * (0.1 * held), ..HandMove::default() };
            hold(&mut hand, held);
            hand
        };
        let wanted: Vec<HandMove> = (0..60).map(hand).collect();
        let broken = |moves: &[HandMove]| {
            let bends = arms
                .iter()
                .zip(moves)
                .map(|(arm, hand)| bend.bones(arm).bend_rad(bend.reached(arm, hand.offset).norm()));
            let bends: Vec<f64> = bends.collect();
            bends.windows(3).map(|b| (b[2] - 2.0 * b[1] + b[0]).abs()).fold(0.0, f64::max)
        };
        let mut moves = wanted.clone();
        give_way(&bend, &arms, &mut moves, [true; 2], frames);
        ([broken(&wanted), broken(&moves)], [wanted, moves])
    }

    #[test]
    fn an_elbow_straightens_evenly_as_its_hand_is_let_go() {
        let ([before, after], [wanted, moves]) = let_go(&|hand, held| hand.other_hand = held);
        assert!(after < 0.6 * before, "{after} {before}");
        let off = |(is, was): (&HandMove, &HandMove)| (is.offset - was.offset).norm();
        assert!(moves[..30].iter().zip(&wanted).all(|both| off(both) < 1e-6), "held hands stay");
        assert!(moves.iter().zip(&wanted).all(|both| off(both) < 0.02));
    }

    #[test]
    fn a_hand_that_has_let_go_of_the_floor_gives_way_sooner_than_one_that_lets_go_of_a_hand() {
        let given = |hold: &dyn Fn(&mut HandMove, f64)| {
            let (_, [wanted, moves]) = let_go(hold);
            let off = |f: usize| (moves[f].offset - wanted[f].offset).norm();
            assert!((0..30).all(|f| off(f) < 1e-6), "held hands stay");
            (31..36).map(off).sum::<f64>()
        };
        let of_hand = given(&|hand, held| hand.other_hand = held);
        let of_floor = given(&|hand, held| hand.floor = held);
        assert!(of_floor > 1.5 * of_hand, "{of_floor} and {of_hand}");
    }

    #[test]
    fn the_elbow_of_a_lifted_arm_goes_an_even_way_where_the_plane_of_a_straight_one_whirls() {
        // Within three frames the plane turns by 100°, and the upper arm along, as that of a limb with a hinge does.
        let turns = (0..60).map(|i| 1.75 * curve::ramp(f64::from(i), 29.0, 32.0));
        let [before, after] = broken(&turns.map(hanging).collect::<Vec<_>>());
        assert!(before > 0.5 && after < 0.25, "{before} and {after} a frame²");
    }

    #[test]
    fn the_elbow_of_a_lifted_arm_does_not_tremble_as_its_upper_arm_does() {
        let [before, after] = broken(
            &(0..60).map(|i| hanging(0.05 * (2.4 * f64::from(i)).sin())).collect::<Vec<_>>(),
        );
        assert!(before > 0.1 && after < 0.3 * before, "{before} and {after} a frame²");
    }

    #[test]
    fn the_elbow_of_an_arm_that_bends_no_farther_stays() {
        let arms: Vec<TransferredArm> =
            (0..60).map(|i| hanging(0.05 * (2.4 * f64::from(i)).sin())).collect();
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        let turns =
            turns_rad(&ArmBend::free(-Vec3::x()), &arms, &[HandMove::default(); 60], frames);
        assert!(turns.iter().all(|turn_rad| turn_rad.abs() < 0.05 * 0.05), "{turns:?}");
    }

    #[test]
    fn an_elbow_under_an_arm_that_swings_round_stays_under_it() {
        let line = |i: i32| Quat::from_scaled_axis(Vec3::y() * (0.1 * f64::from(i))) * Vec3::x();
        for (i, carried) in (0..60).zip(carried((0..60).map(line))) {
            let (along, beside) = (carried * line(0), carried * Vec3::y());
            assert!((along - line(i)).norm() < 1e-9 && (beside - Vec3::y()).norm() < 1e-9, "{i}");
        }
    }
}
