//! What may be named, and where its results go.

use crate::harness::Folder;
use crate::library::{CLIPS, folder, put, results};
use retarget::internals::formats;

/// Names clips and says where results must be.
#[track_caller]
fn gives(folder: &Folder, named: &[&str], wanted: &[&str]) {
    let _ = std::fs::remove_dir_all(folder.path("out"));
    folder.run(&[named, &["--to", "hero.bvh", "-o", "out"]].concat()).done();
    assert_eq!(results(folder), wanted, "{named:?}");
}

#[test]
fn folders_patterns_files_and_lists() {
    let folder = folder();
    gives(&folder, &["lib/"], &CLIPS);
    gives(&folder, &["./lib/../lib"], &CLIPS);
    // A pattern's tree begins below the folder that it begins with.
    gives(&folder, &["lib/**/*.bvh"], &["a.bvh", "deep/er/g.bvh", "deep/f.bvh", "two words/c.bvh"]);
    gives(&folder, &["lib/two words/[bc].*"], &["b.BVH", "c.bvh"]);
    // Several things keep their place below the folder that they share.
    gives(&folder, &["lib/deep", "lib/two words"], &CLIPS_OF_TWO);
    gives(&folder, &["lib/deep/f.bvh", "lib/a.bvh"], &["a.bvh", "deep/f.bvh"]);
    gives(&folder, &["lib/deep/f.bvh", "lib/deep/er/g.bvh"], &["er/g.bvh", "f.bvh"]);
    // Twice the same is once.
    gives(
        &folder,
        &["lib", "lib/a.bvh"],
        &CLIPS.map(|name| format!("lib/{name}")).each_ref().map(|s| &**s),
    );
    folder.put("list.txt", "lib/a.bvh\r\n\nlib/two words/c.bvh\n");
    gives(&folder, &["--files-from", "list.txt"], &["a.bvh", "two words/c.bvh"]);
    gives(&folder, &["lib/a.bvh", "--jobs", "1"], &["a.bvh"]);
}

const CLIPS_OF_TWO: [&str; 4] =
    ["deep/er/g.bvh", "deep/f.bvh", "two words/b.BVH", "two words/c.bvh"];

#[test]
fn a_list_comes_from_a_pipe() {
    let folder = folder();
    let args = ["--files-from", "-", "--to", "hero.bvh", "-o", "out"];
    folder.run_with(&args, "lib/a.bvh\nlib/deep\n").done();
    assert_eq!(results(&folder), ["a.bvh", "deep/er/g.bvh", "deep/f.bvh"]);
}

#[test]
fn a_file_may_be_called_as_a_pattern_is_written() {
    let folder = Folder::new();
    put(&folder, "take[1].bvh", folder.text("walk.bvh").as_bytes());
    folder.run(&["take[1].bvh", "--to", "hero.bvh"]).done();
    assert!(folder.names().contains(&"take[1].hero.bvh".to_owned()));
}

#[test]
fn results_never_go_where_clips_are_looked_for() {
    let folder = folder();
    let lib = crate::library::tree(&folder.path("lib"));
    for output in ["lib", "lib/out", "lib/deep/../new", "./lib/deep"] {
        let args = ["lib", "--to", "hero.bvh", "-o", output];
        folder.run(&args).failed(2, "so that results would be taken for clips");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("lib/deep", folder.path("link")).expect("a link");
        let args = ["lib", "--to", "hero.bvh", "-o", "link/out"];
        folder.run(&args).failed(2, "so that results would be taken for clips");
    }
    let args = ["lib/a.bvh", "lib/deep/f.bvh", "--to", "hero.bvh", "-o", "lib"];
    folder
        .run(&args)
        .failed(2, "lib/a.bvh is a clip of the library; an input is never overwritten");
    folder.run(&["lib", "--to", "hero.bvh", "-o", "hero.bvh"]).failed(2, "hero.bvh is no folder");
    assert!(crate::library::tree(&folder.path("lib")) == lib);
}

/// `far` leads elsewhere, so that `far/..` is not the folder that it looks like.
#[cfg(unix)]
#[test]
fn two_clips_that_would_fall_together_are_told_before_anything_is_done() {
    let folder = folder();
    std::os::unix::fs::symlink("lib/deep/er", folder.path("far")).expect("a link");
    put(&folder, "f.bvh", folder.text("walk.bvh").as_bytes());
    let args = ["f.bvh", "far/../f.bvh", "--to", "hero.bvh", "-o", "out"];
    folder.run(&args).failed(2, "would both be written to out/f.bvh");
    assert!(!folder.path("out").exists());
}

#[test]
fn nothing_found_is_said() {
    let folder = folder();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    for named in ["empty", "lib/*.c3d"] {
        folder.run(&[named, "--to", "hero.bvh", "-o", "out"]).failed(2, "no clip was found");
    }
    folder.run(&["lib/[", "--to", "hero.bvh", "-o", "out"]).failed(2, "is no pattern");
}

#[test]
fn a_name_that_results_may_have_is_a_clips_in_a_folder() {
    for ending in formats::result_endings() {
        let (folder, name) = (folder(), format!("walk{ending}"));
        put(&folder, &format!("made/{name}"), b"no clip");
        // It is found, and told to be broken.
        let run = folder.run(&["made", "--to", "hero.bvh", "-o", "out"]);
        assert!(run.stderr.contains(&format!("failed: made/{name}:")), "{run:#?}");
    }
}
