//! The arguments of the commands that draw clips: `sheet`, `view`.

use super::arrays::ArrayArgs;
use super::judging::PairArgs;
use super::values::{PictureFile, ending_or_dash, picture};
use std::path::PathBuf;

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
    /// [default: for each file what the journal beside it says]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Where the sheet goes: a file that ends in .png or .svg [default: sheet.png]
    #[arg(short, long, value_name = "SHEET", value_parser = picture)]
    pub output: Option<PictureFile>,
}

/// Write a page on which a result is looked at beside its source, in any browser
#[derive(clap::Args, Debug)]
pub struct ViewArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// Where the page goes [default: RESULT.html in the current folder]
    #[arg(short, long, value_name = "PAGE.html", value_parser = |text: &str| ending_or_dash(text, "html"))]
    pub output: Option<PathBuf>,
}
