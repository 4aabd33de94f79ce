//! Knees of planted legs, from one stand to the next.

use retarget::convert::{self, Conversion};
use retarget::rig::RigFile;
use retarget::settings::Settings;
use std::path::Path;

/// A knee's angular speed changes from frame to frame at most this many times as fast as the source's ever does.
const MOST_POP: f64 = 1.2;

#[test]
fn no_knee_pops_as_its_foot_lands_or_leaves() {
    let samples = Path::new("samples");
    for clip in ["jump", "run", "stairs", "turn", "walk"] {
        let source = convert::load_clip(&samples.join(clip).with_extension("bvh")).expect("a clip");
        for rig in ["child.toml", "game.toml", "hero.toml", "long_legged.bvh", "stocky.toml"] {
            let target = convert::load_rig(&samples.join("skeletons").join(rig)).expect("a rig");
            let done = convert::convert(&source, RigFile::default(), &target, &Settings::default());
            let Conversion { report, plant, .. } = done.expect("a person");
            assert!(plant.body.iter().any(|moved| moved.shift.norm() > 0.0), "{clip} onto {rig}");
            let pop = &report.knee_pop_ratio;
            assert!(pop.value < MOST_POP, "{clip} onto {rig}: {pop:?}");
        }
    }
}
