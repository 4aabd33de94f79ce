//! What a body leans on beside its feet: hands and knees. All that tells one kind from another, and where they are.

use crate::math::{Quat, Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side, hand_joints};
use crate::skeleton::JointId;

/// What carries weight at times beside the feet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limb {
    /// From the wrist to the finger tips; of a rig without hands the end of the forearm.
    Hand(Side),
    /// The joint of the shin.
    Knee(Side),
}

/// All that tells one kind of limb from another.
struct Kind {
    word: &'static str,
    /// Its key in files, which holds both sides.
    table: &'static str,
    /// What it does while it carries, as texts say it.
    carries: &'static str,
    /// What has to be long enough for it to come to its goal, as texts say it.
    lever: &'static str,
    /// The role of the joint that says where it is.
    role: fn(Side) -> Role,
    /// The role of the joint at whose bone's end it is where no joint has its own role.
    ends: Option<fn(Side) -> Role>,
    /// Whether all joints below that one could touch the floor too, or it alone.
    is_whole_branch: bool,
    /// How near the floor its lowest point is while the body leans on it, and how far that may come off until it does
    /// no more, leg lengths.
    heights: [f64; 2],
}

const HAND: Kind = Kind {
    word: "hand",
    table: "hands",
    carries: "leans",
    lever: "arm",
    role: Role::Hand,
    ends: Some(Role::Forearm),
    is_whole_branch: true,
    // The wrist of a flat hand is 4 to 5 cm up in a body whose legs are 90 cm.
    heights: [0.05, 0.065],
};

const KNEE: Kind = Kind {
    word: "knee",
    table: "knees",
    carries: "kneels",
    lever: "thigh",
    role: Role::Shin,
    ends: None,
    is_whole_branch: false,
    // The middle of a knee on the floor is 5 to 6 cm up, or more over a pad.
    heights: [0.085, 0.1],
};

impl Limb {
    /// The kinds, each of which stands on both sides.
    pub const KINDS: [fn(Side) -> Limb; 2] = [Limb::Hand, Limb::Knee];

    /// All limbs, kind by kind.
    pub const ALL: [Limb; 4] = [
        Limb::Hand(Side::Left),
        Limb::Hand(Side::Right),
        Limb::Knee(Side::Left),
        Limb::Knee(Side::Right),
    ];

    fn kind(self) -> &'static Kind {
        match self {
            Limb::Hand(_) => &HAND,
            Limb::Knee(_) => &KNEE,
        }
    }

    pub fn side(self) -> Side {
        match self {
            Limb::Hand(side) | Limb::Knee(side) => side,
        }
    }

    /// What texts and files call it, without its side.
    pub fn word(self) -> &'static str {
        self.kind().word
    }

    /// What files call the table of both limbs of its kind.
    pub fn table(self) -> &'static str {
        self.kind().table
    }

    /// What it does while it carries weight, as texts say it.
    pub fn carries(self) -> &'static str {
        self.kind().carries
    }

    /// What has to be long enough for it to come to its goal, as texts say it.
    pub fn lever(self) -> &'static str {
        self.kind().lever
    }

    /// The role of the joint that says where it is.
    pub fn role(self) -> Role {
        (self.kind().role)(self.side())
    }

    /// As `left_hand`.
    pub fn name(self) -> String {
        format!("{}_{}", self.side().word(), self.word())
    }

    /// How near the floor its lowest point is while the body leans on it, and how far that may come off until it does
    /// no more, leg lengths.
    pub(super) fn heights(self) -> [f64; 2] {
        self.kind().heights
    }
}

/// Where a limb is, and all that could touch the floor under it; points in a joint's frame each (local, length units).
#[derive(Clone, Debug)]
pub(crate) struct LimbPoints {
    pub limb: Limb,
    /// Its joint, or the end of the bone that has no joint there.
    place: (JointId, Vec3),
    /// Joints and End Sites from there outwards.
    below: Vec<(JointId, Vec3)>,
}

impl LimbPoints {
    /// Those of a rig's limbs, by their order in [`Limb::ALL`]; without those that the rig lacks.
    pub fn all(rig: &Rig) -> Vec<Self> {
        Limb::ALL.into_iter().filter_map(|limb| Self::of(rig, limb)).collect()
    }

    /// Those of one limb; `None` where neither its joint has a role nor a bone ends there.
    pub fn of(rig: &Rig, limb: Limb) -> Option<Self> {
        let Some(joint) = rig.roles.joint(limb.role()) else { return Self::at_end(rig, limb) };
        let place = (joint, Vec3::zeros());
        let below = match limb.kind().is_whole_branch {
            true => points(rig, hand_joints(&rig.skeleton, joint)),
            false => vec![place],
        };
        Some(Self { limb, place, below })
    }

    /// Those of a limb without a joint: all points below the joint above it, of which the farthest is its place.
    fn at_end(rig: &Rig, limb: Limb) -> Option<Self> {
        let above = rig.roles.joint((limb.kind().ends?)(limb.side()))?;
        let below: Vec<_> =
            points(rig, rig.skeleton.at_and_below(above)).into_iter().skip(1).collect();
        let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
        let far = |(id, point): &(JointId, Vec3)| {
            (world.point(*id, *point) - world.position(above)).norm()
        };
        let place = *below.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
        Some(Self { limb, place, below })
    }

    /// All joints that say where it is.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.below.iter().map(|(id, _)| *id).chain([self.place.0])
    }

    /// Its joint, or the end of the bone that has no joint there.
    pub fn place(&self, world: &WorldPose) -> Vec3 {
        world.point(self.place.0, self.place.1)
    }

    /// From its place to the farthest of its points, length units.
    pub fn farthest_len(&self, world: &WorldPose) -> f64 {
        let place = self.place(world);
        let lens = self.below.iter().map(|(id, point)| (world.point(*id, *point) - place).norm());
        lens.fold(0.0, f64::max)
    }

    /// The mean of all its points.
    pub fn middle(&self, world: &WorldPose) -> Vec3 {
        let points = self.below.iter().map(|(id, point)| world.point(*id, *point));
        points.sum::<Vec3>() / self.below.len().max(1) as f64
    }

    /// How far its lowest point would be under its place if the limb turned up about that until its middle is level, length
    /// units; as far as it is where its middle is straight above or below.
    pub fn under_lying(&self, world: &WorldPose, rig: &Rig) -> f64 {
        let place = self.place(world);
        let middle = self.middle(world) - place;
        let turn = match rig.up.level(middle).try_normalize(1e-3 * middle.norm()) {
            Some(level) => rotation_between(middle, level),
            None => Quat::identity(),
        };
        let under = self
            .below
            .iter()
            .map(|(id, point)| -rig.up.height(turn * (world.point(*id, *point) - place)));
        under.fold(0.0, f64::max)
    }

    /// From its place to its lowest point.
    pub fn lowest(&self, world: &WorldPose, rig: &Rig) -> Vec3 {
        let place = self.place(world);
        let mut lowest = (f64::INFINITY, place);
        for (id, point) in &self.below {
            let point = world.point(*id, *point);
            let height = rig.up.height(point);
            if height < lowest.0 {
                lowest = (height, point);
            }
        }
        lowest.1 - place
    }

    /// Where the limb is: its place, at the height of its lowest point.
    pub fn at(&self, world: &WorldPose, rig: &Rig) -> Vec3 {
        self.place(world) + rig.up.vector() * rig.up.height(self.lowest(world, rig))
    }
}

/// Joints and their End Sites.
fn points(rig: &Rig, joints: impl Iterator<Item = JointId>) -> Vec<(JointId, Vec3)> {
    let mut points = Vec::new();
    for id in joints {
        points.push((id, Vec3::zeros()));
        points.extend(rig.skeleton.joint(id).end_sites.iter().map(|end| (id, *end)));
    }
    points
}
