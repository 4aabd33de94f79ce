//! `samples/README.md`, written from what the samples are.

use super::animals::Sample;
use super::motion::Motion;
use super::rig::Rig;
use super::targets::Target;
use std::fmt::Write;

pub fn readme(
    motions: &[Motion],
    styles: &[Rig],
    targets: &[Target],
    animals: &[Sample],
) -> String {
    let mut text = String::from(
        "# Samples\n\n\
         Motions with known truth, and skeletons to carry them onto. All of it is made by\n\
         `cargo run --example make_samples`, from formulas alone: no recorded data, the same bytes \
         on every run.\n\n\
         One body of 1.80 m does everything, so that a clip says the same in each style.\n\n\
         ## Motions\n\n| | |\n|---|---|\n",
    );
    for motion in motions {
        let _ = writeln!(text, "| `{}` | {} |", motion.name, motion.about);
    }
    text.push_str("\n## Styles\n\n| folder | how it is written | clips |\n|---|---|---|\n");
    for rig in styles {
        let folder = if rig.folder.is_empty() { "." } else { rig.folder };
        let _ = writeln!(text, "| `{folder}` | {} | {} |", rig.about, rig.motions.join(", "));
    }
    text.push_str(
        "\n## Truth\n\n\
         Beside each `NAME.bvh` stands `NAME.truth.json`: which points of the soles belong to which\n\
         joint, when each heel, ball and toe tip stands, from which frame up to which, where, and on which\n\
         floor. While a part stands its point does not move at all. A ball lies under its toe joint\n\
         and moves with it; the foot turns about the toe joint while the heel is up. Where knees or a hand\n\
         rest on the floor, it says so too. Lengths are in the clip's own units, frame ranges leave out\n\
         their end.\n\n\
         ## Skeletons\n\n| `skeletons/` | |\n|---|---|\n",
    );
    for target in targets {
        let files: Vec<String> =
            target.files().iter().map(|(path, _)| format!("`{path}`")).collect();
        let _ = writeln!(text, "| {} | {} |", files.join(", "), target.about);
    }
    text.push_str(
        "\n## Animals\n\n\
         Each clip with its truth, what is to be said of its rig (`--from`), and a second creature of\n\
         another build to carry it onto (`--to`).\n\n\
         | `animals/` | `--from` | `--to` | |\n|---|---|---|---|\n",
    );
    for animal in animals {
        let (from, to) = (&animal.creature, &animal.other);
        let _ = writeln!(
            text,
            "| `{}.bvh` | `{}.toml`: {} | `{}.toml`: {} | {} |",
            animal.name, from.name, from.about, to.name, to.about, animal.about
        );
    }
    text
}
