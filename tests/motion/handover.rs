//! A foot that goes from one of its parts onto another while it stays on the floor.

use retarget::internals::clip::Clip;
use retarget::internals::contact::ContactFile;
use retarget::internals::convert::{self, LoadedContacts, SourceClip};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role, Side};
use retarget::internals::settings::Settings;
use std::path::{Path, PathBuf};

const FRAMES: usize = 90;

/// Somebody who stands, and is carried aside by so many leg lengths while all stays as it is.
fn glides(aside_legs: f64) -> SourceClip {
    let walk = convert::SourceClip::load(Path::new("samples/walk.bvh")).expect("a clip");
    let rig = convert::source_rig(&walk, RigFile::default()).expect("a person").rig;
    let mut clip = Clip::new(walk.clip.skeleton().clone(), walk.clip.frame_time().clone());
    let mut pose = walk.clip.pose(0);
    let first = pose.translations[0].x;
    for frame in 0..FRAMES {
        let share = frame as f64 / (FRAMES - 1) as f64;
        pose.translations[0].x = first + share * aside_legs * rig.leg_len;
        clip.push_pose(&pose);
    }
    SourceClip::new("glides.bvh", clip)
}

/// Heel and ball stand one after the other; one frame belongs to both.
const CONTACTS: [&str; 2] = [
    "ball = [{ frames = [0, 45] }]\nheel = [{ frames = [45, 89] }]",
    "heel = [{ frames = [0, 45] }]\nball = [{ frames = [45, 89] }]",
];

#[test]
fn a_foot_that_goes_from_one_part_onto_the_other_does_not_leap() {
    for left in CONTACTS {
        let mut source = glides(0.2);
        let text = format!("[feet.left]\n{left}\ntip = []\n[feet.right]\nheel = []\nball = []\n");
        let file = ContactFile::parse(&text).expect("a side file");
        source.contacts = Some(LoadedContacts { path: PathBuf::from("none.toml"), file });
        let target = convert::source_rig(&source, RigFile::default()).expect("a person");
        let done = convert::convert(&source, RigFile::default(), &target, &Settings::default());
        let result = done.expect("a body like it").result;
        let foot = target.rig.joint(Role::Foot(Side::Left)).expect("a leg");
        let ankle =
            |frame: usize| WorldPose::of(&target.rig.skeleton, &result.pose(frame)).position(foot);
        let places: Vec<_> = (0..FRAMES).map(ankle).collect();
        let steps = places.windows(2).map(|two| (two[1] - two[0]).norm() / target.rig.leg_len);
        let leap = steps.fold(0.0, f64::max);
        assert!(leap < 0.005, "{left}: the ankle leaps by {leap} legs in a frame");
    }
}
