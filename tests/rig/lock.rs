//! A rig that is written once maps every clip of its kind the same way.

use crate::common;
use crate::equivalent::{FAMILIES, bytes, originals, plants_off, target, through_bytes};
use crate::rewrite::{Rewritten, cut, world};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::error::Error;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::path::Path;

fn game() -> LoadedRig {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/skeletons");
    convert::load_rig(&samples.join("game.toml")).expect("a sample")
}

/// The farthest that any joint is apart in two clips of one rig, centimetres of a leg of 90 cm.
fn apart_cm(a: &Clip, b: &Clip, leg_len: f64) -> f64 {
    let mut worst = 0.0f64;
    for frame in 0..a.len() {
        let (a, b) = (world(a, frame), world(b, frame));
        let pairs = a.positions.iter().zip(&b.positions);
        worst = pairs.map(|(a, b)| (a - b).norm()).fold(worst, f64::max);
    }
    worst * 90.0 / leg_len
}

#[test]
fn a_lock_maps_a_clip_as_its_own_file_does() {
    let Some(dir) = common::mocap_dir() else { return };
    let game = game();
    let originals = originals(&dir, &FAMILIES, 120);
    assert_eq!(originals.len(), 21, "families");
    for o in originals {
        let own = target(&o.clip, true).expect("a rig");
        let source = through_bytes(&o.clip);
        let carry = |file: RigFile| {
            convert::convert(&source, file, &game, &plants_off())
                .unwrap_or_else(|e| panic!("{}: {e}", o.name))
        };
        let (found, locked) = (carry(RigFile::default()), carry(convert::lock(&own)));
        assert_eq!(found.binding.source.roles, locked.binding.source.roles, "{}", o.name);
        let cm = apart_cm(&found.result, &locked.result, game.rig.leg_len);
        assert!(cm < 1e-4, "{}: {cm} cm", o.name);
    }
}

/// Bytes of a conversion, or nothing of one that is refused.
fn converted(source: &SourceClip, written: RigFile, target: &LoadedRig) -> Option<Vec<u8>> {
    let settings = Settings { face_forward: true, ..Settings::default() };
    let conversion = convert::convert(source, written, target, &settings).ok()?;
    Some(bytes(&conversion.result))
}

/// A lock states all that was found of a rig with all digits. What were found again or rounded would show in a byte.
#[test]
fn a_lock_gives_the_bytes_of_the_rigs_own_file() {
    let Some(dir) = common::mocap_dir() else { return };
    let samples = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [walk] = &originals(samples, &["samples/walk"], 60)[..] else { panic!("one clip") };
    let (walk, game) = (through_bytes(&walk.clip), game());
    let (mut rigs, mut compared, mut differ) = (0, 0, Vec::new());
    for (name, bytes) in common::mocap_clips(&dir) {
        let path = Path::new(&name);
        let Ok(own) = convert::read_rig(path, &bytes) else { continue };
        rigs += 1;
        let text = convert::lock(&own).to_toml();
        let none = |_: &Path| panic!("a lock names no file");
        let locked = convert::read_rig_toml(path, &text, none).expect("a lock is read");
        let whole = convert::read_clip(path, &bytes).expect("a rig's file");
        let start = cut(&whole.clip, 0, whole.clip.len().min(60));
        let start = SourceClip { clip: start, ..whole };
        let mut compare = |what: &str, by_file: Option<Vec<u8>>, by_lock: Option<Vec<u8>>| {
            compared += usize::from(by_file.is_some());
            if by_file.is_some() && by_file != by_lock {
                differ.push(format!("{name} {what}"));
            }
        };
        for (what, source) in [("under a walk", &walk), ("under its own clip", &start)] {
            let onto = |target: &LoadedRig| converted(source, RigFile::default(), target);
            compare(what, onto(&own), onto(&locked));
        }
        let Ok(found) = convert::source_rig(&start, RigFile::default()) else { continue };
        let from = |written: RigFile| converted(&start, written, &game);
        compare("as source", from(RigFile::default()), from(convert::lock(&found)));
    }
    assert_eq!(differ, [""; 0]);
    assert_eq!((rigs, compared), (43, 127));
}

/// One rig whose clips show other stances: a fight and a walk are mapped as the lock says.
#[test]
fn a_lock_holds_whatever_a_clip_shows() {
    let Some(dir) = common::mocap_dir() else { return };
    let names = ["bandai_namco/walk_normal_001", "bandai_namco/kick_normal_001"];
    let [walk, kick] = &originals(&dir, &names, 200)[..] else { panic!("two clips") };
    let written = convert::lock(&target(&walk.clip, true).expect("a rig"));
    let rig = convert::source_rig(&through_bytes(&kick.clip), written).expect("the same rig").rig;
    let pairs = rig.stance.body_from_joint.iter().zip(&walk.rig.stance.body_from_joint);
    let worst = pairs.map(|(a, b)| a.angle_to(b)).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst} rad");
}

#[test]
fn a_lock_refuses_every_other_family_and_a_rig_in_another_unit() {
    let Some(dir) = common::mocap_dir() else { return };
    let originals = originals(&dir, &FAMILIES, 60);
    let locks: Vec<RigFile> =
        originals.iter().map(|o| convert::lock(&target(&o.clip, true).expect("a rig"))).collect();
    for (i, o) in originals.iter().enumerate() {
        for (k, written) in locks.iter().enumerate() {
            let fits = convert::source_rig(&through_bytes(&o.clip), written.clone());
            match (i == k, fits) {
                (true, Ok(_)) | (false, Err(Error::OtherRig { .. })) => {}
                (_, fits) => {
                    panic!("{} with the lock of {}: {:?}", o.name, originals[k].name, fits.err())
                }
            }
        }
        let inches = Rewritten::of(&o.clip).scaled(1.0 / 2.54).clip;
        let fits = convert::source_rig(&through_bytes(&inches), locks[i].clone());
        assert!(matches!(fits, Err(Error::OtherRig { .. })), "{} in inches", o.name);
    }
}
