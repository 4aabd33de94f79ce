//! How a text names a joint: by its name, and where several share it, by name and place.

use crate::skeleton::{JointId, Skeleton};
use std::collections::HashMap;

/// The text that names the joint: its name, or `name#2` for the second joint of that name.
pub(crate) fn joint_text(skeleton: &Skeleton, joint: JointId) -> String {
    let name = skeleton.name(joint);
    let same = |id: &JointId| skeleton.name(*id) == name;
    let count = skeleton.ids().filter(same).count();
    let place = skeleton.ids().take(joint.index() + 1).filter(same).count();
    counted(name, place, count)
}

/// [`joint_text`] of every joint, in skeleton order.
pub(crate) fn joint_texts(skeleton: &Skeleton) -> Vec<String> {
    let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names() {
        *counts.entry(name).or_default() += 1;
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    names()
        .map(|name| {
            let place = places.entry(name).or_default();
            *place += 1;
            counted(name, *place, counts[name])
        })
        .collect()
}

fn counted(name: &str, place: usize, count: usize) -> String {
    if count > 1 { format!("{name}#{place}") } else { name.to_owned() }
}

/// Why a text names no joint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointNameError {
    /// No joint has that name.
    #[error("no joint is called {text:?}{}", did_you_mean(nearest))]
    Unknown { text: String, nearest: Option<String> },
    /// Several joints have that name.
    #[error(
        "{count} joints are called {text:?}; write \"{text}#1\" for the first of them in the \
         file's order, up to \"{text}#{count}\" for the last"
    )]
    Ambiguous { text: String, count: usize },
}

/// "; did you mean …?", or nothing.
pub(crate) fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |n| format!("; did you mean {n:?}?"))
}

/// The joint that `text` names: the only joint of that name, or `name#2` for the second of several.
pub(crate) fn find_joint(skeleton: &Skeleton, text: &str) -> Result<JointId, JointNameError> {
    let named = |name: &str| -> Vec<JointId> {
        skeleton.ids().filter(|&id| skeleton.name(id) == name).collect()
    };
    match named(text)[..] {
        [only] => return Ok(only),
        [] => {}
        ref several => {
            return Err(JointNameError::Ambiguous { text: text.to_owned(), count: several.len() });
        }
    }
    if let Some((name, place)) = text.rsplit_once('#')
        && let Ok(place) = place.parse::<usize>()
        && place >= 1
        && let Some(&joint) = named(name).get(place - 1)
    {
        return Ok(joint);
    }
    let names = skeleton.joints().iter().map(|j| j.name.as_str());
    let nearest = nearest(text, names).map(str::to_owned);
    Err(JointNameError::Unknown { text: text.to_owned(), nearest })
}

/// The candidate that a typing mistake could have turned into `text`: at most a third of the longer
/// one's letters wrong, left out, added or swapped with a neighbour, case aside.
pub(crate) fn nearest<'a>(
    text: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let letters = |s: &str| s.to_lowercase().chars().take(64).collect::<Vec<char>>();
    let text = letters(text);
    candidates
        .map(|candidate| (edits(&text, &letters(candidate)), candidate))
        .filter(|&(edits, candidate)| 3 * edits <= text.len().max(candidate.chars().count()))
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Edit distance with neighbours swapped as one edit (optimal string alignment).
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_a_typing_mistake_away() {
        let words = ["left_thigh", "right_thigh", "left_shin", "floor"];
        assert_eq!(nearest("left_tigh", words.into_iter()), Some("left_thigh"));
        assert_eq!(nearest("Left_hTigh", words.into_iter()), Some("left_thigh"));
        assert_eq!(nearest("flor", words.into_iter()), Some("floor"));
        assert_eq!(nearest("scale", words.into_iter()), None);
    }
}
