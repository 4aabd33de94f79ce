//! Files that are not what their names say: one sentence with what they are, and a way out that works.

use crate::glb;
use crate::harness::{Folder, Run};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// What files are, by the ending that each should have, or none where no reader reads it.
fn contents(folder: &Folder) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    for name in ["true.glb", "true.npz", "true.npy"] {
        folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", name]).done();
    }
    let made = |name: &str| std::fs::read(folder.path(name)).expect("written");
    let (file, numbers) = glb::unpacked(&made("true.glb"));
    vec![
        ("bvh", "BVH", made("walk.bvh")),
        ("glb", "binary glTF", made("true.glb")),
        ("gltf", "glTF as JSON", glb::packed(file, numbers, true)),
        ("fbx", "FBX", b"Kaydara FBX Binary  \0\x1a\0".to_vec()),
        ("npz", "an archive of numpy", made("true.npz")),
        ("npy", "an array of numpy", made("true.npy")),
        ("", "a zip archive", b"PK\x03\x04\x14\0\0\0 walk.bvh".to_vec()),
        ("", "a web page", b"\n<!DOCTYPE html><title>Sign in</title>".to_vec()),
        ("", "JSON", b"{\"message\": \"not found\"}".to_vec()),
        ("", "a pointer of Git LFS", b"version https://git-lfs.github.com/spec/v1\n".to_vec()),
        ("", "C3D", b"\x02P\x06\0\0\0".to_vec()),
    ]
}

const NAMES: [&str; 7] = ["bvh", "glb", "gltf", "vrm", "fbx", "npz", "npy"];

/// It failed with one sentence, which is given.
#[track_caller]
fn sentence(run: Run, says: &str) -> String {
    let run = run.failed(1, says);
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
    run.stderr
}

/// The line that a sentence proposes, where it proposes any.
fn proposed(sentence: &str) -> Option<&str> {
    sentence.split_once("rename it: ").map(|(_, line)| line.trim_end())
}

#[test]
fn a_file_of_another_format_than_its_name_says_is_named_as_what_it_is() {
    let folder = Folder::new();
    for (own, found, bytes) in contents(&folder) {
        for end in NAMES {
            // What an archive holds is said by the reader of archives.
            let is_read =
                own == end || (own, end) == ("glb", "vrm") || own == "npz" && end == "npz";
            if is_read || end == "npz" && found == "a zip archive" {
                continue;
            }
            let name = format!("my take.{end}");
            let says = format!("error: {name}: the file is {found}");
            for args in [
                &[&*name, "--to", "hero.bvh", "-o", "out.bvh"][..],
                &["walk.bvh", "--to", &name, "-o", "out.bvh"],
                &["inspect", &name],
                &["check", "walk.bvh", &name, "--to", "hero.bvh"],
                &["view", "walk.bvh", &name, "--to", "hero.bvh"],
                &["sheet", &name],
            ] {
                folder.put(&name, &bytes);
                let sentence = sentence(folder.run(args), &says);
                assert_eq!(proposed(&sentence).is_some(), !own.is_empty(), "{sentence}");
            }
            let sentence = sentence(folder.run(&["inspect", &name]), "as its name says; ");
            if let Some(line) = proposed(&sentence) {
                folder.paste(line).done();
                assert!(!folder.names().contains(&name), "{sentence}");
                let renamed = format!("my take.{own}");
                let now = folder.run(&["inspect", &renamed, "--layout", "smpl", "--fps", "30"]);
                assert!(!now.stderr.contains("as its name says"), "{now:#?}");
                std::fs::remove_file(folder.path(&renamed)).expect("removed");
            } else {
                std::fs::remove_file(folder.path(&name)).expect("removed");
            }
        }
    }
    assert!(!folder.names().contains(&"out.bvh".to_owned()));
}

#[test]
fn a_proposed_name_is_no_other_files_and_keeps_the_packing() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    folder.put("take.bvh", "another file");
    folder.put("take.fbx", &walk);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(walk.as_bytes()).expect("packed");
    folder.put("packed.fbx.gz", packed.finish().expect("packed"));
    for (name, renamed) in [("take.fbx", "take.fbx.bvh"), ("packed.fbx.gz", "packed.bvh.gz")] {
        let sentence = sentence(folder.run(&["inspect", name]), "the file is BVH, and not FBX");
        folder.paste(proposed(&sentence).expect("a command")).done();
        folder.run(&["inspect", renamed]).done();
    }
    assert_eq!(folder.text("take.bvh"), "another file");
}

#[test]
fn a_file_of_no_known_format_is_said_to_be_none_of_its_name() {
    let folder = Folder::new();
    for (end, format) in [("fbx", "FBX"), ("glb", "binary glTF"), ("npz", "an archive of numpy")] {
        let name = format!("torn.{end}");
        folder.put(&name, "torn");
        let says = format!(
            "of no format that is known, and not {format} as its name says; export it again"
        );
        sentence(folder.run(&[&name, "--to", "hero.bvh"]), &says);
    }
    // Of text under a name of BVH the place of the mistake is known.
    folder.put("torn.bvh", "torn");
    sentence(
        folder.run(&["inspect", "torn.bvh"]),
        "torn.bvh: line 1, column 1: expected HIERARCHY",
    );
}

#[test]
fn an_empty_file_is_said_to_be_empty_whatever_its_name() {
    let folder = Folder::new();
    for name in NAMES.map(|end| format!("none.{end}")).iter().map(String::as_str).chain(["none"]) {
        for contents in ["", " \n"] {
            folder.put(name, contents);
            let says = format!("error: {name}: the file is empty; ");
            for args in [
                &[name, "--to", "hero.bvh"][..],
                &["walk.bvh", "--to", name],
                &["inspect", name],
                &["check", "walk.bvh", name, "--to", "hero.bvh"],
                &["sheet", name],
            ] {
                sentence(folder.run(args), &says);
            }
        }
    }
    sentence(folder.run_with(&["-", "--to", "hero.bvh"], ""), "standard input: the file is empty");
}
