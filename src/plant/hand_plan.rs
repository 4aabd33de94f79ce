//! The plan of a hand that leans on a floor: where its place is, how much of the way there it goes, and how it comes and leaves.

use super::arm::{Arm, TransferredArm, weight};
use super::contact_interval::{Frames, to_mean_place};
use super::limit_room::room;
use super::palm::Palm;
use super::reach::{drop_to_reach, full_reach, lowering};
use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, Limb};
use crate::math::{Quat, Vec3, curve, rotation_between, runs};
use crate::pose::WorldPose;
use crate::rig::{Side, UpAxis};

/// The plan of one hand over a clip in which it leans on a floor.
pub(super) struct HandPlan {
    pub side: Side,
    /// Offset of the hand's place on the floor from its transferred place, target length units; known in frames in which
    /// the hand leans. Of a hand that does not reach that place, as far as it goes there, once the plan knows that.
    offsets: Vec<Vec3>,
    pub leans: Vec<bool>,
    /// How far its lowest point comes up under its wrist as the hand lies down, target length units; known in frames in which
    /// the hand leans.
    pub lies_lens: Vec<f64>,
    /// How much of the way to its place the hand may go, from 0 to 1; known in frames in which it leans, once the rise of
    /// the body is known.
    worths: Vec<f64>,
    /// The part of the offset that was given up because it is too long, target length units; known in frames in which
    /// the hand leans.
    pub given_up: Vec<f64>,
    /// Known in frames in which the hand leans, comes to that or leaves it, or the trunk may lean for it.
    transferred: Vec<TransferredArm>,
    /// Offset of the arm by the lean of the trunk, target length units; empty where the trunk never leans.
    leaned: Vec<Vec3>,
    /// Length from the shoulder along the bones to the wrist, target length units.
    len: f64,
    /// How much the hand's goals count, from 0 to 1.
    weight: f64,
}

impl HandPlan {
    pub fn new(
        arm: &Arm,
        transferred: Vec<TransferredArm>,
        source: &Clip,
        track: &ContactTrack,
        binding: &Binding,
    ) -> Self {
        let up = binding.target.up;
        let skeleton = &binding.target.skeleton;
        let world = WorldPose::of(skeleton, &binding.target.stance.local);
        let bone =
            |i: usize| (world.position(arm.joints[i + 1]) - world.position(arm.joints[i])).norm();
        let len = bone(0) + bone(1);
        let mut offsets = vec![Vec3::zeros(); transferred.len()];
        let mut leans = vec![false; transferred.len()];
        let [worths, mut lies_lens] = [(); 2].map(|()| vec![0.0; transferred.len()]);
        let palm = Palm::of(arm, binding);
        for contact in track.of_limb(Limb::Hand(arm.side)) {
            let run = contact.frames.clone();
            let floor = binding.target_height(contact.floor_height);
            let heights = contact.heights(source, &binding.source).map(|len| len * binding.scale);
            let stands = palm.on_floor(&transferred[run.clone()], floor, heights);
            let wanted = to_mean_place(&stands.bottoms, stands.height, up);
            offsets[run.clone()].copy_from_slice(&wanted);
            lies_lens[run.clone()].fill(stands.lies_len);
            leans[run].fill(true);
        }
        let (side, weight, leaned) = (arm.side, weight(binding, arm.side), Vec::new());
        let given_up = vec![0.0; transferred.len()];
        Self { side, offsets, leans, lies_lens, worths, given_up, transferred, leaned, len, weight }
    }

    /// Decides how much of the way to its places the hand may go of a body that rises so in every frame: as its way is
    /// long while the body is up.
    pub fn judge(&mut self, track: &ContactTrack, rises: Option<&[f64]>, up: UpAxis) {
        for run in track.of_limb(Limb::Hand(self.side)).map(|contact| &contact.frames) {
            let rise = |f: usize| rises.map_or(0.0, |rises| rises[f]);
            let most = run.clone().map(rise).fold(0.0, f64::max);
            let is_up = |f: &usize| rise(*f) >= UP * most;
            let way = |f: usize| (self.offsets[f] - up.vector() * rise(f)).norm();
            let way = run.clone().filter(is_up).map(way).fold(0.0, f64::max);
            let worth = self.within(way, WORTH);
            self.worths[run.clone()].fill(worth);
        }
    }

    /// The transferred position of the shoulder in a frame in which the trunk may lean for the hand.
    pub fn shoulder(&self, frame: usize) -> Vec3 {
        self.transferred[frame].shoulder
    }

    /// Sets the offsets by which the trunk lean moves the arm, one for each frame.
    pub fn trunk_lean(&mut self, moved: Vec<Vec3>) {
        self.leaned = moved;
    }

    pub fn leaned(&self, frame: usize) -> Vec3 {
        self.leaned.get(frame).copied().unwrap_or_default()
    }

    /// How far the body must come down in every frame so that the hand reaches what it leans on.
    pub fn drops(&self, body: &[Vec3], up: UpAxis, frames: Frames) -> Vec<f64> {
        let needed: Vec<f64> = (0..body.len()).map(|f| self.drop_len(f, body[f], up)).collect();
        curve::envelope(&needed, frames.hand / 2)
    }

    /// Gives up the part of the way to its place that the hand may not go, that would raise it to its shoulder, for which
    /// it would be dragged far, or that the arm does not reach although the body, with the trunk, has moved by `carry`: an
    /// arm that is straight for a goal out of reach snaps as the goal comes back. A hand that goes no part of the way moves
    /// along with the body.
    pub fn bring_within_reach(&mut self, carry: &[Vec3], up: UpAxis, frames: Frames) {
        let dragged = self.dragged(carry, up);
        let given_up = |f: usize| {
            if !self.leans[f] {
                return 0.0;
            }
            let arm = &self.transferred[f];
            let (way, offset) = (arm.way(), self.offsets[f] - carry[f]);
            let most = up.height(way).max(-UNDER_SHOULDER * self.len);
            let is_reached = |share: f64| {
                let moved = offset * share;
                let reach = full_reach(way.norm(), moved.norm(), self.len);
                (way + moved).norm() <= SLACK * reach && up.height(way + moved) <= most
            };
            let kept = self.within(offset.norm(), WORTH).min(self.within(dragged[f], DRAGGED));
            1.0 - room(1.0, is_reached).min(kept)
        };
        let given_up: Vec<f64> = (0..carry.len()).map(given_up).collect();
        let given_up = curve::envelope(&given_up, frames.hand / 2);
        for f in (0..carry.len()).filter(|&f| self.leans[f]) {
            let given_up = 1.0 - self.worths[f].min(1.0 - given_up[f]);
            let offset = (self.offsets[f] - carry[f]) * given_up;
            self.offsets[f] -= offset;
            self.given_up[f] += offset.norm();
        }
    }

    /// The offsets of the hand from where a body that has moved by `carry` carries it.
    ///
    /// Before and after the frames in which the hand leans, its arm turns about its shoulder and becomes as long as transferred,
    /// both evenly: the length as a ratio, since an arm that folded while it leaned would fold up wholly, and softly, since a long
    /// arm has a long way. If the hand itself went an even way, its elbow would fold and open within some frames as it passes
    /// below its shoulder.
    pub fn off_shoulder(&self, carry: &[Vec3], frames: Frames) -> Vec<Vec3> {
        let leaning = |f: usize| self.offsets[f] - carry[f];
        let least = 1e-3 * self.len.max(1e-300);
        let turn = |f: usize| {
            if !self.leans[f] {
                return (Vec3::zeros(), 0.0);
            }
            let was = self.transferred[f].way();
            let way = was + leaning(f);
            let [was_len, len] = [was, way].map(|way| way.norm().max(least));
            (rotation_between(was, way).scaled_axis(), (len / was_len).ln())
        };
        let (mut turns, mut longer): (Vec<Vec3>, Vec<f64>) = (0..carry.len()).map(turn).unzip();
        curve::bridge(&mut turns, &self.leans, frames.hand, frames.slope);
        curve::bridge_softly(&mut longer, &self.leans, frames.lean_ease(), frames.slope);
        let offset = |f: usize| {
            if self.leans[f] {
                return leaning(f);
            }
            // To the bit: the solve leaves out arms that are asked for nothing.
            if turns[f] == Vec3::zeros() && longer[f] == 0.0 {
                return Vec3::zeros();
            }
            let was = self.transferred[f].way();
            Quat::from_scaled_axis(turns[f]) * was * longer[f].exp() - was
        };
        (0..carry.len()).map(offset).collect()
    }

    /// What is kept of something that so long a way makes worthless, more and more from the first of these lengths to the
    /// second, arm lengths.
    fn within(&self, way: f64, [from, to]: [f64; 2]) -> f64 {
        curve::ramp(way / self.len.max(1e-300), to, from)
    }

    /// How far the hand is moved horizontally, against a body that has moved by `carry`, other than in the mean of the
    /// frames in which it leans there; 0 in all other frames.
    fn dragged(&self, carry: &[Vec3], up: UpAxis) -> Vec<f64> {
        let mut dragged = vec![0.0; carry.len()];
        for run in runs(0..carry.len(), |f| self.leans[f]) {
            let moved = |f: usize| self.offsets[f] - carry[f];
            let mean = run.clone().map(moved).sum::<Vec3>() / run.len() as f64;
            run.for_each(|f| dragged[f] = up.level(moved(f) - mean).norm());
        }
        dragged
    }

    /// How far the body may rise in a frame in which the hand leans, until the arm is as long as transferred.
    pub fn rise_len(&self, frame: usize, body: Vec3, up: UpAxis) -> f64 {
        self.counts(frame) * self.room_len(frame, body, up)
    }

    /// How far the transferred body must rise in a frame: if the hand leans until the arm is as long as transferred,
    /// otherwise until the hand is over the `ground`.
    pub fn leap_len(&self, frame: usize, ground: f64, up: UpAxis) -> f64 {
        let len = match self.leans[frame] {
            true => self.room_len(frame, Vec3::zeros(), up),
            false => (ground - up.height(self.transferred[frame].bottom(up))).max(0.0),
        };
        self.weight * len
    }

    /// How far the shoulder of a body that has moved by `body` may rise until the arm is as long as transferred.
    fn room_len(&self, frame: usize, body: Vec3, up: UpAxis) -> f64 {
        let reach = self.transferred[frame].way().norm();
        (-lowering(self.above(frame, body), reach, up)).max(0.0)
    }

    /// How much the body moves in a frame so that the hand reaches its place, from 0 to 1.
    fn counts(&self, frame: usize) -> f64 {
        self.weight * self.worths[frame]
    }

    /// The vector to the shoulder of an arm that is moved by `carried` from its hand's goal, in a frame in which the hand
    /// leans.
    fn above(&self, frame: usize, carried: Vec3) -> Vec3 {
        let arm = &self.transferred[frame];
        arm.shoulder + carried - (arm.wrist + self.offsets[frame])
    }

    /// How far the body must come down in one frame so that the hand reaches its goal.
    pub fn drop_len(&self, frame: usize, body: Vec3, up: UpAxis) -> f64 {
        if !self.leans[frame] {
            return 0.0;
        }
        let arm = &self.transferred[frame];
        let carried = self.leaned(frame) + body;
        let moved = (self.offsets[frame] - carried).norm();
        let reach = full_reach((arm.wrist - arm.shoulder).norm(), moved, self.len);
        self.counts(frame) * drop_to_reach(self.above(frame, carried), reach, up)
    }
}

/// How much farther than it reaches fully an arm may be asked to reach.
const SLACK: f64 = 1.01;

/// A hand that leans is raised no farther than to so far under its shoulder, arm lengths. An arm that folds to raise its hand
/// past its shoulder, for long fingers that hang down from it, turns over within a few frames.
const UNDER_SHOULDER: f64 = 0.15;

/// The share of its largest rise from which on a body counts as up.
const UP: f64 = 0.9;

/// How far a hand may be moved to lean on a floor, arm lengths. If the way is longer than the first, the whole contact
/// gives up a growing share of it, and the body moves the less for it; from the second on the hand does not lean.
const WORTH: [f64; 2] = [0.75, 1.3];

/// How far a hand that leans may be dragged, arm lengths, until it gives up a growing share of its way, and all of it. A body
/// of other proportions passes over its hand faster than its source does: the hand would be left behind, and whip back as soon
/// as it comes off the floor.
const DRAGGED: [f64; 2] = [0.65, 0.85];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    /// The plan of a hand that leans in one frame, so much higher than transferred.
    fn raised(arm: TransferredArm, by: f64, worth: f64) -> HandPlan {
        HandPlan {
            side: Side::Left,
            offsets: vec![Vec3::new(0.0, by, 0.0)],
            leans: vec![true],
            lies_lens: vec![0.0],
            worths: vec![worth],
            given_up: vec![0.0],
            transferred: vec![arm],
            leaned: Vec::new(),
            len: 9.0,
            weight: 1.0,
        }
    }

    #[test]
    fn a_hand_is_not_raised_past_its_shoulder_for_its_long_fingers() {
        let up = UpAxis::Y;
        let raised_to = |wrist: f64, by: f64| {
            let wrist = Vec3::new(2.0, wrist, 0.0);
            let arm = TransferredArm { wrist, ..Default::default() };
            let mut plan = raised(arm, by, 1.0);
            let frames = Frames::new(&PlantSettings::default(), 0.01);
            plan.bring_within_reach(&[Vec3::zeros()], up, frames);
            up.height(wrist + plan.offsets[0])
        };
        assert!((raised_to(-6.0, 2.0) + 4.0).abs() < 1e-9, "one that stays below is");
        let under = raised_to(-5.0, 6.0);
        assert!((-2.5..-1.0).contains(&under), "raised to {under} over its shoulder");
        assert!((raised_to(1.0, 2.0) - 1.0).abs() < 1e-9, "one that is over it stays where it is");
    }

    #[test]
    fn an_arm_that_lets_go_behind_its_shoulder_does_not_fold_as_it_swings_through() {
        // 4 behind its transferred hand, which swings through 5 below the shoulder, and lets go as that is below.
        let count = 90;
        let swing = |f: usize| {
            let wrist = Quat::from_scaled_axis(Vec3::z() * (0.03 * (f as f64 - 40.0))) * -Vec3::y();
            TransferredArm { wrist: wrist * 5.0, ..Default::default() }
        };
        let plan = HandPlan {
            offsets: vec![-Vec3::x() * 4.0; count],
            leans: (0..count).map(|f| f < 40).collect(),
            transferred: (0..count).map(swing).collect(),
            ..raised(TransferredArm::default(), 0.0, 1.0)
        };
        let frames = Frames::new(&PlantSettings::default(), 0.01);
        let offsets = plan.off_shoulder(&vec![Vec3::zeros(); count], frames);
        let len = |f: usize| (plan.transferred[f].way() + offsets[f]).norm();
        assert!(
            (0..40).all(|f| (offsets[f] - plan.offsets[f]).norm() < 1e-9),
            "a leaning hand stays"
        );
        assert!(
            (40..count).all(|f| len(f) > 5.0 - 1e-9),
            "{:?}",
            (40..count).map(len).collect::<Vec<_>>()
        );
        let mut last = offsets[39 + frames.lean_ease()..].iter();
        assert!(last.all(|offset| *offset == Vec3::zeros()), "asked for nothing, to the bit");
    }

    #[test]
    fn a_hand_that_its_body_passes_over_stays_under_it_and_lets_go_before_and_after() {
        let up = UpAxis::Y;
        let frames = Frames::new(&PlantSettings::default(), 0.01);
        // The shoulder moves on by 0.14 a frame over the hand's place, which is the same throughout.
        let count = 100;
        let arm = TransferredArm { shoulder: Vec3::y() * 4.0, ..Default::default() };
        let plan = |aside: f64| HandPlan {
            offsets: vec![Vec3::x() * aside; count],
            leans: vec![true; count],
            worths: vec![1.0; count],
            given_up: vec![0.0; count],
            transferred: vec![arm; count],
            ..raised(arm, 0.0, 1.0)
        };
        let passes: Vec<Vec3> = (0..count).map(|f| Vec3::x() * (0.14 * f as f64 - 7.0)).collect();
        let mut passed = plan(0.0);
        passed.bring_within_reach(&passes, up, frames);
        assert!(passed.given_up[45..55].iter().all(|up| *up < 0.05), "{:?}", passed.given_up);
        assert!([0, count - 1].iter().all(|f| passed.given_up[*f] > 1.0), "{:?}", passed.given_up);
        let mut aside = plan(5.0);
        aside.bring_within_reach(&vec![Vec3::zeros(); count], up, frames);
        assert!(
            aside.given_up.iter().all(|up| *up < 1e-9),
            "a hand beside its place is not dragged"
        );
    }

    #[test]
    fn a_hand_that_lets_go_moves_along_with_its_body_and_pulls_it_nowhere() {
        let up = UpAxis::Y;
        let arm = TransferredArm {
            shoulder: Vec3::new(0.0, 9.0, 0.0),
            wrist: Vec3::new(0.0, 1.0, 2.0),
            ..Default::default()
        };
        let plan = |worth: f64, floor: f64| raised(arm, floor - 1.0, worth);
        let body = Vec3::new(1.0, 4.0, 0.0);
        let drop_len = |worth| plan(worth, 0.0).drop_len(0, body, up);
        let rise_len = |worth| plan(worth, 5.0).rise_len(0, Vec3::zeros(), up);
        assert!(drop_len(1.0) > 1.0 && rise_len(1.0) > 1.0, "one that leans does");
        assert!((drop_len(0.5) - 0.5 * drop_len(1.0)).abs() < 1e-12);
        assert_eq!([drop_len(0.0), rise_len(0.0)], [0.0; 2]);
        let mut lets_go = plan(0.0, 0.0);
        lets_go.bring_within_reach(&[body], up, Frames::new(&PlantSettings::default(), 0.01));
        assert!((lets_go.offsets[0] - body).norm() < 1e-12, "{}", lets_go.offsets[0]);
        assert!(lets_go.given_up[0] > 1.0, "it is a miss");
    }
}
