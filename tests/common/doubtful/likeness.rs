//! Whether two motions are alike, by the directions of the body.

use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{Role, Side};
use retarget::internals::skeleton::JointId;

/// Directions of a body in a frame, by what they are of.
pub type Directions = Vec<(Bone, Vec3)>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bone {
    Trunk,
    Hips,
    Shoulders,
    Limb(Role),
    Foot(Side),
    /// One of the three axes of a part's own frame: soles, palms, where head and pelvis face.
    Axis(Role, usize),
}

impl Bone {
    /// How far one may be off and still be a likeness, degrees.
    fn most_deg(self) -> f64 {
        match self {
            Bone::Hips => 20.0,
            // Of a fighter whose zero pose shows nothing, the trunk is known by how he mostly stoops.
            Bone::Trunk => 25.0,
            Bone::Shoulders => 30.0,
            Bone::Limb(_) => 8.0,
            // A bare hierarchy does not show how its feet are pitched; what is told as assumed.
            Bone::Foot(_) => 40.0,
            // Of who never stands, a part is known by how he mostly holds it.
            Bone::Axis(..) => 60.0,
        }
    }
}

/// The joint of a role, and the turn from the frame that both motions share of it to the joint's own; `None` where its rig
/// does not tell how it is rolled.
pub type Seen = (JointId, Option<Quat>);

/// What is seen of a posture: where trunk, hips, shoulders, limbs and the axes of all parts point in the world.
pub fn directions(world: &WorldPose, seen: &dyn Fn(Role) -> Option<Seen>) -> Directions {
    let at = |role: Role| seen(role).map(|(id, _)| world.position(id));
    let both = |role: fn(Side) -> Role| Some([at(role(Side::Left))?, at(role(Side::Right))?]);
    let mut found = Vec::new();
    let mut add = |bone, way: Option<Vec3>| {
        if let Some(way) = way.and_then(|way| way.try_normalize(1e-9)) {
            found.push((bone, way));
        }
    };
    let thighs = both(Role::Thigh);
    let arms = both(Role::UpperArm);
    let middle = |pair: Option<[Vec3; 2]>| pair.map(|[a, b]| 0.5 * (a + b));
    let top = middle(arms).or(at(Role::Head));
    add(Bone::Trunk, top.zip(middle(thighs)).map(|(top, low)| top - low));
    add(Bone::Hips, thighs.map(|[l, r]| l - r));
    add(Bone::Shoulders, arms.map(|[l, r]| l - r));
    for side in Side::BOTH {
        let chains = [
            [Role::Thigh(side), Role::Shin(side)],
            [Role::Shin(side), Role::Foot(side)],
            [Role::UpperArm(side), Role::Forearm(side)],
            [Role::Forearm(side), Role::Hand(side)],
        ];
        for [from, to] in chains {
            add(Bone::Limb(from), at(from).zip(at(to)).map(|(a, b)| b - a));
        }
        let foot = at(Role::Foot(side)).zip(at(Role::Toe(side)));
        add(Bone::Foot(side), foot.map(|(a, b)| b - a));
    }
    for role in parts() {
        let Some((id, Some(own_from_shared))) = seen(role) else { continue };
        let turn = world.rotation(id) * own_from_shared;
        (0..3).for_each(|axis| add(Bone::Axis(role, axis), Some(turn * Vec3::ith(axis, 1.0))));
    }
    found
}

/// The parts of a body whose turns about their own bones a mesh shows.
fn parts() -> impl Iterator<Item = Role> {
    let of_sides: [fn(Side) -> Role; 8] = [
        Role::Clavicle,
        Role::UpperArm,
        Role::Forearm,
        Role::Hand,
        Role::Thigh,
        Role::Shin,
        Role::Foot,
        Role::Toe,
    ];
    let sided = of_sides.into_iter().flat_map(|role| Side::BOTH.map(role));
    [Role::Hips, Role::Head].into_iter().chain(sided)
}

/// Two motions held against one another, each given by its directions in some frames; the second may be
/// turned about `up` as a whole.
pub fn likeness(up: Vec3, truth: &[Directions], other: &[Directions]) -> Result<(), String> {
    let pairs = || {
        truth.iter().zip(other).flat_map(|(t, o)| {
            t.iter().filter_map(|(bone, way)| {
                let found = o.iter().find(|(b, _)| b == bone)?;
                Some((*bone, *way, found.1))
            })
        })
    };
    let (mut dot, mut cross) = (0.0, 0.0);
    for (_, a, b) in pairs().filter(|(bone, ..)| !matches!(bone, Bone::Axis(..))) {
        let level = |v: Vec3| v - up * up.dot(&v);
        dot += level(a).dot(&level(b));
        cross += up.dot(&level(b).cross(&level(a)));
    }
    let turn = Quat::from_scaled_axis(up * cross.atan2(dot));
    let mut bones: Vec<(Bone, Vec<f64>)> = Vec::new();
    for (bone, a, b) in pairs() {
        let off = a.angle(&(turn * b)).to_degrees();
        match bones.iter_mut().find(|(other, _)| *other == bone) {
            Some((_, all)) => all.push(off),
            None => bones.push((bone, vec![off])),
        }
    }
    let mut worst: Option<(f64, String)> = None;
    for (bone, mut offs) in bones {
        offs.sort_by(f64::total_cmp);
        let median = offs[offs.len() / 2];
        let over = median / bone.most_deg();
        if (over > 1.0 || over.is_nan()) && worst.as_ref().is_none_or(|(most, _)| over > *most) {
            worst = Some((over, format!("{bone:?} {median:.0}° off")));
        }
    }
    worst.map_or(Ok(()), |(_, what)| Err(what))
}
