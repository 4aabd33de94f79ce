//! Standard input, output and error.

use crate::harness::{Folder, Run};

#[test]
fn a_clip_comes_from_a_pipe_and_goes_into_one() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    let walk = folder.text("walk.bvh");
    for args in [&["-", "--to", "hero.bvh"][..], &["-", "--to", "hero.bvh", "-o", "-"]] {
        let run = folder.run_with(args, &walk);
        assert_eq!(run.code, Some(0), "{run:#?}");
        assert!(run.stdout == folder.text("out.bvh"), "{args:?}");
        // The summary keeps out of the result's way.
        assert!(run.stderr.starts_with("-: 40 frames"), "{run:#?}");
        let quiet = folder.run_with(&[args, &["-q"]].concat(), &walk).done();
        assert!(quiet.stdout == folder.text("out.bvh"), "{args:?}");
    }
    let run = folder.run_with(&["-", "--to", "hero.bvh", "-o", "b.bvh"], &walk).done();
    assert!(run.line("source").contains(" -: "), "{run:#?}");
    let run = folder.run_with(&["inspect", "-"], &walk).done();
    assert!(run.line("standard input").contains("18 joints"), "{run:#?}");
    folder.run_with(&["-", "--to", "hero.bvh"], "x").failed(1, "error: standard input: line 1, ");
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new();
    let run = folder.run(&["walk.bvh", "--to", "hero.bvh", "-q"]).done();
    assert_eq!(run.stdout, "");
}

#[test]
fn off_a_terminal_there_is_neither_progress_nor_colour() {
    let folder = Folder::new();
    for args in [
        &["--help"][..],
        &["--version"],
        &["walk.bvh", "--to", "hero.bvh"],
        &["inspect", "walk.bvh"],
    ] {
        let run = folder.run(args).done();
        assert!(!run.stdout.contains('\u{1b}') && !run.stdout.contains('\r'), "{run:#?}");
    }
    for args in [&["walk.bvh"][..], &["lost.bvh", "--to", "hero.bvh"]] {
        let run = folder.run(args);
        assert!(!run.stderr.contains('\u{1b}'), "{run:#?}");
    }
}

#[test]
fn no_color_is_heeded_even_where_colour_is_forced() {
    let folder = Folder::new();
    let stderr = |name: &str, value: &str| {
        let mut command = folder.command(&["walk.bvh"]);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env(name, value);
        let output = command.output().expect("the binary runs");
        Run::new(&["walk.bvh"], output).stderr
    };
    assert!(stderr("CLICOLOR_FORCE", "1").contains('\u{1b}'), "nothing to turn off");
    assert!(!stderr("NO_COLOR", "1").contains('\u{1b}'));
}

/// A number over its limit is red where errors are: its row, what to look at, and the limit that is exceeded.
#[test]
fn verdicts_are_coloured_as_errors_are() {
    let folder = Folder::new();
    let thrown = folder.text("walk.bvh").replacen(" -70.0000", " -40.0000", 9);
    folder.put("thrown.bvh", thrown.replacen(" -40.0000", " -70.0000", 8));
    let args = ["check", "walk.bvh", "thrown.bvh", "--to", "walk.bvh", "--limit", "snap_deg=2.5"];
    let run = |name: &str| {
        let mut command = folder.command(&args);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env(name, "1");
        Run::new(&args, command.output().expect("the binary runs"))
    };
    let (red, plain) = (run("CLICOLOR_FORCE"), run("NO_COLOR"));
    assert_eq!((red.code, plain.code), (Some(3), Some(3)), "{red:#?}");
    assert!(red.stderr.starts_with("\u{1b}[1;31mexceeded:"), "{red:#?}");
    let over = |run: &Run| {
        let rows = run.stdout.lines().filter(|row| row.contains(" ! "));
        rows.map(|row| row.starts_with("\u{1b}[1;31m")).collect::<Vec<bool>>()
    };
    assert!(over(&red).len() > 1 && over(&red).iter().all(|red| *red), "{red:#?}");
    assert!(over(&plain).iter().all(|red| !red), "{plain:#?}");
    assert!(!plain.stderr.contains('\u{1b}') && !plain.stdout.contains('\u{1b}'), "{plain:#?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    // More than any pipe holds.
    let long = long_clip();
    folder.put("long.bvh", &long);
    for args in [
        &["long.bvh", "--to", "hero.bvh", "-o", "-", "-q"][..],
        &["inspect", "walk.bvh", "--json"],
        &["walk.bvh", "--to", "hero.bvh"],
        &["skeleton", "hero.bvh"],
        &["--help"],
    ] {
        let mut child = folder.command(args).spawn().expect("the binary runs");
        drop(child.stdout.take());
        let run = Run::new(args, child.wait_with_output().expect("an end"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// The clip ten times over, in one.
fn long_clip() -> String {
    let clip = crate::body::clip(1.0);
    let (head, rows) = clip.split_once("Frame Time: 0.0333333\n").expect("a motion");
    let head = head.replace("Frames: 40", "Frames: 400");
    format!("{head}Frame Time: 0.0333333\n{}", rows.repeat(10))
}

#[test]
fn json_goes_alone_to_standard_output() {
    let folder = Folder::new();
    let json = folder.run(&["walk.bvh", "--to", "hero.bvh", "--json"]).done().json();
    assert_eq!(json["output"], "walk.hero.bvh");
    assert_eq!(json["frames"], 40);
    assert_eq!(json["contacts"]["left_ball"], 1);
    assert_eq!(json["misses"], serde_json::json!([]));
    assert_eq!(json["source"]["stance"], "rest");
    assert_eq!(json["target"]["joints"], 18);
    assert!(json["report"]["plant_drift_cm"]["value"].as_f64().expect("a number") < 0.05);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_130_and_leaves_nothing() {
    use std::io::Write;
    let folder = Folder::new();
    let mut child = folder.command(&["-", "--to", "hero.bvh", "-o", "out.bvh"]).spawn().unwrap();
    let mut stdin = child.stdin.take().expect("piped");
    // Once more is written than any pipe holds, the command is reading, and will go on to.
    stdin.write_all(long_clip().repeat(4).as_bytes()).expect("read");
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    assert!(sent.success());
    let output = child.wait().expect("an end");
    assert_eq!(output.code(), Some(130), "{output:?}");
    assert_eq!(folder.names(), ["hero.bvh", "walk.bvh"]);
}

/// A pipe or a device is written into, not replaced by a file.
#[cfg(unix)]
#[test]
fn a_device_stays_a_device() {
    use std::io::Read;
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.expect("mkfifo").success());
    // Open at both ends, so that neither side waits for the other.
    let mut options = std::fs::OpenOptions::new();
    let mut pipe = options.read(true).write(true).open(folder.path("pipe")).expect("a pipe");
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "pipe", "-q", "--decimals", "2"]).done();
    assert!(folder.path("pipe").metadata().expect("still there").file_type().is_fifo());
    let mut start = [0; 10];
    pipe.read_exact(&mut start).expect("a result");
    assert_eq!(&start, b"HIERARCHY\n");
}
