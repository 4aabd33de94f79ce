//! Conversions to and from the `Bvh` of the crate `bvh_anim`, for programs that use it.

use super::hierarchy::decode;
use super::row::FrameBuilder;
use super::row_writer::{RowWriter, Rows, WriteSettings};
use crate::clip::{Clip, FrameTime};
use crate::math::{Axis, Vec3};
use crate::skeleton::{Channel, Channels, Joint, JointId, Skeleton, SkeletonError};
use bvh_anim::{Bvh, BvhLiteralBuilder, ChannelType};
use std::time::Duration;

/// Why a clip or a `bvh_anim::Bvh` has no counterpart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BvhAnimError {
    #[error("a bvh_anim::Bvh holds one root only; the clip has {roots}")]
    SeveralRoots { roots: usize },
    #[error(
        "a bvh_anim::Bvh counts its frame time in whole nanoseconds above zero; {seconds} s is none"
    )]
    FrameTime { seconds: String },
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    #[error("joint {joint:?} has a channel twice")]
    RepeatedChannel { joint: String },
    #[error("frame {frame} has a number that is not finite")]
    NotFinite { frame: usize },
    #[error("a bvh_anim::Bvh holds numbers of 32 bits; {value} is beyond them")]
    TooLarge { value: String },
}

/// The clip as a `bvh_anim::Bvh`.
///
/// That type holds numbers as f32, the frame time in nanoseconds, one root, and one End Site a joint,
/// none on the root: further ones are left out.
pub fn to_bvh_anim(clip: &Clip) -> Result<Bvh, BvhAnimError> {
    let joints = clip.skeleton().joints();
    let roots = joints.iter().filter(|joint| joint.parent.is_none()).count();
    if roots > 1 {
        return Err(BvhAnimError::SeveralRoots { roots });
    }
    let frame_time = Duration::try_from_secs_f64(clip.frame_time().seconds())
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| BvhAnimError::FrameTime { seconds: clip.frame_time().text().to_owned() })?;

    // This is the only way to make a Bvh with any names in it; the crate's text reader cuts names at colons.
    let mut builder = BvhLiteralBuilder::default();
    let mut depths: Vec<usize> = Vec::with_capacity(joints.len());
    for joint in joints {
        let depth = joint.parent.map_or(0, |parent| depths[parent.index()] + 1);
        depths.push(depth);
        builder.current_depth = depth;
        match joint.parent {
            None => builder.push_root(&joint.name),
            Some(_) => builder.push_joint(&joint.name),
        }
        builder.push_joint_offset(single_vector(joint.offset)?.into(), false);
        for channel in joint.channels.as_slice() {
            builder.push_channel(channel_type(*channel));
        }
        if let (Some(_), Some(&end)) = (joint.parent, joint.end_sites.first()) {
            builder.push_joint_offset(single_vector(end)?.into(), true);
        }
    }
    let writer = RowWriter::new(clip.skeleton(), &WriteSettings::default());
    let mut rows = Rows::default();
    for frame in 0..clip.len() {
        writer.push_frame(clip.rotations(frame), clip.translations(frame), &mut rows);
    }
    writer.run_on(&mut writer.euler_filter(), &mut rows);
    let values = rows.numbers.iter().map(|&value| single(value)).collect::<Result<_, _>>()?;
    builder.set_num_frames(clip.len());
    builder.set_motion_values(values);
    builder.bvh.set_frame_time(frame_time);
    Ok(builder.bvh)
}

/// A `bvh_anim::Bvh` as a clip.
pub fn from_bvh_anim(bvh: &Bvh) -> Result<Clip, BvhAnimError> {
    let mut joints = Vec::new();
    // The places of the channels in a frame, in the order of our rows.
    let mut sources = Vec::new();
    for joint in bvh.joints() {
        let data = joint.data();
        let (name, _) = decode(data.name().as_bytes());
        let channels: Vec<Channel> =
            data.channels().iter().map(|c| channel(c.channel_type())).collect();
        let Some(channels) = Channels::new(&channels) else {
            return Err(BvhAnimError::RepeatedChannel { joint: name });
        };
        sources.extend(data.channels());
        let double = |v: [f32; 3]| Vec3::from(v.map(f64::from));
        joints.push(Joint {
            name,
            parent: data.parent_index().map(JointId::new),
            offset: double((*data.offset()).into()),
            channels,
            end_sites: data.end_site().map(|&end| double(end.into())).into_iter().collect(),
        });
    }
    let skeleton = Skeleton::new(joints)?;
    let seconds = bvh.frame_time().as_secs_f64();
    let frame_time = FrameTime::from_seconds(seconds)
        .ok_or_else(|| BvhAnimError::FrameTime { seconds: seconds.to_string() })?;

    let mut builder = FrameBuilder::new(&skeleton);
    let mut clip = Clip::new(skeleton, frame_time);
    // A file without channels may claim any number of frames, since they hold nothing.
    let frames = if sources.is_empty() { 0 } else { bvh.num_frames() };
    for (frame, numbers) in bvh.frames().enumerate().take(frames) {
        for (place, source) in sources.iter().enumerate() {
            let value = numbers.get(source).copied().filter(|value| value.is_finite());
            builder.set(place, value.ok_or(BvhAnimError::NotFinite { frame })?.into());
        }
        let (rotations, translations) = builder.frame();
        clip.push(rotations, translations);
    }
    Ok(clip)
}

fn single(value: f64) -> Result<f32, BvhAnimError> {
    let single = value as f32;
    let too_large = || BvhAnimError::TooLarge { value: value.to_string() };
    single.is_finite().then_some(single).ok_or_else(too_large)
}

fn single_vector(v: Vec3) -> Result<[f32; 3], BvhAnimError> {
    Ok([single(v.x)?, single(v.y)?, single(v.z)?])
}

fn channel(kind: ChannelType) -> Channel {
    let axis = match kind.axis() {
        bvh_anim::Axis::X => Axis::X,
        bvh_anim::Axis::Y => Axis::Y,
        bvh_anim::Axis::Z => Axis::Z,
    };
    if kind.is_position() { Channel::Position(axis) } else { Channel::Rotation(axis) }
}

fn channel_type(channel: Channel) -> ChannelType {
    match channel {
        Channel::Position(Axis::X) => ChannelType::PositionX,
        Channel::Position(Axis::Y) => ChannelType::PositionY,
        Channel::Position(Axis::Z) => ChannelType::PositionZ,
        Channel::Rotation(Axis::X) => ChannelType::RotationX,
        Channel::Rotation(Axis::Y) => ChannelType::RotationY,
        Channel::Rotation(Axis::Z) => ChannelType::RotationZ,
    }
}
