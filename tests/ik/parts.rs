//! Parts of one body that have nothing to do with each other, solved beside each other.

use crate::cases::*;
use proptest::prelude::{any, prop, prop_assert_eq, proptest};
use retarget::Vec3;
use retarget::ik::*;

/// Trunks with four arms, of which each has a hand for itself; the first two hang on a shoulder of their own.
fn four_arms(bones: usize) -> Plan {
    let mut body = TreeBuilder::new();
    let trunk = body.base("trunk");
    let mut effectors = Vec::new();
    let shoulder = body.link("shoulder", trunk, Vec3::x(), Joint::ball());
    for (arm, at) in [shoulder, shoulder, trunk, trunk].into_iter().enumerate() {
        let mut last = body.link(format!("arm {arm}"), at, Vec3::z() * arm as f64, Joint::ball());
        for bone in 0..bones {
            let joint = Joint::hinge([Vec3::x(), Vec3::z()][bone % 2], Range::new(-0.4, 0.5));
            last = body.link(format!("arm {arm}, {bone}"), last, Vec3::y(), joint);
        }
        effectors.push(Effector::new(last, Vec3::y()));
    }
    Plan::new(body.build().unwrap(), &effectors).unwrap()
}

#[test]
fn what_a_joint_joins_is_one_part() {
    let parts = four_arms(3).parts();
    let effectors: Vec<&[usize]> = parts.iter().map(Part::effectors).collect();
    assert_eq!(effectors, [&[0, 1][..], &[2], &[3]]);
}

#[test]
fn arms_on_threads_of_their_own_come_to_the_bits_of_one_solve() {
    let plan = four_arms(12);
    let goals: Vec<Goal> =
        (0..4).map(|arm| Goal::at(Vec3::new(4.0, 6.0, f64::from(arm)))).collect();
    for settings in [Settings::default(), Settings::tracking(), Settings::plain()] {
        let mut alone = TreePose::rest(plan.tree());
        let mut beside = alone.clone();
        solve(&Job::new(&plan, &goals, &settings), &mut alone, &mut Scratch::new(&plan));
        assert_ne!(alone, beside);
        let mut parts = plan.parts();
        std::thread::scope(|scope| {
            for part in &mut parts {
                scope.spawn(|| part.solve(&goals, &settings, &beside));
            }
        });
        parts.iter().for_each(|part| part.write(&mut beside));
        assert_eq!(alone, beside);
    }
}

proptest! {
    #[test]
    fn parts_come_to_the_bits_of_the_whole_in_any_order(
        case in case(), backwards in any::<bool>(), scale in prop::sample::select(vec![1.0, 0.5]),
    ) {
        let plan = case.plan();
        let goals: Vec<Goal> = case.goals.iter().map(|goal| {
            Goal { position: goal.position.map(|at| at * scale), ..*goal }
        }).collect();
        let settings = Settings { restarts: 0, ..case.settings };
        let whole = case.solve(&plan, &goals, &settings);
        let start = case.confined(&plan).pose;
        let mut pose = start.clone();
        let mut parts = plan.parts();
        if backwards {
            parts.reverse();
        }
        for part in &mut parts {
            part.solve(&goals, &settings, &case.pose);
        }
        parts.iter().for_each(|part| part.write(&mut pose));
        for link in plan.tree().links() {
            let i = link.index();
            prop_assert_eq!(pose.rotations[i], whole.pose.rotations[i]);
            prop_assert_eq!(pose.shifts[i], whole.pose.shifts[i]);
        }
        for part in &parts {
            for (residual, &e) in part.residuals().iter().zip(part.effectors()) {
                prop_assert_eq!(*residual, whole.residuals[e]);
            }
        }
    }
}
