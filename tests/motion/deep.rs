//! What a body costs grows with its joints, not with their square: a chain of so many of them would take many minutes
//! else, with or without a bound on files.

use crate::equivalent::rig_of;
use crate::gestures::source;
use crate::rewrite::cut;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::{RigFile, Role};
use retarget::internals::settings::Settings;
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
use std::path::Path;

const CHAIN: usize = 200_000;

/// The clip with a chain of joints of no length hanging on a leaf of it, each in the one before.
fn with_chain(clip: &Clip, leaf: JointId) -> Clip {
    let first = leaf.index() + 1;
    let now = |id: JointId| if id > leaf { JointId::new(id.index() + CHAIN) } else { id };
    let was = clip.skeleton().joints().iter();
    let mut joints: Vec<Joint> =
        was.map(|joint| Joint { parent: joint.parent.map(now), ..joint.clone() }).collect();
    let link = |i: usize| Joint {
        name: format!("x{i}"),
        parent: Some(JointId::new(first + i - 1)),
        offset: Vec3::zeros(),
        channels: Channels::none(),
        end_sites: Vec::new(),
    };
    joints.splice(first..first, (0..CHAIN).map(link));
    let skeleton = Skeleton::new(joints).expect("a tree");
    let mut long = Clip::new(skeleton, clip.frame_time().clone());
    for frame in 0..clip.len() {
        let Pose { mut rotations, mut translations } = clip.pose(frame);
        rotations.splice(first..first, std::iter::repeat_n(Quat::identity(), CHAIN));
        translations.splice(first..first, std::iter::repeat_n(Vec3::zeros(), CHAIN));
        long.push_pose(&Pose { rotations, translations });
    }
    long
}

/// The clip's body with so many joints that cannot turn between two of it, all in the upper one's place.
fn with_stiff_joints(clip: &Clip, below: JointId, count: usize) -> Clip {
    let first = below.index();
    let now = |id: JointId| if id >= below { JointId::new(id.index() + count) } else { id };
    let was = clip.skeleton().joints().iter();
    let mut joints: Vec<Joint> =
        was.map(|joint| Joint { parent: joint.parent.map(now), ..joint.clone() }).collect();
    let parent = clip.skeleton().parent(below).expect("a joint below another");
    let stiff = |i: usize| Joint {
        name: format!("x{i}"),
        parent: Some(if i == 0 { parent } else { JointId::new(first + i - 1) }),
        offset: Vec3::zeros(),
        channels: Channels::none(),
        end_sites: Vec::new(),
    };
    joints[first].parent = Some(JointId::new(first + count - 1));
    joints.splice(first..first, (0..count).map(stiff));
    let mut long = Clip::new(Skeleton::new(joints).expect("a tree"), clip.frame_time().clone());
    let Pose { mut rotations, mut translations } = clip.pose(0);
    rotations.splice(first..first, std::iter::repeat_n(Quat::identity(), count));
    translations.splice(first..first, std::iter::repeat_n(Vec3::zeros(), count));
    long.push_pose(&Pose { rotations, translations });
    long
}

#[test]
fn joints_that_cannot_turn_make_no_rotation_longer_or_shorter() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/walk.bvh");
    let clip = cut(&convert::SourceClip::load(&path).expect("a sample").clip, 0, 4);
    let first_spine = rig_of(&clip).expect("a body").rig.joint(Role::Spine(1)).expect("a spine");
    for count in [5, 30, 60, 300] {
        let long = with_stiff_joints(&clip, first_spine, count);
        let onto = convert::source_rig(&source(long), RigFile::default()).expect("a body");
        let done = convert::convert(
            &source(clip.clone()),
            RigFile::default(),
            &onto,
            &Settings::default(),
        );
        let result = done.expect("it is retargeted").result;
        for turn in (0..result.len()).flat_map(|frame| result.rotations(frame)) {
            assert!((turn.norm() - 1.0).abs() < 1e-12, "{count} joints: {turn}");
        }
    }
}

#[test]
fn a_joint_in_a_joint_in_a_joint_costs_what_joints_cost_and_changes_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/walk.bvh");
    let clip = cut(&convert::SourceClip::load(&path).expect("a sample").clip, 0, 4);
    let plain = rig_of(&clip).expect("a body");
    let head = plain.rig.joint(Role::Head).expect("a head");
    let retargeted = |from: &Clip, onto: &LoadedRig| {
        let from = source(from.clone());
        let done = convert::convert(&from, RigFile::default(), onto, &Settings::default());
        done.expect("it is retargeted").result
    };
    let same = retargeted(&clip, &plain);
    let long = with_chain(&clip, head);
    let deep = convert::source_rig(&source(long.clone()), RigFile::default()).expect("a body");
    let (of_deep, onto_deep) = (retargeted(&long, &plain), retargeted(&clip, &deep));
    for frame in 0..clip.len() {
        assert_eq!(of_deep.pose(frame), same.pose(frame), "frame {frame}");
        let turns = onto_deep.rotations(frame);
        let turns = [&turns[..=head.index()], &turns[head.index() + 1 + CHAIN..]].concat();
        assert_eq!(turns, same.rotations(frame), "frame {frame}");
    }
}
