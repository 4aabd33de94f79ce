//! What the sweeps and steps are said to do: which joints move, and how far.

use retarget::ik::*;
use retarget::{Quat, Vec3};

const BONES: usize = 10;

/// Bones of length 1 along X, slightly bent, and where its tip is.
fn bent_chain() -> (Plan, TreePose, Vec3) {
    let mut links = vec![Link::base()];
    for i in 0..BONES {
        let offset = if i == 0 { Vec3::zeros() } else { Vec3::x() };
        links.push(Link::child(LinkId::new(i), offset, Joint::ball()));
    }
    let tip = Effector::new(LinkId::new(BONES), Vec3::x());
    let plan = Plan::new(Tree::new(&links).unwrap(), &[tip]).unwrap();
    let mut pose = TreePose::rest(plan.tree());
    for q in &mut pose.rotations[1..] {
        *q = Quat::from_axis_angle(&Vec3::z_axis(), 0.1);
    }
    let mut world = retarget::internals::pose::WorldPose::new(plan.tree().len());
    plan.tree().world(&pose, &mut world);
    let tip = world.positions[BONES] + world.rotations[BONES] * Vec3::x();
    (plan, pose, tip)
}

/// How far each joint has turned, base first, once the tip has come from where it is to `by` beside it.
fn turns(sweep: Sweep, by: Vec3) -> Vec<f64> {
    let (plan, start, tip) = bent_chain();
    let (mut pose, mut scratch) = (start.clone(), Scratch::new(&plan));
    let (goals, settings) = ([Goal::at(tip + by)], Settings { sweep, ..Settings::plain() });
    let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
    assert_eq!(outcome.status, Status::Reached, "{sweep:?}");
    let both = pose.rotations.iter().zip(&start.rotations).skip(1);
    both.map(|(now, then)| then.angle_to(now)).collect()
}

/// What the base's half of the joints turned, and the tip's.
fn halves(sweep: Sweep, by: Vec3) -> [f64; 2] {
    let turns = turns(sweep, by);
    let (base, tip) = turns.split_at(BONES / 2);
    [base, tip].map(|half| half.iter().sum())
}

const GOALS: [Vec3; 3] =
    [Vec3::new(-0.5, 0.4, 0.3), Vec3::new(-0.3, -0.5, 0.2), Vec3::new(-0.6, 0.1, -0.4)];

#[test]
fn tip_to_base_moves_mostly_the_tip_and_base_to_tip_the_base_too() {
    for goal in GOALS {
        let [base, tip] = halves(Sweep::TipToBase, goal);
        assert!(tip > 3.0 * base, "{goal:?}: {base} {tip}");
        let [other_base, _] = halves(Sweep::BaseToTip, goal);
        assert!(other_base > 2.0 * base, "{goal:?}: {other_base} {base}");
    }
}

#[test]
fn bounces_spare_the_base() {
    for goal in GOALS {
        let [swept, _] = halves(Sweep::TipToBase, goal);
        for bounce in [Sweep::Bounce, Sweep::SmartBounce { threshold_rad: 0.05 }] {
            let [bounced, _] = halves(bounce, goal);
            assert!(bounced < swept, "{bounce:?} {goal:?}: {bounced} {swept}");
        }
    }
}

#[test]
fn a_smart_bounce_goes_on_to_the_base_only_past_joints_that_hardly_moved() {
    // Where the last bone alone gets there, the first visit is the last that moves anything.
    let goal = Quat::from_axis_angle(&Vec3::z_axis(), 1.5) * Vec3::x();
    let turned = turns(
        Sweep::SmartBounce { threshold_rad: 0.5 },
        goal - Quat::from_axis_angle(&Vec3::z_axis(), 1.0) * Vec3::x(),
    );
    assert!(turned[..BONES - 1].iter().all(|turn| *turn == 0.0), "{turned:?}");
}

#[test]
fn bounces_forward_spare_the_tip() {
    for bounce in [Sweep::BounceForward, Sweep::SmartBounceForward { threshold_rad: 0.05 }] {
        let of = |sweep| GOALS.map(|goal| halves(sweep, goal)[1]);
        let (bounced, swept) = (of(bounce), of(Sweep::BaseToTip));
        let is_more = |(bounced, swept): (&f64, &f64)| *bounced > swept + 1e-9;
        assert!(!bounced.iter().zip(&swept).any(is_more), "{bounce:?}: {bounced:?} {swept:?}");
        let sum = |halves: [f64; 3]| halves.iter().sum::<f64>();
        assert!(sum(bounced) < sum(swept) - 1e-4, "{bounce:?}: {bounced:?} {swept:?}");
    }
}

#[test]
fn a_smart_bounce_forward_goes_on_to_the_tip_only_past_joints_that_hardly_moved() {
    // Where the first joint alone gets there, no other one moves.
    let (_, _, tip) = bent_chain();
    let goal = Quat::from_axis_angle(&Vec3::z_axis(), 0.6) * tip;
    let turned = turns(Sweep::SmartBounceForward { threshold_rad: 0.5 }, goal - tip);
    assert!(turned[0] > 0.59 && turned[1..].iter().all(|turn| *turn < 1e-9), "{turned:?}");
}

/// How far each joint turns in one pass of a sweep towards a goal, with a stop within the pass or without.
fn turned_in_a_pass(sweep: Sweep, goal: Vec3, stops_within_pass: bool) -> Vec<f64> {
    let (plan, start, _) = bent_chain();
    let (mut pose, mut scratch) = (start.clone(), Scratch::new(&plan));
    let settings = Settings { stops_within_pass, ..Settings::one_pass(sweep) };
    solve(&Job::new(&plan, &[Goal::at(goal)], &settings), &mut pose, &mut scratch);
    let both = pose.rotations.iter().zip(&start.rotations).skip(1);
    both.map(|(now, then)| then.angle_to(now)).collect()
}

#[test]
fn a_pass_that_stops_at_the_goal_leaves_the_joints_that_are_yet_to_come() {
    let (_, _, tip) = bent_chain();
    let v = Vec3::new;
    // What the last joint, and what the first one, can reach alone but for half a tolerance.
    let turn = |angle: f64| Quat::from_axis_angle(&Vec3::z_axis(), angle);
    let last = tip - turn(1.0) * Vec3::x() + turn(1.5) * (Vec3::x() * 1.004);
    let first = turn(0.4) * tip * 1.0005;
    for (sweep, goal, mover) in [
        (Sweep::TipToBase, last, BONES - 1),
        (Sweep::BaseToTip, first, 0),
        (Sweep::LargestError, last, BONES - 1),
    ] {
        let others = |turned: Vec<f64>| {
            let others = turned.iter().enumerate().filter(|(i, _)| *i != mover);
            others.map(|(_, turn)| *turn).fold(0.0, f64::max)
        };
        assert_eq!(others(turned_in_a_pass(sweep, goal, true)), 0.0, "{sweep:?}");
        assert!(others(turned_in_a_pass(sweep, goal, false)) > 1e-5, "{sweep:?}");
    }
    // A goal that is not reached costs the whole pass.
    let far = v(-3.0, 2.0, 1.0);
    assert_eq!(
        turned_in_a_pass(Sweep::TipToBase, far, true),
        turned_in_a_pass(Sweep::TipToBase, far, false)
    );
}

#[test]
fn a_span_limits_how_many_joints_move() {
    for count in [1, 3, 7] {
        let (plan, mut pose, tip) = bent_chain();
        let start = pose.clone();
        let effector = plan.effectors()[0].with_span(Span::Joints(count));
        let plan = Plan::new(plan.tree().clone(), &[effector]).unwrap();
        let mut scratch = Scratch::new(&plan);
        let goals = [Goal::at(tip + Vec3::new(-0.3, 0.5, 0.2))];
        solve(&Job::new(&plan, &goals, &Settings::default()), &mut pose, &mut scratch);
        let both = pose.rotations.iter().zip(&start.rotations);
        let still = both.take_while(|(now, then)| now == then).count();
        assert_eq!(still, BONES + 1 - count);
    }
}

#[test]
fn a_lone_hinge_steps_by_what_its_settings_say() {
    let turned = |wanted: f64, step: Step, weight: f64| {
        let hinge = Joint::hinge(Vec3::z(), Range::free()).with_weight(weight);
        let links = [Link::base(), Link::child(LinkId::new(0), Vec3::zeros(), hinge)];
        let tip = Effector::new(LinkId::new(1), Vec3::x())
            .with_tolerance_ratio(1e-6)
            .with_tolerance_rad(1e-6);
        let plan = Plan::new(Tree::new(&links).unwrap(), &[tip]).unwrap();
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        let goals = [Goal::at(Vec3::new(wanted.cos(), wanted.sin(), 0.0))];
        let settings = Settings { step, ..Settings::one_pass(Sweep::TipToBase) };
        solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        pose.rotations[1].scaled_axis().z
    };
    // A share of a turn is exact to second order.
    let is = |turned: f64, wanted: f64| {
        assert!((turned - wanted).abs() < 0.01 * wanted.abs(), "{turned} {wanted}");
    };
    for wanted in [0.1, 0.4, -0.5] {
        is(turned(wanted, Step::exact(), 1.0), wanted);
        is(turned(wanted, Step::exact(), 0.5), 0.5 * wanted);
        is(turned(wanted, Step::damped(0.8), 1.0), 0.8 * wanted);
        is(turned(wanted, Step::damped(0.8), 0.5), 0.4 * wanted);
        is(turned(wanted, Step::exact().with_max_turn(0.05), 1.0), 0.05 * wanted.signum());
        // The error feeds back: it is a share of the chain, and as much of the excess is taken.
        let error = 2.0 * (0.5 * wanted.abs()).sin();
        is(turned(wanted, Step::over_relaxed(1.5), 1.0), wanted * (1.0 + 0.5 * error));
    }
}
