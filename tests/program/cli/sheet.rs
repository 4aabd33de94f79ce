//! `retarget sheet`.

use crate::glb::{self, Writing};
use crate::harness::{Folder, project};
use retarget::internals::convert;

/// The elements of a drawing whose class begins with this.
fn of_class<'a>(svg: &'a str, class: &str) -> Vec<&'a str> {
    let start = format!("class=\"{class}");
    svg.lines().filter(|line| line.contains(&start)).collect()
}

/// A number of an element.
fn attribute(element: &str, name: &str) -> f64 {
    let (_, rest) =
        element.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{element}"));
    rest.split('"').next().expect("a quote").parse().expect("a number")
}

/// The mean of a line's ends.
fn middle(line: &str) -> [f64; 2] {
    ["x", "y"].map(|axis| {
        let end = |n: u8| attribute(line, &format!("{axis}{n}"));
        0.5 * (end(1) + end(2))
    })
}

fn mean(lines: &[&str], axis: usize) -> f64 {
    lines.iter().map(|line| middle(line)[axis]).sum::<f64>() / lines.len() as f64
}

#[test]
fn each_file_has_a_row_under_its_name() {
    let folder = Folder::new();
    let run = folder.run(&["sheet", "walk.bvh", "hero.bvh", "-o", "sheet.svg"]).done_with_notes();
    assert_eq!(run.stdout, "");
    let svg = folder.text("sheet.svg");
    let heads = of_class(&svg, "head");
    assert_eq!(heads.len(), 2);
    assert!(heads[0].contains("walk.bvh") && heads[1].contains("hero.bvh"), "{heads:?}");
    let first = &svg[..svg.find(heads[1]).expect("its own text")];
    // Ten poses of thigh, shin and foot from two sides; a foot that points at the reader is no line.
    let lines = of_class(first, "limb left-leg").len() - 1;
    assert!(lines >= 40 && lines.is_multiple_of(10), "{lines}");
    assert!(svg.contains(">1.30 s<"), "the last frame's time");
}

/// A body stands upright and faces the reader, whatever its file's axes and whichever way it walks.
#[test]
fn from_the_front_its_left_is_on_the_right() {
    let folder = Folder::new();
    for sample in ["walk.bvh", "z_up_style/walk.bvh", "cmu_style/walk.bvh", "turn.bvh"] {
        let path = project().join("samples").join(sample).display().to_string();
        folder.run(&["sheet", &path, "-o", "sheet.svg"]).done_with_notes();
        let svg = folder.text("sheet.svg");
        // All poses from the left, then all from the front.
        let front = |class: &str| {
            let lines = of_class(&svg, class);
            let lines: Vec<&str> = lines.into_iter().skip(1).collect();
            lines[lines.len() / 2..].to_vec()
        };
        let left = [front("limb left-leg"), front("limb left-arm")];
        let right = [front("limb right-leg"), front("limb right-arm")];
        for (left, right) in left.iter().zip(&right) {
            assert!(mean(left, 0) > mean(right, 0) + 5.0, "{sample}");
        }
        assert!(mean(&left[0], 1) > mean(&left[1], 1) + 20.0, "{sample}: arms are over legs");
    }
}

#[test]
fn its_bars_are_the_contacts_of_inspect() {
    let folder = Folder::new();
    for sample in ["samples/walk.bvh", "samples/stairs.bvh"] {
        let path = project().join(sample).display().to_string();
        folder.run(&["sheet", &path, "-o", "sheet.svg"]).done_with_notes();
        let json = folder.run(&["inspect", &path, "--json"]).done().json();
        let contacts = json["contacts"].as_array().expect("a list");
        let svg = folder.text("sheet.svg");
        for side in ["left", "right"] {
            let own: Vec<f64> = contacts
                .iter()
                .filter(|c| c["side"] == side)
                .map(|c| c["end_s"].as_f64().expect("s") - c["start_s"].as_f64().expect("s"))
                .collect();
            let bars = of_class(&svg, &format!("contact {side}-leg"));
            assert_eq!(bars.len(), own.len(), "{sample} {side}");
            // A bar is as long as its contact.
            let frames = json["frames"].as_f64().expect("frames");
            let widths: Vec<f64> =
                bars.iter().map(|bar| attribute(bar, "x2") - attribute(bar, "x1")).collect();
            let frame_s = json["duration_s"].as_f64().expect("s") / frames;
            for (a, b) in (1..own.len()).map(|i| (i - 1, i)) {
                let lengths = (own[a] - frame_s) / (own[b] - frame_s);
                assert!((widths[a] / widths[b] / lengths - 1.0).abs() < 0.02, "{sample} {side}");
            }
        }
    }
}

#[test]
fn a_sheet_is_a_png_or_an_svg_and_no_input() {
    let folder = Folder::new();
    folder.run(&["sheet", "walk.bvh"]).done_with_notes();
    let png = std::fs::read(folder.path("sheet.png")).expect("written");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(u32::from_be_bytes(png[16..20].try_into().expect("four bytes")), 3200);
    folder.run(&["sheet", "walk.bvh", "-o", "walk.bvh"]).failed(2, "ends in .png or .svg");
    std::fs::rename(folder.path("walk.bvh"), folder.path("walk.svg")).expect("renamed");
    folder.run(&["sheet", "walk.svg", "-o", "walk.svg"]).failed(1, "never overwritten");
    folder.run(&["sheet", "none.bvh"]).failed(1, "cannot read none.bvh");
}

#[test]
fn what_is_not_recognised_is_drawn_and_said_to_be_so() {
    let folder = Folder::new();
    folder.put("odd.bvh", crate::cli::inspect::POLE);
    folder.put("bare.bvh", crate::body::hierarchy(1.0));
    folder.run(&["sheet", "odd.bvh", "bare.bvh", "-o", "sheet.svg"]).done();
    let svg = folder.text("sheet.svg");
    assert!(svg.contains("not recognised, drawn as it is") && svg.contains(">no motion<"));
    // From two sides, and the line of the legend.
    assert_eq!(of_class(&svg, "limb none").len(), 3);
    assert!(!svg.contains("NaN"));
}

#[test]
fn named_legs_have_the_colour_of_their_side() {
    let folder = Folder::new();
    let [rig, clip] =
        ["dog.toml", "dog_trot.bvh"].map(|f| project().join("samples/animals").join(f));
    let (rig, clip) = (rig.display().to_string(), clip.display().to_string());
    folder.run(&["sheet", &clip, "--from", &rig, "-o", "sheet.svg"]).done();
    let svg = folder.text("sheet.svg");
    let legs = ["left-leg", "right-leg"].map(|leg| of_class(&svg, &format!("limb {leg}")).len());
    assert!(legs[0] > 100 && legs[0] == legs[1], "{legs:?}");
}

/// The result of bones as glTF has a mesh that is skinned to them: it stands over its floor where the bones do.
#[test]
fn a_character_is_drawn_in_its_own_mesh_at_each_moment() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "result.glb"]).done();
    folder.run(&["sheet", "walk.bvh", "result.glb", "--to", "hero.bvh", "-o", "sheet.svg"]).done();
    let svg = folder.text("sheet.svg");
    let pictures = of_class(&svg, "picture");
    assert_eq!(pictures.len(), 10, "of the result alone");
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
    let (_, row) = svg.split_once("result.glb").expect("a row");
    let times = of_class(row, "key");
    let times: Vec<f64> =
        times.iter().filter(|it| it.contains(" s<")).map(|it| attribute(it, "x")).collect();
    assert_eq!(times.len(), 10);
    for (picture, time) in pictures.iter().zip(times) {
        let middle = attribute(picture, "x") + 0.5 * attribute(picture, "width");
        assert!((middle - time).abs() < 0.2, "{middle} {time}");
        let (_, data) = picture.split_once("base64,").expect("data");
        // Nothing at all packs to some hundred bytes.
        assert!(data.len() > 800, "{} characters", data.len());
    }
}

/// What is misread once must not be hidden by being misread again: a result is drawn by the rig that made it.
#[test]
fn a_result_is_read_as_the_target_that_is_named_says_and_not_anew() {
    let folder = Folder::new();
    let target = ["LeftArm", "LeftForeArm", "LeftHand"].map(|joint| format!("{joint:?}"));
    let target = format!("bvh = \"hero.bvh\"\n[roles]\nignore = [{}]\n", target.join(", "));
    folder.put("armless.toml", target);
    folder.run(&["walk.bvh", "--to", "armless.toml", "-o", "out.bvh"]).done();
    let arms = |args: &[&str]| {
        folder.run(&[&["sheet", "out.bvh", "-o", "sheet.svg"], args].concat()).done_with_notes();
        of_class(&folder.text("sheet.svg"), "limb left-arm").len()
    };
    let (anew, named) = (arms(&[]), arms(&["--to", "armless.toml"]));
    assert!(anew > named + 10, "{anew} and {named} lines");
}

/// Of a result alone or beside its source nothing says the target: its rig is recognised anew, and a note says so.
#[test]
fn a_result_whose_target_nothing_says_is_asked_for_it() {
    let folder = Folder::new();
    folder.put("tall.bvh", crate::body::clip(1.3).replace("LeftHand", "LeftPalm"));
    folder.run(&["walk.bvh", "--to", "tall.bvh"]).done();
    for files in [&["walk.tall.bvh"][..], &["walk.bvh", "walk.tall.bvh"]] {
        let args = [&["sheet", "-o", "sheet.svg"], files].concat();
        let asks = format!("retarget sheet -o sheet.svg {} --to TARGET", files.join(" "));
        let run = folder.run(&args).done_with_notes();
        assert!(run.stderr.contains(&asks) && run.stderr.lines().count() == 1, "{run:#?}");
        folder.run(&[&args[..], &["--to", "tall.bvh"]].concat()).done();
    }
    // Whatever it is called; what is said of its rig is no guess.
    std::fs::rename(folder.path("walk.tall.bvh"), folder.path("out.bvh")).expect("renamed");
    let run = folder.run(&["sheet", "out.bvh", "-o", "sheet.svg"]).done_with_notes();
    assert!(run.stderr.contains("retarget sheet out.bvh -o sheet.svg --to TARGET"), "{run:#?}");
    folder.run(&["skeleton", "tall.bvh", "--lock", "-o", "tall.toml"]).done();
    folder.run(&["sheet", "out.bvh", "--from", "tall.toml", "-o", "sheet.svg"]).done();
    // A character beside a clip may be its result; alone it is its own.
    let rig = convert::LoadedRig::load(folder.path("hero.bvh")).expect("a sample");
    folder.put("hero.glb", glb::glb(&rig.rig, &Writing::default()));
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "out.glb"]).done();
    folder.run(&["sheet", "out.glb", "-o", "sheet.svg"]).done();
    let both = ["sheet", "walk.bvh", "out.glb", "-o", "sheet.svg"];
    let run = folder.run(&both).done_with_notes();
    assert!(run.stderr.starts_with("note: out.glb: its rig is recognised in it"), "{run:#?}");
    folder.run(&[&both[..], &["--to", "hero.glb"]].concat()).done();
}
