//! Whole command lines over whole folders, by the program itself: it ends soon, within its memory, with one of its exit
//! codes and without a panic; nothing gets out, and no input is written over.
//!
//! The program is the one that RETARGET names, else the release build.
#![no_main]

mod clips;

use clips::choices::Choices;
use clips::folder::Folder;
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Kilobytes of addresses and seconds of a processor that a command may take.
const LIMITS: &str = "ulimit -v 2000000; ulimit -t 20; exec \"$0\" \"$@\"";

const FILES: [&str; 12] = [
    "lib/a.bvh",
    "lib/e.bvh.gz",
    "lib",
    "lib/*",
    "other/a.bvh",
    "hero.toml",
    "hero.bvh",
    "out",
    "lost",
    "lib/-o.bvh",
    "out/a.bvh",
    "rig.toml",
];

const OUTPUTS: [&str; 8] =
    ["new.bvh", "new.glb", "new.bvh.zst", "out", "out/a.bvh", "new.fbx", "lib/a.bvh", "hero.bvh"];

fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/retarget");
        std::env::var_os("RETARGET").map_or(PathBuf::from(built), PathBuf::from)
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let args = args(&mut choices);
    let toml = &bytes[..bytes.len().min(choices.below(200))];
    let folder = Folder::new(&mut choices);
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/skeletons/");
    for name in ["hero.toml", "hero.bvh"] {
        std::fs::copy(format!("{samples}{name}"), folder.path().join(name)).expect("a sample");
    }
    let rig = [b"bvh = \"hero.bvh\"\n", toml].concat();
    std::fs::write(folder.path().join("rig.toml"), rig).expect("written");
    let kept = folder.kept();
    let done = Command::new("sh")
        .args(["-c", LIMITS])
        .arg(program())
        .args(&args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&done.stderr);
    let code = done.status.code();
    assert!(matches!(code, Some(0..=3)), "{args:?} ends with {code:?}: {said}");
    assert!(!said.contains("panicked") && !said.contains("is wrong here"), "{args:?}: {said}");
    let acts = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    assert!(!acts(&said), "{args:?} moves the terminal");
    assert!(kept == folder.kept(), "{args:?} writes over something");
    let hero = std::fs::read(folder.path().join("hero.bvh")).expect("there");
    assert!(
        hero == std::fs::read(format!("{samples}hero.bvh")).expect("a sample"),
        "{args:?} writes over its target"
    );
    let left = folder.names().into_iter().filter(|name| name.starts_with(".retarget-")).count();
    assert_eq!(left, 0, "{args:?} leaves a temporary file");
});

fn args(choices: &mut Choices) -> Vec<&'static str> {
    let file = |choices: &mut Choices| *choices.of(&FILES);
    let output = |choices: &mut Choices| *choices.of(&OUTPUTS);
    let mut args = match choices.below(12) {
        0 => vec!["inspect", file(choices), "--json"],
        1 => vec!["skeleton", file(choices), "--lock"],
        2 => vec!["check", file(choices), file(choices)],
        3 => vec!["report", "out", "--csv"],
        4 => vec!["report", "out", "--html", "out/page.html"],
        5 => vec!["explain", file(choices), "--to", "hero.toml", "--frame", "3"],
        6 => vec!["sheet", file(choices), "-o", "sheet.svg"],
        7 => vec!["view", file(choices), file(choices), "-o", "view.html"],
        8 => vec!["inspect", file(choices), "--draw", "stance.svg"],
        9 => vec!["lib", "--to", "hero.toml", "-o", "out", "--resume"],
        10 => vec!["lib/a.bvh", "--to", "rig.toml", "-o", output(choices)],
        _ => vec![file(choices), "--to", file(choices), "-o", output(choices)],
    };
    if args.contains(&"--to") {
        let more: [&[&'static str]; 8] = [
            &[],
            &["--strict"],
            &["--jobs", "2"],
            &["--scale", "1e9"],
            &["--in-place", "-v"],
            &["--contacts", "contacts.toml"],
            &["--foot-plants", "off", "--json"],
            &["--shard", "1/2"],
        ];
        args.extend(*choices.of(&more));
    }
    args
}
