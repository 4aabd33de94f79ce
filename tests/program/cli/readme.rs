//! README.md and the pages of docs/ say what the program does, and nothing else.

use crate::harness::{Folder, Run, project};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The pages that tell what the command line does, after the README.
const GUIDE: [&str; 7] = ["GUIDE", "RETARGET", "CHECK", "RIGS", "FORMATS", "RECIPES", "LIMITS"];

/// The README, and after it the guide, page by page.
fn readme() -> String {
    let pages = GUIDE.iter().map(|page| format!("docs/{page}.md"));
    let names = std::iter::once("README.md".to_owned()).chain(pages);
    names.map(|name| read(&name)).collect::<Vec<_>>().join("\n")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(project().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The contents of all code blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let text = readme();
    let start = format!("```{language}\n");
    text.split(&start).skip(1).map(|b| b.split("```").next().expect("a block").to_owned()).collect()
}

/// What stands in backticks, code blocks aside.
fn quoted(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect();
    prose.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names of the words that begin with `--` in a text.
fn flags(text: &str) -> BTreeSet<String> {
    let word = |part: &str| {
        let name = |c: &char| c.is_ascii_lowercase() || *c == '-';
        part.chars().take_while(name).collect::<String>()
    };
    let mut found: BTreeSet<String> = text.split("--").skip(1).map(word).collect();
    found.retain(|flag| flag.starts_with(|c: char| c.is_ascii_lowercase()));
    found
}

#[test]
fn its_first_two_commands_are_to_try_and_to_test() {
    let blocks = blocks("sh");
    let first = "cargo run -- samples/walk.bvh --to samples/skeletons/hero.toml\n";
    assert_eq!(blocks[0], first);
    assert_eq!(blocks[1], "cargo test --release\n");
}

#[test]
fn the_first_command_writes_what_is_said() {
    let folder = Folder::new();
    let samples = project().join("samples").display().to_string();
    let first = blocks("sh")[0].replace("samples", &samples);
    let args: Vec<&str> = first.split_whitespace().skip_while(|a| *a != "--").skip(1).collect();
    folder.run(&args).done();
    assert!(readme().contains("writes `walk.hero.bvh`"));
    assert!(folder.text("walk.hero.bvh").starts_with("HIERARCHY\n"));
}

/// Runs the lines as a shell does, one after the other in a folder with the files that they name.
#[cfg(unix)]
#[test]
fn every_line_of_use_works() {
    let bin = Path::new(env!("CARGO_BIN_EXE_retarget")).parent().expect("a folder");
    let blocks = blocks("sh");
    let lines: Vec<&str> = blocks[2].lines().collect();
    assert_eq!(lines.len(), 10);
    let folder = Folder::new();
    folder.run(&["skeleton", "hero.bvh", "-o", "hero.toml"]).done();
    std::fs::create_dir(folder.path("takes")).expect("a folder");
    folder.put("takes/walk.bvh", folder.text("walk.bvh"));
    for line in lines {
        let path = std::env::join_paths(
            std::iter::once(bin.to_owned())
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        let output = std::process::Command::new("sh")
            .args(["-c", line])
            .env("PATH", path.expect("a path"))
            .current_dir(folder.path("."))
            .output()
            .expect("sh");
        assert!(output.status.success(), "{line}: {output:?}");
    }
}

#[test]
fn every_line_of_its_recipes_works_in_their_order() {
    let folder = Folder::new();
    let samples = project().join("samples").display().to_string();
    let recipes = read("docs/RECIPES.md");
    let blocks = recipes.split("```sh\n").skip(1);
    let lines: Vec<&str> =
        blocks.flat_map(|block| block.split("```").next().expect("an end").lines()).collect();
    assert_eq!(lines.len(), 11);
    for line in lines {
        let line = line.replace("samples/", &format!("{samples}/"));
        let args: Vec<&str> = line.split(' ').skip(1).collect();
        folder.run(&args).done();
    }
}

#[test]
fn every_option_and_default_is_the_programs() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).done().stdout;
    let mut rows = BTreeMap::new();
    for row in readme().lines().filter(|row| row.starts_with("| `-")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [names, _, default] = cells[..] else { panic!("{row}") };
        let long = flags(names).pop_first().expect("a long name");
        for short in quoted(names).iter().filter(|name| name.len() == 2) {
            assert!(help.contains(&format!("{short}, --{long}")), "{short} is not --{long}");
        }
        rows.insert(long, default.trim_matches('`').to_owned());
    }
    let mut of_help: BTreeSet<String> = flags(&help);
    for flag in ["help", "version"] {
        assert!(of_help.remove(flag));
    }
    assert_eq!(rows.keys().cloned().collect::<BTreeSet<_>>(), of_help);

    // Where help states a default, it is the one of the README.
    let mut stated = 0;
    for (flag, default) in &rows {
        let (_, section) = help.split_once(&format!("--{flag} ")).unwrap_or((&help, ""));
        let section = section.split("\n  -").next().expect("a section");
        let section = section.split("\n      --").next().expect("a section");
        let Some((_, reported)) = section.split_once("[default: ") else { continue };
        let reported = reported.split(']').next().expect("a bracket");
        let reported = reported.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(default.replace('`', ""), reported.replace('`', ""), "--{flag}");
        stated += 1;
    }
    assert_eq!(stated, 10, "{help}");
}

#[test]
fn every_flag_in_its_prose_exists() {
    let folder = Folder::new();
    let help = |args: &[&str]| flags(&folder.run(args).done().stdout);
    let mut known = help(&["--help"]);
    known.extend(
        ["inspect", "skeleton", "check", "explain", "report", "sheet", "view", "blender"]
            .iter()
            .flat_map(|command| help(&[command, "--help"])),
    );
    let text = readme();
    let own: BTreeSet<String> =
        quoted(&text).iter().filter(|q| !q.starts_with("cargo")).flat_map(|q| flags(q)).collect();
    assert!(own.is_subset(&known), "{own:?}");
    assert!(own.len() >= 8, "{own:?}");
}

#[test]
fn the_exit_codes_are_those_of_help() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).done().stdout;
    let rows: Vec<String> = readme()
        .lines()
        .filter_map(|row| row.strip_prefix("| `")?.strip_suffix(" |").map(str::to_owned))
        .filter(|row| row.starts_with(|c: char| c.is_ascii_digit()))
        .map(|row| row.replace("` | ", " "))
        .collect();
    assert_eq!(rows.len(), 5);
    assert!(help.contains(&format!("Exit codes: {}.", rows.join(", "))), "{rows:?}");
}

/// The keys that are listed in the sentence that begins with this.
fn keys_after(start: &str) -> BTreeSet<String> {
    let text = readme();
    let (_, list) = text.split_once(start).unwrap_or_else(|| panic!("no {start:?}"));
    quoted(list.split('.').next().expect("a sentence")).into_iter().collect()
}

#[track_caller]
fn keys_of(run: Run) -> BTreeSet<String> {
    run.json().as_object().expect("an object").keys().cloned().collect()
}

#[test]
fn the_keys_of_json_are_those_listed() {
    let folder = Folder::new();
    let run = folder.run(&["walk.bvh", "--to", "hero.bvh", "--json"]).done();
    assert_eq!(keys_of(run), keys_after("\n`--json` has the keys "));
    let run = folder.run(&["walk.bvh", "--to", "hero.bvh", "--jobs", "1", "-o", "out", "--json"]);
    assert_eq!(keys_of(run.done()), keys_after("over machines. `--json` has the keys "));
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "done.bvh"]).done();
    let run = folder.run(&["check", "walk.bvh", "done.bvh", "--to", "hero.bvh", "--json"]).done();
    assert_eq!(keys_of(run), keys_after("makes a gate of it. `--json` has\nthe keys "));
    let explain = ["explain", "walk.bvh", "--to", "hero.bvh", "--frame", "3", "--json"];
    let run = folder.run(&explain).done();
    assert_eq!(keys_of(run), keys_after("which joints a limit holds back. `--json` has the keys "));
    let run = folder.run(&["inspect", "walk.bvh", "--json"]).done();
    assert_eq!(keys_of(run), keys_after("repaired in the file. `--json` has the keys "));
}

#[test]
fn every_skeleton_toml_in_it_is_taken() {
    let samples = project().join("samples");
    let blocks = blocks("toml");
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let folder = Folder::new();
        for clip in ["skeletons/hero.bvh", "animals/dog_trot.bvh"] {
            let name = clip.rsplit('/').next().expect("a name");
            folder.put(name, std::fs::read(samples.join(clip)).expect("a sample"));
        }
        let clip = if block.contains("dog_trot") { "dog_trot.bvh" } else { "walk.bvh" };
        // A source is told of by the same keys, all but the file.
        let reported = block.split_once('\n').expect("a first line with the file").1;
        let from: &[&str] = if clip == "walk.bvh" { &[] } else { &["--from", "from.toml"] };
        folder.put("from.toml", reported);
        folder.put("rig.toml", block);
        folder.run(&[&[clip, "--to", "rig.toml"], from].concat()).done();
    }
}

#[test]
fn the_metrics_are_all_explained_with_what_is_good() {
    let text = std::fs::read_to_string(project().join("docs/METRICS.md")).expect("a document");
    for number in &retarget::internals::report::NUMBERS {
        let row = format!("| `{}` | ≤ {} |", number.name, number.threshold);
        assert!(text.contains(&row), "{row}");
    }
}

/// The pages for people: those at the top, and all below docs/.
fn pages() -> Vec<String> {
    let below = |folder: &str| {
        let entries = std::fs::read_dir(project().join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let is_page = |name: &String| name.ends_with(".md");
        names.filter(is_page).map(|name| format!("{folder}{name}")).collect::<Vec<_>>()
    };
    let mut pages = ["", "docs/", "docs/results/"].map(below).concat();
    pages.sort();
    pages
}

/// What a page links to, without what is on the web: path and heading.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let links = text.split("](").skip(1).map(|link| link.split(')').next().expect("a link"));
    let own = links.filter(|link| !link.starts_with("http"));
    own.map(|link| match link.split_once('#') {
        Some((path, heading)) => (path.to_owned(), Some(heading.to_owned())),
        None => (link.to_owned(), None),
    })
    .collect()
}

#[test]
fn every_path_and_heading_in_them_exists() {
    let pages = pages();
    assert_eq!(pages.len(), 26, "{pages:?}");
    let mut seen = 0;
    for name in &pages {
        let text = read(name);
        let folder = Path::new(name).parent().expect("a folder");
        for (path, heading) in links(&text) {
            let to = if path.is_empty() { Path::new(name).to_owned() } else { folder.join(&path) };
            assert!(project().join(&to).exists(), "{name}: {path}");
            seen += 1;
            let Some(heading) = heading else { continue };
            let text = read(to.to_str().expect("UTF-8"));
            let headings = text.lines().filter(|line| line.starts_with('#'));
            let anchor = |line: &str| {
                let line = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
                line.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
            };
            let anchors: Vec<String> = headings.map(anchor).collect();
            assert!(anchors.contains(&heading), "{name}: {path}#{heading}");
        }
        for sample in quoted(&text).iter().filter(|quoted| quoted.starts_with("samples/")) {
            assert!(project().join(sample).exists(), "{name}: {sample}");
        }
    }
    assert!(seen >= 80, "{seen} links");
}

#[test]
fn the_guide_leads_to_every_page_of_its_folder() {
    let guide = links(&read("docs/GUIDE.md"));
    let guide: BTreeSet<&str> = guide.iter().map(|(path, _)| path.as_str()).collect();
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs/")) {
        let elsewhere =
            page.contains('/') || ["GUIDE.md", "ARCHITECTURE.md", "DECISIONS.md"].contains(&page);
        assert!(elsewhere || guide.contains(page), "docs/GUIDE.md lacks {page}");
    }
}
