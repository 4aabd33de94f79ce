//! A clip in pieces that Python can pickle, and a clip of such pieces.

use crate::arrays::Numbers;
use crate::clip::Clip;
use crate::errors::wrong;
use nalgebra::Quaternion;
use pyo3::prelude::*;
use retarget::internals::arrays::Shape;
use retarget::internals::clip::{Clip as Motion, FrameTime};
use retarget::internals::convert::{Native, SourceClip};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::{Role, Roles, UpAxis};
use retarget::internals::skeleton::{Channel, Channels, Joint, JointId, Skeleton};
use std::path::PathBuf;

/// Name, parent, offset, channels as letters (`X` a position, `x` a rotation), end sites.
type JointPieces = (String, Option<usize>, [f64; 3], String, Vec<[f64; 3]>);

/// What the format says: the joints' places by the names of their roles, and whether the zero pose is one that a mesh
/// was modelled in; the axis up of its format; betas and gender of an SMPL body.
type NativePieces = (Vec<(String, usize)>, bool, Option<String>, Option<(Vec<f64>, String)>);

/// Path, frame time, joints, what the format says of them; the arrays go beside them.
pub type Pieces = (PathBuf, String, Vec<JointPieces>, NativePieces);

pub fn pieces(source: &SourceClip) -> Pieces {
    let joint = |joint: &Joint| {
        let letter = |channel: &Channel| match channel {
            Channel::Position(axis) => ['X', 'Y', 'Z'][axis.index()],
            Channel::Rotation(axis) => ['x', 'y', 'z'][axis.index()],
        };
        let channels = joint.channels.as_slice().iter().map(letter).collect();
        let ends = joint.end_sites.iter().map(|end| (*end).into()).collect();
        (joint.name.clone(), joint.parent.map(JointId::index), joint.offset.into(), channels, ends)
    };
    let joints = source.clip.skeleton().joints().iter().map(joint).collect();
    let Native { roles, modelled, up, shape } = &source.native;
    let roles = roles.iter().map(|(role, id)| (role.to_string(), id.index())).collect();
    let shape = shape.clone().map(|Shape { betas, gender }| (betas, gender));
    let native = (roles, *modelled, up.map(|up| up.to_string()), shape);
    (source.path.clone(), source.clip.frame_time().text().to_owned(), joints, native)
}

fn channels(letters: &str) -> Option<Channels> {
    let channel = |letter: char| {
        Some(match letter {
            'X' => Channel::Position(Axis::X),
            'Y' => Channel::Position(Axis::Y),
            'Z' => Channel::Position(Axis::Z),
            'x' => Channel::Rotation(Axis::X),
            'y' => Channel::Rotation(Axis::Y),
            'z' => Channel::Rotation(Axis::Z),
            _ => return None,
        })
    };
    Channels::new(&letters.chars().map(channel).collect::<Option<Vec<_>>>()?)
}

/// The clip of what was pickled.
#[pyfunction(name = "_restore")]
pub fn restore(
    pieces: Pieces,
    rotations: &Bound<'_, PyAny>,
    translations: &Bound<'_, PyAny>,
) -> PyResult<Clip> {
    let broken = || wrong("the pickled clip is broken");
    let (path, frame_time, joints, (named, modelled, up, shape)) = pieces;
    let mut roles = Roles::new();
    for (role, joint) in named.iter().filter(|(_, joint)| *joint < joints.len()) {
        roles.insert(role.parse::<Role>().map_err(|_| broken())?, JointId::new(*joint));
    }
    let joint = |(name, parent, offset, letters, ends): JointPieces| {
        Some(Joint {
            name,
            parent: parent.map(JointId::new),
            offset: Vec3::from(offset),
            channels: channels(&letters)?,
            end_sites: ends.into_iter().map(Vec3::from).collect(),
        })
    };
    let joints = joints.into_iter().map(joint).collect::<Option<Vec<_>>>().ok_or_else(broken)?;
    let skeleton = Skeleton::new(joints).map_err(|_| broken())?;
    let frame_time = FrameTime::parse(&frame_time).ok_or_else(broken)?;
    let (rotations, translations) =
        (Numbers::new(rotations, "rotations")?, Numbers::new(translations, "translations")?);
    let [rotations, translations] = [rotations.as_slice()?, translations.as_slice()?];
    let quaternion = |q: &[f64]| Quat::new_unchecked(Quaternion::new(q[3], q[0], q[1], q[2]));
    let rotations: Vec<Quat> = rotations.chunks_exact(4).map(quaternion).collect();
    let translations: Vec<Vec3> =
        translations.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let mut clip = Motion::new(skeleton, frame_time);
    let (joints, moving) = (clip.skeleton().len(), clip.moving().len());
    let frames = rotations.len() / joints;
    if rotations.len() != frames * joints || translations.len() != frames * moving {
        return Err(broken());
    }
    for frame in 0..frames {
        clip.push(
            &rotations[frame * joints..(frame + 1) * joints],
            &translations[frame * moving..(frame + 1) * moving],
        );
    }
    let shape = shape.map(|(betas, gender)| Shape { betas, gender });
    let up = up.map(|up| up.parse::<UpAxis>()).transpose().map_err(|_| broken())?;
    let native = Native { roles, modelled, up, shape };
    Ok(Clip::of(SourceClip { native, ..SourceClip::new(path, clip) }))
}
