//! A solve allocates nothing: counted by an allocator that watches this thread.

use crate::counting::allocations;
use retarget::ik::*;
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3};
/// A body with every kind of joint, effectors of several priorities, and a centre of mass.
fn plan() -> Plan {
    let hinge = Joint::hinge(Vec3::x(), Range::new(-0.5, 2.0));
    let cone = Joint::cone(Cone {
        twist_axis: Vec3::y(),
        swing_axis: Vec3::x(),
        swing_rad: [0.8, 0.5],
        twist: Range::new(-0.4, 0.4),
    });
    let zyx = EulerOrder::new(&[Axis::Z, Axis::Y, Axis::X]).unwrap();
    let euler = Joint::euler(zyx, [Range::new(-1.0, 1.0); 3]);
    let slide = Joint::slide(Vec3::y(), Range::new(-0.1, 0.2));
    let joints = [Joint::ball(), hinge, cone, euler, slide, Joint::ball(), Joint::ball(), cone];
    let mut links = vec![Link::base()];
    for arm in 0..2 {
        for (i, joint) in joints.iter().enumerate() {
            let parent = if i == 0 { 0 } else { arm * joints.len() + i };
            let side = Vec3::new(if arm == 0 { 0.1 } else { -0.1 }, 0.4, 0.05);
            links.push(Link::child(LinkId::new(parent), side, *joint));
        }
    }
    let mut tree = Tree::new(&links).unwrap();
    for link in 0..links.len() {
        tree.set_mass(LinkId::new(link), 1.0, Vec3::new(0.0, 0.2, 0.0)).unwrap();
    }
    let tip = |arm: usize| Effector::new(LinkId::new((arm + 1) * joints.len()), Vec3::y() * 0.2);
    let effectors = [
        tip(0),
        tip(1).with_priority(1),
        Effector::new(LinkId::new(3), Vec3::zeros()).with_priority(2),
        Effector::center_of_mass(Some(Vec3::y())).with_priority(3),
    ];
    Plan::new(tree, &effectors).unwrap()
}

#[test]
fn a_solve_allocates_nothing_whatever_the_method() {
    let plan = plan();
    let mut scratch = Scratch::new(&plan);
    let mut pose = TreePose::rest(plan.tree());
    let stored = [TreePose::rest(plan.tree())];
    let mut solves = 0;
    let strategies = [Strategy::Reach, Strategy::Tracking];
    for (strategy, method) in strategies
        .into_iter()
        .flat_map(|s| [Method::Auto, Method::Relaxation, Method::Sweeps].map(|m| (s, m)))
    {
        for sweep in [
            Sweep::TipToBase,
            Sweep::BaseToTip,
            Sweep::Alternating,
            Sweep::Bounce,
            Sweep::SmartBounce { threshold_rad: 0.001 },
            Sweep::BounceForward,
            Sweep::SmartBounceForward { threshold_rad: 0.001 },
            Sweep::LargestError,
        ] {
            for far in [0.5, 1.5, f64::NAN, 1e9] {
                let goals = [
                    Goal::pose(Vec3::new(far, 1.0, 0.3), Quat::identity()),
                    Goal::at(Vec3::new(-0.4, 1.1, far)),
                    Goal::at(Vec3::new(0.0, 1.0, 0.0)),
                    Goal::at(Vec3::new(0.1, 0.0, 0.1)),
                ];
                let settings = Settings {
                    strategy,
                    method,
                    sweep,
                    restarts: 3,
                    max_iterations: 20,
                    ..Settings::default()
                };
                let job = Job { stored: &stored, ..Job::new(&plan, &goals, &settings) };
                let count = allocations(|| {
                    solve(&job, &mut pose, &mut scratch);
                });
                assert_eq!(count, 0, "{strategy:?} {method:?} {sweep:?} {far}");
                solves += 1;
            }
        }
    }
    assert_eq!(solves, 192);
}

#[test]
fn carrying_a_pose_to_another_base_allocates_nothing() {
    let plan = plan();
    let tree = plan.tree();
    let other = tree.rerooted(LinkId::new(5)).unwrap();
    let (pose, mut carried) = (TreePose::rest(tree), TreePose::rest(&other));
    assert_eq!(allocations(|| carried.set_rerooted(&other, tree, &pose)), 0);
}

#[test]
fn a_planar_solve_allocates_nothing() {
    let chain = PlanarChain::new(Vec2::zeros(), &[1.0; 12], &[]).unwrap();
    let mut scratch = PlanarScratch::new(&chain);
    let mut angles = [0.0; 12];
    let count = allocations(|| {
        chain.solve(&mut angles, Vec2::new(3.0, 0.0), &PlanarSettings::default(), &mut scratch);
    });
    assert_eq!(count, 0);
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1_u8]))), 1);
}
