//! Every kind of joint serves a goal as well when the tree is rooted at its other end.

use retarget::ik::*;
use retarget::internals::math::{Axis, EulerOrder, Vec3};
use retarget::internals::pose::WorldPose;

/// Four links in a row with a joint of this kind in the middle and balls beside it.
fn row(middle: Joint) -> Tree {
    let child = |parent, joint| Link::child(LinkId::new(parent), Vec3::new(1.0, 0.1, 0.0), joint);
    Tree::new(&[
        Link::base(),
        child(0, Joint::ball()),
        child(1, middle),
        child(2, Joint::ball().with_weight(0.0)),
    ])
    .unwrap()
}

fn middles() -> Vec<Joint> {
    let zyx = EulerOrder::new(&[Axis::Z, Axis::Y, Axis::X]).unwrap();
    let cone = Cone {
        twist_axis: Vec3::x(),
        swing_axis: Vec3::z(),
        swing_rad: [1.5, 0.8],
        twist: Range::new(-0.5, 0.5),
    };
    vec![
        Joint::hinge(Vec3::z(), Range::free()),
        Joint::hinge(Vec3::z(), Range::new(-0.2, 2.5)),
        Joint::euler(zyx, [Range::new(-0.2, 2.5), Range::new(-0.3, 0.3), Range::new(-0.1, 0.1)]),
        Joint::cone(cone),
        Joint::slide(Vec3::x(), Range::new(-0.9, 0.5)),
        Joint::ball().with_bend_axis(Vec3::z()),
    ]
}

#[test]
fn a_joint_turns_the_right_way_from_either_side() {
    for middle in middles() {
        let tree = row(middle);
        let there = tree.rerooted(LinkId::new(3)).unwrap();
        for method in [Method::Auto, Method::Sweeps] {
            for distance in [1.7, 2.0, 2.4, 2.8] {
                // From the far end: the first link's frame has to come this near.
                let plan = Plan::new(
                    there.clone(),
                    &[Effector::new(LinkId::new(0), Vec3::x())
                        .with_tolerance_ratio(1e-4)
                        .with_tolerance_rad(1e-2)],
                )
                .unwrap();
                let mut pose = TreePose::rest(&tree);
                pose.rotations[2] = middle.rest;
                let mut carried = TreePose::rest(&there);
                carried.set_rerooted(&there, &tree, &pose);
                let mut world = WorldPose::new(4);
                there.world(&carried, &mut world);
                let from = world.positions[2];
                let goals = [Goal::at(from + Vec3::new(-0.6, 0.8, 0.0) * (distance - 1.0))];
                let settings = Settings { method, max_iterations: 400, ..Settings::default() };
                let mut scratch = Scratch::new(&plan);
                let job = Job::new(&plan, &goals, &settings);
                let before = (world.positions[0] + world.rotations[0] * Vec3::x()
                    - goals[0].position.unwrap())
                .norm();
                let outcome = solve(&job, &mut carried, &mut scratch);
                let after = scratch.residuals()[0].position_len;
                let serves = outcome.status == Status::Reached || after < 0.9 * before;
                assert!(serves, "{:?} {method:?} {distance}: {before} to {after}", middle.kind);
            }
        }
    }
}

#[test]
fn a_lone_hinge_gains_as_much_from_either_side() {
    for range in [Range::free(), Range::new(-1.0, 1.0)] {
        let hinge = Joint::hinge(Vec3::z(), range);
        let tree =
            Tree::new(&[Link::base(), Link::child(LinkId::new(0), Vec3::x(), hinge)]).unwrap();
        let there = tree.rerooted(LinkId::new(1)).unwrap();
        for (tree, tip, at) in [(tree.clone(), 1, Vec3::x()), (there, 0, Vec3::zeros())] {
            let effector = Effector::new(LinkId::new(tip), at)
                .with_tolerance_ratio(1e-9)
                .with_tolerance_rad(1e-9);
            let mut pose = TreePose::rest(&tree);
            let pivot = if tip == 1 { Vec3::x() } else { Vec3::zeros() };
            let out = if tip == 1 { Vec3::x() } else { -Vec3::x() };
            let goal = retarget::internals::math::Quat::from_axis_angle(&Vec3::z_axis(), 0.7) * out;
            let plan = Plan::new(tree, &[effector]).unwrap();
            let mut scratch = Scratch::new(&plan);
            let goals = [Goal::at(pivot + goal)];
            let settings = Settings { unsticks: false, ..Settings::one_pass(Sweep::TipToBase) };
            let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
            assert_eq!(outcome.status, Status::Reached, "{range:?}, tip {tip}");
        }
    }
}
