//! The page of `retarget view`, in a real browser.

mod browser;
mod meshes;

use crate::harness::{Folder, project};
use browser::Browser;
use serde_json::Value;
use std::time::Duration;

const HOME: char = '\u{e011}';
const END: char = '\u{e010}';
const RIGHT: char = '\u{e014}';

/// A folder with a sample's walk, its result, and the page about them.
fn folder() -> Folder {
    let folder = Folder::new();
    let sample = |name: &str| project().join("samples").join(name).display().to_string();
    let (walk, hero) = (sample("walk.bvh"), sample("skeletons/hero.toml"));
    folder.run(&[&walk, "--to", &hero, "-o", "result.bvh"]).done();
    folder.run(&["view", &walk, "result.bvh", "--to", &hero, "-o", "view.html"]).done();
    let check = folder.run(&["check", &walk, "result.bvh", "--to", &hero, "--json"]).done();
    folder.put("check.json", check.stdout);
    folder
}

/// A browser that shows the page.
fn opened(folder: &Folder) -> Option<Browser> {
    let browser = Browser::start()?;
    browser.open(&folder.path("view.html"));
    Some(browser)
}

const FRAME: &str = "return Number(document.getElementById('scrub').value)";

#[test]
fn it_plays_and_obeys_the_keyboard() {
    let folder = folder();
    let Some(browser) = opened(&folder) else { return };
    let frame = || browser.run(FRAME).as_u64().expect("a frame");
    assert_eq!(frame(), 0);
    browser.click("#play");
    browser.until(&format!("{} > 20", FRAME));
    browser.press(&[' ']);
    browser.until("return document.getElementById('play').textContent == '▶'");
    let stopped = frame();
    browser.run("return new Promise(done => setTimeout(done, 150))");
    assert_eq!(frame(), stopped, "it stands still");
    let shown = |frame: u64| browser.until(&format!("{FRAME} == {frame}"));
    browser.press(&[HOME]);
    shown(0);
    browser.press(&[RIGHT, RIGHT]);
    shown(2);
    browser.press(&[END]);
    shown(280);
    browser.press(&['-', '-']);
    browser.until("return document.getElementById('speed').textContent == '0.25×'");
    browser.press(&['?']);
    browser.until("return !document.getElementById('help').hidden");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_click_on_a_worst_frame_goes_there() {
    let folder = folder();
    let Some(browser) = opened(&folder) else { return };
    let check: Value = serde_json::from_str(&folder.text("check.json")).expect("JSON");
    let report = check["report"].as_object().expect("numbers");
    let mut clicked = 0;
    for (name, number) in report {
        if number["joint"].as_str().is_none_or(str::is_empty) {
            continue;
        }
        browser.click(&format!("button[data-number='{name}']"));
        browser.until(&format!("{FRAME} == {}", number["frame"]));
        clicked += 1;
    }
    assert!(clicked >= 6, "{report:?}");
    // And by the marks over the contacts.
    browser.press(&[HOME]);
    browser.run("document.querySelector('#marks button').click()");
    browser.until(&format!("{FRAME} > 0"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// How many pixels of the stage are of a colour of the page, about.
fn pixels(browser: &Browser, colour: &str) -> u64 {
    let script = format!(
        "const hex = getComputedStyle(document.documentElement).getPropertyValue('--{colour}').trim();
         const want = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
         const shown = document.getElementById('space');
         const canvas = new OffscreenCanvas(shown.width, shown.height);
         const copy = canvas.getContext('2d', {{willReadFrequently: true}});
         copy.drawImage(shown, 0, 0);
         const all = copy.getImageData(0, 0, canvas.width, canvas.height).data;
         let count = 0;
         for (let i = 0; i < all.length; i += 4)
           if (all[i + 3] > 200 && want.every((w, k) => Math.abs(all[i + k] - w) < 6)) count++;
         return count;"
    );
    browser.run(&script).as_u64().expect("a count")
}

/// Whether more pixels than these are of a colour soon: a page is drawn when a busy machine comes to it.
fn is_seen(browser: &Browser, colour: &str, more_than: u64) -> bool {
    let mut looks = (0..100).map(|look| {
        std::thread::sleep(Duration::from_millis(if look > 0 { 50 } else { 0 }));
        pixels(browser, colour)
    });
    looks.any(|count| count > more_than)
}

#[test]
fn bodies_stand_on_the_stage_by_light_and_by_dark_and_feet_are_lit() {
    let folder = folder();
    let Some(browser) = opened(&folder) else { return };
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        let wanted = if scheme == "dark" { "true" } else { "false" };
        browser.until(&format!(
            "return matchMedia('(prefers-color-scheme: dark)').matches == {wanted}"
        ));
        browser.run(
            "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        for limb in ["left-leg", "right-leg", "left-arm", "right-arm", "trunk"] {
            assert!(is_seen(&browser, limb, 150), "{limb} by {scheme}");
        }
    }
    // Of the right leg in the air the foot is not lit: fewer rings than where both stand.
    let ink = |frame: usize| {
        browser.run(&format!(
            "const scrub = document.getElementById('scrub'); scrub.value = {frame};
             scrub.dispatchEvent(new Event('input'));
             return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        ));
        pixels(&browser, "ink")
    };
    let (both, one) = (ink(0), ink(45));
    assert!(both > one + 20 && one > 20, "{both} {one}");
    // All that it shows lies in the one file.
    let asked = browser.run("return performance.getEntriesByType('resource').map(r => r.name)");
    assert_eq!(asked.as_array().map(Vec::len), Some(0), "{asked}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
