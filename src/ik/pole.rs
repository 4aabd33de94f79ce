//! Poles: limbs whose elbow or knee points in a given direction.

use super::angle::about;
use super::joint::JointKind;
use super::plan::Level;
use super::settings::Strategy;
use super::work::Work;
use crate::math::{Vec3, rejection};
use std::f64::consts::PI;

impl Work<'_> {
    /// Turns the limbs of a placed level whose goals have poles about the line from base to tip.
    pub fn point_poles(&mut self, level: &Level) {
        for &e in &level.effectors {
            if let Some(pole) = self.s.effectors[e as usize].goal.pole {
                self.point_pole(e as usize, pole);
            }
        }
    }

    fn point_pole(&mut self, e: usize, pole: Vec3) {
        let (plan, state) = (self.plan, self.s.effectors[e]);
        // A hand that can take its orientation alone keeps it while the limb turns.
        let holds_hand = plan.chains[e].has_wrist && state.goal.orientation.is_some();
        let &[upper, middle, ..] = plan.chains[e].own_movers(holds_hand) else { return };
        let (upper, middle) = (upper as usize, middle as usize);
        let joint = &plan.tree.joints[upper];
        if matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. }) {
            return;
        }
        let root = plan.tree.pivot(upper, &self.s.world);
        let short = 1e-9 * state.scale_len;
        let tip = plan.effectors[e].link().map_or(upper, |link| link.index());
        let end = if holds_hand { plan.tree.pivot(tip, &self.s.world) } else { state.point };
        let Some(line) = (end - root).try_normalize(short) else { return };
        let across = |p: Vec3| {
            let aside = rejection(p - root, line);
            (aside.norm() > short).then_some(aside)
        };
        let (Some(is), Some(wanted)) =
            (across(plan.tree.pivot(middle, &self.s.world)), across(pole))
        else {
            return;
        };
        let capped = self.settings.strategy == Strategy::Reach && self.settings.step.is_capped();
        let most = if capped { self.settings.step.max_turn_rad } else { PI };
        let angle = line.dot(&is.cross(&wanted)).atan2(is.dot(&wanted)).clamp(-most, most);
        let turned = about(line, angle * joint.weight) * self.s.world.rotations[upper];
        let local = joint.confine(self.parent_world(upper).inverse() * turned);
        if !joint.is_within_window(self.s.start.rotations[upper], local) {
            return;
        }
        let hand = self.s.world.rotations[tip];
        let kept = [upper, tip].map(|link| self.pose.rotations[link]);
        let before = self.cost_of(e);
        self.pose.rotations[upper] = local;
        self.refresh_path(e);
        if holds_hand {
            let hand = self.parent_world(tip).inverse() * hand;
            self.pose.rotations[tip] = plan.tree.joints[tip].confine(hand);
            self.refresh_path(e);
        }
        // A loss by rounding alone is ignored.
        if self.cost_of(e) > before * (1.0 + 1e-9) + 1e-24 && !self.is_reached(e) {
            self.pose.rotations[tip] = kept[1];
            self.pose.rotations[upper] = kept[0];
            self.refresh_path(e);
        }
    }
}
