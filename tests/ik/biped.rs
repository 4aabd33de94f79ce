//! A biped rooted at its standing foot: the retargeter's case, frame by frame.

use retarget::ik::*;
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::skeleton::{Channels, Joint as Bone, JointId, Skeleton};

const HIPS: usize = 0;
const LEFT: [usize; 4] = [1, 2, 3, 4];
const RIGHT: [usize; 4] = [5, 6, 7, 8];
const HEAD: usize = 11;
const LEFT_ARM: [usize; 3] = [12, 13, 14];
const RIGHT_ARM: [usize; 3] = [15, 16, 17];
const LEG_LEN: f64 = 0.9;

fn biped() -> Skeleton {
    let v = Vec3::new;
    let list: [(&str, Option<usize>, Vec3); 18] = [
        ("hips", None, v(0.0, 0.0, 0.0)),
        ("thigh.l", Some(0), v(0.1, -0.05, 0.0)),
        ("shin.l", Some(1), v(0.0, -0.46, 0.0)),
        ("foot.l", Some(2), v(0.0, -0.44, 0.0)),
        ("toe.l", Some(3), v(0.0, -0.06, 0.14)),
        ("thigh.r", Some(0), v(-0.1, -0.05, 0.0)),
        ("shin.r", Some(5), v(0.0, -0.46, 0.0)),
        ("foot.r", Some(6), v(0.0, -0.44, 0.0)),
        ("toe.r", Some(7), v(0.0, -0.06, 0.14)),
        ("spine", Some(0), v(0.0, 0.12, 0.0)),
        ("neck", Some(9), v(0.0, 0.4, 0.0)),
        ("head", Some(10), v(0.0, 0.1, 0.0)),
        ("arm.l", Some(9), v(0.18, 0.34, 0.0)),
        ("forearm.l", Some(12), v(0.28, 0.0, 0.0)),
        ("hand.l", Some(13), v(0.25, 0.0, 0.0)),
        ("arm.r", Some(9), v(-0.18, 0.34, 0.0)),
        ("forearm.r", Some(15), v(-0.28, 0.0, 0.0)),
        ("hand.r", Some(16), v(-0.25, 0.0, 0.0)),
    ];
    let channels = Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap();
    let joints = list.map(|(name, parent, offset)| Bone {
        name: name.to_owned(),
        parent: parent.map(JointId::new),
        offset,
        channels,
        end_sites: vec![],
    });
    Skeleton::new(joints.into()).unwrap()
}

/// A walking-like pose at time `t`, hips 0.9 m up or so.
fn pose_at(skeleton: &Skeleton, t: f64) -> Pose {
    let mut pose = Pose::rest(skeleton);
    let x = |a: f64| Quat::from_axis_angle(&Vec3::x_axis(), a);
    let z = |a: f64| Quat::from_axis_angle(&Vec3::z_axis(), a);
    pose.translations[HIPS] = Vec3::new(0.02 * t.sin(), 0.92 + 0.02 * (2.0 * t).cos(), 0.8 * t);
    pose.rotations[HIPS] = x(0.05 * t.sin()) * z(0.08 * t.cos());
    for (leg, phase) in [(LEFT, 0.0), (RIGHT, std::f64::consts::PI)] {
        let bend = 0.35 + 0.3 * (t + phase).sin();
        pose.rotations[leg[0]] = x(-0.4 * (t + phase).cos() - 0.5 * bend);
        pose.rotations[leg[1]] = x(bend);
        pose.rotations[leg[2]] = x(0.1 * (t + phase).cos());
    }
    pose.rotations[LEFT_ARM[0]] = z(-1.2) * x(0.3 * t.sin());
    pose.rotations[LEFT_ARM[1]] = Quat::from_axis_angle(&Vec3::y_axis(), -0.4);
    pose.rotations[RIGHT_ARM[0]] = z(1.2) * x(-0.3 * t.sin());
    pose.rotations[RIGHT_ARM[1]] = Quat::from_axis_angle(&Vec3::y_axis(), 0.4);
    pose
}

fn effectors() -> Vec<Effector> {
    let at = |link: usize| {
        Effector::new(LinkId::new(link), Vec3::zeros())
            .with_tolerance_ratio(1e-9)
            .with_tolerance_rad(1e-9)
    };
    let up_to = |link: usize| Span::UpTo(LinkId::new(link));
    vec![
        at(HIPS),
        at(RIGHT[2]).with_priority(1).with_span(up_to(RIGHT[0])),
        at(LEFT_ARM[2]).with_priority(2).with_span(up_to(LEFT_ARM[0])),
        at(RIGHT_ARM[2]).with_priority(2).with_span(up_to(RIGHT_ARM[0])),
        at(HEAD).with_priority(3).with_span(up_to(10)),
    ]
}

/// The body on its left foot, knees bending forwards about their own X.
fn standing() -> (Skeleton, Tree, Plan) {
    let skeleton = biped();
    let mut tree = Tree::from_skeleton(&skeleton).unwrap();
    for knee in [LEFT[1], RIGHT[1]] {
        tree.set_joint(LinkId::new(knee), Joint::ball().with_bend_axis(Vec3::x())).unwrap();
    }
    let plan = Plan::new(tree.rerooted(LinkId::new(LEFT[2])).unwrap(), &effectors()).unwrap();
    (skeleton, tree, plan)
}

/// Goals near the pose that `world` shows: pelvis lower and aside, feet and hands moved a little.
fn goals(world: &WorldPose, t: f64) -> Vec<Goal> {
    let turn = |a: f64| Quat::from_axis_angle(&Vec3::y_axis(), a);
    let moved = |link: usize, by: Vec3| world.positions[link] + by;
    vec![
        Goal::pose(
            moved(HIPS, Vec3::new(0.02, -0.04, 0.01 * t.sin())),
            turn(0.1 * t.sin()) * world.rotations[HIPS],
        ),
        Goal::pose(
            moved(RIGHT[2], Vec3::new(-0.02, 0.01, 0.03)),
            turn(0.2) * world.rotations[RIGHT[2]],
        ),
        Goal::at(moved(LEFT_ARM[2], Vec3::new(0.0, -0.02, 0.03))),
        Goal::pose(moved(RIGHT_ARM[2], Vec3::new(0.01, -0.03, 0.0)), world.rotations[RIGHT_ARM[2]]),
        Goal::facing(turn(0.15) * world.rotations[HEAD]),
    ]
}

#[test]
fn a_biped_rooted_at_its_foot_meets_every_goal_exactly() {
    let (skeleton, tree, plan) = standing();
    let mut scratch = Scratch::new(&plan);
    let settings = Settings::default();
    let (mut at_hips, mut at_foot) = (TreePose::rest(&tree), TreePose::rest(plan.tree()));
    for frame in 0..200 {
        let t = frame as f64 * 0.1;
        let source = pose_at(&skeleton, t);
        let world = WorldPose::of(&skeleton, &source);
        at_hips.set_from_skeleton(&tree, &source);
        at_foot.set_rerooted(plan.tree(), &tree, &at_hips);
        let foot = (world.positions[LEFT[2]], world.rotations[LEFT[2]]);

        let goals = goals(&world, t);
        let job = Job::new(&plan, &goals, &settings);
        let outcome = solve(&job, &mut at_foot, &mut scratch);
        assert_eq!(outcome.status, Status::Reached, "frame {frame}: {:?}", scratch.residuals());
        assert!(outcome.iterations <= 5, "frame {frame}: {} iterations", outcome.iterations);
        for (e, residual) in scratch.residuals().iter().enumerate() {
            assert!(
                residual.position_len < 1e-12 * LEG_LEN,
                "frame {frame}, effector {e}: {residual:?}"
            );
            assert!(residual.orientation_rad < 1e-12, "frame {frame}, effector {e}: {residual:?}");
        }

        // Back at the hips, the skeleton's own pose puts the foot where it stood.
        at_hips.set_rerooted(&tree, plan.tree(), &at_foot);
        let mut result = Pose::rest(&skeleton);
        at_hips.write_skeleton(&tree, &mut result);
        let result_world = WorldPose::of(&skeleton, &result);
        assert!((result_world.positions[LEFT[2]] - foot.0).norm() < 1e-12);
        assert!(result_world.rotations[LEFT[2]].angle_to(&foot.1) < 1e-7);
        for (i, joint) in skeleton.joints().iter().enumerate().filter(|(_, j)| j.parent.is_some()) {
            assert!(
                (result.translations[i] - joint.offset).norm() < 1e-12,
                "{} stretched",
                joint.name
            );
        }
        // Knees point where the hips face: forwards of the line from hip to ankle.
        for leg in [LEFT, RIGHT] {
            let [hip, knee, ankle] = [0, 1, 2].map(|i| result_world.positions[leg[i]]);
            let line = (ankle - hip).normalize();
            let out = (knee - hip) - line * line.dot(&(knee - hip));
            let forwards = result_world.rotations[HIPS] * Vec3::z();
            assert!(out.dot(&forwards) > 0.0, "frame {frame}: a knee bends backwards");
        }
    }
}

#[test]
fn small_changes_in_make_small_changes_out_up_to_full_extension() {
    let (skeleton, tree, plan) = standing();
    let mut scratch = Scratch::new(&plan);
    let settings = Settings::default();
    let source = pose_at(&skeleton, 0.0);
    let world = WorldPose::of(&skeleton, &source);
    let mut at_hips = TreePose::rest(&tree);
    at_hips.set_from_skeleton(&tree, &source);
    let mut previous: Option<TreePose> = None;
    // The pelvis rises until the legs are straight and beyond; near there a knee's angle goes with
    // the root of what is missing, so that a step of 1e-6 legs may turn it by 2e-3 and no more.
    for step in 0..4000 {
        let rise = 0.09 - 1e-6 * LEG_LEN * 2000.0 + 1e-6 * LEG_LEN * step as f64;
        let reach = 0.9;
        let ankle = world.positions[LEFT[2]];
        let hip = Vec3::new(0.1, -0.05, 0.0);
        let up = Vec3::y();
        let goal = ankle + up * (reach - 0.09 + rise) - hip;
        let mut pose = TreePose::rest(plan.tree());
        pose.set_rerooted(plan.tree(), &tree, &at_hips);
        let goals = [Goal::pose(goal, Quat::identity())];
        solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        if let Some(previous) = &previous {
            for link in 0..plan.tree().len() {
                let jump = previous.rotations[link].angle_to(&pose.rotations[link]);
                assert!(jump < 5e-3, "step {step}, link {link}: jumped by {jump}");
            }
        }
        previous = Some(pose);
    }
}
