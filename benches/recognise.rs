//! Finding the roles of a clip of 2,000 frames, with names and without: at most 5 ms.

// The skeletons alone are of use here, not the roles that tests expect.
#[allow(dead_code)]
#[path = "../tests/common/listed.rs"]
mod listed;
#[allow(dead_code)]
#[path = "../tests/common/rigs.rs"]
mod rigs;

use criterion::{Criterion, criterion_group, criterion_main};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{EulerOrder, Vec3};
use retarget::internals::rig::{WrittenRoles, recognise_clip};
use retarget::internals::skeleton::Skeleton;
use std::hint::black_box;

const FRAMES: usize = 2000;

fn recognise(criterion: &mut Criterion) {
    let rigs = rigs::parse(include_str!("../tests/rig/recognise/rigs.txt"));
    let mut group = criterion.benchmark_group("recognise");
    for title in ["Mixamo", "LaFAN1", "MetaHuman body, with correctives"] {
        let rig = rigs.iter().find(|rig| rig.title == title).expect("a rig of the table");
        let count = rig.skeleton.len();
        for named in [true, false] {
            let clip = clip(&rig.skeleton, named);
            let what = if named { "named" } else { "nameless" };
            group.bench_function(format!("{title}, {count} joints, {what}"), |b| {
                b.iter(|| recognise_clip(black_box(&clip), &WrittenRoles::default()))
            });
        }
    }
}

/// A clip whose joints all swing a little, so that the body stays upright.
fn clip(skeleton: &Skeleton, named: bool) -> Clip {
    let mut joints = skeleton.joints().to_vec();
    if !named {
        joints.iter_mut().for_each(|joint| joint.name = "q".to_owned());
    }
    let skeleton = Skeleton::new(joints).expect("the same tree");
    let order = |channels: EulerOrder, angles: [f64; 3]| channels.compose(angles);
    let orders: Vec<EulerOrder> =
        skeleton.joints().iter().map(|joint| joint.channels.euler_order()).collect();
    let frame_time = FrameTime::parse("0.0083333").expect("above zero");
    let mut clip = Clip::with_capacity(skeleton, frame_time, FRAMES);
    let mut rotations = Vec::new();
    for frame in 0..FRAMES {
        let t = frame as f64 / 120.0;
        rotations.clear();
        rotations.extend(orders.iter().enumerate().map(|(i, &channels)| {
            let swing = |pace: f64| 0.05 * (t * pace + i as f64).sin();
            order(channels, [swing(1.3), swing(2.1), swing(0.7)])
        }));
        clip.push(&rotations, &vec![Vec3::new(0.0, 97.0, 100.0 * t); clip.moving().len()]);
    }
    clip
}

criterion_group!(benches, recognise);
criterion_main!(benches);
