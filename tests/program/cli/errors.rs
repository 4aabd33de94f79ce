//! Mistakes: one clear sentence, the right exit code, and no file touched.

use crate::harness::Folder;

#[test]
fn wrong_usage_ends_with_2() {
    let folder = Folder::new();
    for (args, says) in [
        (&[][..], "Usage:"),
        (&["walk.bvh"], "--to hero.toml"),
        (&["--to", "hero.bvh"], "no clip is named; say which, or - for standard input"),
        (&["walk.bvh", "--to", "hero.bvh", "--foot-plant", "off"], "--foot-plants"),
        (&["walk.bvh", "--to", "hero.bvh", "--foot-plants", "on"], "auto, ground, off"),
        (
            &["walk.bvh", "--to", "hero.bvh", "--scale", "0"],
            "expected leg, height, none, or a number from 0.000000001 to 1000000000",
        ),
        (
            &["walk.bvh", "--to", "hero.bvh", "--scale", "nan"],
            "expected leg, height, none, or a number",
        ),
        (
            &["walk.bvh", "--to", "hero.bvh", "--scale", "-1"],
            "expected leg, height, none, or a number",
        ),
        (&["walk.bvh", "--to", "hero.bvh", "--decimals", "16"], "16"),
        (&["walk.bvh", "--to", "hero.bvh", "--decimals", "-1"], "0..=15"),
        (&["walk.bvh", "--to", "hero.bvh", "--threads", "-1"], "expected a number from 1"),
        (
            &["explain", "walk.bvh", "--to", "hero.bvh", "--frame", "-1"],
            "expected the number of a frame, from 0",
        ),
        (&["walk.bvh", "--to", "hero.bvh", "-q", "-v"], "cannot be used with"),
        (&["walk.bvh", "--to", "hero.bvh", "-o", "-", "--json"], "name a file with -o"),
        (&["walk.bvh", "--to", "-"], "--to takes a file"),
        (&["walk.bvh", "--to", "hero.bvh", "--from", "-"], "--from takes a file"),
        (&[".", "--to", "hero.bvh"], "go into a folder; name it with -o"),
        (&["walk.bvh", "hero.bvh", "--to", "hero.bvh"], "go into a folder; name it with -o"),
        (&[".", "--to", "hero.bvh", "-o", "-"], "do not fit standard output"),
        (&["-", "walk.bvh", "--to", "hero.bvh", "-o", "out"], "standard input holds one clip"),
        (&[".", "--to", "hero.bvh", "-o", "out", "--shard", "0/4"], "expected K/N"),
        (&[".", "--to", "hero.bvh", "-o", "out", "--shard", "5/4"], "expected K/N"),
        (&[".", "--to", "hero.bvh", "-o", "out", "--jobs", "0"], "--jobs"),
        (&["report"], "<OUT>"),
        (
            &["report", "out", "--limit", "drift=1"],
            "NAME is failed, snap_deg, flick_deg, plant_drift_cm",
        ),
        (&["report", "out", "--limit", "plant_drift_cm.p101=1"], "NAME is failed"),
        (&["inspect"], "<FILE>"),
        (&["inspect", "walk.bvh", "--to", "hero.bvh"], "--to"),
        (&["skeleton"], "<RIG>"),
    ] {
        folder.run(args).failed(2, says);
    }
    assert_eq!(folder.names(), ["hero.bvh", "walk.bvh"]);
}

#[test]
fn a_file_that_fails_ends_with_1_and_is_named() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    folder.put("nan.bvh", walk.replacen("-70.0000", "nan", 1));
    folder.put("empty.bvh", "");
    folder.put("still.bvh", walk.split("MOTION").next().expect("a hierarchy"));
    folder.put("key.toml", "bvh = \"hero.bvh\"\n[rolse]\nhips = \"Hips\"\n");
    folder.put("joint.toml", "bvh = \"hero.bvh\"\n[roles]\nhips = \"Hip\"\n");
    folder.put("none.toml", "up = \"y\"\n");
    folder.put("lost.toml", "bvh = \"lost.bvh\"\n");
    folder.put("from.toml", "[roles]\nhips = \"Hip\"\n");
    folder.put("scaled.toml", "scale = 2.0\n");
    let line = walk.lines().position(|line| line.contains("-70.0000")).expect("a row") + 1;
    let nan = format!("error: nan.bvh: line {line}, column ");
    for (args, says) in [
        (&["lost.bvh", "--to", "hero.bvh"][..], "error: cannot read lost.bvh: "),
        (&["walk.bvh", "--to", "."], "error: cannot read .: it is a folder; name a file in it"),
        (&["lost", "--to", "hero.bvh", "-o", "out"], "error: cannot read lost: "),
        (&["walk.bvh", "--to", "hero.bvh", "-o", "lost/a.bvh"], "there is no folder lost"),
        (
            &["walk.bvh", "--to", "lost.toml"],
            "error: lost.toml: lost.bvh, which it names as `bvh`, cannot be read: ",
        ),
        (
            &["none.toml", "--to", "hero.bvh"],
            "none.toml: this file says what a rig is and holds no motion",
        ),
        (
            &["walk.bvh", "none.toml", "--to", "hero.bvh", "-o", "out"],
            "name a clip, and this file as its target with --to",
        ),
        (&["walk.bvh", "--to", "lost.bvh"], "error: cannot read lost.bvh: "),
        (&["nan.bvh", "--to", "hero.bvh"], &nan),
        (&["nan.bvh", "--to", "hero.bvh"], "\"nan\" is not a finite number"),
        (&["empty.bvh", "--to", "hero.bvh"], "error: empty.bvh: the file is empty"),
        (&["still.bvh", "--to", "hero.bvh"], "has a hierarchy but no motion"),
        (&["walk.bvh", "--to", "key.toml"], "key.toml: line 2: `rolse`: unknown key; did you mean"),
        (&["walk.bvh", "--to", "joint.toml"], "joint.toml: line 3: `roles.hips`: no joint"),
        (&["walk.bvh", "--to", "none.toml"], "none.toml: the skeleton is missing"),
        (
            &["walk.bvh", "--to", "hero.bvh", "--from", "from.toml"],
            "error: from.toml: line 2: `roles.hips`: no joint is called \"Hip\"; did you mean",
        ),
        (
            &["walk.bvh", "--to", "hero.bvh", "--from", "scaled.toml"],
            "scaled.toml: scale says nothing of a source's rig",
        ),
        (
            &["walk.bvh", "--to", "hero.bvh", "--from", "hero.bvh"],
            "this file holds joints, and --from takes a skeleton.toml",
        ),
        (
            &["walk.bvh", "--to", "hero.bvh", "--from", "none.toml", "-o", "walk.bvh"],
            "never overwritten",
        ),
    ] {
        let names = folder.names();
        folder.run(args).failed(1, says);
        assert_eq!(folder.names(), names, "{args:?}");
    }
}

#[test]
fn an_error_does_not_say_its_cause_twice() {
    let folder = Folder::new();
    let run = folder.run(&["lost.bvh", "--to", "hero.bvh"]).failed(1, "error: ");
    assert_eq!(run.stderr.matches("os error").count(), 1, "{run:#?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
}

#[test]
fn an_input_is_never_overwritten_by_whatever_name() {
    let folder = Folder::new();
    folder.put("hero.toml", "bvh = \"hero.bvh\"\n");
    folder.put("from.toml", "up = \"y\"\n");
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    let mut others = vec![
        "walk.bvh".to_owned(),
        "./walk.bvh".to_owned(),
        "sub/../walk.bvh".to_owned(),
        folder.path("walk.bvh").display().to_string(),
        "hero.bvh".to_owned(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("walk.bvh", folder.path("link.bvh")).expect("a link");
        others.push("link.bvh".to_owned());
    }
    let inputs = || ["walk.bvh", "hero.toml", "hero.bvh", "from.toml"].map(|n| folder.text(n));
    let before = inputs();
    for output in &others {
        let args = ["walk.bvh", "--to", "hero.toml", "--from", "from.toml", "-o", output];
        folder.run(&args).failed(1, "is also an input; an input is never overwritten");
        assert!(inputs() == before, "{output}");
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = Folder::new();
    folder.put("file", "no folder");
    folder.put("old.bvh", "something old");
    folder.put("nan.bvh", folder.text("walk.bvh").replacen("-70.0000", "nan", 1));
    std::fs::create_dir(folder.path("taken.bvh")).expect("a folder");
    let names = folder.names();
    for output in ["file/out.bvh", "lost/out.bvh", "taken.bvh"] {
        let says = format!("error: cannot write {output}: ");
        let run = folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", output]).failed(1, &says);
        // The name of a temporary file would mean nothing to anybody.
        assert!(!run.stderr.contains(".retarget-"), "{run:#?}");
    }
    folder.run(&["nan.bvh", "--to", "hero.bvh", "-o", "old.bvh"]).failed(1, "nan");
    assert_eq!(folder.names(), names);
    assert_eq!(folder.text("old.bvh"), "something old");
}

#[test]
fn what_a_user_meant_is_said() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    folder.put("hero.toml", "bvh = \"hero.bvh\"\n");
    folder.put("walk.hero.bvh", folder.text("out.bvh"));
    std::fs::create_dir(folder.path("takes")).expect("a folder");
    folder.put("my walk.bvh", folder.text("walk.bvh"));
    for (args, says) in [
        (&["my walk.bvh"][..], "retarget 'my walk.bvh' --to hero.toml"),
        (&["my walk.bvh", "hero.toml"], "retarget 'my walk.bvh' --to hero.toml"),
        (
            &["my walk.bvh", "--to", "hero.toml", "-o", "takes"],
            "--to hero.toml --output 'takes/my walk.hero.bvh'",
        ),
        (&["veiw", "walk.bvh", "out.bvh"], "did you mean view: retarget view walk.bvh out.bvh"),
        (&["hlep", "view"], "did you mean help: retarget help view"),
        (&["convert"], "the commands are inspect, skeleton, check"),
        (
            &["convert", "walk.bvh", "--to", "hero.toml"],
            "there is no command \"convert\", and no file of that name; a conversion has no name of a command: retarget \
             walk.bvh --to hero.toml",
        ),
        (
            &["walk.bvh", "-t", "hero.toml"],
            "there is no option -t; did you mean --to or --threads?",
        ),
        (
            &["my walk.bvh", "--to", "hero.toml", "-o", "out.bvh", "--force"],
            "there is no option --force; a result takes the place of a file of its name: retarget 'my walk.bvh' --to \
             hero.toml -o out.bvh",
        ),
        (
            &["walk.bvh", "--formt", "--to", "hero.toml"],
            "there is no option --formt; did you mean --format, which takes a value?",
        ),
        (
            &["check", "my walk.bvh"],
            "<RESULT> is missing, as in retarget check 'my walk.bvh' RESULT",
        ),
        (&["check"], "<SOURCE> and <RESULT> are missing, as in retarget check SOURCE RESULT"),
        (
            &["explain", "walk.bvh", "--to", "hero.toml"],
            "--frame <N> is missing, as in retarget explain walk.bvh --to hero.toml --frame N",
        ),
        (&["sheet"], "<FILE>... is missing, as in retarget sheet FILE"),
        (&["check", "walk.bvh", "out.bvh", "--tight"], "there is no option --tight"),
        (&["walk.bvh", "--to", "hero.toml", "-o", "takes"], "--output takes/walk.hero.bvh"),
        (
            &["walk.bvh", "--to", "hero.toml", "-o", "new/"],
            "mkdir -p new/ && retarget walk.bvh --to hero.toml --output new/walk.hero.bvh",
        ),
        (
            &["walk.bvh", "--to", "hero.toml", "--format", "glb"],
            "retarget walk.bvh --to hero.toml --output walk.hero.glb",
        ),
        (&["walk.bvh"], "retarget walk.bvh --to hero.toml"),
        (&["walk.bvh", "hero.toml"], "retarget walk.bvh --to hero.toml"),
        (&["hero.toml", "walk.bvh"], "retarget walk.bvh --to hero.toml"),
        (&["check", "out.bvh", "walk.bvh", "--to", "hero.bvh"], "walk.bvh out.bvh --to hero.bvh"),
        (&["view", "out.bvh", "walk.bvh", "--to", "hero.bvh"], "walk.bvh out.bvh --to hero.bvh"),
        (&["check", "out.bvh", "walk.bvh"], "the source comes first, then the result"),
        (
            &["check", "walk.hero.bvh", "walk.bvh"],
            "the source comes first; swap them, and name the target: retarget check walk.bvh walk.hero.bvh --to TARGET",
        ),
        (
            &["my walk.bvh", "--to", "hero.toml", "--foot-plant=off"],
            "did you mean --foot-plants: retarget 'my walk.bvh' --to hero.toml '--foot-plants=off'",
        ),
        (&["walk.bvh", "--tp", "hero.toml"], "did you mean --to: retarget walk.bvh --to hero.toml"),
        (&["inspect", "walk.bvh", "-j"], "did you mean --json: retarget inspect walk.bvh --json"),
        (&[".", "--to", "hero.bvh", "-o", "all.bvh"], "all.bvh is named as a file; name a folder"),
        (
            &["explain", "walk.bvh", "--to", "hero.bvh", "--frame", "9999"],
            "its frames go from 0 to",
        ),
    ] {
        let run = folder.run(args);
        let run = run.failed(2, says);
        let first = run.stderr.lines().next().expect("a sentence");
        assert!(first.starts_with("error: ") && !first.ends_with(':'), "{run:#?}");
    }
    assert!(!folder.names().iter().any(|name| name == "all.bvh"));
    // The name that other tools have for it.
    folder.run(&["walk.bvh", "--target", "hero.toml", "-o", "again.bvh"]).done();
    assert_eq!(folder.text("again.bvh"), folder.text("out.bvh"));
    folder.run(&["help", "vew"]).failed(2, "did you mean view: retarget help view");
    folder.run(&["help", "dance"]).failed(2, "the commands are inspect, skeleton, check,");
    let help = folder.run(&["help", "view"]).done();
    assert_eq!(help.stdout, folder.run(&["view", "--help"]).done().stdout);
}

#[test]
fn colours_are_for_terminals_alone() {
    let folder = Folder::new();
    let done = folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "-v"]).done();
    let failed = folder.run(&["none.bvh", "--to", "hero.bvh"]);
    let failed = failed.failed(1, "error: cannot read none.bvh");
    for text in [&done.stdout, &failed.stderr] {
        assert!(!text.contains('\x1b'), "{text:?}");
    }
}
