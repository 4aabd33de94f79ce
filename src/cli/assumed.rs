//! What a stance assumes, told for people and as JSON.

use crate::rig::{Assumed, Role};
use serde::Serialize;

/// Roles of which nothing shows how they lie in the stance.
#[derive(Debug, Serialize)]
pub(super) struct AssumedReport {
    /// Where their bones point.
    directions: Vec<String>,
    /// How they are rolled about their bones.
    rolls: Vec<String>,
}

impl AssumedReport {
    pub(super) fn new(assumed: &Assumed) -> Self {
        let texts = |roles: &[Role]| roles.iter().map(ToString::to_string).collect();
        Self { directions: texts(&assumed.directions), rolls: texts(&assumed.rolls) }
    }

    /// Both in one line, and the way out in another; `None` where nothing is assumed.
    pub(super) fn text(&self) -> Option<String> {
        let report = |what: &str, roles: &[String]| {
            (!roles.is_empty()).then(|| format!("{what} of {}", parts(roles).join(", ")))
        };
        let both = [report("directions", &self.directions), report("rolls", &self.rolls)];
        let both: Vec<String> = both.into_iter().flatten().collect();
        let way_out = "a pose under [reference] in skeleton.toml settles them";
        (!both.is_empty()).then(|| format!("{}\n          {way_out}", both.join("; ")))
    }
}

/// Roles without their sides and numbers, each part once.
fn parts(roles: &[String]) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for role in roles {
        let part = role.trim_start_matches("left_").trim_start_matches("right_");
        let part = part.split('.').next().unwrap_or(part);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}
