//! Any side file of contacts is taken or refused; what is taken fits the clip, gives a result of numbers alone,
//! and comes back from its own text.
#![no_main]

mod samples;

use libfuzzer_sys::fuzz_target;
use retarget::internals::contact::{self, ContactFile, ContactFileError, Part};
use retarget::internals::convert::{self, LoadedContacts};
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use samples::{hero, walk};
use std::path::PathBuf;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // What is JSON is seldom TOML: both read every input.
    for parsed in [ContactFile::parse(text), ContactFile::parse_json(text)] {
        taken_or_refused(parsed);
    }
});

fn taken_or_refused(parsed: Result<ContactFile, ContactFileError>) {
    let Ok(file) = parsed else { return };
    let (clip, target) = (walk(), hero());
    let with = |file| {
        let mut source = clip.clone();
        source.contacts = Some(LoadedContacts { path: PathBuf::from("fuzz"), file });
        convert::convert(&source, RigFile::default(), target, &Settings::default())
    };
    let Ok(done) = with(file) else { return };
    let (rig, track) = (&done.binding.source, &done.contacts);
    assert!(track.fits());
    for foot in rig.foot_ids() {
        for part in Part::ALL {
            let mut end = 0;
            for contact in track.of(foot, part) {
                assert!(contact.slow.start >= end && contact.slow.start <= contact.frames.start);
                assert!(contact.slow.end >= contact.frames.end);
                end = contact.slow.end;
            }
        }
    }
    let result = done.result.bvh_bytes(&Settings::default());
    assert!(retarget::internals::bvh::read(&result).is_ok(), "a result that cannot be read");
    let text = contact::file::write(track, rig, clip.clip.frame_time().seconds());
    let json = ContactFile::parse_json(&contact::file::write_json(track, rig, "a", 0.01));
    for again in [ContactFile::parse(&text), json] {
        let again = with(again.expect("what is written can be read"));
        assert!(again.expect("it fits").contacts == *track);
    }
}
