//! Whether the result is the right way round: trunk and hips against the source's, whatever the joints' frames
//! say. What is back to front, mirrored or lying down shows here and in nothing else.

use super::{Report, Seen, Worst};
use crate::binding::Binding;
use crate::math::median;
use crate::pose::WorldPose;
use crate::rig::{Landmarks, Role, Side};

/// The joints that show trunk and hips of source and target; none where a body is no person's.
pub(super) struct Ruler {
    bodies: Option<[Landmarks; 2]>,
}

#[derive(Default)]
pub(super) struct Tally {
    /// Of each frame, radians.
    off_rad: Vec<f64>,
    worst: Worst,
}

impl Ruler {
    pub fn new(binding: &Binding) -> Self {
        let [source, target] =
            [&binding.source, &binding.target].map(|rig| Landmarks::new(&rig.roles));
        Self { bodies: source.zip(target).map(|(source, target)| [source, target]) }
    }

    pub fn see(&self, tally: &mut Tally, seen: &Seen, counts: bool, binding: &Binding) {
        let (Some([source, target]), true) = (&self.bodies, counts) else { return };
        let hips = |body: &Landmarks, world: &WorldPose| {
            world.position(body.thighs[0]) - world.position(body.thighs[1])
        };
        let turn = binding.target_world_from_source;
        let trunk = (turn * source.trunk(seen.source)).angle(&target.trunk(seen.world));
        let sides = (turn * hips(source, seen.source)).angle(&hips(target, seen.world));
        let off_rad = trunk.max(sides);
        tally.off_rad.push(off_rad);
        tally.worst.note(off_rad, 0, seen.frame);
    }

    pub fn report(&self, report: &mut Report, tally: Tally, binding: &Binding) {
        let target = &binding.target;
        let worst = Worst { value: tally.worst.value.to_degrees(), ..tally.worst };
        let side = |side| target.joint(Role::Thigh(side));
        let joint = target.joint(Role::Hips).or(side(Side::Left));
        let name = joint.map_or("", |id| target.skeleton.name(id));
        report.wrong_way_deg = worst.measure(median(tally.off_rad).to_degrees(), |_| name);
    }
}

impl Tally {
    pub fn append(&mut self, next: Tally) {
        self.off_rad.extend(next.off_rad);
        self.worst.append(next.worst);
    }
}
