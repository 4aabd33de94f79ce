//! Writes a clip as arrays.

use super::amass::written_smpl;
use super::npy::written_wholes;
use super::npz;
use super::npz::{Mask, masks, numbers, texts};
use super::smpl::{Shape, in_order};
use crate::clip::Clip;
use crate::math::Vec3;
use crate::rig::UpAxis;
use crate::skeleton::JointId;

/// The bytes of an archive with a clip: `names` and `parents` (J), `offsets` (J, 3), `rotations` (T, J, 4), local,
/// `translations` (T, M, 3), local, of the joints with the indices `moving` (M), `positions` (T, J, 3), world, `fps`
/// and `frame_time`, seconds; with `contacts`, also `contacts` (T, P) of the parts `contact_names` (P). Numbers are
/// float64 in the clip's own unit. For a body of SMPL, SMPL-H or SMPL-X it has AMASS's keys instead, with Z up, and the
/// body's `shape`: [`written_smpl`].
pub fn written(clip: &Clip, contacts: Option<&[Mask]>, shape: &Shape) -> Vec<u8> {
    if let Some(bytes) = written_smpl(clip, shape, UpAxis::Z, contacts) {
        return bytes;
    }
    let skeleton = clip.skeleton();
    let (frames, joints) = (clip.len(), skeleton.len());
    let (moving, seconds) = (clip.moving(), clip.frame_time().seconds());
    let parent = |joint: &crate::skeleton::Joint| joint.parent.map_or(-1, |id| id.index() as i64);
    let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.offset).collect();
    let mut rotations = Vec::with_capacity(frames * joints * 4);
    let mut translations = Vec::with_capacity(frames * moving.len() * 3);
    for frame in 0..frames {
        rotations.extend(clip.rotations(frame).iter().flat_map(|q| q.coords.iter().copied()));
        translations.extend(flat(clip.translations(frame)));
    }
    let all: Vec<JointId> = skeleton.ids().collect();
    let mut arrays = vec![
        ("names", texts(skeleton.joints().iter().map(|joint| joint.name.clone()).collect())),
        ("parents", written_wholes(skeleton.joints().iter().map(parent))),
        ("offsets", numbers(&[joints, 3], flat(&offsets))),
        ("fps", numbers(&[], vec![1.0 / seconds])),
        ("frame_time", numbers(&[], vec![seconds])),
        ("rotations", numbers(&[frames, joints, 4], rotations)),
        ("moving", written_wholes(moving.iter().map(|id| id.index() as i64))),
        ("translations", numbers(&[frames, moving.len(), 3], translations)),
        ("positions", positions(clip, &all)),
    ];
    arrays.extend(contacts.map(|contacts| masks(frames, contacts)).into_iter().flatten());
    npz::written(&arrays)
}

/// The bytes of an array of the positions of a clip's joints, (T, J, 3), world, float64 in the clip's own unit. The
/// joints are in the skeleton's order. Those of HumanML3D and of SMPL's bodies are in the order of the layout of that
/// name, which can read them.
pub fn written_points(clip: &Clip) -> Vec<u8> {
    let order = in_order(clip.skeleton()).unwrap_or_else(|| clip.skeleton().ids().collect());
    positions(clip, &order)
}

/// The positions of joints in each frame.
fn positions(clip: &Clip, joints: &[JointId]) -> Vec<u8> {
    let mut positions = Vec::with_capacity(clip.len() * joints.len() * 3);
    clip.each_world(0..clip.len(), |_, world| {
        let place = |&id: &JointId| <[f64; 3]>::from(world.position(id));
        positions.extend(joints.iter().flat_map(place));
    });
    numbers(&[clip.len(), joints.len(), 3], positions)
}

fn flat(vectors: &[Vec3]) -> Vec<f64> {
    vectors.iter().flatten().copied().collect()
}
