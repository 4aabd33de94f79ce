//! The arguments of the commands that judge results: `check`, `explain`, `report`, `blender`.

use super::arrays::ArrayArgs;
use super::asked::AskedArgs;
use super::values::{ending, frame};
use crate::batch::Limit;
use std::path::{Path, PathBuf};

/// The animations that are meant of a source and its result.
#[derive(clap::Args, Clone, Debug)]
pub struct AnimationArgs {
    /// Which animation of the source is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Which animation of the result is meant, by its name, where it holds several [default: the one that
    /// is named as the source is]
    #[arg(long, value_name = "NAME")]
    pub result_clip: Option<String>,
}

/// The rigs of a source and its result.
#[derive(clap::Args, Clone, Debug)]
pub struct RigArgs {
    /// The target that the result was made for [default: what the journal beside the result says, else
    /// the source's rig, if the result has its skeleton]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    /// What you say of the source's rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
}

/// A source and its result, and how both are read.
#[derive(clap::Args, Clone, Debug)]
pub struct PairArgs {
    /// The source clip: a file of any format that is read
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// The result: a file of any format that is read
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    #[command(flatten)]
    pub animations: AnimationArgs,
    #[command(flatten)]
    pub rigs: RigArgs,
    #[command(flatten)]
    pub asked: AskedArgs,
    #[command(flatten)]
    pub arrays: ArrayArgs,
}

impl PairArgs {
    /// The files that are named: the source, the result and the target.
    pub fn files(&self) -> Vec<&Path> {
        let files = [&self.source, &self.result].into_iter().chain(&self.rigs.to);
        files.map(|path| &**path).collect()
    }
}

/// Measure a result against its source: feet, limbs, smoothness, each with its worst joint and frame
///
/// The result may be any program's; docs/METRICS.md has the formulas. One of the two may be - for standard input.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// End with 3 if a number is above this, such as plant_drift_cm=0.1; may be given several times
    #[arg(long, value_name = "NAME=MOST")]
    pub limit: Vec<Limit>,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Tell what moved what in one frame: contacts, the pelvis offset, feet, knees, limits that hold joints back
#[derive(clap::Args, Debug)]
pub struct ExplainArgs {
    /// The clip: a file of any format that is read, or - for standard input; or a result of a library, whose clip its
    /// journal names
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// The skeleton to move onto: a skeleton.toml, a BVH file with or without motion, or a character: FBX, glTF or VRM
    /// [default: of a result what the journal beside it says]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    /// Which animation of the source is meant, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// The frame, from 0
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame)]
    pub frame: usize,
    /// What you say of the clip's own rig: a skeleton.toml with roles and the like, or a locked rig
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub asked: AskedArgs,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
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
    /// The result
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    #[command(flatten)]
    pub animations: AnimationArgs,
    /// Save both side by side, with a floor and marks where feet stand, as a Blender file
    #[arg(short, long, value_name = "FILE.blend", value_parser = |text: &str| ending(text, "blend"))]
    pub output: Option<PathBuf>,
    /// Save the same as binary glTF, by Blender's exporter
    #[arg(long, value_name = "FILE.glb", value_parser = |text: &str| ending(text, "glb"))]
    pub glb: Option<PathBuf>,
    /// Render a contact sheet, twelve moments of both
    #[arg(long, value_name = "FILE.png", value_parser = |text: &str| ending(text, "png"))]
    pub render: Option<PathBuf>,
    #[command(flatten)]
    pub rigs: RigArgs,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Blender, or a Python with bpy [default: the variable BLENDER, else what is on PATH]
    #[arg(long, value_name = "PROGRAM")]
    pub blender: Option<PathBuf>,
    /// Print the verdict as JSON
    #[arg(long)]
    pub json: bool,
}
