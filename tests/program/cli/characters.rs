//! Characters on the command line: their own file with animations more.

use crate::common::characters_dir;
use crate::glb::{self, Writing};
use crate::harness::{Folder, Run, project};
use retarget::internals::convert;
use serde_json::Value;

/// A folder with the walk, the hero as a character, and the hero's own clips.
fn folder(writing: &Writing) -> Folder {
    let folder = Folder::new();
    let rig =
        convert::LoadedRig::load(project().join("samples/skeletons/hero.toml")).expect("a sample");
    let name = if writing.text { "hero.gltf" } else { "hero.glb" };
    folder.put(name, glb::glb(&rig.rig, writing));
    folder
}

fn names(file: &[u8]) -> Vec<String> {
    let (json, _) = glb::unpacked(file);
    let animations = json["animations"].as_array().cloned().unwrap_or_default();
    animations.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_clip_goes_onto_a_character_and_the_file_is_given_back() {
    let folder = folder(&Writing::default());
    let before = std::fs::read(folder.path("hero.glb")).expect("read");
    let run = folder.run(&["walk.bvh", "--to", "hero.glb"]).done();
    assert!(run.stdout.starts_with("walk.hero.glb: "), "{run:?}");
    let after = std::fs::read(folder.path("walk.hero.glb")).expect("written");
    assert_eq!(names(&after), ["walk"]);
    assert_eq!(std::fs::read(folder.path("hero.glb")).expect("read"), before);
    // Onto the result again: the name is taken, unless another one is given or it may go.
    let args = ["walk.bvh", "--to", "walk.hero.glb", "-o", "two.glb"];
    folder.run(&args).failed(1, "there is an animation \"walk\" already");
    folder.run(&[&args[..], &["--name", "stroll"]].concat()).done();
    assert_eq!(names(&std::fs::read(folder.path("two.glb")).expect("written")), ["walk", "stroll"]);
    folder.run(&[&args[..], &["--replace"]].concat()).done();
    assert_eq!(names(&std::fs::read(folder.path("two.glb")).expect("written")), ["walk"]);
    let own = ["walk.bvh", "--to", "hero.glb", "-o", "hero.glb"];
    folder.run(&own).failed(1, "an input is never overwritten");
    let other = ["walk.bvh", "--to", "hero.glb", "-o", "walk.gltf"];
    folder
        .run(&other)
        .failed(1, "name a result that ends in .glb, .vrm, .vrma, .bvh, .npz or .npy");
    // Its skeleton alone.
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "walk2.bvh"]).done();
    assert!(folder.text("walk2.bvh").contains("Armature"));
}

#[test]
fn of_a_file_with_several_animations_one_is_named() {
    let folder = folder(&Writing::default());
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "one.glb", "--name", "first one"]).done();
    folder.run(&["walk.bvh", "--to", "one.glb", "-o", "two.glb", "--name", "second"]).done();
    let args = ["two.glb", "--to", "hero.bvh", "-o", "out.bvh"];
    folder
        .run(&args)
        .failed(1, "it holds 2 animations; say which one is meant, of \"first one\", \"second\"");
    folder.run(&[&args[..], &["--clip", "third"]].concat()).failed(1, "no animation \"third\"");
    folder.run(&[&args[..], &["--clip", "second"]].concat()).done();
    // Their results do not replace each other.
    for (clip, result) in
        [("first one", "two.first one.hero.bvh"), ("second", "two.second.hero.bvh")]
    {
        let run = folder.run(&["two.glb", "--to", "hero.bvh", "--clip", clip]).done();
        assert!(run.stdout.starts_with(&format!("{result}: ")), "{run:?}");
    }
    // One alone needs no name.
    folder.run(&["one.glb", "--to", "hero.bvh", "-o", "same.bvh"]).done();
    assert_eq!(folder.text("out.bvh"), folder.text("same.bvh"));
    folder.run(&["walk.bvh", "--clip", "walk", "--to", "hero.bvh"]).failed(1, "leave the name out");
    let inspected = folder.run(&["inspect", "two.glb"]).done();
    assert!(inspected.stdout.contains("first one"), "{}", inspected.stdout);
    folder
        .run(&["check", "walk.bvh", "two.glb", "--result-clip", "second", "--to", "hero.glb"])
        .done();
    folder
        .run(&["sheet", "walk.bvh", "two.glb", "--clip", "second", "-o", "s.svg"])
        .done_with_notes();
}

#[test]
fn of_a_result_with_several_animations_the_one_named_as_its_source_is_meant() {
    let folder = folder(&Writing::default());
    std::fs::create_dir_all(folder.path("takes/slow")).expect("a folder");
    std::fs::copy(folder.path("walk.bvh"), folder.path("takes/slow/walk.bvh")).expect("copied");
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "1.glb", "--name", "first"]).done();
    let target = ["--to", "hero.glb"];
    let check = |source: &'static str, result: &'static str| {
        [&["check", source, result], &target[..]].concat()
    };
    let unsaid = |run: Run| run.failed(1, "it holds 2 animations; say which one is meant");
    // A single animation may be called anything.
    let of_one = folder.run(&check("walk.bvh", "1.glb")).done();
    folder.run(&["walk.bvh", "--to", "1.glb", "-o", "2.glb", "--name", "second"]).done();
    unsaid(folder.run(&check("walk.bvh", "2.glb")));
    folder.run(&["walk.bvh", "--to", "1.glb", "-o", "walked.glb"]).done();
    let of_many = folder.run(&check("walk.bvh", "walked.glb")).done_with_notes();
    let note = "of its 2 animations \"walk\" is meant, named as the source is";
    assert!(of_many.stderr.contains(note), "{of_many:?}");
    assert_eq!(of_many.stdout, of_one.stdout.replace("1.glb", "walked.glb"));
    for command in ["view", "sheet"] {
        let run = folder.run(&[&[command, "walk.bvh", "walked.glb"], &target[..]].concat());
        let run = run.done_with_notes();
        assert!(run.stderr.contains(note), "{run:?}");
    }
    // What a library's clip is called tells of its folder.
    folder.run(&["takes", "--to", "walked.glb", "-o", "all.glb"]).done();
    let of_all = folder.run(&check("takes/slow/walk.bvh", "all.glb")).done_with_notes();
    let note = "of its 3 animations \"slow/walk\" is meant, named as the source is";
    assert!(of_all.stderr.contains(note), "{of_all:?}");
}

#[test]
fn many_clips_go_into_one_file_and_a_broken_one_costs_itself_alone() {
    let folder = folder(&Writing { strange: true, ..Writing::default() });
    std::fs::create_dir_all(folder.path("takes/more")).expect("a folder");
    for name in ["takes/a.bvh", "takes/more/b.bvh"] {
        std::fs::copy(folder.path("walk.bvh"), folder.path(name)).expect("copied");
    }
    let args = ["takes", "--to", "hero.glb", "-o", "all.glb"];
    let run = folder.run(&args).done();
    assert!(run.stdout.contains("hero.glb with 2 animations more"), "{run:?}");
    let all = std::fs::read(folder.path("all.glb")).expect("written");
    assert_eq!(names(&all), ["a", "more/b"]);
    // The same as one after the other.
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "1.glb", "--name", "a"]).done();
    folder.run(&["walk.bvh", "--to", "1.glb", "-o", "2.glb", "--name", "more/b"]).done();
    let one_by_one = ["--clip", "more/b", "--to", "hero.bvh"];
    folder.run(&[&["all.glb", "-o", "x.bvh"][..], &one_by_one].concat()).done();
    folder.run(&[&["2.glb", "-o", "y.bvh"][..], &one_by_one].concat()).done();
    assert_eq!(folder.text("x.bvh"), folder.text("y.bvh"));
    folder.put("takes/broken.bvh", "HIERARCHY\nROOT");
    let run = folder.run(&args);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("failed: takes/broken.bvh"), "{run:?}");
    assert_eq!(names(&std::fs::read(folder.path("all.glb")).expect("written")), ["a", "more/b"]);
    let json = folder.run(&[&args[..], &["--json"]].concat()).json();
    assert_eq!(json["failed"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["animations"][1]["name"], Value::from("more/b"));
}

#[test]
fn limits_and_failures_end_many_clips_into_one_file_as_they_end_one() {
    let folder = folder(&Writing::default());
    std::fs::create_dir_all(folder.path("takes")).expect("a folder");
    for name in ["takes/a.bvh", "takes/b.bvh"] {
        std::fs::copy(folder.path("walk.bvh"), folder.path(name)).expect("copied");
    }
    let args = ["takes", "--to", "hero.glb", "-o", "all.glb"];
    let run = |more: &[&str]| folder.run(&[&args[..], more].concat());
    run(&["--limit", "limb_direction_deg=90"]).done();
    let exceeded = run(&["--limit", "limb_direction_deg=0.000001"]);
    assert_eq!(exceeded.code, Some(3), "{exceeded:?}");
    assert!(exceeded.stderr.contains("in 2 clips, at worst"), "{exceeded:?}");
    let all = std::fs::read(folder.path("all.glb")).expect("written all the same");
    run(&["--threads", "1"]).done();
    assert_eq!(std::fs::read(folder.path("all.glb")).expect("written"), all);
    run(&["--jobs", "2"]).failed(2, "--threads instead of --jobs");
    // A clip that fails ends the run where that is asked for.
    folder.put("takes/ab.bvh", "HIERARCHY");
    let json = run(&["--fail-fast", "--json"]).json();
    assert_eq!((&json["animations"][1], &json["left"]), (&Value::Null, &Value::from(1)));
    assert_eq!(run(&["--json"]).json()["left"], 0);
    // What the user says of the source is wrong in the user's file.
    std::fs::remove_file(folder.path("takes/ab.bvh")).expect("removed");
    folder.put("from.toml", "[roles]\nhips = \"Nobody\"\n");
    let wrong = run(&["--from", "from.toml"]);
    assert!(wrong.stderr.contains("failed: from.toml"), "{wrong:?}");
}

#[test]
fn many_clips_into_one_file_travel_where_each_would() {
    let folder = folder(&Writing::default());
    std::fs::copy(folder.path("walk.bvh"), folder.path("b.bvh")).expect("copied");
    let to = ["--to", "hero.glb", "--root-motion", "auto", "-o"];
    folder.run(&[&["walk.bvh", "b.bvh"][..], &to, &["all.glb"]].concat()).done();
    folder.run(&[&["walk.bvh"][..], &to, &["plain.glb"]].concat()).done();
    let back = |from: &str, to: &str| {
        folder.run(&[from, "--clip", "walk", "--to", "hero.glb", "-o", to]).done();
        folder.text(to)
    };
    assert_eq!(back("all.glb", "all.bvh"), back("plain.glb", "plain.bvh"));
    let error = ["walk.bvh", "b.bvh", "--to", "hero.glb", "--root-motion", "Nobody", "-o", "x.glb"];
    folder.run(&error).failed(1, "no joint \"Nobody\" above its hips");
}

#[test]
fn a_library_becomes_one_file_a_clip_in_the_format_that_is_asked_for() {
    let folder = folder(&Writing::default());
    std::fs::create_dir_all(folder.path("takes/more")).expect("a folder");
    for name in ["takes/a.bvh", "takes/more/b.bvh"] {
        std::fs::copy(folder.path("walk.bvh"), folder.path(name)).expect("copied");
    }
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "takes/c.glb"]).done();
    // The target itself is no clip, wherever it lies.
    std::fs::rename(folder.path("hero.glb"), folder.path("takes/hero.glb")).expect("moved");
    let args = ["takes", "--to", "takes/hero.glb", "-o", "out", "--format", "glb"];
    let run = folder.run(&args).done();
    assert!(run.stdout.contains("3 clips, 3 done"), "{run:?}");
    for name in ["a", "more/b", "c"] {
        let ending = if name == "c" { "glb" } else { "bvh" };
        let [clip, made] = [format!("takes/{name}.{ending}"), format!("out/{name}.glb")];
        folder.run(&[&clip, "--to", "takes/hero.glb", "-o", "one.glb"]).done();
        let [one, made] = ["one.glb", &made].map(|it| std::fs::read(folder.path(it)).expect(it));
        assert!(one == made, "{name}");
    }
    let again = folder.run(&[&args[..], &["--resume"]].concat()).done();
    assert!(again.stdout.contains("3 as an earlier run left them"), "{again:?}");
    folder.run(&["report", "out", "--html", "page.html"]).done();
    assert!(!folder.text("page.html").contains("cannot be shown"));
    // Without a format all are BVH.
    folder.run(&["takes", "--to", "takes/hero.glb", "-o", "plain"]).done();
    assert!(folder.text("plain/c.bvh").starts_with("HIERARCHY"));
    let refused = ["takes", "--to", "takes/hero.glb", "-o", "out", "--format", "fbx"];
    folder.run(&refused).failed(1, "name a result that ends in .glb, .vrm, ");
    folder.run(&[&args[..], &["--name", "x"]].concat()).failed(2, "--name is for one clip");
    let clips = folder.run(&["takes", "--to", "hero.bvh", "-o", "vrma", "--format", "vrma"]);
    assert!(clips.stderr.contains("takes/hero.glb: it holds no animation"), "{clips:?}");
    assert!(folder.path("vrma/more/b.vrma").exists());
}

#[test]
fn travel_goes_where_an_engine_wants_it() {
    let folder = folder(&Writing::default());
    let args = ["walk.bvh", "--to", "hero.glb", "--root-motion"];
    folder.run(&[&args[..], &["auto", "-o", "auto.glb"]].concat()).done();
    folder.run(&[&args[..], &["Armature", "-o", "named.glb"]].concat()).done();
    let [auto, named] =
        ["auto.glb", "named.glb"].map(|name| std::fs::read(folder.path(name)).expect("written"));
    assert_eq!(auto, named);
    let error = folder.run(&[&args[..], &["Nobody", "-o", "none.glb"]].concat());
    error.failed(1, "no joint \"Nobody\" above its hips");
    // A rig without such a bone keeps it, and that is said.
    let bvh = folder.run(&["walk.bvh", "--to", "hero.bvh", "--root-motion", "auto"]);
    assert_eq!(bvh.code, Some(0), "{bvh:?}");
    assert!(bvh.stderr.contains("the travel stays on them"), "{bvh:?}");
}

#[test]
fn a_clip_for_vrm_is_written_of_any_target() {
    let folder = folder(&Writing::default());
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "walk.vrma"]).done();
    let (json, _) = glb::unpacked(&std::fs::read(folder.path("walk.vrma")).expect("written"));
    assert_eq!(json["extensionsUsed"][0], "VRMC_vrm_animation");
    let bones = &json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"];
    assert_eq!(bones["hips"]["node"], 0);
    folder.run(&["walk.vrma", "--to", "hero.bvh", "-o", "back.bvh"]).done();
}

/// The commands in the blocks of a document's section.
fn commands(document: &str, section: &str) -> Vec<String> {
    let text = std::fs::read_to_string(project().join(document)).expect("readable");
    let (_, section) = text.split_once(section).expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|line| line.starts_with("retarget "));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_recipe_works() {
    let Some(dir) = characters_dir() else { return };
    let folder = folder(&Writing::default());
    std::fs::create_dir_all(folder.path("takes")).expect("a folder");
    std::fs::copy(folder.path("walk.bvh"), folder.path("takes/walk.bvh")).expect("copied");
    for (name, file) in
        [("avatar.vrm", "vrm/godette_vrm0.vrm"), ("character.fbx", "fbx/maya_character.fbx")]
    {
        std::fs::copy(dir.join(file), folder.path(name)).expect("copied");
    }
    let mixamo = ["walk.bvh", "--to", "character.fbx", "--name", "mixamo.com", "-o", "mixamo.fbx"];
    folder.run(&mixamo).done();
    let recipes = commands("docs/CHARACTERS.md", "## Recipes");
    assert_eq!(recipes.len(), 8);
    for recipe in recipes {
        let args: Vec<&str> = recipe.split_whitespace().skip(1).collect();
        folder.run(&args).done();
        let output = args.iter().position(|arg| *arg == "-o").expect("a result") + 1;
        assert!(folder.path(args[output]).exists(), "{recipe}");
    }
}
