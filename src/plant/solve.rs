//! Frame by frame: the foot that carries the body becomes the root of the tree, and cyclic coordinate
//! descent brings first the pelvis, then the other foot to where they belong.
//!
//! The support foot is set where it stands and nothing moves it, so it cannot slide. Every frame
//! starts from its own carried pose; no frame knows another.

use super::carried::Leg;
use super::foot::FootGoal;
use crate::binding::Binding;
use crate::ik::{
    Effector, Goal, Job, Joint, LinkId, Plan, Scratch, Settings, Span, Tree, TreePose,
};
use crate::math::{Quat, Vec3, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, Side};
use crate::skeleton::JointId;
use crate::transfer::place_root;

/// Everything that the frames of one binding share: the body as a tree, rooted at the hips and at
/// either foot.
pub(super) struct Body {
    hips: JointId,
    /// The joint that each thigh hangs on: the hips, or a joint that is fixed to them.
    seats: [LinkId; 2],
    from_hips: Rooted,
    from_foot: [Rooted; 2],
    settings: Settings,
}

/// The tree with one of its roots, and what is to be reached from there.
struct Rooted {
    tree: Tree,
    plan: Plan,
}

/// Distances below this share of a chain count as reached.
const EXACT: f64 = 1e-9;

impl Body {
    pub fn new(target: &Rig, hips: JointId, legs: &[Leg; 2]) -> Self {
        let mut tree = Tree::from_skeleton(&target.skeleton).expect("a skeleton is a tree");
        for id in target.skeleton.ids() {
            tree.set_joint(id.into(), Joint::fixed()).expect("a joint of the skeleton");
        }
        for leg in legs {
            // A knee bends its shin backwards: about the axis that points to the body's left.
            let bends_about = target.stance.body_from_joint[leg.shin.index()].inverse() * Vec3::x();
            let joints = [
                (leg.thigh, Joint::ball()),
                (leg.shin, Joint::ball().with_bend_axis(bends_about)),
                (leg.ankle, Joint::ball()),
            ];
            for (id, joint) in joints {
                tree.set_joint(id.into(), joint).expect("an axis with a direction");
            }
        }
        let foot = |leg: &Leg| exact(leg.ankle.into(), leg.thigh.into());
        let seats = [0, 1].map(|i| {
            let parent = target.skeleton.parent(legs[i].thigh);
            LinkId::from(parent.expect("thighs hang below the hips"))
        });
        let from_foot = Side::BOTH.map(|side| {
            let (own, other) = (&legs[side.index()], &legs[1 - side.index()]);
            let tree = tree.rerooted(own.ankle.into()).expect("a joint of the skeleton");
            let pelvis = exact(seats[side.index()], own.shin.into());
            Rooted::new(tree, &[pelvis, foot(other).with_priority(1)])
        });
        let from_hips = Rooted::new(tree, &[foot(&legs[0]), foot(&legs[1])]);
        let settings = Settings { max_iterations: 30, ..Settings::default() };
        Self { hips, seats, from_hips, from_foot, settings }
    }

    fn rooted(&self, support: Option<Side>) -> &Rooted {
        match support {
            Some(side) => &self.from_foot[side.index()],
            None => &self.from_hips,
        }
    }
}

fn exact(link: LinkId, top: LinkId) -> Effector {
    Effector::new(link, Vec3::zeros()).with_span(Span::UpTo(top)).with_tolerance(EXACT, EXACT)
}

impl Rooted {
    fn new(tree: Tree, effectors: &[Effector]) -> Self {
        let plan = Plan::new(tree.clone(), effectors).expect("effectors of this tree");
        Self { tree, plan }
    }
}

/// What one frame is to come to, target world.
pub(super) struct FrameGoal<'a> {
    /// How far the body moves from where it was carried.
    pub body: Vec3,
    pub feet: &'a [FootGoal; 2],
    pub support: Option<Side>,
}

/// Buffers of [`Body::solve`], sized once.
pub(super) struct BodyScratch {
    tree_pose: TreePose,
    ik: Scratch,
    world: WorldPose,
}

impl BodyScratch {
    pub fn new(body: &Body) -> Self {
        let links = body.from_hips.tree.len();
        Self {
            tree_pose: TreePose::new(links),
            ik: Scratch::new(&body.from_hips.plan),
            world: WorldPose::new(links),
        }
    }

    /// The world pose that the last solve ended in.
    pub fn world(&self) -> &WorldPose {
        &self.world
    }
}

impl Body {
    /// Brings one carried pose to the frame's goals. No allocation.
    pub fn solve(
        &self,
        binding: &Binding,
        legs: &[Leg; 2],
        goal: &FrameGoal,
        pose: &mut Pose,
        scratch: &mut BodyScratch,
    ) {
        let skeleton = &binding.target.skeleton;
        let world = &mut scratch.world;
        world.set(skeleton, pose);
        world.positions.iter_mut().for_each(|p| *p += goal.body);
        for (leg, foot) in legs.iter().zip(goal.feet) {
            swing_leg(skeleton, leg, foot, world);
        }
        let seat_goal = |side: Side| {
            let seat = self.seats[side.index()].index();
            Goal::pose(world.positions[seat], world.rotations[seat])
        };
        let foot_goal = |side: Side| {
            let foot = &goal.feet[side.index()];
            Goal::pose(foot.ankle, foot.foot_rotation)
        };
        let goals = match goal.support {
            Some(Side::Left) => [seat_goal(Side::Left), foot_goal(Side::Right)],
            Some(Side::Right) => [seat_goal(Side::Right), foot_goal(Side::Left)],
            None => [foot_goal(Side::Left), foot_goal(Side::Right)],
        };
        if let Some(side) = goal.support {
            let (leg, foot) = (&legs[side.index()], &goal.feet[side.index()]);
            // The leg moves over to its foot as it is, the rest of the body with it.
            let over = foot.ankle - world.position(leg.ankle);
            world.positions.iter_mut().for_each(|p| *p += over);
            world.rotations[leg.ankle.index()] = foot.foot_rotation;
        }
        let rooted = self.rooted(goal.support);
        scratch.tree_pose.set_from_world(&rooted.tree, world);
        let job = Job { plan: &rooted.plan, goals: &goals, settings: &self.settings };
        crate::ik::solve(&job, &mut scratch.tree_pose, &mut scratch.ik);
        rooted.tree.world(&scratch.tree_pose, world);
        self.read_back(binding, legs, goal, pose, world);
    }

    /// Roots the solved body at the hips again: local rotations from world ones, the toes laid flat,
    /// the joint that carries the body moved so that the hips are where the solve left them.
    fn read_back(
        &self,
        binding: &Binding,
        legs: &[Leg; 2],
        goal: &FrameGoal,
        pose: &mut Pose,
        world: &mut WorldPose,
    ) {
        let skeleton = &binding.target.skeleton;
        let hips_world = world.position(self.hips);
        let mid_thigh = hips_world + world.rotation(self.hips) * binding.root.mid_thigh;
        let local = |id: JointId, rotation: Quat, world: &WorldPose| match skeleton.parent(id) {
            Some(parent) => world.rotation(parent).inverse() * rotation,
            None => rotation,
        };
        // Joints above the hips keep their own pose; the solve only carried them along.
        let hips_rotation = world.rotation(self.hips);
        for (leg, foot) in legs.iter().zip(goal.feet) {
            for id in [leg.thigh, leg.shin, leg.ankle] {
                pose.rotations[id.index()] = local(id, world.rotation(id), world);
            }
            if let Some(toe) = leg.toe {
                pose.rotations[toe.index()] = local(toe, foot.toe_rotation, world);
            }
        }
        world.set(skeleton, pose);
        pose.rotations[self.hips.index()] = local(self.hips, hips_rotation, world);
        world.set(skeleton, pose);
        place_root(binding, pose, world, mid_thigh);
        world.set(skeleton, pose);
    }
}

/// Swings a whole leg about its hip joint so that it points at its foot's goal, and turns the foot.
///
/// From there the solve only has to bend the knee, in the plane in which the leg is bent: the result
/// is the same from whichever end of the leg it comes.
fn swing_leg(
    skeleton: &crate::skeleton::Skeleton,
    leg: &Leg,
    foot: &FootGoal,
    world: &mut WorldPose,
) {
    let hip = world.position(leg.thigh);
    let swing = rotation_between(world.position(leg.ankle) - hip, foot.ankle - hip);
    let first = leg.thigh.index();
    let below = (first..skeleton.len()).take_while(|&i| {
        i == first || skeleton.joints()[i].parent.is_some_and(|p| p.index() >= first)
    });
    for i in below {
        world.positions[i] = hip + swing * (world.positions[i] - hip);
        world.rotations[i] = swing * world.rotations[i];
    }
}
