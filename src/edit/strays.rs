//! Stray frames: single frames that are far from the frames before and after, which are near each other. A first or last
//! frame that is far from the motion beside it is a pose apart.

use super::between;
use crate::blocks;
use crate::clip::Clip;
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;
use crate::skeleton::JointId;

/// A stray frame has a joint that is at least this far from the middle between the frames before and after. It is a share
/// of the body's size, the farthest distance of a joint from the root.
const FAR: f64 = 0.25;
/// The frames before and after are nearer to each other than this share of that distance.
const AGREE: f64 = 0.25;
/// The least acceleration that a stray frame would mean, in sizes of the body a second squared (about 45 g).
const SPEED_UP: f64 = 450.0;

/// A joint cannot make a frame stray if its local rotation is within 17° of the one in the frame before or after. This is
/// the cosine of half the angle.
const NEAR_COS: f64 = 0.989;
/// Nor can a joint whose local translation is nearer than this to the one in the frame before or after, in sizes of the
/// body.
const NEAR: f64 = 0.1;

/// The stray frames of a clip, in order. The first and the last frame never are stray (see [`poses_apart`]), nor are two
/// frames beside each other: a clip that goes to and fro from frame to frame has no stray frames.
///
/// Costs one comparison of local rotations a frame, and three times forward kinematics for frames that differ there.
pub fn stray_frames(clip: &Clip) -> Vec<usize> {
    if clip.len() < 3 {
        return Vec::new();
    }
    let seconds = clip.frame_time().seconds();
    let size = size(&world(clip, 0));
    let is_far = |f: &usize| may_be_stray(clip, *f, NEAR * size);
    let is_stray = |f: &usize| {
        let [before, is, after] = [f - 1, *f, f + 1].map(|f| world(clip, f));
        let middle = |j: usize| (before.positions[j] + after.positions[j]) / 2.0;
        let farthest = |of: &dyn Fn(usize) -> Vec3| {
            (0..is.positions.len()).map(|j| of(j).norm()).fold(0.0, f64::max)
        };
        let far = farthest(&|j| is.positions[j] - middle(j));
        let apart = farthest(&|j| after.positions[j] - before.positions[j]);
        let size = 0.5 * (self::size(&before) + self::size(&after));
        let speed_up = 2.0 * far / (seconds * seconds);
        size > 0.0 && far > FAR * size && apart < AGREE * far && speed_up > SPEED_UP * size
    };
    let found = blocks::map(
        blocks::of_frames(clip.len() - 2),
        || (),
        |_, block| {
            let frames = block.start + 1..block.end + 1;
            frames.filter(is_far).filter(is_stray).collect::<Vec<usize>>()
        },
    );
    let found = found.concat();
    let is_lone = |i: &usize| {
        let beside = |j: Option<usize>| j.and_then(|j| found.get(j));
        let frame = found[*i];
        beside(i.checked_sub(1)).is_none_or(|before| before + 1 < frame)
            && beside(i.checked_add(1)).is_none_or(|after| frame + 1 < *after)
    };
    (0..found.len()).filter(is_lone).map(|i| found[i]).collect()
}

/// The first and the last frame of a clip, as far as each is a pose apart from the motion: as far from where the motion
/// beside it leads as a stray frame is. Many clips begin with a rest pose.
pub fn poses_apart(clip: &Clip) -> Vec<usize> {
    let Some(last) = clip.len().checked_sub(1).filter(|last| *last >= 3) else {
        return Vec::new();
    };
    let seconds = clip.frame_time().seconds();
    let is_apart = |[end, beside, next]: [usize; 3]| {
        let [is, beside, next] = [end, beside, next].map(|f| world(clip, f));
        let places = || is.positions.iter().zip(&beside.positions).zip(&next.positions);
        let far = places().map(|((is, a), b)| (is - (2.0 * a - b)).norm()).fold(0.0, f64::max);
        let apart = places().map(|((_, a), b)| (a - b).norm()).fold(0.0, f64::max);
        let size = size(&beside);
        let speed_up = far / (seconds * seconds);
        size > 0.0 && far > FAR * size && apart < AGREE * far && speed_up > SPEED_UP * size
    };
    let ends = [[0, 1, 2], [last, last - 1, last - 2]];
    ends.into_iter().filter(|end| is_apart(*end)).map(|[end, ..]| end).collect()
}

/// The clip with each of these frames replaced by the middle between the frames before and after, of rotations the short
/// way round, and the first or the last frame by what the two frames beside it lead to. Frames must not be beside each
/// other, and the clip must have three.
pub fn without_strays(clip: &Clip, strays: &[usize]) -> Clip {
    let mut repaired = clip.clone();
    for &frame in strays {
        let ([from, to], way) = match frame {
            0 => ([2, 1], 2.0),
            last if last + 1 == clip.len() => ([last - 2, last - 1], 2.0),
            _ => ([frame - 1, frame + 1], 0.5),
        };
        let pairs = clip.rotations(from).iter().zip(clip.rotations(to));
        let rotations: Vec<Quat> = pairs.map(|(a, b)| between(a, b, way)).collect();
        let pairs = clip.translations(from).iter().zip(clip.translations(to));
        let translations: Vec<Vec3> = pairs.map(|(a, b)| a.lerp(b, way)).collect();
        repaired.replace(frame, &rotations, &translations);
    }
    repaired
}

fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), &clip.pose(frame))
}

/// The farthest distance of a joint from the first one.
fn size(world: &WorldPose) -> f64 {
    let root = world.position(JointId::new(0));
    world.positions.iter().map(|place| (place - root).norm()).fold(0.0, f64::max)
}

/// Whether a local rotation or translation is far from those in the frames before and after, which are near each other.
fn may_be_stray(clip: &Clip, frame: usize, near: f64) -> bool {
    let [before, is, after] = [frame - 1, frame, frame + 1];
    let [p, q, r] = [before, is, after].map(|f| clip.rotations(f));
    let turns = p.iter().zip(q).zip(r).any(|((p, q), r)| {
        let cos = |a: &Quat, b: &Quat| a.coords.dot(&b.coords).abs();
        // Of most joints the frame before tells that they are near.
        let before = cos(p, q);
        if before >= NEAR_COS {
            return false;
        }
        let nearest = before.max(cos(q, r));
        nearest < NEAR_COS && cos(p, r) > nearest
    });
    let [p, q, r] = [before, is, after].map(|f| clip.translations(f));
    turns
        || p.iter().zip(q).zip(r).any(|((p, q), r)| {
            let before = (q - p).norm();
            if before <= near {
                return false;
            }
            let nearest = before.min((r - q).norm());
            nearest > near && (r - p).norm() < nearest
        })
}
