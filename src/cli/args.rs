//! Arguments as typed. Defaults come from the library's settings.

mod placing;

use crate::batch::{Limit, Shard};
use crate::bvh::WriteSettings;
use crate::convert::{self, Reading};
use crate::plant::FootPlants;
use crate::positions::Layout;
use crate::rig::Scale;
use clap::{Parser, Subcommand, ValueEnum};
pub use placing::{FacingArg, FloorArg, PlacingArgs};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  retarget walk.bvh --to hero.toml            write ./walk.hero.bvh
  retarget walk.bvh --to hero.bvh -o out.bvh  any BVH file serves as a target
  retarget walk.bvh --to hero.glb             write ./walk.hero.glb: hero.glb, an animation more
  retarget - --to hero.toml < walk.bvh > out.bvh
  retarget LIBRARY --to hero.toml -o OUT      every clip below a folder, on all cores
  retarget report OUT                         what came out of it, the worst clips first
  retarget blender walk.bvh walk.hero.bvh     does Blender show the same
  retarget inspect walk.bvh                   see what is recognised
  retarget skeleton hero.bvh -o hero.toml     a file to correct what is not
  retarget sheet walk.bvh walk.hero.bvh       see clips over time, in sheet.png
  retarget view walk.bvh walk.hero.bvh --to hero.toml
                                              a page to play them side by side

A file that is called like a command is written ./inspect.";

const MORE: &str = "
Exit codes: 0 done, 1 a file failed, 2 wrong usage, 3 a limit was exceeded, 130 interrupted.

Not done yet: finding the legs of an animal by itself (skeleton.toml names them).";

/// Carries motion capture from any skeleton onto another one, plants the feet, and writes BVH.
#[derive(Parser, Debug)]
#[command(
    name = "retarget",
    version,
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n{MORE}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub retarget: Option<RetargetArgs>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Inspect(InspectArgs),
    Skeleton(SkeletonArgs),
    Check(CheckArgs),
    Explain(ExplainArgs),
    Report(ReportArgs),
    Blender(BlenderArgs),
    Sheet(SheetArgs),
    View(ViewArgs),
    Completions(CompletionsArgs),
    /// Print the man page: retarget man | man -l -
    Man,
}

#[derive(clap::Args, Debug)]
pub struct RetargetArgs {
    /// The clip: BVH, FBX, glTF, VRM, VRMA, .npz or .npy, or - for standard input; or a library: folders, patterns,
    /// many files
    ///
    /// Folders are searched with all below them for files of these formats, .bvh.gz and .bvh.zst; a pattern in quotes,
    /// 'takes/**/walk*.bvh', names files. The results of a library go into the folder that -o names,
    /// in the same tree and under the same names, beside the journal retarget-run.jsonl; of a character -o hero_all.glb
    /// makes one file with an animation of each.
    #[arg(value_name = "IN.bvh", required_unless_present = "files_from")]
    pub inputs: Vec<PathBuf>,
    /// The skeleton to move onto: a skeleton.toml, a BVH file with or without motion, or a character: FBX, glTF or VRM
    #[arg(long, alias = "target", value_name = "TARGET")]
    pub to: PathBuf,
    /// Where the result goes, - for standard output; for a library a folder
    ///
    /// Without it a clip IN.bvh that is retargeted onto TARGET.toml becomes IN.TARGET.bvh in the current
    /// folder, and a clip from standard input goes to standard output. A file of that name is
    /// replaced, whole or not at all; an input is never overwritten. OUT.bvh.gz and OUT.bvh.zst are packed.
    /// Of a character hero.glb becomes IN.hero.glb, which is hero.glb with an animation more; OUT.bvh takes its
    /// skeleton alone. For any other target OUT.glb is binary glTF of bones. OUT.npz holds arrays: rotations,
    /// positions, contacts, and on a body of SMPL what AMASS has: poses, trans, betas. OUT.npy holds the positions of
    /// joints alone.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Which animation of the file is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// What the animation is called that a character gets [default: the clip's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Replace an animation of that name in the character's file
    #[arg(long)]
    pub replace: bool,
    /// What you say of the clip's own rig: a skeleton.toml with roles and the like, or a locked
    /// rig, which `retarget skeleton` writes, to which the clip is held
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    /// What is done about the feet
    #[arg(long, value_name = "HOW", value_enum, default_value_t = FootPlantsArg::Auto)]
    pub foot_plants: FootPlantsArg,
    /// Scale method: `leg` by the ratio of the legs, `height` by that of the bodies' heights, `none`
    /// not at all, or a factor, target over source [default: the target's `scale`, else leg]
    #[arg(long, value_name = "HOW", value_parser = scale)]
    pub scale: Option<Scale>,
    /// Where results stand
    ///
    /// The target's floor is what its `floor` says, and 0 along its up axis of any other.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = FloorArg::Target)]
    pub floor: FloorArg,
    /// Where results face
    #[arg(long, value_name = "HOW", value_enum, default_value_t = FacingArg::Keep)]
    pub facing: FacingArg,
    /// Keep the body where it begins: the hips do not travel, as games want it that move it themselves
    ///
    /// The feet are planted along the way first, so that they stride as they would; the report is of
    /// that. Heights stay.
    #[arg(long)]
    pub in_place: bool,
    /// Put the travel, horizontal and in heading, on a joint above the hips, as engines want it, and the rest on the
    /// hips: the name of that joint, or `auto` for the one that the hips hang on
    #[arg(long, value_name = "JOINT", conflicts_with = "in_place")]
    pub root_motion: Option<String>,
    /// Refuse files that have to be repaired, such as one that is cut short
    #[arg(long)]
    pub strict: bool,
    /// Go on with the likeliest reading of a rig where what was found is in doubt, and say so
    #[arg(long)]
    pub accept_doubt: bool,
    /// Decimals of every number in the motion
    #[arg(
        long,
        value_name = "N",
        default_value_t = WriteSettings::default().decimals,
        value_parser = clap::value_parser!(u8).range(0..=15)
    )]
    pub decimals: u8,
    /// Write when the feet stand into this file, TOML or JSON by its name, to be read and edited
    #[arg(long, value_name = "FILE.toml|json", value_parser = contact_file)]
    pub contacts: Option<PathBuf>,
    /// Take when the feet stand from this file, which --contacts wrote and you edited
    ///
    /// What it leaves out, a whole part or a whole foot, is found.
    #[arg(long, value_name = "FILE.toml|json", value_parser = contact_file)]
    pub use_contacts: Option<PathBuf>,
    /// Write what --json prints into this file too
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// End with 3 if a number of the report is above this, such as plant_drift_cm=0.1; may be given
    /// several times
    #[arg(long, value_name = "NAME=MOST")]
    pub limit: Vec<Limit>,
    /// Print the result as JSON
    #[arg(long, conflicts_with_all = ["quiet", "verbose"])]
    pub json: bool,
    /// Print the roles of every joint, what was repaired, every number and every miss
    #[arg(short, long)]
    pub verbose: bool,
    /// Print nothing but errors, and what is missing of a clip
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Threads for the one clip; a library has --jobs [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Which points a .npy or .npz file of places holds: humanml3d, smpl, coco17, h36m17, mediapipe33 or kinect25
    #[arg(long, value_name = "NAME", value_parser = layout, help_heading = ARRAYS)]
    pub layout: Option<Layout>,
    /// How many frames a second a .npy or .npz file has [default: what it says]
    #[arg(long, value_name = "N", value_parser = fps, help_heading = ARRAYS)]
    pub fps: Option<f64>,
    /// Your file of an SMPL model, .npz, which says how long the bones of SMPL and AMASS files are
    #[arg(long, value_name = "MODEL.npz", help_heading = ARRAYS)]
    pub smpl_model: Option<PathBuf>,
    /// A text file that names a clip or a folder on each line, - for standard input
    #[arg(long, value_name = "FILE", help_heading = LIBRARIES)]
    pub files_from: Option<PathBuf>,
    /// Clips in hand at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LIBRARIES)]
    pub jobs: Option<NonZeroUsize>,
    /// Leave alone what an earlier run did of the same clip, target, settings and version
    #[arg(long, help_heading = LIBRARIES)]
    pub resume: bool,
    /// What the results of a library are: bvh, bvh.gz, bvh.zst, npz, npy, vrma, glb, or the character's own format, of
    /// which each is then the character with one animation more [default: bvh]
    #[arg(long, value_name = "ENDING", value_parser = result_ending, help_heading = LIBRARIES)]
    pub format: Option<&'static str>,
    /// Begin no other clip once one has failed
    #[arg(long, help_heading = LIBRARIES)]
    pub fail_fast: bool,
    /// Do part K of N, from 1; a clip's part follows from its name alone
    #[arg(long, value_name = "K/N", help_heading = LIBRARIES)]
    pub shard: Option<Shard>,
}

/// What files of arrays leave open, and their reader knows.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ArrayArgs {
    /// Which points a .npy or .npz file of places holds: humanml3d, smpl, coco17, h36m17, mediapipe33 or kinect25
    #[arg(long, value_name = "NAME", value_parser = layout, help_heading = ARRAYS)]
    pub layout: Option<Layout>,
    /// How many frames a second a .npy or .npz file has [default: what it says]
    #[arg(long, value_name = "N", value_parser = fps, help_heading = ARRAYS)]
    pub fps: Option<f64>,
    /// Your file of an SMPL model, .npz, which says how long the bones of SMPL and AMASS files are
    #[arg(long, value_name = "MODEL.npz", help_heading = ARRAYS)]
    pub smpl_model: Option<PathBuf>,
}

const ARRAYS: &str = "Arrays";

impl ArrayArgs {
    /// How a clip is read, of which `clip` names the animation.
    pub fn reading<'a>(&'a self, clip: Option<&'a str>) -> Reading<'a> {
        let (layout, fps, model) = (self.layout, self.fps, self.smpl_model.as_deref());
        Reading { clip, layout, fps, model, ..Reading::default() }
    }

    /// As [`reading`](Self::reading), of each of several `files`: where one of them is of arrays, the others need not
    /// be.
    pub fn reading_among<'a>(&'a self, files: &[&Path], clip: Option<&'a str>) -> Reading<'a> {
        let all = self.reading(clip);
        let is_mixed = all.is_of_arrays() && files.iter().any(|file| convert::may_be_arrays(file));
        Reading { is_mixed, ..all }
    }
}

/// What only a library takes; each of these makes a library of a single file too.
const LIBRARIES: &str = "Libraries";

impl RetargetArgs {
    /// What files of arrays leave open. Arguments that may be left out altogether cannot hold a group of others.
    pub fn arrays(&self) -> ArrayArgs {
        let (layout, fps, smpl_model) = (self.layout, self.fps, self.smpl_model.clone());
        ArrayArgs { layout, fps, smpl_model }
    }

    /// Whether anything is given that only a library takes.
    pub fn is_for_libraries(&self) -> bool {
        self.files_from.is_some()
            || self.jobs.is_some()
            || self.resume
            || self.fail_fast
            || self.format.is_some()
            || self.shard.is_some()
    }
}

/// Show what is recognised in a file: joints, roles, stance, units, floor, contacts
#[derive(clap::Args, Debug)]
pub struct InspectArgs {
    /// BVH, FBX, glTF, VRM or VRMA, a skeleton.toml, or - for a file on standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which animation of the file is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// What you say of the file's rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Draw the stance into this file, which ends in .svg or .png: from the front and from the left, with
    /// the part that each joint plays
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    pub draw: Option<PictureFile>,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Write a commented skeleton.toml for a rig, to be read and edited
#[derive(clap::Args, Debug)]
pub struct SkeletonArgs {
    /// The rig's file: BVH with or without motion, FBX, glTF or VRM; the skeleton.toml will name it
    #[arg(value_name = "RIG")]
    pub rig: PathBuf,
    /// What you say of the rig: a skeleton.toml with roles, legs and the like
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Write all that was found as keys, the joints too, for --from: every clip is then mapped the same
    /// way, and one of another rig is an error
    #[arg(long)]
    pub lock: bool,
    /// Where the skeleton.toml goes [default: standard output]
    #[arg(short, long, value_name = "SKELETON.toml", value_parser = |text: &str| ending_or_dash(text, "toml"))]
    pub output: Option<PathBuf>,
}

/// Measure a result against its source: feet, limbs, smoothness, each with its worst joint and frame
///
/// The result may be any program's; docs/METRICS.md has the formulas.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The source clip: a BVH file, or - for standard input
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// What it became: a file of any format that is read, or - for standard input
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    /// Which animation of the source is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Which animation of the result is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub result_clip: Option<String>,
    /// The target that the result was made for [default: the source's rig, if it has its skeleton]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    /// What you say of the source's rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub placing: PlacingArgs,
    /// Take when the source's feet stand from this file, which --contacts wrote
    #[arg(long, value_name = "FILE.toml|json", value_parser = contact_file)]
    pub use_contacts: Option<PathBuf>,
    /// End with 3 if a number is above this, such as plant_drift_cm=0.1; may be given several times
    #[arg(long, value_name = "NAME=MOST")]
    pub limit: Vec<Limit>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Tell what moved what in one frame: contacts, the body's shift, feet, knees, limits that hold back
#[derive(clap::Args, Debug)]
pub struct ExplainArgs {
    /// The clip: a BVH file, or - for standard input
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// The skeleton to move onto: a skeleton.toml, or a BVH file with or without motion
    #[arg(long, value_name = "TARGET")]
    pub to: PathBuf,
    /// Which animation of the source is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// The frame, from 0
    #[arg(long, value_name = "N")]
    pub frame: usize,
    /// What you say of the clip's own rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Print what a shell reads to complete arguments, to be put where it looks for such
#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Show what came out of a library's run, or compare two: totals, percentiles, the worst clips, failures
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// The run's output folder, or its journal; all shards' journals in a folder are taken together
    #[arg(value_name = "OUT")]
    pub run: PathBuf,
    /// A second run over the same library, to be compared clip by clip
    #[arg(value_name = "OTHER", conflicts_with_all = ["csv", "limit", "html"])]
    pub other: Option<PathBuf>,
    /// Print it as JSON
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print one line a clip as CSV
    #[arg(long)]
    pub csv: bool,
    /// Write a page too: how every number is spread, and the worst clips with their sheets and views,
    /// which go into a folder beside it
    #[arg(long, value_name = "PAGE.html", value_parser = |text: &str| ending(text, "html"))]
    pub html: Option<PathBuf>,
    /// End with 3 if a number is above this: plant_drift_cm=0.1 for every clip, plant_drift_cm.p95=0.1
    /// for a percentile over the clips, failed=0 for failures; may be given several times
    #[arg(long, value_name = "NAME=MOST")]
    pub limit: Vec<Limit>,
}

/// Check that Blender shows a result as it was computed, and see both clips side by side in it
///
/// Blender opens both files in the background. Every joint of every tenth frame is compared; where one is
/// off by more than a ten-thousandth of the body the exit code is 3.
#[derive(clap::Args, Debug)]
pub struct BlenderArgs {
    /// The source clip
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// What came out
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    /// Which animation of the source is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Which animation of the result is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub result_clip: Option<String>,
    /// Save both side by side, with a floor and marks where feet stand, as a Blender file
    #[arg(short, long, value_name = "FILE.blend", value_parser = |text: &str| ending(text, "blend"))]
    pub output: Option<PathBuf>,
    /// Save the same as binary glTF, by Blender's exporter
    #[arg(long, value_name = "FILE.glb", value_parser = |text: &str| ending(text, "glb"))]
    pub glb: Option<PathBuf>,
    /// Render a contact sheet, twelve moments of both
    #[arg(long, value_name = "FILE.png", value_parser = |text: &str| ending(text, "png"))]
    pub render: Option<PathBuf>,
    /// What you say of the source's rig: a skeleton.toml with roles and the like
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    /// The target that the result was retargeted onto, where its rig is not recognised by itself
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Blender, or a Python with bpy [default: the variable BLENDER, else what is on PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub blender: Option<PathBuf>,
    /// Print the verdict as JSON
    #[arg(long)]
    pub json: bool,
}

/// Draw clips over time: poses from two sides, the feet, and when they stand; a row for each file
#[derive(clap::Args, Debug)]
pub struct SheetArgs {
    /// Files of any format that is read, sources and results alike; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Which animation is meant of files that hold several, by its name
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// What you say of the files' rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    /// The target that results among them were made for: files that have its skeleton are read as it is
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Where the sheet goes: a file that ends in .png or .svg
    #[arg(short, long, value_name = "SHEET", default_value = "sheet.png", value_parser = picture)]
    pub output: PictureFile,
}

/// Write a page on which a result is looked at beside its source, in any browser
#[derive(clap::Args, Debug)]
pub struct ViewArgs {
    /// The source clip: a BVH file
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// What it became: a file of any format that is read
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    /// Which animation of the source is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Which animation of the result is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub result_clip: Option<String>,
    /// The target that the result was made for [default: the source's rig, if it has its skeleton]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    /// What you say of the source's rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub placing: PlacingArgs,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Where the page goes [default: RESULT.html in the current folder]
    #[arg(short, long, value_name = "PAGE.html", value_parser = |text: &str| ending_or_dash(text, "html"))]
    pub output: Option<PathBuf>,
}

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Png,
    Svg,
}

/// Where a picture goes, and its kind, which follows from the name.
#[derive(Clone, Debug)]
pub struct PictureFile {
    pub path: PathBuf,
    pub kind: Picture,
}

/// [`FootPlants`] as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FootPlantsArg {
    /// Feet stand where the source's stand
    Auto,
    /// Feet are kept above the ground but move freely
    Ground,
    /// The feet are left as the transfer has them
    Off,
}

impl From<FootPlantsArg> for FootPlants {
    fn from(typed: FootPlantsArg) -> Self {
        match typed {
            FootPlantsArg::Auto => FootPlants::Auto,
            FootPlantsArg::Ground => FootPlants::Ground,
            FootPlantsArg::Off => FootPlants::Off,
        }
    }
}

/// A file whose name has to end so.
fn ending(text: &str, wanted: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let fits = path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted));
    fits.then_some(path).ok_or_else(|| format!("expected a file that ends in .{wanted}"))
}

/// The same, or standard output.
fn ending_or_dash(text: &str, wanted: &str) -> Result<PathBuf, String> {
    if text == "-" { Ok(PathBuf::from(text)) } else { ending(text, wanted) }
}

fn contact_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ends = |end: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(end));
    let fits = ends("toml") || ends("json");
    fits.then_some(path).ok_or_else(|| "expected a file that ends in .toml or .json".to_owned())
}

/// The ending of results, with or without its dot.
fn result_ending(text: &str) -> Result<&'static str, String> {
    let known = convert::RESULT_ENDINGS;
    let is_it = |end: &&&str| end[1..].eq_ignore_ascii_case(text.trim_start_matches('.'));
    let names = || known.map(|end| &end[1..]).join(", ");
    known.iter().find(is_it).copied().ok_or_else(|| format!("expected one of {}", names()))
}

fn picture(text: &str) -> Result<PictureFile, String> {
    let path = PathBuf::from(text);
    let ends = |end: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(end));
    let kind = match (ends("png"), ends("svg")) {
        (true, _) => Picture::Png,
        (_, true) => Picture::Svg,
        _ => return Err("expected a file that ends in .png or .svg".to_owned()),
    };
    Ok(PictureFile { path, kind })
}

/// More than any machine has cores.
const MOST_THREADS: usize = 512;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

fn layout(text: &str) -> Result<Layout, String> {
    let names = || Layout::ALL.map(|layout| layout.name()).join(", ");
    Layout::named(&text.to_ascii_lowercase()).ok_or_else(|| format!("expected one of {}", names()))
}

fn fps(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.001..=100_000.0).contains(fps));
    fps.ok_or_else(|| "expected a number from 0.001 to 100000".to_owned())
}

fn scale(text: &str) -> Result<Scale, String> {
    let [least, most] = [Scale::BOUNDS.start(), Scale::BOUNDS.end()];
    let factor = || text.parse().ok().filter(|factor| Scale::BOUNDS.contains(factor));
    Scale::named(&text.to_ascii_lowercase())
        .or_else(|| factor().map(Scale::Factor))
        .ok_or_else(|| format!("expected leg, height, none, or a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_default_of_the_foot_plants_is_the_librarys() {
        let args = Args::parse_from(["retarget", "a.bvh", "--to", "b.bvh"]);
        let typed = args.retarget.expect("no command was given").foot_plants;
        assert_eq!(FootPlants::from(typed), FootPlants::default());
    }
}
