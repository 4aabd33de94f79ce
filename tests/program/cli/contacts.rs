//! `--contacts` and `--use-contacts`.

use crate::harness::{Folder, project};

/// A folder with a sample as `clip.bvh`.
fn with_sample(name: &str) -> Folder {
    let folder = Folder::new();
    let clip = std::fs::read(project().join("samples").join(name)).expect("a sample");
    folder.put("clip.bvh", clip);
    folder
}

/// Retargets `clip.bvh` with these arguments too, and returns the result.
fn result(folder: &Folder, args: &[&str]) -> String {
    let base = ["clip.bvh", "--to", "hero.bvh", "-o", "out.bvh", "-q"];
    folder.run(&[&base[..], args].concat()).done();
    folder.text("out.bvh")
}

/// Retargets `clip.bvh` with this side file, in vain.
#[track_caller]
fn refused(folder: &Folder, text: &str, says: &str) {
    folder.put("bad.toml", text);
    let args = ["clip.bvh", "--to", "hero.bvh", "-o", "none.bvh", "--use-contacts", "bad.toml"];
    folder.run(&args).failed(1, says);
    assert!(!folder.path("none.bvh").exists());
}

#[test]
fn written_and_read_back_they_give_the_same_bytes() {
    for name in ["walk.bvh", "crouch.bvh", "z_up_style/stairs.bvh", "cmu_style/run.bvh"] {
        let folder = with_sample(name);
        let wanted = result(&folder, &["--contacts", "found.toml"]);
        assert!(folder.text("found.toml").contains("[feet.right]\nheel = [\n    { frames = ["));
        for again in ["again.toml", "again.json"] {
            let read_back = ["--use-contacts", "found.toml", "--contacts", again];
            assert!(result(&folder, &read_back) == wanted, "{name}");
        }
        assert_eq!(folder.text("again.toml"), folder.text("found.toml"), "{name}");
        let read_back = ["--use-contacts", "again.json", "--contacts", "last.toml"];
        assert!(result(&folder, &read_back) == wanted, "{name}");
        assert_eq!(folder.text("last.toml"), folder.text("found.toml"), "{name}");
    }
}

#[test]
fn an_animals_legs_have_them_too() {
    let folder = Folder::new();
    for name in ["spider_walk.bvh", "spider.toml", "tarantula.toml"] {
        let sample = project().join("samples/animals").join(name);
        folder.put(name, std::fs::read(sample).expect("a sample"));
    }
    let run = |args: &[&str]| {
        let base = ["spider_walk.bvh", "--from", "spider.toml", "--to", "tarantula.toml", "-q"];
        folder.run(&[&base[..], &["-o", "out.bvh"], args].concat()).done();
        folder.text("out.bvh")
    };
    let wanted = run(&["--contacts", "found.toml"]);
    assert!(run(&["--use-contacts", "found.toml"]) == wanted);
    let found = folder.text("found.toml");
    assert!(!found.contains("heel ="));
    let (leg, _) = found.split_once("[feet.").expect("a leg").1.split_once(']').expect("its end");
    folder.put("bad.toml", format!("[feet.{leg}]\nheel = []\n"));
    let bad = ["spider_walk.bvh", "--from", "spider.toml", "--to", "tarantula.toml"];
    let says =
        format!("line 2: {leg} stands on one point alone; write its contact intervals as `ball`");
    folder.run(&[&bad[..], &["--use-contacts", "bad.toml"]].concat()).failed(1, &says);
}

/// What is left out is found; what is written stands as written, and nothing else does.
#[test]
fn a_list_takes_the_place_of_what_was_found_for_its_part_alone() {
    let folder = with_sample("walk.bvh");
    let found = result(&folder, &["--contacts", "found.toml"]);
    folder.put("edit.toml", "[feet.left]\nball = [{ frames = [10, 30] }]\nheel = []\n");
    let edited = result(&folder, &["--use-contacts", "edit.toml", "--contacts", "used.toml"]);
    assert!(edited != found);
    let (before, after) = (folder.text("found.toml"), folder.text("used.toml"));
    let right = |text: &str| text.split_once("[feet.right]").expect("a right foot").1.to_owned();
    assert_eq!(right(&after), right(&before));
    let left = "[feet.left]\nheel = []\nball = [\n    { frames = [10, 30] }, # 0.17 to 0.50 s\n]\n";
    assert!(after.contains(left), "{after}");

    // The source's foot moves on in those frames, and the result's stands.
    let sheet = folder.run(&["inspect", "out.bvh", "--json"]).done().json();
    let stays = sheet["contacts"].as_array().expect("a list").clone();
    let held = |c: &serde_json::Value| {
        let s = |key: &str| c[key].as_f64().expect("seconds");
        c["side"] == "left" && c["part"] == "ball" && s("start_s") <= 0.25 && s("end_s") >= 0.42
    };
    assert!(stays.iter().any(held), "{stays:?}");
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_line() {
    let folder = with_sample("walk.bvh");
    let of = |stays: &str| format!("[feet.left]\n\nball = [\n{stays}\n]\n");
    let stay = |text: &str| of(&format!("    {{ {text} }},"));
    refused(&folder, "[feet.left]\nbal = []", "bad.toml: line 2: unknown key `bal`");
    refused(
        &folder,
        "[feet.lefd]\nball = []",
        "line 1: no foot is called \"lefd\"; did you mean \"left\"",
    );
    refused(
        &folder,
        "frames = 7",
        "line 1: these are contacts of a clip with 7 frames, and this one has",
    );
    refused(&folder, &stay("frames = [3, 90000]"), "line 4: frame 90000 is not in the clip");
    refused(&folder, &stay("frames = [9, 3]"), "line 4: the frames 9 to 3 run backwards");
    refused(
        &folder,
        &stay("frames = [-1, 3]"),
        "line 4: expected a whole number from 0 on, found the number `-1`",
    );
    let two = of("    { frames = [20, 30] },\n    { frames = [3, 20] },");
    refused(
        &folder,
        &two,
        "line 4: it begins in frame 20, while the contact interval before it lasts to frame 20",
    );
    let far = stay("frames = [3, 9], floor_height = 500.0");
    refused(&folder, &far, "line 4: a floor at 500 is too far from the foot");
    refused(
        &folder,
        &stay("frames = [3, 9], floor_height = nan"),
        "line 4: a height must be a finite number",
    );
    refused(&folder, "floor_height = inf", "line 1: a height must be a finite number");
    refused(&folder, "floor_height = 1e9", "line 1: a ground at 1000000000 is too far from");
    refused(&folder, "[feet\n", "bad.toml: line 1: ");
}

#[test]
fn json_is_refused_with_its_line_too() {
    let folder = with_sample("walk.bvh");
    let refused = |text: &str, says: &str| {
        folder.put("bad.json", text);
        let args = ["clip.bvh", "--to", "hero.bvh", "-o", "none.bvh", "--use-contacts", "bad.json"];
        folder.run(&args).failed(1, says);
    };
    refused("{\n\"frames\": }", "bad.json: line 2: expected value");
    refused("frames = 3", "bad.json: line 1: expected ident");
    refused("{\n\"frames\": 7}", "line 2: these are contacts of a clip with 7 frames");
    refused("{\n\n\"feat\": {}}", "line 3: unknown key `feat`");
    let of = |stay: &str| format!("{{\"hands\": {{\n\"left\": [\n{{ {stay} }}] }} }}");
    refused(&of("\"frames\": [9, 3]"), "line 3: the frames 9 to 3 run backwards");
    refused(&of("\"frames\": [1, 3], \"slow\": [0, 4]"), "line 3: unknown key `slow`");
    refused(&of("\"frames\": [3, 90000]"), "line 3: frame 90000 is not in the clip");
}

/// Check measures where the feet stand by the file, not by what would be found.
#[test]
fn check_takes_them() {
    let folder = with_sample("walk.bvh");
    folder.put("none.json", "{\"feet\": {\"left\": {\"heel\": [], \"ball\": []},\n \"right\": {\"heel\": [], \"ball\": []}}}");
    result(&folder, &["--use-contacts", "none.json"]);
    let floats = |args: &[&str]| {
        let base = ["check", "clip.bvh", "out.bvh", "--to", "hero.bvh", "--json"];
        let reported = folder.run(&[&base[..], args].concat()).done().json();
        reported["copy"]["float_cm"]["worst"].as_f64().expect("a number")
    };
    assert!(floats(&[]) > 0.0);
    assert_eq!(floats(&["--use-contacts", "none.json"]), 0.0);
}

#[test]
fn they_are_of_one_clip_and_no_input_is_overwritten() {
    let folder = with_sample("walk.bvh");
    result(&folder, &["--contacts", "found.toml"]);
    let found = folder.text("found.toml");
    std::fs::create_dir(folder.path("takes")).expect("a folder");
    folder.put("takes/walk.bvh", folder.text("walk.bvh"));
    let library = ["takes", "--to", "hero.bvh", "-o", "out", "--use-contacts", "found.toml"];
    folder.run(&library).failed(2, "--contacts and --use-contacts are about one clip");
    let over =
        ["clip.bvh", "--to", "hero.bvh", "--use-contacts", "found.toml", "--report", "found.toml"];
    folder.run(&over).failed(1, "found.toml is also an input");
    assert_eq!(folder.text("found.toml"), found);
    let text = ["clip.bvh", "--to", "hero.bvh", "--contacts", "found.txt"];
    folder.run(&text).failed(2, "expected a file that ends in .toml or .json");
}

#[test]
fn contacts_as_json_say_their_clip_its_rate_and_half_open_frames() {
    let folder = Folder::new();
    let walk = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/walk.bvh");
    for name in ["found.toml", "found.json"] {
        folder.run(&[walk, "--to", "hero.bvh", "-o", "out.bvh", "--contacts", name]).done();
    }
    let json: serde_json::Value = serde_json::from_str(&folder.text("found.json")).expect("JSON");
    let toml: toml::Value = toml::from_str(&folder.text("found.toml")).expect("TOML");
    assert_eq!(json["clip"], walk);
    let inspected = folder.run(&["inspect", walk, "--json"]).done().json();
    let fps = inspected["fps"].as_f64().expect("a rate");
    assert!((json["fps"].as_f64().expect("a rate") - fps).abs() < 1e-9, "{json:#}");
    assert_eq!(json["half_open"], true);
    let mut compared = 0;
    for side in ["left", "right"] {
        let (open, closed) = (&json["feet"][side]["ball"], &toml["feet"][side]["ball"]);
        let pairs = open.as_array().expect("a list").iter().zip(closed.as_array().expect("a list"));
        for (open, closed) in pairs {
            assert_eq!(open["frames"][0].as_i64(), closed["frames"][0].as_integer());
            let end = closed["frames"][1].as_integer().map(|last| last + 1);
            assert_eq!(open["frames"][1].as_i64(), end);
            compared += 1;
        }
    }
    assert!(compared > 2, "{compared} intervals");
}
