//! Which axis of a file's world is up: evidence weighed once, with how sure it is.
//!
//! A trunk alone says nothing: people lie, crawl and ride, and zero poses lay bones anyhow. What counts is the
//! habit of files (+Y, then +Z), that bodies are stacked (feet below hips below shoulders), that what is lowest
//! comes to rest on one floor, that ways are level, that who goes across the trunk is upright, and how the zero pose
//! stands.

use super::body::Landmarks;
use super::standing::Standing;
use super::{Role, Roles, Side, UpAxis, stance};
use crate::clip::Clip;
use crate::math::{Axis, Vec3, percentile, rejection};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};
use std::fmt;

/// An up axis, how sure it is, and the reading that comes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpFound {
    pub up: UpAxis,
    /// 0.5 (as good as the other) to 1 (nothing speaks for another).
    pub sure: f64,
    pub other: UpAxis,
    /// Whether anything but the habit of files speaks for it.
    pub seen: bool,
    /// What speaks for the one and for the other.
    pub speaks: [Speaks; 2],
}

/// What speaks for an axis, each by how much it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speaks {
    /// Files mostly have it up.
    pub habit: f64,
    /// The zero pose stands along it.
    pub zero_pose: f64,
    /// Feet are below hips and hips below shoulders.
    pub stacked: f64,
    /// What is lowest is at rest on one level.
    pub floor: f64,
    /// The trunk lies along it while the body goes another way, as who walks or rides; who lies goes along the trunk.
    pub upright: f64,
    /// How far the body travels along it, which speaks against it.
    pub travelled: f64,
}

impl Speaks {
    fn sum(&self) -> f64 {
        self.habit + self.zero_pose + self.motion()
    }

    /// What the motion says of it.
    fn motion(&self) -> f64 {
        self.stacked + self.floor + self.upright - self.travelled
    }
}

impl fmt::Display for Speaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.habit, "habit of files"),
            (self.zero_pose, "zero pose"),
            (self.stacked, "body stacked along it"),
            (self.floor, "rests on one level"),
            (self.upright, "goes with its trunk along it"),
            (-self.travelled, "travels along it"),
        ];
        let heard = kinds.iter().filter(|(value, _)| value.abs() >= 0.05);
        let texts: Vec<String> = heard.map(|(value, word)| format!("{word} {value:+.1}")).collect();
        f.write_str(if texts.is_empty() { "nothing" } else { "" })?;
        f.write_str(&texts.join(", "))
    }
}

impl UpFound {
    /// That of a clip whose roles are known; `None` where they have no trunk.
    pub(super) fn in_clip(clip: &Clip, roles: &Roles) -> Option<Self> {
        Some(find(clip.skeleton(), roles, &Landmarks::new(roles)?, Some(clip)))
    }

    /// An axis that the user wrote.
    pub(crate) fn written(up: UpAxis) -> Self {
        Self { up, sure: 1.0, other: up, seen: true, speaks: Default::default() }
    }
}

/// How much files' habit counts for an axis: nearly all have +Y up or +Z.
fn habit(up: UpAxis) -> f64 {
    match (up.axis, up.negative) {
        (Axis::Y, false) => 2.5,
        (Axis::Z, false) => 2.0,
        (Axis::Y | Axis::Z, true) => 0.5,
        (Axis::X, _) => 0.0,
    }
}

/// How much a body counts that is stacked along an axis in all frames.
const STACKED: f64 = 4.0;
/// How much a floor counts on which something rests in all frames.
const FLOOR: f64 = 4.0;
/// How much a trunk counts that lies along an axis while the body goes another way in all frames.
const UPRIGHT: f64 = 4.0;
/// How much counts against an axis that the body travels along for two legs and more.
const TRAVELLED: f64 = 3.0;
/// How much a zero pose counts that stands along an axis, beside a motion and without one.
const ZERO_POSE: f64 = 1.0;
const ZERO_POSE_ALONE: f64 = 4.0;

/// What rests on a floor is this near to it, in legs, and slower than this, legs a second.
const ON_FLOOR: f64 = 0.06;
const AT_REST: f64 = 0.2;
/// Who goes faster than this goes somewhere, legs a second, and is across the trunk's direction where the cosine between
/// both is less than this.
const GOING: f64 = 0.5;
const ACROSS_COS: f64 = 0.5;
/// Who turns about the trunk faster than this may be rolling on the floor, radians a second.
const ROLLING_RAD_S: f64 = 1.5;
/// How much later a moment is looked at again, seconds.
const MOMENT_S: f64 = 1.0 / 30.0;
/// Frames that are looked at.
const MOST: usize = 64;

fn axes() -> impl Iterator<Item = UpAxis> {
    let signed = |axis| [false, true].map(|negative| UpAxis { axis, negative });
    [Axis::Y, Axis::Z, Axis::X].into_iter().flat_map(signed)
}

/// Weighs all evidence. Costs forward kinematics of at most 128 frames.
pub(super) fn find(
    skeleton: &Skeleton,
    roles: &Roles,
    landmarks: &Landmarks,
    clip: Option<&Clip>,
) -> UpFound {
    let seen = clip.filter(|clip| !clip.is_empty()).map(|clip| Seen::of(clip, roles, landmarks));
    let moves = seen.as_ref().is_some_and(|seen| seen.moves());
    let rest = rest_up(skeleton, roles, landmarks);
    let mut scores: Vec<(UpAxis, Speaks)> = axes()
        .map(|up| {
            let mut speaks = Speaks { habit: habit(up), ..Speaks::default() };
            if rest == Some(up) {
                speaks.zero_pose = if moves { ZERO_POSE } else { ZERO_POSE_ALONE };
            }
            if let Some(seen) = &seen {
                speaks.stacked = STACKED * seen.stacked(up);
                if moves {
                    speaks.floor = FLOOR * seen.floor(up);
                    speaks.upright = UPRIGHT * seen.upright(up);
                    speaks.travelled = TRAVELLED * seen.travelled(up);
                }
            }
            (up, speaks)
        })
        .collect();
    scores.sort_by(|a, b| b.1.sum().total_cmp(&a.1.sum()));
    let [(up, best), (other, next)] = [scores[0], scores[1]];
    // Habit and zero pose tell of files, a motion of this one: where it speaks for another axis, that is doubt.
    let most = scores.iter().map(|(_, speaks)| speaks.motion()).fold(f64::MIN, f64::max);
    let against = if moves { most - best.motion() } else { 0.0 };
    let margin = (best.sum() - next.sum() - against).max(0.0);
    let stacked = seen.as_ref().is_some_and(|seen| seen.stacked(up) > 0.2);
    UpFound {
        up,
        sure: 1.0 / (1.0 + (-1.5 * margin).exp()),
        other,
        seen: rest == Some(up) || stacked || moves,
        speaks: [best, next],
    }
}

/// The axis along which the zero pose stands, where it does.
fn rest_up(skeleton: &Skeleton, roles: &Roles, landmarks: &Landmarks) -> Option<UpAxis> {
    let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let hips = roles.joint(Role::Hips)?;
    let up = UpAxis::nearest(landmarks.trunk(&rest));
    let body_from_world = landmarks.world_from_body(&rest, up.vector())?.inverse();
    let turned = body_from_world * rest.rotation(hips);
    let body = stance::in_body_space(skeleton, hips, turned, &Pose::rest(skeleton));
    Standing::of(skeleton, roles, landmarks, &body).is_rest_stance().then_some(up)
}

/// What is seen of a body in some frames of a clip; lengths in legs.
struct Seen {
    frames: Vec<Look>,
}

struct Look {
    /// The trunk's direction, and the way from between the ankles to between the hips.
    trunk: Vec3,
    legs: Vec3,
    middle: Vec3,
    /// Where the body goes, legs a second; zero while it may be rolling.
    way: Vec3,
    /// Where the ends of the body are, and how fast each moves, legs a second.
    ends: Vec<(Vec3, f64)>,
}

impl Seen {
    fn of(clip: &Clip, roles: &Roles, landmarks: &Landmarks) -> Self {
        let skeleton = clip.skeleton();
        let ends: Vec<JointId> = ends(roles).collect();
        let looked_at = skeleton.with_ancestors(
            ends.iter()
                .copied()
                .chain(landmarks.thighs)
                .chain(landmarks.shins)
                .chain(landmarks.top),
        );
        let dt = clip.frame_time().seconds();
        let gap = ((MOMENT_S / dt).round() as usize).max(1);
        let [mut now, mut later] = [0; 2].map(|_| WorldPose::new(skeleton.len()));
        let mut look = |frame: usize| {
            clip.place_joints(frame, &looked_at, &mut now);
            clip.place_joints((frame + gap).min(clip.len() - 1), &looked_at, &mut later);
            let leg_len = landmarks.leg_len(&now).max(1e-12);
            let ankles = landmarks.ankles.map(|id| now.position(id));
            let speed = |id: JointId| (later.position(id) - now.position(id)).norm();
            let scale = 1.0 / leg_len;
            let moment_s = gap as f64 * dt;
            let trunk = landmarks.trunk(&now).try_normalize(1e-12).unwrap_or_default();
            let across = [&now, &later].map(|world| rejection(landmarks.left(world), trunk));
            let is_rolling = across[0].angle(&across[1]) > ROLLING_RAD_S * moment_s;
            let way =
                (landmarks.mid_thigh(&later) - landmarks.mid_thigh(&now)) * (scale / moment_s);
            Look {
                trunk,
                way: if is_rolling { Vec3::zeros() } else { way },
                legs: (landmarks.mid_thigh(&now) - 0.5 * (ankles[0] + ankles[1])) * scale,
                middle: landmarks.mid_thigh(&now) * scale,
                ends: ends
                    .iter()
                    .map(|&id| (now.position(id) * scale, speed(id) * scale / moment_s))
                    .collect(),
            }
        };
        let step = clip.len().div_ceil(MOST).max(1);
        Self { frames: (0..clip.len()).step_by(step).map(&mut look).collect() }
    }

    /// Whether anything moves, so that what rests says something.
    fn moves(&self) -> bool {
        let moves = |look: &Look| look.ends.iter().any(|(_, speed)| *speed > 0.02);
        self.frames.len() > 2 && self.frames.iter().any(moves)
    }

    fn mean(&self, of: impl Fn(&Look) -> f64) -> f64 {
        self.frames.iter().map(of).sum::<f64>() / self.frames.len() as f64
    }

    /// How far feet are below hips and hips below shoulders, 0 to 1.
    fn stacked(&self, up: UpAxis) -> f64 {
        /// Hips this high over the ankles, in legs, are as high as they can be told to be.
        const HIGH: f64 = 0.8;
        self.mean(|look| {
            let trunk = up.height(look.trunk).clamp(0.0, 1.0);
            trunk * (up.height(look.legs) / HIGH).clamp(0.0, 1.0)
        })
    }

    /// How far the trunk lies along an axis in frames in which the body goes across both, of all frames, 0 to 1.
    fn upright(&self, up: UpAxis) -> f64 {
        self.mean(|look| {
            let speed = look.way.norm();
            let is_across = |axis: Vec3| look.way.dot(&axis).abs() < ACROSS_COS * speed;
            match speed > GOING && is_across(look.trunk) && is_across(up.vector()) {
                true => up.height(look.trunk).max(0.0),
                false => 0.0,
            }
        })
    }

    /// The share of frames in which what is lowest is at rest on the level where it mostly is.
    fn floor(&self, up: UpAxis) -> f64 {
        let lowest = |look: &Look| {
            let heights = look.ends.iter().map(|(place, speed)| (up.height(*place), *speed));
            heights.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a body has ends")
        };
        let lows: Vec<(f64, f64)> = self.frames.iter().map(lowest).collect();
        let resting =
            || lows.iter().filter(|(_, speed)| *speed < AT_REST).map(|(height, _)| *height);
        let near =
            |level: f64| resting().filter(|height| (height - level).abs() < ON_FLOOR).count();
        let most = resting().map(near).max().unwrap_or(0);
        most as f64 / lows.len() as f64
    }

    /// How far the body travels along an axis beyond what people do between the floor and a jump, 0 to 1.
    fn travelled(&self, up: UpAxis) -> f64 {
        let heights = || self.frames.iter().map(|look| up.height(look.middle));
        let range = percentile(heights(), 0.95) - percentile(heights(), 0.05);
        (range - 1.0).clamp(0.0, 1.0)
    }
}

/// The joints of which one is lowest, whatever a body does.
fn ends(roles: &Roles) -> impl Iterator<Item = JointId> + '_ {
    let of = |side: Side| {
        [
            Role::Foot(side),
            Role::Toe(side),
            Role::Shin(side),
            Role::Hand(side),
            Role::Forearm(side),
            Role::UpperArm(side),
            Role::Thigh(side),
        ]
    };
    Side::BOTH.into_iter().flat_map(of).chain([Role::Head]).filter_map(|role| roles.joint(role))
}
