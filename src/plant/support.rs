//! Which foot carries the body in each frame.

use super::foot::Frames;
use crate::contact::{ContactTrack, Part};
use crate::rig::Side;

/// The foot that the body is solved from in every frame; `None` in flight.
///
/// A foot keeps the support while it stands. Where both stand it is handed over in the middle of
/// their common time, so that no moment's flicker of a contact moves it.
pub(super) fn supports(track: &ContactTrack, frames: Frames) -> Vec<Option<Side>> {
    let stands = Side::BOTH.map(|side| {
        let (heel, ball) = (track.mask(side, Part::Heel), track.mask(side, Part::Ball));
        heel.into_iter().zip(ball).map(|(h, b)| h || b).collect::<Vec<bool>>()
    });
    let mut supports = vec![None; track.frames];
    let mut current: Option<Side> = None;
    for (f, support) in supports.iter_mut().enumerate() {
        let standing = |side: Side| stands[side.index()][f];
        current = match current {
            Some(side) if standing(side) => Some(side),
            _ => Side::BOTH.into_iter().find(|&side| standing(side)),
        };
        *support = current;
    }
    hand_over_midway(&stands, &mut supports, frames);
    supports
}

/// Moves each change of support to the middle of the time in which both feet stand before it.
fn hand_over_midway(stands: &[Vec<bool>; 2], supports: &mut [Option<Side>], frames: Frames) {
    let both = |f: usize| stands[0][f] && stands[1][f];
    for f in 1..supports.len() {
        let (Some(before), Some(after)) = (supports[f - 1], supports[f]) else { continue };
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
