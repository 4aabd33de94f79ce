//! Whole folders of clips, with strange names, links, packed and cut, beside journals of any text: nothing gets out of
//! the output folder, the library stays as it is, and what a run leaves can be read and resumed.
#![no_main]

mod clips;
mod samples;

use clips::choices::Choices;
use clips::folder::Folder;
use libfuzzer_sys::fuzz_target;
use retarget::internals::batch::{self, Named, Plan, Request, RunEnd, Shard, Watch};
use retarget::internals::convert::Reading;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use samples::hero;
use std::num::NonZeroUsize;
use std::path::Path;

struct Silent;

impl Watch for Silent {}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let folder = Folder::new(&mut choices);
    let kept = folder.kept();
    let shard: Shard = choices.of(&["1/1", "1/1", "1/2", "10000/10000"]).parse().expect("a shard");
    let resume = choices.one_in(2);
    let first = run(folder.path(), shard, resume);
    assert_eq!(folder.names(), ["lib", "other", "out"], "something got out");
    assert!(kept == folder.kept(), "something was written over");
    let Some(first) = first else { return };
    match batch::read_journals(&folder.path().join("out")) {
        Ok(journals) => drop(batch::digest(&journals)),
        // A journal of the whole may lie beside that of a part.
        Err(error) => assert!(shard != Shard::WHOLE, "{error}"),
    }
    // Those of another split may belong to a run at work.
    let own = format!(".retarget-{}-", shard.to_string().replace('/', "-of-"));
    let is_left = |name: &String| name.contains(&own) && name.ends_with(".part");
    assert!(!folder.tree("out").keys().any(is_left), "a temporary file is left");
    let again = run(folder.path(), shard, true).expect("it began before");
    assert_eq!(
        (again.done, again.kept),
        (0, first.done + first.kept),
        "resumed, it ends otherwise"
    );
    assert_eq!(again.failed, first.failed);
});

fn run(folder: &Path, shard: Shard, resume: bool) -> Option<RunEnd> {
    let clips = batch::find(&[Named::Path(folder.join("lib"))]).ok()?;
    let plan = Plan::new(clips, folder.join("out"), shard, None).ok()?;
    let request = Request {
        plan: &plan,
        target: hero(),
        written: &RigFile::default(),
        from: None,
        list: None,
        settings: &Settings::default(),
        reading: Reading::default(),
        replace: false,
        threads: NonZeroUsize::MIN,
        resume,
        fail_fast: false,
    };
    batch::run(&request, &Silent).ok()
}
