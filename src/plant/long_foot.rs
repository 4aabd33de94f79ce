//! Feet that are much longer for their legs than their source's: they pitch less, turn over more time, and lie behind knees
//! that kneel.
//!
//! A foot that is longer than its leg lifts its ankle higher than the leg can fold where it pitches as its source's, and a
//! tremble of it throws the whole leg about.

use super::contact_interval::evenly_away;
use super::foot::Stand;
use super::let_go;
use crate::binding::Binding;
use crate::contact::{Limb, Part};
use crate::math::{Quat, Vec3, curve, mean_rotation};
use crate::rig::FootId;
use std::f64::consts::{FRAC_PI_2, TAU};

/// The length of a foot to its ball, in leg lengths, below which it counts as so long.
const LEAST_FOOT: f64 = 0.05;

/// How many times as long for its leg as its source's a foot is from where on it is slowed: feet of people and characters
/// differ by less.
const LONG: f64 = 1.5;
/// The most by which a foot is slowed, as a multiple of the firm time (0.12 s).
const MOST_SLOWED: f64 = 4.0;

/// How many times as long for its leg as its source's a foot is from where on it pitches less: so far legs fold for it.
const VERY_LONG: f64 = 3.0;
/// The least share of its pitch that is left to a foot.
const LEAST_PITCH: f64 = 0.3;
/// The pitch from which on less of it is taken, and from which on nothing, radians: a foot that lies on its instep has no
/// heel that rises.
const LAID_BACK_RAD: [f64; 2] = [1.0, 3.1];
/// The sines of a foot's roll onto its side from which on less is taken of its pitch, and from which on nothing.
const ON_SIDE: [f64; 2] = [0.5, 0.9];
/// How long before and after its knee kneels a foot pitches more again, as a multiple of the ease time: a kneeling leg
/// has its foot behind it.
const KNEELING: f64 = 3.0;
/// How long before and after it touches the floor more of its pitch is left to a foot, and all of it, as multiples of the
/// ease time: a leg that kicks or flies need not fold for it.
const IN_AIR: [f64; 2] = [1.0, 3.0];

/// From what difference on a rotation counts less for those in frames around it, and from what on it does not, radians:
/// before a cut, or in a first frame that shows a rest pose, a foot is another one.
const OTHER_RAD: [f64; 2] = [0.5, 1.0];

/// How long before and after its knee kneels a foot begins to lie back, and lies, as multiples of the time over which the
/// knee's hold eases.
const LAYS: [f64; 2] = [let_go::KNEELING, 1.0];
/// How steep a foot that lies behind its shin leads down at most, as a sine.
const STEEPEST: f64 = 0.5;
/// How level a shin is, by its cosine, from which on a foot lies behind it, and wholly.
const LEVEL: [f64; 2] = [0.2, 0.5];
/// How far a foot is from lying on its side, by its sine, from which on it is laid on its instep, and wholly.
const UPRIGHT: [f64; 2] = [0.3, 0.6];

/// The length from ankle to ball of the source's foot that goes with one of the target, leg lengths.
pub(super) fn source_len(binding: &Binding, foot: FootId) -> Option<f64> {
    let source = &binding.source;
    let source_foot = source.foot(binding.source_foot(foot)?);
    Some((source_foot.ball.norm() / source.leg_len).max(LEAST_FOOT))
}

/// How many times as long for its leg as its source's a foot is.
fn times_as_long(stand: &Stand) -> Option<f64> {
    Some(stand.leg.foot_len() / source_len(stand.binding, stand.foot)?)
}

/// The distance in frames of each frame from the nearest in which the foot's knee kneels.
fn from_kneeling(stand: &Stand) -> Vec<f64> {
    let track = stand.track;
    let kneels = stand.side().map(|side| track.limb_mask(Limb::Knee(side)));
    evenly_away(&kneels.unwrap_or_else(|| vec![false; track.frames]))
}

/// Takes back a share of the pitch of a very long foot, so that its heel rises less.
pub(super) fn flatten(stand: &Stand, rotations: &mut [[Quat; 2]]) {
    let Stand { foot, leg, track, up, frames, .. } = *stand;
    let share = times_as_long(stand).map_or(1.0, |times| (VERY_LONG / times).max(LEAST_PITCH));
    if share >= 1.0 {
        return;
    }
    let (aside, over) = (leg.foot_aside, leg.foot_ahead.cross(&leg.foot_aside));
    let contacts = Part::HELD.into_iter().flat_map(|part| track.of(foot, part));
    let mut on_floor = track.frames_of(contacts);
    // A short clip of a run may show no contact: nothing tells then how far the floor is.
    if !on_floor.contains(&true) {
        on_floor.fill(true);
    }
    let ease = |times: f64| times * frames.ease as f64;
    let away = from_kneeling(stand).into_iter().zip(evenly_away(&on_floor));
    for ([foot, _], (from_kneeling, from_floor)) in rotations.iter_mut().zip(away) {
        let sine = |axis: Vec3| up.height(*foot * axis);
        let pitch_rad = sine(leg.foot_ahead).atan2(sine(over));
        let counts = curve::ramp(pitch_rad.abs(), LAID_BACK_RAD[1], LAID_BACK_RAD[0])
            * curve::ramp(sine(aside).abs(), ON_SIDE[1], ON_SIDE[0])
            * curve::ramp(from_kneeling, 0.0, ease(KNEELING))
            * curve::ramp(from_floor, ease(IN_AIR[1]), ease(IN_AIR[0]));
        let back_rad = pitch_rad * (1.0 - share) * counts;
        *foot = Quat::from_scaled_axis(*foot * aside * back_rad) * *foot;
    }
}

/// Lays a foot that lets go of the floor for its kneeling knee on its instep, behind its shin, and its toes behind it.
pub(super) fn lay_back(stand: &Stand, rotations: &mut [[Quat; 2]]) {
    let Stand { leg, transferred, up, frames, .. } = *stand;
    if !let_go::lets_go_kneeling(leg) {
        return;
    }
    let parts = [leg.ball, leg.tip].map(|part| part.try_normalize(1e-9 * leg.len));
    let [from, to] = LAYS.map(|times| times * frames.hand as f64);
    for (f, away) in from_kneeling(stand).into_iter().enumerate() {
        let near = curve::ramp(away, from, to);
        let shin = transferred[f].ankle - transferred[f].knee_or_ball;
        let level = up.level(shin) / shin.norm().max(1e-300);
        let Some(behind) = level.try_normalize(1e-9).filter(|_| near > 0.0) else { continue };
        let near = near * curve::ramp(level.norm(), LEVEL[0], LEVEL[1]);
        // The foot leads from the ankle down to where the knee is, and the toes go on from there.
        let rise = up.height(shin).max(0.0) / leg.ball.norm().max(1e-300);
        let lie_rad = [rise.min(STEEPEST).asin(), 0.0];
        for ((rotation, part), lie_rad) in rotations[f].iter_mut().zip(parts).zip(lie_rad) {
            let Some(part) = part else { continue };
            let way = *rotation * part;
            let [ahead, over] = [way.dot(&behind), up.height(way)];
            // Where it lies behind, hangs and points ahead, in this order: it turns back by way of the floor.
            let pitch_rad = match (-over).atan2(ahead) {
                over_head if over_head < -FRAC_PI_2 => over_head + TAU,
                pitch_rad => pitch_rad,
            };
            let counts = near * curve::ramp(ahead.hypot(over), UPRIGHT[0], UPRIGHT[1]);
            let turn = behind.cross(&up.vector()) * ((pitch_rad - lie_rad) * counts);
            *rotation = Quat::from_scaled_axis(turn) * *rotation;
        }
    }
}

/// Turns the foot over more time the longer it is for its leg than its source's. As it rolls or turns about its ball
/// it swings its ankle, and a tremble of a long foot, or a turn as it lands, would throw the whole leg about.
pub(super) fn slow(stand: &Stand, rotations: &mut [[Quat; 2]]) {
    let Some(times) = times_as_long(stand) else { return };
    let longer = (times - LONG).clamp(0.0, MOST_SLOWED);
    let radius = (longer * stand.frames.firm as f64).round() as usize;
    if radius == 0 {
        return;
    }
    let bell = curve::bell(radius);
    // Nearly all rotations are near, which this tells at less cost than their angle.
    let near_cos = (OTHER_RAD[0] / 2.0).cos();
    let was = rotations.to_vec();
    for (i, rotations) in rotations.iter_mut().enumerate() {
        let around = radius.min(i).min(was.len() - 1 - i);
        // Less at the ends of the clip, so that they stay.
        let bell = if around == radius { &bell } else { &curve::bell(around) };
        for (part, rotation) in rotations.iter_mut().enumerate() {
            let own = was[i][part];
            let near = was[i - around..=i + around].iter().map(|was| was[part]);
            let counts = |near: &Quat| match near.coords.dot(&own.coords).abs() > near_cos {
                true => 1.0,
                false => curve::ramp(near.angle_to(&own), OTHER_RAD[1], OTHER_RAD[0]),
            };
            let each = near.zip(bell).map(|(near, weight)| (near, weight * counts(&near)));
            *rotation = mean_rotation(each);
        }
    }
}
