//! Feet that let go of the floor while their source's stand: those of a body that leaps onto its hands, long ones below a
//! knee that kneels or where they turn about their balls, and those that would come from one place to the next too fast. The
//! plan takes them for feet in the air.

use super::contact_interval::{Frames, firm_frames, frames_away, to_mean_place};
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

/// How much farther than its source's a foot goes from one place to the next however fast, leg lengths.
const SMALL: f64 = 0.03;

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
        let of_leg = |(i, leg): (usize, &Leg)| {
            let ball = |f: usize| was[i][f].ankle + feet[i][f][0] * leg.ball;
            let level = |f: usize| binding.target.up.level(ball(f));
            let foot = FootId::new(i);
            [
                (MissReason::LetGo, leaps.clone()),
                (MissReason::LongFoot, kneels(track, binding, leg, frames)),
                (MissReason::LongFoot, turns(track, binding, foot, leg, level, frames)),
                (MissReason::FastStep, hurries(track, binding, foot, leg, ball, frames)),
            ]
        };
        let lets_go: Vec<[(MissReason, Option<Vec<bool>>); 4]> =
            legs.iter().enumerate().map(of_leg).collect();
        if lets_go.iter().flatten().all(|(_, lets_go)| lets_go.is_none()) {
            return None;
        }
        let of_leg = |lets_go: &[(MissReason, Option<Vec<bool>>); 4]| {
            let reason = |f: usize| {
                let is_reason =
                    |(_, lets_go): &&(_, Option<Vec<bool>>)| lets_go.as_ref().is_some_and(|l| l[f]);
                lets_go.iter().find(is_reason).map(|(reason, _)| *reason)
            };
            (0..track.frames).map(reason).collect()
        };
        let reasons: Vec<Reasons> = lets_go.iter().map(of_leg).collect();
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

/// The frames at the ends of contacts in which a foot lets go, whose transferred ball (world) this is: between them it would
/// come from one place to the next too fast, as after a source that slides or changes its floor. `None` if it never would.
fn hurries(
    track: &ContactTrack,
    binding: &Binding,
    foot: FootId,
    leg: &Leg,
    ball: impl Fn(usize) -> Vec3,
    frames: Frames,
) -> Option<Vec<bool>> {
    if !leg.has_knee() {
        return None;
    }
    let up = binding.target.up;
    let mut lets_go = vec![false; track.frames];
    let mut before: Option<(Range<usize>, Vec3)> = None;
    for contact in track.of(foot, Part::Ball) {
        let held = firm_frames(contact, track.frames, frames.firm);
        let balls: Vec<Vec3> = held.clone().map(&ball).collect();
        let height = binding.target_height(contact.floor_height) + leg.ball_height;
        let offsets = to_mean_place(&balls, height, up);
        let offset = |offset: Vec3| match contact.slides {
            true => up.vector() * up.height(offset),
            false => offset,
        };
        let [first, last] = [*offsets.first()?, *offsets.last()?].map(offset);
        if let Some((was, from)) = before {
            let farther = ((first - from).norm() / leg.len - SMALL).max(0.0);
            let needed = (frames.step * farther.sqrt()).min(track.frames as f64);
            let gap = held.start.saturating_sub(was.end) as f64;
            let by = (0.5 * (needed - gap)).ceil().max(0.0) as usize;
            lets_go[was.end.saturating_sub(by).max(was.start)..was.end].fill(true);
            lets_go[held.start..(held.start + by).min(held.end)].fill(true);
        }
        before = Some((held, last));
    }
    // A foot that stood for a moment between two steps would come and go in no time.
    for contact in track.of(foot, Part::Ball) {
        let lets_go = &mut lets_go[contact.slow.clone()];
        let stands = lets_go.iter().filter(|lets_go| !**lets_go).count();
        if stands < lets_go.len() && stands < 2 * frames.ease {
            lets_go.fill(true);
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

/// Why a foot does not stand by the contacts that it kept while it stands by the `track`, in every frame. One that
/// does not leap would be held wherever it is slow, and is told there too.
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
    let leaps = |f: usize| near(f..f + 1) == Some(MissReason::LetGo);
    let left = |f: usize| (was[f] && !is[f]) || (slow[f] && near(f..f + 1).is_some() && !leaps(f));
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

    /// The frames in which a foot lets go on its way between two contacts of so many frames at 30 a second, three frames apart,
    /// where its source's goes so far over each contact and over the gap, leg lengths.
    fn hurried(len: usize, slide: f64, step: f64) -> Vec<usize> {
        let hero = crate::convert::LoadedRig::load("samples/skeletons/hero.toml").unwrap();
        let binding = Binding::between(&hero, &hero, &crate::settings::Settings::default());
        let binding = binding.unwrap();
        let leg = &Leg::all(&binding)[0];
        let contact = |slow: Range<usize>| Contact {
            foot: FootId::new(0),
            part: Part::Ball,
            frames: slow.clone(),
            slow,
            floor_height: 0.0,
            slides: false,
        };
        let (next, count) = (len + 3, 2 * len + 3);
        let track = ContactTrack {
            frames: count,
            floor_height: 0.0,
            contacts: vec![contact(0..len), contact(next..count)],
            limbs: Vec::new(),
        };
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        let ball = |f: usize| {
            let into = |from: usize, to: usize| {
                ((f as f64 - from as f64) / (to - from) as f64).clamp(0.0, 1.0)
            };
            let slid = slide * (into(0, len - 1) + into(next, count - 1));
            Vec3::new(0.0, leg.ball_height, (slid + step * into(len - 1, next)) * leg.len)
        };
        let lets_go = hurries(&track, &binding, FootId::new(0), leg, ball, frames);
        lets_go.map_or(Vec::new(), |lets_go| (0..count).filter(|&f| lets_go[f]).collect())
    }

    #[test]
    fn a_foot_lets_go_around_a_short_step_that_its_source_does_not_make() {
        assert!(hurried(40, 0.0, 0.5).is_empty(), "its source's own step");
        assert!(hurried(40, 0.02, 0.1).is_empty(), "a small one");
        let [short, long] = [0.15, 0.3].map(|slide| hurried(40, slide, 0.05));
        // It is held firmly from the second frame of a contact to the last but one.
        assert!(short.contains(&38) && short.contains(&44), "{short:?}");
        assert!(short.iter().all(|f| long.contains(f)) && long.len() > short.len(), "{long:?}");
        let mirrored = |f: &usize| long.contains(&(82 - f));
        assert!(long.iter().all(mirrored), "as long before the step as after it: {long:?}");
        assert_eq!(
            hurried(12, 0.3, 0.05).len(),
            24,
            "contacts that would be left for a moment are not kept"
        );
    }

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
