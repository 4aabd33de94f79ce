//! What moved what in one frame of a conversion.

use super::{Conversion, SourceClip, without_strays};
use crate::binding::{Binding, Limits, limited};
use crate::contact::{Contact, Limb, LimbContact, Part};
use crate::edit;
use crate::math::{Quat, Vec3};
use crate::plant::{BodyMove, GoalLimb, HandMove, HeldBack, Miss, Swept};
use crate::pose::WorldPose;
use crate::rig::{FootId, Role, Side};
use crate::skeleton::JointId;
use crate::transfer::{Transfer, TransferScratch};
use serde::Serialize;
use std::borrow::Cow;

/// One frame: where the transfer put things, and where planting moved them.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub frame: usize,
    /// `None` where nothing is planted.
    pub body: Option<BodyMove>,
    /// How far forwards the pelvis tilts, since limits of the hip joints do not let thighs fold farther, radians.
    pub pelvis_tilt_rad: f64,
    /// How far the head turns about its neck to stay over the floor, as far as no stated limit holds it back, radians.
    pub head_tilt_rad: f64,
    pub feet: Vec<FootStory>,
    /// The hands that lean on or touch anything in the frame.
    pub hands: Vec<HandStory>,
    /// The limbs other than hands that carry weight in the frame, such as knees.
    pub leans: Vec<LeanStory>,
    /// Hands and head: how far each is from where it was transferred with the body, target length units.
    pub kept: Vec<(Role, f64)>,
    /// Joints that a limit held back.
    pub held_back: Vec<HeldStory>,
}

/// A joint that a limit held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldStory {
    pub joint: JointId,
    /// How far it is from where it would be without the limit, radians.
    pub by_rad: f64,
    pub limit: LimitOrigin,
}

/// Whose limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOrigin {
    /// The rig states it; it bounds the transferred pose too.
    Stated,
    /// The default: what people's joints can do; it bounds corrections alone.
    People,
}

/// A foot of the target in one frame.
#[derive(Clone, Debug)]
pub struct FootStory {
    pub foot: FootId,
    /// Its contacts in the frame, of the source.
    pub stands: Vec<Contact>,
    /// From where the ankle was transferred to where it is, target world, target length units.
    pub moved: Vec3,
    /// How far the foot was turned from how it was transferred, radians.
    pub turned_rad: f64,
    /// Height of the sole's lowest point over the target's floor, target length units.
    pub sole_height: f64,
    /// From the hip to the ankle, as a share of the leg's length.
    pub reach_ratio: f64,
    /// How far the knee was and is bent, radians; `None` for legs without a knee.
    pub knee_rad: Option<[f64; 2]>,
    /// The sweeps of its leg, if its stated limits turned the foot away.
    pub swept: Option<Swept>,
    pub miss: Option<Miss>,
}

/// A hand of the target in one frame.
#[derive(Clone, Copy, Debug)]
pub struct HandStory {
    pub side: Side,
    pub moved: HandMove,
    pub miss: Option<Miss>,
}

/// A limb of the target that carries in one frame.
#[derive(Clone, Debug)]
pub struct LeanStory {
    /// Its contact interval, of the source.
    pub stands: LimbContact,
    /// From where its joint was transferred to where it is, target world, target length units.
    pub moved: Vec3,
    pub miss: Option<Miss>,
}

/// Tells what moved what in a frame of a conversion of this source; `None` where the clip has no such
/// frame. It transfers the frame once more.
pub fn explain(source: &SourceClip, done: &Conversion, frame: usize) -> Option<Explanation> {
    if frame >= done.result.len() {
        return None;
    }
    let binding = &done.binding;
    let rig = &binding.target;
    let mut scratch = TransferScratch::new(binding);
    // As it was converted.
    let (clip, _) = without_strays(Cow::Borrowed(&source.clip));
    let is_planted = !edit::poses_apart(&clip).contains(&frame);
    Transfer::new(binding).frame(&clip, frame, &mut scratch);
    // The difference to a transfer without limits shows what they hold back.
    let mut unlimited = TransferScratch::new(binding);
    if !rig.limits.is_empty() {
        let binding = Binding { limits: Limits::default(), ..binding.clone() };
        Transfer::new(&binding).frame(&clip, frame, &mut unlimited);
    }
    let TransferScratch { world: was, .. } = &scratch;
    let is = WorldPose::of(&rig.skeleton, &done.result.pose(frame));
    let body = done.plant.body.get(frame).copied().filter(|_| is_planted);
    let floor = binding.target_height(done.contacts.floor_height);
    let misses = || done.plant.misses.iter().filter(|miss| miss.frame == frame);
    let miss = |limb: Limb| misses().find(|miss| miss.limb == GoalLimb::Limb(limb)).copied();
    let of_foot = |id: FootId| {
        let foot = rig.foot(id);
        let sources = binding.source_foot(id).into_iter();
        let contacts = sources.flat_map(|source| Part::ALL.map(|part| (source, part)));
        let contacts = contacts.flat_map(|(source, part)| done.contacts.of(source, part));
        let stands: Vec<_> = contacts.filter(|contact| contact.frames.contains(&frame)).collect();
        let floor = stands.first().map_or(floor, |c| binding.target_height(c.floor_height));
        let legs =
            foot.leg.windows(2).map(|pair| (is.position(pair[1]) - is.position(pair[0])).norm());
        let reach = is.position(foot.ankle) - is.position(foot.leg[0]);
        let knee = |world: &WorldPose| match foot.leg[..] {
            [hip, knee, ankle] => {
                let [hip, knee, ankle] = [hip, knee, ankle].map(|id| world.position(id));
                Some((knee - hip).angle(&(ankle - knee)))
            }
            _ => None,
        };
        FootStory {
            foot: id,
            stands: stands.into_iter().cloned().collect(),
            moved: is.position(foot.ankle) - was.position(foot.ankle),
            turned_rad: is.rotation(foot.ankle).angle_to(&was.rotation(foot.ankle)),
            sole_height: foot.bottom(foot.sole_world(&is), rig.up) - floor,
            reach_ratio: reach.norm() / legs.sum::<f64>().max(1e-300),
            knee_rad: knee(was).zip(knee(&is)).map(|(was, is)| [was, is]),
            swept: done.plant.swept.iter().find(|s| (s.frame, s.foot) == (frame, id)).copied(),
            miss: misses().find(|miss| miss.limb == GoalLimb::Foot(id)).copied(),
        }
    };
    let of_hand = |(side, moves): &(Side, Vec<HandMove>)| {
        let moved = moves[frame];
        let weights =
            [moved.floor, moved.other_hand, moved.body, moved.aside_len, moved.lifted_len];
        let is_moved = moved.swivel_rad != 0.0 || weights.iter().any(|weight| *weight > 0.0);
        let is_held = is_planted && is_moved;
        is_held.then(|| HandStory { side: *side, moved, miss: miss(Limb::Hand(*side)) })
    };
    let of_lean = |limb: Limb| {
        let joint = rig.joint(limb.role())?;
        let mut intervals = done.contacts.of_limb(limb);
        Some(LeanStory {
            stands: intervals.find(|interval| interval.frames.contains(&frame))?.clone(),
            moved: is.position(joint) - was.position(joint),
            miss: miss(limb),
        })
    };
    let beside_hands = Limb::ALL.into_iter().filter(|limb| !matches!(limb, Limb::Hand(_)));
    let offset = body.map_or(Vec3::zeros(), |body| body.offset);
    let ends = Side::BOTH.map(Role::Hand).into_iter().chain([Role::Head]);
    let kept = |role: Role| {
        let joint = rig.joint(role)?;
        Some((role, (is.position(joint) - was.position(joint) - offset).norm()))
    };
    let held = |(joint, _): &(JointId, _)| {
        let rotation: Quat = unlimited.pose.rotations[joint.index()];
        let off_rad = limited(rig, *joint)?.confine(rotation).angle_to(&rotation);
        let story = HeldStory { joint: *joint, by_rad: off_rad, limit: LimitOrigin::Stated };
        (off_rad > 1e-3).then_some(story)
    };
    let by_people = done.plant.held_back.iter().filter(|held| held.frame == frame);
    let by_people = by_people.map(|&HeldBack { joint, by_rad, .. }| HeldStory {
        joint,
        by_rad,
        limit: LimitOrigin::People,
    });
    let tilt = binding.limits.pelvis_tilt();
    let tilt = tilt.map(|tilt| tilt.tilt_rad(&binding.limits, &unlimited.world));
    Some(Explanation {
        frame,
        body,
        pelvis_tilt_rad: tilt.unwrap_or_default(),
        head_tilt_rad: done.plant.head_tilts.get(frame).map_or(0.0, |tilt| tilt.norm()),
        feet: rig.foot_ids().map(of_foot).collect(),
        hands: done.plant.hands.iter().filter_map(of_hand).collect(),
        leans: beside_hands.filter_map(of_lean).collect(),
        kept: ends.filter_map(kept).collect(),
        held_back: rig.limits.iter().filter_map(held).chain(by_people).collect(),
    })
}
