//! What users of the library alone ask for: names, bases, poles, blends, tolerances, many threads.

use retarget::ik::*;
use retarget::{Quat, Vec3};

/// An arm of two bones along X with an elbow that bends forwards, and its hand.
fn arm(elbow: Joint) -> (Tree, LinkId) {
    let mut body = TreeBuilder::new();
    let chest = body.base("chest");
    let upper_arm = body.link("upper arm", chest, Vec3::x() * 0.2, Joint::ball());
    let forearm = body.link("forearm", upper_arm, Vec3::x() * 0.3, elbow);
    let hand = body.link("hand", forearm, Vec3::x() * 0.25, Joint::ball());
    (body.build().unwrap(), hand)
}

#[test]
fn an_elbow_points_at_its_pole_and_the_hand_stays() {
    let hinge = Joint::hinge(-Vec3::y(), Range::new(0.0, 2.6));
    let mut pointed = 0;
    for elbow in [hinge, Joint::ball().with_bend_axis(-Vec3::y())] {
        let (tree, hand) = arm(elbow);
        let effector = Effector::new(hand, Vec3::zeros()).with_tolerance_len(1e-9);
        let plan = Plan::new(tree, &[effector]).unwrap();
        let at = Vec3::new(0.55, 0.1, 0.2);
        for settings in [
            Settings::default(),
            Settings { method: Method::Sweeps, max_iterations: 1000, ..Settings::default() },
            Settings { max_iterations: 1000, ..Settings::tracking() },
        ] {
            for angle in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
                let aside = Quat::from_axis_angle(&Vec3::x_axis(), angle) * Vec3::y();
                let pole = Vec3::x() * 0.3 + aside * 5.0;
                for goal in [Goal::at(at), Goal::pose(at, Quat::identity())] {
                    let (mut pose, mut scratch) =
                        (TreePose::rest(plan.tree()), Scratch::new(&plan));
                    let goals = [goal.with_pole(pole)];
                    let job = Job::new(&plan, &goals, &settings);
                    solve(&job, &mut pose, &mut scratch);
                    if scratch.residuals()[0].position_len > 1e-6 {
                        continue;
                    }
                    let world = scratch.world();
                    let [root, middle] = [1, 2].map(|link| world.positions[link]);
                    let normal = (at - root).cross(&(pole - root)).normalize();
                    assert!((middle - root).dot(&normal).abs() < 1e-6, "{angle} {settings:?}");
                    pointed += 1;
                    let line = (at - root).normalize();
                    let across = |p: Vec3| (p - root) - line * line.dot(&(p - root));
                    assert!(across(middle).dot(&across(pole)) > 0.0, "{angle} {settings:?}");
                }
            }
        }
    }
    assert!(pointed > 60, "{pointed} of 72 cases reached");
}

#[test]
fn a_base_is_put_where_it_is_told_and_carries_the_rest() {
    let (tree, hand) = arm(Joint::ball());
    let mut pose = TreePose::rest(&tree);
    let turn = Quat::from_axis_angle(&Vec3::y_axis(), 0.5);
    pose.set_base(&tree, Vec3::new(1.0, 2.0, 3.0), turn);
    let mut world = retarget::internals::pose::WorldPose::new(tree.len());
    tree.world(&pose, &mut world);
    let wanted = Vec3::new(1.0, 2.0, 3.0) + turn * (Vec3::x() * 0.75);
    assert!((world.positions[hand.index()] - wanted).norm() < 1e-12);
}

#[test]
fn a_tolerance_as_a_length_is_one() {
    let (tree, hand) = arm(Joint::ball());
    for len in [0.05, 1e-7] {
        let effector = Effector::new(hand, Vec3::zeros()).with_tolerance_len(len);
        let plan = Plan::new(tree.clone(), &[effector]).unwrap();
        let (mut pose, mut scratch) = (TreePose::rest(&tree), Scratch::new(&plan));
        // As far beyond the arm's reach as a tenth more than the tolerance allows.
        for (beyond, status) in [(0.9 * len, Status::Reached), (1.1 * len, Status::OutOfReach)] {
            let goals = [Goal::at(Vec3::x() * (0.75 + beyond))];
            let settings = Settings::default();
            let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
            assert_eq!(outcome.status, status, "{len} {beyond}");
        }
    }
}

#[test]
fn a_blend_of_two_solved_poses_lies_between_them() {
    let (tree, hand) = arm(Joint::ball());
    let plan = Plan::new(tree, &[Effector::new(hand, Vec3::zeros())]).unwrap();
    let solved = |at: Vec3| {
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        let settings = Settings::default();
        solve(&Job::new(&plan, &[Goal::at(at)], &settings), &mut pose, &mut scratch);
        pose
    };
    let (one, other) = (solved(Vec3::new(0.4, 0.3, 0.1)), solved(Vec3::new(0.3, -0.2, 0.3)));
    let (mut even, mut quick) = (TreePose::new(0), TreePose::new(0));
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        even.set_slerp(&one, &other, share);
        quick.set_nlerp(&one, &other, share);
        for link in 0..plan.tree().len() {
            let (a, b) = (one.rotations[link], other.rotations[link]);
            let whole = a.angle_to(&b);
            assert!((a.angle_to(&even.rotations[link]) - share * whole).abs() < 1e-7);
            assert!((b.angle_to(&even.rotations[link]) - (1.0 - share) * whole).abs() < 1e-7);
            // The same way, at nearly the same rate.
            assert!(even.rotations[link].angle_to(&quick.rotations[link]) < 0.03 * whole + 1e-7);
        }
    }
}

#[test]
fn bodies_on_several_threads_come_to_the_bits_of_one() {
    let (tree, hand) = arm(Joint::hinge(-Vec3::y(), Range::new(0.0, 2.6)));
    let plan = Plan::new(tree, &[Effector::new(hand, Vec3::zeros())]).unwrap();
    let settings = Settings::default();
    let solve_part = |poses: &mut [TreePose], first: usize| {
        let mut scratch = Scratch::new(&plan);
        for (i, pose) in poses.iter_mut().enumerate() {
            let t = (first + i) as f64;
            let goals = [Goal::at(Vec3::new(t.sin(), t.cos(), (2.0 * t).sin()) * 0.4)];
            solve(&Job::new(&plan, &goals, &settings), pose, &mut scratch);
        }
    };
    let mut alone = vec![TreePose::rest(plan.tree()); 64];
    let mut beside = alone.clone();
    solve_part(&mut alone, 0);
    std::thread::scope(|scope| {
        for (part, poses) in beside.chunks_mut(16).enumerate() {
            let solve_part = &solve_part;
            scope.spawn(move || solve_part(poses, 16 * part));
        }
    });
    assert_eq!(alone, beside);
}
