//! No name of a clip leads out of the output folder, and none is too long for a result.

use crate::harness::Folder;
use crate::library::{CLIPS, folder, journal, put, results, run, tree};
use std::fs;

#[cfg(unix)]
#[test]
fn a_backslash_in_a_name_leads_nowhere() {
    let folder = folder();
    let clip = folder.text("walk.bvh");
    let outside = folder.path("outside.bvh").display().to_string().replace('/', r"\");
    put(&folder, "other/v.bvh", b"not to be touched");
    let names = [r"x\..\..\other\v.bvh", &outside, r"C:\v.bvh", r"\v.bvh"];
    let hidden = [r"..\other\v.bvh", r"..\..\other\v.bvh"];
    for name in names.iter().chain(&hidden) {
        put(&folder, &format!("lib/{name}"), clip.as_bytes());
    }
    run(&folder, &[]).done();
    let mut wanted: Vec<String> = CLIPS.iter().chain(&names).map(ToString::to_string).collect();
    wanted.sort();
    assert_eq!(results(&folder), wanted);
    assert_eq!(folder.text("other/v.bvh"), "not to be touched");
    assert_eq!(folder.names(), ["hero.bvh", "lib", "other", "out", "walk.bvh"]);
    // The journal knows them by the same names.
    let reported = run(&folder, &["--resume", "--json"]).done().json();
    // What begins with a point is hidden, unless it is named.
    let args = hidden.map(|name| format!("lib/{name}"));
    let args = [args[0].as_str(), &args[1], "--to", "hero.bvh", "-o", "hidden", "-q"];
    folder.run(&args).done();
    assert!(hidden.iter().all(|name| folder.path("hidden").join(name).exists()));
    assert_eq!(folder.text("other/v.bvh"), "not to be touched");
    assert_eq!(
        (reported["kept"].as_u64(), reported["done"].as_u64()),
        (Some(wanted.len() as u64), Some(0))
    );
    assert_eq!(reported["stale"].as_array().map(Vec::len), Some(0), "{reported:#?}");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_output_folder_leads_nowhere() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    put(&folder, "other/f.bvh", b"not to be touched");
    put(&folder, "other/a.bvh", b"not to be touched");
    fs::create_dir(folder.path("out")).expect("made");
    symlink("../other", folder.path("out/deep")).expect("a link");
    symlink("../other/a.bvh", folder.path("out/a.bvh")).expect("a link");
    let reported = run(&folder, &[]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert!(
        reported.stderr.contains("a link leads out of the output folder here"),
        "{reported:#?}"
    );
    assert_eq!(reported.stderr.lines().count(), 2, "{reported:#?}");
    assert_eq!(tree(&folder.path("other")).len(), 2);
    for name in ["other/a.bvh", "other/f.bvh"] {
        assert_eq!(folder.text(name), "not to be touched", "{name}");
    }
    // The link itself was replaced by the result.
    assert!(folder.text("out/a.bvh").starts_with("HIERARCHY"));
}

#[cfg(unix)]
#[test]
fn a_link_within_the_output_folder_may_be_there() {
    let folder = folder();
    fs::create_dir_all(folder.path("out/elsewhere")).expect("made");
    std::os::unix::fs::symlink("elsewhere", folder.path("out/deep")).expect("a link");
    run(&folder, &[]).done();
    assert!(folder.path("out/elsewhere/f.bvh").exists());
}

#[test]
fn a_name_may_be_as_long_as_the_system_lets_it() {
    let folder = Folder::new();
    let name = format!("{}.bvh", "n".repeat(251));
    put(&folder, &format!("lib/{name}"), folder.text("walk.bvh").as_bytes());
    run(&folder, &[]).done();
    assert_eq!(results(&folder), [name.as_str()]);
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", &name]).done();
    assert!(folder.text(&name).starts_with("HIERARCHY"));
    assert_eq!(journal(&folder, "out/retarget-run.jsonl").len(), 1);
}

#[test]
fn an_ending_that_is_not_known_is_refused() {
    let folder = Folder::new();
    let names = folder.names();
    for output in ["x.usd", "x", "x.bvh.bak", "x.gz", "x.glb.gz", "x.bvh.", "x.bvh.xz"] {
        let args = ["walk.bvh", "--to", "hero.bvh", "-o", output];
        folder.run(&args).failed(2, "a result that ends in .bvh, .bvh.gz, .bvh.zst, .glb");
    }
    let args = ["walk.bvh", "--to", "hero.bvh", "-o", "."];
    folder
        .run(&args)
        .failed(2, "the result of one clip is a file; name it: retarget walk.bvh --to hero.bvh --output ./walk.hero.bvh");
    // These are given back of characters alone.
    for output in ["x.fbx", "x.gltf", "x.vrm"] {
        let args = ["walk.bvh", "--to", "hero.bvh", "-o", output];
        folder.run(&args).failed(1, "name a result that ends in .bvh, .npz, .npy, .glb or .vrma");
    }
    for (args, says) in [
        (&["skeleton", "hero.bvh", "-o", "hero.bvh"][..], "ends in .toml"),
        (&["view", "walk.bvh", "hero.bvh", "-o", "hero.bvh"], "ends in .html"),
        (&["report", ".", "--html", "hero.bvh"], "ends in .html"),
    ] {
        folder.run(args).failed(2, says);
    }
    assert_eq!(folder.names(), names);
    for output in ["x.BVH", "x.bvh.gz", "x.bvh.zst", "x.glb", "/dev/null"] {
        folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", output]).done();
    }
}
