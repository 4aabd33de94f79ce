//! The words that joint names are made of, in the spellings that real rigs use.

use super::languages::Language;
use super::word::Word;
use crate::rig::{Digit, Side};

/// The word that `text` (lower case) spells, `None` if it is none.
fn lookup(text: &str) -> Option<Word> {
    Some(match text {
        "l" | "left" | "lft" | "左" => Word::Side(Side::Left),
        "r" | "right" | "rgt" | "右" => Word::Side(Side::Right),
        "joint" | "jnt" | "jt" | "bone" | "bind" | "def" | "skin" | "stretch" | "bend" | "fk"
        | "bip" | "mixamorig" | "valvebiped" => Word::Noise,
        "end" | "nub" | "ik" | "dummy" | "null" | "share" | "leaf" | "extra" | "muscle"
        | "jiggle" | "helper" | "prop" | "props" | "target" | "pole" | "ctrl" | "control"
        | "effector" | "site" | "vertex" | "mch" | "org" | "metatarsal" | "metatarsals" => {
            Word::Helper
        }
        "tip" => Word::Tip,
        "twist" | "捩" | "捩れ" => Word::Twist,
        "roll" => Word::Roll,
        "palm" | "carpal" | "metacarpal" | "meta" => Word::Palm,
        "in" => Word::In,
        "up" | "upper" => Word::Up,
        "low" | "lower" | "lo" => Word::Low,
        "fore" => Word::Fore,
        "base" => Word::Base,
        "root" => Word::Root,
        "hips" | "腰" => Word::Hips,
        "hip" => Word::Hip,
        "pelvis" | "下半身" => Word::Pelvis,
        "spine" | "chest" | "abdomen" | "waist" | "torso" | "back" | "belly" | "stomach" | "ab"
        | "上半身" => Word::Trunk,
        "thorax" => Word::Thorax,
        "neck" | "首" => Word::Neck,
        "head" | "頭" => Word::Head,
        "clavicle" | "collar" | "clav" | "collarbone" => Word::Collar,
        "scapula" => Word::Scapula,
        "shoulder" | "肩" => Word::Shoulder,
        "humerus" | "shldr" | "uarm" => Word::UpperArm,
        "arm" | "腕" => Word::Arm,
        "forearm" | "elbow" | "radius" | "ulna" | "farm" | "ひじ" | "肘" => Word::Forearm,
        "wrist" | "手首" => Word::Wrist,
        "hand" | "手" => Word::Hand,
        "thigh" | "femur" => Word::Thigh,
        "leg" | "足" | "脚" => Word::Leg,
        "shin" | "calf" | "tibia" | "knee" | "ひざ" | "膝" => Word::Shin,
        "ankle" | "足首" => Word::Ankle,
        "foot" => Word::Foot,
        "toe" | "toes" | "つま先" => Word::Toe,
        "ball" => Word::Ball,
        "body" => Word::Body,
        "finger" | "fingers" => Word::Finger,
        "thumb" | "親指" => Word::Digit(Digit::Thumb),
        "index" | "人指" | "人差指" | "人差し指" => Word::Digit(Digit::Index),
        "ring" | "薬指" => Word::Digit(Digit::Ring),
        "pinky" | "pinkie" | "little" | "小指" => Word::Digit(Digit::Pinky),
        "mid" | "middle" | "中指" => Word::Mid,
        "proximal" | "medial" | "intermediate" | "distal" => Word::Phalanx,
        _ => return None,
    })
}

/// The longest spelling in all lists, in bytes.
const LONGEST: usize = 14;

/// Splits `text` (lower case) into known words without a rest, as few as possible; `None` if that
/// cannot be done. Time linear in the length of the text.
///
/// Single letters mean a side only at the beginning: "lfemur", but not "ball". Words of a `language` go before those of
/// English.
pub(crate) fn segment(text: &str, language: Option<&Language>) -> Option<Vec<Word>> {
    let lookup = |text: &str| language.and_then(|it| it.lookup(text)).or_else(|| lookup(text));
    // Most names are made of whole words.
    if let Some(word) = lookup(text) {
        return Some(vec![word]);
    }
    // For each place, the fewest words that spell the rest, and the end of the first of them.
    let mut fewest: Vec<Option<(usize, usize)>> = vec![None; text.len() + 1];
    fewest[text.len()] = Some((0, text.len()));
    for start in (0..text.len()).rev() {
        for end in start + 1..=text.len().min(start + LONGEST) {
            let Some((rest, _)) = fewest[end] else { continue };
            let Some(part) = text.get(start..end) else { continue };
            let word = part.len() > 1 || start == 0;
            let better = fewest[start].is_none_or(|(count, _)| rest + 1 < count);
            if word && better && lookup(part).is_some() {
                fewest[start] = Some((rest + 1, end));
            }
        }
    }
    let mut words = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let (_, end) = fewest[start]?;
        words.push(lookup(&text[start..end])?);
        start = end;
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::super::{languages, tokens::tokens};
    use super::*;

    #[test]
    fn lower_case_names_fall_into_words() {
        use Word::*;
        let left = Side(crate::rig::Side::Left);
        assert_eq!(segment("lfemur", None), Some(vec![left, Thigh]));
        assert_eq!(segment("lshoulderjoint", None), Some(vec![left, Shoulder, Noise]));
        assert_eq!(segment("lowerback", None), Some(vec![Low, Trunk]));
        assert_eq!(segment("forearm", None), Some(vec![Forearm]));
        assert_eq!(segment("ring", None), Some(vec![Digit(crate::rig::Digit::Ring)]));
        for text in ["necklace", "handle", "footsteps", "armor", "lip", "頭痛"] {
            assert_eq!(segment(text, None), None, "{text}");
        }
    }

    #[test]
    fn no_spelling_is_longer_than_the_search() {
        // A longer one would never be found where names have no capitals.
        assert!("intermediate".len() <= LONGEST);
        assert!(segment("leftintermediate", None).is_some());
        for language in &languages::ALL {
            for word in language.spellings() {
                assert!(word.len() <= LONGEST && language.lookup(word).is_some(), "{word}");
                assert_eq!(tokens(word, None).len(), 1, "{word} is not written as names are read");
            }
        }
    }
}
