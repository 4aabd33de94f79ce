//! The sole of a foot: where heel, ball and toe tip are, and how high the ankle stands over them.

use super::bone::bone_end;
use super::foot_rest::{FootRest, quartiles};
use super::stance::{Ground, Stance, StanceOrigin, lay_feet_alike, turn_below};
use super::{Role, Roles, Side, UpAxis};
use crate::math::{Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// Place of a foot in [`Rig::feet`](super::Rig): 0 is the left one and 1 the right one of people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FootId(u32);

impl FootId {
    /// The id of the foot at place `index`.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 feet"))
    }

    /// Place of the foot in its rig's list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A foot with its leg and its sole points.
///
/// The ball is the toe joint itself where there is one: while the heel lifts, the foot turns about
/// it and the toes stay. Heel and tip lie on the sole.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// What messages call it: "left", say, for the left foot.
    pub name: String,
    /// The joints of its leg from the hip down to the ankle; at least one.
    pub leg: Vec<JointId>,
    pub ankle: JointId,
    pub toe: Option<JointId>,
    /// In the ankle joint's frame (local, length units).
    pub heel: Vec3,
    /// In the ankle joint's frame (local, length units).
    pub ball: Vec3,
    /// In the toe joint's frame (local, length units), or the ankle's where there is no toe joint.
    pub tip: Vec3,
    /// Height of the ankle over the sole while the foot stands flat, length units.
    pub ankle_height: f64,
    /// The same in the reference stance, whatever the motion shows.
    pub stance_ankle_height: f64,
    /// Height of the ball over the sole while the foot stands flat, length units.
    pub ball_height: f64,
    /// The sole's normal and where it points, in the ankle joint's frame (local, unit length).
    pub up: Vec3,
    pub ahead: Vec3,
    /// Where the sole of the toes points, in the frame that `tip` is in (local, unit length).
    pub toe_ahead: Vec3,
    pub origin: SoleOrigin,
}

/// What a sole is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoleOrigin {
    /// A user wrote all or part of it.
    Written,
    /// How the foot rests on the ground in motion.
    Motion,
    /// The bones as they lie in the reference stance.
    Bones,
    /// Bones that were laid as people's, since nothing shows how the body stands.
    Assumed,
}

/// What a user wrote of a sole; each part that is missing is found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WrittenSole {
    /// In the ankle joint's frame (local, length units).
    pub heel: Option<Vec3>,
    /// In the ankle joint's frame (local, length units).
    pub ball: Option<Vec3>,
    /// In the toe joint's frame (local, length units), or the ankle's where the foot does not bend there.
    pub toe: Option<Vec3>,
    /// The sole's normal, in the ankle joint's frame (local, unit length).
    pub up: Option<Vec3>,
    /// Where the sole points, in the ankle joint's frame (local, unit length).
    pub ahead: Option<Vec3>,
    /// Where the sole of the toes points, in the frame that `toe` is in (local, unit length).
    pub toe_ahead: Option<Vec3>,
    /// Height of the ankle over the sole while the foot stands flat, length units.
    pub ankle_height: Option<f64>,
    /// The same in the reference stance, length units.
    pub stance_ankle_height: Option<f64>,
    /// Height of the ball over the sole while the foot stands flat, length units.
    pub ball_height: Option<f64>,
    /// Whether the foot bends at its toe joint.
    pub bends: Option<bool>,
    /// What the sole was known from before it was written down.
    pub known_from: Option<SoleOrigin>,
}

impl WrittenSole {
    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What is known of one sole beside the bones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownSole<'a> {
    pub written: WrittenSole,
    /// The stance with both feet flat, and what they are known flat by.
    pub flat: &'a Flat,
    /// See [`left_deeper`].
    pub deeper_len: f64,
    /// How high the ankle stands over the file's floor in a zero pose that a body was modelled in, length units: what
    /// the sole is known by where no joint lies below the ankle.
    pub modelled_len: Option<f64>,
}

/// A stance with both feet laid flat.
#[derive(Clone, Debug)]
pub(crate) struct Flat {
    stance: Stance,
    origins: [SoleOrigin; 2],
}

impl Flat {
    /// Lays the feet (left and right) of a stance as they are written or were seen to rest. Where frames of a file show
    /// the stance, both lie alike.
    pub fn of(
        skeleton: &Skeleton,
        roles: &Roles,
        stance: &Stance,
        written: &[WrittenSole; 2],
        rests: [Option<&FootRest>; 2],
    ) -> Self {
        let mut flat = stance.clone();
        let origins = Side::BOTH.map(|side| {
            let (written, rest) = (written[side.index()], rests[side.index()]);
            let origin = match written.known_from {
                Some(origin) => origin,
                None if !written.is_empty() => SoleOrigin::Written,
                None if stance.origin == StanceOrigin::Built => SoleOrigin::Assumed,
                None => SoleOrigin::Bones,
            };
            let Some(ankle) = roles.joint(Role::Foot(side)) else { return origin };
            let frame = stance.body_from_joint[ankle.index()];
            let is_known = stance.bases[ankle.index()].direction != Ground::Assumed;
            let across_local = is_known.then(|| frame.inverse() * Vec3::x());
            if let Some(up) = written.up {
                turn_below(skeleton, ankle, rotation_between(frame * up, Vec3::y()), &mut flat);
            } else if let Some(rest) = rest.filter(|_| written.is_empty())
                && rest.lay(skeleton, roles, side, across_local, false, &mut flat)
            {
                return SoleOrigin::Motion;
            }
            origin
        });
        let is_seen = matches!(stance.origin, StanceOrigin::Frame(_) | StanceOrigin::Frames(_));
        if is_seen && origins == [SoleOrigin::Motion; 2] {
            lay_feet_alike(skeleton, roles, &mut flat);
        }
        Self { stance: flat, origins }
    }
}

/// How far the heel's point of contact lies behind the ankle, as a share of the way from the ankle to
/// the ball: with the ankle a quarter of the foot's length before its end and the ball at 0.72 of it,
/// 0.53 to the back of the heel, less its rounding.
const HEEL_BEHIND: f64 = 0.4;

/// How high ankles stand over soles, leg lengths, with room for boots and for feet that are hardly there.
const HEIGHTS: std::ops::Range<f64> = 0.01..0.3;

impl Foot {
    /// The foot of one side, found from where its joints and End Sites lie in the reference stance, the
    /// foot laid flat as it was seen to rest.
    ///
    /// `None` without a whole leg. `leg_len` stands in where a foot has no length of its own; people's
    /// ankles stand about 0.09 of a leg high and the ball lies about 0.15 of it ahead (proportions
    /// after Drillis and Contini 1966).
    pub(crate) fn find(
        skeleton: &Skeleton,
        roles: &Roles,
        stance: &Stance,
        side: Side,
        leg_len: f64,
        known: &KnownSole,
    ) -> Option<Self> {
        let KnownSole { written, flat, deeper_len, modelled_len } = *known;
        let usual_len = modelled_len.filter(|len| HEIGHTS.contains(&(len / leg_len)));
        let usual_len = usual_len.unwrap_or(0.09 * leg_len);
        let ankle = roles.joint(Role::Foot(side))?;
        let under = |stance: &Stance| {
            let below = points_below(skeleton, stance, ankle);
            let lowest = below.iter().map(|(_, p)| p.y).fold(0.0, f64::min);
            if lowest < -HEIGHTS.start * leg_len { -lowest } else { usual_len }
        };
        let mut stance_ankle_height = under(stance);
        let stance = &flat.stance;
        let leg = vec![roles.joint(Role::Thigh(side))?, roles.joint(Role::Shin(side))?, ankle];
        let toe = roles.joint(Role::Toe(side));
        let ankle_from_body = stance.body_from_joint[ankle.index()].inverse();
        let below = points_below(skeleton, stance, ankle);
        let mut ankle_height = deeper_len + under(stance);

        let end = bone_end(skeleton, roles, ankle);
        let ahead = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
        let ball_body = match (toe, end) {
            (Some(toe), _) => below.iter().find(|(id, _)| *id == Some(toe)).map(|(_, p)| *p),
            // An End Site is the tip of the whole foot; its ball lies at about 0.7 of the way.
            (None, Some(end)) => {
                Some(0.7 * ahead(stance.body_from_joint[ankle.index()] * end.point))
            }
            (None, None) => None,
        };
        let ball_body = ball_body.filter(|p| ahead(*p).norm() > 0.02 * leg_len);
        let has_ball_joint = toe.is_some() && written.bends.unwrap_or(ball_body.is_some());
        let mut ball_body = ball_body.unwrap_or(Vec3::new(0.0, 0.0, 0.15 * leg_len));
        if let Some(ball) = written.ball {
            ball_body = stance.body_from_joint[ankle.index()] * ball;
        } else if !has_ball_joint {
            ball_body.y = -ankle_height;
        }
        let heading = ahead(ball_body);
        let heel = match written.heel {
            Some(heel) => {
                ankle_height = -(stance.body_from_joint[ankle.index()] * heel).y;
                if written.up.is_none() {
                    stance_ankle_height = ankle_height;
                }
                heel
            }
            None => ankle_from_body * (-HEEL_BEHIND * heading - Vec3::new(0.0, ankle_height, 0.0)),
        };
        let tip_frame = if has_ball_joint { toe.unwrap_or(ankle) } else { ankle };
        let tip = written.toe.unwrap_or_else(|| {
            let origin = if has_ball_joint { ball_body } else { Vec3::zeros() };
            let farthest = below
                .iter()
                .map(|(_, p)| *p)
                .max_by(|a, b| a.z.total_cmp(&b.z))
                .filter(|p| p.z > ball_body.z + 0.1 * heading.norm())
                .unwrap_or(ball_body + 0.45 * heading);
            let on_sole = Vec3::new(farthest.x, -ankle_height, farthest.z);
            stance.body_from_joint[tip_frame.index()].inverse() * (on_sole - origin)
        });
        Some(Self {
            name: side.word().to_owned(),
            leg,
            ankle,
            toe: has_ball_joint.then_some(tip_frame),
            heel,
            ball: written.ball.unwrap_or_else(|| ankle_from_body * ball_body),
            tip,
            ankle_height: written.ankle_height.unwrap_or(ankle_height),
            stance_ankle_height: written.stance_ankle_height.unwrap_or(stance_ankle_height),
            ball_height: written.ball_height.unwrap_or(ball_body.y + ankle_height),
            up: written.up.unwrap_or_else(|| ankle_from_body * Vec3::y()),
            ahead: written.ahead.unwrap_or_else(|| ankle_from_body * Vec3::z()),
            toe_ahead: written
                .toe_ahead
                .unwrap_or_else(|| stance.body_from_joint[tip_frame.index()].inverse() * Vec3::z()),
            origin: flat.origins[side.index()],
        })
    }

    /// Whether the foot stands on one point alone, which is its heel, ball and tip.
    pub fn is_point(&self) -> bool {
        self.heel == self.ball
    }

    /// Whether its heel is lifted over its ball by more than `share` of the way between them, of their heights over the
    /// floor, length units.
    pub fn is_heel_lifted(&self, [heel, ball]: [f64; 2], share: f64) -> bool {
        heel - ball > share * (self.ball - self.heel).norm()
    }

    /// Heel, ball and tip in the world.
    pub fn sole_world(&self, world: &WorldPose) -> [Vec3; 3] {
        [
            world.point(self.ankle, self.heel),
            world.point(self.ankle, self.ball),
            world.point(self.toe.unwrap_or(self.ankle), self.tip),
        ]
    }

    /// Height of the lowest of heel, ball and tip, which are in the world; the ball's flesh is below it.
    pub fn bottom(&self, [heel, ball, tip]: [Vec3; 3], up: UpAxis) -> f64 {
        up.height(heel).min(up.height(ball) - self.ball_height).min(up.height(tip))
    }
}

/// Every joint and End Site below the ankle, in body space from the ankle, in the reference stance.
fn points_below(
    skeleton: &Skeleton,
    stance: &Stance,
    ankle: JointId,
) -> Vec<(Option<JointId>, Vec3)> {
    let mut positions = vec![None; skeleton.len()];
    positions[ankle.index()] = Some(Vec3::zeros());
    let mut points = Vec::new();
    for id in skeleton.ids() {
        if let Some(parent) = skeleton.parent(id)
            && let Some(origin) = positions[parent.index()]
        {
            let offset = stance.local.translations[id.index()];
            let place: Vec3 = origin + stance.body_from_joint[parent.index()] * offset;
            positions[id.index()] = Some(place);
            points.push((Some(id), place));
        }
        if let Some(origin) = positions[id.index()] {
            let frame = stance.body_from_joint[id.index()];
            points.extend(skeleton.joint(id).end_sites.iter().map(|e| (None, origin + frame * e)));
        }
    }
    points
}

/// Ankles that rest within this much of one another's height, by half of the frames, stand on one floor,
/// leg lengths.
const ONE_FLOOR: f64 = 0.03;

/// Soles lie at most this much deeper or less deep than the bones say, leg lengths.
const SOLE_OFF: f64 = 0.02;

/// How much deeper under its ankle the left sole lies than the bones say, and the right one less deep, if
/// both rest on one floor: an actor's markers are not placed to the millimetre, and where legs are straight a
/// knee pays ten times for each. Length units.
pub(super) fn left_deeper(feet: &[Foot; 2], rests: [Option<&FootRest>; 2], leg_len: f64) -> f64 {
    let off = |side: usize| {
        let [low, middle, high] = quartiles(rests[side]?.heights.iter().copied());
        (high - low < ONE_FLOOR).then_some(middle - feet[side].ankle_height / leg_len)
    };
    let half = match (off(0), off(1)) {
        (Some(left), Some(right)) => 0.5 * (left - right),
        _ => 0.0,
    };
    if half.abs() < SOLE_OFF { half * leg_len } else { 0.0 }
}
