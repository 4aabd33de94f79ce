//! Laws of the solver over random trees, limits, goals and settings.
//!
//! Other cases in every run; `PROPTEST_CASES` says how many. A failure is printed with its seed and kept
//! in `tests/proptest-regressions`, from which the next runs repeat it.

mod elsewhere;

use crate::cases::*;
use proptest::prelude::*;
use retarget::ik::{Strategy, *};
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3, swing_twist};
use retarget::internals::pose::WorldPose;
use std::f64::consts::{PI, TAU};

fn inside(angle: f64, range: Range) -> bool {
    let near = 1e-7;
    (-2..=2).any(|turn| {
        let angle = angle + TAU * f64::from(turn);
        angle >= range.min - near && angle <= range.max + near
    })
}

/// Whether a rotation and a shift obey a joint, judged from the definition of its limits.
fn obeys(joint: &Joint, rotation: Quat, shift: Vec3) -> Result<(), String> {
    let motion = joint.rest.inverse() * rotation;
    let check = |fine: bool, what: String| if fine { Ok(()) } else { Err(what) };
    match joint.kind {
        JointKind::Hinge { axis, range } => {
            let (swing, twist) = swing_twist(motion, axis);
            let angle = 2.0 * twist.imag().dot(&axis).atan2(twist.w);
            check(swing.angle() < 1e-7, format!("tilted by {}", swing.angle()))?;
            check(inside(angle, range), format!("{angle} outside {range:?}"))
        }
        JointKind::Cone(cone) => {
            let (swing, twist) = swing_twist(motion, cone.twist_axis);
            let v = swing.scaled_axis();
            let third_axis = cone.twist_axis.cross(&cone.swing_axis);
            let [a, b] = cone.swing_rad.map(|r| r.max(1e-9));
            let rim = (v.dot(&cone.swing_axis) / (a + 1e-7)).powi(2)
                + (v.dot(&third_axis) / (b + 1e-7)).powi(2);
            check(rim <= 1.0 + 1e-6, format!("swing {v:?} beyond {:?}", cone.swing_rad))?;
            let angle = 2.0 * twist.imag().dot(&cone.twist_axis).atan2(twist.w);
            check(inside(angle, cone.twist), format!("twist {angle} outside {:?}", cone.twist))
        }
        JointKind::Euler { order, ranges } => {
            let axes = order.axes().to_vec();
            let mut whole = axes.clone();
            whole.extend([Axis::X, Axis::Y, Axis::Z].iter().filter(|a| !axes.contains(a)));
            let whole = EulerOrder::new(&whole).unwrap();
            let one = whole.decompose(motion, [0.0; 3]);
            // Three angles have a twin that means the same rotation.
            let twin = [one[0] + PI, PI - one[1], one[2] + PI];
            let range = |i: usize| if i < axes.len() { ranges[i] } else { Range::new(0.0, 0.0) };
            let obeys = |angles: [f64; 3]| (0..3).all(|i| inside(angles[i], range(i)));
            let mut fine = obeys(one) || obeys(twin);
            if one[1].cos().abs() < 1e-6 && (inside(one[1], range(1)) || inside(twin[1], range(1)))
            {
                // At gimbal lock the third angle is one ± the first: any such pair means the rotation.
                let third = |first: f64| whole.decompose(motion, [first, one[1], 0.0])[2];
                let sign = (third(1e-3) - third(0.0)).signum();
                let at = [range(2).min, range(2).max].map(|end| sign * (end - third(0.0)));
                let allowed = Range::new(at[0].min(at[1]), at[0].max(at[1]));
                fine |= (-3..=3).any(|turn| {
                    let by = TAU * f64::from(turn);
                    range(0).min.max(allowed.min + by) <= range(0).max.min(allowed.max + by) + 1e-6
                });
            }
            check(fine, format!("{one:?} outside {ranges:?}"))
        }
        JointKind::Slide { axis, range } => {
            let slide = axis.dot(&shift);
            let across = (shift - axis * slide).norm();
            let fine = slide >= range.min - 1e-9 && slide <= range.max + 1e-9;
            check(across < 1e-9 && fine, format!("slid {slide} in {range:?}, {across} aside"))
        }
        _ => Ok(()),
    }
}

/// Links that some effector may move.
fn moved(plan: &Plan) -> Vec<LinkId> {
    let tree = plan.tree();
    let mut moved = Vec::new();
    for effector in plan.effectors() {
        let link = effector.link().unwrap();
        let path: Vec<LinkId> = std::iter::once(link).chain(tree.ancestors(link)).collect();
        let can = path.iter().copied().filter(|&l| tree.joint(l).moves());
        match effector.span {
            Span::ToBase => moved.extend(can),
            Span::Joints(count) => moved.extend(can.take(count)),
            Span::UpTo(top) if path.contains(&top) => {
                moved.extend(can.filter(|&l| l == top || tree.ancestors(l).any(|a| a == top)));
            }
            Span::UpTo(_) => {}
        }
    }
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// How many turns a joint's step is made of, each with window and cap to itself.
fn axes(joint: &Joint) -> f64 {
    match joint.kind {
        JointKind::Euler { order, .. } => order.axes().len() as f64,
        _ => 1.0,
    }
}

/// The angle between two rotations, exact for small ones.
fn angle(a: &Quat, b: &Quat) -> f64 {
    2.0 * (a.inverse() * b).imag().norm().min(1.0).asin()
}

/// Weighted squared error of the effectors of one priority, in chain lengths.
fn cost(plan: &Plan, residuals: &[Residual], priority: u32) -> f64 {
    let of = |(e, r): (usize, &Residual)| {
        let (effector, len) = (&plan.effectors()[e], plan.chain_len(e));
        let ratio = if len > 0.0 { r.position_len / len } else { 0.0 };
        let turn = effector.orientation_weight * r.orientation_rad;
        effector.weight * (ratio * ratio + turn * turn)
    };
    let level = residuals.iter().enumerate();
    level.filter(|(e, _)| plan.effectors()[*e].priority == priority).map(of).sum()
}

proptest! {
    #[test]
    fn limits_are_never_broken(case in case()) {
        let plan = case.plan();
        let solved = case.solve(&plan, &case.goals, &case.settings);
        for link in moved(&plan) {
            let (i, joint) = (link.index(), plan.tree().joint(link));
            let verdict = obeys(joint, solved.pose.rotations[i], solved.pose.shifts[i]);
            prop_assert!(verdict.is_ok(), "link {i}: {verdict:?}\n{joint:?}");
        }
    }

    #[test]
    fn windows_hold(case in case()) {
        let plan = case.plan();
        let start = case.confined(&plan).pose;
        let solved = case.solve(&plan, &case.goals, &case.settings);
        for link in moved(&plan) {
            let joint = plan.tree().joint(link);
            let turned = start.rotations[link.index()].angle_to(&solved.pose.rotations[link.index()]);
            prop_assert!(turned <= axes(joint) * joint.window_rad + 1e-6, "{turned} in {joint:?}");
        }
    }

    #[test]
    fn a_pass_turns_no_joint_beyond_the_cap(case in case(), cap_rad in 0.0..1.5f64) {
        let mut case = case;
        let step = case.settings.step.with_max_turn(cap_rad);
        let once = Settings { step, max_iterations: 1, restarts: 0, unsticks: false, ..case.settings };
        // A bounce visits joints more than once a pass.
        let visits_once = matches!(
            once.sweep,
            Sweep::TipToBase | Sweep::BaseToTip | Sweep::Alternating | Sweep::LargestError
        );
        case.settings = Settings { sweep: if visits_once { once.sweep } else { Sweep::TipToBase }, ..once };
        if case.settings.strategy == Strategy::Tracking {
            // The closed form, where it is asked for, makes no steps.
            case.settings.method = Method::Sweeps;
        }
        case.serve_first_only();
        let plan = case.plan();
        let start = case.confined(&plan).pose;
        let end = case.solve(&plan, &case.goals, &case.settings).pose;
        for link in moved(&plan) {
            let turned = start.rotations[link.index()].angle_to(&end.rotations[link.index()]);
            let joint = plan.tree().joint(link);
            prop_assert!(turned <= axes(joint) * cap_rad + 1e-6, "{turned} beyond {cap_rad}: {joint:?}");
        }
    }

    #[test]
    fn bones_keep_their_lengths_and_what_no_effector_may_move_keeps_still(case in case()) {
        let plan = case.plan();
        let solved = case.solve(&plan, &case.goals, &case.settings);
        let moved = moved(&plan);
        for link in plan.tree().links() {
            let i = link.index();
            let slides = matches!(plan.tree().joint(link).kind, JointKind::Slide { .. });
            if !moved.contains(&link) || !slides {
                prop_assert_eq!(solved.pose.shifts[i], case.pose.shifts[i]);
            }
            if !moved.contains(&link) || slides {
                prop_assert!(solved.pose.rotations[i].angle_to(&case.pose.rotations[i]) < 1e-7);
            }
            prop_assert!((solved.pose.rotations[i].coords.norm() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_lower_priority_never_disturbs_a_higher_one(case in case()) {
        let plan = case.plan();
        // Tracking lets later priorities pull as well, if only half as hard.
        let strategy = Strategy::Reach;
        let settings = Settings { strategy, restarts: 0, ..case.settings };
        let all = case.solve(&plan, &case.goals, &settings);
        for highest in [0, 1] {
            let mut goals = case.goals.clone();
            for (goal, effector) in goals.iter_mut().zip(&case.effectors) {
                if effector.priority > highest {
                    *goal = Goal::none();
                }
            }
            let alone = case.solve(&plan, &goals, &settings);
            for (e, effector) in case.effectors.iter().enumerate() {
                if effector.priority <= highest {
                    let tolerance = effector.tolerance_ratio * plan.chain_len(e);
                    let (now, then) = (all.residuals[e], alone.residuals[e]);
                    prop_assert!(
                        now.position_len <= then.position_len.max(tolerance) + 1e-8,
                        "effector {e}, up to {highest}: {now:?} {then:?} {tolerance}"
                    );
                    let rad = then.orientation_rad.max(effector.tolerance_rad);
                    prop_assert!(now.orientation_rad <= rad + 1e-7, "{now:?} {then:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_priority_never_ends_worse_than_it_began(case in case()) {
        let case = case.reaching();
        let plan = case.plan();
        let before = case.confined(&plan);
        let after = case.solve(&plan, &case.goals, &case.settings);
        let first = case.effectors.iter().map(|e| e.priority).min().unwrap();
        let (was, is) =
            (cost(&plan, &before.residuals, first), cost(&plan, &after.residuals, first));
        // Reached is reached: inside its tolerance an effector may give way to a later priority.
        let slack: f64 = case.effectors.iter().filter(|e| e.priority == first).map(|e| {
            let turn = e.orientation_weight * e.tolerance_rad;
            e.weight * (e.tolerance_ratio * e.tolerance_ratio + turn * turn)
        }).sum();
        prop_assert!(is <= was + slack + 1e-9, "{was} became {is}");
    }

    #[test]
    fn status_and_residuals_are_true(case in case()) {
        let plan = case.plan();
        let solved = case.solve(&plan, &case.goals, &case.settings);
        let tree = plan.tree();
        let mut world = WorldPose::new(tree.len());
        tree.world(&solved.pose, &mut world);
        let mut all = true;
        for (e, effector) in case.effectors.iter().enumerate() {
            let (link, goal) = (effector.link().unwrap().index(), case.goals[e]);
            let point = world.positions[link] + world.rotations[link] * effector.point().unwrap();
            let distance = goal.position.map_or(0.0, |p| (p - point).norm());
            let angle = goal.orientation.map_or(0.0, |q| world.rotations[link].angle_to(&q));
            prop_assert!((solved.residuals[e].position_len - distance).abs() < 1e-9);
            prop_assert!((solved.residuals[e].orientation_rad - angle).abs() < 1e-6);
            all &= solved.residuals[e].reached;
            let claims = distance < effector.tolerance_ratio * plan.chain_len(e) + 1e-9
                && angle < effector.tolerance_rad + 1e-6;
            prop_assert!(!solved.residuals[e].reached || claims);
        }
        prop_assert_eq!(solved.status == Status::Reached, all);
        if solved.status == Status::OutOfReach {
            prop_assert!(solved.residuals.iter().any(|r| r.out_of_reach));
        }
        let cap = 8 * (case.settings.max_iterations + 1) * (case.settings.restarts + 1);
        prop_assert!(solved.iterations <= 40 * cap);
    }

    #[test]
    fn what_a_tree_reaches_is_never_called_out_of_reach(
        case in case(), other in prop::collection::vec((rotation(), vector(0.3)), 12),
    ) {
        let mut case = case;
        case.effectors.truncate(1);
        let plan = case.plan();
        let mut there = case.clone();
        for link in moved(&plan) {
            let (i, slides) = (link.index(), matches!(plan.tree().joint(link).kind, JointKind::Slide { .. }));
            match slides {
                true => there.pose.shifts[i] = other[i].1,
                false => there.pose.rotations[i] = other[i].0,
            }
        }
        let posed = there.confined(&plan).pose;
        let mut world = WorldPose::new(plan.tree().len());
        plan.tree().world(&posed, &mut world);
        let (link, point) = (case.effectors[0].link().unwrap().index(), case.effectors[0].point());
        let position = world.positions[link] + world.rotations[link] * point.unwrap();
        for goal in [Goal::at(position), Goal::pose(position, world.rotations[link])] {
            let solved = case.solve(&plan, &[goal], &case.settings);
            prop_assert!(solved.status != Status::OutOfReach && !solved.residuals[0].out_of_reach);
        }
    }

    #[test]
    fn what_has_stalled_gains_no_more_than_a_tolerance_from_further_passes(case in case()) {
        let mut case = case;
        case.serve_first_only();
        // A window counts from where a solve begins, so another solve may go farther.
        case.links.iter_mut().for_each(|link| link.joint.window_rad = f64::INFINITY);
        // Joints that do not serve an effector may move it for the sake of another one.
        case.effectors.iter_mut().for_each(|effector| effector.span = Span::ToBase);
        // Distances alone: steps weigh an orientation by its chord, the cost by its angle.
        case.goals.iter_mut().for_each(|goal| goal.orientation = None);
        let plan = case.plan();
        prop_assume!((0..case.effectors.len()).all(|e| plan.chain_len(e) > 0.1));
        let (step, method) = (Step::exact(), Method::Sweeps);
        let settings = Settings { step, method, max_iterations: 400, restarts: 0, ..case.settings };
        let solved = case.solve(&plan, &case.goals, &settings);
        if solved.status == Status::Stalled {
            case.pose = solved.pose.clone();
            let passes = Settings { unsticks: false, max_iterations: 4, ..settings };
            let again = case.solve(&plan, &case.goals, &passes);
            let first = case.effectors.iter().map(|e| e.priority).min().unwrap();
            let cost = |solved: &Solved| cost(&plan, &solved.residuals, first).sqrt();
            prop_assert!(cost(&solved) - cost(&again) < 1e-3, "{} {}", cost(&solved), cost(&again));
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bits(case in case()) {
        let plan = case.plan();
        let one = case.solve(&plan, &case.goals, &case.settings);
        let mut pose = case.pose.clone();
        let mut scratch = Scratch::new(&plan);
        // A scratch that has seen another job gives the same.
        let other = vec![Goal::at(Vec3::new(0.3, 0.1, 0.2)); case.goals.len()];
        solve(&Job::new(&plan, &other, &case.settings), &mut pose, &mut scratch);
        pose.copy_from(&case.pose);
        solve(&Job::new(&plan, &case.goals, &case.settings), &mut pose, &mut scratch);
        prop_assert_eq!(one.pose, pose);
    }

    #[test]
    fn no_number_whatever_makes_a_nan(
        case in case(),
        bits in prop::collection::vec(prop::num::f64::ANY, 15),
        places in prop::collection::vec(any::<prop::sample::Index>(), 12),
    ) {
        let plan = case.plan();
        let mut wild = case.clone();
        for (i, (&bits, place)) in bits.iter().zip(&places).enumerate() {
            let link = place.index(wild.links.len());
            let axis = place.index(3);
            let e = place.index(wild.goals.len());
            match i % 4 {
                0 => wild.pose.shifts[link][axis] = bits,
                1 => wild.pose.rotations[link].as_mut_unchecked().coords[place.index(4)] = bits,
                2 => wild.goals[e] = Goal::at(Vec3::new(bits, 1.0, bits * 0.5)),
                _ => {
                    let mut q = Quat::identity();
                    q.as_mut_unchecked().coords[place.index(4)] = bits;
                    wild.goals[e].orientation = Some(q);
                }
            }
        }
        let [far_factor, near_factor, max_turn_rad] = [bits[12], bits[13], bits[14]];
        if places[0].index(2) == 0 {
            wild.settings.step = Step { far_factor, near_factor, max_turn_rad };
        }
        let solved = wild.solve(&plan, &wild.goals, &wild.settings);
        for i in 0..plan.tree().len() {
            prop_assert!(solved.pose.rotations[i].coords.iter().all(|c| c.is_finite()));
            prop_assert!((solved.pose.rotations[i].coords.norm() - 1.0).abs() < 1e-6);
            prop_assert!(solved.pose.shifts[i].iter().all(|c| c.is_finite()));
        }
        for residual in &solved.residuals {
            prop_assert!(!residual.position_len.is_nan() && residual.orientation_rad.is_finite());
        }
    }
}
