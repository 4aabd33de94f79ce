//! Reads a clip from arrays of a skeleton and its rotations.

use super::npz::Archive;
use super::{ArrayError, Meant, frame_time, parents};
use crate::clip::{Clip, FrameTime};
use crate::math::{Quat, Vec3};
use crate::pose::Pose;
use crate::skeleton::{Channels, Joint, JointId, Skeleton, depth_first};
use nalgebra::Quaternion;

/// The arrays of a skeleton's tree, with joints in any order.
pub struct Tree {
    pub names: Vec<String>,
    /// The indices of the parents; negative for a root.
    pub parents: Vec<isize>,
    pub offsets: Vec<Vec3>,
}

/// Reads the clip that [`written`](super::written) writes. Numbers are equal to the last bit; orders of channels are
/// not kept.
pub fn clip(archive: &Archive, meant: &Meant) -> Result<Clip, ArrayError> {
    let lacks = |key| ArrayError::Lacks { key, of: "rotations" };
    let names = archive.texts("names")?.ok_or_else(|| lacks("names"))?;
    let joints = names.len();
    if !archive.has("parents") {
        return Err(lacks("parents"));
    }
    let offsets = vectors(archive, "offsets", &[joints])?.ok_or_else(|| lacks("offsets"))?;
    let tree = Tree { names, parents: parents(archive)?, offsets };
    let (shape, numbers) = archive.numbers("rotations")?.ok_or_else(|| lacks("rotations"))?;
    let key = || "rotations".to_owned();
    let frames = match shape[..] {
        [frames, own, 4] if own == joints => frames,
        _ => {
            let wanted = format!("(T, {joints}, 4), frames of joints of X, Y, Z, W,");
            return Err(ArrayError::Shape { key: key(), shape, wanted });
        }
    };
    let wrong = |item: usize| ArrayError::Item {
        key: key(),
        frame: item / joints,
        item: format!("joint {:?}", tree.names[item % joints]),
        what: "it is no unit quaternion",
    };
    let rotations = numbers.chunks_exact(4).enumerate();
    let rotations = rotations.map(|(item, q)| rotation(q).ok_or_else(|| wrong(item)));
    let rotations = rotations.collect::<Result<Vec<_>, _>>()?;
    let moving = match archive.numbers("moving")? {
        Some((_, places)) => places.into_iter().map(|place| place as usize).collect(),
        None => vec![0],
    };
    let translations = vectors(archive, "translations", &[frames, moving.len()])?;
    let translations = translations.ok_or_else(|| lacks("translations"))?;
    let frame_time = frame_time(meant, Some(archive))?;
    moved(&tree, &rotations, &moving, &translations, frame_time)
}

/// A quaternion, normalised unless its length is one already.
fn rotation(q: &[f64]) -> Option<Quat> {
    let q = Quaternion::new(q[3], q[0], q[1], q[2]);
    match q.norm() {
        len if (len - 1.0).abs() <= 1e-12 => Some(Quat::new_unchecked(q)),
        len if (len - 1.0).abs() <= 0.05 => Some(Quat::new_normalize(q)),
        _ => None,
    }
}

/// The vectors of an array of this shape and a last dimension of three; `None` if there is no such array.
pub fn vectors(
    archive: &Archive,
    key: &str,
    sizes: &[usize],
) -> Result<Option<Vec<Vec3>>, ArrayError> {
    let Some((shape, numbers)) = archive.numbers(key)? else { return Ok(None) };
    if shape != [sizes, &[3]].concat() {
        let sizes: String = sizes.iter().map(|size| format!("{size}, ")).collect();
        let wanted = format!("({sizes}3)");
        return Err(ArrayError::Shape { key: key.to_owned(), shape, wanted });
    }
    if let Some(at) = numbers.iter().position(|number| !number.is_finite()) {
        let row: usize = sizes[1..].iter().product::<usize>() * 3;
        let (frame, item) = (at / row, format!("item {}", at % row / 3));
        let what = "it is no finite number";
        return Err(ArrayError::Item { key: key.to_owned(), frame, item, what });
    }
    Ok(Some(numbers.chunks_exact(3).map(Vec3::from_column_slice).collect()))
}

/// The clip of local rotations, frame-major and in the tree's order, and of the translations of the joints `moving`.
pub fn moved(
    tree: &Tree,
    rotations: &[Quat],
    moving: &[usize],
    translations: &[Vec3],
    frame_time: FrameTime,
) -> Result<Clip, ArrayError> {
    let joints = tree.names.len();
    if tree.parents.len() != joints {
        let (key, shape) = ("parents".to_owned(), vec![tree.parents.len()]);
        return Err(ArrayError::Shape { key, shape, wanted: format!("({joints},)") });
    }
    let order = depth_first(&tree.parents)?;
    let mut new_place = vec![0; joints];
    order.iter().enumerate().for_each(|(new, &old)| new_place[old] = new);
    let joint = |&old: &usize| {
        let parent = usize::try_from(tree.parents[old]).ok();
        let parent = parent.map(|parent| JointId::new(new_place[parent]));
        let channels = Channels::usual(parent.is_none() || moving.contains(&old));
        Joint { channels, ..Joint::new(&tree.names[old], parent, tree.offsets[old]) }
    };
    let skeleton = Skeleton::new(order.iter().map(joint).collect())?;
    let most = skeleton.most_away_len();
    if translations.iter().any(|place| place.amax() > most) {
        return Err(ArrayError::FarAway);
    }
    let mut pose = Pose::rest(&skeleton);
    let frames = rotations.len() / joints;
    let mut clip = Clip::with_capacity(skeleton, frame_time, frames);
    for frame in 0..frames {
        for (new, &old) in order.iter().enumerate() {
            pose.rotations[new] = rotations[frame * joints + old];
        }
        let places = &translations[frame * moving.len()..(frame + 1) * moving.len()];
        for (&old, &place) in moving.iter().zip(places) {
            if let Some(&new) = new_place.get(old) {
                pose.translations[new] = place;
            }
        }
        clip.push_pose(&pose);
    }
    Ok(clip)
}
