//! Following a goal without a jump.

mod scenes;

use crate::cases::*;
use proptest::prelude::{prop, prop_assert, proptest};
use proptest::strategy::Strategy as _;
use retarget::ik::*;
use retarget::internals::math::{Quat, Vec3};
use scenes::*;
use std::f64::consts::TAU;

/// Goals that move: where they are first, how they go, and how they turn.
#[derive(Clone, Debug)]
struct Ways {
    case: Case,
    ways: Vec<(Vec3, Vec3)>,
    sweep: Sweep,
}

/// Cases whose joints' angles run on without a jump themselves: no limit at gimbal lock, no cone that opens to nearly
/// half a turn.
fn ways() -> impl proptest::strategy::Strategy<Value = Ways> {
    let sweeps = [Sweep::BaseToTip, Sweep::TipToBase, Sweep::Alternating];
    let ways = prop::collection::vec((vector(1.0), vector(1.0)), 4);
    (case(), ways, prop::sample::select(sweeps.to_vec())).prop_map(|(mut case, ways, sweep)| {
        for link in &mut case.links {
            match &mut link.joint.kind {
                JointKind::Cone(cone) => cone.swing_rad = cone.swing_rad.map(|rad| rad.min(2.5)),
                JointKind::Euler { ranges, .. } => {
                    let [min, max] = [ranges[1].min, ranges[1].max].map(|end| end.clamp(-1.2, 1.2));
                    ranges[1] = Range::new(min, max);
                }
                _ => {}
            }
        }
        Ways { case, ways, sweep }
    })
}

impl Ways {
    fn at(&self, t: f64, plan: &Plan, settings: &Settings, scratch: &mut Scratch) -> TreePose {
        let mut goals = self.case.goals.clone();
        for (goal, (way, turn)) in goals.iter_mut().zip(&self.ways) {
            goal.position = goal.position.map(|p| p + way * t);
            goal.orientation = goal.orientation.map(|q| Quat::from_scaled_axis(turn * t) * q);
        }
        let mut pose = self.case.pose.clone();
        solve_pose(&Job::new(plan, &goals, settings), &mut pose, scratch);
        pose
    }

    /// How far the goals go over the whole way: chain lengths or radians, whichever is more.
    fn len(&self, plan: &Plan) -> f64 {
        let ways = self.ways.iter().zip(&self.case.goals).enumerate();
        let each = ways.map(|(e, ((way, turn), goal))| {
            let way = goal.position.map_or(0.0, |_| way.norm() / plan.chain_len(e));
            way.max(goal.orientation.map_or(0.0, |_| turn.norm()))
        });
        each.fold(0.0, f64::max)
    }

    /// How much more a joint changes (radians, or length units) than the goals, over the part of the way where it
    /// changes most, and how much it changes over the smallest part of it: of 16 pieces the one with the largest
    /// change, and so on with halves of it.
    fn steepest(&self, max_iterations: u32) -> (f64, f64) {
        let settings = Settings { sweep: self.sweep, max_iterations, ..Settings::tracking() };
        let plan = self.case.plan();
        let len = self.len(&plan);
        if len == 0.0 {
            return (0.0, 0.0);
        }
        let mut scratch = Scratch::new(&plan);
        let mut at = |t: f64| self.at(t, &plan, &settings, &mut scratch);
        let poses: Vec<TreePose> = (0..=16).map(|i| at(f64::from(i) / 16.0)).collect();
        let changes = poses.windows(2).map(|pair| change(&pair[0], &pair[1]));
        let (worst, _) = changes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let (mut from, mut to) = (worst as f64 / 16.0, (worst + 1) as f64 / 16.0);
        let [mut first, mut last] = [&poses[worst], &poses[worst + 1]].map(TreePose::clone);
        let mut steepest: f64 = 0.0;
        for halving in 0..40 {
            if halving < 16 {
                // Passes end where they turn nothing by more than 1e-10.
                let changed = (change(&first, &last) - 1e-8).max(0.0);
                steepest = steepest.max(changed / (len * (to - from)));
            }
            let middle = 0.5 * (from + to);
            let pose = at(middle);
            if change(&first, &pose) > change(&pose, &last) {
                (to, last) = (middle, pose);
            } else {
                (from, first) = (middle, pose);
            }
        }
        (steepest, change(&first, &last))
    }
}

#[test]
fn a_goal_that_moves_a_tenth_as_far_moves_every_joint_a_tenth_as_far() {
    for (name, scene) in scenes() {
        for sweep in [Sweep::BaseToTip, Sweep::TipToBase, Sweep::Alternating] {
            let settings = Settings { sweep, ..Settings::tracking() };
            let [coarse, fine] = [600, 6000].map(|frames| scene.largest_change(frames, &settings));
            // Radians a chain length or radian that a goal moves by.
            let steepest = fine * 6000.0 / scene.largest_way();
            println!("{name}, {sweep:?}: {coarse:.5} {fine:.6}, {steepest:.1}");
            assert!(fine <= 0.2 * coarse, "{name}, {sweep:?}: {coarse} became {fine}");
            assert!(steepest <= STEEPEST, "{name}, {sweep:?}: {steepest}");
        }
    }
}

#[test]
fn reaching_jumps_where_tracking_does_not() {
    let jumps = |settings: &Settings| {
        let jumps =
            scenes().into_iter().filter(|(_, scene)| scene.largest_change(6000, settings) > 0.1);
        jumps.map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(jumps(&Settings::tracking()), [""; 0]);
    assert!(jumps(&Settings::default()).len() >= 8);
}

proptest! {
    #[test]
    fn no_joint_jumps_whatever_the_tree_and_its_limits(ways in ways()) {
        // What choosing sides parts, more passes part so far that rounding alone would look like a jump.
        let (steepest, last) = ways.steepest(8);
        // A jump stays as large as it is, however little the goals move.
        prop_assert!(last < 1e-3, "a jump of {last}, {steepest} times as steep as the goals");
    }
}

#[test]
fn hardly_a_joint_changes_ten_times_as_much_as_the_goals() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::default();
    let cases = 500;
    let mut all: Vec<f64> = (0..cases)
        .map(|_| ways().new_tree(&mut runner).unwrap().current().steepest(30).0)
        .collect();
    all.sort_by(f64::total_cmp);
    let part = |share: f64| all[(share * cases as f64) as usize];
    println!("{:.2} {:.2} {:.1}", part(0.5), part(0.9), part(0.97));
    assert!(part(0.5) < 1.0 && part(0.9) < 3.0 && part(0.97) < 10.0);
}

#[test]
fn a_hinge_stops_at_the_end_of_its_range_that_it_comes_to_first() {
    let links =
        [Link::base(), child(0, Vec3::zeros(), Joint::hinge(Vec3::z(), Range::new(-2.0, 1.0)))];
    let plan =
        Plan::new(Tree::new(&links).unwrap(), &[Effector::new(LinkId::new(1), Vec3::x())]).unwrap();
    // Beyond the upper end, but nearer to the lower one round the back.
    let goals = [Goal::at(Quat::from_axis_angle(&Vec3::z_axis(), 2.7) * Vec3::x())];
    let angle = |settings: &Settings| {
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        solve(&Job::new(&plan, &goals, settings), &mut pose, &mut scratch);
        pose.rotations[1].scaled_axis().z
    };
    let settings = Settings { max_iterations: 300, ..Settings::tracking() };
    assert!((angle(&settings) - 1.0).abs() < 1e-9);
    assert!((angle(&Settings::default()) - 1.0).abs() < 1e-9);
}

#[test]
fn a_goal_within_reach_is_come_to_and_kept() {
    let plan = Plan::new(Tree::new(&torso()).unwrap(), &[hand(0), hand(1)]).unwrap();
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let tight = Settings { max_iterations: 200, ..Settings::tracking() };
    for frame in 0..50 {
        let (sin, cos) = (TAU * f64::from(frame) / 50.0).sin_cos();
        let goals =
            [Goal::at(v(0.5, 0.4 + 0.1 * sin, 0.3)), Goal::at(v(-0.5, 0.3, 0.3 + 0.1 * cos))];
        let outcome = solve(&Job::new(&plan, &goals, &tight), &mut pose, &mut scratch);
        assert_eq!(outcome.status, Status::Reached, "frame {frame}: {:?}", scratch.residuals());
    }
}

#[test]
fn the_first_of_two_priorities_that_share_a_spine_is_reached() {
    let miss = |effectors: &[Effector]| {
        let plan = Plan::new(Tree::new(&torso()).unwrap(), effectors).unwrap();
        let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
        // The spine has to lean over for either hand.
        let goals = [Goal::at(v(0.72, 0.25, 0.25)), Goal::at(v(-0.9, 0.3, 0.3))];
        let settings = Settings { max_iterations: 300, ..Settings::tracking() };
        solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        [scratch.residuals()[0].position_len, scratch.residuals()[1].position_len]
    };
    let equal = miss(&[hand(0), hand(1)]);
    let ordered = miss(&[hand(0), hand(1).with_priority(1)]);
    assert!(equal[0] > 0.02, "the case has lost its point: {equal:?}");
    assert!(ordered[0] < 1e-3, "{ordered:?} against {equal:?}");
}

#[test]
fn two_free_bones_take_the_closed_form_where_it_is_asked_for() {
    let knee = Joint::ball().with_bend_axis(Vec3::x());
    let mut links = leg(Joint::ball());
    links[2].joint = knee;
    links[3].joint = Joint::ball();
    let plan = Plan::new(
        Tree::new(&links).unwrap(),
        &[foot().with_tolerance_ratio(1e-9).with_tolerance_rad(1e-9)],
    )
    .unwrap();
    let goals = [Goal::pose(v(0.2, -0.6, 0.3), Quat::from_axis_angle(&Vec3::x_axis(), 0.4))];
    let settings = Settings { method: Method::Auto, ..Settings::tracking() };
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
    assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 0));
}
