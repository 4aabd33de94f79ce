//! `retarget view`; what a browser makes of its page is looked at in `tests/program/view.rs`.

use crate::harness::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh"]).done();
    folder
}

#[test]
fn its_page_is_one_file_that_asks_for_nothing() {
    let folder = folder();
    let run = folder.run(&["view", "walk.bvh", "walk.hero.bvh", "--to", "hero.bvh"]).done();
    assert_eq!(run.stdout, "walk.hero.html: open it in a browser\n");
    let page = folder.text("walk.hero.html");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("<title>walk.hero.bvh</title>"));
    assert!(!page.contains("{{") && !page.contains("NaN"));
}

#[test]
fn hands_that_lean_have_a_lane_beside_the_feet() {
    let folder = Folder::new();
    let crouch = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/crouch.bvh");
    folder.run(&["view", crouch, crouch, "-o", "view.html"]).done();
    let page = folder.text("view.html");
    let (_, scene) = page.split_once("\"leans\":").expect("leans in the scene");
    assert!(scene.starts_with("[{\"name\":\"right hand\",\"limb\":\"right-arm\",\"intervals\":[["));
    assert!(!page.contains("\"left hand\""), "it leans on nothing");
}

#[test]
fn knees_that_kneel_have_lanes_too() {
    let folder = Folder::new();
    let kneel = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/kneel.bvh");
    folder.run(&["view", kneel, kneel, "-o", "view.html"]).done();
    let page = folder.text("view.html");
    let (_, scene) = page.split_once("\"leans\":[").expect("leans in the scene");
    let (lanes, _) = scene.split_once("}],").expect("an end of the lanes");
    for side in ["left", "right"] {
        let lane = format!("{{\"name\":\"{side} knee\",\"limb\":\"{side}-leg\",\"intervals\":[[");
        assert!(lanes.contains(&lane), "{lane} in {lanes}");
    }
    assert_eq!(lanes.matches("\"name\"").count(), 2, "no hand leans: {lanes}");
}

#[test]
fn no_name_of_a_joint_ends_the_script() {
    let folder = folder();
    let evil = "</script><script>alert(1)";
    for (name, clip) in [("a.bvh", "walk.bvh"), ("b.bvh", "walk.hero.bvh")] {
        folder.put(name, folder.text(clip).replace("JOINT Head", &format!("JOINT {evil}")));
    }
    folder.run(&["view", "a.bvh", "b.bvh", "--to", "b.bvh"]).done();
    let page = folder.text("b.html");
    assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)") && !page.contains(evil));
}

#[test]
fn equal_arguments_give_equal_pages() {
    let folder = folder();
    let page = |name: &str| {
        folder.run(&["view", "walk.bvh", "walk.hero.bvh", "--to", "hero.bvh", "-o", name]).done();
        folder.text(name)
    };
    assert_eq!(page("a.html"), page("b.html"));
}

/// Feet under a body that stays slide back, which is not how fast they are on the way that was planted.
#[test]
fn speeds_of_a_result_in_place_are_those_on_its_way() {
    let folder = Folder::new();
    let walk = crate::harness::project().join("samples/walk.bvh").display().to_string();
    let speeds = |asked: &[&str]| {
        let made = [&[&walk, "--to", "hero.bvh", "-o", "made.bvh", "-q"], asked].concat();
        folder.run(&made).done_with_notes();
        let view = ["view", &walk, "made.bvh", "--to", "hero.bvh", "-o", "page.html"];
        folder.run(&[&view, asked].concat()).done_with_notes();
        let page = folder.text("page.html");
        let (_, title) = page.split_once("Speed of the balls").expect("a plot");
        title.starts_with(" on the way")
    };
    assert!(speeds(&["--in-place"]) && !speeds(&[]));
}

#[test]
fn what_cannot_be_viewed_is_said() {
    let folder = folder();
    let short = folder.text("walk.bvh").replace("Frames: 40", "Frames: 2");
    let rows = short.find("Frame Time").expect("motion");
    let kept: Vec<&str> = short[rows..].lines().take(3).collect();
    folder.put("short.bvh", format!("{}{}\n", &short[..rows], kept.join("\n")));
    folder.run(&["view", "walk.bvh", "short.bvh"]).failed(1, "frames");
    folder
        .run(&["view", "walk.bvh", "walk.hero.bvh", "-o", "walk.bvh"])
        .failed(2, "a file that ends in .html");
    folder.run(&["view", "walk.bvh"]).failed(2, "RESULT");
}
