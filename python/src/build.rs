//! A clip out of arrays.

use crate::arrays::{Numbers, refuse_not_finite};
use crate::clip::Clip;
use crate::errors::wrong;
use crate::form::Form;
use pyo3::prelude::*;
use retarget::internals::clip::{Clip as Motion, FrameTime, moving_joints};
use retarget::internals::convert::SourceClip;
use retarget::internals::math::Vec3;
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::skeleton::{Joint, JointId, Skeleton};

/// A skeleton, and in which order an array has its joints.
pub struct Body {
    skeleton: Skeleton,
    /// For each joint of the skeleton its place in the arrays.
    places: Vec<usize>,
    /// The joints' names in the arrays' order.
    names: Vec<String>,
    frame_time: Option<f64>,
}

/// How rotations and root are written.
pub struct Written {
    pub form: Form,
    pub is_world: bool,
    /// Skeleton length units a unit of the root's path.
    pub scale: f64,
}

/// A frame time of so many frames a second.
pub fn frame_time(fps: f64) -> PyResult<FrameTime> {
    FrameTime::from_seconds(1.0 / fps)
        .filter(|_| fps > 0.0)
        .ok_or_else(|| wrong(format!("fps is {fps}; it has to be between 0.001 and 100000")))
}

/// Skeleton length units a unit of the root's path.
pub fn root_scale(unit: Option<&str>, root_unit: Option<&str>) -> PyResult<f64> {
    let metres = |unit: &str| match unit {
        "m" => Ok(1.0),
        "cm" => Ok(0.01),
        "mm" => Ok(0.001),
        "inch" => Ok(0.0254),
        "foot" => Ok(0.3048),
        other => {
            Err(wrong(format!("{other:?} is no length unit; there are m, cm, mm, inch and foot")))
        }
    };
    match (unit, root_unit) {
        (None, None) => Ok(1.0),
        (Some(unit), Some(root)) => Ok(metres(root)? / metres(unit)?),
        (Some(unit), None) => metres(unit).map(|_| 1.0),
        (None, Some(_)) => Err(wrong("root_unit says nothing without unit, the skeleton's own")),
    }
}

impl Body {
    /// The skeleton of a clip or rig; `names` is the order of the arrays.
    pub fn like(
        skeleton: Skeleton,
        names: Option<Vec<String>>,
        frame_time: Option<f64>,
    ) -> PyResult<Self> {
        let own: Vec<String> = skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
        let Some(names) = names else {
            return Ok(Self { places: (0..own.len()).collect(), names: own, skeleton, frame_time });
        };
        let place = |name: &String| {
            let place = names.iter().position(|other| other == name);
            place.ok_or_else(|| wrong(format!("names lacks the skeleton's joint {name:?}")))
        };
        let places: Vec<usize> = own.iter().map(place).collect::<PyResult<_>>()?;
        if let Some(unknown) = names.iter().find(|name| !own.contains(name)) {
            return Err(wrong(format!(
                "the skeleton has no joint {unknown:?}; it has {}",
                own.join(", ")
            )));
        }
        Ok(Self { skeleton, places, names, frame_time })
    }

    /// A skeleton of names, parents and offsets in any order.
    pub fn of(names: &[String], parents: &[isize], offsets: &Numbers) -> PyResult<Self> {
        let count = names.len();
        if parents.len() != count {
            return Err(wrong(format!("there are {count} names and {} parents", parents.len())));
        }
        offsets.expect("offsets", &[(Some(count), "J"), (Some(3), "")])?;
        refuse_not_finite("offsets", offsets.as_slice()?, 3, &as_strs(names))?;
        let offsets: Vec<Vec3> =
            offsets.as_slice()?.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let order = retarget::internals::skeleton::depth_first(parents)
            .map_err(|error| wrong(error.to_string()))?;
        let mut new_place = vec![0; count];
        order.iter().enumerate().for_each(|(new, &old)| new_place[old] = new);
        let joint = |&old: &usize| {
            let parent =
                usize::try_from(parents[old]).ok().map(|parent| JointId::new(new_place[parent]));
            Joint::new(&names[old], parent, offsets[old])
        };
        let skeleton = Skeleton::new(order.iter().map(joint).collect())
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Self { skeleton, places: order, names: names.to_vec(), frame_time: None })
    }
}

fn as_strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The clip of rotations and a root's path.
pub fn clip(
    py: Python<'_>,
    body: Body,
    rotations: &Numbers,
    root: Option<&Numbers>,
    written: Written,
    fps: Option<f64>,
) -> PyResult<Clip> {
    let (joints, width) = (body.names.len(), written.form.width());
    let mut wanted = vec![(None, "T"), (Some(joints), "J")];
    wanted.extend(written.form.shape().iter().map(|&len| (Some(len), "")));
    rotations.expect("rotations", &wanted)?;
    let frames = rotations.shape()[0];
    if let Some(root) = root {
        let moving = moving_joints(&body.skeleton).len();
        match root.shape().len() {
            _ if moving == 0 => {
                return Err(wrong("root: no joint of the skeleton has translations"));
            }
            3 => root.expect("root", &[(Some(frames), "T"), (Some(moving), "M"), (Some(3), "")])?,
            _ => root.expect("root", &[(Some(frames), "T"), (Some(3), "")])?,
        }
    }
    let frame_time = match (fps, body.frame_time) {
        (Some(fps), _) => frame_time(fps)?,
        (None, Some(seconds)) => FrameTime::from_seconds(seconds).expect("a clip's own"),
        (None, None) => {
            return Err(wrong("nothing says how many frames a second there are; give fps"));
        }
    };
    let names = as_strs(&body.names);
    let (rotations, root) = (rotations.as_slice()?, root.map(Numbers::as_slice).transpose()?);
    refuse_not_finite("rotations", rotations, width, &names)?;
    if let Some(root) = root {
        let moving = moving_joints(&body.skeleton);
        let moving: Vec<&str> = moving.iter().map(|&id| body.skeleton.name(id)).collect();
        let given = root.len() / (3 * frames.max(1));
        refuse_not_finite("root", root, 3, &moving[..given.clamp(1, moving.len())])?;
    }
    let made = py.detach(|| frames_of(&body, rotations, root, &written, frame_time));
    let clip = made.map_err(|(frame, joint, what)| {
        wrong(format!("rotations: frame {frame}, joint {:?}: {what}", body.names[joint]))
    })?;
    let most = clip.skeleton().most_away_len();
    let (_, places) = clip.whole().unwrap_or_default();
    if places.iter().any(|place| place.amax() > most) {
        return Err(wrong(
            "root: it lies farther away than 100000000 times the length of all bones; is its unit right?",
        ));
    }
    Ok(Clip::of(SourceClip::new("arrays", clip)))
}

fn frames_of(
    body: &Body,
    rotations: &[f64],
    root: Option<&[f64]>,
    written: &Written,
    frame_time: FrameTime,
) -> Result<Motion, (usize, usize, &'static str)> {
    let (skeleton, width) = (&body.skeleton, written.form.width());
    let row = width * skeleton.len();
    let frames = rotations.len() / row;
    let mut clip = Motion::with_capacity(skeleton.clone(), frame_time, frames);
    let mut world = WorldPose::new(skeleton.len());
    let mut pose = Pose::rest(skeleton);
    let moving = clip.moving().to_vec();
    for (frame, numbers) in rotations.chunks_exact(row).enumerate() {
        for (i, &place) in body.places.iter().enumerate() {
            let q = written.form.read(&numbers[place * width..(place + 1) * width]);
            pose.rotations[i] = q.map_err(|what| (frame, place, what))?;
        }
        if written.is_world {
            world.rotations.copy_from_slice(&pose.rotations);
            for (i, joint) in skeleton.joints().iter().enumerate() {
                if let Some(parent) = joint.parent {
                    pose.rotations[i] =
                        world.rotations[parent.index()].inverse() * world.rotations[i];
                }
            }
        }
        let places = root.map_or(&[][..], |root| {
            &root[frame * root.len() / frames..(frame + 1) * root.len() / frames]
        });
        for (id, place) in moving.iter().zip(places.chunks_exact(3)) {
            pose.translations[id.index()] = Vec3::from_column_slice(place) * written.scale;
        }
        clip.push_pose(&pose);
    }
    Ok(clip)
}
