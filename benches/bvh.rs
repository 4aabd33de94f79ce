//! Reading and writing BVH, in bytes of file a second, on a body of 31 joints and one of 78.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retarget::internals::bvh::{self, WriteSettings};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Axis, EulerOrder, Vec3};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
use std::hint::black_box;

const FRAMES: usize = 2000;

fn bvh(criterion: &mut Criterion) {
    for joints in [31, 78] {
        let clip = clip(joints);
        let mut text = Vec::new();
        bvh::write(&clip, &WriteSettings::default(), &mut text).expect("a Vec takes all");
        let mut group = criterion.benchmark_group(format!("bvh/{joints} joints"));
        group.throughput(Throughput::BytesDecimal(text.len() as u64));
        group.bench_function("read", |b| b.iter(|| bvh::read(black_box(&text))));
        let mut out = Vec::with_capacity(text.len());
        group.bench_function("write", |b| {
            b.iter(|| {
                out.clear();
                bvh::write(black_box(&clip), &WriteSettings::default(), &mut out)
            })
        });
    }
}

/// A clip whose joints all swing, each at its own pace: limbs of eight bones on one root.
fn clip(joints: usize) -> Clip {
    let order = [Axis::Z, Axis::Y, Axis::X];
    let joint = |i: usize| Joint {
        name: format!("joint {i}"),
        parent: (i > 0).then(|| JointId::new(if i % 8 == 1 { 0 } else { i - 1 })),
        offset: Vec3::new(0.1 * i as f64, 5.0, -1.25),
        channels: if i == 0 {
            Channels::positions_and_rotations(order).expect("distinct")
        } else {
            Channels::rotations(order).expect("distinct")
        },
        end_sites: Vec::new(),
    };
    let skeleton = Skeleton::new((0..joints).map(joint).collect()).expect("a tree");
    let mut clip = Clip::new(skeleton, FrameTime::parse("0.0083333").expect("above zero"));
    let order = EulerOrder::new(&order).expect("distinct");
    let mut rotations = Vec::new();
    for frame in 0..FRAMES {
        let t = frame as f64 / 120.0;
        rotations.clear();
        rotations.extend((0..joints).map(|i| {
            let swing = |reach: f64, pace: f64| reach * (t * pace + i as f64).sin();
            order.compose([swing(0.9, 1.3), swing(0.5, 2.1), swing(1.2, 0.7)])
        }));
        clip.push(&rotations, &[Vec3::new(30.0 * t.sin(), 17.0 + t.cos(), -50.0 + 12.0 * t)]);
    }
    clip
}

criterion_group!(benches, bvh);
criterion_main!(benches);
