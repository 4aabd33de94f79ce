//! One frame at a time, for editors and live streams: nothing is known of what comes.
//!
//! A [`Retargeter`] transfers a pose, finds or is given the feet that stand, holds these in their places, and solves
//! the body as [`plant`](crate::plant) does. Springs take the place of the curves over a whole clip: a foot that begins
//! to stand stays where it is, and eases back to its transferred position once it leaves; the body follows the feet
//! that stand, and comes down as far as they need. For a clip in a file [`convert`](fn@crate::convert) is better, since
//! it knows contacts before they begin.
//!
//! ```
//! use retarget::{Binding, LoadedRig, Pose, Retargeter, Settings};
//! use std::sync::Arc;
//!
//! let source = LoadedRig::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let settings = Settings::default();
//! let binding = Arc::new(Binding::between(&source, &target, &settings)?);
//! let mut retargeter = Retargeter::new(binding, &settings, 1.0 / 60.0);
//! let mut result = Pose::rest(&target.rig.skeleton);
//! retargeter.frame(&Pose::rest(&source.rig.skeleton), &mut result);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod causal;
mod foot;

use crate::binding::Binding;
use crate::math::{Spring, Vec3};
use crate::plant::{
    Body, BodyScratch, FootGoal, FrameGoal, Leg, PlantSettings, drop_to_reach, leg_reach,
};
use crate::pose::{Pose, WorldPose};
use crate::rig::FootId;
use crate::settings::Settings;
use crate::transfer::{Transfer, TransferScratch};
use causal::Watch;
use foot::{Around, LiveFoot};
use std::sync::Arc;

/// The body follows the feet that stand over this many times the time over which a clip's curve is smooth, because no
/// contact is known before it begins.
const FOLLOW: f64 = 1.5;

/// Which parts of a foot stand in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stands {
    /// Whether the heel rests on the floor.
    pub heel: bool,
    /// Whether the ball of the foot rests on the floor.
    pub ball: bool,
}

/// Retargets a stream of poses of one binding.
///
/// Source poses are local poses of the source rig, results local poses of the target rig, each in the length unit of
/// its own rig. Equal streams give equal frames. A frame costs a transfer and a solve, and allocates nothing.
///
/// ```
/// use retarget::{Binding, LoadedRig, Pose, Retargeter, Settings, SourceClip};
/// use std::sync::Arc;
///
/// # fn main() -> Result<(), retarget::Error> {
/// let source = LoadedRig::load("samples/walk.bvh")?;
/// let target = LoadedRig::load("samples/skeletons/hero.toml")?;
/// let settings = Settings::default();
/// let binding = Arc::new(Binding::between(&source, &target, &settings)?);
/// let mut retargeter = Retargeter::new(binding, &settings, 1.0 / 60.0);
///
/// let clip = SourceClip::load("samples/walk.bvh")?.clip;
/// let (mut pose, mut result) = (clip.pose(0), Pose::rest(&target.rig.skeleton));
/// for frame in 0..clip.len() {
///     clip.read_pose(frame, &mut pose);
///     retargeter.frame(&pose, &mut result);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Retargeter {
    binding: Arc<Binding>,
    settings: PlantSettings,
    times: Times,
    transfer: Transfer<Arc<Binding>>,
    transferred: TransferScratch,
    watch: Watch,
    legs: Vec<Leg>,
    body: Body,
    scratch: BodyScratch,
    feet: Vec<LiveFoot>,
    goals: Vec<FootGoal>,
    stands: Vec<Stands>,
    /// The height of the floor, target world.
    ground: f64,
    offset: Spring,
    drop: Spring,
    support: Option<FootId>,
    world: WorldPose,
}

/// The times of a foot's springs, seconds.
#[derive(Clone, Copy, Debug)]
struct Times {
    ease_s: f64,
    firm_s: f64,
    step_s: f64,
}

impl Retargeter {
    /// A stream whose frames are `frame_time_s` seconds apart. A frame time that is not positive and finite counts as a
    /// sixtieth of a second.
    ///
    /// Of the settings it follows what counts as standing ([`Settings::contact`]: the bounds at which a contact begins
    /// and ends, and the time over which speeds are measured) and the times over which feet and body move
    /// ([`Settings::plant`]: `ease_s`, `firm_s`, `body_s` and `envelope_s`). All other settings have no effect; scale,
    /// floor and heading are those of the binding.
    pub fn new(binding: Arc<Binding>, settings: &Settings, frame_time_s: f64) -> Self {
        let is_sound = frame_time_s.is_finite() && frame_time_s > 0.0;
        let step_s = if is_sound { frame_time_s } else { 1.0 / 60.0 };
        let times = Times { ease_s: settings.plant.ease_s, firm_s: settings.plant.firm_s, step_s };
        let legs = Leg::all(&binding);
        let body = Body::new(&binding, &legs);
        Self {
            transfer: Transfer::new(binding.clone()),
            transferred: TransferScratch::new(&binding),
            watch: Watch::new(&binding, &settings.contact, step_s),
            scratch: BodyScratch::new(&body),
            body,
            feet: vec![LiveFoot::default(); legs.len()],
            goals: vec![FootGoal::default(); legs.len()],
            stands: vec![Stands::default(); legs.len()],
            ground: 0.0,
            legs,
            offset: Spring::default(),
            drop: Spring::default(),
            support: None,
            world: WorldPose::new(binding.target.skeleton.len()),
            binding,
            settings: settings.plant,
            times,
        }
    }

    /// Forgets all frames so far. Call it at a jump in the stream, so that no foot is dragged to where it stood before.
    pub fn reset(&mut self) {
        self.watch.reset();
        self.feet.fill(LiveFoot::default());
        self.stands.fill(Stands::default());
        (self.offset, self.drop, self.support) = Default::default();
    }

    /// Retargets the next pose of the source into `target`, and finds which feet stand: slow ones near the floor. The
    /// floor's height is that of the lowest sole in the first frame, or lower where a foot was slow since.
    ///
    /// A pose with a number that is not finite is skipped, and `target` stays as it is.
    /// Panics unless both poses have the joints of the binding's rigs.
    pub fn frame(&mut self, source: &Pose, target: &mut Pose) {
        if self.transfer(source) {
            self.watch.see(&self.binding.source, &self.transferred.source_world, &mut self.stands);
            self.ground = self.binding.target_height(self.watch.floor());
            self.plant(target);
        }
    }

    /// As [`frame`](Self::frame), but the caller states which parts of each foot of the target stand, one entry for
    /// each foot in the order of [`Rig::feet`](crate::Rig::feet), and the floor's height along the source's up axis,
    /// source length units.
    ///
    /// Panics unless both poses have the joints of the binding's rigs and `stands` has one entry for each foot.
    pub fn frame_with(
        &mut self,
        source: &Pose,
        stands: &[Stands],
        floor_height: f64,
        target: &mut Pose,
    ) {
        if self.transfer(source) {
            self.stands.copy_from_slice(stands);
            self.ground = self.binding.target_height(floor_height);
            self.plant(target);
        }
    }

    /// Both rigs, and how one follows the other.
    pub fn binding(&self) -> &Binding {
        &self.binding
    }

    /// Which parts of each foot of the target stood in the last frame, in the order of [`Rig::feet`](crate::Rig::feet).
    pub fn stands(&self) -> &[Stands] {
        &self.stands
    }

    /// The last frame's result in the target's world, target length units.
    pub fn world(&self) -> &WorldPose {
        &self.world
    }

    /// Whether the pose could be transferred: one with a number that is not finite cannot.
    fn transfer(&mut self, source: &Pose) -> bool {
        let turned = source.rotations.iter().flat_map(|q| q.coords.iter());
        let moved = source.translations.iter().flat_map(Vec3::iter);
        let is_sound = turned.chain(moved).all(|number| number.is_finite());
        if is_sound {
            self.transfer.pose(source, &mut self.transferred);
            self.world.copy_from(&self.transferred.world);
        }
        is_sound
    }

    /// Brings the transferred pose to its goals.
    fn plant(&mut self, target: &mut Pose) {
        let Self { binding, legs, feet, stands, world, times, .. } = self;
        target.copy_from(&self.transferred.pose);
        let (body, up) = (self.offset.value, binding.target.up);
        let around = Around { body, ground: self.ground, up, times: *times };
        for ((foot, leg), stands) in feet.iter_mut().zip(&*legs).zip(&*stands) {
            foot.go_on(leg, world, *stands, &around);
        }
        self.move_body();
        let Self { feet, legs, stands, .. } = self;
        let is_free = feet.iter().zip(&*legs).all(|(foot, leg)| foot.is_free(leg));
        if is_free && self.binding.target.limits.is_empty() {
            return;
        }
        // A foot that carries the body keeps carrying it until it leaves the floor.
        let is_down = |foot: FootId| stands[foot.index()].heel || stands[foot.index()].ball;
        let others = || self.binding.target.foot_ids().filter(|&foot| is_down(foot));
        let weight = |foot: &FootId| feet[foot.index()].weight();
        self.support = self
            .support
            .filter(|&foot| is_down(foot))
            .or_else(|| others().max_by(|a, b| weight(a).total_cmp(&weight(b))));
        self.goals.iter_mut().zip(feet).for_each(|(goal, foot)| *goal = foot.goal);
        let drop = self.drop.value;
        let goal = FrameGoal {
            body: self.offset.value - drop,
            feet: &self.goals,
            support: self.support,
            ..FrameGoal::default()
        };
        self.body.solve(&self.binding, &goal, target, &mut self.world, &mut self.scratch);
    }

    /// Moves the body after the feet that stand, and down as far as they need.
    fn move_body(&mut self) {
        let Self { feet, legs, world, times, settings, .. } = self;
        let up = self.binding.target.up;
        let total: f64 = feet.iter().map(LiveFoot::weight).sum();
        let sum: Vec3 = feet.iter().map(|foot| foot.offset() * foot.weight()).sum();
        let mean = if total > 1e-6 { sum / total.max(1.0) } else { Vec3::zeros() };
        self.offset.follow(mean, FOLLOW * settings.body_s, times.step_s);
        // A leg without a knee cannot change its length.
        let kneed = feet.iter().zip(&*legs).filter(|(_, leg)| leg.has_knee());
        let needed = kneed.map(|(foot, leg)| {
            let hip = world.position(leg.hip());
            let ankle = world.position(leg.ankle);
            let ball = ankle + world.rotation(leg.ankle) * leg.ball;
            let reach = leg_reach(leg, ankle, ball, hip);
            let above = hip + self.offset.value - foot.goal.ankle;
            drop_to_reach(above, reach, up) * foot.weight()
        });
        let needed = needed.fold(0.0, f64::max);
        // The body comes down at once, since a foot must keep its place, and rises again slowly.
        self.drop.follow(up.vector() * needed, settings.envelope_s, times.step_s);
        if up.height(self.drop.value) < needed {
            self.drop = Spring { value: up.vector() * needed, velocity: Vec3::zeros() };
        }
    }
}
