//! Which module may import which, and what pure modules may not name: read from the source itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module may import those before it, never those after it.
const ORDER: [&str; 25] = [
    "blocks",
    "math",
    "skeleton",
    "pose",
    "clip",
    "bvh",
    "rig",
    "positions",
    "edit",
    "arrays",
    "scene",
    "formats",
    "ik",
    "contact",
    "binding",
    "transfer",
    "plant",
    "report",
    "settings",
    "live",
    "error",
    "convert",
    "batch",
    "cli",
    "main",
];

/// These touch no file, clock, thread or stream; `convert` and what comes after it may. `blocks` shares work
/// over threads by a crate of its own, which shows in no result.
const PURE: &[&str] = ORDER.split_at(21).0;

/// What a pure module must not name below `std`, and nowhere at all.
const IMPURE: [&str; 6] = ["env", "fs", "net", "os", "process", "thread"];
const IMPURE_WORDS: [&str; 7] =
    ["Instant", "SystemTime", "println!", "eprintln!", "print!", "eprint!", "dbg!"];

/// Crates that only these modules know.
const OWNED: [(&str, &[&str]); 21] = [
    ("anstream", &["cli"]),
    ("base64", &["cli", "formats"]),
    ("blake3", &["batch"]),
    ("bvh_anim", &["bvh"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("csv", &["cli"]),
    ("ctrlc", &["cli"]),
    ("flate2", &["arrays", "convert"]),
    ("glob", &["batch"]),
    ("indicatif", &["cli"]),
    ("pathdiff", &["cli"]),
    ("rawzip", &["arrays"]),
    ("rayon_core", &["blocks"]),
    ("serde_json", &["batch", "cli", "contact", "formats"]),
    ("tempfile", &["cli", "convert"]),
    ("tiny_skia", &["cli"]),
    ("ufbx", &["formats"]),
    ("walkdir", &["batch"]),
    ("zrip", &["convert"]),
];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// One source file.
struct File {
    path: PathBuf,
    /// The module under `src` that it belongs to.
    module: String,
    /// How many modules deep it lies: 1 for `src/clip.rs`, 2 for `src/bvh/read.rs`.
    depth: usize,
    /// Its code without comments and without its tests.
    code: String,
}

/// All files under `src` but `lib.rs`, which only lists the modules.
fn files() -> Vec<File> {
    let mut paths = Vec::new();
    collect(&project().join("src"), &mut paths);
    let file = |path: PathBuf| {
        let relative = path.strip_prefix(project().join("src")).expect("inside").to_owned();
        let mut parts: Vec<String> =
            relative.iter().map(|part| part.to_str().expect("UTF-8").to_owned()).collect();
        let last = parts.pop().expect("a name");
        if last != "mod.rs" {
            parts.push(last.trim_end_matches(".rs").to_owned());
        }
        let text = fs::read_to_string(&path).expect("readable");
        File { path: relative, module: parts[0].clone(), depth: parts.len(), code: code(&text) }
    };
    paths.into_iter().map(file).filter(|file| file.module != "lib").collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => collect(&path, paths),
            false if path.extension().is_some_and(|e| e == "rs") => paths.push(path),
            false => {}
        }
    }
    paths.sort();
}

/// A file's text without comments and without the tests at its end.
fn code(text: &str) -> String {
    let shipped = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let uncommented = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    shipped.lines().map(uncommented).collect::<Vec<_>>().join("\n")
}

/// What the code names directly below `root`: `b` and `c` in `root::b` and `root::{b::x, c}`.
fn named_below(code: &str, root: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let start = format!("{root}::");
    for (at, _) in code.match_indices(&start) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + start.len()..];
        match rest.strip_prefix('{') {
            None => found.insert(word(rest)),
            Some(group) => {
                found.extend(top_level(group).into_iter().map(word));
                true
            }
        };
    }
    found
}

fn word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The items of a group of imports, up to its closing brace.
fn top_level(group: &str) -> Vec<&str> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[start..i]);
                return items;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    items
}

/// The modules that a file imports, by whatever path.
fn imports(file: &File) -> BTreeSet<String> {
    let to_the_top = vec!["super"; file.depth].join("::");
    let roots = ["crate", "retarget", &to_the_top];
    let named = roots.iter().flat_map(|root| named_below(&file.code, root));
    named.filter(|name| ORDER.contains(&name.as_str()) && *name != file.module).collect()
}

fn rank(module: &str) -> usize {
    let rank = ORDER.iter().position(|m| *m == module);
    rank.unwrap_or_else(|| panic!("{module:?} has no place in the order of the modules"))
}

#[test]
fn no_module_imports_one_to_its_right() {
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files() {
        let imported = imports(&file);
        for other in &imported {
            assert!(
                rank(other) < rank(&file.module),
                "{} imports {other}, which comes after {}",
                file.path.display(),
                file.module
            );
        }
        seen.entry(file.module).or_default().extend(imported);
    }
    assert_eq!(seen.len(), ORDER.len(), "modules under src: {seen:?}");
    // A scan that finds nothing would pass as well: these are there for certain.
    for (module, wanted) in [("cli", "convert"), ("convert", "plant"), ("plant", "contact")] {
        assert!(seen[module].contains(wanted), "{module} imports {:?}", seen[module]);
    }
    let edges: usize = seen.values().map(BTreeSet::len).sum();
    assert!(edges > 40, "{edges} imports between modules: {seen:?}");
}

#[test]
fn inverse_kinematics_stands_on_three_modules_alone() {
    let alone = ["ik", "math", "pose", "skeleton"];
    let mut seen = 0;
    for file in files().iter().filter(|file| alone.contains(&file.module.as_str())) {
        // Smoothing over a clip is left out with the clips.
        if file.path.ends_with("math/curve.rs") {
            continue;
        }
        seen += 1;
        let others: Vec<String> =
            imports(file).into_iter().filter(|name| !alone.contains(&name.as_str())).collect();
        assert!(others.is_empty(), "{} imports {others:?}", file.path.display());
    }
    assert!(seen > 30, "{seen} files");
}

#[test]
fn pure_modules_name_no_file_clock_thread_or_stream() {
    let files = files();
    let pure = files.iter().filter(|file| PURE.contains(&file.module.as_str()));
    let mut seen = BTreeSet::new();
    for file in pure {
        seen.insert(&file.module);
        let path = file.path.display();
        for name in named_below(&file.code, "std") {
            assert!(!IMPURE.contains(&name.as_str()), "{path} names std::{name}");
        }
        for word in IMPURE_WORDS {
            assert!(!file.code.contains(word), "{path} names {word}");
        }
    }
    assert_eq!(seen.len(), PURE.len(), "pure modules: {seen:?}");
}

#[test]
fn crates_of_the_edges_stay_at_the_edges() {
    let files = files();
    for (owned, owners) in OWNED {
        let users: BTreeSet<&str> = files
            .iter()
            .filter(|file| !named_below(&file.code, owned).is_empty())
            .map(|file| file.module.as_str())
            .collect();
        assert_eq!(users, owners.iter().copied().collect(), "who uses {owned}");
    }
}

/// Who takes the library without its default features compiles nothing that only the program needs.
#[test]
fn crates_of_the_program_alone_are_of_its_feature() {
    let text = fs::read_to_string(project().join("Cargo.toml")).expect("readable");
    let manifest: toml::Table = text.parse().expect("TOML");
    let of_cli: BTreeSet<String> = manifest["features"]["cli"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|item| item.as_str().expect("a name").strip_prefix("dep:"))
        .map(|name| name.replace('-', "_"))
        .collect();
    let of_the_program = OWNED.iter().filter(|(_, owners)| *owners == ["cli"]);
    assert_eq!(of_cli, of_the_program.map(|(name, _)| (*name).to_owned()).collect());
    let readme = fs::read_to_string(project().join("docs/GUIDE.md")).expect("readable");
    for feature in manifest["features"].as_table().expect("a table").keys() {
        let row = format!("| `{feature}` |");
        assert!(feature == "default" || readme.contains(&row), "docs/GUIDE.md lacks {row}");
    }
}

/// Otherwise the crates that both are made of would be compiled a second time for the Python package, with other options.
#[test]
fn the_python_package_is_built_with_the_profile_of_the_program() {
    let table = |path: &str| -> toml::Table {
        fs::read_to_string(project().join(path)).expect("readable").parse().expect("TOML")
    };
    let lock = table("python/Cargo.lock");
    let crates = lock["package"].as_array().expect("a list").iter();
    let crates: BTreeSet<&str> = crates.map(|of| of["name"].as_str().expect("a name")).collect();
    let profile = |manifest: &str| {
        let mut profile = table(manifest)["profile"]["release"].clone();
        let packages = profile["package"].as_table_mut().expect("a table");
        packages.retain(|name, _| name == "*" || crates.contains(name));
        // A member of one workspace and not of the other, so that `*` means it in one alone.
        packages.remove("retarget-mocap");
        profile
    };
    assert!(crates.len() > 100, "{crates:?}");
    assert_eq!(profile("python/Cargo.toml"), profile("Cargo.toml"));
}

/// Degrees live in texts that people write and read; everything between is radians.
#[test]
fn degrees_stay_at_the_edges() {
    let mut users = BTreeSet::new();
    for file in files() {
        if file.code.contains("to_degrees") || file.code.contains("to_radians") {
            let module = file.path.with_extension("").display().to_string().replace('\\', "/");
            let edges = ["bvh/", "cli/", "formats/fbx/", "rig/file/", "report/", "rig/standing"];
            assert!(edges.iter().any(|edge| module.starts_with(edge)), "{module} knows degrees");
            users.insert(file.module);
        }
    }
    assert!(users.contains("bvh"), "nobody knows degrees: {users:?}");
}

#[test]
fn the_library_lists_every_module_and_forbids_unsafe_code() {
    let lib = fs::read_to_string(project().join("src/lib.rs")).expect("readable");
    let listed: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let mut wanted: Vec<&str> = ORDER[..ORDER.len() - 1].to_vec();
    // What stands by itself comes first, the stages under `internals` after it.
    wanted.sort_by_key(|&module| (module != "cli", module != "ik", module));
    assert_eq!(listed, wanted);
    assert!(lib.contains("#![forbid(unsafe_code)]"));
    let main = fs::read_to_string(project().join("src/main.rs")).expect("readable");
    assert!(main.contains("#![forbid(unsafe_code)]"));
}

#[test]
fn the_architecture_document_names_every_module_and_what_it_names_exists() {
    let text = fs::read_to_string(project().join("docs/ARCHITECTURE.md")).expect("readable");
    for module in ORDER {
        assert!(text.contains(&format!("`{module}`")), "docs/ARCHITECTURE.md lacks `{module}`");
    }
    let order = ORDER.join(" < ");
    assert!(text.contains(&order), "docs/ARCHITECTURE.md has another order than {order}");
    let (mut paths, mut tests) = (0, 0);
    for page in ["docs/ARCHITECTURE.md", "docs/DECISIONS.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(project().join(page)).expect("readable");
        let prose: String = text.split("```").step_by(2).collect();
        for quoted in prose.split('`').skip(1).step_by(2) {
            let folders = [
                "src/",
                "tests/",
                "docs/",
                "samples/",
                "examples/",
                "benches/",
                "python/",
                "fuzz/",
            ];
            if !folders.iter().any(|folder| quoted.starts_with(folder)) {
                continue;
            }
            // `tests/program/cli/errors.rs::a_test` names a test in a file.
            let (path, test) =
                quoted.split_once("::").map_or((quoted, None), |(p, t)| (p, Some(t)));
            assert!(project().join(path).exists(), "{page} names {path}");
            paths += 1;
            if let Some(test) = test {
                let source = fs::read_to_string(project().join(path)).expect("readable");
                assert!(source.contains(&format!("fn {test}(")), "{path} has no test {test}");
                tests += 1;
            }
        }
    }
    assert!(paths > 100 && tests >= 17, "{paths} paths and {tests} tests");
}

/// What docs/ARCHITECTURE.md promises to who looks for a file.
#[test]
fn every_source_file_begins_with_what_it_is_for() {
    let mut paths = Vec::new();
    collect(&project().join("src"), &mut paths);
    for path in &paths {
        let text = fs::read_to_string(path).expect("readable");
        assert!(text.starts_with("//! "), "{} does not say what it is for", path.display());
    }
    assert!(paths.len() > 250, "{} files", paths.len());
}
