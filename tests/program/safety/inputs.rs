//! No command writes over what it reads, by whatever name.

use crate::harness::Folder;
use crate::library::{folder, put, run, tree};

const SAYS: &str = "is also an input; an input is never overwritten";

/// `walk.bvh` retargeted onto `hero.bvh`, and a `skeleton.toml` that names it.
fn pair() -> Folder {
    let folder = Folder::new();
    folder.put("hero.toml", "bvh = \"hero.bvh\"\n");
    folder.run(&["walk.bvh", "--to", "hero.toml", "-o", "out.bvh"]).done();
    folder
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = pair();
    // Files may have any name.
    for (from, to) in [
        ("walk.bvh", "walk.html"),
        ("out.bvh", "out.html"),
        ("hero.bvh", "hero.png"),
        ("walk.bvh", "walk.json"),
        ("walk.bvh", "from.bvh.toml"),
        ("hero.bvh", "body.toml"),
    ] {
        folder.put(to, folder.text(from));
    }
    folder.put("to_png.toml", "bvh = \"hero.png\"\n");
    folder.put("from.toml", "up = \"y\"\n");
    folder.put("list.bvh", "walk.bvh\n");
    folder.put("to_html.toml", "bvh = \"out.html\"\n");
    let before = tree(&folder.path("."));
    for args in [
        &["view", "walk.html", "out.bvh", "--to", "hero.bvh", "-o", "walk.html"][..],
        &["view", "walk.bvh", "out.html", "--to", "hero.bvh", "-o", "./out.html"],
        &["view", "walk.bvh", "out.bvh", "--to", "to_html.toml", "-o", "out.html"],
        &["inspect", "hero.png", "--draw", "hero.png"],
        &["inspect", "to_png.toml", "--draw", "hero.png"],
        &["sheet", "walk.bvh", "hero.png", "-o", "hero.png"],
        &["skeleton", "walk.bvh", "--from", "from.toml", "-o", "from.toml"],
        &["walk.json", "--to", "hero.bvh", "--contacts", "walk.json", "-o", "new.bvh"],
        &["walk.json", "--to", "hero.bvh", "--report", "walk.json", "-o", "new.bvh"],
        &["walk.bvh", "--to", "hero.toml", "--report", "hero.bvh", "-o", "new.bvh"],
    ] {
        let reported = folder.run(args);
        let after = tree(&folder.path("."));
        let all_there = before.iter().all(|(name, bytes)| after.get(name) == Some(bytes));
        assert!(all_there, "{args:?} wrote over an input");
        assert_eq!(reported.code, Some(1), "{reported:#?}");
        assert!(reported.stderr.contains(SAYS), "{reported:#?}");
    }
}

#[test]
fn the_page_of_a_report_goes_over_no_journal_and_no_clip() {
    let folder = Folder::new();
    put(&folder, "lib/page.html", folder.text("walk.bvh").as_bytes());
    let args = ["lib/page.html", "--jobs", "1", "--to", "hero.bvh", "-o", "out"];
    folder.run(&args).done();
    let journal = folder.path("out/retarget-run.jsonl");
    std::fs::copy(&journal, folder.path("out/journal.html")).expect("copied");
    let before = tree(&folder.path("."));
    for (run, page) in [
        ("out/journal.html", "out/journal.html"),
        ("out", "lib/page.html"),
        ("out", "out/page.html"),
        ("out", "out/../lib/page.html"),
    ] {
        let reported = folder.run(&["report", run, "--html", page]);
        assert_eq!(reported.code, Some(1), "{page}: {reported:#?}");
        assert!(reported.stderr.contains(SAYS), "{page}: {reported:#?}");
        assert!(tree(&folder.path(".")) == before, "{page}");
    }
    folder.run(&["report", "out", "--html", "report.html"]).done();
}

#[test]
fn a_library_writes_over_no_target_no_list_and_no_clip() {
    let folder = folder();
    put(&folder, "out/hero.bvh", folder.text("hero.bvh").as_bytes());
    put(&folder, "out/retarget-run.jsonl", folder.text("walk.bvh").as_bytes());
    put(&folder, "lib/hero.bvh", folder.text("walk.bvh").as_bytes());
    put(&folder, "out/a.bvh", b"lib/a.bvh\n");
    let names = ["out/hero.bvh", "out/a.bvh", "out/retarget-run.jsonl"];
    let before = names.map(|name| folder.text(name));
    for (args, code) in [
        // A result, the journal, and each of them as target, list or clip.
        (&["lib/hero.bvh", "lib/a.bvh", "--to", "out/hero.bvh", "-o", "out"][..], 1),
        (&["lib/a.bvh", "--jobs", "1", "--to", "out/retarget-run.jsonl", "-o", "out"], 1),
        (&["--files-from", "out/a.bvh", "--to", "hero.bvh", "-o", "out"], 1),
        (&["out/retarget-run.jsonl", "lib/a.bvh", "--to", "hero.bvh", "-o", "out"], 2),
    ] {
        // A journal that is no clip is the run's own.
        if !args.contains(&"out/retarget-run.jsonl") {
            std::fs::remove_file(folder.path("out/retarget-run.jsonl")).ok();
        }
        let reported = folder.run(args);
        assert_eq!(reported.code, Some(code), "{reported:#?}");
        assert!(reported.stderr.contains("an input is never overwritten"), "{reported:#?}");
        for (name, before) in names.iter().zip(&before).filter(|(name, _)| args.contains(name)) {
            assert!(folder.text(name) == *before, "{args:?}: {name}");
        }
        names.iter().zip(&before).for_each(|(name, before)| folder.put(name, before));
    }
}

#[cfg(unix)]
#[test]
fn an_output_folder_that_a_link_in_the_library_leads_to_is_refused_from_the_first() {
    let folder = folder();
    std::os::unix::fs::symlink("..", folder.path("lib/up")).expect("a link");
    let before = tree(&folder.path("lib/deep"));
    for output in ["out", "out/deep"] {
        let args = ["lib", "--to", "hero.bvh", "-o", output];
        folder.run(&args).failed(2, &format!("{output} lies inside lib/up, so that results"));
        assert!(!folder.path("out").exists() && tree(&folder.path("lib/deep")) == before);
    }
}

#[cfg(unix)]
#[test]
fn a_journal_that_is_a_link_is_refused() {
    let folder = folder();
    folder.put("precious.txt", "not to be touched");
    std::fs::create_dir(folder.path("out")).expect("made");
    std::os::unix::fs::symlink("../precious.txt", folder.path("out/retarget-run.jsonl"))
        .expect("a link");
    for args in [&[][..], &["--resume"]] {
        run(&folder, args).failed(1, "out/retarget-run.jsonl is a link or no file");
        assert_eq!(folder.text("precious.txt"), "not to be touched");
    }
}
