//! The arguments of a conversion, of one clip or of a library.

use super::arrays::{ARRAYS, ArrayArgs};
use super::asked::{FacingArg, FloorArg, FootPlantsArg};
use super::values::{contact_file, fps, layout, result_ending, scale, threads};
use crate::batch::{Limit, Shard};
use crate::bvh::WriteSettings;
use crate::edit::RootMotion;
use crate::positions::Layout;
use crate::rig::Scale;
use crate::settings::Settings;
use std::num::NonZeroUsize;
use std::path::PathBuf;

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
    /// folder, with --clip NAME IN.NAME.TARGET.bvh, and a clip from standard input goes to standard output. A file of that name is
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
    #[arg(long, value_name = "HOW", allow_negative_numbers = true, value_parser = scale)]
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
        allow_negative_numbers = true,
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
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Which points a .npy or .npz file of places holds: humanml3d, smpl, coco17, h36m17, mediapipe33 or kinect25
    #[arg(long, value_name = "NAME", value_parser = layout, help_heading = ARRAYS)]
    pub layout: Option<Layout>,
    /// How many frames a second a .npy or .npz file has [default: what it says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = fps, help_heading = ARRAYS)]
    pub fps: Option<f64>,
    /// Your file of an SMPL model, .npz, which says how long the bones of SMPL and AMASS files are
    #[arg(long, value_name = "MODEL.npz", help_heading = ARRAYS)]
    pub smpl_model: Option<PathBuf>,
    /// A text file that names a clip or a folder on each line, - for standard input
    #[arg(long, value_name = "FILE", help_heading = LIBRARIES)]
    pub files_from: Option<PathBuf>,
    /// Clips in hand at a time [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads, help_heading = LIBRARIES)]
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

/// What only a library takes; each of these makes a library of a single file too.
const LIBRARIES: &str = "Libraries";

impl RetargetArgs {
    /// The settings that these arguments mean.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.plant.foot_plants = self.foot_plants.into();
        settings.write.decimals = self.decimals;
        settings.in_place = self.in_place;
        settings.root_motion = self.root_motion.clone().map(|name| match name.as_str() {
            "auto" => RootMotion::Auto,
            _ => RootMotion::Named(name),
        });
        settings.keep_floor = self.floor == FloorArg::Keep;
        settings.face_forward = self.facing == FacingArg::Forward;
        settings.strict = self.strict;
        settings.accept_doubt = self.accept_doubt;
        if let Some(scale) = self.scale {
            settings.binding.scale = scale;
        }
        settings
    }

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
