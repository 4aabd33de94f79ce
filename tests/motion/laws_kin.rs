//! Bodies of one family: rigs with the same names in the same tree and bones of the same directions, but of other lengths.
//! What a joint's frame and a sole mean on one of them holds for all.

use crate::common;
use crate::equivalent::{FAMILIES, Original, originals, rig_of, samples};
use crate::plain_bodies::PLAIN;
use crate::rewrite::Rewritten;
use retarget::internals::clip::Clip;
use retarget::internals::rig::{Rig, StanceOrigin};

/// The two ways in which a family's files are written: the zero pose as it is, or all bones along one axis.
fn written(o: &Original) -> [(&'static str, Clip); 2] {
    let as_is = Rewritten::of(&o.clip);
    [("as it is", as_is.clone().clip), ("along X", as_is.along_x().clip)]
}

/// Every original with its two writings, and what it shows in each.
fn all_written(longest: usize) -> Vec<(String, Clip, Rig)> {
    let families = common::mocap_dir().map(|dir| originals(&dir, &FAMILIES, longest));
    let all = samples(longest).into_iter().chain(families.unwrap_or_default());
    let both = |o: Original| written(&o).map(|(how, clip)| (format!("{}, {how}", o.name), clip));
    let with_rig = |(name, clip): (String, Clip)| {
        let rig = rig_of(&clip).unwrap_or_else(|e| panic!("{name}: {e}")).rig;
        (name, clip, rig)
    };
    all.flat_map(both).map(with_rig).collect()
}

#[test]
fn a_zero_pose_that_stands_does_so_whatever_the_lengths() {
    let mut standing = 0;
    for (name, clip, rig) in all_written(3) {
        if rig.stance.origin != StanceOrigin::Rest {
            continue;
        }
        for body in &PLAIN {
            let origin = body.rig(&rig, &clip).rig.stance.origin;
            assert_eq!(origin, StanceOrigin::Rest, "{name}, {}", body.name);
            standing += 1;
        }
    }
    assert!(standing >= 7 * 5, "{standing} bodies");
}
