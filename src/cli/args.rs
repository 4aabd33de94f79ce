//! Arguments as typed. Defaults come from the library's settings.

use clap::{Parser, Subcommand, ValueEnum};
use retarget::binding::Scale;
use retarget::bvh::WriteSettings;
use retarget::plant::FootPlants;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  retarget walk.bvh --to hero.toml            write ./walk.hero.bvh
  retarget walk.bvh --to hero.bvh -o out.bvh  any BVH file serves as a target
  retarget - --to hero.toml < walk.bvh > out.bvh
  retarget inspect walk.bvh                   see what is recognised
  retarget skeleton hero.bvh -o hero.toml     a file to correct what is not

A file that is called like a command is written ./inspect.";

const MORE: &str = "
Exit codes: 0 done, 1 a file failed, 2 wrong usage, 130 interrupted.

Not done yet: several clips in one run; other animals than people; glTF and
FBX; a viewer; hands kept on the floor or on each other; a stance for rigs in
which no pose shows one (write [reference] into skeleton.toml).";

/// Carries motion capture from any skeleton onto another one, plants the feet, and writes BVH.
#[derive(Parser, Debug)]
#[command(
    name = "retarget",
    version,
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n{MORE}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
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
}

#[derive(clap::Args, Debug)]
pub struct RetargetArgs {
    /// The clip: a BVH file, or - for standard input
    #[arg(value_name = "IN.bvh")]
    pub input: PathBuf,
    /// The skeleton to move onto: a skeleton.toml, or a BVH file with or without motion
    #[arg(long, value_name = "TARGET")]
    pub to: PathBuf,
    /// Where the result goes, - for standard output
    ///
    /// Without it a clip IN.bvh that is carried onto TARGET.toml becomes IN.TARGET.bvh in the current
    /// folder, and a clip from standard input goes to standard output. A file of that name is
    /// replaced, whole or not at all; an input is never overwritten.
    #[arg(short, long, value_name = "OUT.bvh")]
    pub output: Option<PathBuf>,
    /// What you say of the clip's own rig: a skeleton.toml with roles and the like, or a locked
    /// rig, which `retarget skeleton` writes, to which the clip is held
    #[arg(long, value_name = "SOURCE.toml")]
    pub from: Option<PathBuf>,
    /// What is done about the feet
    #[arg(long, value_name = "HOW", value_enum, default_value_t = FootPlantsArg::Auto)]
    pub foot_plants: FootPlantsArg,
    /// How lengths grow: `leg` by the ratio of the legs, or a factor, target over source
    /// [default: the target's `scale`, else leg]
    #[arg(long, value_name = "leg|FACTOR", value_parser = scale)]
    pub scale: Option<Scale>,
    /// Decimals of every number in the motion
    #[arg(
        long,
        value_name = "N",
        default_value_t = WriteSettings::default().decimals,
        value_parser = clap::value_parser!(u8).range(0..=15)
    )]
    pub decimals: u8,
    /// Print the result as JSON
    #[arg(long, conflicts_with_all = ["quiet", "verbose"])]
    pub json: bool,
    /// Print the roles of every joint, what was mended, and every miss
    #[arg(short, long)]
    pub verbose: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// Show what is recognised in a file: joints, roles, stance, units, floor, contacts
#[derive(clap::Args, Debug)]
pub struct InspectArgs {
    /// A BVH file, a skeleton.toml, or - for BVH on standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Write a commented skeleton.toml for a rig, to be read and edited
#[derive(clap::Args, Debug)]
pub struct SkeletonArgs {
    /// The rig's BVH file, with or without motion; the skeleton.toml will name it
    #[arg(value_name = "RIG.bvh")]
    pub rig: PathBuf,
    /// Write all that was found as keys, the joints too, for --from: every clip is then mapped the same
    /// way, and one of another rig is an error
    #[arg(long)]
    pub lock: bool,
    /// Where the skeleton.toml goes [default: standard output]
    #[arg(short, long, value_name = "SKELETON.toml")]
    pub output: Option<PathBuf>,
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

fn scale(text: &str) -> Result<Scale, String> {
    if text.eq_ignore_ascii_case("leg") {
        return Ok(Scale::Leg);
    }
    let factor = text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 0.0);
    factor.map(Scale::Factor).ok_or_else(|| "expected leg, or a number above zero".to_owned())
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
