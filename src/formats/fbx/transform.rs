//! What `ufbx` says of a node, as [`scene`](crate::scene) has it.

use crate::math::{Quat, Vec3};
use crate::scene::{Local, NodeFrame, NodeId};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

/// A node's index in [`Scene`](crate::scene::Scene); `None` for the file's root.
pub(super) fn node_id(node: &ufbx::Node) -> Option<NodeId> {
    (node.element.typed_id as usize).checked_sub(1)
}

/// A node's transform in the scene. A top node's includes that of the file's root.
pub(super) fn local(loaded: &ufbx::Scene, node: &ufbx::Node, transform: &ufbx::Transform) -> Local {
    let own = to_local(transform);
    top(loaded, node).map_or(own, |root| under(&root, &own))
}

/// The frame of the file's root, for a node directly below it.
pub(super) fn top(loaded: &ufbx::Scene, node: &ufbx::Node) -> Option<Local> {
    let is_top = node.parent.as_deref().is_some_and(|parent| parent.is_root);
    is_top.then(|| to_local(&loaded.root_node.local_transform))
}

/// `inner` in the frame of a root with uniform scale.
fn under(root: &Local, inner: &Local) -> Local {
    let size = root.scale.x;
    Local {
        translation: root.translation + root.rotation * (inner.translation * size),
        rotation: root.rotation * inner.rotation,
        scale: inner.scale * size,
    }
}

fn to_local(transform: &ufbx::Transform) -> Local {
    Local {
        translation: vector(transform.translation),
        rotation: rotation(transform.rotation),
        scale: vector(transform.scale),
    }
}

pub(super) fn vector(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

fn rotation(q: ufbx::Quat) -> Quat {
    let q = Quaternion::new(q.w, q.x, q.y, q.z);
    UnitQuaternion::try_new(q, 1e-9).unwrap_or_default()
}

pub(super) fn frame(m: &ufbx::Matrix) -> NodeFrame {
    NodeFrame {
        linear: Matrix3::new(m.m00, m.m01, m.m02, m.m10, m.m11, m.m12, m.m20, m.m21, m.m22),
        place: Vec3::new(m.m03, m.m13, m.m23),
    }
}
