//! Whether a posture looks like a body standing.

use super::body::Landmarks;
use super::bone::bone_vector;
use super::{Role, Roles, Side};
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::Skeleton;

/// A bone from the ankle that is shorter than this ends at the sole below it and not at the ball, which lies some 0.17 from
/// the ankle. Leg lengths.
const BALL_DOWN: f64 = 0.1;

/// The same of a bone that ends at no toe joint: it would reach to the tip of the toes, some 0.3 from the ankle. Leaves
/// room for the high ankles of short legs and long feet. Leg lengths.
const END_DOWN: f64 = 0.18;

/// How far a posture in body space is from standing straight; all angles in radians, the worse of
/// both sides. What the body does not have counts as perfect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// Hip to ankle against straight down.
    leg: f64,
    knee: f64,
    /// Thigh against straight ahead.
    seat: f64,
    /// Shin against straight down.
    shin: f64,
    /// Hips to shoulders against up.
    trunk: f64,
    elbow: f64,
    /// Upper arm above the horizontal; negative below.
    raised: f64,
    /// The lower of both upper arms above straight down.
    from_hanging: f64,
    /// Upper arm before or behind the body's side plane.
    swung: f64,
    /// Whether each foot points ahead rather than down, back or aside.
    feet_ahead: bool,
}

impl Standing {
    /// Measures a posture that is given in body space.
    pub fn of(skeleton: &Skeleton, roles: &Roles, landmarks: &Landmarks, body: &WorldPose) -> Self {
        let bone = |role: Role| bone_vector(skeleton, roles, body, roles.joint(role)?);
        let bend = |upper: Role, lower: Role| match (bone(upper), bone(lower)) {
            (Some(upper), Some(lower)) => upper.angle(&lower),
            _ => 0.0,
        };
        let worst =
            |f: &dyn Fn(Side) -> f64| Side::BOTH.map(f).into_iter().fold(f64::MIN, f64::max);
        let leg = |side: Side| {
            let i = side.index();
            let down = body.position(landmarks.ankles[i]) - body.position(landmarks.thighs[i]);
            down.angle(&-Vec3::y())
        };
        let leg_len = landmarks.leg_len(body);
        let arm = |side: Side| bone(Role::UpperArm(side)).and_then(|v| v.try_normalize(1e-12));
        Self {
            leg: worst(&leg),
            knee: worst(&|s| bend(Role::Thigh(s), Role::Shin(s))),
            seat: worst(&|s| bone(Role::Thigh(s)).map_or(0.0, |v| v.angle(&Vec3::z()))),
            shin: worst(&|s| bone(Role::Shin(s)).map_or(0.0, |v| v.angle(&-Vec3::y()))),
            trunk: landmarks.trunk(body).angle(&Vec3::y()),
            elbow: worst(&|s| bend(Role::UpperArm(s), Role::Forearm(s))),
            raised: worst(&|s| arm(s).map_or(-1.0, |v| v.y.clamp(-1.0, 1.0).asin())),
            from_hanging: -worst(&|s| arm(s).map_or(0.0, |v| -v.angle(&-Vec3::y()))),
            swung: worst(&|s| arm(s).map_or(0.0, |v| v.z.clamp(-1.0, 1.0).asin().abs())),
            feet_ahead: Side::BOTH.iter().all(|&side| {
                bone(Role::Foot(side)).is_none_or(|v| {
                    let level = Vec3::new(v.x, 0.0, v.z).norm();
                    let ahead = level > 0.35 * v.norm() && v.z > 0.5 * level;
                    // A short bone straight down from the ankle marks the sole, not the toes.
                    let has_toe = roles.joint(Role::Toe(side)).is_some();
                    let short = if has_toe { BALL_DOWN } else { END_DOWN };
                    let marks_sole = v.norm() < short * leg_len && v.angle(&-Vec3::y()) < deg(30.0);
                    ahead || marks_sole
                })
            }),
        }
    }

    /// A zero pose that can serve: a T, an A or arms at the sides; legs straight and not far apart, or as on a chair.
    pub fn is_rest_stance(&self) -> bool {
        let stands = self.leg < deg(35.0) && self.knee < deg(25.0);
        let sits = self.seat < deg(35.0) && self.shin < deg(25.0);
        (stands || sits)
            && self.trunk < deg(25.0)
            && self.elbow < deg(60.0)
            && self.raised < deg(35.0)
            && self.swung < deg(60.0)
            && self.feet_ahead
    }

    /// A pose that a mesh was modelled in: it stands, but relaxed and as the artist liked.
    pub fn is_modelled(&self) -> bool {
        self.leg < deg(50.0)
            && self.knee < deg(60.0)
            && self.trunk < deg(40.0)
            && self.elbow < deg(100.0)
            && self.raised < deg(60.0)
            && self.swung < deg(75.0)
    }

    /// A frame that somebody put there as a bind pose: straighter than people stand by themselves,
    /// arms held away. Actors do it less exactly than modellers.
    pub fn is_bind_pose(&self) -> bool {
        self.leg < deg(20.0)
            && self.knee < deg(20.0)
            && self.trunk < deg(15.0)
            && self.elbow < deg(30.0)
            && self.raised < deg(20.0)
            && self.from_hanging > deg(35.0)
            && self.swung < deg(25.0)
            && self.feet_ahead
    }

    /// A frame of a person upright, walking included.
    pub fn is_upright(&self) -> bool {
        self.leg < deg(30.0)
            && self.knee < deg(50.0)
            && self.trunk < deg(20.0)
            && self.elbow < deg(90.0)
            && self.raised < deg(20.0)
            && self.swung < deg(70.0)
            && self.feet_ahead
    }
}

/// Radians of the round figures above, which are read as degrees.
fn deg(degrees: f64) -> f64 {
    degrees.to_radians()
}

/// At most some hundreds of frames, spread evenly over the clip, the first among them.
pub(crate) fn sampled_frames(clip: &Clip) -> impl Iterator<Item = usize> + use<> {
    const MOST: usize = 500;
    let stride = clip.len().div_ceil(MOST).max(1);
    (0..clip.len()).step_by(stride)
}
