//! What messages propose works when it is pasted into a shell, whatever the names of files.

use crate::harness::{Folder, Run, project};

/// Clips, targets, a character with two animations, and folders, some of whose names a shell would take apart.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("my walk.bvh", folder.text("walk.bvh"));
    folder.put("it's hero.toml", "bvh = \"hero.bvh\"\n");
    for place in ["my takes/a.bvh", "my takes/b c.bvh", "lib/a.bvh", "takes/out/none"] {
        let path = folder.path(place);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        folder.put(place, folder.text("walk.bvh"));
    }
    let bones = folder.path("bones.glb").display().to_string();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", &bones]).done();
    for name in ["one", "two"] {
        let to = if name == "one" { "bones.glb" } else { "one.glb" };
        let output = format!("{name}.glb");
        folder.run(&["walk.bvh", "--to", to, "-o", &output, "--name", name]).done();
    }
    folder.put("file", "no folder");
    folder
}

/// The command that a message proposes: what stands behind its last colon before a command.
fn proposed(run: &Run) -> &str {
    let line = run.stderr.lines().find(|line| line.starts_with("error: ")).expect("an error");
    let starts = ["retarget ", "mkdir "].map(|word| line.rfind(&format!(": {word}")));
    let start = starts.into_iter().flatten().max().unwrap_or_else(|| panic!("{run:#?}"));
    &line[start + 2..]
}

/// Runs what fails with this code and words, and what it proposes.
#[track_caller]
fn pasted(args: &[&str], code: i32, says: &str) -> (Folder, String) {
    let folder = folder();
    let run = folder.run(args).failed(code, says);
    let command = proposed(&run).to_owned();
    let pasted = folder.paste(&command);
    assert_eq!(pasted.code, Some(0), "{args:?}: {run:#?} {pasted:#?}");
    (folder, command)
}

#[test]
fn what_is_proposed_about_the_output_of_one_clip_works() {
    const TO: [&str; 3] = ["my walk.bvh", "--to", "it's hero.toml"];
    for (more, code, says, made) in [
        (
            &["-o", "takes"][..],
            2,
            "the result of one clip is a file",
            "takes/my walk.it's hero.bvh",
        ),
        (&["-o", "a new/"], 2, "the result of one clip is a file", "a new/my walk.it's hero.bvh"),
        (&["-o", "a b"], 2, "does not say what to write", "a b.bvh"),
        (&["-o", "a b.fbx"], 1, "name a result that ends in .bvh", "a b.bvh"),
        (&["-o", "no such/a.bvh"], 1, "there is no folder no such", "no such/a.bvh"),
        (&["-o", "my walk.bvh"], 1, "is also an input", "my walk.new.bvh"),
        (&["--report", "my walk.bvh"], 1, "is also an input", "my walk.new.bvh"),
        (
            &["--format", "glb"],
            2,
            "--format is about the results of a library",
            "my walk.it's hero.glb",
        ),
        (&["--format", "glb", "-o", "x y.bvh"], 2, "name the result of one clip", "x y.glb"),
        (&["--json", "-o", "-"], 2, "both go to standard output", "my walk.it's hero.bvh"),
        (&["--fps", "30", "-o", "plain.bvh"], 1, "leave them out", "plain.bvh"),
        (&["--clip", "a", "-o", "plain.bvh"], 1, "leave the name out", "plain.bvh"),
    ] {
        let (folder, command) = pasted(&[&TO[..], more].concat(), code, says);
        assert!(folder.path(made).is_file(), "{command}");
    }
}

#[test]
fn what_is_proposed_about_the_outputs_of_many_clips_works() {
    const TO: [&str; 3] = ["my takes", "--to", "it's hero.toml"];
    for (more, code, says, made) in [
        (&[][..], 2, "go into a folder; name it with -o", "my takes.it's hero/b c.bvh"),
        (&["-o", "-"], 2, "do not fit standard output", "my takes.it's hero/b c.bvh"),
        (&["-o", "all in.bvh"], 2, "is named as a file", "all in/b c.bvh"),
        (&["-o", "all.glb"], 2, "made of a character alone", "all/b c.glb"),
        (&["-o", "file"], 2, "is no folder", "file.new/b c.bvh"),
        (&["-o", "my takes/out"], 2, "lies inside my takes", "out/b c.bvh"),
        (&["-o", "out", "--threads", "2"], 2, "with --jobs", "out/b c.bvh"),
        (&["-o", "out", "--report", "r.json"], 2, "is its journal", "out/b c.bvh"),
        (&["-o", "out", "--contacts", "c.toml"], 2, "about one clip", "out/b c.bvh"),
        (&["-o", "out", "--name", "x"], 2, "leave it out", "out/b c.bvh"),
        (&["-o", "out", "--format", "fbx"], 1, "name a result that ends in .bvh", "out/b c.bvh"),
    ] {
        let (folder, command) = pasted(&[&TO[..], more].concat(), code, says);
        assert!(folder.path(made).is_file(), "{command}");
    }
    // Of files results of the same names stand beside the clips, and all of a folder is searched.
    let (folder, _) =
        pasted(&["lib/a.bvh", "my takes/b c.bvh", "--to", "hero.bvh"], 2, "name it with -o");
    assert!(folder.path("clips.hero/lib/a.bvh").is_file(), "{:?}", folder.names());
}

#[test]
fn a_library_in_the_current_folder_gets_a_folder_beside_it() {
    let folder = folder();
    let library = folder.path("lib");
    let run = crate::harness::command(&library, &[".", "--to", "../hero.bvh"]);
    let run = Run::new(&[], { run }.output().expect("an end")).failed(2, "name it with -o");
    let line = format!("cd lib && {}", proposed(&run));
    assert_eq!(folder.paste(&line).code, Some(0), "{line}");
    assert!(folder.path("clips.hero/a.bvh").is_file(), "{line}");
}

#[test]
fn what_is_proposed_about_animations_and_characters_works() {
    for (args, code, says) in [
        (&["two.glb", "--to", "hero.bvh", "-o", "x.bvh"][..], 1, "say which one is meant"),
        (&["two.glb", "--to", "hero.bvh", "--clip", "three"], 1, "it holds no animation"),
        (&["check", "walk.bvh", "two.glb", "--to", "bones.glb"], 1, "say which one is meant"),
        (&["view", "walk.bvh", "two.glb", "--result-clip", "no"], 1, "it holds no animation"),
        (&["sheet", "two.glb", "--clip", "no"], 1, "it holds no animation"),
        (&["walk.bvh", "--to", "one.glb", "--name", "one"], 1, "have it replaced"),
        (&["lib", "--to", "bones.glb", "-o", "all.fbx"], 1, "name a result that ends in .glb"),
        (&["my takes", "--to", "one.glb", "-o", "a.glb", "--jobs", "1"], 2, "instead of --jobs"),
        (&["my takes", "--to", "one.glb", "-o", "a.glb", "--name", "x"], 2, "leave it out"),
        (&["my takes", "--to", "one.glb", "-o", "a.glb", "--resume"], 2, "name a folder with -o"),
    ] {
        pasted(args, code, says);
    }
}

#[test]
fn a_proposed_command_keeps_what_was_typed() {
    let target = project().join("samples/skeletons/hero.toml").display().to_string();
    for (args, says) in [
        (
            &["-q", "my walk.bvh", "--to", &target, "--decimals=3", "-otakes", "--"][..],
            "--decimals=3",
        ),
        (
            &["--floor", "keep", "my walk.bvh", "--target", &target, "--output=takes"],
            "--floor keep",
        ),
    ] {
        let (folder, command) = pasted(args, 2, "the result of one clip is a file");
        assert!(command.contains(says), "{command}");
        assert!(folder.path("takes/my walk.hero.bvh").is_file(), "{command}");
    }
}

/// What a file too many was meant as follows from its name, from what is there, and from what the command lacks.
#[test]
fn a_file_too_many_is_said_to_be_what_it_was_meant_as() {
    const TO: &str = "it's hero.toml";
    for (args, says, made) in [
        (&["my walk.bvh", "b c.bvh", "--to", TO][..], "say so with -o", "b c.bvh"),
        (&["my walk.bvh", "hero.bvh"], "where the second file is it", "my walk.hero.bvh"),
        (&["my walk.bvh", "hero.bvh", "b c.bvh"], "and the third the result", "b c.bvh"),
        (&["my walk.bvh", TO, "-o", "b c.bvh"], "say which is the target", "b c.bvh"),
        (&["my walk.bvh", "walk.bvh", "--to", TO, "-o", "b c.bvh"], "a result of its own", "b c"),
        (&["view", "walk.bvh", "made.bvh", TO, "-o", "b c.html"], "with --to", "b c.html"),
        (&["view", "walk.bvh", TO, "made.bvh", "-o", "b c.html"], "with --to", "b c.html"),
        (&["view", "walk.bvh", "made.bvh", "b c.html", "--to", TO], "with -o", "b c.html"),
        (
            &["skeleton", "walk.bvh", "b c.toml"],
            "one rig, and b c.toml is a file too many",
            "b c.toml",
        ),
        (&["sheet", "walk.bvh", "b c.svg"], "is a picture and no clip", "b c.svg"),
        (&["check", "walk.bvh", "made.bvh", TO], "with --to", "made.bvh"),
        (&["check", "walk.bvh", "made.bvh", "hero.bvh", "--to", TO], "leave it out", "made.bvh"),
        (&["explain", "walk.bvh", TO, "--frame", "3"], "with --to", "made.bvh"),
        (
            &["inspect", "walk.bvh", "hero.bvh"],
            "one clip, and hero.bvh is a file too many",
            "made.bvh",
        ),
    ] {
        let folder = folder();
        folder.run(&["walk.bvh", "--to", TO, "-o", "made.bvh"]).done();
        let run = folder.run(args).failed(2, says);
        let pasted = folder.paste(proposed(&run));
        assert_eq!(pasted.code, Some(0), "{run:#?} {pasted:#?}");
        assert!(folder.path(made).exists(), "{run:#?}");
    }
}

/// A clip is no text that says what a rig is: such a text is made of it, or it is left out where it says nothing.
#[test]
fn a_clip_that_is_named_as_what_is_said_of_a_rig_is_put_right() {
    const TO: [&str; 3] = ["--to", "it's hero.toml", "--from"];
    const HOLDS: &str = "this file holds joints, and --from takes a skeleton.toml";
    for (file, from, code, says, proposes) in [
        (
            "walk.bvh",
            "my walk.bvh",
            1,
            HOLDS,
            "retarget skeleton 'my walk.bvh' --lock -o 'my walk.toml' && ",
        ),
        ("my takes", "walk.bvh", 1, HOLDS, "retarget skeleton walk.bvh --lock -o walk.toml && "),
        ("walk.bvh", "walk.bvh", 1, HOLDS, "--to 'it'\\''s hero.toml' -o x"),
        ("walk.bvh", "other.bvh", 1, HOLDS, "--to 'it'\\''s hero.toml' -o x"),
        ("walk.bvh", "two.glb", 1, HOLDS, "--to 'it'\\''s hero.toml' -o x"),
        ("", "my walk.bvh", 2, "no clip is named", "retarget 'my walk.bvh' --to "),
    ] {
        let folder = folder();
        folder.put("other.bvh", folder.text("walk.bvh").replace("LeftHand", "LeftPaw"));
        let output = if file == "my takes" { "x" } else { "x.bvh" };
        let file = if file.is_empty() { &[][..] } else { &[file] };
        let run = folder.run(&[file, &TO, &[from, "-o", output]].concat()).failed(code, says);
        let command = proposed(&run).to_owned();
        assert!(run.stderr.contains(proposes), "{from}: {run:#?}");
        let pasted = folder.paste(&command);
        assert_eq!(pasted.code, Some(0), "{command} {pasted:#?}");
        assert!(folder.path(output).exists(), "{command}");
    }
}

#[test]
fn files_that_changed_places_are_put_right() {
    for (args, code, says) in [
        (
            &["check", "made.bvh", "walk.bvh", "--to", "it's hero.toml"][..],
            2,
            "made.bvh is the result here",
        ),
        (
            &["view", "made.bvh", "walk.bvh", "--to", "it's hero.toml"],
            2,
            "made.bvh is the result here",
        ),
        (
            &["check", "in a/b c.bvh", "my takes/b c.bvh", "--json"],
            2,
            "is the result here; swap them",
        ),
        (&["view", "in a/b c.bvh", "my takes/b c.bvh"], 2, "is the result here; swap them"),
        (&["it's hero.toml", "--to", "walk.bvh"], 1, "says what a rig is and holds no motion"),
        (&["explain", "it's hero.toml", "--to", "walk.bvh", "--frame", "2"], 1, "holds no motion"),
    ] {
        let folder = folder();
        folder.run(&["walk.bvh", "--to", "it's hero.toml", "-o", "made.bvh"]).done();
        folder.run(&["my takes", "--to", "it's hero.toml", "-o", "in a"]).done();
        let run = folder.run(args).failed(code, says);
        let pasted = folder.paste(proposed(&run));
        assert_eq!(pasted.code, Some(0), "{run:#?} {pasted:#?}");
        assert_eq!(args.contains(&"--json"), pasted.stdout.starts_with('{'), "{pasted:#?}");
    }
    // Blender is not needed to see it.
    let folder = folder();
    folder.run(&["walk.bvh", "--to", "it's hero.toml", "-o", "made.bvh"]).done();
    let swapped = ["blender", "made.bvh", "walk.bvh", "--to", "it's hero.toml"];
    let whole = r"swap them: retarget blender walk.bvh made.bvh --to 'it'\''s hero.toml'";
    folder.run(&swapped).failed(2, whole);
}
