//! Laws over motions that nobody recorded, onto ordinary bodies: wider and narrower, on slower and faster feet, in waves of
//! tempo, with another upper body than legs.

use crate::common;
use crate::plain_bodies::PLAIN;
use crate::strange_motions::StrangeMotion;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::report::Report;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::path::Path;

/// The motions that these seeds make of every real clip that moves, onto the sample skeletons and two plain bodies: where each
/// result comes from, and its report. `None` without real clips.
fn reports(seeds: &[u64]) -> Option<Vec<(String, Report)>> {
    let dir = common::mocap_dir()?;
    let rig = |name: &str| LoadedRig::load(Path::new("samples/skeletons").join(name));
    let rigs = ["child.toml", "game.toml", "hero.toml", "stocky.toml"]
        .map(|name| (name.to_owned(), rig(name).expect("a rig")));
    let mut reports = Vec::new();
    for (name, source) in common::moving_clips(&dir) {
        let Ok(LoadedRig { rig: own, .. }) = convert::source_rig(&source, RigFile::default())
        else {
            continue;
        };
        for &seed in seeds {
            let clip = StrangeMotion::new(seed).of(&source.clip, &own);
            let plain =
                PLAIN.iter().take(2).map(|body| (body.name.to_owned(), body.rig(&own, &clip)));
            let plain: Vec<(String, LoadedRig)> = plain.collect();
            let motion = SourceClip::new(&name, clip);
            for (body, target) in rigs.iter().chain(&plain) {
                let done =
                    convert::convert(&motion, RigFile::default(), target, &Settings::default());
                let report = done.expect("a person").report;
                reports.push((format!("{name} {seed} onto {body}"), report));
            }
        }
    }
    assert_eq!(reports.len(), 37 * seeds.len() * 6, "37 real clips that move, six bodies");
    Some(reports)
}

#[test]
fn no_limb_snaps_in_motions_that_nobody_recorded() {
    let Some(reports) = reports(&[120, 205]) else { return };
    let over = |of: fn(&Report) -> f64, most: f64| {
        let over = reports.iter().filter(|(_, report)| of(report) > most);
        over.map(|(place, report)| format!("{place}: {}", of(report))).collect::<Vec<_>>()
    };
    let snaps = over(|report| report.snap_deg.value, 2.5);
    assert!(snaps.is_empty(), "{} of {}: {snaps:?}", snaps.len(), reports.len());
    let rough = over(
        |report| {
            let ratios = [&report.jump_ratio, &report.jerk_peak_ratio, &report.knee_pop_ratio];
            ratios.into_iter().map(|ratio| ratio.value).fold(0.0, f64::max)
        },
        1.2,
    );
    assert!(50 * rough.len() <= reports.len(), "{} of {}: {rough:?}", rough.len(), reports.len());
    let drifting = over(|report| report.plant_drift_cm.value, 0.05);
    assert!(100 * drifting.len() <= reports.len(), "{}: {drifting:?}", drifting.len());
}
