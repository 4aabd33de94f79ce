//! The part of a file from HIERARCHY to MOTION.

use super::error::{BvhError, BvhErrorKind, Expected, Found, RepairKind};
use super::number::{is_not_finite, number};
use super::text::{Repairs, Text, Word};
use crate::math::{Axis, Vec3};
use crate::skeleton::{
    Channel, Channels, Joint, JointId, LEAST_REACH_LEN, MOST_JOINTS, MOST_LEN, Skeleton,
    SkeletonError,
};

/// A joint whose closing brace has not come yet.
struct Open {
    joint: usize,
    /// Byte of its name, for repairs.
    at: usize,
    has_offset: bool,
    has_channels: bool,
    has_children: bool,
}

/// Reads the hierarchy and leaves `text` before MOTION or at the end of the file.
pub(super) fn read_hierarchy(
    text: &mut Text<'_>,
    repairs: &mut Repairs,
) -> Result<Skeleton, BvhError> {
    let first = text.word();
    if !first.is("HIERARCHY") {
        return Err(text.expected(Expected::Hierarchy, first));
    }
    let mut joints: Vec<Joint> = Vec::new();
    let mut path: Vec<Open> = Vec::new();
    loop {
        let word = text.word();
        let Some(open) = path.last_mut() else {
            if word.bytes.is_empty() || word.is("MOTION") {
                text.at = word.at;
                break;
            } else if word.is("ROOT") || word.is("JOINT") && joints.is_empty() {
                path.push(open_joint(text, None, &mut joints, repairs)?);
            } else if word.is("JOINT") {
                let joint = decode(text.name().bytes).0;
                return Err(text.error(word.at, BvhErrorKind::JointOutside { joint }));
            } else if word.bytes == b"}" {
                return Err(text.error(word.at, BvhErrorKind::NothingToClose));
            } else {
                return Err(text.expected(Expected::Root, word));
            }
            continue;
        };
        let joint = &mut joints[open.joint];
        if word.is("OFFSET") {
            if std::mem::replace(&mut open.has_offset, true) {
                return Err(repeated(text, word, "OFFSET", joint));
            }
            joint.offset = vector(text)?;
        } else if word.is("CHANNELS") {
            if std::mem::replace(&mut open.has_channels, true) {
                return Err(repeated(text, word, "CHANNELS", joint));
            }
            if open.has_children {
                let joint = joint.name.clone();
                return Err(text.error(word.at, BvhErrorKind::LateChannels { joint }));
            }
            joint.channels = channels(text, joint)?;
        } else if word.is("JOINT") {
            open.has_children = true;
            let parent = JointId::new(open.joint);
            path.push(open_joint(text, Some(parent), &mut joints, repairs)?);
        } else if word.is("End") || word.is("EndSite") {
            let end = end_site(text, word, joint, repairs)?;
            joint.end_sites.push(end);
        } else if word.bytes == b"}" {
            if !open.has_offset {
                repairs.push(open.at, RepairKind::NoOffset { joint: joint.name.clone() });
            }
            path.pop();
        } else if word.bytes.is_empty() || word.is("MOTION") || word.is("ROOT") {
            let (joint, found) = (joint.name.clone(), Found::word(word.bytes));
            let kind = BvhErrorKind::Unclosed { joint, open: path.len(), found };
            return Err(text.error(word.at, kind));
        } else {
            return Err(text.expected(Expected::JointItem, word));
        }
    }
    let skeleton = Skeleton::new(joints).map_err(|error| {
        // Order and finite numbers are certain by now.
        debug_assert_eq!(error, SkeletonError::Empty);
        text.error(text.at, BvhErrorKind::NoJoint)
    })?;
    let reach_len = skeleton.reach_len();
    match reach_len > 0.0 && reach_len < LEAST_REACH_LEN {
        true => Err(text.error(first.at, BvhErrorKind::TooSmall)),
        false => Ok(skeleton),
    }
}

/// Reads a joint's name and opening brace, and puts it into the list.
fn open_joint(
    text: &mut Text<'_>,
    parent: Option<JointId>,
    joints: &mut Vec<Joint>,
    repairs: &mut Repairs,
) -> Result<Open, BvhError> {
    let word = text.name();
    if joints.len() == MOST_JOINTS {
        return Err(text.error(word.at, BvhErrorKind::TooManyJoints));
    }
    let (name, is_utf8) = decode(word.bytes);
    if !is_utf8 {
        repairs.push(word.at, RepairKind::NameNotUtf8 { name: name.clone() });
    }
    opening_brace(text)?;
    joints.push(Joint {
        name,
        parent,
        offset: Vec3::zeros(),
        channels: Channels::none(),
        end_sites: Vec::new(),
    });
    Ok(Open {
        joint: joints.len() - 1,
        at: word.at,
        has_offset: false,
        has_channels: false,
        has_children: false,
    })
}

/// A name as text, and whether it was UTF-8. Other bytes are taken for Latin-1, which keeps
/// different names different.
pub(super) fn decode(name: &[u8]) -> (String, bool) {
    match std::str::from_utf8(name) {
        Ok(name) => (name.to_owned(), true),
        Err(_) => (name.iter().map(|&b| b as char).collect(), false),
    }
}

fn opening_brace(text: &mut Text<'_>) -> Result<(), BvhError> {
    let word = text.word();
    if word.bytes == b"{" { Ok(()) } else { Err(text.expected(Expected::OpeningBrace, word)) }
}

fn repeated(text: &Text<'_>, at: Word<'_>, word: &'static str, joint: &Joint) -> BvhError {
    text.error(at.at, BvhErrorKind::Repeated { word, joint: joint.name.clone() })
}

/// The three numbers after OFFSET.
fn vector(text: &mut Text<'_>) -> Result<Vec3, BvhError> {
    let mut vector = Vec3::zeros();
    for component in vector.iter_mut() {
        let word = text.word();
        *component = match number(word.bytes) {
            Some((value, _)) if value.abs() > MOST_LEN => {
                let kind = BvhErrorKind::TooLong { found: Found::word(word.bytes) };
                return Err(text.error(word.at, kind));
            }
            Some((value, _)) => value,
            None => return Err(no_number(text, word)),
        };
    }
    Ok(vector)
}

/// The error that `word` is no number.
pub(super) fn no_number(text: &Text<'_>, word: Word<'_>) -> BvhError {
    if is_not_finite(word.bytes) {
        text.error(word.at, BvhErrorKind::NotFinite { found: Found::word(word.bytes) })
    } else {
        text.expected(Expected::Number, word)
    }
}

/// The number of channels after CHANNELS, and their names.
fn channels(text: &mut Text<'_>, joint: &Joint) -> Result<Channels, BvhError> {
    let count = text.word();
    let Some(declared) = whole(count.bytes) else {
        return Err(text.expected(Expected::ChannelCount, count));
    };
    let mut list: Vec<Channel> = Vec::new();
    loop {
        let word = text.peek();
        let name = || Found::word(word.bytes);
        let complete = list.len() as u64 == declared;
        match channel(word) {
            Some(channel) if !complete => {
                text.word();
                list.push(channel);
                if Channels::new(&list).is_none() {
                    let joint = joint.name.clone();
                    let kind = BvhErrorKind::RepeatedChannel { name: name(), joint };
                    return Err(text.error(word.at, kind));
                }
            }
            None if complete => break,
            None if !ends_channels(word) => {
                return Err(text.error(word.at, BvhErrorKind::UnknownChannel { name: name() }));
            }
            beyond => {
                let (listed, joint) = (list.len() + beyond.iter().len(), joint.name.clone());
                let kind = BvhErrorKind::ChannelCount { declared, listed, joint };
                return Err(text.error(count.at, kind));
            }
        }
    }
    Ok(Channels::new(&list).expect("checked at each one"))
}

/// Whether a word can follow a list of channels.
fn ends_channels(word: Word<'_>) -> bool {
    let keywords =
        ["OFFSET", "CHANNELS", "JOINT", "End", "EndSite", "ROOT", "MOTION", "{", "}", ""];
    keywords.iter().any(|keyword| word.is(keyword))
}

fn channel(word: Word<'_>) -> Option<Channel> {
    let (first, kind) = word.bytes.split_first()?;
    let axis = match first.to_ascii_uppercase() {
        b'X' => Axis::X,
        b'Y' => Axis::Y,
        b'Z' => Axis::Z,
        _ => return None,
    };
    if kind.eq_ignore_ascii_case(b"position") {
        Some(Channel::Position(axis))
    } else if kind.eq_ignore_ascii_case(b"rotation") {
        Some(Channel::Rotation(axis))
    } else {
        None
    }
}

/// A whole number of any size; beyond u64 it is the largest one.
pub(super) fn whole(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    let all_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let append = |n: u64, digit: &u8| n.saturating_mul(10).saturating_add((digit - b'0') as u64);
    all_digits.then(|| digits.iter().fold(0, append))
}

/// The body of an End Site whose keyword `word` has just been read.
fn end_site(
    text: &mut Text<'_>,
    word: Word<'_>,
    joint: &Joint,
    repairs: &mut Repairs,
) -> Result<Vec3, BvhError> {
    // "Site" and, in some files, a name: neither says anything about the skeleton.
    text.name();
    opening_brace(text)?;
    let mut end = None;
    loop {
        let item = text.word();
        if item.is("OFFSET") {
            if end.is_some() {
                return Err(repeated(text, item, "OFFSET of an End Site", joint));
            }
            end = Some(vector(text)?);
        } else if item.bytes == b"}" {
            break;
        } else {
            return Err(text.expected(Expected::EndSiteItem, item));
        }
    }
    Ok(end.unwrap_or_else(|| {
        repairs.push(word.at, RepairKind::NoEndOffset { joint: joint.name.clone() });
        Vec3::zeros()
    }))
}
