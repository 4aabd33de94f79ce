//! Arm IK: moves a hand to its goal in closed form, about the elbow's own axis where the arm is nearly straight.
//!
//! [`ArmBend`] tells plans how the solve will bend an arm.

use super::arm::{HandGoal, SolvedArm, TransferredArm, elbow_axis};
use super::even::TwoBones;
use super::limb_ik::{bent, turn_bones};
use super::reach::{STRAIGHT, full_reach};
use crate::binding::{Binding, HingedLimb};
use crate::math::{Quat, Vec3, bounded, curve, rejection, rotation_between};
use crate::pose::WorldPose;
use crate::rig::Side;
use crate::skeleton::{JointId, Skeleton};

/// Moves the hand of an arm to its goal and keeps the hand's rotation. The elbow stays in the plane in which the arm is
/// bent, turned by the goal's swivel. If it bends further, it bends about the bend axis of the upper arm (local), since
/// the plane of a nearly straight arm is noise.
///
/// A goal near the hand moves the arm only a little.
pub(super) fn reach_with_arm(
    skeleton: &Skeleton,
    SolvedArm { joints, axis, .. }: &SolvedArm,
    goal: &HandGoal,
    world: &mut WorldPose,
) {
    let places = joints.map(|id| world.position(id));
    let axis = world.rotation(joints[0]) * axis;
    let Some([middle, wrist]) = arm_places(places, axis, goal) else { return };
    let [top, elbow, was] = places;
    let was = [elbow - top, was - elbow];
    let upper = bending_turn(was, [middle - top, wrist - middle], axis);
    let lower = rotation_between(upper * was[1], wrist - middle) * upper;
    let turns = [upper, lower, Quat::identity()];
    turn_bones(skeleton, *joints, turns, [middle, wrist], world);
}

/// The places of elbow and wrist of an arm that is brought to its goal, from those of its shoulder, elbow and wrist and
/// the axis about which its elbow bends (all world). `None` where the goal has no direction.
fn arm_places(was: [Vec3; 3], axis: Vec3, goal: &HandGoal) -> Option<[Vec3; 2]> {
    let [top, elbow, wrist] = was;
    let bones = [(elbow - top).norm(), (wrist - elbow).norm()];
    let reached = reached(top, wrist, wrist + goal.offset, bones)?;
    Some(arm_places_at(was, axis, reached, goal.swivel_rad))
}

/// As [`arm_places`], of an arm whose wrist comes to `wrist` and whose elbow then turns by `swivel_rad` about the line
/// there from its shoulder.
fn arm_places_at(
    [top, elbow, was]: [Vec3; 3],
    axis: Vec3,
    wrist: Vec3,
    swivel_rad: f64,
) -> [Vec3; 2] {
    let bones = [(elbow - top).norm(), (was - elbow).norm()];
    let line = (wrist - top).try_normalize(1e-300).unwrap_or_default();
    let swing = rotation_between(was - top, line);
    let beside = rejection(swing * (elbow - top), line);
    let as_bent = line.cross(&(swing * axis));
    let swivel = Quat::from_scaled_axis(line * swivel_rad);
    let (along, aside) = elbow_place(bones, (wrist - top).norm(), beside, as_bent);
    [top + line * along[0] + swivel * aside, top + line * along[1]]
}

/// The position (world) that the wrist of an arm reaches for its goal; the arm follows less and less the straighter it
/// is. `None` if the goal has no direction.
pub(super) fn reached_with_arm(
    arm: &SolvedArm,
    goal: &HandGoal,
    world: &WorldPose,
) -> Option<Vec3> {
    let [top, elbow, was] = arm.joints.map(|id| world.position(id));
    reached(top, was, was + goal.offset, [(elbow - top).norm(), (was - elbow).norm()])
}

/// The position that an arm with these bones reaches for `wanted`, with its shoulder at `top` and its wrist at `was`
/// before. A nearly straight or nearly folded arm follows its goal less and less, so that it never snaps. `None` if the
/// goal has no direction.
fn reached(top: Vec3, was: Vec3, wanted: Vec3, bones: [f64; 2]) -> Option<Vec3> {
    let straight = bones[0] + bones[1];
    let soft = full_reach((was - top).norm(), (wanted - was).norm(), straight);
    let (way, was) = (wanted - top, was - top);
    // For a goal next to it, an arm may be as straight as it was.
    let distance = bounded(way.norm(), soft, (STRAIGHT * straight).max(soft));
    let arm = arm_bones(bones, was.norm());
    let way = way.try_normalize(1e-12 * straight).unwrap_or_default() * distance;
    let way = arm.reached(was, way);
    (way != Vec3::zeros()).then(|| top + way)
}

/// An arm with these bones whose wrist was so far from its shoulder.
fn arm_bones(lens: [f64; 2], was: f64) -> TwoBones {
    let [least, most] = [lens[0] - lens[1], lens[0] + lens[1]].map(|len| len * len);
    let bent = least + (most - least) * (FOLDED * FOLDED);
    let folded = bent.min((was * was).max(least));
    let half = least + 0.25 * (folded - least);
    TwoBones { lens, folded_lens: [half.sqrt(), folded.sqrt()] }
}

/// An arm counts as folded where half the angle between its bones has this sine: of two equal bones the wrist is then this
/// share of the arm's length from the shoulder.
const FOLDED: f64 = 0.35;

/// Sine of the bend below which the plane of a limb loses weight for where its elbow goes.
const PLANE_SINE: f64 = 0.5;
/// Sine of the bend below which the normal of that plane loses weight for the roll of its upper arm. An arm rolls sooner than
/// its elbow moves: a straight one that is moved by less than a millimetre would roll by 10° within a frame.
const NORMAL_SINE: f64 = 0.8;
/// Weight of a straight limb's own bend axis against that normal, as a sine.
const AXIS_SINE: f64 = 0.3;

/// The rotation of the first of two bones that turn from the directions `was` to the directions `is`, so that the joint
/// between them bends about the same axis as before. It is the shortest rotation of the bone, followed by the roll of
/// the plane in which both lie. For nearly straight bones, `axis` (world, before the rotation) replaces the normal of
/// that plane.
fn bending_turn(was: [Vec3; 2], is: [Vec3; 2], axis: Vec3) -> Quat {
    let shortest = rotation_between(was[0], is[0]);
    let Some(along) = is[0].try_normalize(1e-300) else { return shortest };
    let normal = |bones: [Vec3; 2], axis: Vec3| {
        let normal = bones[0].cross(&bones[1]) / (bones[0].norm() * bones[1].norm()).max(1e-300);
        let counts = AXIS_SINE * (1.0 - curve::ramp(normal.norm(), 0.0, NORMAL_SINE));
        normal + axis * counts
    };
    let from = rejection(shortest * normal(was, axis), along);
    let to = rejection(normal(is, shortest * axis), along);
    let roll = along.dot(&from.cross(&to)).atan2(from.dot(&to));
    // Near half a turn both directions are equal, so the roll fades to 0 there and does not flip.
    let roll = roll * curve::ramp(roll.abs(), std::f64::consts::PI, 2.0);
    Quat::from_scaled_axis(along * roll) * shortest
}

/// The distances of elbow and wrist along the line from the shoulder, for an arm that is to span `distance`, and the
/// elbow's position beside that line. The elbow was at `beside`. It bends further towards `as_bent`, a unit vector, the
/// less the more it was bent.
///
/// An arm that was bent backwards straightens on the way to the other side. Its wrist is then farther than wanted, by
/// at most a share of the distance (`PASSES`).
fn elbow_place(bones: [f64; 2], distance: f64, beside: Vec3, as_bent: Vec3) -> ([f64; 2], Vec3) {
    let straight = bones[0] + bones[1];
    let [along, is_beside] = bent(bones, distance);
    let was = beside.norm();
    let backwards = (-beside.dot(&as_bent)).max(0.0);
    let opposed = backwards / was.max(1e-300) * curve::ramp(backwards, 0.0, SEEN_SINE * bones[0]);
    let noise = 1.0 - curve::ramp(was, 0.0, PLANE_SINE * bones[0]);
    let farther = (is_beside - was).max(0.0);
    let by = ELBOW_FARTHER * (1.0 - BACKWARDS * opposed) * noise * farther;
    let way = beside + as_bent * by;
    let passes = curve::ramp(by, 0.0, backwards) * curve::ramp(by, 3.0 * backwards, backwards);
    let farthest = (distance * (1.0 + PASSES)).min(straight).max(distance);
    let [_, least] = bent(bones, farthest);
    let passing = is_beside * way.norm() / way.norm().hypot(backwards * passes).max(1e-300);
    let is_between = 0.0 < along && along < distance;
    let way = way.try_normalize(1e-300).unwrap_or(as_bent);
    if !is_between || passing >= is_beside {
        return ([along, distance], way * is_beside);
    }
    let passing = passing.max(least);
    let [upper, lower] = bones.map(|bone| (bone * bone - passing * passing).max(0.0).sqrt());
    ([upper, upper + lower], way * passing)
}

/// Weight of an elbow's further bend against the direction in which the elbow lies already.
const ELBOW_FARTHER: f64 = 4.0;
/// By how much less a further bend counts for an elbow that was bent backwards.
const BACKWARDS: f64 = 0.75;
/// Sine of the backward bend below which it counts as noise, more and more; nobody sees such a bend pass.
const SEEN_SINE: f64 = 0.02;

/// How much farther than wanted a wrist may be while its elbow passes from backwards to forwards, as a share of its
/// distance from the shoulder.
const PASSES: f64 = 0.06;

/// How the arm of a side bends when its hand is moved.
pub(super) struct ArmBend {
    /// About which the elbow bends, in the frame of the upper arm (local).
    axis: Vec3,
    hinge: Option<HingedLimb>,
}

impl ArmBend {
    pub fn of(binding: &Binding, side: Side, upper: JointId) -> Self {
        let axis = elbow_axis(&binding.target, side, upper);
        Self { axis, hinge: binding.limits.hinged_below(upper).copied() }
    }

    pub fn bones(&self, arm: &TransferredArm) -> TwoBones {
        match &self.hinge {
            Some(hinge) => TwoBones::of_hinge(hinge),
            None => arm_bones(arm.bones(), f64::INFINITY),
        }
    }

    /// The way from shoulder to wrist of an arm whose wrist is to be moved by `offset`.
    pub fn reached(&self, arm: &TransferredArm, offset: Vec3) -> Vec3 {
        let was = arm.way();
        let way = reached(Vec3::zeros(), was, was + offset, arm.bones()).unwrap_or(was);
        match &self.hinge {
            Some(_) => self.bones(arm).reached(was, way),
            None => way,
        }
    }

    /// Where the elbow comes, from the shoulder, of an arm whose wrist comes to `way` from there.
    pub fn elbow(&self, arm: &TransferredArm, way: Vec3) -> Vec3 {
        match &self.hinge {
            Some(hinge) => {
                let (swing, _) = hinge.reaching(arm.upper, way);
                swing * (arm.elbow - arm.shoulder)
            }
            None => {
                let was = [arm.shoulder, arm.elbow, arm.wrist];
                let axis = arm.upper * self.axis;
                let [elbow, _] = arm_places_at(was, axis, arm.shoulder + way, 0.0);
                elbow - arm.shoulder
            }
        }
    }

    /// The rotation of the upper arm whose wrist comes to `way` from the shoulder and whose elbow then turns by `swivel_rad`
    /// about that line.
    pub fn upper(&self, arm: &TransferredArm, way: Vec3, swivel_rad: f64) -> Quat {
        let line = way.try_normalize(1e-300).unwrap_or_default();
        let swivel = Quat::from_scaled_axis(line * swivel_rad);
        let turn = match &self.hinge {
            Some(hinge) => hinge.reaching(arm.upper, way).0,
            None => {
                let elbow = self.elbow(arm, way);
                let was = [arm.elbow - arm.shoulder, arm.wrist - arm.elbow];
                bending_turn(was, [elbow, way - elbow], arm.upper * self.axis)
            }
        };
        swivel * turn * arm.upper
    }

    /// An arm without a hinge.
    #[cfg(test)]
    pub fn free(axis: Vec3) -> Self {
        Self { axis, hinge: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::arm::arm_joints;
    use crate::plant::solve::{Body, BodyScratch, FrameGoal};
    use crate::rig::JointLimit;
    use crate::{LoadedRig, Settings};

    #[test]
    fn an_arm_bends_as_plans_foresee_with_a_hinge_and_without() {
        let load = |name| LoadedRig::load(format!("samples/skeletons/{name}")).expect("a sample");
        let (source, mut hinged) = (load("hero.toml"), load("hero.toml"));
        let joints = arm_joints(&hinged.rig, Side::Left).expect("an arm");
        let (axis, max_rad) = (-Vec3::y(), 150_f64.to_radians());
        hinged.rig.limits.push((joints[1], JointLimit::Hinge { axis, min_rad: 0.0, max_rad }));
        // The last one has fingers, which go along.
        for target in [load("hero.toml"), hinged, load("game.toml")] {
            let joints = arm_joints(&target.rig, Side::Left).expect("an arm");
            let axis = elbow_axis(&target.rig, Side::Left, joints[1]);
            let binding = Binding::between(&source, &target, &Settings::default()).expect("a pair");
            let (body, rig) = (Body::new(&binding, &[]), &binding.target);
            let mut scratch = BodyScratch::new(&body);
            let bend = ArmBend::of(&binding, Side::Left, joints[0]);
            for i in 0..200 {
                let t = f64::from(i);
                let mut pose = rig.stance.local.clone();
                let [upper, lower, _] = joints.map(JointId::index);
                let turn = Quat::from_euler_angles(0.9 * t.sin(), (1.7 * t).sin(), (2.3 * t).sin());
                pose.rotations[upper] = turn * pose.rotations[upper];
                // From straight to well bent, and half of all arms by less than 5°.
                let bent_rad = 2.3 * (0.5 + 0.5 * (0.7 * t).cos()).powi(4);
                let bent = Quat::from_scaled_axis(axis * bent_rad);
                pose.rotations[lower] = bent * pose.rotations[lower];
                let mut world = WorldPose::of(&rig.skeleton, &pose);
                let [shoulder, elbow, wrist] = joints.map(|joint| world.position(joint));
                let upper = world.rotation(joints[0]);
                let arm = TransferredArm { shoulder, elbow, wrist, upper, ..Default::default() };
                let len: f64 = arm.bones().iter().sum();
                let way = Vec3::new((3.1 * t).cos(), (1.3 * t).cos(), (0.3 * t).sin());
                let offset = way * (0.3 * len * (1.9 * t).sin());
                let hand = HandGoal { offset, ..HandGoal::default() };
                let goal = FrameGoal { hands: [hand, HandGoal::default()], ..Default::default() };
                body.solve(&binding, &goal, &mut pose, &mut world, &mut scratch);
                let placed = WorldPose::of(&rig.skeleton, &pose);
                for (is, of_pose) in world.positions.iter().zip(&placed.positions) {
                    assert!(
                        (is - of_pose).norm() < 1e-9 * len,
                        "{is}, and the pose says {of_pose}"
                    );
                }
                let foreseen = shoulder + bend.elbow(&arm, bend.reached(&arm, offset));
                let off = (world.position(joints[1]) - foreseen).norm() / len;
                assert!(off < 1e-6, "bent by {bent_rad}, {offset}: {off} arms off");
            }
        }
    }

    #[test]
    fn a_straight_arm_whose_goal_is_next_to_it_stays_as_straight() {
        for bend_rad in [0.0, 0.01, 0.03, 0.05] {
            let was = Vec3::x() + Vec3::new(f64::cos(bend_rad), f64::sin(bend_rad), 0.0);
            let reached = reached(Vec3::zeros(), was, was + Vec3::z() * 1e-4, [1.0, 1.0]);
            let off = (reached.expect("a direction").norm() - was.norm()).abs();
            assert!(off < 1e-6, "bent by {bend_rad}: {off} nearer");
        }
    }

    #[test]
    fn an_arm_folds_gently_however_its_bones_differ() {
        let mut steepest = Vec::new();
        for bones in [[0.5, 0.5], [0.33, 0.67], [0.67, 0.33], [0.25, 0.75]] {
            let was = Vec3::x() * 0.97;
            // Half the angle between the bones, as the wrist comes nearer in equal steps.
            let angle = |i: i32| {
                let wanted = Vec3::x() * (0.97 - 0.001 * f64::from(i));
                let reached = reached(Vec3::zeros(), was, wanted, bones).expect("a direction");
                let [a, b] = bones;
                ((a * a + b * b - reached.norm_squared()) / (2.0 * a * b)).clamp(-1.0, 1.0).acos()
            };
            let angles: Vec<f64> = (0..940).map(angle).collect();
            assert!(angles[939] > 0.3, "{bones:?} fold to {}", angles[939]);
            let steps = angles.windows(2).map(|pair| pair[0] - pair[1]);
            steepest.push(steps.fold(0.0, f64::max));
        }
        assert!(steepest.iter().all(|step| *step < 2.0 * steepest[0]), "{steepest:?}");
    }

    /// The distance of the ends of an arm with bones of 1 whose elbow is so far beside the line.
    fn distance(beside: f64) -> f64 {
        2.0 * (1.0 - beside * beside).sqrt()
    }

    #[test]
    fn an_elbow_stays_in_its_plane_and_where_it_is_hardly_bent_bends_as_elbows_do() {
        let (back, up) = (-Vec3::z(), Vec3::y());
        let place =
            |beside: Vec3, farther: f64| elbow_place([1.0; 2], distance(farther), beside, back).1;
        assert!((place(up * 0.2, 0.2) - up * 0.2).norm() < 1e-12, "asked for nothing");
        assert!((place(up * 0.2, 0.1) - up * 0.1).norm() < 1e-12, "straightened");
        assert!((place(up * 0.6, 0.8) - up * 0.8).norm() < 1e-12, "well bent before");
        for turn in 0..12 {
            let beside = Quat::from_scaled_axis(Vec3::x() * (f64::from(turn) + 0.5)) * up * 0.01;
            let way = place(beside, 0.1);
            assert!(way.angle(&back) < 0.03, "{beside} of a noisy arm led to {way}");
        }
    }

    #[test]
    fn an_elbow_that_was_bent_backwards_comes_forwards_without_a_snap() {
        let back = -Vec3::z();
        for was in [0.02, 0.06, 0.12] {
            let step = |i: i32| {
                let distance = distance(was) * (1.0 - 0.001 * f64::from(i));
                let ([elbow, wrist], aside) = elbow_place([1.0; 2], distance, -back * was, back);
                let missed = wrist / distance - 1.0;
                assert!((-1e-12..=PASSES + 1e-12).contains(&missed), "{missed}");
                Vec3::new(wrist - elbow, 0.0, 0.0) - aside
            };
            let ways: Vec<Vec3> = (0..200).map(step).collect();
            assert!((ways[0].z + was).abs() < 1e-9 && ways[199].z > 0.4, "it comes over");
            let breaks = ways.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).norm());
            let most = breaks.fold(0.0, f64::max);
            assert!(most < 0.03, "from {was} it breaks by {most} rad a frame²");
        }
    }

    #[test]
    fn an_arm_that_was_straight_comes_into_reach_of_another_place_without_a_snap() {
        let was = Vec3::x() * STRAIGHT;
        let bones = [0.5, 0.5];
        let asked_for_nothing = reached(Vec3::zeros(), was, was, bones).expect("a direction");
        assert!((asked_for_nothing - was).norm() < 1e-12);
        let way = Vec3::new(0.6, -0.8, 0.0);
        // Half a per cent of the arm a frame, from beyond its reach to where its elbow is well bent.
        let bends: Vec<f64> = (0..60)
            .map(|i| way * (1.1 - 0.005 * f64::from(i)))
            .filter_map(|goal| reached(Vec3::zeros(), was, goal, bones))
            .map(|wrist| 2.0 * wrist.norm().min(1.0).acos())
            .collect();
        let breaks = bends.windows(3).map(|b| (b[0] - 2.0 * b[1] + b[2]).abs());
        let most = breaks.fold(0.0, f64::max);
        assert!(bends.len() == 60 && most < 0.012, "the elbow breaks by {most} rad a frame²");
        assert!((bends[59] - 2.0 * (1.1 - 0.005 * 59.0_f64).acos()).abs() < 1e-9, "reached");
    }
}
