//! Properties of reading and writing on random clips and random damage.

use proptest::prelude::*;
use retarget::internals::bvh::{self, WriteSettings, written_name};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::skeleton::{Channel, Channels, Joint, JointId, Skeleton};

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

/// Any set of channels with all or none of the rotations, in any order.
fn channels() -> impl Strategy<Value = Channels> {
    let axes = [Axis::X, Axis::Y, Axis::Z];
    let positions = prop::sample::subsequence(axes.map(Channel::Position).to_vec(), 0..=3);
    (positions, any::<bool>())
        .prop_map(move |(mut list, rotates)| {
            list.extend(axes.map(Channel::Rotation).into_iter().filter(|_| rotates));
            list
        })
        .prop_shuffle()
        .prop_map(|list| Channels::new(&list).expect("distinct"))
}

prop_compose! {
    fn skeleton()(
        names in prop::collection::vec(any::<String>(), 1..12),
    )(
        parts in names.into_iter().map(|name| {
            (Just(name), 0..20usize, vector(200.0), channels(), prop::collection::vec(vector(9.0), 0..3))
        }).collect::<Vec<_>>(),
    ) -> Skeleton {
        // The path to the joint before: a new joint hangs on one of them, or is a root.
        let mut path: Vec<usize> = Vec::new();
        let mut joints = Vec::new();
        for (i, (name, up, offset, channels, end_sites)) in parts.into_iter().enumerate() {
            path.truncate(path.len().saturating_sub(up / 4));
            let parent = path.last().map(|&parent| JointId::new(parent));
            joints.push(Joint { name, parent, offset, channels, end_sites });
            path.push(i);
        }
        Skeleton::new(joints).expect("in order")
    }
}

/// A rotation for each joint that can have one.
fn rotation() -> impl Strategy<Value = Quat> {
    (vector(1.0), -4.0..4.0f64).prop_map(|(axis, angle)| {
        let axis = nalgebra::Unit::try_new(axis, 1e-3).unwrap_or(Vec3::x_axis());
        Quat::from_axis_angle(&axis, angle)
    })
}

prop_compose! {
    fn clip()(skeleton in skeleton(), frame_time in 1e-4..10.0f64, frames in 0..5usize)(
        rotations in prop::collection::vec(rotation(), skeleton.len() * frames),
        places in prop::collection::vec(vector(1e4), skeleton.len() * frames),
        skeleton in Just(skeleton),
        frame_time in Just(frame_time),
        frames in Just(frames),
    ) -> Clip {
        let mut clip = Clip::new(skeleton, FrameTime::from_seconds(frame_time).expect("above zero"));
        let joints = clip.skeleton().joints().to_vec();
        let moving = clip.moving().to_vec();
        for frame in 0..frames {
            let at = frame * joints.len();
            let rotations: Vec<Quat> = joints.iter().zip(&rotations[at..]).map(|(joint, &q)| {
                if joint.channels.euler_order().axes().is_empty() { Quat::identity() } else { q }
            }).collect();
            let translations: Vec<Vec3> = moving.iter().map(|id| {
                let joint = &joints[id.index()];
                let mut place = joint.offset;
                for channel in joint.channels.as_slice() {
                    if let Channel::Position(axis) = channel {
                        place[axis.index()] = places[at + id.index()][axis.index()];
                    }
                }
                place
            }).collect();
            clip.push(&rotations, &translations);
        }
        clip
    }
}

fn written(clip: &Clip, decimals: u8) -> Vec<u8> {
    let mut text = Vec::new();
    bvh::write(clip, &WriteSettings { decimals }, &mut text).expect("a Vec takes all");
    text
}

proptest! {
    #[test]
    fn any_clip_comes_back_to_the_last_written_decimal(clip in clip(), decimals in 3..10u8) {
        let file = bvh::read(&written(&clip, decimals)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let again = file.clip;
        let (a, b) = (clip.skeleton().joints(), again.skeleton().joints());
        prop_assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            prop_assert_eq!(&*written_name(&a.name), b.name.as_str());
            prop_assert_eq!((a.parent, a.offset, a.channels), (b.parent, b.offset, b.channels));
            prop_assert!(a.end_sites == b.end_sites || a.end_sites.is_empty());
        }
        prop_assert_eq!(clip.frame_time(), again.frame_time());
        let frames = if clip.skeleton().channel_count() == 0 { 0 } else { clip.len() };
        prop_assert_eq!(again.len(), frames);
        let half = 0.5001 * 10f64.powi(-i32::from(decimals)) + 1e-12;
        for frame in 0..frames {
            for (a, b) in clip.rotations(frame).iter().zip(again.rotations(frame)) {
                prop_assert!(a.angle_to(b).to_degrees() <= 3.0 * half + 1e-6);
            }
            for (a, b) in clip.translations(frame).iter().zip(again.translations(frame)) {
                prop_assert!((a - b).amax() <= half);
            }
        }
    }

    #[test]
    fn a_damaged_file_never_makes_the_reader_panic(
        clip in clip(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..6u8, any::<u8>()), 1..8),
    ) {
        let mut text = written(&clip, 3);
        for (place, kind, byte) in damage {
            if text.is_empty() {
                break;
            }
            let at = place.index(text.len());
            match kind {
                0 => text[at] = byte,
                1 => { text.remove(at); }
                2 => text.insert(at, byte),
                3 => text.truncate(at + 1),
                4 => text[at] = b"\n\r\t {}.-+eE09:\"N"[usize::from(byte) % 16],
                _ => { let part = text[at..].to_vec(); text.extend(part); }
            }
        }
        let _ = bvh::read_hierarchy(&text);
        if let Ok(file) = bvh::read(&text) {
            prop_assert!(file.clip.len() <= text.len());
            let written = written(&file.clip, 3);
            prop_assert!(bvh::read(&written).is_ok());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = bvh::read(&bytes);
        let _ = bvh::read(&[b"HIERARCHY ", &*bytes].concat());
    }
}
