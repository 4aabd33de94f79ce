//! Random trees, limits, goals and settings, and solves of them.

use proptest::prelude::*;
use proptest::strategy::Strategy;
use retarget::ik::*;
use retarget::internals::math::{Axis, EulerOrder, Quat, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// One random case: a tree, a pose of it, effectors with goals, and settings.
#[derive(Clone, Debug)]
pub struct Case {
    pub links: Vec<Link>,
    pub pose: TreePose,
    pub effectors: Vec<Effector>,
    pub goals: Vec<Goal>,
    pub settings: Settings,
}

pub fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(|[x, y, z]| Vec3::new(x, y, z))
}

pub fn rotation() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(Quat::from_scaled_axis)
}

pub fn range() -> impl Strategy<Value = Range> {
    prop_oneof![
        3 => (-2.5..1.0f64, 0.0..2.5f64).prop_map(|(min, width)| Range::new(min, min + width)),
        1 => Just(Range::free()),
        // Where a per-axis joint's second angle ends in gimbal lock.
        1 => Just(Range::new(-FRAC_PI_2, FRAC_PI_2)),
    ]
}

pub fn kind() -> impl Strategy<Value = Joint> {
    let direction = || vector(1.0).prop_filter("a direction", |v| v.norm() > 0.1);
    let cone = (direction(), direction(), [0.0..PI, 0.0..PI], range())
        .prop_filter("two directions", |(a, b, ..)| a.cross(b).norm() > 0.01)
        .prop_map(|(twist_axis, swing_axis, swing_rad, twist)| {
            Joint::cone(Cone { twist_axis, swing_axis, swing_rad, twist })
        });
    let orders: Vec<Vec<Axis>> = vec![
        vec![Axis::X],
        vec![Axis::Z, Axis::Y],
        vec![Axis::Z, Axis::X, Axis::Y],
        vec![Axis::X, Axis::Y, Axis::Z],
    ];
    let euler = (prop::sample::select(orders), [range(), range(), range()])
        .prop_map(|(axes, ranges)| Joint::euler(EulerOrder::new(&axes).unwrap(), ranges));
    prop_oneof![
        4 => Just(Joint::ball()),
        2 => cone,
        2 => (direction(), range()).prop_map(|(axis, range)| Joint::hinge(axis, range)),
        2 => euler,
        1 => (direction(), range()).prop_map(|(axis, range)| Joint::slide(axis, range)),
        1 => Just(Joint::fixed()),
    ]
}

pub fn joint() -> impl Strategy<Value = Joint> {
    let weight = prop_oneof![3 => Just(1.0), 1 => 0.2..1.0f64];
    let window = prop_oneof![4 => Just(f64::INFINITY), 1 => 0.1..1.0f64];
    (kind(), rotation(), weight, window).prop_map(|(joint, rest, weight, window)| {
        joint.with_rest(rest).with_weight(weight).with_window(window)
    })
}

pub fn link(place: usize) -> impl Strategy<Value = Link> {
    let pivot = || prop_oneof![5 => vector(1.0), 1 => Just(Vec3::zeros())];
    let own = prop_oneof![3 => Just(Vec3::zeros()), 1 => vector(0.5)];
    (prop::option::weighted(0.97, any::<prop::sample::Index>()), pivot(), own, joint()).prop_map(
        move |(parent, pivot_in_parent, pivot_in_self, joint)| {
            let parent = parent.filter(|_| place > 0).map(|p| {
                // Mostly chains, with some branches.
                let back = p.index(5).saturating_sub(2);
                LinkId::new((place - 1).saturating_sub(back))
            });
            Link { parent, pivot_in_parent, pivot_in_self, joint }
        },
    )
}

pub fn settings() -> impl Strategy<Value = Settings> {
    let sweep = prop_oneof![
        Just(Sweep::TipToBase),
        Just(Sweep::BaseToTip),
        Just(Sweep::Alternating),
        Just(Sweep::Bounce),
        Just(Sweep::SmartBounce { threshold_rad: 0.001 }),
        Just(Sweep::BounceForward),
        Just(Sweep::SmartBounceForward { threshold_rad: 0.001 }),
        Just(Sweep::LargestError),
    ];
    let step = prop_oneof![
        2 => Just(Step::exact()),
        1 => (0.3..1.0f64).prop_map(Step::damped),
        1 => (1.0..1.5f64).prop_map(Step::over_relaxed),
        1 => (0.01..1.0f64).prop_map(|cap| Step::exact().with_max_turn(cap)),
    ];
    let method = prop_oneof![Just(Method::Auto), Just(Method::Relaxation), Just(Method::Sweeps)];
    let strategy = prop_oneof![3 => Just(retarget::ik::Strategy::Reach), 1 => Just(retarget::ik::Strategy::Tracking)];
    (strategy, method, sweep, step, 1..30u32, 0..2u32, any::<bool>()).prop_map(
        |(strategy, method, sweep, step, max_iterations, restarts, stops_within_pass)| Settings {
            stops_within_pass,
            strategy,
            method,
            sweep,
            step,
            max_iterations,
            restarts,
            ..Settings::default()
        },
    )
}

pub fn effector(links: usize) -> impl Strategy<Value = Effector> {
    let span = prop_oneof![
        3 => Just(Span::ToBase),
        1 => (1..5usize).prop_map(Span::Joints),
        1 => (0..links).prop_map(|l| Span::UpTo(LinkId::new(l))),
    ];
    let point = prop_oneof![1 => Just(Vec3::zeros()), 2 => vector(0.7)];
    (0..links, point, span, 0..3u32, 0.2..2.0f64).prop_map(
        |(link, point, span, priority, weight)| {
            Effector::new(LinkId::new(link), point)
                .with_span(span)
                .with_priority(priority)
                .with_weight(weight)
        },
    )
}

pub fn goal() -> impl Strategy<Value = Goal> {
    prop_oneof![
        4 => vector(3.0).prop_map(Goal::at),
        2 => (vector(3.0), rotation()).prop_map(|(p, q)| Goal::pose(p, q)),
        1 => rotation().prop_map(Goal::facing),
        1 => Just(Goal::none()),
    ]
}

pub fn case() -> impl Strategy<Value = Case> {
    (2..12usize)
        .prop_flat_map(|n| {
            let links: Vec<_> = (0..n).map(link).collect();
            let rotations = prop::collection::vec(rotation(), n);
            let shifts = prop::collection::vec(vector(0.3), n);
            let effectors = prop::collection::vec((effector(n), goal()), 1..4);
            (links, rotations, shifts, effectors, settings())
        })
        .prop_map(|(links, rotations, shifts, both, settings)| {
            let (effectors, goals) = both.into_iter().unzip();
            Case { links, pose: TreePose { rotations, shifts }, effectors, goals, settings }
        })
}

impl Case {
    pub fn plan(&self) -> Plan {
        Plan::new(Tree::new(&self.links).unwrap(), &self.effectors).unwrap()
    }

    /// The same case for who wants each pass to gain.
    pub fn reaching(mut self) -> Self {
        self.settings.strategy = retarget::ik::Strategy::Reach;
        self
    }

    /// Takes the goals of all priorities but the first away.
    pub fn serve_first_only(&mut self) {
        let first = self.effectors.iter().map(|e| e.priority).min().unwrap();
        for (goal, effector) in self.goals.iter_mut().zip(&self.effectors) {
            if effector.priority > first {
                *goal = Goal::none();
            }
        }
    }

    pub fn solve(&self, plan: &Plan, goals: &[Goal], settings: &Settings) -> Solved {
        let mut pose = self.pose.clone();
        let mut scratch = Scratch::new(plan);
        let outcome = solve(&Job::new(plan, goals, settings), &mut pose, &mut scratch);
        let (status, residuals) = (outcome.status, scratch.residuals().to_vec());
        Solved { status, residuals, iterations: outcome.iterations, pose }
    }

    /// The pose once it is inside its limits, not solved yet.
    pub fn confined(&self, plan: &Plan) -> Solved {
        self.solve(plan, &self.goals, &Settings { max_iterations: 0, restarts: 0, ..self.settings })
    }
}

#[derive(Clone, Debug)]
pub struct Solved {
    pub status: Status,
    pub residuals: Vec<Residual>,
    pub iterations: u32,
    pub pose: TreePose,
}
