//! Feet that let go of the floor while their source's stand: those of a body that leaps onto its hands, and long ones
//! below a knee that kneels. The plan takes them for feet in the air.

use super::contact_interval::{Frames, frames_away};
use super::miss::MissReason;
use super::transferred::Leg;
use crate::binding::Binding;
use crate::contact::{Contact, ContactTrack, Limb};
use crate::math::runs;
use crate::rig::FootId;

/// The length of a foot from ankle to ball, in shins, from which on it lets go while its knee kneels: to stay in its place
/// it would lift its ankle over the knee, and a small change of either would turn the shin around.
const LONG: f64 = 0.9;

/// How long before and after its knee kneels a long foot lets go, as a multiple of the time over which the knee's hold
/// eases: a foot that comes back sooner whips its leg about.
pub(super) const KNEELING: f64 = 2.0;

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
    /// the hands. `None` if no foot has a reason to let go.
    pub fn new(
        track: &ContactTrack,
        binding: &Binding,
        legs: &[Leg],
        leaps: Option<Vec<bool>>,
        frames: Frames,
    ) -> Option<Self> {
        let kneels: Vec<Option<Vec<bool>>> =
            legs.iter().map(|leg| kneels(track, binding, leg, frames)).collect();
        if leaps.is_none() && kneels.iter().all(Option::is_none) {
            return None;
        }
        let of_leg = |kneels: &Option<Vec<bool>>| {
            let reason = |f: usize| match (&leaps, kneels) {
                (Some(leaps), _) if leaps[f] => Some(MissReason::LetGo),
                (_, Some(kneels)) if kneels[f] => Some(MissReason::LongFoot),
                _ => None,
            };
            (0..track.frames).map(reason).collect()
        };
        let reasons: Vec<Reasons> = kneels.iter().map(of_leg).collect();
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

/// The contacts without those of feet in frames in which they let go.
fn kept(track: &ContactTrack, reasons: &[Reasons], frames: Frames) -> ContactTrack {
    let part = |contact: &Contact| {
        let Contact { foot, frames: was, slow: whole, .. } = contact;
        let stands = |f: usize| reasons[foot.index()][f].is_none();
        let parts = runs(whole.clone(), stands).into_iter().filter_map(|slow| {
            // A foot is held only some time after it has come down, and until some time before it leaves.
            let [from, to] = [slow.start > whole.start, slow.end < whole.end]
                .map(|is_cut| if is_cut { frames.firm } else { 0 });
            let frames = was.start.max(slow.start + from)..was.end.min(slow.end.saturating_sub(to));
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

/// Why a foot does not stand by the contacts that it kept while it stands by the `track`, in every frame.
fn told(
    track: &ContactTrack,
    kept: &ContactTrack,
    foot: FootId,
    reasons: &Reasons,
    frames: Frames,
) -> Reasons {
    let mask =
        |of: &ContactTrack| of.frames_of(of.contacts.iter().filter(|contact| contact.foot == foot));
    let (was, is) = (mask(track), mask(kept));
    let mut told = vec![None; track.frames];
    for run in runs(0..track.frames, |f| was[f] && !is[f]) {
        // What is left of a contact may lack frames next to those in which the foot lets go.
        let near = run.start.saturating_sub(frames.firm)..(run.end + frames.firm).min(was.len());
        let reason = reasons[near].iter().flatten().next().copied();
        told[run].fill(reason);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Part;
    use crate::plant::{PlantSettings, leap};
    use std::ops::Range;

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
        assert!((0..100).all(|f| told[f].is_some() == (f == 2)));
    }
}
