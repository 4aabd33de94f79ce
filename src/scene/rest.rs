//! Finds the zero pose of a file's skeleton: the nodes' own pose, or the one in which the mesh was bound.

use super::frame::{NodeFrame, rotation_in};
use super::{Bind, NodeId, Scene};

/// Which pose of the file is the skeleton's zero pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// The nodes' own pose. The skins' bind poses agree with it, or there are none.
    Nodes,
    /// The bind pose of the skins, because the nodes' own pose differs from it by this angle at some joint, radians:
    /// files are often saved in the middle of an animation.
    Bind { off_rad: f64 },
}

/// The largest difference from the bind pose that comes from rounding, and from exporters that store the pose twice,
/// radians.
const SAME_RAD: f64 = 0.035;

/// The same for positions, as a share of the body's size.
const SAME_SHARE: f64 = 0.01;

/// This many more joints must agree with an unusual frame than with one that exporters use. A joint and those below it
/// can agree with each other in any pose.
const FEW: usize = 4;

/// From how many joints of a skin its frame in the scene is proposed.
const MOST_ASKED: usize = 64;

/// The zero pose of all nodes in the world, and where it comes from.
pub(super) fn base(scene: &Scene, order: &[NodeId]) -> (Vec<NodeFrame>, Base) {
    let own = scene.world(order, |id| scene.nodes[id].local);
    if scene.stands {
        return (own, Base::Nodes);
    }
    let bound = bound(scene, order, &own);
    let size_len = size_len(&own, &bound);
    let off = |id: &NodeId| bound[*id].map(|bound| off(&own[*id], &bound));
    let (mut off_rad, mut is_same) = (0.0, true);
    for (turn_rad, place_len) in order.iter().filter_map(off) {
        off_rad = f64::max(off_rad, turn_rad);
        is_same &= turn_rad <= SAME_RAD && place_len <= SAME_SHARE * size_len;
    }
    if is_same {
        return (own, Base::Nodes);
    }
    let mut world = own;
    for &id in order {
        let node = &scene.nodes[id];
        world[id] = bound[id].unwrap_or_else(|| match node.parent {
            Some(parent) => world[parent].then(&node.local.frame()),
            None => scene.above().then(&node.local.frame()),
        });
    }
    (world, Base::Bind { off_rad })
}

/// The bind pose of the joints in the scene's world. A skin states it in a frame of its own. That frame is the one with
/// which most of its joints are where their nodes are. If no frame brings half of them there, the frame is the world,
/// if the format says so.
fn bound(scene: &Scene, order: &[NodeId], own: &[NodeFrame]) -> Vec<Option<NodeFrame>> {
    let mut bound = vec![None; scene.nodes.len()];
    let of = |id: &NodeId| scene.nodes[*id].bind.as_ref().map(|bind| (*id, bind));
    let mut skins: Vec<usize> = order.iter().filter_map(of).map(|(_, bind)| bind.skin).collect();
    skins.sort_unstable();
    skins.dedup();
    let size_len = size_len(own, &[]);
    for skin in skins {
        let in_skin = |(_, bind): &(NodeId, &Bind)| bind.skin == skin;
        let joints: Vec<_> = order.iter().filter_map(of).filter(in_skin).collect();
        let agreeing = |world_from_skin: &NodeFrame| {
            let agrees = |(id, bind): &&(NodeId, &Bind)| {
                let (turn_rad, place_len) = off(&own[*id], &world_from_skin.then(&bind.frame));
                turn_rad <= SAME_RAD && place_len <= SAME_SHARE * size_len
            };
            joints.iter().filter(agrees).count()
        };
        // Exporters bind in the world, in the frame of a mesh, or in that of the joints' parent.
        let meshes = scene.meshes.get(skin).into_iter().flatten().copied();
        let above = joints.first().and_then(|(id, _)| scene.nodes[*id].parent);
        let usual = meshes.take(MOST_ASKED).chain(above).map(|id| own[id]);
        let usual = std::iter::once(NodeFrame::default()).chain(usual);
        let all = joints.len();
        let usual = most(usual.map(|frame| (agreeing(&frame), frame)), all);
        // Otherwise it is the frame that brings most joints to their nodes; of equal ones, that of the joint nearest to
        // the root.
        let shared = joints.iter().take(MOST_ASKED).filter_map(|(id, bind)| {
            let world_from_skin = own[*id].then(&bind.frame.inverse()?);
            world_from_skin.is_finite().then_some(world_from_skin)
        });
        let in_world = joints.iter().all(|(_, bind)| bind.in_world);
        let is_found = !in_world && usual.is_some_and(|(count, _)| count == all);
        let shared = shared.filter(|_| !is_found).map(|frame| (agreeing(&frame), frame));
        let shared = most(shared, all);
        // If the format says that it is the world, only a majority of the joints can overrule it.
        let best = match (usual, shared) {
            (_, shared) if in_world => {
                let agreed = shared.filter(|(count, _)| 2 * count > joints.len());
                agreed.or(Some((0, NodeFrame::default())))
            }
            (Some(usual), Some(shared)) if usual.0 > 0 && shared.0 <= FEW + usual.0 => Some(usual),
            (usual, shared) => shared.or(usual),
        };
        if let Some((_, world_from_skin)) = best {
            for (id, bind) in joints {
                bound[id] = Some(world_from_skin.then(&bind.frame)).filter(NodeFrame::is_finite);
            }
        }
    }
    bound
}

/// The first item with the highest count, which is `all` at most.
fn most(
    mut of: impl Iterator<Item = (usize, NodeFrame)>,
    all: usize,
) -> Option<(usize, NodeFrame)> {
    let mut best = of.next()?;
    while best.0 < all
        && let Some(next) = of.next()
    {
        if next.0 > best.0 {
            best = next;
        }
    }
    Some(best)
}

/// The angle and the distance between two frames: radians, and the world's units.
fn off(frame: &NodeFrame, other: &NodeFrame) -> (f64, f64) {
    let turn = other.inverse().and_then(|inverse| rotation_in(&(frame.linear * inverse.linear)));
    (turn.map_or(std::f64::consts::PI, |turn| turn.angle()), (frame.place - other.place).norm())
}

/// The largest extent of the nodes along an axis.
fn size_len(own: &[NodeFrame], bound: &[Option<NodeFrame>]) -> f64 {
    let places = own.iter().map(|frame| frame.place);
    let places = places.chain(bound.iter().flatten().map(|frame| frame.place));
    let (mut least, mut most) = ([f64::MAX; 3], [f64::MIN; 3]);
    for place in places {
        for axis in 0..3 {
            least[axis] = least[axis].min(place[axis]);
            most[axis] = most[axis].max(place[axis]);
        }
    }
    (0..3).map(|axis| most[axis] - least[axis]).fold(0.0, f64::max)
}
