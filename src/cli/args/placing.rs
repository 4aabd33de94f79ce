//! Where results stand and face in the world, as typed.

use crate::settings::Settings;
use clap::ValueEnum;

/// Where a result was put in the world.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct PlacingArgs {
    /// Where the result stands: what --floor of its conversion was [default: as its journal says, else target]
    #[arg(long, value_name = "HOW", value_enum)]
    pub floor: Option<FloorArg>,
    /// Where the result faces: what --facing of its conversion was [default: as its journal says, else keep]
    #[arg(long, value_name = "HOW", value_enum)]
    pub facing: Option<FacingArg>,
}

impl PlacingArgs {
    /// Puts what is said of it into the settings.
    pub fn set(self, settings: &mut Settings) {
        if let Some(floor) = self.floor {
            settings.keep_floor = floor == FloorArg::Keep;
        }
        if let Some(facing) = self.facing {
            settings.face_forward = facing == FacingArg::Forward;
        }
    }
}

/// Where results stand, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FloorArg {
    /// On the target's floor
    Target,
    /// At the source's height over the origin
    Keep,
}

/// Where results face, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FacingArg {
    /// Where the source faces
    Keep,
    /// In the first frame where the target faces in its stance
    Forward,
}
