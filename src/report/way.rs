//! Whether the result is the right way round: the directions of trunk and hips compared with the source's, computed
//! from positions alone. No other number shows a result that is back to front, mirrored or lying down.

use super::{FrameSample, Report, Worst};
use crate::binding::Binding;
use crate::math::median;
use crate::pose::WorldPose;
use crate::rig::{Landmarks, Role, Side};

/// The joints that show the directions of trunk and hips, of source and target; `None` unless both bodies are people's.
pub(super) struct Metrics {
    bodies: Option<[Landmarks; 2]>,
}

#[derive(Default)]
pub(super) struct Accumulator {
    /// Of each frame, radians.
    off_rad: Vec<f64>,
    worst: Worst,
}

impl Metrics {
    pub fn new(binding: &Binding) -> Self {
        let [source, target] =
            [&binding.source, &binding.target].map(|rig| Landmarks::new(&rig.roles));
        Self { bodies: source.zip(target).map(|(source, target)| [source, target]) }
    }

    pub fn add(
        &self,
        sums: &mut Accumulator,
        sample: &FrameSample,
        counts: bool,
        binding: &Binding,
    ) {
        let (Some([source, target]), true) = (&self.bodies, counts) else { return };
        let hips = |body: &Landmarks, world: &WorldPose| {
            world.position(body.thighs[0]) - world.position(body.thighs[1])
        };
        let turn = binding.target_world_from_source;
        let trunk = (turn * source.trunk(sample.source)).angle(&target.trunk(sample.world));
        let sides = (turn * hips(source, sample.source)).angle(&hips(target, sample.world));
        let off_rad = trunk.max(sides);
        sums.off_rad.push(off_rad);
        sums.worst.note(off_rad, 0, sample.frame);
    }

    pub fn report(&self, report: &mut Report, sums: Accumulator, binding: &Binding) {
        let target = &binding.target;
        let worst = Worst { value: sums.worst.value.to_degrees(), ..sums.worst };
        let side = |side| target.joint(Role::Thigh(side));
        let joint = target.joint(Role::Hips).or(side(Side::Left));
        let name = joint.map_or("", |id| target.skeleton.name(id));
        report.wrong_way_deg = worst.measure(median(sums.off_rad).to_degrees(), |_| name);
    }
}

impl Accumulator {
    pub fn append(&mut self, next: Accumulator) {
        self.off_rad.extend(next.off_rad);
        self.worst.append(next.worst);
    }
}
