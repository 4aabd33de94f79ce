//! The support foot of each frame: the foot that carries the body.

use super::contact_interval::Frames;
use crate::contact::{ContactTrack, Part};
use crate::rig::FootId;

/// The foot from which the body is solved in every frame; `None` in flight.
///
/// A foot stays the support foot while it stands. While two feet stand, support changes in the middle of their common
/// interval, so that a short flicker of a contact does not change it.
pub(super) fn supports(track: &ContactTrack, feet: usize, frames: Frames) -> Vec<Option<FootId>> {
    let feet = || (0..feet).map(FootId::new);
    let stands = |foot: FootId| {
        let (heel, ball) = (track.mask(foot, Part::Heel), track.mask(foot, Part::Ball));
        heel.into_iter().zip(ball).map(|(h, b)| h || b).collect::<Vec<bool>>()
    };
    let stands: Vec<Vec<bool>> = feet().map(stands).collect();
    let mut supports = vec![None; track.frames];
    let mut current: Option<FootId> = None;
    for (f, support) in supports.iter_mut().enumerate() {
        let standing = |foot: FootId| stands[foot.index()][f];
        current = match current {
            Some(foot) if standing(foot) => Some(foot),
            _ => feet().find(|&foot| standing(foot)),
        };
        *support = current;
    }
    hand_over_midway(&stands, &mut supports, frames);
    supports
}

/// Moves each change of support to the middle of the preceding interval in which both of its feet stand.
fn hand_over_midway(stands: &[Vec<bool>], supports: &mut [Option<FootId>], frames: Frames) {
    for f in 1..supports.len() {
        let (Some(before), Some(after)) = (supports[f - 1], supports[f]) else { continue };
        let both = |f: usize| stands[before.index()][f] && stands[after.index()][f];
        if before == after || !both(f - 1) {
            continue;
        }
        let begin = (0..f).rev().take_while(|&g| both(g)).last().unwrap_or(f);
        let middle = (begin + f) / 2;
        let middle = middle.max(f.saturating_sub(4 * frames.ease));
        for support in supports.iter_mut().take(f).skip(middle) {
            *support = Some(after);
        }
    }
}
