//! Computes a node's properties from its position and rotation in the scene.
//!
//! A node's transform is, from left to right (FBX SDK, "Computing transformation matrices"):
//! T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹.

use super::FbxError;
use super::transform::{top, vector};
use crate::math::{Axis, EulerOrder, Quat, Vec3};
use crate::scene::{Local, Track};
use ufbx::RotationOrder;

/// The properties of a node that are not animated.
pub(super) struct Space {
    /// The frame of the file's root, which the transforms of top nodes include.
    root: Option<Local>,
    order: EulerOrder,
    pre: Quat,
    post: Quat,
    /// The offsets that are added to the translation before the rotation and after it, in the file's unit.
    offset: Vec3,
    arm: Vec3,
    /// The point about which the node is scaled.
    size_pivot: Vec3,
    /// The factor of the translation: the scale of a parent whose scale is not inherited.
    stretch: Vec3,
    /// The factor of the file's scale, since the parent's scale is not inherited.
    growth: f64,
    /// The node's animated properties at rest.
    rest: Raw,
}

/// The values of a node's animated properties, in degrees and in the file's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Raw {
    pub translation: Vec3,
    pub rotation: [f64; 3],
    pub scaling: Vec3,
}

/// FBX lists rotations in the order in which they are applied, [`EulerOrder`] in that in which they are multiplied.
fn order(order: RotationOrder) -> Option<EulerOrder> {
    use Axis::{X, Y, Z};
    EulerOrder::new(&match order {
        RotationOrder::Xyz => [Z, Y, X],
        RotationOrder::Xzy => [Y, Z, X],
        RotationOrder::Yzx => [X, Z, Y],
        RotationOrder::Yxz => [Z, X, Y],
        RotationOrder::Zxy => [Y, X, Z],
        RotationOrder::Zyx => [X, Y, Z],
        RotationOrder::Spheric => return None,
    })
}

impl Space {
    /// Reads the properties of a node.
    pub fn of(loaded: &ufbx::Scene, node: &ufbx::Node) -> Result<Self, FbxError> {
        let unfit = |why| FbxError::Unfit { node: node.element.name.to_string(), why };
        if node.is_scale_helper {
            return Err(unfit("has a scale of its own that its children do not inherit"));
        }
        let get = |name: &str, default: f64| {
            let found = ufbx::find_prop(&node.element.props, name);
            let v = found.map(|it| Vec3::new(it.value_vec4.x, it.value_vec4.y, it.value_vec4.z));
            v.unwrap_or(Vec3::repeat(default))
        };
        let plain = EulerOrder::new(&[Axis::Z, Axis::Y, Axis::X]).expect("three axes");
        let turn = |order: &EulerOrder, v: Vec3| {
            let [x, y, z] = [0, 1, 2].map(|axis| v[axis].to_radians());
            order.compose(listed(order, [x, y, z]))
        };
        let (order, pre, post) = match node.use_rotation_space {
            true => (
                self::order(node.rotation_order).ok_or(unfit("has a spheric rotation order"))?,
                turn(&plain, get("PreRotation", 0.0)),
                turn(&plain, get("PostRotation", 0.0)),
            ),
            false => (plain, Quat::identity(), Quat::identity()),
        };
        let scaling = get("Lcl Scaling", 1.0);
        let (pivot, size_pivot) = (get("RotationPivot", 0.0), get("ScalingPivot", 0.0));
        let helper = node.parent.as_deref().and_then(|parent| parent.scale_helper.as_deref());
        let stretch = helper.map(|helper| vector(helper.local_transform.scale));
        let space = Self {
            root: top(loaded, node),
            order,
            pre,
            post,
            offset: get("RotationOffset", 0.0) + pivot,
            arm: get("ScalingOffset", 0.0) - pivot,
            size_pivot,
            stretch: stretch.unwrap_or(Vec3::repeat(1.0)),
            growth: if node.has_adjust_transform { node.adjust_post_scale } else { 1.0 },
            rest: Raw {
                translation: get("Lcl Translation", 0.0),
                rotation: get("Lcl Rotation", 0.0).into(),
                scaling,
            },
        };
        let can = space.stretch.iter().all(|size| *size != 0.0) && space.growth != 0.0;
        if can { Ok(space) } else { Err(unfit("is below a node of scale zero")) }
    }

    /// The values of the properties that a track animates, one for each frame.
    pub fn raw(&self, rest: &Local, track: &Track, frames: usize) -> Animated {
        let turns = track.rotations.is_some();
        // A rotation or scale about a pivot outside the node's origin also moves the node.
        let has_pivots = self.arm.norm() > 0.0 || self.size_pivot.norm() > 0.0;
        let moves = track.translations.is_some() || has_pivots;
        let mut animated = Animated::default();
        let mut previous = listed(&self.order, self.rest.rotation.map(f64::to_radians));
        for frame in 0..frames {
            let local = self.without_root(track.at(frame, rest));
            let scaling = match track.scales.is_some() {
                true => local.scale / self.growth,
                false => self.rest.scaling,
            };
            if moves {
                let arm = self.arm + self.size_pivot - scaling.component_mul(&self.size_pivot);
                let at = local.translation - self.offset - local.rotation * arm;
                animated.translation.push(at.component_div(&self.stretch));
            }
            if turns {
                let own = self.pre.inverse() * local.rotation * self.post;
                previous = self.order.decompose(own, previous);
                let [x, y, z] = unlisted(&self.order, previous).map(f64::to_degrees);
                animated.rotation.push(Vec3::new(x, y, z));
            }
            if track.scales.is_some() {
                animated.scaling.push(scaling);
            }
        }
        animated
    }

    fn without_root(&self, local: Local) -> Local {
        let Some(root) = &self.root else { return local };
        let turn = root.rotation.inverse();
        Local {
            translation: turn * (local.translation - root.translation) / root.scale.x,
            rotation: turn * local.rotation,
            scale: local.scale / root.scale.x,
        }
    }
}

/// The values of a node's properties in each frame; empty for a property that is not animated. Angles in degrees.
#[derive(Default)]
pub(super) struct Animated {
    pub translation: Vec<Vec3>,
    pub rotation: Vec<Vec3>,
    pub scaling: Vec<Vec3>,
}

/// The angles about x, y and z of a rotation in this order.
fn listed(order: &EulerOrder, about: [f64; 3]) -> [f64; 3] {
    let axes = order.axes();
    std::array::from_fn(|place| about[axes[place].index()])
}

/// The rotation of these angles in this order.
fn unlisted(order: &EulerOrder, listed: [f64; 3]) -> [f64; 3] {
    let mut about = [0.0; 3];
    for (axis, angle) in order.axes().iter().zip(listed) {
        about[axis.index()] = angle;
    }
    about
}
