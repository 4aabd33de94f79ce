//! Frame by frame: the foot that carries the body becomes the root of the tree, and cyclic coordinate
//! descent brings the pelvis, the other foot, the hands and the head to where they belong, in that
//! order of importance and under the rig's joint limits.
//!
//! The support foot is set where it stands and nothing moves it, so it cannot slide. Every frame
//! starts from its own carried pose; no frame knows another.

use super::carried::{Knee, Leg};
use super::limits::limited;
use super::short;
use super::sole::FootGoal;
use crate::binding::Binding;
use crate::ik::{
    Effector, Goal, Job, Joint, LinkId, Plan, Scratch, Settings, Span, Tree, TreePose,
};
use crate::math::{Quat, Vec3, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::rig::{FootId, Rig, Role, Side};
use crate::skeleton::{JointId, Skeleton};
use crate::transfer::{place_root, unplace_root};

/// Everything that the frames of one binding share: the body as a tree, rooted at the hips and at
/// each foot.
pub(super) struct Body {
    hips: JointId,
    /// The joints above the hips, each after its parent.
    above: Vec<JointId>,
    legs: Vec<Leg>,
    /// The joint that each leg hangs on: the hips, or a joint that is fixed to them.
    seats: Vec<JointId>,
    /// Hands and head, those that the rig has, with how much their goals count; effectors in this
    /// order.
    upper: Vec<(JointId, f64)>,
    /// The joints that a solve turns.
    moved: Vec<JointId>,
    /// Joints with limits, wherever they are.
    limits: Vec<(JointId, Joint)>,
    from_hips: Rooted,
    from_foot: Vec<Rooted>,
    settings: Settings,
}

/// The tree with one of its roots, and what is to be reached from there.
struct Rooted {
    tree: Tree,
    plan: Plan,
}

/// Distances below this share of a chain, and angles below this many radians, count as reached.
const EXACT: f64 = 1e-9;

impl Body {
    pub fn new(target: &Rig, hips: JointId, legs: &[Leg]) -> Self {
        let limits: Vec<(JointId, Joint)> =
            target.skeleton.ids().filter_map(|id| Some((id, limited(target, id)?))).collect();
        let arms: Vec<[JointId; 3]> =
            Side::BOTH.into_iter().filter_map(|side| arm(target, side)).collect();
        let head = target.joint(Role::Head);
        let tree = tree(target, legs, &arms, head, &limits);

        let foot = |leg: &Leg| exact(leg.ankle, leg.hip().into()).with_priority(1);
        let mut uppers: Vec<Effector> = arms
            .iter()
            .map(|&[upper_arm, _, hand]| exact(hand, upper_arm.into()).with_priority(2))
            .collect();
        uppers.extend(head.map(|head| exact(head, head.into()).with_priority(3)));
        let weighed = |id: JointId| (id, target.weight(id));
        let upper = arms.iter().map(|arm| arm[2]).chain(head).map(weighed).collect();

        let moved = legs
            .iter()
            .flat_map(|leg| leg.joints.iter().copied())
            .chain(arms.iter().flatten().copied())
            .chain(head)
            .collect();
        let seat = |leg: &Leg| target.skeleton.parent(leg.hip()).expect("legs hang below the hips");
        let seats: Vec<JointId> = legs.iter().map(seat).collect();
        let rooted_at = |(own, leg): (usize, &Leg)| {
            let tree = tree.rerooted(leg.ankle.into()).expect("a joint of the skeleton");
            // Seen from the foot, the bone above the ankle is the first that turns.
            let first = leg.joints.iter().rev().nth(1).copied().unwrap_or(seats[own]);
            let pelvis = exact(seats[own], first.into());
            let others = (0..legs.len()).filter(|&i| i != own).map(|i| foot(&legs[i]));
            Rooted::new(tree, std::iter::once(pelvis).chain(others), &uppers)
        };
        let from_foot = legs.iter().enumerate().map(rooted_at).collect();
        let from_hips = Rooted::new(tree, legs.iter().map(foot), &uppers);
        let settings = Settings { max_iterations: 30, ..Settings::default() };
        let legs = legs.to_vec();
        let above = target.skeleton.with_ancestors(target.skeleton.parent(hips));
        Self { hips, above, legs, seats, upper, moved, limits, from_hips, from_foot, settings }
    }

    fn rooted(&self, support: Option<FootId>) -> &Rooted {
        match support {
            Some(foot) => &self.from_foot[foot.index()],
            None => &self.from_hips,
        }
    }
}

/// Upper arm, forearm and hand, where a rig has all three.
fn arm(target: &Rig, side: Side) -> Option<[JointId; 3]> {
    let joint = |role| target.joint(role);
    Some([joint(Role::UpperArm(side))?, joint(Role::Forearm(side))?, joint(Role::Hand(side))?])
}

/// The skeleton as a tree in which legs, arms and head move and all else is fixed.
fn tree(
    target: &Rig,
    legs: &[Leg],
    arms: &[[JointId; 3]],
    head: Option<JointId>,
    limits: &[(JointId, Joint)],
) -> Tree {
    let mut tree = Tree::from_skeleton(&target.skeleton).expect("a skeleton is a tree");
    let mut set = |id: JointId, joint: Joint| {
        let limit = limits.iter().find(|(limited, _)| *limited == id).map(|(_, limit)| *limit);
        // A limit that the solver cannot take (a cone wider than a turn, say) leaves the joint free.
        let set = limit.is_some_and(|limit| tree.set_joint(id.into(), limit).is_ok());
        if !set {
            tree.set_joint(id.into(), joint).expect("a sound joint of the skeleton");
        }
    };
    let local = |id: JointId, axis_body: Vec3| {
        target.stance.body_from_joint[id.index()].inverse() * axis_body
    };
    for id in target.skeleton.ids() {
        set(id, Joint::fixed());
    }
    for leg in legs {
        set(leg.hip(), Joint::ball());
        for &(id, axis) in &leg.bends {
            set(id, axis.map_or(Joint::ball(), |axis| Joint::ball().with_bend_axis(axis)));
        }
        set(leg.ankle, Joint::ball());
    }
    for &[upper_arm, forearm, hand] in arms {
        set(upper_arm, Joint::ball());
        // In the stance an elbow bends its forearm forwards: about the vertical, by side.
        let axis = match target.roles.role(upper_arm).and_then(Role::side) {
            Some(Side::Left) => -Vec3::y(),
            _ => Vec3::y(),
        };
        set(forearm, Joint::ball().with_bend_axis(local(forearm, axis)));
        set(hand, Joint::ball());
    }
    if let Some(head) = head {
        set(head, Joint::ball());
    }
    tree
}

fn exact(joint: JointId, top: LinkId) -> Effector {
    Effector::new(joint.into(), Vec3::zeros())
        .with_span(Span::UpTo(top))
        .with_tolerance(EXACT, EXACT)
}

impl Rooted {
    fn new(tree: Tree, lower: impl Iterator<Item = Effector>, upper: &[Effector]) -> Self {
        let effectors: Vec<Effector> = lower.chain(upper.iter().copied()).collect();
        let plan = Plan::new(tree.clone(), &effectors).expect("effectors of this tree");
        Self { tree, plan }
    }
}

/// What one frame is to come to, target world.
pub(super) struct FrameGoal<'a> {
    /// How far the body moves from where it was carried.
    pub body: Vec3,
    /// By foot.
    pub feet: &'a [FootGoal],
    pub support: Option<FootId>,
}

/// Buffers of [`Body::solve`], sized once.
pub(super) struct BodyScratch {
    tree_pose: TreePose,
    ik: Scratch,
    goals: Vec<Goal>,
    /// The feet's goals as their legs can take them.
    feet: Vec<FootGoal>,
}

impl BodyScratch {
    pub fn new(body: &Body) -> Self {
        let links = body.from_hips.tree.len();
        Self {
            tree_pose: TreePose::new(links),
            ik: Scratch::new(&body.from_hips.plan),
            goals: vec![Goal::none(); body.legs.len() + body.upper.len()],
            feet: vec![FootGoal::default(); body.legs.len()],
        }
    }
}

impl Body {
    /// Brings one carried pose to the frame's goals; `world` is that pose in the world, before and after.
    /// No allocation.
    pub fn solve(
        &self,
        binding: &Binding,
        goal: &FrameGoal,
        pose: &mut Pose,
        world: &mut WorldPose,
        scratch: &mut BodyScratch,
    ) {
        let skeleton = &binding.target.skeleton;
        let BodyScratch { tree_pose, ik, goals, feet } = scratch;
        world.positions.iter_mut().for_each(|p| *p += goal.body);
        let at =
            |world: &WorldPose, id: JointId| Goal::pose(world.position(id), world.rotation(id));
        let (lower, upper) = goals.split_at_mut(self.legs.len());
        let support = goal.support.map(FootId::index);
        let pelvis = support.map(|own| at(world, self.seats[own]));
        for (goal, &(id, _)) in upper.iter_mut().zip(&self.upper) {
            *goal = at(world, id);
        }
        if !self.limits.is_empty() {
            for (id, joint) in &self.limits {
                let local = &mut pose.rotations[id.index()];
                *local = joint.confine(*local);
            }
            world.set(skeleton, pose);
            world.positions.iter_mut().for_each(|p| *p += goal.body);
            for (goal, &(id, weight)) in upper.iter_mut().zip(&self.upper) {
                *goal = part_of_the_way(at(world, id), *goal, weight);
            }
        }
        for ((leg, wanted), foot) in self.legs.iter().zip(goal.feet).zip(feet.iter_mut()) {
            *foot = short::fitted(leg, world.position(leg.hip()), wanted);
            swing_leg(skeleton, leg, foot, world);
            bend_knee_forwards(skeleton, leg, world);
        }
        // First the pelvis, seen from the foot that carries the body; then all other feet.
        let others = feet.iter().enumerate().filter(|(i, _)| Some(*i) != support);
        let others = others.map(|(_, foot)| Goal::pose(foot.ankle, foot.foot_rotation));
        for (lower, goal) in lower.iter_mut().zip(pelvis.into_iter().chain(others)) {
            *lower = goal;
        }
        if let Some(own) = support {
            let (leg, foot) = (&self.legs[own], &feet[own]);
            // The leg moves over to its foot as it is, the rest of the body with it.
            let over = foot.ankle - world.position(leg.ankle);
            world.positions.iter_mut().for_each(|p| *p += over);
            world.rotations[leg.ankle.index()] = foot.foot_rotation;
        }
        let rooted = self.rooted(goal.support);
        tree_pose.set_from_world(&rooted.tree, world);
        let job = Job::new(&rooted.plan, goals, &self.settings);
        crate::ik::solve(&job, tree_pose, ik);
        rooted.tree.world(tree_pose, world);
        self.read_back(binding, feet, pose, world);
    }

    /// Roots the solved body at the hips again: local rotations from world ones, the toes laid flat,
    /// the joint that carries the body moved so that the hips are where the solve left them.
    fn read_back(
        &self,
        binding: &Binding,
        feet: &[FootGoal],
        pose: &mut Pose,
        world: &mut WorldPose,
    ) {
        let skeleton = &binding.target.skeleton;
        let hips_rotation = world.rotation(self.hips);
        let hips_world = world.position(self.hips);
        let local = |id: JointId, rotation: Quat, world: &WorldPose| match skeleton.parent(id) {
            Some(parent) => world.rotation(parent).inverse() * rotation,
            None => rotation,
        };
        for &id in &self.moved {
            pose.rotations[id.index()] = local(id, world.rotation(id), world);
        }
        for (leg, foot) in self.legs.iter().zip(feet) {
            if let Some(toe) = leg.toe {
                pose.rotations[toe.index()] = local(toe, foot.toe_rotation, world);
            }
        }
        // Joints above the hips keep their own pose; the solve only carried them along.
        world.set_joints(skeleton, pose, &self.above);
        pose.rotations[self.hips.index()] = local(self.hips, hips_rotation, world);
        unplace_root(binding, pose);
        world.set(skeleton, pose);
        place_root(binding, pose, world, hips_world - world.position(self.hips));
    }
}

/// The goal that lies `weight` of the way from where an effector is to where it is wanted.
fn part_of_the_way(is: Goal, wanted: Goal, weight: f64) -> Goal {
    let between = |is: Vec3, wanted: Vec3| is.lerp(&wanted, weight);
    let turned = |is: Quat, wanted: Quat| is.try_slerp(&wanted, weight, 1e-9).unwrap_or(wanted);
    Goal {
        position: is.position.zip(wanted.position).map(|(i, w)| between(i, w)),
        orientation: is.orientation.zip(wanted.orientation).map(|(i, w)| turned(i, w)),
    }
}

/// Swings a whole leg about its hip joint so that it points at its foot's goal.
///
/// From there the solve only has to bend the knee, in the plane in which the leg is bent: the result
/// is the same from whichever end of the leg it comes.
fn swing_leg(skeleton: &Skeleton, leg: &Leg, foot: &FootGoal, world: &mut WorldPose) {
    let hip = world.position(leg.hip());
    let swing = rotation_between(world.position(leg.ankle) - hip, foot.ankle - hip);
    for i in skeleton.subtree(leg.hip()) {
        world.positions[i] = hip + swing * (world.positions[i] - hip);
        world.rotations[i] = swing * world.rotations[i];
    }
}

/// Knees give way backwards by less than this, as a sine (about 14°); what bends farther means it.
const GIVES_WAY: f64 = 0.25;

/// Mirrors a knee that gives way backwards to the front of its leg; hip and ankle stay.
///
/// Captured legs that stand straight pass through straight all the time. A planted leg keeps to one
/// side, so that a foot that is held does not make the knee jump from one to the other.
fn bend_knee_forwards(skeleton: &Skeleton, leg: &Leg, world: &mut WorldPose) {
    let Some(Knee { shin: shin_id, axis }) = leg.knee else { return };
    let [hip, knee, ankle] = [leg.hip(), shin_id, leg.ankle].map(|id| world.position(id));
    let (thigh, shin) = (knee - hip, ankle - knee);
    let bend = thigh.cross(&shin).dot(&(world.rotation(shin_id) * axis));
    let most = GIVES_WAY * thigh.norm() * shin.norm();
    let Some(line) = (ankle - hip).try_normalize(1e-9 * leg.len) else { return };
    if bend >= 0.0 || bend < -most {
        return;
    }
    let mirrored = |bone: Vec3| line * (2.0 * line.dot(&bone)) - bone;
    let turns = [thigh, shin].map(|bone| rotation_between(bone, mirrored(bone)));
    let new_knee = hip + mirrored(thigh);
    let (thighs, shins, feet) =
        (skeleton.subtree(leg.hip()), skeleton.subtree(shin_id), skeleton.subtree(leg.ankle));
    for i in thighs.filter(|i| !feet.contains(i)) {
        let (turn, from, to) = match shins.contains(&i) {
            true => (turns[1], knee, new_knee),
            false => (turns[0], hip, hip),
        };
        world.positions[i] = to + turn * (world.positions[i] - from);
        world.rotations[i] = turn * world.rotations[i];
    }
}
