//! Bodies drawn by seeds that nobody tuned anything to.

use crate::strangers::{Limits, Stance, Stranger};
use retarget::rig::{Role, Side};

#[test]
fn a_stranger_is_a_sound_person_and_its_seed_alone_makes_it() {
    let (mut stances, mut limits) = ([0; 4], 0);
    for seed in 0..40 {
        let stranger = Stranger::new(seed);
        let rig = stranger.rig().rig;
        for side in Side::BOTH {
            for role in [Role::Thigh(side), Role::Shin(side), Role::Foot(side), Role::Forearm(side)]
            {
                assert!(rig.joint(role).is_some(), "{}: no {role}", stranger.name());
            }
        }
        let lengths = stranger.lengths;
        let leg_len = 42.0 * lengths.thigh + 41.0 * lengths.shin;
        assert!((rig.leg_len - leg_len).abs() < 1e-3, "{}: {}", stranger.name(), rig.leg_len);
        assert_eq!(stranger.files(), Stranger::new(seed).files());
        let all = [Stance::T, Stance::A, Stance::ArmsDown, Stance::Aligned];
        stances[all.iter().position(|stance| *stance == stranger.stance).expect("one of all")] += 1;
        limits += usize::from(stranger.limits != Limits::None);
        assert_eq!(rig.limits.is_empty(), stranger.limits == Limits::None);
    }
    assert!(stances.iter().all(|count| *count > 3) && limits > 15, "{stances:?}, {limits}");
}
