//! Solves the body of each frame within the rig's joint limits. Limbs of two bones are solved in closed form, and a standing
//! leg whose limits turn its foot away is swept (`stated/sweep.rs`). In a body whose legs have other joints, cyclic
//! coordinate descent, with the support foot as the root of the tree, moves first the pelvis, then the other feet, the hands
//! and the head to their goals, in that priority.
//!
//! The support foot is set at its goal and nothing moves it, so it cannot slide. Every frame starts from its own
//! transferred pose and depends on no other frame.

mod read_back;

pub(crate) use read_back::ReadBack;

use super::arm::{HandGoal, SolvedArm, arm_joints, elbow_axis};
use super::arm_ik::{reach_with_arm, reached_with_arm};
use super::bones::Bones;
use super::kneel::kneel;
use super::kneeless;
use super::knees::KneeGoal;
use super::leg_ik::reach_with_leg;
use super::rooted::{Rooted, exact, tree};
use super::sole::FootGoal;
use super::stated::{StatedLimb, Sweeps, set_rotation};
use super::transferred::Leg;
use super::trunk_lean::{LeanAxis, trunk_lean};
use crate::binding::{Binding, limited};
use crate::ik::{Approach, Effector, Goal, Job, Joint, Scratch, Settings, TreePose};
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{FootId, JointRange, Role, Side, UpAxis};
use crate::skeleton::JointId;

/// What all frames of one binding share: the body's bones as a tree, rooted at the hips and at each foot. Joints are
/// those of the bones unless they are said to be the target's.
pub(crate) struct Body {
    bones: Bones,
    hips: JointId,
    legs: Vec<Leg>,
    /// The parent of each leg: the hips, or a joint that is fixed to them.
    seats: Vec<JointId>,
    /// The hands and the head that the rig has; effectors are in this order.
    upper: Vec<JointId>,
    /// The arms of these hands, which come first.
    arms: Vec<SolvedArm>,
    moved: Vec<Moved>,
    /// The toe joint of each leg, of the target and of the bones.
    toes: Vec<Option<[JointId; 2]>>,
    /// The range of each toe joint.
    toe_ranges: Vec<Option<JointRange>>,
    /// Joints of hands of several joints, each with the one that has the role; the target's.
    palms: Vec<[JointId; 2]>,
    /// The legs, then the arms; `None` without stated limits.
    stated: Vec<Option<StatedLimb>>,
    /// Whether all legs have thigh, shin and foot, and are solved in closed form.
    has_plain_legs: bool,
    /// The target's joints above its hips, each after its parent.
    above: Vec<JointId>,
    /// How many joints the target has.
    count: usize,
    from_hips: Rooted,
    from_foot: Vec<Rooted>,
    settings: Settings,
}

/// A joint that a solve rotates.
struct Moved {
    /// The target's.
    joint: JointId,
    own: JointId,
    /// Its range; only for hands, since no position below a hand has to be held.
    range: Option<JointRange>,
}

impl Body {
    /// `legs` are the target's.
    pub fn new(binding: &Binding, legs: &[Leg]) -> Self {
        let (target, hips) = (&binding.target, binding.root.hips);
        let skeleton = &target.skeleton;
        let limits: Vec<(JointId, Joint)> =
            skeleton.ids().filter_map(|id| Some((id, limited(target, id)?))).collect();
        let arm_of = |side: Side| Some((side, arm_joints(target, side)?));
        let (sides, arms): (Vec<Side>, Vec<[JointId; 3]>) =
            Side::BOTH.into_iter().filter_map(arm_of).unzip();
        let head = target.joint(Role::Head);
        let moved: Vec<JointId> = legs
            .iter()
            .flat_map(|leg| leg.joints.iter().copied())
            .chain(arms.iter().flatten().copied())
            .chain(head)
            .collect();
        let toes = legs.iter().filter_map(|leg| leg.toe);
        let needed: Vec<JointId> = moved.iter().copied().chain(toes).chain([hips]).collect();
        let bones = Bones::new(skeleton, &needed);
        let tree = tree(target, &bones, legs, &arms, head, &limits);
        let own = |id: JointId| bones.own(id);
        let both = |id: JointId| [id, own(id)];
        let moved_joint = |joint: JointId| {
            let is_hand = arms.iter().any(|arm| arm[2] == joint);
            let range = is_hand.then(|| JointRange::of(target, joint)).flatten();
            Moved { joint, own: own(joint), range }
        };
        let solved_arm = |(side, arm): (Side, &[JointId; 3])| {
            let axis = elbow_axis(target, side, arm[0]);
            SolvedArm { side, joints: arm.map(own), axis }
        };

        let toe_ranges = legs.iter().map(|leg| JointRange::of(target, leg.toe?)).collect();
        let toes = legs.iter().map(|leg| leg.toe.map(both)).collect();
        let of_limb = |joints: &[JointId]| {
            let joints: [JointId; 3] = joints.try_into().ok()?;
            StatedLimb::new(&binding.limits, &bones.skeleton, joints.map(both))
        };
        let limbs = legs.iter().map(|leg| &leg.joints[..]).chain(arms.iter().map(|arm| &arm[..]));
        let stated = limbs.map(of_limb).collect();
        let has_plain_legs = legs.iter().all(|leg| leg.knee.is_some() && leg.joints.len() == 3);
        let legs: Vec<Leg> = legs.iter().map(|leg| leg.with_joints(own)).collect();
        let foot = |leg: &Leg| exact(leg.ankle, leg.hip().into()).with_priority(1);
        let mut uppers: Vec<Effector> = arms
            .iter()
            .map(|&[upper_arm, _, hand]| exact(own(hand), own(upper_arm).into()).with_priority(2))
            .collect();
        uppers.extend(head.map(own).map(|head| exact(head, head.into()).with_priority(3)));
        let upper = arms.iter().map(|arm| arm[2]).chain(head).map(own).collect();

        let seat = |leg: &Leg| bones.skeleton.parent(leg.hip()).expect("legs hang below the hips");
        let seats: Vec<JointId> = legs.iter().map(seat).collect();
        let rooted_at = |(own, leg): (usize, &Leg)| {
            let tree = tree.rerooted(leg.ankle.into()).expect("a joint of the skeleton");
            // Seen from the foot, the bone above the ankle is the first that rotates.
            let first = leg.joints.iter().rev().nth(1).copied().unwrap_or(seats[own]);
            let pelvis = exact(seats[own], first.into());
            let others = (0..legs.len()).filter(|&i| i != own).map(|i| foot(&legs[i]));
            Rooted::new(tree, std::iter::once(pelvis).chain(others), &uppers)
        };
        let from_foot = legs.iter().enumerate().map(rooted_at).collect();
        let from_hips = Rooted::new(tree, legs.iter().map(foot), &uppers);
        Self {
            hips: own(hips),
            seats,
            upper,
            arms: sides.into_iter().zip(&arms).map(solved_arm).collect(),
            moved: moved.into_iter().map(moved_joint).collect(),
            toes,
            toe_ranges,
            palms: binding.palms().collect(),
            stated,
            has_plain_legs,
            above: skeleton.with_ancestors(skeleton.parent(hips)),
            count: skeleton.len(),
            from_hips,
            from_foot,
            settings: Settings { max_iterations: 30, ..Settings::default() },
            legs,
            bones,
        }
    }

    fn rooted(&self, support: Option<FootId>) -> &Rooted {
        match support {
            Some(foot) => &self.from_foot[foot.index()],
            None => &self.from_hips,
        }
    }
}

/// The goals of one frame, target world; by default there are none.
#[derive(Default)]
pub(crate) struct FrameGoal<'a> {
    /// The pelvis offset.
    pub body: Vec3,
    /// The trunk lean forwards, radians.
    pub trunk_lean_rad: f64,
    /// By foot.
    pub feet: &'a [FootGoal],
    /// Of the left and the right hand.
    pub hands: [HandGoal; 2],
    /// Of the left and the right knee, if it kneels or is lifted.
    pub knees: [Option<KneeGoal>; 2],
    pub support: Option<FootId>,
}

/// Buffers of [`Body::solve`], sized once.
pub(crate) struct BodyScratch {
    /// World pose of the bones.
    places: WorldPose,
    tree_pose: TreePose,
    ik: Scratch,
    goals: Vec<Goal>,
    /// The feet's goals that their legs can reach.
    feet: Vec<FootGoal>,
    /// The sweeps of the last solve.
    pub swept: Vec<(FootId, Sweeps)>,
    pub back: ReadBack,
}

impl BodyScratch {
    pub fn new(body: &Body) -> Self {
        let links = body.from_hips.tree.len();
        Self {
            places: WorldPose::new(links),
            tree_pose: TreePose::new(links),
            ik: Scratch::new(&body.from_hips.plan),
            goals: vec![Goal::none(); body.legs.len() + body.upper.len()],
            feet: vec![FootGoal::default(); body.legs.len()],
            swept: Vec::with_capacity(body.legs.len()),
            back: ReadBack::new(body),
        }
    }
}

impl Body {
    /// Moves one transferred pose to the frame's goals; `world` is that pose in the world, before and after. Allocates
    /// nothing.
    pub fn solve(
        &self,
        binding: &Binding,
        goal: &FrameGoal,
        pose: &mut Pose,
        world: &mut WorldPose,
        scratch: &mut BodyScratch,
    ) {
        let skeleton = &self.bones.skeleton;
        let BodyScratch { places, tree_pose, ik, goals, feet, swept, back } = scratch;
        let up = binding.target.up;
        self.place(world, goal.body, goal.trunk_lean_rad, places);
        // The legs of people are listed left first. Each knee that is held, with its transferred thigh and shin.
        let knees = [0, 1].map(|i| {
            let knee = goal.knees[i].as_ref().filter(|knee| knee.is_held())?;
            Some((knee, self.legs.get(i)?.thigh_and_shin(places)?))
        });
        if self.has_plain_legs {
            self.reach_with_legs(goal.feet, up, feet, swept, places);
        }
        if goal.trunk_lean_rad != 0.0 {
            self.confine_leaned(binding, places);
        }
        let at =
            |places: &WorldPose, id: JointId| Goal::pose(places.position(id), places.rotation(id));
        let (lower, upper) = goals.split_at_mut(self.legs.len());
        let support = goal.support.map(FootId::index);
        let pelvis = support.map(|own| at(places, self.seats[own]));
        for (goal, &id) in upper.iter_mut().zip(&self.upper) {
            *goal = at(places, id);
        }
        for ((arm, stated), upper) in
            self.arms.iter().zip(&self.stated[self.legs.len()..]).zip(upper)
        {
            let hand = &goal.hands[arm.side.index()];
            if *hand == HandGoal::default() {
                continue;
            }
            upper.position = upper.position.map(|place| place + hand.offset);
            let end = Quat::from_scaled_axis(hand.tilt) * places.rotation(arm.joints[2]);
            match (stated, upper.position) {
                (Some(stated), Some(_)) if stated.is_hinged() => {
                    if let Some(wrist) = reached_with_arm(arm, hand, places) {
                        stated.reach(skeleton, wrist, hand.swivel_rad, places);
                    }
                }
                _ => reach_with_arm(skeleton, arm, hand, places),
            }
            if let Some(stated) = stated {
                stated.confine(skeleton, end, places);
            } else if hand.tilt != Vec3::zeros() {
                set_rotation(skeleton, arm.joints[2], end, places);
            }
        }
        if !self.has_plain_legs {
            self.reach_with_legs(goal.feet, up, feet, swept, places);
            if let Some(own) = support {
                let over = feet[own].ankle - places.position(self.legs[own].ankle);
                places.positions.iter_mut().for_each(|p| *p += over);
            }
            // First the pelvis, seen from the support foot; then all other feet.
            let others = feet.iter().enumerate().filter(|(i, _)| Some(*i) != support);
            let others = others.map(|(_, foot)| Goal::pose(foot.ankle, foot.foot_rotation));
            for (lower, goal) in lower.iter_mut().zip(pelvis.into_iter().chain(others)) {
                *lower = goal;
            }
            if let Some(own) = support {
                places.rotations[self.legs[own].ankle.index()] = feet[own].foot_rotation;
            }
            let rooted = self.rooted(goal.support);
            tree_pose.set_from_world(&rooted.tree, places);
            let job = Job::new(&rooted.plan, goals, &self.settings);
            crate::ik::solve_pose(&job, tree_pose, ik);
            places.copy_from(ik.world());
        }
        for (((i, leg), foot), knee) in self.legs.iter().enumerate().zip(feet.iter()).zip(knees) {
            if let Some((knee, was)) = knee {
                kneel(skeleton, leg, knee, foot, was, up, places);
                if let Some(stated) = &self.stated[i] {
                    let end = places.rotation(leg.ankle);
                    stated.bend(skeleton, places);
                    stated.confine(skeleton, end, places);
                }
            }
        }
        self.read_back(binding, feet, places, pose, world, back);
    }

    /// Brings arms and head, which keep their rotation while the trunk leans, within their stated limits.
    fn confine_leaned(&self, binding: &Binding, places: &mut WorldPose) {
        let skeleton = &self.bones.skeleton;
        for (arm, stated) in self.arms.iter().zip(&self.stated[self.legs.len()..]) {
            if let Some(stated) = stated {
                stated.confine(skeleton, places.rotation(arm.joints[2]), places);
            }
        }
        let Some(&head) = self.upper.get(self.arms.len()) else { return };
        let limit = binding.limits.of(self.bones.whole(head));
        if let Some((limit, above)) = limit.zip(skeleton.parent(head)) {
            let above = places.rotation(above);
            let local = above.inverse() * places.rotation(head);
            set_rotation(skeleton, head, above * limit.approach(local, Approach::HARD), places);
        }
    }

    /// Moves every leg to its foot's goal, as far as its reach and limits allow.
    fn reach_with_legs(
        &self,
        goals: &[FootGoal],
        up: UpAxis,
        feet: &mut [FootGoal],
        swept: &mut Vec<(FootId, Sweeps)>,
        places: &mut WorldPose,
    ) {
        let skeleton = &self.bones.skeleton;
        swept.clear();
        let legs = self.legs.iter().zip(goals).zip(feet).zip(&self.stated);
        for (i, (((leg, goal), foot), stated)) in legs.enumerate() {
            *foot = kneeless::fitted(leg, places.position(leg.hip()), goal);
            match stated {
                Some(stated) if stated.is_hinged() => {
                    stated.reach(skeleton, foot.ankle, foot.swivel_rad, places);
                }
                _ => reach_with_leg(skeleton, leg, foot, places),
            }
            if let Some(stated) = stated {
                stated.confine(skeleton, foot.foot_rotation, places);
                let sweeps = stated.stand(skeleton, leg, foot, up, places);
                swept.extend(sweeps.map(|sweeps| (FootId::new(i), sweeps)));
            }
        }
    }

    /// Places the bones by the pelvis offset and the trunk lean.
    fn place(&self, world: &WorldPose, body: Vec3, trunk_lean_rad: f64, places: &mut WorldPose) {
        self.bones.place(world, body, places);
        if let ([left, right], true) = (&self.legs[..], trunk_lean_rad != 0.0) {
            let top = |i: usize| self.arms.get(i).map(|arm| arm.joints[0]);
            let head = self.upper.get(self.arms.len()).copied();
            let hips = [left.hip(), right.hip()];
            trunk_lean(&self.bones.skeleton, hips, [top(0), top(1), head], trunk_lean_rad, places);
        }
    }

    /// How far a lean of the trunk moves an arm, in a transferred pose of the target.
    pub fn leaned(&self, world: &WorldPose, side: Side, trunk_lean_rad: f64) -> Vec3 {
        let is_it = |arm: &&SolvedArm| arm.side == side;
        let (Some(arm), [left, right]) = (self.arms.iter().find(is_it), &self.legs[..]) else {
            return Vec3::zeros();
        };
        let at = |own: JointId| world.position(self.bones.whole(own));
        let line = LeanAxis::through([left, right].map(|leg| at(leg.hip())));
        line.map_or(Vec3::zeros(), |line| line.moved(at(arm.joints[0]), trunk_lean_rad))
    }
}
