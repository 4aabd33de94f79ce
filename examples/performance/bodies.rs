//! The bodies that are measured: the samples' walk in the style of CMU, and the same with hands and a tail.

use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3};
use retarget::internals::rig::RigFile;
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
use std::path::Path;

/// A clip with its text and its rig, and a body with longer legs to move onto.
pub struct Body {
    pub clip: Clip,
    pub text: Vec<u8>,
    pub rig: LoadedRig,
    pub target: LoadedRig,
}

impl Body {
    /// The walk on a body of 31 joints or of 78.
    pub fn new(joints: usize) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/cmu_style/walk.bvh");
        let bytes = std::fs::read(&path).expect("the samples lie beside the sources");
        let walk = bvh::read(&bytes).expect("a sample").clip;
        let clip = match joints {
            31 => walk,
            78 => with_chains(&walk),
            _ => panic!("bodies have 31 joints or 78"),
        };
        assert_eq!(clip.skeleton().len(), joints);
        let text = text(&clip);
        let source = SourceClip::new("walk.bvh", clip.clone());
        let rig = convert::source_rig(&source, RigFile::default()).expect("a body");
        let target = super::plain::PLAIN[0].rig(&rig.rig, &clip);
        Self { clip, text, rig, target }
    }

    /// The text with a hierarchy of as many channels, all of which are positions.
    pub fn text_of_positions(&self) -> Vec<u8> {
        let text = std::str::from_utf8(&self.text).expect("our own text");
        let channels = self.clip.skeleton().channel_count();
        let position = "OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition";
        let joints = format!("JOINT a {{ {position} }}\n").repeat(channels / 3 - 1);
        let motion = &text[text.find("MOTION").expect("a motion")..];
        format!("HIERARCHY ROOT a {{ {position}\n{joints}}}\n{motion}").into_bytes()
    }
}

pub fn text(clip: &Clip) -> Vec<u8> {
    let mut text = Vec::new();
    bvh::write(clip, &bvh::WriteSettings::default(), &mut text).expect("memory takes all");
    text
}

const ORDER: [Axis; 3] = [Axis::Z, Axis::Y, Axis::X];

/// The clip with five fingers of four joints on each hand, and a tail of seven on the hips; all of them swing.
fn with_chains(clip: &Clip) -> Clip {
    let mut chains: Vec<(String, String, usize, Vec3)> = Vec::new();
    for (side, x) in [("Left", 0.5), ("Right", -0.5)] {
        for (n, finger) in ["Pinky", "Ring", "Middle", "Fore", "Thumb"].into_iter().enumerate() {
            let name = format!("{side}Hand{finger}");
            let step = Vec3::new(x, 0.0, 0.3 * (n as f64 - 2.0));
            chains.push((format!("{side}Hand"), name, 4, step));
        }
    }
    chains.push(("Hips".to_owned(), "Tail".to_owned(), 7, Vec3::new(0.0, 0.0, -1.0)));

    let mut joints: Vec<Joint> = Vec::new();
    // For each joint the one of the clip that it is, if any.
    let mut old: Vec<Option<usize>> = Vec::new();
    let mut new_of_old = Vec::new();
    for (i, joint) in clip.skeleton().joints().iter().enumerate() {
        let place = joints.len();
        new_of_old.push(place);
        let parent = joint.parent.map(|parent| JointId::new(new_of_old[parent.index()]));
        joints.push(Joint { parent, ..joint.clone() });
        old.push(Some(i));
        for (_, name, len, step) in chains.iter().filter(|(on, ..)| *on == joint.name) {
            for n in 1..=*len {
                let parent = if n == 1 { place } else { joints.len() - 1 };
                joints.push(Joint {
                    name: format!("{name}{n}"),
                    parent: Some(JointId::new(parent)),
                    offset: *step,
                    channels: Channels::rotations(ORDER).expect("distinct"),
                    end_sites: Vec::new(),
                });
                old.push(None);
            }
        }
    }
    let skeleton = Skeleton::new(joints).expect("depth first");
    let order = EulerOrder::new(&ORDER).expect("distinct");
    let mut longer = Clip::new(skeleton, clip.frame_time().clone());
    for frame in 0..clip.len() {
        let time_s = frame as f64 * clip.frame_time().seconds();
        let swing = |i: usize| {
            let angle = |size: f64, pace: f64| size * (pace * time_s + i as f64).sin();
            order.compose([angle(0.5, 3.1), angle(0.1, 1.7), angle(0.2, 2.3)])
        };
        let rotations: Vec<Quat> = old
            .iter()
            .enumerate()
            .map(|(i, old)| old.map_or_else(|| swing(i), |old| clip.rotations(frame)[old]))
            .collect();
        longer.push(&rotations, clip.translations(frame));
    }
    longer
}
