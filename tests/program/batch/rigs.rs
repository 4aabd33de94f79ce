//! A library decides once what a rig is that many of its clips move.

use crate::doubtful::{Outcome, kinect, result_of};
use crate::equivalent::{self, Original, samples};
use crate::harness::{Folder, Run, project};
use crate::library::{journal, put, tree};
use crate::rewrite::{self, Rewritten};
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::rig::{Role, UpAxis};
use retarget::internals::skeleton::Skeleton;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What a clip of a library is, and what it was made of.
struct Taken {
    name: String,
    of: usize,
    clip: Clip,
}

/// Motions that show where a body faces, and then persons who stand still with their arms held out.
fn originals(longest: usize) -> Vec<Original> {
    let moving = samples(longest);
    let still = moving.iter().map(|o| {
        let mut clip = Clip::new(o.clip.skeleton().clone(), o.clip.frame_time().clone());
        (0..20).for_each(|_| clip.push_pose(&o.rig.stance.local));
        Original { name: format!("{} still", o.name), clip, rig: o.rig.clone() }
    });
    let still: Vec<Original> = still.take(STILL).collect();
    moving.into_iter().chain(still).collect()
}

/// How many of them stand still.
const STILL: usize = 2;

/// Clips of one depth camera, which sees no toes, and knees that tremble; in some the body faces the other way in its
/// zero pose. Of who stands still it sees knees that are bent the wrong way: then nothing but their names says which
/// side is left.
fn takes(originals: &[Original]) -> Vec<Taken> {
    let mut takes = Vec::new();
    let moving = originals.len() - STILL;
    for (of, o) in originals.iter().enumerate() {
        let knees: &[(f64, f64)] =
            if of < moving { &[(0.0, 0.0), (0.06, 0.0)] } else { &[(0.0, 0.065)] };
        for (i, &(noise, behind)) in knees.iter().enumerate() {
            let faces_back = (of + i) % 2 == 1;
            let clip = kinect(o, faces_back, noise, behind, (10 * of + i) as u64).expect("arms");
            takes.push(Taken { name: format!("takes/{of}-{i}.bvh"), of, clip });
        }
    }
    takes
}

/// A library of these takes, in `lib`.
fn library(takes: &[Taken]) -> Folder {
    let folder = Folder::new();
    for take in takes {
        put(&folder, &format!("lib/{}", take.name), &equivalent::bytes(&take.clip));
    }
    folder
}

fn hero() -> String {
    project().join("samples/skeletons/hero.toml").display().to_string()
}

fn run(folder: &Folder, args: &[&str]) -> Run {
    let hero = hero();
    let all = ["lib", "--to", &hero, "-o", "out", "--foot-plants", "off"];
    folder.run(&[&all, args].concat())
}

fn target() -> LoadedRig {
    convert::LoadedRig::load(hero()).expect("a sample")
}

/// The rig file that the journal names for a clip, as it is opened from the folder.
fn rig_of(folder: &Folder, clip: &str) -> String {
    let lines = journal(folder, "out/retarget-run.jsonl");
    let line = lines.iter().find(|line| line["output"] == *clip).expect("a line");
    format!("out/{}", line["library_rig"]["file"].as_str().expect("a rig"))
}

/// The result of one clip alone.
fn alone(folder: &Folder, clip: &str, args: &[&str]) -> Vec<u8> {
    let (input, hero) = (format!("lib/{clip}"), hero());
    let all = [&*input, "--to", &hero, "--foot-plants", "off", "-o", "one.bvh", "-q"];
    folder.run(&[&all, args].concat()).done();
    fs::read(folder.path("one.bvh")).expect("a result")
}

/// The files of the rigs that a library decided on, with those of their bodies.
fn rigs(files: &BTreeMap<String, Vec<u8>>) -> Vec<&String> {
    files.keys().filter(|name| name.starts_with("retarget-rigs/")).collect()
}

#[test]
fn clips_that_are_refused_alone_come_out_right_beside_others_of_their_rig() {
    let (originals, target) = (originals(90), target());
    let takes = takes(&originals);
    let is_refused = |take: &&Taken| equivalent::rig_of(&take.clip).is_err();
    let refused: Vec<&str> = takes.iter().filter(is_refused).map(|take| &*take.name).collect();
    println!("{} of {} are refused alone: {refused:?}", refused.len(), takes.len());
    assert_eq!(refused.len(), STILL, "{refused:?}");
    let folder = library(&takes);
    let reported = run(&folder, &[]).done();
    assert!(reported.line("rigs").contains("12 clips share"), "{reported:#?}");
    let out = tree(&folder.path("out"));
    let of_rig = |rig: &str| rig.split('-').nth(2).map(|name| name.replace(".toml", ""));
    let names: BTreeSet<_> = rigs(&out).iter().map(|rig| of_rig(rig)).collect();
    assert_eq!(names.len(), 1, "{:?}", rigs(&out));
    let lines = journal(&folder, "out/retarget-run.jsonl");
    for line in &lines {
        let file = line["library_rig"]["file"].as_str().expect("a rig").to_owned();
        assert!(rigs(&out).contains(&&file), "{file}");
    }
    for take in &takes {
        let result = bvh::read(&out[&take.name]).expect("a result").clip;
        let outcome = result_of(&originals[take.of], &take.clip, &result, 0, &target);
        assert_eq!(outcome, Outcome::Right, "{}", take.name);
    }
}

#[test]
fn parts_resumed_runs_and_single_clips_come_to_the_same() {
    let takes = takes(&originals(30));
    let folder = library(&takes);
    run(&folder, &[]).done();
    let wanted = tree(&folder.path("out"));
    // One clip alone, by what the library decided.
    for take in &takes {
        let rig = rig_of(&folder, &take.name);
        assert!(alone(&folder, &take.name, &["--from", &rig]) == wanted[&take.name], "{rig}");
    }
    // A run that was killed, with the rigs written down or not.
    for keeps in [true, false] {
        let text = &wanted["retarget-run.jsonl"];
        put(&folder, "out/retarget-run.jsonl", &text[..text.len() / 2]);
        fs::remove_file(folder.path(&format!("out/{}", takes[0].name))).expect("removed");
        if !keeps {
            fs::remove_dir_all(folder.path("out/retarget-rigs")).expect("removed");
        }
        run(&folder, &["--resume"]).done();
        assert!(tree(&folder.path("out")) == wanted, "rigs are kept: {keeps}");
    }
    let resumed = run(&folder, &["--resume", "--json"]).json();
    assert_eq!(resumed["kept"], takes.len());
    fs::remove_dir_all(folder.path("out")).expect("removed");
    for shard in ["2/2", "1/2"] {
        run(&folder, &["--shard", shard]).done();
    }
    let mut parts = tree(&folder.path("out"));
    parts.retain(|name, _| !name.ends_with(".jsonl"));
    let mut wanted = wanted;
    wanted.retain(|name, _| !name.ends_with(".jsonl"));
    assert!(parts == wanted);
}

/// What is read alike alone has the same bytes as alone.
#[test]
fn each_rig_has_a_file_of_its_own_and_changes_nothing_of_bodies_that_are_right() {
    let folder = library(&takes(&originals(30)));
    let sized = [("walk", 1.0), ("run", 1.1), ("jump", 1.2)];
    for (name, size) in sized {
        let sample = fs::read(project().join(format!("samples/{name}.bvh"))).expect("a sample");
        let clip = bvh::read(&sample).expect("BVH").clip;
        let clip = Rewritten::of(&clip).scaled(size).clip;
        put(&folder, &format!("lib/ours/{name}.bvh"), &equivalent::bytes(&clip));
    }
    run(&folder, &[]).done();
    let out = tree(&folder.path("out"));
    let ours = rig_of(&folder, "ours/walk.bvh");
    for (name, _) in sized {
        let name = format!("ours/{name}.bvh");
        assert_eq!(rig_of(&folder, &name), ours);
        assert!(alone(&folder, &name, &[]) == out[&name], "{name}");
    }
    assert!(takes(&originals(30)).iter().all(|take| rig_of(&folder, &take.name) != ours));
    // What the user says goes before it.
    folder.put("from.toml", "up = \"y\"\n");
    fs::remove_dir_all(folder.path("out")).expect("removed");
    run(&folder, &["--from", "from.toml"]);
    assert!(!folder.path("out/retarget-rigs").exists());
}

/// A clip that somebody exported with another axis up is read by itself, and the others as they are.
#[test]
fn a_clip_of_another_world_keeps_its_own() {
    let folder = Folder::new();
    let [walk, ..] = &samples(120)[..] else { panic!("samples") };
    let pieces: Vec<Clip> = (0..3).map(|i| rewrite::cut(&walk.clip, 20 * i, 60)).collect();
    let to_z = walk.rig.up.turn_to(UpAxis::Z);
    let turned = Rewritten::of(&pieces[2]).turned_with_rest(to_z).clip;
    for (name, clip) in [("a", &pieces[0]), ("b", &pieces[1]), ("c", &turned)] {
        put(&folder, &format!("lib/{name}.bvh"), &equivalent::bytes(clip));
    }
    let reported = run(&folder, &[]).done();
    assert!(reported.line("rigs").contains("3 clips share 2 rigs"), "{reported:#?}");
    let out = tree(&folder.path("out"));
    assert!(alone(&folder, "c.bvh", &[]) == out["c.bvh"]);
    let rig = rig_of(&folder, "a.bvh");
    assert_eq!(rig_of(&folder, "b.bvh"), rig);
    for name in ["a.bvh", "b.bvh"] {
        assert!(alone(&folder, name, &["--from", &rig]) == out[name], "{name}");
    }
}

/// All bones along one axis: alone, a clip that does not begin with the stance shows it by how the body mostly stands, with
/// a bowed head here. Other bodies of the rig stand in their own way.
#[test]
fn clips_of_one_body_have_the_stance_that_one_of_them_shows() {
    let folder = Folder::new();
    let walk = equivalent::originals(project(), &["samples/walk"], 200).remove(0);
    let truth = Rewritten::of(&walk.clip).along_x();
    let mut stance = walk.rig.stance.local.clone();
    let neck = walk.rig.joint(Role::Neck(1)).expect("a neck");
    stance.rotations[neck.index()] *= Quat::from_scaled_axis(Vec3::new(-0.3, 0.0, 0.0));
    let led = Rewritten::of(&walk.clip).led_by(&stance).along_x().clip;
    let longer = truth.clone().scaled(1.3).clip;
    for (name, clip) in [("stance", &led), ("a", &truth.clip), ("other", &longer)] {
        put(&folder, &format!("lib/{name}.bvh"), &equivalent::bytes(clip));
    }
    run(&folder, &[]).done_with_notes();
    let rig = rig_of(&folder, "stance.bvh");
    assert_eq!(rig_of(&folder, "a.bvh"), rig);
    assert_ne!(rig_of(&folder, "other.bvh"), rig);
    let out = tree(&folder.path("out"));
    let read = |bytes: &[u8]| bvh::read(bytes).expect("a result").clip;
    let (with, without) = (read(&out["a.bvh"]), read(&alone(&folder, "a.bvh", &[])));
    let led = read(&out["stance.bvh"]);
    // The frames of the one are those of the other after its stance.
    let off = |clip: &Clip| {
        let frames = (0..clip.len()).map(|frame| {
            let (is, wanted) = (rewrite::world(clip, frame), rewrite::world(&led, frame + 1));
            let each = is.positions.iter().zip(&wanted.positions);
            each.map(|(is, wanted)| (is - wanted).norm()).fold(0.0, f64::max)
        });
        frames.fold(0.0, f64::max)
    };
    assert!(off(&with) < 1e-4, "{}", off(&with));
    assert!(off(&without) > 1.0, "{}", off(&without));
    assert!(read(&alone(&folder, "other.bvh", &[])).len() == walk.clip.len());
    assert!(alone(&folder, "other.bvh", &[]) == out["other.bvh"]);
}

/// The clip in a mirror: the limbs that were on the left are on the right, under the same names.
fn in_a_mirror(clip: &Clip) -> Clip {
    let flip = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let mut joints = clip.skeleton().joints().to_vec();
    for joint in &mut joints {
        joint.offset = flip(joint.offset);
        joint.end_sites.iter_mut().for_each(|end| *end = flip(*end));
    }
    let skeleton = Skeleton::new(joints).expect("the same tree");
    let mut mirrored = Clip::new(skeleton, clip.frame_time().clone());
    for frame in 0..clip.len() {
        let mut pose = clip.pose(frame);
        pose.translations.iter_mut().for_each(|t| *t = flip(*t));
        for r in &mut pose.rotations {
            let axis = r.scaled_axis();
            *r = Quat::from_scaled_axis(Vec3::new(axis.x, -axis.y, -axis.z));
        }
        mirrored.push_pose(&pose);
    }
    mirrored
}

/// Two clips that are each sure of themselves put one joint on both sides: neither is converted, and both are named.
#[test]
fn clips_that_contradict_each_other_are_refused_and_both_are_named() {
    let folder = Folder::new();
    let [walk, ..] = &samples(120)[..] else { panic!("samples") };
    let clip = Rewritten::of(&walk.clip).renamed(|i, _| format!("b{i:02}")).clip;
    put(&folder, "lib/one.bvh", &equivalent::bytes(&clip));
    put(&folder, "lib/other.bvh", &equivalent::bytes(&in_a_mirror(&clip)));
    let reported = run(&folder, &["--json"]).json();
    assert_eq!(reported["done"], 0, "{reported}");
    assert_eq!(reported["failed"], serde_json::json!(["one.bvh", "other.bvh"]), "{reported}");
    for line in journal(&folder, "out/retarget-run.jsonl") {
        let error = line["error"].as_str().unwrap_or_default();
        assert_eq!(line["reason"], "rig_in_doubt", "{line}");
        assert!(error.contains("one.bvh") && error.contains("other.bvh"), "{line}");
        assert!(error.contains("contradict each other"), "{line}");
    }
    let written = tree(&folder.path("out"));
    assert!(!written.keys().any(|name| name.ends_with(".bvh")), "{:?}", written.keys());
}

#[test]
fn a_rig_that_is_corrected_is_taken_and_its_clips_are_done_again() {
    let folder = library(&takes(&originals(30)));
    for name in ["walk", "run"] {
        let sample = project().join(format!("samples/{name}.bvh"));
        put(&folder, &format!("lib/ours/{name}.bvh"), &fs::read(sample).expect("a sample"));
    }
    run(&folder, &[]).done();
    let before = tree(&folder.path("out"));
    // The file of a body ends with the body's own hash.
    let body = rig_of(&folder, "ours/walk.bvh");
    let rig = format!("{}.toml", body.rsplit_once('-').expect("a body").0);
    let text = folder.text(&rig);
    let swapped = [("\"Left", "\"@"), ("\"Right", "\"Left"), ("\"@", "\"Right")];
    folder.put(&rig, swapped.iter().fold(text, |text, (from, to)| text.replace(from, to)));
    let reported = run(&folder, &["--resume", "--json"]).json();
    assert_eq!((&reported["done"], &reported["kept"]), (&2.into(), &12.into()), "{reported}");
    let after = tree(&folder.path("out"));
    for (name, bytes) in &before {
        let is_ours = name.starts_with("ours/");
        assert!(!name.ends_with(".bvh") || (after[name] == *bytes) != is_ours, "{name}");
    }
    // What is none is told, with its place.
    folder.put(&rig, "up = \"w\"\n");
    run(&folder, &["--resume"]).failed(1, "retarget-rigs/rig-");
}
