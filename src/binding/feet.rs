//! Pairs the feet of two rigs, and finds how much higher the target's legs hold its body.

use super::{Aim, BindingError, Drive};
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{Foot, FootId, Rig};
use crate::skeleton::JointId;

/// The feet of two rigs whose legs have the same roles.
#[derive(Clone, Debug)]
pub(crate) struct FeetPairs {
    target_of: Vec<Option<FootId>>,
    source_of: Vec<Option<FootId>>,
}

impl FeetPairs {
    /// Pairs the feet. Fails if both bodies have legs, but none in common.
    pub fn new(source: &Rig, target: &Rig) -> Result<Self, BindingError> {
        let pairs =
            Self { target_of: partners(source, target), source_of: partners(target, source) };
        let legs = !source.feet.is_empty() && !target.feet.is_empty();
        if legs && pairs.source_of.iter().all(Option::is_none) {
            let names = |rig: &Rig| {
                rig.feet.iter().map(|foot| foot.name.clone()).collect::<Vec<_>>().join(", ")
            };
            return Err(BindingError::NoLegInCommon {
                of_source: names(source),
                of_target: names(target),
            });
        }
        Ok(pairs)
    }

    pub fn target_of(&self, source: FootId) -> Option<FootId> {
        self.target_of[source.index()]
    }

    pub fn source_of(&self, target: FootId) -> Option<FootId> {
        self.source_of[target.index()]
    }

    /// Pairs of source and target foot.
    fn iter(&self) -> impl Iterator<Item = (FootId, FootId)> + '_ {
        let ids = (0..).map(FootId::new);
        ids.zip(&self.target_of).filter_map(|(source, target)| Some((source, (*target)?)))
    }

    /// The topmost joints of the legs that both rigs have, or the hips of two bodies without.
    pub fn tops(&self, source: &Rig, target: &Rig, hips: [JointId; 2]) -> [Vec<JointId>; 2] {
        let top = |rig: &Rig, foot| rig.foot(foot).leg[0];
        match self.iter().next() {
            None => hips.map(|hips| vec![hips]),
            Some(_) => [
                self.iter().map(|(foot, _)| top(source, foot)).collect(),
                self.iter().map(|(_, foot)| top(target, foot)).collect(),
            ],
        }
    }

    /// How much higher over its soles than by scaling alone the target's body is in the source's stance, in target
    /// length units. For people this is the difference of the ankles' heights, since their legs scale to one length.
    /// For other legs it comes from their bones, each pointing where the source's bone points.
    pub fn lift(&self, source: &Rig, target: &Rig, drives: &[Drive], scale: f64) -> f64 {
        let world = WorldPose::of(&source.skeleton, &source.stance.local);
        let lifts = self.iter().map(|(s, t)| {
            let (s, t) = (source.foot(s), target.foot(t));
            match s.is_point() && t.is_point() {
                true => leg_lift(source, &world, s, t, drives, scale),
                false => t.stance_ankle_height - scale * s.stance_ankle_height,
            }
        });
        let (count, sum) = lifts.fold((0, 0.0), |(count, sum), lift| (count + 1, sum + lift));
        sum / count.max(1) as f64
    }
}

/// For each foot of `rig`, the foot of `other` whose leg begins with the same role.
fn partners(rig: &Rig, other: &Rig) -> Vec<Option<FootId>> {
    let role = |rig: &Rig, foot: &Foot| rig.roles.role(foot.leg[0]);
    let partner = |foot: &Foot| {
        let same = |id: &FootId| role(other, other.foot(*id)) == role(rig, foot);
        other.foot_ids().find(same)
    };
    rig.feet.iter().map(partner).collect()
}

fn leg_lift(
    source: &Rig,
    world: &WorldPose,
    source_foot: &Foot,
    target_foot: &Foot,
    drives: &[Drive],
    scale: f64,
) -> f64 {
    let bone = |id: &JointId| match &drives[id.index()] {
        Drive::Follow { aim: Some(Aim { source_stretch: [start, end], target_bone }), .. } => {
            let way = end.world(world) - start.world(world);
            way.try_normalize(1e-12).unwrap_or_default() * target_bone.norm()
        }
        _ => Vec3::zeros(),
    };
    let down: Vec3 = target_foot.leg.iter().map(bone).sum();
    let top = world.position(source_foot.leg[0]);
    let source_down = world.point(source_foot.ankle, source_foot.ball) - top;
    source.up.height(source_down) * scale - source.up.height(down)
}
