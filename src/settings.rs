//! Everything about a conversion that can be set, in one place.

use crate::binding::BindingSettings;
use crate::bvh::WriteSettings;
use crate::contact::ContactSettings;
use crate::edit::RootMotion;
use crate::plant::PlantSettings;

/// Settings of a whole conversion; each stage owns its own part, and its defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    pub binding: BindingSettings,
    pub contact: ContactSettings,
    pub plant: PlantSettings,
    /// Whether the body stays where it begins: in the end its hips are kept from travelling on the
    /// level.
    pub in_place: bool,
    /// The joint above the hips that carries the travel in the result; the hips do where nothing is said.
    pub root_motion: Option<RootMotion>,
    /// Whether results keep the source's height over the origin instead of standing on the target's floor.
    pub keep_floor: bool,
    /// Whether results are turned about up as a whole, so that the body begins facing where the target faces in its
    /// reference stance.
    pub face_forward: bool,
    pub write: WriteSettings,
    /// Whether a file that has to be mended is refused.
    pub strict: bool,
    /// Whether to go on with the likeliest reading of a rig where what was found is in doubt.
    pub accept_doubt: bool,
}
