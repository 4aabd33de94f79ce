//! Any bytes are read as FBX or refused; what is read is a body or none, and a file that takes an animation is read
//! again with it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retarget::internals::formats::fbx;
use retarget::internals::math::Quat;
use retarget::internals::scene::{Body, Track};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = fbx::read(bytes) else { return };
    let scene = file.scene();
    for take in 0..scene.takes.len().min(4) {
        let _ = file.tracks(take);
    }
    let _ = Body::new(scene);
    if let Ok(meshes) = file.meshes(&|_| Err("no picture".to_owned())) {
        let world = scene.world(&scene.in_order(), |node| scene.nodes[node].local);
        meshes.surfaces.iter().for_each(|surface| drop(surface.placed(&world)));
    }
    let turned = |node| Track {
        node,
        rotations: Some(
            (0..3).map(|step| Quat::from_euler_angles(f64::from(step), 0.5, 0.0)).collect(),
        ),
        ..Track::default()
    };
    let tracks: Vec<Track> = (0..scene.nodes.len().min(4)).map(turned).collect();
    let Ok(written) = file.with_animation("new", &tracks, 1.0 / 30.0, true) else { return };
    let again = fbx::read(&written).expect("what is written can be read");
    assert_eq!(again.scene().nodes.len(), scene.nodes.len());
    assert!(again.scene().takes.iter().any(|take| take.name == "new"));
});
