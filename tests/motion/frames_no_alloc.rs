//! The loop over a clip's frames allocates nothing: counted by an allocator that watches this thread.

use crate::counting::allocations;
use retarget::internals::binding::Binding;
use retarget::internals::contact;
use retarget::internals::convert;
use retarget::internals::plant::{Diagnostics, PlantPlan};
use retarget::internals::report::{FrameSample, Metrics};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use retarget::internals::transfer::{Transfer, TransferScratch};
use std::path::Path;

#[test]
fn transferring_planting_and_measuring_a_frame_allocates_nothing() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let path = samples.join("walk.bvh");
    let source =
        convert::SourceClip::from_bytes(&path, &convert::read_bytes(&path).unwrap()).unwrap();
    let target = convert::LoadedRig::load(samples.join("skeletons/hero.toml")).unwrap();
    let clip = &source.clip;
    let rig = convert::source_rig(&source, RigFile::default()).unwrap().rig;
    let settings = Settings::default();
    let feet = contact::foot_paths(clip, &rig);
    let frame_time_s = clip.frame_time().seconds();
    let track = contact::detect(&feet, &rig, frame_time_s, &settings.contact);
    let binding = Binding::new(rig, target.rig, &settings.binding).unwrap();
    let metrics = Metrics::new(&feet, &track, &binding, frame_time_s);
    let plan = PlantPlan::new(
        clip,
        &feet.into_heights(binding.source.up),
        &track,
        &binding,
        &settings.plant,
    );

    let transfer = Transfer::new(&binding);
    let (mut scratch, mut plant) = (TransferScratch::new(&binding), plan.scratch());
    let (mut pose, mut world) = (scratch.pose.clone(), scratch.world.clone());
    let (mut diagnostics, mut sums) = (Diagnostics::default(), metrics.accumulator(0));
    let mut frame_allocates = |frame: usize| {
        let planted = allocations(|| {
            transfer.frame(clip, frame, &mut scratch);
            pose.copy_from(&scratch.pose);
            world.copy_from(&scratch.world);
            plan.solve(&binding, frame, &mut pose, &mut world, &mut plant, &mut diagnostics);
        });
        let (source, transferred) = (&scratch.source_world, &scratch.world);
        let sample = FrameSample { frame, source, transferred, pose: &pose, world: &world };
        let measured = allocations(|| metrics.add(&binding, &mut sums, &sample));
        (planted, measured)
    };
    let counts: Vec<_> = (0..clip.len()).map(&mut frame_allocates).collect();
    assert!(counts.len() > 100, "{} frames", counts.len());
    assert!(counts.iter().all(|(planted, _)| *planted == 0), "{counts:?}");
    // What percentiles keep grows by doubling, so that the most of the frames ask for nothing.
    let growing = counts.iter().filter(|(_, measured)| *measured > 0).count();
    assert!(growing < counts.len() / 4, "{growing} of {} frames grow: {counts:?}", counts.len());
}
