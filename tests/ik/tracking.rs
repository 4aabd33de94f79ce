//! Following a goal without a jump.

use crate::cases::*;
use proptest::prelude::{prop, prop_assert, proptest};
use proptest::strategy::Strategy as _;
use retarget::ik::*;
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3};
use std::f64::consts::TAU;

/// A body with goals that move over one unit of time, solved anew from one pose at each moment.
struct Scene {
    plan: Plan,
    pose: TreePose,
    goals: fn(f64) -> Vec<Goal>,
}

impl Scene {
    fn new(links: &[Link], effectors: &[Effector], goals: fn(f64) -> Vec<Goal>) -> Self {
        let plan = Plan::new(Tree::new(links).unwrap(), effectors).unwrap();
        Self { pose: TreePose::rest(plan.tree()), plan, goals }
    }

    /// The same, each joint turned away from rest by so much about X.
    fn bent(mut self, angles: &[f64]) -> Self {
        for (q, angle) in self.pose.rotations[1..].iter_mut().zip(angles) {
            *q *= Quat::from_axis_angle(&Vec3::x_axis(), *angle);
        }
        self
    }

    /// The same, each joint turned away from rest by an angle about Z.
    fn curled(mut self, angle: f64) -> Self {
        for q in &mut self.pose.rotations[1..] {
            *q *= Quat::from_axis_angle(&Vec3::z_axis(), angle);
        }
        self
    }

    fn at(&self, moment: f64, settings: &Settings, scratch: &mut Scratch) -> TreePose {
        let (goals, mut pose) = ((self.goals)(moment), self.pose.clone());
        solve_pose(&Job::new(&self.plan, &goals, settings), &mut pose, scratch);
        pose
    }

    /// How far the goals go over the whole time, those that go farthest at their fastest: chain lengths or radians.
    fn largest_way(&self) -> f64 {
        let moments = 200;
        let steps = (0..moments).flat_map(|i| {
            let [one, other] = [i, i + 1].map(|i| (self.goals)(f64::from(i) / f64::from(moments)));
            let each = one.into_iter().zip(other).enumerate().map(|(e, (a, b))| {
                let way = a.position.zip(b.position).map_or(0.0, |(a, b)| (b - a).norm());
                let turn = a.orientation.zip(b.orientation).map_or(0.0, |(a, b)| a.angle_to(&b));
                (way / self.plan.chain_len(e)).max(turn)
            });
            each.collect::<Vec<_>>()
        });
        f64::from(moments) * steps.fold(0.0, f64::max)
    }

    /// Largest change of a joint from one of so many frames to the next, radians.
    fn largest_change(&self, frames: usize, settings: &Settings) -> f64 {
        let mut scratch = Scratch::new(&self.plan);
        let mut before = self.at(0.0, settings, &mut scratch);
        let mut largest: f64 = 0.0;
        for frame in 1..=frames {
            let now = self.at(frame as f64 / frames as f64, settings, &mut scratch);
            largest = largest.max(change(&before, &now));
            before = now;
        }
        largest
    }
}

/// How much more a joint may change than the goal: radians over chain lengths.
const STEEPEST: f64 = 30.0;

/// The largest angle, radians, or slide between two poses of a joint.
fn change(one: &TreePose, other: &TreePose) -> f64 {
    let turned = one.rotations.iter().zip(&other.rotations);
    let turned = turned.map(|(a, b)| 2.0 * (a.inverse() * b).imag().norm().min(1.0).asin());
    let slid = one.shifts.iter().zip(&other.shifts).map(|(a, b)| (a - b).norm());
    turned.chain(slid).fold(0.0, f64::max)
}

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

fn child(parent: usize, place: Vec3, joint: Joint) -> Link {
    Link::child(LinkId::new(parent), place, joint)
}

fn knee() -> Joint {
    Joint::hinge(Vec3::x(), Range::new(0.0, 2.6))
}

fn leg(hip: Joint) -> Vec<Link> {
    let ankle = Joint::hinge(Vec3::x(), Range::new(-0.7, 0.5));
    vec![
        Link::base(),
        child(0, Vec3::zeros(), hip),
        child(1, -Vec3::y() * 0.45, knee()),
        child(2, -Vec3::y() * 0.45, ankle),
    ]
}

fn foot() -> Effector {
    Effector::new(LinkId::new(3), Vec3::zeros())
}

/// Round the place that an unbent leg's foot has.
fn round_the_foot(t: f64, by: f64) -> Goal {
    let (sin, cos) = (TAU * t).sin_cos();
    Goal::at(Vec3::new(0.3 * by * sin, by * cos * 0.7 - 0.88, by * sin))
}

fn cone(swing_rad: f64) -> Joint {
    let (twist_axis, swing_axis) = (Vec3::y(), Vec3::x());
    let twist = Range::new(-0.3, 0.3);
    Joint::cone(Cone { twist_axis, swing_axis, swing_rad: [swing_rad, 0.6 * swing_rad], twist })
}

/// Hips, spine of two, and for each side a clavicle, an upper arm, a forearm with a hinge and a hand.
fn torso() -> Vec<Link> {
    let mut links = vec![
        Link::base(),
        child(0, v(0.0, 0.1, 0.0), Joint::ball().with_weight(0.2)),
        child(1, v(0.0, 0.2, 0.0), Joint::ball().with_weight(0.3)),
    ];
    for side in [1.0, -1.0] {
        let first = links.len();
        links.push(child(2, v(0.03 * side, 0.2, 0.0), Joint::ball().with_weight(0.4)));
        links.push(child(first, v(0.15 * side, 0.0, 0.0), Joint::ball()));
        let elbow = Joint::hinge(Vec3::y() * -side, Range::new(0.0, 2.5));
        links.push(child(first + 1, v(0.28 * side, 0.0, 0.0), elbow));
        links.push(child(first + 2, v(0.25 * side, 0.0, 0.0), Joint::ball()));
    }
    links
}

fn hand(side: usize) -> Effector {
    Effector::new(LinkId::new([6, 10][side]), Vec3::zeros())
}

fn scenes() -> Vec<(&'static str, Scene)> {
    let both = [hand(0), hand(1)];
    let hinged = || leg(Joint::ball());
    let planar: Vec<Link> = std::iter::once(Link::base())
        .chain((0..5).map(|i| {
            let place = if i == 0 { Vec3::zeros() } else { Vec3::y() };
            child(i, place, Joint::hinge(Vec3::z(), Range::new(-1.2, 1.0)))
        }))
        .collect();
    let tip = Effector::new(LinkId::new(5), Vec3::y());
    let zxy = EulerOrder::new(&[Axis::Z, Axis::X, Axis::Y]).unwrap();
    let axes =
        Joint::euler(zxy, [Range::new(-0.3, 0.4), Range::new(-1.0, 0.5), Range::new(0.0, 0.1)]);
    let comfortable = Joint::ball().with_comfort(0.1);
    let slides = Joint::slide(Vec3::y(), Range::new(-0.05, 0.02));
    vec![
        (
            "a leg bent anew, its goal 6 cm off",
            Scene::new(&hinged(), &[foot()], |t| vec![round_the_foot(t, 0.06)]).bent(&[-0.3, 0.6]),
        ),
        (
            "the same from a straight leg",
            Scene::new(&hinged(), &[foot()], |t| vec![round_the_foot(t, 0.06)]),
        ),
        (
            "25 cm off",
            Scene::new(&hinged(), &[foot()], |t| vec![round_the_foot(t, 0.25)]).bent(&[-0.3, 0.6]),
        ),
        (
            "round the hip",
            Scene::new(&hinged(), &[foot()], |t| {
                let (sin, cos) = (TAU * t).sin_cos();
                vec![Goal::at(v(0.1 * cos, 0.5 * cos, 0.5 * sin))]
            })
            .bent(&[-0.3, 0.6]),
        ),
        (
            "through the hip",
            Scene::new(&hinged(), &[foot()], |t| vec![Goal::at(v(0.0, 0.5 - t, 1e-3))])
                .bent(&[-0.3, 0.6]),
        ),
        (
            "through the knee",
            Scene::new(&hinged(), &[foot()], |t| vec![Goal::at(v(0.0, -0.7 + 0.5 * t, 0.133))])
                .bent(&[-0.3, 0.6]),
        ),
        (
            "a narrow cone at the hip",
            Scene::new(&leg(cone(0.25)), &[foot()], |t| vec![round_the_foot(t, 0.25)])
                .bent(&[-0.1, 0.6]),
        ),
        (
            "axes with ranges at the hip",
            Scene::new(&leg(axes), &[foot()], |t| vec![round_the_foot(t, 0.25)]).bent(&[-0.1, 0.6]),
        ),
        (
            "place and turn of a foot",
            Scene::new(&hinged(), &[foot()], |t| {
                let turn = Quat::from_axis_angle(&Vec3::x_axis(), 0.9 * (TAU * t).sin());
                vec![Goal { orientation: Some(turn), ..round_the_foot(t, 0.1) }]
            })
            .bent(&[-0.3, 0.6]),
        ),
        (
            "a hinge whose goal goes round it",
            Scene::new(&planar[..2], &[Effector::new(LinkId::new(1), Vec3::y())], |t| {
                let (sin, cos) = (TAU * t).sin_cos();
                vec![Goal::at(v(sin, cos, 0.0))]
            }),
        ),
        (
            "hinges at their limits",
            Scene::new(&planar, &[tip], |t| {
                let (sin, cos) = (TAU * t).sin_cos();
                vec![Goal::at(v(3.0 * sin, 3.0 * cos, 0.0))]
            })
            .curled(0.3),
        ),
        (
            "an arm too short, spine and clavicle share",
            Scene::new(&torso(), &both, |t| {
                let (sin, cos) = (TAU * t).sin_cos();
                vec![Goal::at(v(0.9 + 0.2 * cos, 0.5, 0.4 * sin))]
            }),
        ),
        (
            "two hands in conflict",
            Scene::new(&torso(), &both, |t| {
                let (sin, cos) = (TAU * t).sin_cos();
                vec![
                    Goal::at(v(0.9 + 0.2 * cos, 0.5, 0.4 * sin)),
                    Goal::at(v(-0.9 + 0.1 * sin, 0.5, -0.3)),
                ]
            }),
        ),
        (
            "hands of two priorities in conflict",
            Scene::new(&torso(), &[hand(0), hand(1).with_priority(1)], |t| {
                let (sin, cos) = (TAU * t).sin_cos();
                vec![
                    Goal::at(v(0.9 + 0.2 * cos, 0.5, 0.4 * sin)),
                    Goal::at(v(-0.9 + 0.1 * sin, 0.5, -0.3)),
                ]
            }),
        ),
        (
            "comfort regions",
            Scene::new(&leg(comfortable), &[foot()], |t| vec![round_the_foot(t, 0.25)])
                .bent(&[-0.1, 0.6]),
        ),
        (
            "a window",
            Scene::new(&leg(cone(0.6).with_window(0.2)), &[foot()], |t| {
                vec![round_the_foot(t, 0.25)]
            })
            .bent(&[-0.1, 0.6]),
        ),
        ("a slide", Scene::new(&leg(slides), &[foot()], |t| vec![round_the_foot(t, 0.25)])),
    ]
}

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
