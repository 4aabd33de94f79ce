//! Clips that are made by choices are carried over as sources and as targets: what comes out can be read, and is of
//! numbers alone.
#![no_main]

mod clips;

use clips::choices::Choices;
use libfuzzer_sys::fuzz_target;
use retarget::bvh;
use retarget::convert::{self, LoadedRig, SourceClip};
use retarget::plant::FootPlants;
use retarget::rig::{RigFile, Scale};
use retarget::settings::Settings;
use std::path::Path;
use std::sync::OnceLock;

fn samples() -> &'static (SourceClip, LoadedRig) {
    static SAMPLES: OnceLock<(SourceClip, LoadedRig)> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let clip =
            convert::load_clip(&here.join("corpus/convert/walk.bvh")).expect("fuzz/run makes it");
        let hero = convert::load_rig(&here.join("../samples/skeletons/hero.toml"));
        (clip, hero.expect("a sample"))
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let mut settings = Settings::default();
    settings.in_place = choices.one_in(4);
    settings.plant.foot_plants =
        *choices.of(&[FootPlants::Auto, FootPlants::Ground, FootPlants::Off, FootPlants::Auto]);
    settings.binding.scale = *choices.of(&[
        Scale::Leg,
        Scale::Height,
        Scale::NONE,
        Scale::Factor(1e-9),
        Scale::Factor(1e9),
    ]);
    let text = clips::clip(&mut choices);
    let Ok(source) = convert::read_clip(Path::new("made"), text.as_bytes()) else { return };
    let (walk, hero) = samples();
    carried(&source, hero, &settings);
    if let Ok(rig) = convert::source_rig(&source, RigFile::default()) {
        carried(walk, &rig, &settings);
    }
});

fn carried(source: &SourceClip, target: &LoadedRig, settings: &Settings) {
    let planned = convert::plan(source, RigFile::default(), target, settings, &mut |_| ());
    let Ok(planned) = planned else { return };
    let mut written = Vec::new();
    // A body may be too far away once it is scaled; what is no number is a finding.
    if let Err(error) = planned.written(&settings.write, &mut written) {
        assert!(error.kind() != std::io::ErrorKind::InvalidData, "{error}");
        return;
    }
    let again = bvh::read(&written).expect("what is written can be read");
    assert_eq!(again.clip.len(), source.clip.len());
}
