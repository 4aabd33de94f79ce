//! Everything about a conversion that can be set, in one place.
//!
//! ```
//! use retarget::Settings;
//!
//! let mut settings = Settings { keep_floor: true, ..Settings::default() };
//! settings.write.decimals = 4;
//! assert_ne!(settings, Settings::default());
//! ```

#![deny(missing_docs)]

use crate::binding::BindingSettings;
use crate::bvh::WriteSettings;
use crate::contact::ContactSettings;
use crate::edit::RootMotion;
use crate::plant::PlantSettings;
use serde::{Deserialize, Serialize};

/// Settings of a whole conversion; each stage owns its own part, and its defaults. What a text of them (JSON, say)
/// leaves out is at its default, and a name that they do not have is an error.
///
/// ```
/// use retarget::Settings;
///
/// let settings = Settings { in_place: true, ..Settings::default() };
/// let text = serde_json::to_string(&settings).unwrap();
/// assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
/// let short: Settings = serde_json::from_str(r#"{"plant": {"foot_plants": "off"}}"#).unwrap();
/// assert_eq!(short.write.decimals, 6);
/// assert!(serde_json::from_str::<Settings>(r#"{"feet": true}"#).is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How the rigs are bound: the scale.
    pub binding: BindingSettings,
    /// What counts as standing.
    pub contact: ContactSettings,
    /// What is done about feet and hands, and over which times.
    pub plant: PlantSettings,
    /// Whether the body stays where it begins: the hips of every frame are moved horizontally to where they are in the
    /// first one.
    pub in_place: bool,
    /// The joint above the hips that carries the travel in the result; the hips carry it where this is `None`.
    pub root_motion: Option<RootMotion>,
    /// Whether results keep the source's height over the origin, scaled, instead of standing on the target's floor.
    pub keep_floor: bool,
    /// Whether results are turned about up as a whole, so that the body begins facing where the target faces in its
    /// reference stance.
    pub face_forward: bool,
    /// How BVH is written: with how many decimals.
    pub write: WriteSettings,
    /// Whether a file that had to be repaired is refused, of the source and of the target.
    pub strict: bool,
    /// Whether to go on with the likeliest reading of a rig where what was found is in doubt.
    pub accept_doubt: bool,
}
