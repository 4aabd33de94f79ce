//! How legs and chains that both rigs name follow each other, whatever their numbers of joints.
//!
//! A bone of the target points where the stretch of the source's chain that it covers points, and twists as the joints
//! of that stretch do. Chains with equal numbers of joints correspond joint by joint, others by shares of their
//! lengths.

use super::chain::{Piece, overlaps};
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{BoneEnd, ChainName, Rig, bone_end};
use crate::skeleton::JointId;
use std::collections::BTreeMap;

/// What a joint of a target's chain follows.
pub(super) struct Followed {
    /// Source joints with weights that sum to 1.
    pub shares: Vec<(JointId, f64)>,
    /// The ends of the stretch of the source's chain that the joint's bone covers.
    pub stretch: Option<[BoneEnd; 2]>,
}

/// What each joint of the target's legs and chains follows, for those that the source names too.
pub(super) fn followed(source: &Rig, target: &Rig) -> BTreeMap<JointId, Followed> {
    let common = target.roles.chain_names().filter(|&name| !source.roles.chain(name).is_empty());
    common.flat_map(|name| Chain::new(source, name).lead(&Chain::new(target, name))).collect()
}

/// A chain of one rig in the rig's stance, measured by length.
struct Chain {
    /// Each joint with the stretch that its bone covers, as shares of the chain's length.
    pieces: Vec<Piece>,
    /// The end of each joint's bone in the skeleton; the last joint may have none.
    ends: Vec<Option<BoneEnd>>,
    /// The end of each joint's bone in the joint's own frame (local), in the stance.
    bones: Vec<Vec3>,
}

impl Chain {
    fn new(rig: &Rig, name: ChainName) -> Self {
        let joints = rig.roles.chain(name);
        let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
        let end = |&id: &JointId| bone_end(&rig.skeleton, &rig.roles, id);
        let ends: Vec<Option<BoneEnd>> = joints.iter().map(end).collect();
        let bone = |(&id, end): (&JointId, &Option<BoneEnd>)| {
            let way = end.map_or(Vec3::zeros(), |end| end.world(&world) - world.position(id));
            world.rotation(id).inverse() * way
        };
        let bones: Vec<Vec3> = joints.iter().zip(&ends).map(bone).collect();
        let total = bones.iter().map(|bone| bone.norm()).sum::<f64>().max(1e-9 * rig.leg_len);
        let mut start = 0.0;
        let piece = |(&joint, bone): (&JointId, &Vec3)| {
            let from = start;
            start += bone.norm() / total;
            (joint, from, start)
        };
        let pieces = joints.iter().zip(&bones).map(piece).collect();
        Self { pieces, ends, bones }
    }

    /// What each joint of `target` follows of this chain.
    fn lead(&self, target: &Chain) -> Vec<(JointId, Followed)> {
        let as_many = self.pieces.len() == target.pieces.len();
        let follow = |(i, &(joint, from, to)): (usize, &Piece)| {
            let followed = match as_many {
                true => {
                    let own = self.pieces[i].0;
                    let start = BoneEnd { joint: own, point: Vec3::zeros() };
                    Followed {
                        shares: vec![(own, 1.0)],
                        stretch: self.ends[i].map(|end| [start, end]),
                    }
                }
                false => Followed {
                    shares: overlaps(&self.pieces, from, to),
                    stretch: Some([from, to].map(|share| self.point(share))),
                },
            };
            (joint, followed)
        };
        target.pieces.iter().enumerate().map(follow).collect()
    }

    /// The point at a share of the chain's length, fixed to the bone that contains it.
    fn point(&self, share: f64) -> BoneEnd {
        let covers = |&(_, _, to): &Piece| share <= to + 1e-9;
        let i = self.pieces.iter().position(covers).unwrap_or(self.pieces.len() - 1);
        let (joint, from, to) = self.pieces[i];
        let along = if to > from { ((share - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        BoneEnd { joint, point: self.bones[i] * along }
    }
}
