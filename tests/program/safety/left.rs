//! What a killed process leaves is no clip, is nobody's result, and goes with the next run.

use crate::harness::Folder;
use crate::library::{CLIPS, folder, put, results, run, tree};
use std::time::Duration;

#[test]
fn hidden_files_are_no_clips() {
    let folder = folder();
    let clip = folder.text("walk.bvh");
    for name in [".walk.bvh", "._a.bvh", ".retarget-a.bvh", ".AppleDouble/a.bvh", "deep/.x.bvh.gz"]
    {
        put(&folder, &format!("lib/{name}"), clip.as_bytes());
    }
    run(&folder, &[]).done();
    assert_eq!(results(&folder), CLIPS);
    let args = ["lib/**/*", "--to", "hero.bvh", "-o", "of_pattern"];
    folder.run(&args);
    assert!(tree(&folder.path("of_pattern")).keys().all(|name| !name.contains("/.")));
    // Who names one means it.
    folder.run(&["lib/._a.bvh", "--to", "hero.bvh", "-o", "a.bvh"]).done();
}

/// All hidden files below a folder.
fn hidden(folder: &Folder, below: &str) -> Vec<String> {
    let names = tree(&folder.path(below)).into_keys();
    names.filter(|name| name.rsplit('/').next().is_some_and(|name| name.starts_with('.'))).collect()
}

/// Kills runs until one leaves a temporary file in the folder.
#[cfg(unix)]
fn leave(folder: &Folder, args: &[&str], below: &str) -> Vec<String> {
    for _ in 0..20 {
        let mut child = folder.command(args).spawn().expect("the binary runs");
        loop {
            let left = if folder.path(below).exists() { hidden(folder, below) } else { Vec::new() };
            if !left.is_empty() {
                child.kill().expect("killed");
                child.wait().expect("an end");
                let left = hidden(folder, below);
                if !left.is_empty() {
                    return left;
                }
                break;
            }
            if child.try_wait().expect("a state").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
    panic!("no run could be killed while it wrote");
}

/// A clip that takes a while to write.
fn long(folder: &Folder) -> String {
    let clip = folder.text("walk.bvh");
    let (head, rows) = clip.split_once("Frame Time").expect("a motion");
    let (time, rows) = rows.split_once('\n').expect("rows");
    let frames = rows.lines().count();
    let head = head.replace(&format!("Frames: {frames}"), &format!("Frames: {}", 200 * frames));
    format!("{head}Frame Time{time}\n{}", rows.repeat(200))
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_leaves_is_no_clip_and_goes_with_the_next() {
    let folder = Folder::new();
    for name in ["x", "deep/y", "deep/z"] {
        put(&folder, &format!("lib/{name}.bvh"), long(&folder).as_bytes());
    }
    let library = ["lib", "--to", "hero.bvh", "-o", "out"];
    for name in leave(&folder, &library, "out") {
        assert!(!name.ends_with(".bvh"), "{name}");
        // Nor is it named after its result, of which there may be one in every folder.
        assert!(["x.bvh", "y.bvh", "z.bvh"].iter().all(|own| !name.contains(own)), "{name}");
    }
    let reported = folder.run(&["out", "--to", "hero.bvh", "-o", "again", "--json"]);
    match results(&folder).iter().filter(|name| name.ends_with(".bvh")).count() as u64 {
        0 => assert!(reported.stderr.contains("no clip was found"), "{reported:#?}"),
        whole => assert_eq!(reported.json()["clips"].as_u64(), Some(whole)),
    }
    folder.run(&library).done();
    assert_eq!(hidden(&folder, "out"), [""; 0]);
    assert_eq!(results(&folder), ["deep/y.bvh", "deep/z.bvh", "x.bvh"]);

    std::fs::create_dir(folder.path("one")).expect("made");
    let single = ["lib/x.bvh", "--to", "hero.bvh", "-o", "one/x.bvh"];
    assert!(leave(&folder, &single, "one").iter().all(|name| !name.ends_with(".bvh")));
    folder.run(&single).done();
    assert_eq!(tree(&folder.path("one")).into_keys().collect::<Vec<_>>(), ["x.bvh"]);
}

#[cfg(unix)]
#[test]
fn what_another_process_is_at_work_on_stays() {
    let folder = Folder::new();
    folder.put("long.bvh", long(&folder));
    let mut child =
        folder.command(&["long.bvh", "--to", "hero.bvh", "-o", "slow.bvh"]).spawn().expect("runs");
    while hidden(&folder, ".").is_empty() {
        assert!(child.try_wait().expect("a state").is_none(), "it is done already");
        std::thread::sleep(Duration::from_micros(200));
    }
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "quick.bvh"]).done();
    assert!(child.wait().expect("an end").success());
    assert!(folder.text("slow.bvh").starts_with("HIERARCHY"));
    assert_eq!(hidden(&folder, "."), [""; 0]);
}
