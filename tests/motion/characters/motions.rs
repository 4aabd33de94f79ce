//! Real clips on real characters.

use super::FILES;
use crate::common::{characters_dir, mocap_dir, moving_clips};
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;

const FBX: [&str; 7] = [
    "fbx/blender_barbarian.fbx",
    "fbx/maya_character.fbx",
    "fbx/maya_human_ik.fbx",
    "fbx/pab_arnaud.fbx",
    "fbx/pab_skeleton.fbx",
    "fbx/quaternius_male_casual.fbx",
    "fbx/rocketbox_male_adult_01.fbx",
];

#[test]
fn no_limb_of_a_real_clip_snaps_and_no_foot_slides_on_a_real_character() {
    let (Some(mocap), Some(characters)) = (mocap_dir(), characters_dir()) else { return };
    let load = |name| convert::LoadedRig::load(characters.join(name)).expect("a rig");
    let fbx = FBX.into_iter().filter(|_| cfg!(feature = "fbx"));
    let names = FILES.into_iter().map(|(name, ..)| name).chain(fbx);
    let targets: Vec<(&str, LoadedRig)> = names.map(|name| (name, load(name))).collect();
    let mut results = 0;
    for (clip, source) in moving_clips(&mocap) {
        for (name, target) in &targets {
            let done = convert::convert(&source, RigFile::default(), target, &Settings::default());
            let Ok(done) = done else { continue };
            let (report, of) = (done.report, format!("{clip} onto {name}"));
            assert!(report.snap_deg.value <= 2.5, "{of}: {:?}", report.snap_deg);
            assert!(report.plant_drift_cm.value <= 0.05, "{of}: {:?}", report.plant_drift_cm);
            assert!(report.skate_cm_s.value <= 0.2, "{of}: {:?}", report.skate_cm_s);
            results += 1;
        }
    }
    assert_eq!(results, 37 * targets.len(), "37 clips of people with motion");
}
