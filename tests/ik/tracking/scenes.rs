//! Bodies with goals that move.

use retarget::ik::*;
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3};
use std::f64::consts::TAU;

/// A body with goals that move over one unit of time, solved anew from one pose at each moment.
pub struct Scene {
    plan: Plan,
    pose: TreePose,
    goals: fn(f64) -> Vec<Goal>,
}

impl Scene {
    pub fn new(links: &[Link], effectors: &[Effector], goals: fn(f64) -> Vec<Goal>) -> Self {
        let plan = Plan::new(Tree::new(links).unwrap(), effectors).unwrap();
        Self { pose: TreePose::rest(plan.tree()), plan, goals }
    }

    /// The same, each joint turned away from rest by so much about X.
    pub fn bent(mut self, angles: &[f64]) -> Self {
        for (q, angle) in self.pose.rotations[1..].iter_mut().zip(angles) {
            *q *= Quat::from_axis_angle(&Vec3::x_axis(), *angle);
        }
        self
    }

    /// The same, each joint turned away from rest by an angle about Z.
    pub fn curled(mut self, angle: f64) -> Self {
        for q in &mut self.pose.rotations[1..] {
            *q *= Quat::from_axis_angle(&Vec3::z_axis(), angle);
        }
        self
    }

    pub fn at(&self, moment: f64, settings: &Settings, scratch: &mut Scratch) -> TreePose {
        let (goals, mut pose) = ((self.goals)(moment), self.pose.clone());
        solve_pose(&Job::new(&self.plan, &goals, settings), &mut pose, scratch);
        pose
    }

    /// How far the goals go over the whole time, those that go farthest at their fastest: chain lengths or radians.
    pub fn largest_way(&self) -> f64 {
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
    pub fn largest_change(&self, frames: usize, settings: &Settings) -> f64 {
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
pub const STEEPEST: f64 = 30.0;

/// The largest angle, radians, or slide between two poses of a joint.
pub fn change(one: &TreePose, other: &TreePose) -> f64 {
    let turned = one.rotations.iter().zip(&other.rotations);
    let turned = turned.map(|(a, b)| 2.0 * (a.inverse() * b).imag().norm().min(1.0).asin());
    let slid = one.shifts.iter().zip(&other.shifts).map(|(a, b)| (a - b).norm());
    turned.chain(slid).fold(0.0, f64::max)
}

pub fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

pub fn child(parent: usize, place: Vec3, joint: Joint) -> Link {
    Link::child(LinkId::new(parent), place, joint)
}

pub fn knee() -> Joint {
    Joint::hinge(Vec3::x(), Range::new(0.0, 2.6))
}

pub fn leg(hip: Joint) -> Vec<Link> {
    let ankle = Joint::hinge(Vec3::x(), Range::new(-0.7, 0.5));
    vec![
        Link::base(),
        child(0, Vec3::zeros(), hip),
        child(1, -Vec3::y() * 0.45, knee()),
        child(2, -Vec3::y() * 0.45, ankle),
    ]
}

pub fn foot() -> Effector {
    Effector::new(LinkId::new(3), Vec3::zeros())
}

/// Round the place that an unbent leg's foot has.
pub fn round_the_foot(t: f64, by: f64) -> Goal {
    let (sin, cos) = (TAU * t).sin_cos();
    Goal::at(Vec3::new(0.3 * by * sin, by * cos * 0.7 - 0.88, by * sin))
}

pub fn cone(swing_rad: f64) -> Joint {
    let (twist_axis, swing_axis) = (Vec3::y(), Vec3::x());
    let twist = Range::new(-0.3, 0.3);
    Joint::cone(Cone { twist_axis, swing_axis, swing_rad: [swing_rad, 0.6 * swing_rad], twist })
}

/// Hips, spine of two, and for each side a clavicle, an upper arm, a forearm with a hinge and a hand.
pub fn torso() -> Vec<Link> {
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

pub fn hand(side: usize) -> Effector {
    Effector::new(LinkId::new([6, 10][side]), Vec3::zeros())
}

pub fn scenes() -> Vec<(&'static str, Scene)> {
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
