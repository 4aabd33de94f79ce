//! Whether Blender has each joint where forward kinematics has it.

use super::job::SeenClip;
use super::side::{Side, blender_from_file, diagonal, for_each};
use crate::convert::Skinned;
use crate::math::Vec3;
use serde::Serialize;

/// How far off a joint may be, as a share of the body. Blender counts in 32 bits, which is a thousandth
/// of this for a body near the origin.
pub const MOST_OFF_RATIO: f64 = 1e-4;

/// How far off a point of a mesh may be, as a share of the body: Blender brings each to the bind pose and back.
const MOST_OFF_MESH_RATIO: f64 = 1e-3;

/// A character's meshes in Blender, compared with the computed ones.
#[derive(Debug, Serialize)]
pub struct MeshAgreement {
    pub points: usize,
    pub frames: usize,
    /// Whether Blender has as many points; without that nothing else is compared.
    pub same_points: bool,
    /// Largest distance of a point from where it is computed, over the body's size.
    pub off_ratio: f64,
    pub frame: usize,
}

/// One clip in Blender, compared with the computed one.
#[derive(Debug, Serialize)]
pub struct Agreement {
    pub file: String,
    pub joints: usize,
    /// How many frames were compared.
    pub frames: usize,
    /// Bones of Blender's armature; each stands for a joint, in order.
    pub bones: usize,
    /// Whether the bones have the joints' hierarchy; without that nothing else is compared.
    pub same_tree: bool,
    /// Largest distance of a bone's head from its joint, over the body's size: the diagonal of the box
    /// about all joints, in the frame where it is largest.
    pub off_ratio: f64,
    /// Where it is that far off.
    pub joint: String,
    pub frame: usize,
    /// Of a character's own meshes.
    pub mesh: Option<MeshAgreement>,
    /// What Blender's importer is known to do otherwise with such a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// `heads` are the bones' heads in Blender's world, frame after frame of [`Side::compared`].
pub fn compare(side: &Side, seen: &SeenClip, heads: &[Vec3]) -> Agreement {
    let skeleton = side.clip.skeleton();
    let frames = side.compared();
    let parents = skeleton.joints().iter().map(|joint| joint.parent.map(|p| p.index()));
    // A character's bones are known by their nodes; what its feet hang on is told otherwise there.
    let same_tree = side.skinned.is_some() || seen.parents.iter().copied().eq(parents);
    let file_from_clip = side.turn().inverse();
    let shown = side.shown();
    let mut agreement = Agreement {
        file: side.path.display().to_string(),
        joints: shown.len(),
        frames: frames.len(),
        bones: seen.bones,
        same_tree: same_tree && heads.len() == frames.len() * shown.len(),
        off_ratio: 0.0,
        joint: String::new(),
        frame: 0,
        mesh: None,
        hint: side.skinned.as_ref().filter(|_| side.is_fbx()).and_then(hint),
    };
    if !agreement.same_tree {
        return agreement;
    }
    let (mut body_len, mut off) = (0.0f64, 0.0f64);
    for_each(&side.clip, &frames, |place, frame, world| {
        body_len = body_len.max(diagonal(&world.positions));
        for (&i, head) in shown.iter().zip(&heads[place * shown.len()..]) {
            let joint = world.positions[i];
            let distance = (blender_from_file(file_from_clip * joint) - head).norm();
            // NaN counts as infinitely far off.
            let distance = if distance.is_nan() { f64::INFINITY } else { distance };
            if distance > off {
                off = distance;
                agreement.joint = skeleton.joints()[i].name.clone();
                agreement.frame = frame;
            }
        }
    });
    // A single joint has no size, so that no distance at all is allowed.
    agreement.off_ratio = if off == 0.0 { 0.0 } else { off / body_len };
    agreement
}

/// How Blender's importer of FBX differs: it takes keys of positions in the rest frame of the bone, and divides them by
/// the bone's own scale.
fn hint(skinned: &Skinned) -> Option<String> {
    let joint = skinned.sized()?;
    Some(format!(
        " (its importer of FBX divides the places of bones that have a size of their own, as {joint} has, by that size, \
         whatever moves them)"
    ))
}

/// `points` are those of all meshes in Blender's world, in the order of the file, frame after frame of
/// [`Side::shaped`].
pub fn compare_mesh(side: &Side, skinned: &Skinned, points: &[Vec3]) -> MeshAgreement {
    let frames = side.shaped();
    let each: usize = skinned.surfaces().iter().map(|surface| surface.points.len()).sum();
    let mut agreement = MeshAgreement {
        points: each,
        frames: frames.len(),
        same_points: points.len() == each * frames.len(),
        off_ratio: 0.0,
        frame: 0,
    };
    if !agreement.same_points {
        return agreement;
    }
    let file_from_clip = side.turn().inverse();
    let shown = side.shown_points(skinned);
    agreement.points = shown.iter().filter(|shown| **shown).count();
    for (place, &frame) in frames.iter().enumerate() {
        let ours: Vec<Vec3> = skinned.places(frame).into_iter().flatten().collect();
        let body_len = diagonal(&ours);
        let both = ours.iter().zip(&points[place * each..]).zip(&shown);
        for ((ours, point), _) in both.filter(|(_, shown)| **shown) {
            let distance = (blender_from_file(file_from_clip * ours) - point).norm();
            let off_ratio = if distance == 0.0 { 0.0 } else { distance / body_len };
            // NaN counts as infinitely far off.
            let off_ratio = if off_ratio.is_nan() { f64::INFINITY } else { off_ratio };
            if off_ratio > agreement.off_ratio {
                (agreement.off_ratio, agreement.frame) = (off_ratio, frame);
            }
        }
    }
    agreement
}

impl MeshAgreement {
    fn holds(&self) -> bool {
        self.same_points && self.off_ratio <= MOST_OFF_MESH_RATIO
    }
}

impl Agreement {
    pub fn with_mesh(self, mesh: MeshAgreement) -> Self {
        Self { mesh: Some(mesh), ..self }
    }

    /// Whether Blender shows what is computed.
    pub fn holds(&self) -> bool {
        let mesh = self.mesh.as_ref().is_none_or(MeshAgreement::holds);
        self.same_tree && self.off_ratio <= MOST_OFF_RATIO && mesh
    }

    /// What Blender shows differently, if anything.
    pub fn difference(&self) -> Option<String> {
        let Self { file, joints, bones, joint, frame, off_ratio, .. } = self;
        if !self.same_tree {
            return Some(format!("{file} has {joints} joints, and {bones} bones another tree"));
        }
        if *off_ratio > MOST_OFF_RATIO {
            let hint = self.hint.as_deref().unwrap_or_default();
            let off = format!(
                "{file}: {joint} in frame {frame} is {off_ratio:.1e} of the body away{hint}"
            );
            return Some(off);
        }
        let MeshAgreement { points, same_points, off_ratio, frame, .. } =
            self.mesh.as_ref().filter(|mesh| !mesh.holds())?;
        Some(match same_points {
            true => format!(
                "{file}: a point of its mesh in frame {frame} is {off_ratio:.1e} of the body away"
            ),
            false => format!("{file}: its meshes have not the {points} points that the file has"),
        })
    }
}
