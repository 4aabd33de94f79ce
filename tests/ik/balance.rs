//! The body that has to stay in balance, and effectors that share a trunk.

use retarget::ik::*;
use retarget::internals::pose::WorldPose;
use retarget::{Quat, Vec3};

#[test]
fn equal_effectors_share_a_trunk_by_their_weights() {
    // A trunk that forks into two rigid arms, pulled both ways.
    let tree = Tree::new(&[
        Link::base(),
        Link::child(LinkId::new(0), Vec3::zeros(), Joint::hinge(Vec3::z(), Range::free())),
    ])
    .unwrap();
    let angle = |left: f64, right: f64| {
        let effectors = [
            Effector::new(LinkId::new(1), Vec3::y()).with_weight(left),
            Effector::new(LinkId::new(1), Vec3::y()).with_weight(right),
        ];
        let plan = Plan::new(tree.clone(), &effectors).unwrap();
        let goals = [Goal::at(Vec3::new(-1.0, 1.0, 0.0)), Goal::at(Vec3::new(1.0, 1.0, 0.0))];
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        solve(&Job::new(&plan, &goals, &Settings::default()), &mut pose, &mut scratch);
        pose.rotations[1].scaled_axis().z
    };
    assert!(angle(1.0, 1.0).abs() < 1e-9);
    assert!(angle(3.0, 1.0) > 0.2 && (angle(3.0, 1.0) + angle(1.0, 3.0)).abs() < 1e-9);
}

#[test]
fn the_centre_of_mass_comes_over_the_feet_and_the_feet_stay() {
    // Legs, trunk and arms, rooted at the left foot; the right foot holds, the trunk leans.
    let v = Vec3::new;
    let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(2), Some(6), Some(6)];
    let places = [
        v(0.1, 0.0, 0.0),
        v(0.0, 0.45, 0.02),
        v(0.0, 0.45, -0.02),
        v(-0.2, 0.0, 0.0),
        v(0.0, -0.45, 0.02),
        v(0.0, -0.45, -0.02),
        v(-0.1, 0.1, 0.0),
        v(0.2, 0.45, 0.0),
        v(-0.2, 0.45, 0.0),
    ];
    let links: Vec<Link> = parents
        .iter()
        .zip(places)
        .map(|(parent, place)| match parent {
            Some(parent) => Link::child(LinkId::new(*parent), place, Joint::ball()),
            None => Link::base(),
        })
        .collect();
    let mut tree = Tree::new(&links).unwrap();
    let arm =
        Segment::UpperArm.mass_ratio() + Segment::Forearm.mass_ratio() + Segment::Hand.mass_ratio();
    let masses = [
        (0, Segment::Foot.mass_ratio(), v(0.0, 0.0, 0.05)),
        (1, Segment::Shin.mass_ratio(), v(0.0, 0.2, 0.0)),
        (2, Segment::Thigh.mass_ratio(), v(0.0, 0.2, 0.0)),
        (4, Segment::Thigh.mass_ratio(), v(0.0, -0.2, 0.0)),
        (5, Segment::Foot.mass_ratio() + Segment::Shin.mass_ratio(), v(0.0, -0.1, 0.0)),
        (6, Segment::Trunk.mass_ratio() + Segment::Head.mass_ratio(), v(0.0, 0.3, 0.0)),
        (7, arm, v(0.0, -0.3, 0.0)),
        (8, arm, v(0.0, -0.3, 0.0)),
    ];
    for (link, mass, center) in masses {
        tree.set_mass(LinkId::new(link), mass, center).unwrap();
    }
    let foot = Effector::new(LinkId::new(5), Vec3::zeros())
        .with_tolerance_ratio(1e-3)
        .with_tolerance_rad(1e-2);
    let plan = Plan::new(
        tree.clone(),
        &[foot, Effector::center_of_mass(Some(Vec3::y())).with_priority(1)],
    )
    .unwrap();
    let mut pose = TreePose::rest(&tree);
    pose.rotations[6] = Quat::from_axis_angle(&Vec3::x_axis(), 0.9);
    let mut world = WorldPose::new(tree.len());
    tree.world(&pose, &mut world);
    let before = tree.center_of_mass(&world).unwrap();
    let (left, right) = (world.positions[0], world.positions[5]);
    let sole = |foot: Vec3| [foot + v(0.0, 0.0, -0.05), foot + v(0.0, 0.0, 0.1)];
    let area = SupportArea::new(&[sole(left), sole(right)].concat(), Vec3::y()).unwrap();
    assert!(!area.contains(before), "the case has lost its point: {before:?}");
    let goals = [Goal::at(right), Goal::at(area.nearest(before))];
    let mut scratch = Scratch::new(&plan);
    let outcome = solve(&Job::new(&plan, &goals, &Settings::default()), &mut pose, &mut scratch);
    assert_eq!(outcome.status, Status::Reached, "{:?}", scratch.residuals());
    tree.world(&pose, &mut world);
    assert!((world.positions[5] - right).norm() < 2e-3 && world.positions[0] == left);
}

#[test]
fn a_pass_for_balance_leaves_its_last_joint_at_its_best() {
    let hinge = Joint::hinge(Vec3::z(), Range::free());
    let mut links = vec![Link::base()];
    for i in 0..3 {
        let place = if i == 0 { Vec3::zeros() } else { Vec3::x() };
        links.push(Link::child(LinkId::new(i), place, hinge));
    }
    let mut tree = Tree::new(&links).unwrap();
    for (link, mass) in [(0, 2.0), (1, 1.0), (2, 3.0), (3, 0.7)] {
        tree.set_mass(LinkId::new(link), mass, Vec3::x() * 0.4).unwrap();
    }
    let plan = Plan::new(tree.clone(), &[Effector::center_of_mass(None)]).unwrap();
    let goal = Vec3::new(0.2, 0.9, 0.0);
    let (mut pose, mut scratch) = (TreePose::rest(&tree), Scratch::new(&plan));
    let settings = Settings::one_pass(Sweep::TipToBase);
    solve(&Job::new(&plan, &[Goal::at(goal)], &settings), &mut pose, &mut scratch);
    let mut world = WorldPose::new(tree.len());
    let mut error = |turn: f64| {
        let mut turned = pose.clone();
        turned.rotations[1] *= Quat::from_axis_angle(&Vec3::z_axis(), turn);
        tree.world(&turned, &mut world);
        (tree.center_of_mass(&world).unwrap() - goal).norm()
    };
    let best = error(0.0);
    for turn in [-0.3, -1e-3, 1e-3, 0.3] {
        assert!(error(turn) > best, "a turn of {turn} would be better");
    }
}
