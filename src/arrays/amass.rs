//! Writes clips on bodies of SMPL, SMPL-H and SMPL-X with AMASS's keys.

use super::npy::{Array, Items};
use super::npz;
use super::npz::{Mask, masks, numbers};
use super::smpl::{Shape, in_order, is_model};
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::Pose;
use crate::rig::UpAxis;
use crate::skeleton::Skeleton;

/// The heights above the pelvis that a head may have, metres.
const HEAD_M: std::ops::Range<f64> = 0.15..1.5;

/// Whether the zero pose is like that of the models: Y up, X to the body's left, in metres.
fn stands_as_models(skeleton: &Skeleton) -> bool {
    let from_pelvis = |name: &str| -> Option<Vec3> {
        let id = skeleton.find(name)?;
        let way = std::iter::once(id).chain(skeleton.ancestors(id));
        let below = way.filter(|&id| skeleton.parent(id).is_some());
        Some(below.map(|id| skeleton.joint(id).offset).sum())
    };
    let of = |name| from_pelvis(name).unwrap_or_default();
    let (head, across) = (of("Head"), of("Left_hip") - of("Right_hip"));
    HEAD_M.contains(&head.y) && UpAxis::nearest(head) == UpAxis::Y && across.x > 0.0
}

/// The bytes of an archive with AMASS's keys, for a clip on a body of SMPL, SMPL-H or SMPL-X that has Y up: `poses` (T,
/// 3 J), axis times radians, `trans` (T, 3), metres, `betas`, `gender`, `mocap_framerate`, and `contacts` as
/// [`written`] has them. `up`, Y or Z, is the up axis of the archive. `None` if the clip is on another skeleton, or
/// translates joints besides the pelvis.
///
/// [`written`]: super::written
pub fn written_smpl(
    clip: &Clip,
    shape: &Shape,
    up: UpAxis,
    contacts: Option<&[Mask]>,
) -> Option<Vec<u8>> {
    let skeleton = clip.skeleton();
    let is_body =
        is_model(skeleton.len()) && stands_as_models(skeleton) && clip.moving().len() == 1;
    let order = in_order(skeleton).filter(|_| is_body)?;
    let turn = UpAxis::Y.turn_to(up);
    let rest = skeleton.joint(order[0]).offset;
    let (mut poses, mut trans) = (Vec::new(), Vec::new());
    let mut pose = Pose::rest(skeleton);
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        for (place, id) in order.iter().enumerate() {
            let own = pose.rotations[id.index()];
            let own = if place == 0 { turn * own } else { own };
            poses.extend(own.scaled_axis().iter());
        }
        trans.extend((turn * pose.translations[order[0].index()] - rest).iter());
    }
    let (frames, joints) = (clip.len(), order.len());
    let gender = Items::Texts(vec![shape.gender.clone()]);
    let mut arrays = vec![
        ("poses", numbers(&[frames, 3 * joints], poses)),
        ("trans", numbers(&[frames, 3], trans)),
        ("betas", numbers(&[shape.betas.len()], shape.betas.clone())),
        ("gender", Array { shape: Vec::new(), items: gender }.written()),
        ("mocap_framerate", numbers(&[], vec![1.0 / clip.frame_time().seconds()])),
    ];
    arrays.extend(contacts.map(|contacts| masks(frames, contacts)).into_iter().flatten());
    Some(npz::written(&arrays))
}
