//! The target, and how clips are retargeted onto it: the same for one clip and for a library.

use super::args::{ArrayArgs, RetargetArgs};
use super::failure::{Failure, say};
use super::made_for::load_target;
use super::stream::is_dash;
use crate::batch::Limit;
use crate::convert::{self, LoadedRig};
use crate::rig::{RigFile, Scale};
use crate::settings::Settings;
use std::path::PathBuf;

/// What is done to every clip of a command.
#[derive(Debug)]
pub struct Setup {
    pub target: PathBuf,
    /// What the user says of the source's rig.
    pub from: Option<PathBuf>,
    /// What the user says of the scale; it goes before what the target's file says.
    pub scale: Option<Scale>,
    pub settings: Settings,
    /// What files of arrays leave open, the target's among them.
    pub arrays: ArrayArgs,
    /// The limits that every result has to keep.
    pub limits: Vec<Limit>,
    pub verbosity: Verbosity,
}

/// How much is printed of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    Nothing,
    Short,
    All,
    Json,
}

impl Setup {
    /// What the arguments mean. Touches no file.
    pub fn meant(args: &RetargetArgs) -> Result<Self, Failure> {
        for (option, path) in [("--to", Some(&args.to)), ("--from", args.from.as_ref())] {
            if path.is_some_and(|path| is_dash(path)) {
                return Err(Failure::Usage(format!(
                    "{option} takes a file; only IN.bvh can be standard input"
                )));
            }
        }
        let verbosity = match (args.json, args.quiet, args.verbose) {
            (true, ..) => Verbosity::Json,
            (_, true, _) => Verbosity::Nothing,
            (_, _, true) => Verbosity::All,
            _ => Verbosity::Short,
        };
        let (target, from, scale) = (args.to.clone(), args.from.clone(), args.scale);
        let (settings, limits, arrays) = (args.settings(), args.limit.clone(), args.arrays());
        Ok(Self { target, from, scale, settings, arrays, limits, verbosity })
    }

    /// Reads the target, and what the user wrote of the source's rig. Prints a note where no joint can carry the
    /// travel.
    pub fn load(&self) -> Result<(LoadedRig, RigFile), Failure> {
        let reading = self.arrays.reading(None);
        let target = load_target(&self.target, &reading, self.settings.accept_doubt)?;
        let target = convert::with_asked_scale(target, self.scale.is_some());
        let root = convert::root_joint(&target, &self.settings)?;
        if self.settings.root_motion.is_some() && root.is_none() {
            say("note: nothing is above the target's hips, so that the travel stays on them");
        }
        let from = self.from.as_deref();
        let written = convert::read_written(from)?;
        Ok((target, written))
    }
}
