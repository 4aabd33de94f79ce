//! What the laws rest on: a rewriting moves no joint.

use crate::common;
use crate::equivalent::{FAMILIES, originals, samples};
use crate::rewrite;
use crate::writings;

#[test]
fn a_rewriting_moves_no_joint() {
    let families = common::mocap_dir().map(|dir| originals(&dir, &FAMILIES, 60));
    for o in samples(60).iter().chain(families.iter().flatten()) {
        let all = [
            writings::names(o),
            writings::units(o),
            writings::channels(o),
            writings::roots(o),
            writings::up_axes(o),
            writings::arms(o),
            writings::facings(o),
            writings::straight_legs(o),
            writings::along_x(o),
            writings::inserted(o),
            writings::twists(o),
            writings::at_once(o),
        ];
        for (how, other) in all.iter().flatten() {
            for frame in 0..o.clip.len() {
                let truth = rewrite::world(&o.clip, frame);
                let now = rewrite::world(&other.clip, frame + other.lead);
                for id in o.clip.skeleton().ids() {
                    let off = now.position(other.now(id)) - other.point(truth.position(id));
                    let legs = off.norm() / other.scale / o.rig.leg_len;
                    let name = o.clip.skeleton().name(id);
                    assert!(legs < 1e-9, "{} {how}: {name} in frame {frame} by {legs}", o.name);
                }
            }
        }
    }
}
