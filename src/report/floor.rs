//! How far hands, knees, soles and the rest of the body sink below the floor. What soles do while they stand has its own numbers.

use super::{FrameSample, LEG_CM, Report, Worst};
use crate::binding::Binding;
use crate::contact::ContactTrack;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side, hand_joints};
use crate::skeleton::JointId;

pub(super) struct Metrics {
    source: Points,
    /// Without the feet.
    target: Points,
    /// Height of the floor, source length units.
    floor_height: f64,
}

/// The deepest point below the floor, centimetres; it is of the joint with this index.
#[derive(Default)]
pub(super) struct Accumulator(Worst);

/// The joints of a rig that have a role, and all of its hands. What hangs on the rest is no part of a body: hair, a
/// skirt, a helper.
struct Points {
    joints: Vec<JointId>,
    /// The joint of each End Site of a hand, and the site's place in the joint's frame, length units.
    ends: Vec<(JointId, Vec3)>,
    /// How far a site is from its joint at most, length units.
    ends_len: f64,
}

impl Metrics {
    pub fn new(track: &ContactTrack, binding: &Binding) -> Self {
        let Binding { source, target, .. } = binding;
        let is_of_foot = |id: JointId| {
            target.feet.iter().any(|foot| target.skeleton.subtree(foot.ankle).contains(&id.index()))
        };
        let mut points = Points::of(target);
        points.joints.retain(|id| !is_of_foot(*id));
        Self { source: Points::of(source), target: points, floor_height: track.floor_height }
    }

    /// Adds a frame; `soles` are heel, ball and tip of each foot of the result, world.
    pub fn add(
        &self,
        sums: &mut Accumulator,
        sample: &FrameSample,
        soles: &[[Vec3; 3]],
        binding: &Binding,
    ) {
        let Binding { source, target, .. } = binding;
        let floor = binding.target_height(self.floor_height);
        let cm = LEG_CM / target.leg_len;
        // A source that goes down stairs is below the floor with all that it has.
        let source_floor = || self.source.lowest(source, sample.source).min(self.floor_height);
        // What is over the deepest point so far is no deeper, whatever its source does: a standing sole is a hair's breadth
        // below the floor.
        for ((id, foot), sole) in target.foot_ids().zip(&target.feet).zip(soles) {
            let bottom = foot.bottom(*sole, target.up);
            if (floor - bottom) * cm <= sums.0.value {
                continue;
            }
            let own = binding.source_foot(id).map_or(f64::INFINITY, |id| {
                let foot = source.foot(id);
                foot.bottom(foot.sole_world(sample.source), source.up)
            });
            let below = binding.target_height(source_floor().min(own)) - bottom;
            sums.0.note(below * cm, foot.toe.unwrap_or(foot.ankle).index(), sample.frame);
        }
        if self.target.are_above(floor, target, sample.world) {
            return;
        }
        let lowest = self.target.lowest(target, sample.world);
        if (floor - lowest) * cm <= sums.0.value {
            return;
        }
        let below = binding.target_height(source_floor()) - lowest;
        let of = self.target.heights(target, sample.world).find(|(_, height)| *height == lowest);
        let of = of.map_or(0, |(id, _)| id.index());
        sums.0.note(below * cm, of, sample.frame);
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, rig: &Rig) {
        let name = |of: usize| rig.skeleton.ids().nth(of).map_or("", |id| rig.skeleton.name(id));
        report.below_floor_cm = sums.0.measure(sums.0.value, name);
    }
}

impl Points {
    fn of(rig: &Rig) -> Self {
        let skeleton = &rig.skeleton;
        // Without a hand what hangs on the forearm is of the hand, or held by it.
        let hand = |side| rig.joint(Role::Hand(side)).or_else(|| rig.joint(Role::Forearm(side)));
        let hands = Side::BOTH.into_iter().filter_map(hand);
        let of_hands: Vec<JointId> = hands.flat_map(|hand| hand_joints(skeleton, hand)).collect();
        let ends_of = |id: &JointId| {
            let id = *id;
            skeleton.joint(id).end_sites.iter().map(move |end| (id, *end))
        };
        let ends: Vec<(JointId, Vec3)> = of_hands.iter().flat_map(ends_of).collect();
        let ends_len = ends.iter().map(|(_, end)| end.norm()).fold(0.0, f64::max);
        let has_part = |id: &JointId| rig.roles.role(*id).is_some() || of_hands.contains(id);
        Self { joints: skeleton.ids().filter(has_part).collect(), ends, ends_len }
    }

    /// Whether the joints alone show that no point is below this height.
    fn are_above(&self, height: f64, rig: &Rig, world: &WorldPose) -> bool {
        let is_above = |id: &JointId| rig.up.height(world.position(*id)) - self.ends_len > height;
        self.joints.iter().all(is_above)
    }

    /// The joints of all points with their heights in this pose.
    fn heights(&self, rig: &Rig, world: &WorldPose) -> impl Iterator<Item = (JointId, f64)> {
        let joints = self.joints.iter().map(|id| (*id, world.position(*id)));
        let ends = self.ends.iter().map(|(id, end)| (*id, world.point(*id, *end)));
        joints.chain(ends).map(|(id, place)| (id, rig.up.height(place)))
    }

    /// The height of the lowest point in this pose; infinite where there are no points.
    fn lowest(&self, rig: &Rig, world: &WorldPose) -> f64 {
        self.heights(rig, world).fold(f64::INFINITY, |lowest, (_, height)| lowest.min(height))
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.0.append(next.0);
    }
}
