//! Any bytes are a clip of arrays or one sentence, and a clip is written and read again to the last bit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retarget::internals::arrays::{self, ArrayClip, Meant};
use retarget::internals::positions::Layout;

fuzz_target!(|bytes: &[u8]| {
    let layout = Layout::named("humanml3d");
    let meant = Meant { layout, fps: Some(20.0), most_len: 1 << 20, ..Meant::default() };
    let Ok(ArrayClip { clip, .. }) = arrays::read(bytes, &meant) else { return };
    let finite = (0..clip.len()).all(|frame| {
        let rotations = clip.rotations(frame).iter().flat_map(|q| q.coords.iter());
        let places = clip.translations(frame).iter().flat_map(|v| v.iter());
        rotations.chain(places).all(|x| x.is_finite())
    });
    assert!(finite, "numbers that are not finite");
    let written = arrays::written(&clip, None, &arrays::Shape::default());
    let own = Meant { most_len: 1 << 30, ..Meant::default() };
    let again = arrays::read(&written, &own).expect("what is written is read").clip;
    assert_eq!(again.skeleton(), clip.skeleton());
    for frame in 0..clip.len() {
        // Bodies of SMPL are written as axis and angle.
        let pairs = again.rotations(frame).iter().zip(clip.rotations(frame));
        pairs.for_each(|(a, b)| assert!(a.angle_to(b) < 1e-7, "{a} {b} in frame {frame}"));
    }
});
