//! Clips that are made by choices are carried over as sources and as targets: what comes out can be read, and is of
//! numbers alone.
#![no_main]

mod clips;
mod samples;

use clips::choices::Choices;
use libfuzzer_sys::fuzz_target;
use retarget::internals::bvh;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::plant::FootPlants;
use retarget::internals::rig::{RigFile, Scale};
use retarget::internals::settings::Settings;
use samples::{hero, walk};
use std::path::Path;

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
    let Ok(source) = convert::SourceClip::from_bytes(Path::new("made"), text.as_bytes()) else {
        return;
    };
    carried(&source, hero(), &settings);
    if let Ok(rig) = convert::source_rig(&source, RigFile::default()) {
        carried(walk(), &rig, &settings);
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
