//! What was asked for of a conversion, said again where its result is judged or explained.

use super::values::{contact_file, scale};
use crate::convert::{LoadedContacts, SourceClip};
use crate::error::Error;
use crate::plant::FootPlants;
use crate::rig::Scale;
use crate::settings::Settings;
use clap::ValueEnum;
use std::path::PathBuf;

/// What the conversion was asked for that made a result. What is left out is as the journal beside the result says, else
/// at its default.
#[derive(clap::Args, Clone, Debug)]
pub struct AskedArgs {
    /// Where the result stands
    #[arg(long, help_heading = ASKED, value_name = "HOW", value_enum)]
    pub floor: Option<FloorArg>,
    /// Where the result faces
    #[arg(long, help_heading = ASKED, value_name = "HOW", value_enum)]
    pub facing: Option<FacingArg>,
    /// The scale method: leg, height, none or a factor
    #[arg(long, help_heading = ASKED, value_name = "HOW", allow_negative_numbers = true, value_parser = scale)]
    pub scale: Option<Scale>,
    /// What was done about the feet
    #[arg(long, help_heading = ASKED, value_name = "HOW", value_enum)]
    pub foot_plants: Option<FootPlantsArg>,
    /// The body was kept where it begins
    #[arg(long, help_heading = ASKED)]
    pub in_place: bool,
    /// The likeliest reading of a rig in doubt was taken
    #[arg(long, help_heading = ASKED)]
    pub accept_doubt: bool,
    /// The file that says when the source's feet stand
    #[arg(long, help_heading = ASKED, value_name = "FILE.toml|json", value_parser = contact_file)]
    pub use_contacts: Option<PathBuf>,
}

const ASKED: &str = "As the conversion had them [default: as the journal beside the result says]";

impl AskedArgs {
    /// Puts what is said of the settings into them.
    pub fn set(&self, settings: &mut Settings) {
        if let Some(floor) = self.floor {
            settings.keep_floor = floor == FloorArg::Keep;
        }
        if let Some(facing) = self.facing {
            settings.face_forward = facing == FacingArg::Forward;
        }
        if let Some(scale) = self.scale {
            settings.binding.scale = scale;
        }
        if let Some(foot_plants) = self.foot_plants {
            settings.plant.foot_plants = foot_plants.into();
        }
        settings.in_place |= self.in_place;
        settings.accept_doubt |= self.accept_doubt;
    }

    /// Reads when the feet of a source stand, where a file says it.
    pub fn set_contacts(&self, source: &mut SourceClip) -> Result<(), Error> {
        source.contacts = self.use_contacts.as_deref().map(LoadedContacts::load).transpose()?;
        Ok(())
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

impl FootPlantsArg {
    /// The word that is typed for it.
    pub fn word(foot_plants: FootPlants) -> String {
        let is_it = |arg: &&Self| FootPlants::from(**arg) == foot_plants;
        let value = Self::value_variants().iter().find(is_it).and_then(Self::to_possible_value);
        value.expect("each has a word").get_name().to_owned()
    }
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
