//! `retarget blender`: whether Blender shows what the tool computes, and both clips side by side in it.

mod compare;
pub mod error;
mod job;
mod program;
mod side;
mod stage;

use super::args::BlenderArgs;
use super::failure::Failure;
use super::interrupt;
use super::made_for::{load_target, name_of_source, recorded, swapped, tell_recognised};
use super::progress::Progress;
use super::stream;
use super::text::count;
use super::typed::Typed;
use crate::batch;
use crate::convert::{self, Reading};
use crate::error::Error;
use compare::{Agreement, MOST_OFF_RATIO, MeshAgreement};
use job::{Job, Seen};
use program::Program;
use serde::Serialize;
use side::Side;
use std::fs;
use std::path::{Path, PathBuf};

/// What `--json` prints.
#[derive(Serialize)]
struct Compared<'a> {
    agrees: bool,
    blender: &'a str,
    program: &'a Path,
    fps: f64,
    limit_ratio: f64,
    source: &'a Agreement,
    result: &'a Agreement,
    written: Vec<&'a Path>,
}

/// Has Blender open both clips, compares, and writes what was asked for.
pub fn run(args: &BlenderArgs, typed: &Typed) -> Result<(), Failure> {
    let progress = Progress::new(args.json);
    progress.stage("reading");
    let read: Vec<&Path> =
        [&args.source, &args.result].into_iter().chain(&args.rigs.to).map(|path| &**path).collect();
    let to = args.rigs.to.as_deref();
    let recorded = recorded(&args.result, to)?;
    let arrays = recorded.as_ref().map(|it| args.arrays.clone().or(&it.arrays));
    let arrays = arrays.as_ref().unwrap_or(&args.arrays);
    let reading = |clip| arrays.reading_among(&read, clip);
    let clip = recorded.as_ref().and_then(|it| it.clip.as_deref());
    let clip = args.animations.clip.as_deref().or(clip);
    let made_of = name_of_source(&args.source, clip);
    let of_source = reading(clip);
    let of_result =
        Reading { made_of: Some(&made_of), ..reading(args.animations.result_clip.as_deref()) };
    if let (None, None, Some((_, line))) = (to, &recorded, batch::line_of(&args.source)) {
        return Err(swapped([&args.source, &args.result], Path::new(&line.made_for.target)));
    }
    let target = match (to, &recorded) {
        (Some(to), _) => Some(load_target(to, &reading(None), false)?),
        (None, Some(recorded)) => Some(recorded.load()?),
        (None, None) => None,
    };
    let from = args.rigs.from.clone().or_else(|| recorded.as_ref()?.from.clone());
    let source = Side::source(&args.source, &of_source, from.as_deref())?;
    if let (Some(to), Some(target)) = (to, &target)
        && convert::check_target(&args.source, &source.clip, target).is_ok()
        && convert::load_as(&args.result, &of_result)
            .is_ok_and(|result| convert::check_target(&args.result, &result.clip, target).is_err())
    {
        return Err(swapped([&args.source, &args.result], to));
    }
    let is_named = target.is_some();
    let result = Side::result(&args.result, &of_result, target, &source)?;
    if !is_named && result.known.is_some() && !source.has_skeleton_of(&result) {
        tell_recognised(&args.result, typed);
    }
    let sides = [source, result];
    side::check_pair(&sides)?;
    // Checked before Blender runs, which takes long. One output may not be written over another either.
    let mut kept = inputs(args, &sides);
    for (_, path) in outputs(args) {
        convert::refuse_input(path, &kept)?;
        kept.push(path);
    }
    let program = program::find(args.blender.as_deref())?;
    progress.stage("waiting for Blender");
    // Ctrl-C ends Blender too. This process waits for that, so that it can remove the scratch folder.
    let (seen, agreements) = interrupt::whole(|| look(args, &program, &sides))?;
    drop(progress);
    tell(args, &program, &seen, &agreements)
}

/// The files that were read.
fn inputs<'a>(args: &'a BlenderArgs, sides: &'a [Side; 2]) -> Vec<&'a Path> {
    let read = sides.iter().flat_map(|side| &side.files);
    read.chain(&args.arrays.smpl_model).map(PathBuf::as_path).collect()
}

/// The files that were asked for, each with its name in the scratch folder.
fn outputs(args: &BlenderArgs) -> impl Iterator<Item = (&'static str, &PathBuf)> {
    let named = [(job::BLEND, &args.output), (job::GLB, &args.glb), (job::SHEET, &args.render)];
    named.into_iter().filter_map(|(scratch, path)| Some((scratch, path.as_ref()?)))
}

/// Runs Blender in a folder of its own, and takes what it made out of there.
fn look(
    args: &BlenderArgs,
    program: &Program,
    sides: &[Side; 2],
) -> Result<(Seen, [Agreement; 2]), Failure> {
    let scratch = tempfile::Builder::new().prefix("retarget-blender-").tempdir();
    let scratch = scratch
        .map_err(|source| Error::Write { path: PathBuf::from("a temporary folder"), source })?;
    let wanted: Vec<&str> = outputs(args).map(|(scratch, _)| scratch).collect();
    let job = Job::new(sides, &wanted);
    job.put(scratch.path(), sides)?;
    program.run(scratch.path())?;
    let seen = Seen::read(scratch.path())?;
    seen.check(sides)?;
    let [source, result] = sides;
    let agreement = |side: &Side, seen| -> Result<Agreement, Failure> {
        let heads = job::read_places(scratch.path(), side, "heads")?;
        let agreement = compare::compare(side, seen, &heads);
        Ok(match &side.skinned {
            Some(skinned) => {
                let points = job::read_places(scratch.path(), side, "points")?;
                agreement.with_mesh(compare::compare_mesh(side, skinned, &points))
            }
            None => agreement,
        })
    };
    let agreements = [agreement(source, &seen.clips[0])?, agreement(result, &seen.clips[1])?];
    let mut kept = inputs(args, sides);
    // A body whose bones Blender joins otherwise is not shown.
    let whole = agreements.iter().all(|agreement| agreement.same_tree);
    for (name, path) in outputs(args).filter(|_| whole) {
        let made = scratch.path().join(name);
        let bytes = fs::read(&made).map_err(|source| Error::Read { path: made, source })?;
        convert::write_whole(path, &bytes, &kept)?;
        kept.push(path);
    }
    Ok((seen, agreements))
}

fn tell(
    args: &BlenderArgs,
    program: &Program,
    seen: &Seen,
    [source, result]: &[Agreement; 2],
) -> Result<(), Failure> {
    let whole = source.same_tree && result.same_tree;
    let agrees = source.holds() && result.holds();
    if args.json {
        stream::print_json(&Compared {
            agrees,
            blender: &seen.version,
            program: program.path(),
            fps: seen.fps,
            limit_ratio: MOST_OFF_RATIO,
            source,
            result,
            written: outputs(args).map(|(_, path)| path.as_path()).filter(|_| whole).collect(),
        })?;
    } else {
        stream::print_text(&line(&seen.version, [source, result]))?;
    }
    if agrees { Ok(()) } else { Err(Failure::Exceeded) }
}

/// The verdict in one line.
fn line(version: &str, sides: [&Agreement; 2]) -> String {
    let wrong: Vec<String> = sides.iter().filter_map(|side| side.difference()).collect();
    if !wrong.is_empty() {
        return format!("Blender {version} shows something else: {}\n", wrong.join("; "));
    }
    let off_ratio = sides[0].off_ratio.max(sides[1].off_ratio);
    let meshes: Vec<&MeshAgreement> = sides.iter().filter_map(|side| side.mesh.as_ref()).collect();
    let points: usize = meshes.iter().map(|mesh| mesh.points).sum();
    let mesh_off_ratio = meshes.iter().map(|mesh| mesh.off_ratio).fold(0.0, f64::max);
    let mesh = match points {
        0 => String::new(),
        _ => format!("; {} of meshes by at most {mesh_off_ratio:.1e}", count(points, "point")),
    };
    format!(
        "Blender {version} shows what is computed: {} and {} in {}, off by at most {off_ratio:.1e} of the body{mesh}\n",
        count(sides[0].joints, "joint"),
        sides[1].joints,
        count(sides[1].frames, "frame"),
    )
}
