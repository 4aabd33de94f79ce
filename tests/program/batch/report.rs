//! `retarget report`: sums, comparisons, and the gate.

use crate::library::{CLIPS, folder, put, run};
use retarget::internals::report::NUMBERS;
use std::fs;

#[test]
fn the_report_says_what_the_journal_says() {
    let folder = folder();
    put(&folder, "lib/bad.bvh", b"");
    run(&folder, &[]);
    let json = folder.run(&["report", "out", "--json"]).done().json();
    assert_eq!((&json["clips"], &json["done"], &json["failed"]), (&8.into(), &7.into(), &1.into()));
    assert_eq!(json["frames"], 7 * crate::body::FRAMES);
    assert_eq!(json["failures"][0]["reason"], "empty");
    assert_eq!(json["failures"][0]["clip"], "bad.bvh");
    assert_eq!(json["rigs"][0]["joints"], 18);
    assert_eq!(json["rigs"][0]["clips"], 7);
    assert_eq!(json["setups"], 1);
    assert_eq!(json["worst"].as_array().expect("a list").len(), 7);
    let lines = crate::library::journal(&folder, "out/retarget-run.jsonl");
    for (spread, number) in json["numbers"].as_array().expect("a list").iter().zip(NUMBERS) {
        assert_eq!(spread["name"], number.name);
        let of = |line: &serde_json::Value| line["report"][number.name]["value"].as_f64();
        let mut values: Vec<f64> = lines.iter().filter_map(of).collect();
        values.sort_by(f64::total_cmp);
        assert_eq!(values.len(), CLIPS.len());
        let near = |key: &str, value: f64| {
            let reported = spread[key].as_f64().expect("a number");
            assert!(
                (reported - value).abs() <= 1e-12 * value.abs(),
                "{}: {reported} {value}",
                number.name
            );
        };
        near("max", values[6]);
        near("p50", values[3]);
    }
    let text = folder.run(&["report", "out"]).done().stdout;
    for says in ["8 clips: 7 done, 1 failed", "plant_drift_cm", "empty, such as lib/bad.bvh: "] {
        assert!(text.contains(says), "{says}: {text}");
    }
    assert_eq!(text.matches("bad.bvh").count(), 1, "{text}");
}

#[test]
fn a_clip_in_which_a_limb_snaps_is_counted_and_comes_first() {
    let folder = folder();
    run(&folder, &[]);
    let journal = folder.path("out/retarget-run.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let mut lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // Others are worse by how many times they are over what is good.
    lines[1]["report"]["skate_cm_s"]["value"] = 100.0.into();
    lines[3]["report"]["snap_deg"]["value"] = 2.6.into();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&journal, text).expect("written");
    let text = folder.run(&["report", "out"]).done().stdout;
    assert!(text.contains("clips in which a limb snaps: 1\n"), "{text}");
    let json = folder.run(&["report", "out", "--json"]).done().json();
    assert_eq!(json["snapped"], 1);
    assert_eq!(json["worst"][0]["clip"], lines[3]["output"]);
    assert_eq!(json["worst"][1]["clip"], lines[1]["output"]);
}

#[test]
fn csv_has_a_line_for_each_clip() {
    let folder = folder();
    put(&folder, "lib/a, \"b\".bvh", crate::body::clip(1.0).as_bytes());
    put(&folder, "lib/bad.bvh", b"");
    run(&folder, &[]);
    let text = folder.run(&["report", "out", "--csv"]).done().stdout;
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let head = table.headers().expect("a head").clone();
    let at = |name: &str| head.iter().position(|h| h == name).unwrap_or_else(|| panic!("{name}"));
    let rows: Vec<csv::StringRecord> = table.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 9);
    assert_eq!(&rows[0][at("output")], "a, \"b\".bvh");
    for row in &rows {
        let done = &row[at("status")] == "done";
        assert_eq!(done, row[at("reason")].is_empty());
        for number in NUMBERS {
            assert_eq!(row[at(number.name)].parse::<f64>().is_ok(), done);
            assert_eq!(row[at(&format!("{}.frame", number.name))].parse::<u64>().is_ok(), done);
        }
    }
}

#[test]
fn a_limit_that_is_exceeded_ends_with_3() {
    let folder = folder();
    put(&folder, "lib/bad.bvh", b"");
    run(&folder, &[]);
    let limits =
        ["--limit", "jump_ratio=1000", "--limit", "failed=1", "--limit", "jump_ratio.p50=999"];
    folder.run(&[&["report", "out"], &limits[..]].concat()).done();
    for (limit, says) in [
        ("failed=0", "exceeded: failed=0: 1 in 1 clips, at worst bad.bvh"),
        ("jump_ratio=0.001", "exceeded: jump_ratio=0.001: "),
        ("jump_ratio.p5=0.001", "exceeded: jump_ratio.p5=0.001: "),
    ] {
        let reported = folder.run(&["report", "out", "--limit", limit]);
        assert_eq!(reported.code, Some(3), "{reported:#?}");
        assert!(reported.stderr.starts_with(says), "{reported:#?}");
        let reported = folder.run(&["report", "out", "--json", "--limit", limit]);
        assert_eq!(reported.code, Some(3), "{reported:#?}");
        assert_eq!(reported.json()["exceeded"][0]["limit"], limit);
    }
}

#[test]
fn two_runs_are_compared_clip_by_clip() {
    let folder = folder();
    put(&folder, "lib/bad.bvh", b"");
    run(&folder, &[]);
    fs::rename(folder.path("out"), folder.path("first")).expect("moved");
    let same = |args: &[&str]| folder.run(&[&["report", "first", "out"], args].concat()).done();
    put(&folder, "lib/bad.bvh", crate::body::clip(1.0).as_bytes());
    put(&folder, "lib/new.bvh", crate::body::clip(1.0).as_bytes());
    let first = fs::read(folder.path("lib/a.bvh")).expect("a clip");
    fs::remove_file(folder.path("lib/a.bvh")).expect("removed");
    run(&folder, &["--decimals", "3"]).done();
    let json = same(&["--json"]).json();
    assert_eq!(json["only_first"], serde_json::json!(["a.bvh"]));
    assert_eq!(json["only_second"], serde_json::json!(["new.bvh"]));
    assert_eq!(json["repaired"], serde_json::json!(["bad.bvh"]));
    assert_eq!((&json["both"], &json["same"]), (&6.into(), &0.into()));
    assert!(same(&[]).stdout.contains("1 clip failed in the first alone"), "{json:#}");
    fs::remove_dir_all(folder.path("out")).expect("removed");
    put(&folder, "lib/a.bvh", &first);
    run(&folder, &[]).done();
    let json = same(&["--json"]).json();
    assert_eq!((&json["both"], &json["same"]), (&7.into(), &7.into()));
    assert_eq!((&json["worse"], &json["better"]), (&serde_json::json!([]), &serde_json::json!([])));
}

#[test]
fn a_folder_without_a_journal_is_told() {
    let folder = folder();
    folder.run(&["report", "lib"]).failed(1, "lib holds no journal");
    folder.run(&["report", "hero.bvh"]).failed(1, "hero.bvh is no journal; name the folder");
    folder.run(&["report", "lost"]).failed(1, "cannot read the journal lost: ");
}

#[test]
fn a_page_shows_the_worst_clips_and_says_what_is_gone() {
    let folder = folder();
    put(&folder, "lib/bad.bvh", b"");
    run(&folder, &[]);
    let first = folder.run(&["report", "out", "--html", "page.html"]).done();
    assert!(first.stdout.contains("8 clips: 7 done, 1 failed"), "{first:#?}");
    let page = folder.text("page.html");
    assert!(
        page.contains("8 clips: 7 done, 1 failed") && page.contains("empty, such as")
            || page.contains("<td>empty")
    );
    for number in NUMBERS {
        assert!(page.contains(&format!(">{}<", number.name)), "{}", number.name);
    }
    assert!(!page.contains("http:") && !page.contains("https:"), "asks for nothing");
    let json = folder.run(&["report", "out", "--json"]).done().json();
    let worst = json["worst"].as_array().expect("a list");
    let links: Vec<&str> = page.split("href=\"page-views/").skip(1).collect();
    assert_eq!(links.len(), worst.len());
    for (link, worst) in links.iter().zip(worst) {
        let (file, rest) = link.split_once('"').expect("an end");
        assert!(rest.starts_with(&format!(">{}<", worst["clip"].as_str().expect("a name"))));
        let view = folder.text(&format!("page-views/{}", file.replace("%20", " ")));
        assert!(view.contains("<canvas") && view.ends_with("</html>\n"));
    }
    assert_eq!(page.matches("data:image/svg+xml").count(), worst.len());

    // The sources may have gone since.
    fs::rename(folder.path("lib"), folder.path("moved")).expect("renamed");
    folder.run(&["report", "out", "--html", "page.html"]).done();
    let page = folder.text("page.html");
    assert_eq!(page.matches("It cannot be shown: cannot read").count(), worst.len());
    assert!(!page.contains("href=\"page-views/"));
    folder.run(&["report", "out", "out", "--html", "page.html"]).failed(2, "--html");
}
