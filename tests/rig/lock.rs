//! A rig that is written once maps every clip of its kind the same way.

use crate::common;
use crate::equivalent::{FAMILIES, bytes, originals, target, through_bytes};
#[cfg(feature = "fbx")]
use crate::recognise::CHARACTERS;
use crate::rewrite::{Rewritten, cut};
use crate::rigs;
use retarget::internals::contact::ContactSettings;
use retarget::internals::convert::{self, LoadedRig, Reading, SourceClip};
use retarget::internals::error::Error;
use retarget::internals::rig::{
    Description, Rig, RigFile, RigHints, SkeletonSource, WrittenRoles, describe, recognise,
};
use retarget::internals::settings::Settings;
use std::path::{Path, PathBuf};

fn game() -> LoadedRig {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/skeletons");
    convert::LoadedRig::load(samples.join("game.toml")).expect("a sample")
}

/// Bytes of a conversion, or nothing of one that is refused.
fn converted(source: &SourceClip, written: RigFile, target: &LoadedRig) -> Option<Vec<u8>> {
    let settings = Settings { face_forward: true, ..Settings::default() };
    let conversion = convert::convert(source, written, target, &settings).ok()?;
    Some(bytes(&conversion.result))
}

/// Holds the locks of all files that are rigs against the files themselves, as targets under a walk and under their own
/// motion, and as sources; how many rigs and conversions these were. What was found again or rounded shows in a byte.
fn compared(files: &[PathBuf]) -> (usize, usize) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [walk] = &originals(samples, &["samples/walk"], 60)[..] else { panic!("one clip") };
    let (walk, game) = (through_bytes(&walk.clip), game());
    let (mut rigs, mut compared, mut differ) = (0, 0, Vec::new());
    for path in files {
        let Ok(own) = convert::LoadedRig::load(path) else { continue };
        rigs += 1;
        let text = convert::lock(&own).to_toml();
        let none = |_: &Path| panic!("a lock names no file");
        let locked = convert::LoadedRig::from_toml(path, &text, none).expect("a lock is read");
        let mut compare = |what: &str, by_file: Option<Vec<u8>>, by_lock: Option<Vec<u8>>| {
            compared += usize::from(by_file.is_some());
            if by_file.is_some() && by_file != by_lock {
                differ.push(format!("{} {what}", path.display()));
            }
        };
        let onto = |source: &SourceClip| {
            [&own, &locked].map(|target| converted(source, RigFile::default(), target))
        };
        let [by_file, by_lock] = onto(&walk);
        compare("under a walk", by_file, by_lock);
        let Ok(whole) = convert::SourceClip::load(path) else { continue };
        let start = cut(&whole.clip, 0, whole.clip.len().min(60));
        let start = SourceClip { clip: start, ..whole };
        let [by_file, by_lock] = onto(&start);
        compare("under its own motion", by_file, by_lock);
        let Ok(found) = convert::source_rig(&start, RigFile::default()) else { continue };
        let from = |written: RigFile| converted(&start, written, &game);
        compare("as source", from(RigFile::default()), from(convert::lock(&found)));
    }
    assert_eq!(differ, [""; 0]);
    (rigs, compared)
}

#[test]
fn a_lock_gives_the_bytes_of_the_rigs_own_file() {
    let Some(dir) = common::mocap_dir() else { return };
    let clips = common::mocap_clips(&dir);
    let files: Vec<PathBuf> = clips.iter().map(|(name, _)| dir.join(name)).collect();
    assert_eq!(compared(&files), (43, 127));
}

#[cfg(feature = "fbx")]
fn listed_characters(dir: &Path) -> Vec<PathBuf> {
    let titles = CHARACTERS.split("# ").skip(1).filter_map(|section| section.lines().next());
    titles.flat_map(str::split_whitespace).map(|name| dir.join(name)).collect()
}

#[cfg(feature = "fbx")]
#[test]
fn a_lock_gives_the_bytes_of_the_characters_own_file() {
    let Some(dir) = common::characters_dir() else { return };
    let files = listed_characters(&dir);
    assert_eq!(compared(&files), (24, 50));
}

/// One rig whose clips show other stances and other soles, a fight and a walk, say: all are mapped as the lock says.
#[test]
fn a_lock_holds_whatever_a_clip_shows() {
    let Some(dir) = common::mocap_dir() else { return };
    let rig_of = |clip: &SourceClip| convert::source_rig(clip, RigFile::default());
    let clips: Vec<(String, SourceClip, LoadedRig)> = common::moving_clips(&dir)
        .filter_map(|(name, clip)| rig_of(&clip).map(|loaded| (name, clip, loaded)).ok())
        .collect();
    let mut pairs = 0;
    for (name, _, loaded) in &clips {
        let written = convert::lock(loaded);
        for (other, clip, _) in clips.iter().filter(|(other, ..)| other != name) {
            let Ok(locked) = convert::source_rig(clip, written.clone()) else { continue };
            pairs += 1;
            let (is, should) = (&locked.rig, &loaded.rig);
            assert_eq!(is.feet, should.feet, "{other} by {name}");
            assert_eq!(is.roles, should.roles, "{other} by {name}");
            let frames = [is, should].map(|rig| &rig.stance.body_from_joint);
            assert_eq!(frames[0], frames[1], "{other} by {name}");
        }
    }
    assert_eq!(pairs, 10);
}

/// A lock on the command line is made of what inspecting shows.
#[cfg(feature = "fbx")]
#[test]
fn inspecting_a_clip_finds_the_rig_that_a_conversion_finds() {
    let (Some(mocap), Some(characters)) = (common::mocap_dir(), common::characters_dir()) else {
        return;
    };
    let names = common::mocap_clips(&mocap).into_iter().map(|(name, _)| mocap.join(name));
    let (mut sources, mut targets) = (0, 0);
    let (written, reading) = (RigFile::default(), Reading::default());
    let settings = ContactSettings::default();
    let agree = |path: &Path, is: &Rig, should: &Rig| {
        let name = path.display();
        assert_eq!(is.stance.local, should.stance.local, "{name}");
        assert_eq!(is.stance.body_from_joint, should.stance.body_from_joint, "{name}");
        assert_eq!(is.feet, should.feet, "{name}");
    };
    for path in names.chain(listed_characters(&characters)) {
        let bytes = std::fs::read(&path).expect("readable");
        if let Ok(target) = convert::LoadedRig::load(&path) {
            let found = convert::inspect_target(&path, &bytes, &written, &reading, &settings);
            let rig = found.expect("a rig's file").rig.expect("a rig");
            agree(&path, &rig, &target.rig);
            assert_eq!(rig.worn, target.rig.worn, "{}", path.display());
            targets += 1;
        }
        let Ok(clip) = convert::SourceClip::load(&path) else { continue };
        let Ok(source) = convert::source_rig(&clip, RigFile::default()) else { continue };
        let found = convert::inspect(&path, &bytes, &written, &reading, &settings);
        agree(&path, &found.expect("a clip").rig.expect("a rig"), &source.rig);
        sources += 1;
    }
    assert_eq!((targets, sources), (67, 55));
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

/// Of bare skeletons of many naming habits, whose stances nothing but the zero pose or the bones show.
#[test]
fn every_rig_is_read_back_from_its_lock_as_it_was() {
    let mut checked = 0;
    for rigs::Expected { title, skeleton, .. } in rigs::parse(include_str!("recognise/rigs.txt")) {
        let recognised = recognise(&skeleton, &WrittenRoles::default()).expect("a body");
        let roles = &recognised.roles;
        let Ok(rig) = Rig::new(skeleton.clone(), roles.clone(), None, &RigHints::default()) else {
            continue;
        };
        let text = describe(&Description {
            skeleton: &skeleton,
            source: SkeletonSource::Joints,
            recognised: &recognised,
            rig: Some(&rig),
            floor: None,
        });
        let file = RigFile::parse(&text).unwrap_or_else(|e| panic!("{title}: {e}\n{text}"));
        let hints = file.hints(&skeleton, None).expect("hints");
        let again = Rig::new(skeleton, roles.clone(), None, &hints).expect("a rig");
        assert_eq!(again.up, rig.up, "{title}");
        assert_eq!(again.stance.local, rig.stance.local, "{title}");
        assert_eq!(again.stance.body_from_joint, rig.stance.body_from_joint, "{title}");
        assert_eq!(again.feet, rig.feet, "{title}");
        checked += 1;
    }
    assert!(checked >= 40, "only {checked} rigs have a stance");
}
