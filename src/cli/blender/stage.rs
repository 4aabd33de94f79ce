//! Where the two bodies stand beside each other: equal legs, feet on one floor, and marks where they are
//! planted.

use super::side::{Side, blender_from_file, diagonal, for_each};
use crate::contact::{FootPaths, Part, foot_paths};
use crate::math::{Quat, Vec3};
use crate::rig::{FootId, Rig, UpAxis};
use crate::skeleton::{JointId, Skeleton};
use serde::Serialize;
use std::ops::Range;

/// Legs of people are shown with this length, metres.
const LEG_M: f64 = 0.9;
/// How large a body of an unknown rig is shown, metres over the diagonal of the box about it.
const BODY_M: f64 = 2.0;
/// What is left free between the two, and around them, metres.
const GAP_M: f64 = 0.5;
const MARGIN_M: f64 = 1.0;

/// A stretch from a joint to a child's place or to an End Site, in the rest pose and Blender's axes, file
/// units.
#[derive(Serialize)]
pub struct Bone {
    joint: usize,
    end: [f64; 3],
}

/// Where an imported clip is put: the matrix that Blender gives its armature, by rows.
#[derive(Serialize)]
pub struct Place {
    matrix: [[f64; 4]; 4],
    /// Over the body in its first frame.
    label: [f64; 3],
}

/// A spot on the floor, lit while the source's contact lasts.
#[derive(Serialize)]
pub struct Mark {
    at: [f64; 3],
    /// `left`, `right` or `middle`.
    side: &'static str,
    /// Frames from 0, half open.
    frames: [usize; 2],
}

/// The whole scene.
pub struct Stage {
    pub floor: [[f64; 2]; 2],
    pub front: &'static str,
    pub places: [(Place, Vec<Mark>); 2],
}

/// A clip's way from Blender's import to the scene, and what it takes up there.
struct Standing {
    turn: Quat,
    /// From the file as Blender opens it to the clip.
    file_turn: Quat,
    scale: f64,
    shift: Vec3,
    least: Vec3,
    most: Vec3,
    /// The box about the body in its first frame.
    first: [Vec3; 2],
}

impl Stage {
    pub fn new(sides: &[Side; 2]) -> Self {
        // Where one rig is unknown the legs of the other say nothing.
        let by_legs = sides.iter().all(|side| side.known.is_some());
        let mut standing = sides.each_ref().map(|side| Standing::new(side, by_legs));
        // Beside each other across the way that is shorter.
        let span = |axis: usize| -> f64 {
            standing.iter().map(|standing| standing.most[axis] - standing.least[axis]).sum()
        };
        let (axis, front) = if span(0) <= span(1) { (0, "-y") } else { (1, "+x") };
        let [source, result] = &mut standing;
        source.move_along(axis, -0.5 * GAP_M - source.most[axis]);
        result.move_along(axis, 0.5 * GAP_M - result.least[axis]);
        let least = standing[0].least.inf(&standing[1].least).add_scalar(-MARGIN_M);
        let most = standing[0].most.sup(&standing[1].most).add_scalar(MARGIN_M);
        let [source, result] = standing;
        let marks = |side, standing: &Standing| marks(side, &sides[0], standing);
        let places = [
            (source.place(), marks(&sides[0], &source)),
            (result.place(), marks(&sides[1], &result)),
        ];
        Self { floor: [[least.x, least.y], [most.x, most.y]], front, places }
    }
}

impl Standing {
    fn new(side: &Side, by_legs: bool) -> Self {
        let up = side.known.as_ref().map_or(UpAxis::Y, |(rig, _)| rig.up);
        let turn = up.turn_to(UpAxis::Y);
        // The importer takes Y for up: what is up in the file is brought to Y before it.
        let turn = quarter() * turn * quarter().inverse();
        let (mut least, mut most) = (Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN));
        let (mut body_len, mut first) = (0.0f64, None);
        for_each(&side.clip, &side.compared(), |_, _, world| {
            body_len = body_len.max(diagonal(&world.positions));
            for joint in &world.positions {
                let point = turn * blender_from_file(*joint);
                (least, most) = (least.inf(&point), most.sup(&point));
            }
            first.get_or_insert((least, most));
        });
        let (leg_len, floor) = match &side.known {
            Some((rig, track)) => (rig.leg_len, track.floor_height),
            None => (body_len, least.z),
        };
        let scale = match by_legs {
            true => LEG_M / leg_len,
            false => BODY_M / body_len,
        };
        // A body without a size stays as it is.
        let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        let shift = Vec3::new(0.0, 0.0, -floor * scale);
        let first = first.unwrap_or((least, most));
        let put = |point: Vec3| point * scale + shift;
        Self {
            turn,
            file_turn: quarter() * side.turn() * quarter().inverse(),
            scale,
            shift,
            least: put(least),
            most: put(most),
            first: [put(first.0), put(first.1)],
        }
    }

    fn move_along(&mut self, axis: usize, by: f64) {
        let by = Vec3::ith(axis, by);
        self.shift += by;
        self.least += by;
        self.most += by;
        self.first = self.first.map(|corner| corner + by);
    }

    fn place(&self) -> Place {
        let m = (self.turn * self.file_turn).to_rotation_matrix().into_inner() * self.scale;
        let row = |i: usize| [m[(i, 0)], m[(i, 1)], m[(i, 2)], self.shift[i]];
        let middle = 0.5 * (self.first[0] + self.first[1]);
        Place {
            matrix: [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]],
            label: [middle.x, middle.y, self.first[1].z + 0.15],
        }
    }

    /// A point of the file in the scene.
    fn put(&self, point: Vec3) -> [f64; 3] {
        (self.turn * blender_from_file(point) * self.scale + self.shift).into()
    }
}

/// The quarter turn from the file's axes to Blender's, Y up to Z up.
fn quarter() -> Quat {
    UpAxis::Y.turn_to(UpAxis::Z)
}

/// All stretches of a skeleton that have a length.
pub fn bones(skeleton: &Skeleton) -> Vec<Bone> {
    let mut bones = Vec::new();
    let mut push = |joint: JointId, end: Vec3| {
        if end.norm() > 0.0 {
            bones.push(Bone { joint: joint.index(), end: blender_from_file(end).into() });
        }
    };
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        if let Some(parent) = joint.parent {
            push(parent, joint.offset);
        }
        joint.end_sites.iter().for_each(|end| push(id, *end));
    }
    bones
}

/// A mark for each contact of the source, where the part of `side`'s own foot of that name is meanwhile.
fn marks(side: &Side, source: &Side, standing: &Standing) -> Vec<Mark> {
    let (Some((rig, _)), Some((source_rig, track))) = (&side.known, &source.known) else {
        return Vec::new();
    };
    let paths = foot_paths(&side.clip, rig);
    let mut marks = Vec::new();
    for contact in &track.contacts {
        let name = &source_rig.foot(contact.foot).name;
        let Some(foot) = rig.foot_ids().find(|id| rig.foot(*id).name == *name) else { continue };
        let at = under(&paths, rig, foot, contact.part, contact.frames.clone());
        let one_of = ["left", "right"].into_iter().find(|side| name.contains(side));
        marks.push(Mark {
            at: standing.put(at),
            side: one_of.unwrap_or("middle"),
            frames: [contact.frames.start, contact.frames.end],
        });
    }
    marks
}

/// The mean place of a part of a foot, brought down to its sole.
fn under(paths: &FootPaths, rig: &Rig, foot: FootId, part: Part, frames: Range<usize>) -> Vec3 {
    let path = &paths.of(foot, part)[frames];
    let mean = path.iter().sum::<Vec3>() / path.len().max(1) as f64;
    match part {
        Part::Heel | Part::Tip => mean,
        Part::Ball => mean - rig.up.vector() * rig.foot(foot).ball_height,
    }
}
