//! What a summary says of one rig of a pair.

use crate::binding::Binding;
use crate::cli::assumed::AssumedReport;
use crate::cli::text::{count, percent};
use crate::convert;
use crate::error::way_out;
use crate::rig::{Certainty, Evidence, Recognised, Rig, StanceOrigin};
use serde::Serialize;
use std::fmt::Write;

/// What was recognised of a rig.
#[derive(Debug, Serialize)]
pub struct RigSummary {
    file: String,
    family: Option<&'static str>,
    joints: usize,
    roles: Vec<RoleSummary>,
    up: String,
    stance: StanceOrigin,
    /// How confident the recognition is.
    sure: Certainty,
    /// What nothing tells of its stance, where the result depends on it.
    assumed: AssumedReport,
    /// Whether an arm ends at its forearm.
    lacks_hands: bool,
    /// What was in doubt and was used all the same.
    doubts: Vec<String>,
    /// Thigh plus shin, in the file's own unit.
    leg_len: f64,
    repaired: Vec<String>,
}

/// A role and how sure it is.
#[derive(Debug, Serialize)]
pub struct RoleSummary {
    pub role: String,
    pub joint: String,
    pub confidence: f64,
    pub reason: String,
}

/// What arms that end at their forearms lack.
pub const NO_HANDS: &str =
    "no joint is its hand: as a target's, hands are neither planted nor kept over the floor";

impl RigSummary {
    /// Of a rig of a pair.
    pub fn new(
        file: String,
        rig: &Rig,
        pair: &Binding,
        recognised: &Recognised,
        repaired: Vec<String>,
    ) -> Self {
        let stance_doubt = pair.stance_doubt(rig).map(|doubt| doubt.to_string());
        let role = |e: &Evidence| RoleSummary {
            role: e.role.to_string(),
            joint: rig.skeleton.name(e.joint).to_owned(),
            confidence: e.confidence,
            reason: e.reasons.to_string(),
        };
        Self {
            file,
            family: recognised.family,
            joints: rig.skeleton.len(),
            roles: recognised.evidence.iter().map(role).collect(),
            up: rig.up.to_string(),
            stance: rig.stance.origin.clone(),
            sure: Certainty::of(recognised, rig),
            assumed: AssumedReport::new(&pair.assumed(rig)),
            lacks_hands: rig.lacks_hands(),
            doubts: convert::doubts(recognised, rig).into_iter().chain(stance_doubt).collect(),
            leg_len: rig.leg_len,
            repaired,
        }
    }

    pub fn write(&self, out: &mut String, label: &str, all: bool) -> std::fmt::Result {
        let family = self.family.map_or(String::new(), |family| format!("{family}; "));
        let (roles, joints) = (self.roles.len(), count(self.joints, "joint"));
        write!(out, "{label:8}  {}: {family}{roles} of {joints} mapped", self.file)?;
        match self.roles.iter().min_by(|a, b| a.confidence.total_cmp(&b.confidence)) {
            Some(least) if least.confidence < 1.0 => writeln!(
                out,
                "; weakest match {:?} → {}, {}",
                least.joint,
                least.role,
                percent(least.confidence)
            )?,
            _ => writeln!(out, "; all as written")?,
        }
        if label == "target" && self.lacks_hands {
            writeln!(out, "          {NO_HANDS}")?;
        }
        for doubt in &self.doubts {
            let line = format!("in doubt, and gone on with: {doubt}{}", way_out(&self.file, doubt));
            line.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
        }
        if all {
            writeln!(out, "    up {}; stance: {}", self.up, self.stance)?;
            for role in &self.roles {
                let sure = percent(role.confidence);
                writeln!(out, "    {:18} {:?} ({sure}, {})", role.role, role.joint, role.reason)?;
            }
            for repair in &self.repaired {
                writeln!(out, "    repaired: {repair}")?;
            }
        } else if !self.repaired.is_empty() {
            let places = count(self.repaired.len(), "place");
            writeln!(out, "          repaired in {places}; -v tells more")?;
        }
        Ok(())
    }
}
