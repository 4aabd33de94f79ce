//! A clip as it is drawn: Y up, the floor at height 0, lengths in legs.

use super::limb::Limb;
use crate::clip::Clip;
use crate::contact::{self, ContactTrack, FootPaths};
use crate::convert::Inspection;
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Foot, FootId, Rig, Role, UpAxis};
use crate::skeleton::JointId;

/// A line of the body, between points of [`Motion::points`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub limb: Limb,
}

/// A clip with what is needed to draw each of its frames.
pub struct Motion<'a> {
    pub clip: &'a Clip,
    pub rig: Option<&'a Rig>,
    /// How a point in the world becomes one in the drawing: turned, then scaled, then lowered onto the floor.
    turn: Quat,
    unit: f64,
    floor: f64,
    /// Points that are drawn besides the joints: End Sites, and the soles.
    ends: Vec<(JointId, Vec3)>,
    lines: Vec<Line>,
    /// Whether a point belongs to the body. Joints above the body stay behind when it moves, and are not drawn.
    of_body: Vec<bool>,
    /// The point of the body's first joint; joints above it do not move with the body.
    pub root: usize,
    /// The points of heel, ball and tip, by foot.
    pub soles: Vec<[usize; 3]>,
    pose: Pose,
    world: WorldPose,
}

impl<'a> Motion<'a> {
    /// The motion of a file, its rig recognised or not; `None` without frames.
    pub fn of(found: &'a Inspection) -> Option<Self> {
        let clip = found.clip.as_ref().filter(|clip| !clip.is_empty())?;
        let rig = found.rig.as_ref();
        let (turn, unit) = match rig {
            Some(rig) => (rig.up.turn_to(UpAxis::Y), 1.0 / rig.leg_len),
            None => upright(&WorldPose::of(&found.skeleton, &clip.pose(0))),
        };
        let mut motion = Self::laid(clip, rig, turn, unit, 0.0);
        motion.floor = match (&found.contacts, rig) {
            (Some(track), Some(rig)) => track.floor_height / rig.leg_len,
            _ => {
                let points = motion.points(0);
                points.iter().map(|p| p.y).fold(f64::MAX, f64::min)
            }
        };
        Some(motion)
    }

    /// A clip under this turn and scale; `floor` is the floor's height after both.
    pub fn laid(clip: &'a Clip, rig: Option<&'a Rig>, turn: Quat, unit: f64, floor: f64) -> Self {
        let skeleton = clip.skeleton();
        let hips = rig.and_then(|rig| rig.joint(Role::Hips));
        let in_body = |id: JointId| hips.is_none_or(|h| h == id || skeleton.is_ancestor(h, id));
        let limbs = rig.map(limbs);
        let limb = |id: JointId| limbs.as_ref().map_or(Limb::None, |limbs| limbs[id.index()]);
        let mut ends = Vec::new();
        let mut lines = Vec::new();
        for id in skeleton.ids().filter(|&id| in_body(id)) {
            if let Some(parent) = skeleton.parent(id).filter(|&p| in_body(p)) {
                lines.push(Line { from: parent.index(), to: id.index(), limb: limb(parent) });
            }
            for &end in &skeleton.joint(id).end_sites {
                let to = skeleton.len() + ends.len();
                lines.push(Line { from: id.index(), to, limb: limb(id) });
                ends.push((id, end));
            }
        }
        let mut point = |joint: JointId, local: Vec3| {
            ends.push((joint, local));
            skeleton.len() + ends.len() - 1
        };
        let feet = rig.map_or(&[][..], |rig| &rig.feet);
        let sole = |f: &Foot| {
            let toes = f.toe.unwrap_or(f.ankle);
            [point(f.ankle, f.heel), point(f.ankle, f.ball), point(toes, f.tip)]
        };
        let soles = feet.iter().map(sole).collect();
        let root = hips.map_or(0, JointId::index);
        let mut of_body: Vec<bool> = skeleton.ids().map(in_body).collect();
        of_body.resize(skeleton.len() + ends.len(), true);
        let (pose, world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
        Self { clip, rig, turn, unit, floor, ends, lines, of_body, root, soles, pose, world }
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// For each point, whether it belongs to the body.
    pub fn of_body(&self) -> &[bool] {
        &self.of_body
    }

    /// Where the joints are in a frame, in their order, then End Sites and soles. Costs one forward kinematics.
    pub fn points(&mut self, frame: usize) -> Vec<Vec3> {
        self.go_to(frame);
        let ends = self.ends.iter().map(|&(id, end)| self.world.point(id, end));
        let all = self.world.positions.iter().copied().chain(ends);
        all.map(|point| self.place(point)).collect()
    }

    /// The horizontal direction that the body faces in a frame; `None` where it faces up or down, or has no rig.
    pub fn facing(&mut self, frame: usize) -> Option<Vec3> {
        self.go_to(frame);
        self.rig?.facing(&self.world).map(|ahead| self.turn * ahead)
    }

    /// A point of the clip's world as it is drawn.
    pub fn place(&self, point: Vec3) -> Vec3 {
        self.turn * point * self.unit - self.floor * Vec3::y()
    }

    /// How a point of the clip's world is drawn: turned, then scaled, then lowered by this height.
    pub fn placing(&self) -> (Quat, f64, f64) {
        (self.turn, self.unit, self.floor)
    }

    /// A height of the clip's world as it is drawn.
    pub fn height(&self, height: f64) -> f64 {
        height * self.unit - self.floor
    }

    fn go_to(&mut self, frame: usize) {
        self.clip.read_pose(frame, &mut self.pose);
        self.world.set(self.clip.skeleton(), &self.pose);
    }
}

/// The limb whose colour a hand or a knee has.
pub fn limb_of_lean(limb: contact::Limb) -> Limb {
    Limb::of(limb.role())
}

/// The limb of a foot.
pub fn limb_of_foot(rig: &Rig, foot: FootId) -> Limb {
    limbs(rig)[rig.foot(foot).ankle.index()]
}

/// The limb of every joint. A joint without a role has the limb of the nearest joint above it with one: what hangs
/// on a hand is drawn as a hand.
fn limbs(rig: &Rig) -> Vec<Limb> {
    let mut limbs: Vec<Limb> = Vec::with_capacity(rig.skeleton.len());
    for (id, joint) in rig.skeleton.ids().zip(rig.skeleton.joints()) {
        let above = joint.parent.map_or(Limb::None, |above| limbs[above.index()]);
        limbs.push(rig.roles.role(id).map_or(above, Limb::of));
    }
    limbs
}

/// For a body without a rig: the turn that sets it upright, with its greatest extent along Y, and the factor that
/// makes it two legs high.
pub fn upright(world: &WorldPose) -> (Quat, f64) {
    let spread = |axis: usize| {
        let values = || world.positions.iter().map(|p| p[axis]);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    let size = spread(0).max(spread(1)).max(spread(2)).max(1e-12);
    let z_up = spread(2) > spread(1);
    (if z_up { UpAxis::Z.turn_to(UpAxis::Y) } else { Quat::identity() }, 2.0 / size)
}

/// The feet of a clip over time, if it has a rig.
pub fn feet(found: &Inspection) -> Option<(&Rig, &ContactTrack, FootPaths)> {
    let (rig, track) = (found.rig.as_ref()?, found.contacts.as_ref()?);
    let clip = found.clip.as_ref()?;
    Some((rig, track, contact::foot_paths(clip, rig)))
}
