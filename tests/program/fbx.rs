//! Clips onto FBX characters: the character's own file comes back with the clip as an animation more, and Blender shows
//! it as it is computed.

use crate::blender::blender;
use crate::common::characters_dir;
use crate::harness::{Folder, peak_kb, project};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// Characters of several programs: skins or none, Y or Z up, metres or centimetres, bind poses that the nodes are off,
/// feet below the root, pivots. Without those whose bones have a size of their own, by which Blender's importer takes
/// their places too large.
const CHARACTERS: [&str; 5] = [
    "maya_character",
    "pab_arnaud",
    "pab_skeleton",
    "quaternius_male_casual",
    "rocketbox_male_adult_01",
];

/// When Blender is asked, frames of the walk.
const FRAMES: [usize; 4] = [0, 60, 140, 200];

/// Of the walk, by its file.
const FRAME_TIME_S: f64 = 0.016667;

/// Has Blender write where all bones and objects are in frames of an animation, with +Y up: frame, name, place.
const SCRIPT: &str = "\
import bpy, sys
path, name, frame_time, frames, out = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.fbx(filepath=path)
scene = bpy.context.scene
for held in bpy.data.objects:
    if held.animation_data:
        held.animation_data.action = None
for action in bpy.data.actions:
    held = bpy.data.objects.get(action.name.split('|')[0])
    if held and '|' + name + '|' in action.name:
        held.animation_data_create().action = action
        held.animation_data.action_slot = action.slots[0]
rate = scene.render.fps / scene.render.fps_base
with open(out, 'w') as lines:
    for frame in frames.split(','):
        at = 1 + int(frame) * float(frame_time) * rate
        scene.frame_set(int(at), subframe=at - int(at))
        for held in bpy.data.objects:
            places = [(held.name, held.matrix_world.translation)]
            if held.type == 'ARMATURE':
                places += [(bone.name, held.matrix_world @ bone.head) for bone in held.pose.bones]
            for own, place in places:
                x, y, z = place
                lines.write(f'{frame}\\t{own}\\t{x!r}\\t{z!r}\\t{-y!r}\\n')
";

/// Where Blender has what it names, by frame and name.
fn asked(blender: &str, folder: &Path, file: &str) -> HashMap<(usize, String), [f64; 3]> {
    let script = folder.join("look.py");
    std::fs::write(&script, SCRIPT).expect("written");
    let mut command = Command::new(blender);
    let is_python = blender.contains("python");
    if !is_python {
        command.args(["--background", "--python"]);
    }
    let frames = FRAMES.map(|frame| frame.to_string()).join(",");
    let step = FRAME_TIME_S.to_string();
    command.arg(&script).args(["--", file, "walk", &step, &frames, "places.txt"]);
    let output = command.current_dir(folder).output().expect("it runs");
    let places = std::fs::read_to_string(folder.join("places.txt"));
    let places = places.unwrap_or_else(|_| panic!("{file}: {output:?}"));
    let line = |line: &str| {
        let [frame, name, x, y, z] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?}")
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        ((frame.parse().expect("a number"), name.to_owned()), [x, y, z].map(number))
    };
    places.lines().map(line).collect()
}

#[test]
fn a_walk_on_characters_is_shown_by_blender_as_it_is_computed() {
    let (Some(dir), Some(blender)) = (characters_dir(), blender()) else { return };
    for name in CHARACTERS {
        let folder = Folder::new();
        let target = dir.join(format!("fbx/{name}.fbx"));
        let target = target.display().to_string();
        let source = project().join("samples/walk.bvh").display().to_string();
        folder.run(&[&source, "--to", &target, "-o", "walked.fbx"]).done();
        let bytes = std::fs::read(folder.path("walked.fbx")).expect("readable");
        let options = ufbx::LoadOpts {
            target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
            target_unit_meters: 1.0,
            space_conversion: ufbx::SpaceConversion::AdjustTransforms,
            ..Default::default()
        };
        let file = ufbx::load_memory(&bytes, options).expect("it reads");
        let walk = ufbx::find_anim_stack(&file, "walk").expect("the walk");
        let shown = asked(&blender, &folder.path(""), "walked.fbx");
        let mut compared = 0;
        for frame in FRAMES {
            let time_s = frame as f64 * FRAME_TIME_S;
            let moved = ufbx::evaluate_scene(&file, &walk.anim, time_s, Default::default());
            let moved = moved.expect("it evaluates");
            // What has no key is in its bind pose for Blender, whatever its node says.
            let is_keyed = |node: &&ufbx::Node| {
                let mut props = walk.layers.into_iter().flat_map(|layer| layer.anim_props.iter());
                props.any(|prop| prop.element.element_id == node.element.element_id)
            };
            let joints = || moved.nodes.into_iter().filter(is_keyed);
            let place = |node: &ufbx::Node| {
                [node.node_to_world.m03, node.node_to_world.m13, node.node_to_world.m23]
            };
            let heights = || joints().map(|node| place(node)[1]);
            let size = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
            for node in joints() {
                let named = (frame, node.element.name.to_string());
                let Some(is) = shown.get(&named) else { continue };
                let off = place(node).iter().zip(is).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                let off = off.sqrt() / size;
                assert!(off < 1e-4, "{name}: {named:?} is {off} of the body away");
                compared += 1;
            }
        }
        assert!(compared > 40, "{name}: {compared} places");
    }
}

#[test]
fn blender_has_every_joint_and_point_of_a_character_where_it_was_computed() {
    let (Some(dir), Some(blender)) = (characters_dir(), blender()) else { return };
    let source = project().join("samples/walk.bvh").display().to_string();
    for (name, joints, points) in [
        ("maya_character", 20, 0),
        ("pab_arnaud", 20, 2000),
        ("pab_skeleton", 50, 1300),
        ("quaternius_male_casual", 18, 800),
        ("rocketbox_male_adult_01", 20, 2000),
    ] {
        let folder = Folder::new();
        let target = dir.join(format!("fbx/{name}.fbx")).display().to_string();
        folder.run(&[&source, "--to", &target, "-o", "walked.fbx", "-q"]).done();
        let asked = ["blender", &source, "walked.fbx", "--result-clip", "walk", "--json"];
        let run =
            folder.run(&[&asked[..], &["--to", &target, "--blender", &blender]].concat()).done();
        let verdict: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let result = &verdict["result"];
        assert_eq!(verdict["agrees"], true, "{name}: {result}");
        assert!(result["joints"].as_u64() >= Some(joints), "{name}: {result}");
        let compared = result["mesh"]["points"].as_u64().unwrap_or_default();
        assert!(compared >= points, "{name}: {result}");
    }
}

/// A bone with a size of its own, which Blender's importer takes otherwise.
#[test]
fn what_blender_takes_otherwise_is_told_with_the_reason() {
    let (Some(dir), Some(blender)) = (characters_dir(), blender()) else { return };
    let source = project().join("samples/walk.bvh").display().to_string();
    let folder = Folder::new();
    let target = dir.join("fbx/maya_human_ik.fbx").display().to_string();
    folder.run(&[&source, "--to", &target, "-o", "walked.fbx", "-q"]).done();
    let asked = ["blender", &source, "walked.fbx", "--result-clip", "walk"];
    let run = folder.run(&[&asked[..], &["--blender", &blender]].concat());
    assert_eq!(run.code, Some(3), "{run:#?}");
    assert!(run.stdout.contains("Character1_Hips has, by that size"), "{}", run.stdout);
}

/// Clips of some thousand frames, so that their keys are larger than all else.
fn long_clips(folder: &Folder, count: usize) {
    let text = folder.text("walk.bvh");
    let (head, rows) = text.split_once("Frame Time: 0.0333333\n").expect("a clip");
    let (head, _) = head.split_once("Frames:").expect("a clip");
    let (times, frames) = (50, 50 * rows.lines().count());
    let rows = rows.repeat(times);
    let long = format!("{head}Frames: {frames}\nFrame Time: 0.0333333\n{rows}");
    std::fs::create_dir_all(folder.path("takes")).expect("a folder");
    (0..count).for_each(|clip| folder.put(&format!("takes/{clip:02}.bvh"), &long));
}

#[test]
fn many_clips_into_one_file_are_as_one_by_one_and_take_the_memory_of_one() {
    let Some(dir) = characters_dir() else { return };
    let target = dir.join("fbx/quaternius_male_casual.fbx").display().to_string();
    let folder = Folder::new();
    long_clips(&folder, 2);
    let run = |args: &[&str]| folder.run(&[args, &["-o", "out.fbx"]].concat()).done();
    run(&["takes/00.bvh", "--to", &target]);
    std::fs::rename(folder.path("out.fbx"), folder.path("one.fbx")).expect("moved");
    run(&["takes/01.bvh", "--to", "one.fbx"]);
    let one_by_one = std::fs::read(folder.path("out.fbx")).expect("written");
    run(&["takes", "--to", &target]);
    assert!(std::fs::read(folder.path("out.fbx")).expect("written") == one_by_one);
    let peak = |clips: usize| {
        long_clips(&folder, clips);
        let args = ["takes", "--to", &target, "-o", "out.fbx", "--threads", "1"];
        // The last moments of a short run may go unseen on a busy machine.
        let run = |_| peak_kb(|| folder.command(&args).spawn().expect("it runs")).1;
        let peak = (0..3).map(run).max().expect("three runs");
        (peak, folder.path("out.fbx").metadata().expect("written").len() >> 10)
    };
    let [(few_kb, few_len), (many_kb, many_len)] = [peak(2), peak(16)];
    // Each clip adds its keys to the file, and little to the memory: keys of three clips more would be too much.
    let (grown_kb, more_len) = (many_kb.saturating_sub(few_kb), many_len - few_len);
    assert!(more_len > 14 << 10, "{more_len} kB more of file");
    assert!(grown_kb < more_len / 5, "{grown_kb} kB for {more_len} kB more of file");
}
