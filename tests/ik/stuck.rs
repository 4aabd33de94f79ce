//! Where plain cyclic coordinate descent gets stuck.

use retarget::ik::*;
use retarget::internals::pose::WorldPose;
use retarget::{Quat, Vec3};

fn chain(bones: usize, joint: Joint) -> Plan {
    let mut links = vec![Link::base()];
    for i in 0..bones {
        let offset = if i == 0 { Vec3::zeros() } else { Vec3::x() };
        links.push(Link::child(LinkId::new(i), offset, joint));
    }
    let tip = Effector::new(LinkId::new(bones), Vec3::x());
    Plan::new(Tree::new(&links).unwrap(), &[tip]).unwrap()
}

fn status(plan: &Plan, goal: Goal, settings: &Settings) -> Status {
    let mut pose = TreePose::rest(plan.tree());
    let mut scratch = Scratch::new(plan);
    solve(&Job::new(plan, &[goal], settings), &mut pose, &mut scratch).status
}

#[test]
fn a_straight_chain_reaches_a_goal_on_its_own_line() {
    for bones in [2, 3, 7] {
        for at in [0.6, 1.0, 1.7] {
            let goal = Goal::at(Vec3::x() * at);
            for joint in [Joint::ball(), Joint::hinge(Vec3::z(), Range::new(-2.8, 2.8))] {
                let plan = chain(bones, joint);
                for sweep in [Sweep::TipToBase, Sweep::Alternating] {
                    for method in [Method::Auto, Method::Sweeps] {
                        let settings = Settings { method, sweep, ..Settings::default() };
                        let got = status(&plan, goal, &settings);
                        assert_eq!(
                            got,
                            Status::Reached,
                            "{bones} bones, {at}, {method:?} {sweep:?}"
                        );
                    }
                }
            }
        }
    }
    // The published method alone is locked there.
    let locked = status(&chain(2, Joint::ball()), Goal::at(Vec3::x()), &Settings::plain());
    assert_eq!(locked, Status::Stalled);
}

#[test]
fn a_chain_of_three_hundred_links_reaches_and_stays_whole() {
    let plan = chain(300, Joint::ball());
    for (method, sweep) in [
        (Method::Auto, Sweep::Alternating),
        (Method::Relaxation, Sweep::Alternating),
        (Method::Sweeps, Sweep::BaseToTip),
    ] {
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        let settings = Settings { method, sweep, ..Settings::default() };
        for turn in 0..10 {
            let (sin, cos) = (0.6 * f64::from(turn)).sin_cos();
            let goals = [Goal::at(Vec3::new(120.0 * cos, 150.0 * sin, 100.0 + 30.0 * cos))];
            let status = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch).status;
            assert!(status == Status::Reached || method == Method::Sweeps, "{method:?} {turn}");
            for q in &scratch.world().rotations {
                assert!((q.coords.norm() - 1.0).abs() < 1e-9, "{method:?} {turn}: {q:?}");
            }
        }
    }
}

#[test]
fn goals_on_a_joint_opposite_and_out_of_reach_are_told_apart() {
    let plan = chain(4, Joint::ball());
    let settings = Settings::default();
    assert_eq!(status(&plan, Goal::at(Vec3::zeros()), &settings), Status::Reached);
    assert_eq!(status(&plan, Goal::at(-Vec3::x() * 4.0), &settings), Status::Reached);
    assert_eq!(status(&plan, Goal::at(-Vec3::x() * 2.0), &settings), Status::Reached);
    assert_eq!(status(&plan, Goal::at(Vec3::y() * 4.5), &settings), Status::OutOfReach);
    let near = Plan::new(
        Tree::new(&[
            Link::base(),
            Link::child(LinkId::new(0), Vec3::zeros(), Joint::ball()),
            Link::child(LinkId::new(1), Vec3::x() * 2.0, Joint::ball()),
        ])
        .unwrap(),
        &[Effector::new(LinkId::new(2), Vec3::x())],
    )
    .unwrap();
    assert_eq!(status(&near, Goal::at(Vec3::y() * 0.5), &settings), Status::OutOfReach);
}

#[test]
fn bones_of_no_length_do_no_harm() {
    let mut links = vec![Link::base()];
    for i in 0..9 {
        let offset = if i % 2 == 0 { Vec3::zeros() } else { Vec3::x() };
        links.push(Link::child(LinkId::new(i), offset, Joint::ball()));
    }
    let tip = Effector::new(LinkId::new(9), Vec3::zeros());
    let plan = Plan::new(Tree::new(&links).unwrap(), &[tip]).unwrap();
    let goal = Goal::at(Vec3::new(1.0, 2.0, -1.5));
    for method in [Method::Auto, Method::Relaxation, Method::Sweeps] {
        let settings = Settings { method, ..Settings::default() };
        assert_eq!(status(&plan, goal, &settings), Status::Reached, "{method:?}");
    }
}

#[test]
fn restarts_free_a_chain_that_its_limits_stall() {
    // Two hinges that bend one way only; from the wrong end of the ranges the sweeps are stuck.
    let joint = Joint::hinge(Vec3::z(), Range::new(-1.2, 1.2));
    let plan = chain(6, joint);
    let mut stuck = 0;
    let mut freed = 0;
    for i in 0..200 {
        let t = f64::from(i);
        let heading = (t * 0.37).sin() * 2.5;
        let goal = Goal::at(
            Vec3::new(heading.cos(), heading.sin(), 0.0) * (1.0 + (t * 0.7).cos().abs() * 3.0),
        );
        let once = Settings { max_iterations: 50, ..Settings::default() };
        if status(&plan, goal, &once) != Status::Reached {
            stuck += 1;
            let again = Settings { restarts: 20, ..once };
            freed += usize::from(status(&plan, goal, &again) == Status::Reached);
        }
    }
    assert!(stuck > 0, "the case has lost its point");
    assert!(freed * 10 >= stuck * 8, "{freed} of {stuck} freed");
}

#[test]
fn a_stored_pose_is_tried_first() {
    let plan = chain(5, Joint::hinge(Vec3::z(), Range::new(0.0, 1.0)));
    let mut good = TreePose::rest(plan.tree());
    for q in &mut good.rotations[1..] {
        *q = Quat::from_axis_angle(&Vec3::z_axis(), 0.8);
    }
    let mut world = WorldPose::new(plan.tree().len());
    plan.tree().world(&good, &mut world);
    let goals = [Goal::at(world.positions[5] + world.rotations[5] * Vec3::x())];
    for restarts in [0, 1] {
        let settings =
            Settings { restarts, max_iterations: 1, unsticks: false, ..Settings::default() };
        let mut scratch = Scratch::new(&plan);
        let stored = [good.clone()];
        let job = Job { stored: &stored, ..Job::new(&plan, &goals, &settings) };
        let mut pose = TreePose::rest(plan.tree());
        assert_eq!(solve(&job, &mut pose, &mut scratch).status, Status::Reached);
    }
}

#[test]
fn of_two_stored_poses_that_lead_to_the_goal_the_nearer_one_is_taken() {
    // An elbow that reaches the goal bent to either side, and cannot pass the straight arm by itself.
    let plan = chain(2, Joint::hinge(Vec3::z(), Range::new(-2.5, 2.5)));
    let bent = |shoulder: f64, elbow: f64| {
        let mut pose = TreePose::rest(plan.tree());
        pose.rotations[1] = Quat::from_axis_angle(&Vec3::z_axis(), shoulder);
        pose.rotations[2] = Quat::from_axis_angle(&Vec3::z_axis(), elbow);
        pose
    };
    let goals = [Goal::at(Vec3::x() * 2.0 * 1.0_f64.cos())];
    let (left, right) = (bent(1.0, -2.0), bent(-1.0, 2.0));
    let settings = Settings { max_iterations: 0, unsticks: false, ..Settings::default() };
    for (given, nearer) in [(0.2, &right), (-0.2, &left)] {
        for stored in [[left.clone(), right.clone()], [right.clone(), left.clone()]] {
            let (mut pose, mut scratch) = (bent(0.0, given), Scratch::new(&plan));
            let job = Job { stored: &stored, ..Job::new(&plan, &goals, &settings) };
            assert_eq!(solve(&job, &mut pose, &mut scratch).status, Status::Reached);
            assert!(pose.rotations[2].angle_to(&nearer.rotations[2]) < 1e-9, "{given}");
        }
    }
}

#[test]
fn joints_that_gained_nothing_by_being_unstuck_are_as_they_were() {
    let joint = Joint::hinge(Vec3::z(), Range::new(-0.8, 1.0));
    let mut links: Vec<Link> = vec![Link::base()];
    for i in 0..5 {
        let offset = if i == 0 { Vec3::zeros() } else { Vec3::x() };
        // The last joint is a wrist: turning it moves nothing that is asked for.
        let joint = if i == 4 { Joint::ball() } else { joint };
        links.push(Link::child(LinkId::new(i), offset, joint));
    }
    let hand = Effector::new(LinkId::new(5), Vec3::zeros());
    let plan = Plan::new(Tree::new(&links).unwrap(), &[hand]).unwrap();
    let mut scratch = Scratch::new(&plan);
    let mut unreached = 0;
    for i in 0..500 {
        let t = f64::from(i);
        let goal = Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.9).sin() * 0.3) * 3.0;
        let mut pose = TreePose::rest(plan.tree());
        let settings = Settings { method: Method::Sweeps, ..Settings::default() };
        let goals = [Goal::at(goal)];
        let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        unreached += usize::from(outcome.status != Status::Reached);
        assert_eq!(pose.rotations[5], Quat::identity(), "goal {i}: {:?}", outcome.status);
    }
    assert!(unreached > 100, "the case has lost its point: {unreached}");
}

#[test]
fn the_world_of_a_scratch_is_that_of_the_pose_after_any_solve() {
    // A chain with a branch that no effector moves.
    let hinge = Joint::hinge(Vec3::z(), Range::new(-1.0, 0.5));
    let mut links = vec![Link::base(), Link::child(LinkId::new(0), Vec3::y(), hinge)];
    links.push(Link::child(LinkId::new(1), Vec3::x(), hinge));
    links.push(Link::child(LinkId::new(1), Vec3::y(), hinge));
    let tip = Effector::new(LinkId::new(2), Vec3::x());
    let plan = Plan::new(Tree::new(&links).unwrap(), &[tip]).unwrap();
    let (mut scratch, mut world) = (Scratch::new(&plan), WorldPose::new(plan.tree().len()));
    for settings in [Settings::default(), Settings::tracking(), Settings::plain()] {
        for goal in [Vec3::new(1.0, 3.0, 0.0), Vec3::new(-4.0, 0.1, 0.0), Vec3::x()] {
            let mut pose = TreePose::rest(plan.tree());
            solve_pose(&Job::new(&plan, &[Goal::at(goal)], &settings), &mut pose, &mut scratch);
            plan.tree().world(&pose, &mut world);
            assert_eq!(scratch.world(), &world);
        }
    }
}

#[test]
fn starts_side_by_side_have_one_winner() {
    let plan = chain(6, Joint::hinge(Vec3::z(), Range::new(-1.2, 1.2)));
    let goals = [Goal::at(Vec3::new(-1.0, 1.5, 0.0))];
    let settings = Settings { max_iterations: 20, ..Settings::default() };
    let (given, job) = (TreePose::rest(plan.tree()), Job::new(&plan, &goals, &settings));
    let from = |start: Start| {
        let (mut pose, mut scratch) = (given.clone(), Scratch::new(&plan));
        let score = solve_from(&job, start, &mut pose, &mut scratch).score;
        (pose, score)
    };
    let starts = || (0..16).map(|i| if i == 0 { Start::Given } else { Start::Random(i) });
    let alone: Vec<_> = starts().map(from).collect();
    let beside: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = starts().map(|start| scope.spawn(move || from(start))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, beside);
    let won = winner(alone.iter().map(|(_, score)| *score)).unwrap();
    assert!(alone.iter().all(|(_, score)| !score.is_better_than(&alone[won].1)));
    assert!(alone[won].1.is_better_than(&alone[0].1), "the case has lost its point");
}

#[test]
fn relaxation_turns_no_bone_about_itself() {
    let plan = chain(8, Joint::ball());
    let mut before = TreePose::rest(plan.tree());
    for (i, q) in before.rotations.iter_mut().enumerate().skip(1) {
        *q = Quat::from_scaled_axis(Vec3::new(0.9, 0.2, -0.3) * (i as f64 * 1.7).sin());
    }
    let (mut after, mut scratch) = (before.clone(), Scratch::new(&plan));
    let goals = [Goal::at(Vec3::new(1.0, 3.0, -2.0))];
    let settings = Settings { method: Method::Relaxation, ..Settings::default() };
    let outcome = solve(&Job::new(&plan, &goals, &settings), &mut after, &mut scratch);
    assert_eq!(outcome.status, Status::Reached);
    for (now, then) in after.rotations.iter().zip(&before.rotations).skip(1) {
        let turn = then.inverse() * now;
        // A turn is the least that brings the bone where it is if its axis lies across both.
        assert!(turn.imag().x.abs() < 1e-9 && turn.angle() > 1e-3, "{turn}");
    }
}

#[test]
fn one_pass_at_a_time_arrives_where_a_whole_solve_does() {
    let plan = chain(6, Joint::ball());
    let goals = [Goal::at(Vec3::new(1.0, 3.0, 2.0))];
    let settings = Settings::one_pass(Sweep::TipToBase);
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let mut before = f64::INFINITY;
    for frame in 0..200 {
        let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        let residual = scratch.residuals()[0].position_len;
        assert!(residual <= before, "frame {frame}");
        before = residual;
        if outcome.status == Status::Reached {
            return;
        }
        assert_eq!((outcome.status, outcome.iterations), (Status::Moving, 1), "frame {frame}");
    }
    panic!("not there after 200 frames");
}

#[test]
fn a_comfort_region_leaves_the_motion_to_the_other_joints() {
    let goal = [Goal::at(Vec3::new(2.5, 0.6, 0.0))];
    let turned = |comfort: f64, method: Method| {
        let mut plan = chain(4, Joint::ball());
        let mut tree = plan.tree().clone();
        tree.set_joint(LinkId::new(4), Joint::ball().with_comfort(comfort)).unwrap();
        plan = Plan::new(tree, plan.effectors()).unwrap();
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        let settings = Settings { method, ..Settings::default() };
        let reached = solve(&Job::new(&plan, &goal, &settings), &mut pose, &mut scratch).status;
        assert_eq!(reached, Status::Reached);
        pose.rotations[4].angle()
    };
    for method in [Method::Auto, Method::Relaxation, Method::Sweeps] {
        assert!(turned(10.0, method) < 1e-9 && turned(0.0, method) > 0.05, "{method:?}");
    }
}

#[test]
fn active_limits_are_named() {
    let plan = chain(2, Joint::hinge(Vec3::z(), Range::new(-0.3, 0.3)));
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let goals = [Goal::at(Vec3::new(0.0, 2.0, 0.0))];
    let settings = Settings::default();
    let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
    let named: Vec<_> = scratch.active_limits().iter().map(|a| (a.link.index(), a.limit)).collect();
    assert_eq!(named, [(1, Limit::Max(0)), (2, Limit::Max(0))]);
    assert_eq!(outcome.status, Status::Stalled);
}
