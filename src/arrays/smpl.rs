//! Makes clips of parameters of SMPL, SMPL-H and SMPL-X bodies, as AMASS has them.
//!
//! `poses` are rotations, axis times radians, of the joints in the models' order. A model's file states where the
//! joints are at rest; its licence does not allow it to be part of this program. Without a model's file, bones have the
//! mean lengths of people.

use super::body::{Tree, moved, vectors};
use super::npz::Archive;
use super::{ArrayClip, ArrayError, Meant, frame_time};
use crate::math::{Quat, Vec3};
use crate::rig::UpAxis;
use crate::skeleton::{JointId, Skeleton};

/// The parameters of a body besides its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub betas: Vec<f64>,
    pub gender: String,
}

impl Default for Shape {
    /// The mean body.
    fn default() -> Self {
        Self { betas: vec![0.0; 16], gender: "neutral".to_owned() }
    }
}

/// The joints of a skeleton in a model's order. `None` unless it has the names and the tree of a model, or of a model's
/// body without hands.
pub fn in_order(skeleton: &Skeleton) -> Option<Vec<JointId>> {
    let (names, parents) = names_and_parents(skeleton.len())?;
    let order: Vec<JointId> =
        names.iter().map(|name| skeleton.find(name)).collect::<Option<_>>()?;
    let parent = |place: isize| usize::try_from(place).ok().map(|place| order[place]);
    let is_tree =
        order.iter().zip(parents).all(|(&id, place)| skeleton.parent(id) == parent(place));
    is_tree.then_some(order)
}

const BODY: [(&str, isize); 22] = [
    ("Pelvis", -1),
    ("Left_hip", 0),
    ("Right_hip", 0),
    ("Spine1", 0),
    ("Left_knee", 1),
    ("Right_knee", 2),
    ("Spine2", 3),
    ("Left_ankle", 4),
    ("Right_ankle", 5),
    ("Spine3", 6),
    ("Left_foot", 7),
    ("Right_foot", 8),
    ("Neck", 9),
    ("Left_collar", 9),
    ("Right_collar", 9),
    ("Head", 12),
    ("Left_shoulder", 13),
    ("Right_shoulder", 14),
    ("Left_elbow", 16),
    ("Right_elbow", 17),
    ("Left_wrist", 18),
    ("Right_wrist", 19),
];
const HEAD: isize = 15;
const WRISTS: [isize; 2] = [20, 21];
const FINGERS: [&str; 5] = ["index", "middle", "pinky", "ring", "thumb"];

/// The models, by their numbers of joints.
const MODELS: [(usize, &str); 3] = [(24, "SMPL"), (52, "SMPL-H"), (55, "SMPL-X")];

/// The positions of joints at rest relative to the pelvis, as shares of the body's height: X to the left, Y up, Z
/// forward, for the left side. The segments are after Winter, Biomechanics and Motor Control of Human Movement (2009),
/// figure 4.1, with the arms stretched to the sides.
const PEOPLE: [(&str, [f64; 3]); 22] = [
    ("Pelvis", [0.0, 0.0, 0.0]),
    ("hip", [0.05, -0.03, 0.0]),
    ("knee", [0.05, -0.275, 0.0]),
    ("ankle", [0.05, -0.521, 0.0]),
    ("foot", [0.05, -0.55, 0.085]),
    ("Spine1", [0.0, 0.06, 0.0]),
    ("Spine2", [0.0, 0.14, 0.0]),
    ("Spine3", [0.0, 0.18, 0.0]),
    ("Neck", [0.0, 0.28, 0.0]),
    ("collar", [0.04, 0.24, 0.0]),
    ("Head", [0.0, 0.33, 0.02]),
    ("shoulder", [0.11, 0.258, 0.0]),
    ("elbow", [0.296, 0.258, 0.0]),
    ("wrist", [0.442, 0.258, 0.0]),
    ("palm", [0.49, 0.258, 0.0]),
    ("Jaw", [0.0, 0.33, 0.03]),
    ("eye", [0.02, 0.37, 0.05]),
    ("index", [0.50, 0.258, 0.015]),
    ("middle", [0.505, 0.258, 0.0]),
    ("ring", [0.50, 0.258, -0.012]),
    ("pinky", [0.49, 0.258, -0.025]),
    ("thumb", [0.46, 0.25, 0.02]),
];
const HEIGHT_M: f64 = 1.7;
/// The distance between two joints of a finger, as a share of the body's height.
const PHALANX: f64 = 0.017;

/// The arrays that a pose is composed of, in the models' order: for each AMASS's name, and those of the package
/// `smplx`.
const PARTS: [&[&str]; 9] = [
    &["root_orient", "global_orient"],
    &["pose_body", "body_pose"],
    &["pose_jaw", "jaw_pose"],
    &["pose_eye"],
    &["leye_pose"],
    &["reye_pose"],
    &["pose_hand"],
    &["left_hand_pose"],
    &["right_hand_pose"],
];

/// Whether an archive has poses of a body.
pub fn is_one(archive: &Archive) -> bool {
    archive.has("poses") || PARTS[1].iter().any(|key| archive.has(key))
}

/// The clip of an archive with `poses`, or with `root_orient`, `pose_body` and so on; `trans` or `transl`, metres;
/// `betas`; and a frame rate. It has Y up; AMASS's files, which are told by the name of their frame rate, have Z up.
pub fn clip(archive: &Archive, meant: &Meant) -> Result<ArrayClip, ArrayError> {
    let (joints, turns) = poses(archive)?;
    let frames = turns.len() / joints;
    let trans = if archive.has("trans") { "trans" } else { "transl" };
    let trans = vectors(archive, trans, &[frames])?.unwrap_or(vec![Vec3::zeros(); frames]);
    let betas = betas(archive)?;
    let mut notes = Vec::new();
    let rest = match meant.model {
        Some((path, bytes)) => {
            let model =
                |source| ArrayError::Model { path: path.to_owned(), source: Box::new(source) };
            let archive = Archive::read(bytes, meant.most_len).map_err(model)?;
            rest(&archive, path, joints, &betas, &mut notes).map_err(model)?
        }
        None => {
            let note = "without a model's file the bones are as long as people's are in the mean; \
                        name yours with --smpl-model";
            notes.push(note.to_owned());
            people(joints)
        }
    };
    let tree = tree(joints, &rest);
    let is_amass = ["mocap_framerate", "mocap_frame_rate"].iter().any(|key| archive.has(key));
    let is_z_up = meant.up.map_or(is_amass, |up| up == UpAxis::Z);
    let turn = match is_z_up {
        true => UpAxis::Z.turn_to(UpAxis::Y),
        false => Quat::identity(),
    };
    let rotation = |(item, turned): (usize, &Vec3)| {
        let own = Quat::from_scaled_axis(*turned);
        if item % joints == 0 { turn * own } else { own }
    };
    let rotations: Vec<Quat> = turns.iter().enumerate().map(rotation).collect();
    let places: Vec<Vec3> = trans.iter().map(|place| turn * (place + rest[0])).collect();
    let frame_time = frame_time(meant, Some(archive))?;
    let clip = moved(&tree, &rotations, &[0], &places, frame_time)?;
    let gender = archive.texts("gender").ok().flatten().and_then(|texts| texts.into_iter().next());
    let Shape { gender: neutral, .. } = Shape::default();
    let shape = Shape { betas, gender: gender.unwrap_or(neutral) };
    Ok(ArrayClip { clip, notes, shape: Some(shape) })
}

/// The numbers of the body's shape; if each frame has its own, those of the first.
fn betas(archive: &Archive) -> Result<Vec<f64>, ArrayError> {
    let (shape, mut betas) = archive.numbers("betas")?.unwrap_or_default();
    betas.truncate(shape.last().copied().unwrap_or_default());
    match betas.iter().position(|beta| !beta.is_finite()) {
        None => Ok(betas),
        Some(at) => {
            let (key, item) = ("betas".to_owned(), format!("number {at}"));
            Err(ArrayError::Item { key, frame: 0, item, what: "it is no finite number" })
        }
    }
}

/// The number of joints, and their rotations, frame-major.
fn poses(archive: &Archive) -> Result<(usize, Vec<Vec3>), ArrayError> {
    let keys: Vec<&str> = match archive.has("poses") {
        true => vec!["poses"],
        false => PARTS
            .iter()
            .filter_map(|names| names.iter().copied().find(|key| archive.has(key)))
            .collect(),
    };
    let (mut parts, mut frames) = (Vec::new(), None);
    for key in keys {
        let (shape, numbers) = archive.numbers(key)?.unwrap_or_default();
        let own = shape.first().copied().unwrap_or_default();
        if own == 0 || *frames.get_or_insert(own) != own {
            let wanted = "as many frames as the others have".to_owned();
            return Err(ArrayError::Shape { key: key.to_owned(), shape, wanted });
        }
        if let Some(at) = numbers.iter().position(|number| !number.is_finite()) {
            let width = numbers.len() / own;
            let item = format!("number {}", at % width);
            let (key, what) = (key.to_owned(), "it is no finite number");
            return Err(ArrayError::Item { key, frame: at / width, item, what });
        }
        parts.push((numbers.len() / own, numbers));
    }
    let width: usize = parts.iter().map(|(width, _)| width).sum();
    let joints = match width / 3 {
        22 => 24,
        joints => joints,
    };
    if !width.is_multiple_of(3)
        || !is_model(joints)
        || (!archive.has("poses") && !PARTS[0].iter().any(|key| archive.has(key)))
    {
        return Err(ArrayError::Pose(width));
    }
    let mut turns = Vec::with_capacity(frames.unwrap_or_default() * joints);
    for frame in 0..frames.unwrap_or_default() {
        let row = parts.iter().flat_map(|(own, all)| &all[frame * own..(frame + 1) * own]);
        let row: Vec<f64> = row.copied().collect();
        turns.extend(row.chunks_exact(3).map(Vec3::from_column_slice));
        // Parameters of the body alone leave the hands unturned.
        turns.resize((frame + 1) * joints, Vec3::zeros());
    }
    Ok((joints, turns))
}

/// Whether there is a model with this many joints.
pub fn is_model(joints: usize) -> bool {
    MODELS.iter().any(|(own, _)| *own == joints)
}

/// The names of the joints of the model with this many joints, or of the body alone, in the model's order, and the
/// indices of their parents.
pub fn names_and_parents(joints: usize) -> Option<(Vec<String>, Vec<isize>)> {
    let is_known = joints == BODY.len() || is_model(joints);
    is_known.then(|| tree(joints, &vec![Vec3::zeros(); joints])).map(|it| (it.names, it.parents))
}

/// What poses with this many numbers probably are if they are not axes times radians, and how to convert them.
pub fn way_out(width: usize) -> &'static str {
    let fits =
        |each: usize| width.is_multiple_of(each) && names_and_parents(width / each).is_some();
    match (fits(9), fits(6)) {
        (true, _) => {
            "; these are matrices: save scipy.spatial.transform.Rotation.from_matrix(poses.reshape(-1, 3, \
             3)).as_rotvec().reshape(len(poses), -1)"
        }
        (_, true) => {
            "; these are 6D rotations: turn them into matrices, and save what scipy.spatial.transform.Rotation makes of \
             those by as_rotvec"
        }
        _ => "",
    }
}

/// The joints of the model with this many joints.
fn tree(joints: usize, rest: &[Vec3]) -> Tree {
    let mut all: Vec<(String, isize)> =
        BODY.iter().map(|(name, parent)| ((*name).to_owned(), *parent)).collect();
    let sides = || ["Left", "Right"].into_iter().zip(WRISTS);
    if joints == 24 {
        all.extend(sides().map(|(side, wrist)| (format!("{side}_palm"), wrist)));
    }
    if joints == 55 {
        all.extend(["Jaw", "Left_eye", "Right_eye"].map(|name| (name.to_owned(), HEAD)));
    }
    if joints > 24 {
        for (side, wrist) in sides() {
            for finger in FINGERS {
                for n in 1..=3 {
                    let parent = if n == 1 { wrist } else { all.len() as isize - 1 };
                    all.push((format!("{side}_{finger}{n}"), parent));
                }
            }
        }
    }
    let (names, parents): (Vec<String>, Vec<isize>) = all.into_iter().unzip();
    let from = |parent: isize| usize::try_from(parent).map_or(Vec3::zeros(), |parent| rest[parent]);
    let offsets = rest.iter().zip(&parents).map(|(at, parent)| at - from(*parent)).collect();
    Tree { names, parents, offsets }
}

/// The positions of a mean person's joints at rest, metres.
fn people(joints: usize) -> Vec<Vec3> {
    let names = tree(joints, &vec![Vec3::zeros(); joints]).names;
    let place = |name: &String| {
        let (sign, part) = match name.split_once('_') {
            Some(("Left", part)) => (1.0, part),
            Some((_, part)) => (-1.0, part),
            None => (1.0, name.as_str()),
        };
        let finger = FINGERS.iter().find(|finger| part.starts_with(*finger));
        let n = finger.map_or(0.0, |finger| part[finger.len()..].parse().unwrap_or(1.0) - 1.0);
        let key = finger.copied().unwrap_or(part);
        let at = PEOPLE.iter().find(|(name, _)| *name == key).map_or([0.0; 3], |(_, at)| *at);
        HEIGHT_M * Vec3::new(sign * (at[0] + PHALANX * n), at[1], at[2])
    };
    names.iter().map(place).collect()
}

/// The positions of a model's joints at rest in this shape, metres. A note is added if the shape does not fit the
/// model.
fn rest(
    model: &Archive,
    path: &str,
    joints: usize,
    betas: &[f64],
    notes: &mut Vec<String>,
) -> Result<Vec<Vec3>, ArrayError> {
    let needed = |key| model.numbers(key)?.ok_or(ArrayError::NoModel(key));
    let ((_, template), (shape, dirs), (of, regressor)) =
        (needed("v_template")?, needed("shapedirs")?, needed("J_regressor")?);
    let [own, points] = of[..] else { return Err(ArrayError::NoModel("J_regressor")) };
    let known = |count| MODELS.iter().find(|(own, _)| *own == count).map(|(_, name)| *name);
    let name = known(own).ok_or(ArrayError::ModelJoints(own))?;
    let count = shape.get(2).copied().unwrap_or_default();
    let fits = template.len() == 3 * points && dirs.len() == 3 * points * count && count > 0;
    if !fits {
        let key = "shapedirs".to_owned();
        return Err(ArrayError::Shape { key, shape, wanted: format!("({points}, 3, B)") });
    }
    let mut betas = betas;
    if own != joints {
        notes.push(format!(
            "{path} is {name}, and the poses are of {}, whose betas mean another shape: the model's mean shape is taken",
            known(joints).unwrap_or_default()
        ));
        betas = &[];
    }
    let shaped: Vec<f64> = template
        .iter()
        .zip(dirs.chunks_exact(count))
        .map(|(at, dirs)| at + dirs.iter().zip(betas).map(|(dir, beta)| dir * beta).sum::<f64>())
        .collect();
    let joint = |weights: &[f64]| -> Vec3 {
        let points = shaped.chunks_exact(3).map(Vec3::from_column_slice);
        weights.iter().zip(points).map(|(weight, at)| *weight * at).sum()
    };
    let found: Vec<Vec3> = regressor.chunks_exact(points.max(1)).map(joint).collect();
    if found.len() != own || found.iter().any(|at| !at.iter().all(|x| x.is_finite())) {
        return Err(ArrayError::Shape {
            key: "J_regressor".to_owned(),
            shape: of,
            wanted: "(J, V) of finite numbers".to_owned(),
        });
    }
    if own == joints {
        return Ok(found);
    }
    let own = tree(own, &found).names;
    let zeros = vec![Vec3::zeros(); joints];
    let wanted = tree(joints, &zeros).names.into_iter().zip(people(joints));
    let place = |(name, at): (String, Vec3)| match own.iter().position(|own| *own == name) {
        Some(joint) => found[joint],
        None => at + found[0],
    };
    Ok(wanted.map(place).collect())
}
