//! The same problem elsewhere: larger, moved, turned, or rooted at another link.

use super::{angle, cost, moved, obeys};
use crate::cases::*;
use proptest::prelude::*;
use retarget::ik::{Strategy, *};
use retarget::internals::pose::WorldPose;

proptest! {
    #[test]
    fn a_world_twice_as_large_gives_the_same_rotations(case in case()) {
        let plan = case.plan();
        let one = case.solve(&plan, &case.goals, &case.settings);
        let mut large = case.clone();
        for link in &mut large.links {
            link.pivot_in_parent *= 4.0;
            link.pivot_in_self *= 4.0;
            if let JointKind::Slide { range, .. } = &mut link.joint.kind {
                *range = Range::new(4.0 * range.min, 4.0 * range.max);
            }
        }
        large.pose.shifts.iter_mut().for_each(|s| *s *= 4.0);
        large.goals.iter_mut().for_each(|g| g.position = g.position.map(|p| p * 4.0));
        let points = case.effectors.iter().map(|e| e.with_point(e.point().unwrap() * 4.0));
        large.effectors = points.collect();
        let four = large.solve(&large.plan(), &large.goals, &case.settings);
        prop_assert_eq!(one.status, four.status);
        for (a, b) in one.pose.rotations.iter().zip(&four.pose.rotations) {
            prop_assert!(a.angle_to(b) < 1e-6);
        }
    }

    #[test]
    fn a_moved_and_turned_world_gives_the_same_pose(
        case in case(), turn in rotation(), way in vector(2.0),
    ) {
        // One priority: how far a later one may go is tried and taken back, and where a try is as good
        // as its bound, rounding alone decides. So it does in long solves, where a pass gains as much
        // as counts as stalled.
        let mut case = case;
        case.serve_first_only();
        let plan = case.plan();
        let settings = Settings { restarts: 0, unsticks: false, ..case.settings };
        let settings = Settings { max_iterations: settings.max_iterations.min(5), ..settings };
        let one = case.solve(&plan, &case.goals, &settings);
        let mut moved = case.clone();
        for (i, link) in case.links.iter().enumerate() {
            if link.parent.is_none() {
                moved.pose.rotations[i] = turn * case.pose.rotations[i];
                moved.pose.shifts[i] = turn * case.pose.shifts[i] + way;
            }
        }
        for goal in &mut moved.goals {
            goal.position = goal.position.map(|p| turn * p + way);
            goal.orientation = goal.orientation.map(|q| turn * q);
        }
        let other = moved.solve(&plan, &moved.goals, &settings);
        for (e, (a, b)) in one.residuals.iter().zip(&other.residuals).enumerate() {
            let off = (a.position_len - b.position_len).abs();
            prop_assert!(off < 1e-6, "effector {e}: {a:?} against {b:?}");
        }
    }

    #[test]
    fn re_rooting_moves_nothing_and_comes_back(case in case(), to in any::<prop::sample::Index>()) {
        let tree = Tree::new(&case.links).unwrap();
        let base = LinkId::new(to.index(tree.len()));
        let other = tree.rerooted(base).unwrap();
        let mut pose = TreePose::rest(&other);
        pose.set_rerooted(&other, &tree, &case.pose);
        let (mut here, mut there) = (WorldPose::new(tree.len()), WorldPose::new(tree.len()));
        tree.world(&case.pose, &mut here);
        other.world(&pose, &mut there);
        for i in 0..tree.len() {
            prop_assert!((here.positions[i] - there.positions[i]).norm() < 1e-9);
            prop_assert!(angle(&here.rotations[i], &there.rotations[i]) < 1e-9);
        }
        let mut from_world = TreePose::rest(&other);
        from_world.set_from_world(&other, &here);
        other.world(&from_world, &mut there);
        for i in 0..tree.len() {
            prop_assert!((here.positions[i] - there.positions[i]).norm() < 1e-9);
        }
        let old_base = tree.ancestors(base).last().unwrap_or(base);
        let again = other.rerooted(old_base).unwrap();
        let mut back = TreePose::rest(&tree);
        back.set_rerooted(&again, &other, &pose);
        prop_assert_eq!(&again, &tree);
        for i in 0..tree.len() {
            prop_assert!((back.shifts[i] - case.pose.shifts[i]).norm() < 1e-9);
            prop_assert!(angle(&back.rotations[i], &case.pose.rotations[i]) < 1e-9);
        }
    }

    #[test]
    fn limits_hold_seen_from_any_base(case in case(), to in any::<prop::sample::Index>()) {
        let reaches = case.settings.strategy == Strategy::Reach;
        let tree = Tree::new(&case.links).unwrap();
        let base = LinkId::new(to.index(tree.len()));
        let plan = Plan::new(tree.rerooted(base).unwrap(), &case.effectors).unwrap();
        let mut pose = TreePose::rest(plan.tree());
        pose.set_rerooted(plan.tree(), &tree, &case.pose);
        let mut scratch = Scratch::new(&plan);
        solve(
            &Job::new(&plan, &case.goals, &Settings { max_iterations: 0, restarts: 0, ..case.settings }),
            &mut pose,
            &mut scratch,
        );
        let first = case.effectors.iter().map(|e| e.priority).min().unwrap();
        let was = cost(&plan, scratch.residuals(), first);
        let job = Job::new(&plan, &case.goals, &case.settings);
        solve(&job, &mut pose, &mut scratch);
        let is = cost(&plan, scratch.residuals(), first);
        prop_assert!(!reaches || is <= was + 1e-3, "{was} became {is}");
        let mut back = TreePose::rest(&tree);
        back.set_rerooted(&tree, plan.tree(), &pose);
        // The joints between the old base and the new one are those of the links that turned round.
        let turned_round = |l: LinkId| plan.tree().parent(l) != tree.parent(l);
        let joints = moved(&plan).into_iter().map(|link| {
            if turned_round(link) { plan.tree().parent(link).unwrap() } else { link }
        });
        for link in joints {
            let verdict =
                obeys(tree.joint(link), back.rotations[link.index()], back.shifts[link.index()]);
            prop_assert!(verdict.is_ok(), "{link:?}: {verdict:?}");
        }
    }
}
