//! Feet that let go of the floor while their source's stand: those of a body that leaps onto its hands, and long ones
//! below a knee that kneels or where they turn about their balls. The plan takes them for feet in the air.

use super::contact_interval::{Frames, frames_away, to_mean_place};
use super::long_foot;
use super::miss::MissReason;
use super::transferred::{Leg, TransferredLeg};
use crate::binding::Binding;
use crate::contact::{Contact, ContactTrack, Limb, Part};
use crate::math::{Quat, Vec3, runs};
use crate::rig::FootId;
use std::ops::Range;

/// The length of a foot from ankle to ball, in shins, from which on it lets go while its knee kneels: to stay in its place
/// it would lift its ankle over the knee, and a small change of either would turn the shin around.
const LONG: f64 = 0.9;

/// How long before and after its knee kneels a long foot lets go, as a multiple of the time over which the knee's hold
/// eases: a foot that comes back sooner whips its leg about.
pub(super) const KNEELING: f64 = 2.0;

/// How far a body is dragged from its path by a foot that turns about its ball, leg lengths, and how far that ball moves as
/// transferred within the ease time before and after a frame, where the foot lets go. People turn on the balls of their
/// feet, and the ankle goes around the ball. The ankle of a long foot goes as much farther around as the foot is longer,
/// and the body with it; if the foot lets go, it turns about where its source's ball is, under a leg that stays.
const DRAGS: f64 = 0.3;
const TURNS: f64 = 0.3;

/// Why a foot lets go, by frame; `None` where it does not.
type Reasons = Vec<Option<MissReason>>;

/// The contacts that feet of the target keep, and why and when they let go of others.
pub(super) struct LetGo {
    pub track: ContactTrack,
    /// By foot and frame.
    pub told: Vec<Reasons>,
}

impl LetGo {
    /// `track` has the target's feet, one of each of the `legs`; `leaps` has the frames in which all feet let go for a leap onto
    /// the hands. `was` and `feet` are the transferred legs and rotations of foot and toe (world), by leg and frame. `None` if
    /// no foot has a reason to let go.
    pub fn new(
        track: &ContactTrack,
        binding: &Binding,
        legs: &[Leg],
        leaps: Option<Vec<bool>>,
        (was, feet): (&[Vec<TransferredLeg>], &[Vec<[Quat; 2]>]),
        frames: Frames,
    ) -> Option<Self> {
        let long = |(i, leg): (usize, &Leg)| {
            let ball = |f: usize| was[i][f].ankle + feet[i][f][0] * leg.ball;
            let level = |f: usize| binding.target.up.level(ball(f));
            let turns = turns(track, binding, FootId::new(i), leg, level, frames);
            [kneels(track, binding, leg, frames), turns]
        };
        let long: Vec<[Option<Vec<bool>>; 2]> = legs.iter().enumerate().map(long).collect();
        if leaps.is_none() && long.iter().flatten().all(Option::is_none) {
            return None;
        }
        let of_leg = |long: &[Option<Vec<bool>>; 2]| {
            let reason = |f: usize| match &leaps {
                Some(leaps) if leaps[f] => Some(MissReason::LetGo),
                _ => long.iter().flatten().any(|long| long[f]).then_some(MissReason::LongFoot),
            };
            (0..track.frames).map(reason).collect()
        };
        let reasons: Vec<Reasons> = long.iter().map(of_leg).collect();
        let kept = kept(track, &reasons, frames);
        let told = |(foot, reasons)| told(track, &kept, FootId::new(foot), reasons, frames);
        let told = reasons.iter().enumerate().map(told).collect();
        Some(Self { track: kept, told })
    }
}

/// Whether a leg's foot is so long that it lets go while its knee kneels.
pub(super) fn lets_go_kneeling(leg: &Leg) -> bool {
    leg.knee.is_some_and(|knee| leg.ball.norm() >= LONG * knee.bones.lens[1])
}

/// The frames in which the knee over a long foot kneels, and those before and after it. `None` if the foot is not long, or
/// its knee never kneels.
fn kneels(track: &ContactTrack, binding: &Binding, leg: &Leg, frames: Frames) -> Option<Vec<bool>> {
    let side = leg.side(&binding.target)?;
    let kneels = track.limb_mask(Limb::Knee(side));
    if !lets_go_kneeling(leg) || !kneels.contains(&true) {
        return None;
    }
    let near = |away: usize| away as f64 <= KNEELING * frames.hand as f64;
    Some(frames_away(&kneels).into_iter().map(near).collect())
}

/// The frames in which a foot is so long that it lets go as it turns about its ball, whose transferred positions on the
/// level these are. `None` if it never is.
fn turns(
    track: &ContactTrack,
    binding: &Binding,
    foot: FootId,
    leg: &Leg,
    ball: impl Fn(usize) -> Vec3,
    frames: Frames,
) -> Option<Vec<bool>> {
    // Other creatures do not turn on their feet.
    leg.knee?;
    // A foot that turns half around drags the body by twice what its ankle is farther from the ball.
    if leg.foot_len() - long_foot::source_len(binding, foot)? < DRAGS / 2.0 {
        return None;
    }
    let mut lets_go = vec![false; track.frames];
    for contact in track.of(foot, Part::Ball).filter(|contact| !contact.slides) {
        let slow = &contact.slow;
        let balls: Vec<Vec3> = slow.clone().map(&ball).collect();
        let to_mean = to_mean_place(&balls, 0.0, binding.target.up);
        if to_mean.iter().all(|off| off.norm() < DRAGS * leg.len) {
            continue;
        }
        for (i, lets_go) in lets_go[slow.clone()].iter_mut().enumerate() {
            let [before, after] = [i.saturating_sub(frames.ease), i + frames.ease];
            let moved = balls[after.min(balls.len() - 1)] - balls[before];
            *lets_go = moved.norm() > TURNS * leg.len;
        }
    }
    lets_go.contains(&true).then_some(lets_go)
}

/// The contacts without those of feet in frames in which they let go.
fn kept(track: &ContactTrack, reasons: &[Reasons], frames: Frames) -> ContactTrack {
    let part = |contact: &Contact| {
        let Contact { foot, frames: was, slow: whole, .. } = contact;
        let stands = |f: usize| reasons[foot.index()][f].is_none();
        let parts = runs(whole.clone(), stands).into_iter().filter_map(|slow| {
            // A foot is held only some time after it has come down, and until some time before it leaves.
            let [from, to] = [slow.start > whole.start, slow.end < whole.end]
                .map(|is_cut| if is_cut { frames.firm } else { 0 });
            let held = slow.start + from..slow.end.saturating_sub(to);
            let frames = was.start.max(held.start)..was.end.min(held.end);
            // A part of a contact may have none of its frames, and is held all the same.
            let frames = if frames.is_empty() { held } else { frames };
            (!frames.is_empty()).then(|| Contact { frames, slow, ..contact.clone() })
        });
        parts.collect::<Vec<Contact>>()
    };
    ContactTrack {
        contacts: track.contacts.iter().flat_map(part).collect(),
        limbs: track.limbs.clone(),
        ..*track
    }
}

/// Why a foot does not stand by the contacts that it kept while it stands by the `track`, in every frame. A long one would
/// be held wherever it is slow, and is told there too.
fn told(
    track: &ContactTrack,
    kept: &ContactTrack,
    foot: FootId,
    reasons: &Reasons,
    frames: Frames,
) -> Reasons {
    let of = |track: &ContactTrack| {
        track.frames_of(track.contacts.iter().filter(|contact| contact.foot == foot))
    };
    let (was, is) = (of(track), of(kept));
    let own = track.contacts.iter().filter(|contact| contact.foot == foot);
    let slow = track.marked(own.map(|contact| &contact.slow));
    // What is left of a contact may lack frames next to those in which the foot lets go.
    let near = |run: Range<usize>| {
        let near = run.start.saturating_sub(frames.firm)..(run.end + frames.firm).min(was.len());
        reasons[near].iter().flatten().next().copied()
    };
    let is_long = |f: usize| near(f..f + 1) == Some(MissReason::LongFoot);
    let left = |f: usize| (was[f] && !is[f]) || (slow[f] && is_long(f));
    let mut told = vec![None; track.frames];
    for run in runs(0..track.frames, left) {
        told[run.clone()].fill(near(run));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Part;
    use crate::plant::{PlantSettings, leap};

    #[test]
    fn feet_let_go_of_the_floor_for_as_long_as_they_must_and_ease() {
        let contact = |frames: Range<usize>, slow: Range<usize>| Contact {
            foot: FootId::new(0),
            part: Part::Ball,
            frames,
            slow,
            floor_height: 0.0,
            slides: false,
        };
        let track = ContactTrack {
            frames: 100,
            floor_height: 0.0,
            contacts: vec![contact(2..98, 0..100)],
            limbs: Vec::new(),
        };
        let frames = Frames { ease: 5, firm: 1, ..Frames::new(&PlantSettings::default(), 0.04) };
        let mut rises = vec![0.0; 100];
        rises[40..60].fill(0.5);
        let leaps = leap::lets_go(&rises, 1.0, frames).into_iter();
        let reasons: Reasons = leaps.map(|leaps| leaps.then_some(MissReason::LetGo)).collect();
        let kept_track = kept(&track, std::slice::from_ref(&reasons), frames);
        assert_eq!(kept_track.contacts, [contact(2..34, 0..35), contact(66..98, 65..100)]);
        let told = told(&track, &kept_track, FootId::new(0), &reasons, frames);
        assert!((0..100).all(|f| told[f].is_some() == (34..66).contains(&f)));
        assert_eq!(kept(&track, &[vec![None; 100]], frames), track);

        // The last frame in which it lets go is before the first in which it would be held.
        let reasons: Reasons = (0..100).map(|f| (f < 2).then_some(MissReason::LongFoot)).collect();
        let kept_track = kept(&track, std::slice::from_ref(&reasons), frames);
        assert_eq!(kept_track.contacts, [contact(3..98, 2..100)]);
        let told = super::told(&track, &kept_track, FootId::new(0), &reasons, frames);
        assert!((0..100).all(|f| told[f].is_some() == (f < 3)));
    }
}
