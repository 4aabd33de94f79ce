//! A clip as arrays.

use super::npy::{Array, Items, written_bools, written_wholes};
use super::npz;
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};

/// When a part of the body carries weight: its name, and whether it does in each frame.
pub type Mask = (String, Vec<bool>);

/// The bytes of an archive with a clip: `names` and `parents` (J), `offsets` (J, 3), `rotations` (T, J, 4), local,
/// `translations` (T, M, 3), local, of the joints at the places `moving` (M), `positions` (T, J, 3), world, `fps` and
/// `frame_time`, seconds; with `contacts`, also `contacts` (T, P) of the parts `contact_names` (P). Numbers are float64 in the
/// clip's own unit.
pub fn written(clip: &Clip, contacts: Option<&[Mask]>) -> Vec<u8> {
    let skeleton = clip.skeleton();
    let (frames, joints) = (clip.len(), skeleton.len());
    let (moving, seconds) = (clip.moving(), clip.frame_time().seconds());
    let numbers = |shape: &[usize], numbers: Vec<f64>| {
        Array { shape: shape.to_vec(), items: Items::Numbers(numbers) }.written()
    };
    let texts = |texts: Vec<String>| {
        Array { shape: vec![texts.len()], items: Items::Texts(texts) }.written()
    };
    let flat = |vectors: &[Vec3]| -> Vec<f64> { vectors.iter().flatten().copied().collect() };
    let parent = |joint: &crate::skeleton::Joint| joint.parent.map_or(-1, |id| id.index() as i64);
    let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.offset).collect();
    let mut rotations = Vec::with_capacity(frames * joints * 4);
    let mut translations = Vec::with_capacity(frames * moving.len() * 3);
    let mut positions = Vec::with_capacity(frames * joints * 3);
    let (mut pose, mut world) = (Pose::rest(skeleton), WorldPose::new(joints));
    for frame in 0..frames {
        rotations.extend(clip.rotations(frame).iter().flat_map(|q| q.coords.iter().copied()));
        translations.extend(flat(clip.translations(frame)));
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        positions.extend(flat(&world.positions));
    }
    let mut arrays = vec![
        ("names", texts(skeleton.joints().iter().map(|joint| joint.name.clone()).collect())),
        ("parents", written_wholes(skeleton.joints().iter().map(parent))),
        ("offsets", numbers(&[joints, 3], flat(&offsets))),
        ("fps", numbers(&[], vec![1.0 / seconds])),
        ("frame_time", numbers(&[], vec![seconds])),
        ("rotations", numbers(&[frames, joints, 4], rotations)),
        ("moving", written_wholes(moving.iter().map(|id| id.index() as i64))),
        ("translations", numbers(&[frames, moving.len(), 3], translations)),
        ("positions", numbers(&[frames, joints, 3], positions)),
    ];
    if let Some(masks) = contacts {
        let at = |frame: usize| masks.iter().map(move |(_, mask)| mask[frame]);
        let shape = [frames, masks.len()];
        arrays.push(("contacts", written_bools(&shape, (0..frames).flat_map(at))));
        let names = masks.iter().map(|(name, _)| name.clone()).collect();
        arrays.push(("contact_names", texts(names)));
    }
    npz::written(&arrays)
}
