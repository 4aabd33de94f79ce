//! The yardstick's chain and goals, for the table and for the benchmark.

use retarget::Vec3;
use retarget::ik::*;

pub const LINKS: usize = 20;
pub const GOALS: usize = 1000;

/// Links of length 1 in a row, the tip there within `tolerance` of the length.
pub fn chain(tolerance: f64) -> Plan {
    let mut links = vec![Link::base()];
    for i in 0..LINKS {
        let offset = if i == 0 { Vec3::zeros() } else { Vec3::x() };
        links.push(Link::child(LinkId::new(i), offset, Joint::ball()));
    }
    let tip = Effector::new(LinkId::new(LINKS), Vec3::x())
        .with_tolerance_ratio(tolerance)
        .with_tolerance_rad(0.01);
    Plan::new(Tree::new(&links).expect("a chain is a tree"), &[tip]).expect("a tip is on its chain")
}

/// Goals uniform in a ball of 0.95 of the reach, the same every time for the same draw.
pub fn goals(draw: u64) -> Vec<Vec3> {
    // SplitMix64 (Steele et al. 2014), each draw from a state of its own.
    let mix = |z: u64| {
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut state = mix(mix(draw + 1));
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(state) >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let points = std::iter::repeat_with(|| Vec3::new(uniform(), uniform(), uniform()));
    let inside = points.filter(|p| p.norm() <= 1.0).take(GOALS);
    inside.map(|p| p * 0.95 * LINKS as f64).collect()
}
