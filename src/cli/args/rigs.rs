//! The arguments of the commands that show and write rigs: `inspect`, `skeleton`.

use super::arrays::ArrayArgs;
use super::values::{PictureFile, ending_or_dash, picture};
use std::path::PathBuf;

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
    /// the role of each joint
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
    /// Which animation of the file shows the rig, by its name, where it holds several
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// State the rig as --to has it: that of glTF, VRM and FBX without their animations
    #[arg(long, conflicts_with = "clip")]
    pub as_target: bool,
    /// What you say of the rig: a skeleton.toml with roles, legs and the like
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub arrays: ArrayArgs,
    /// Write all that was found as keys with all digits, the joints too, for --from and --to: every clip
    /// is then mapped the same way, and one of another rig is an error
    #[arg(long)]
    pub lock: bool,
    /// Where the skeleton.toml goes [default: standard output]
    #[arg(short, long, value_name = "SKELETON.toml", value_parser = |text: &str| ending_or_dash(text, "toml"))]
    pub output: Option<PathBuf>,
}
