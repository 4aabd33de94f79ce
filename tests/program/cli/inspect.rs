//! `retarget inspect`.

use crate::harness::Folder;

/// Two joints that nobody takes for a body, as a clip of one frame.
pub const POLE: &str = "HIERARCHY\nROOT Base\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
    JOINT Tip\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n\
    MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n";

#[test]
fn it_shows_what_a_person_asks_of_a_clip() {
    let folder = Folder::new();
    let run = folder.run(&["inspect", "walk.bvh"]).done();
    assert_eq!(run.line("walk.bvh"), "walk.bvh: 18 joints, 40 frames at 30 fps, 1.33 s");
    assert_eq!(run.line("up"), "up        y, faces +z in the first frame");
    assert_eq!(run.line("stance"), "stance    zero pose");
    assert_eq!(run.line("legs"), "legs      90 long, probably centimetres");
    assert!(run.line("floor").starts_with("floor     0, 0 % of a leg"), "{run:#?}");
    let tree = run.line("      LeftLeg");
    assert!(tree.contains("= left_shin (") && tree.contains(" %, "), "{tree}");
    assert_eq!(run.line("  left ball"), "  left ball   0.00 to 1.33");
}

/// The hierarchy of the clip's body, whose forearms end in an End Site.
fn without_hands() -> String {
    let hierarchy = crate::body::hierarchy(1.0);
    let mut lines: Vec<&str> = hierarchy.lines().collect();
    for hand in ["JOINT LeftHand", "JOINT RightHand"] {
        let at = lines.iter().position(|line| line.trim() == hand).expect("a hand");
        // Its name, brace, offset and channels, and the brace behind its End Site.
        lines.remove(at + 8);
        lines.drain(at..at + 4);
    }
    lines.join("\n")
}

#[test]
fn arms_that_end_at_their_forearms_are_told() {
    let folder = Folder::new();
    folder.put("few.bvh", without_hands());
    let sentence = "no joint is its hand: as a target's, hands are neither planted nor kept over";
    let told = |args: &[&str]| folder.run(args).done().stdout.contains(sentence);
    assert!(told(&["inspect", "few.bvh"]) && !told(&["inspect", "walk.bvh"]));
    assert!(told(&["walk.bvh", "--to", "few.bvh"]) && !told(&["walk.bvh", "--to", "hero.bvh"]));
    let json = folder.run(&["inspect", "few.bvh", "--json"]).done().json();
    assert_eq!(json["lacks_hands"], true);
    let json = folder.run(&["walk.bvh", "--to", "few.bvh", "--json"]).done().json();
    assert_eq!(json["target"]["lacks_hands"], true);
    assert_eq!(json["source"]["lacks_hands"], false);
}

#[test]
fn its_json_has_the_same() {
    let folder = Folder::new();
    let json = folder.run(&["inspect", "walk.bvh", "--json"]).done().json();
    assert_eq!(json["frames"], 40);
    assert_eq!(json["up"], "y");
    assert_eq!(json["faces"], "+z");
    assert_eq!(json["stance"], "rest");
    assert_eq!(json["unit"], "centimetre");
    assert_eq!(json["problem"], serde_json::Value::Null);
    assert_eq!(json["joints"].as_array().expect("a list").len(), 18);
    assert_eq!(json["joints"][1]["name"], "Spine");
    assert_eq!(json["joints"][1]["parent"], 0);
    assert_eq!(json["joints"][1]["role"], "spine.1");
    assert_eq!(json["contacts"].as_array().expect("a list").len(), 6);
    assert_eq!(json["contacts"][0]["side"], "left");
    assert_eq!(json["contacts"][0]["part"], "heel");
}

#[test]
fn units_are_told_by_the_legs() {
    let folder = Folder::new();
    let factor = |by: f64| {
        let text = crate::body::clip(1.0);
        let scaled = |line: &str| {
            let Some(rest) = line.strip_prefix("OFFSET ") else { return line.to_owned() };
            let numbers = rest.split(' ').map(|x| x.parse::<f64>().expect("a number") * by);
            let numbers: Vec<String> = numbers.map(|x| x.to_string()).collect();
            format!("OFFSET {}", numbers.join(" "))
        };
        text.lines().map(scaled).collect::<Vec<_>>().join("\n")
    };
    for (by, unit) in [(0.01, "metres"), (1.0 / 2.54, "inches"), (10.0, "millimetres")] {
        folder.put("clip.bvh", factor(by));
        let run = folder.run(&["inspect", "clip.bvh"]);
        assert!(run.line("legs").ends_with(&format!("probably {unit}")), "{run:#?}");
    }
}

#[test]
fn a_file_that_is_no_body_is_shown_and_refused() {
    let folder = Folder::new();
    folder.put("pole.bvh", POLE);
    let run = folder.run(&["inspect", "pole.bvh"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert_eq!(run.stdout, "pole.bvh: 2 joints, 1 frame at 10 fps, 0.1 s\n");
    assert!(run.stderr.contains("speaks for a leg") && run.stderr.contains("Tip"), "{run:#?}");

    let run = folder.run(&["inspect", "pole.bvh", "--json"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    let json = run.json();
    assert_eq!(json["joints"][1]["name"], "Tip");
    assert_eq!(json["joints"][1]["role"], serde_json::Value::Null);
    assert!(json["problem"].as_str().expect("a text").contains("speaks for a leg"));
}

#[test]
fn a_skeleton_without_motion_and_a_toml_are_shown_too() {
    let folder = Folder::new();
    folder.put("bare.bvh", crate::body::hierarchy(1.0));
    folder.put("hero.toml", "bvh = \"hero.bvh\"\n[roles]\nhead = \"Head\"\n");
    let bare = folder.run(&["inspect", "bare.bvh"]).done();
    assert_eq!(bare.line("bare.bvh"), "bare.bvh: 18 joints, no motion");
    assert!(bare.line("up").ends_with("faces +z in the stance"), "{bare:#?}");
    let toml = folder.run(&["inspect", "hero.toml"]).done();
    assert!(toml.stdout.contains("Head  = head (100 %, written)"), "{toml:#?}");
}

#[test]
fn what_is_assumed_of_a_stance_is_told_with_the_way_out() {
    let folder = Folder::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/lafan_style/walk.bvh");
    let sample = std::fs::read_to_string(sample).expect("a sample");
    let (hierarchy, _) = sample.split_once("MOTION").expect("motion");
    folder.put("along_x.bvh", hierarchy);
    let run = folder.run(&["inspect", "along_x.bvh"]).done();
    assert!(run.line("stance").contains("built from the bones"), "{run:#?}");
    let assumed = run.line("assumed");
    assert!(
        assumed.contains("directions of spine") && assumed.contains("; rolls of "),
        "{assumed}"
    );
    assert!(run.stdout.contains("[reference] in skeleton.toml"), "{run:#?}");
    let json = folder.run(&["inspect", "along_x.bvh", "--json"]).done().json();
    let rolls = json["assumed"]["rolls"].as_array().expect("a list");
    assert!(rolls.iter().any(|role| role == "left_forearm"), "{rolls:?}");
    let shown = folder.run(&["inspect", "walk.bvh", "--json"]).done().json();
    assert_eq!(shown["assumed"], serde_json::json!({ "directions": [], "rolls": [] }));
    let shown = folder.run(&["inspect", "walk.bvh"]).done();
    assert!(!shown.stdout.contains("\nassumed"), "{shown:#?}");
}

#[test]
fn a_file_called_inspect_is_still_a_file() {
    let folder = Folder::new();
    folder.put("inspect", crate::body::clip(1.0));
    folder.run(&["./inspect", "--to", "hero.bvh"]).done();
    assert!(folder.names().contains(&"inspect.hero.bvh".to_owned()));
    folder.run(&["inspect", "inspect"]).done();
}

/// The attribute of the first element of that class that the text follows, as a number.
fn leads_to(svg: &str, joint: &str) -> [f64; 2] {
    let at = svg.find(&format!(">{joint}</text>")).unwrap_or_else(|| panic!("no {joint}: {svg}"));
    // The line to the joint stands right before its name.
    let (_, points) = svg[..at].rsplit_once("points=\"").expect("a line");
    let end = points.split(['"', ' ']).filter(|p| p.contains(',')).nth(2).expect("three points");
    let (x, y) = end.split_once(',').expect("a point");
    [x, y].map(|number| number.parse().expect("a number"))
}

#[test]
fn a_drawing_shows_each_joint_with_its_part_where_it_is() {
    let folder = Folder::new();
    folder.run(&["inspect", "walk.bvh", "--draw", "stance.svg"]).done();
    let svg = folder.text("stance.svg");
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n")
    );
    for part in ["hips", "spine.1", "head", "left_shin", "right_hand"] {
        assert!(svg.contains(&format!(">{part}</text>")), "no {part}: {svg}");
    }
    // Seen from the front the body's left is on the right, and knees are under the hips.
    let [left, right] = ["LeftLeg", "RightLeg"].map(|joint| leads_to(&svg, joint));
    let thigh = leads_to(&svg, "LeftUpLeg");
    assert!(left[0] > right[0] + 10.0, "{left:?} {right:?}");
    assert!(left[1] > thigh[1] + 50.0, "{left:?} {thigh:?}");
    assert!(svg.contains("prefers-color-scheme: dark"));
}

#[test]
fn a_drawing_of_what_is_not_recognised_shows_the_guess() {
    let folder = Folder::new();
    let legless = folder.text("walk.bvh").replace("LeftLeg", "A<&>B").replace("LeftFoot", "Qrs");
    folder.put("odd.bvh", legless);
    folder.run(&["inspect", "odd.bvh", "--draw", "odd.svg"]);
    let svg = folder.text("odd.svg");
    assert!(svg.contains("A&lt;&amp;&gt;B") && !svg.contains("A<&>B"), "{svg}");
}

#[test]
fn a_drawing_may_be_a_png() {
    let folder = Folder::new();
    folder.run(&["inspect", "walk.bvh", "--draw", "stance.png"]).done();
    let bytes = std::fs::read(folder.path("stance.png")).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n"), "{:?}", &bytes[..8]);
}

#[test]
fn joints_without_names_are_told_and_an_animals_legs_are_asked_for() {
    let folder = Folder::new();
    folder.put("pole.bvh", POLE.replace("JOINT Tip", "JOINT "));
    let run = folder.run(&["inspect", "pole.bvh", "--draw", "pole.svg"]);
    assert!(run.stderr.contains("\n   \"\"\n"), "{run:#?}");
    assert!(run.stderr.contains("each as [legs.NAME] with joints"), "{run:#?}");
    assert!(folder.text("pole.svg").contains("(no name)"));
}

#[test]
fn a_creature_is_drawn_with_the_names_of_its_legs_and_a_legless_one_is_measured_by_its_chain() {
    let folder = Folder::new();
    let animals = crate::harness::project().join("samples/animals");
    let inspect = |clip: &str, rig: &str| {
        let [clip, rig] = [clip, rig].map(|name| animals.join(name).display().to_string());
        folder.run(&["inspect", &clip, "--from", &rig, "--draw", "stance.svg"]).done()
    };
    let snake = inspect("snake_crawl.bvh", "snake.toml");
    assert!(snake.line("chain").starts_with("chain     120 long"), "{snake:#?}");
    let dog = inspect("dog_trot.bvh", "dog.toml");
    assert!(dog.line("legs").starts_with("legs      56.5 long"), "{dog:#?}");
    let svg = folder.text("stance.svg");
    assert!(svg.contains(">front_left.1</text>") && svg.contains(">hips</text>"), "{svg}");
    assert!(!svg.contains("limbs straightened"), "{svg}");
}

#[test]
fn a_drawing_is_a_picture_and_no_input() {
    let folder = Folder::new();
    folder.run(&["inspect", "walk.bvh", "--draw", "walk.bvh"]).failed(2, "ends in .png or .svg");
    std::fs::rename(folder.path("walk.bvh"), folder.path("walk.svg")).expect("renamed");
    folder.run(&["inspect", "walk.svg", "--draw", "walk.svg"]).failed(1, "never overwritten");
}

#[test]
fn what_is_said_of_a_rig_is_heeded() {
    let folder = Folder::new();
    folder.put("say.toml", "[roles]\nignore = [\"Head\"]\n");
    let run = folder.run(&["inspect", "walk.bvh", "--from", "say.toml"]).done();
    assert!(!run.stdout.contains("= head"), "{run:#?}");
    folder.put("wrong.toml", "[roles]\nhead = \"Haed\"\n");
    let run = folder.run(&["inspect", "walk.bvh", "--from", "wrong.toml"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stderr.contains("wrong.toml: line 2: `roles.head`"), "{run:#?}");
    folder.put("hero.toml", "bvh = \"hero.bvh\"\n");
    folder.run(&["inspect", "hero.toml", "--from", "say.toml"]).failed(2, "speaks for itself");
}
