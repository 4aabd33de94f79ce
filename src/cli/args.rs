//! Arguments as typed. Defaults come from the library's settings.

mod arrays;
mod asked;
mod judging;
mod pictures;
mod retarget;
mod rigs;
mod values;

pub use arrays::ArrayArgs;
pub use asked::FootPlantsArg;
use clap::{Parser, Subcommand};
pub use judging::{AnimationArgs, BlenderArgs, CheckArgs, ExplainArgs, PairArgs, ReportArgs};
pub use pictures::{SheetArgs, ViewArgs};
pub use retarget::RetargetArgs;
pub use rigs::{InspectArgs, SkeletonArgs};
pub use values::{Picture, PictureFile};

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

/// Retargets motion capture from any skeleton onto another one, and keeps planted feet planted.
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

/// Print what a shell reads to complete arguments, to be put where it looks for such
#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::FootPlants;
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
