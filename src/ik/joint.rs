//! How a link may move relative to its parent.

use super::angle::{JointError, Range};
use super::cone::Cone;
use crate::math::{EulerOrder, Quat, Vec3};

/// The motions that a joint allows. Axes are in the link's own frame, those of slides in the parent's. Angles are zero
/// at [`Joint::rest`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// No motion; the link keeps whatever rotation the pose has.
    Fixed,
    /// Any rotation.
    Ball,
    /// Any rotation inside a swing cone and a twist range.
    Cone(Cone),
    /// Rotation about one axis.
    Hinge {
        /// The axis, of any length but zero.
        axis: Vec3,
        /// The allowed angles, radians.
        range: Range,
    },
    /// One to three rotations about coordinate axes, each with its own range (radians, listed order).
    Euler {
        /// The axes, the outermost first.
        order: EulerOrder,
        /// The allowed angles of each axis, radians; ranges beyond the order's axes are ignored.
        ranges: [Range; 3],
    },
    /// Translation along an axis of the parent's frame (length units); the rotation stays.
    Slide {
        /// The direction of a positive slide, in the parent's frame, any length but zero.
        axis: Vec3,
        /// The allowed slides, length units.
        range: Range,
    },
}

/// A joint: its motions, its zero, and its share of each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The motions that it allows.
    pub kind: JointKind,
    /// `parent_from_link` rotation at which all angles are zero.
    pub rest: Quat,
    /// Share of every step that the joint takes, from 0 (it never moves) to 1.
    pub weight: f64,
    /// A joint whose effector is nearer to its goal than this (length units) does not move for it.
    pub comfort_len: f64,
    /// Largest rotation (radians) away from the joint's rotation at the beginning of the solve; in a per-axis joint of
    /// each axis. Infinite for no bound.
    pub window_rad: f64,
    /// The axis (own frame, any length but zero) about which a limb's middle joint bends by a positive angle. It states
    /// the side to which a ball joint folds when the limb is straight.
    pub bend_axis: Option<Vec3>,
    /// Whether the link and its parent have changed places since limits were stated.
    pub(super) reversed: bool,
}

impl Joint {
    fn of(kind: JointKind) -> Self {
        Self {
            kind,
            rest: Quat::identity(),
            weight: 1.0,
            comfort_len: 0.0,
            window_rad: f64::INFINITY,
            bend_axis: None,
            reversed: false,
        }
    }

    /// A joint that never moves.
    pub fn fixed() -> Self {
        Self::of(JointKind::Fixed)
    }

    /// A joint that allows any rotation.
    pub fn ball() -> Self {
        Self::of(JointKind::Ball)
    }

    /// A ball joint with a swing cone and a twist range.
    pub fn cone(cone: Cone) -> Self {
        Self::of(JointKind::Cone(cone))
    }

    /// A hinge about `axis_local`, its angle (radians) inside `range`.
    pub fn hinge(axis_local: Vec3, range: Range) -> Self {
        Self::of(JointKind::Hinge { axis: axis_local, range })
    }

    /// A joint of one to three axes, applied as [`EulerOrder`] says, each with its range (radians).
    pub fn euler(order: EulerOrder, ranges: [Range; 3]) -> Self {
        Self::of(JointKind::Euler { order, ranges })
    }

    /// A slide along an axis of the parent's frame, its way (length units) inside `range`.
    pub fn slide(axis_in_parent: Vec3, range: Range) -> Self {
        Self::of(JointKind::Slide { axis: axis_in_parent, range })
    }

    /// The same joint with another zero: the rotation at which all of its angles are 0.
    pub fn with_rest(self, parent_from_link: Quat) -> Self {
        Self { rest: parent_from_link, ..self }
    }

    /// The same joint, taking only this share (0 to 1) of every step.
    pub fn with_weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// The same joint with a comfort region: it does not move while its effector is within `len` (length units) of the
    /// goal.
    pub fn with_comfort(self, len: f64) -> Self {
        Self { comfort_len: len, ..self }
    }

    /// The same joint, which rotates at most this far (radians) in one solve.
    pub fn with_window(self, window_rad: f64) -> Self {
        Self { window_rad, ..self }
    }

    /// The same joint with the axis (own frame) about which it bends by positive angles.
    pub fn with_bend_axis(self, axis_local: Vec3) -> Self {
        Self { bend_axis: Some(axis_local), ..self }
    }

    /// Whether a solve may rotate or slide the joint at all.
    pub fn moves(&self) -> bool {
        self.kind != JointKind::Fixed && self.weight > 0.0 && self.window_rad > 0.0
    }

    /// Whether the joint's limit is a cone.
    pub(crate) fn is_cone(&self) -> bool {
        matches!(self.kind, JointKind::Cone(_))
    }

    /// Whether the joint is a slide.
    pub(super) fn slides(&self) -> bool {
        matches!(self.kind, JointKind::Slide { .. })
    }

    /// Whether the joint may take any rotation in one step.
    pub(super) fn is_free_ball(&self) -> bool {
        self.kind == JointKind::Ball && self.weight == 1.0 && self.window_rad == f64::INFINITY
    }

    /// The joint seen from its other side.
    pub(super) fn flipped(self) -> Self {
        Self { reversed: !self.reversed, ..self }
    }

    /// The joint with unit axes, or what is wrong with it.
    pub(super) fn checked(mut self) -> Result<Self, JointError> {
        let unit = |v: Vec3| v.try_normalize(1e-12).filter(|v| v.iter().all(|c| c.is_finite()));
        let valid = |range: &Range| range.is_valid();
        match &mut self.kind {
            JointKind::Fixed | JointKind::Ball => {}
            JointKind::Cone(cone) => *cone = cone.checked()?,
            JointKind::Hinge { axis, range } | JointKind::Slide { axis, range } => {
                *axis = unit(*axis).ok_or(JointError::Axis)?;
                valid(range).then_some(()).ok_or(JointError::Range)?;
            }
            JointKind::Euler { order, ranges } => {
                let axes = order.axes().len();
                (axes > 0).then_some(()).ok_or(JointError::NoAxis)?;
                ranges[..axes].iter().all(valid).then_some(()).ok_or(JointError::Range)?;
            }
        }
        if let Some(axis) = &mut self.bend_axis {
            *axis = unit(*axis).ok_or(JointError::Axis)?;
        }
        let sane =
            (0.0..=1.0).contains(&self.weight) && self.window_rad >= 0.0 && self.comfort_len >= 0.0;
        sane.then_some(()).ok_or(JointError::Weight)?;
        let norm = self.rest.coords.norm();
        ((norm - 1.0).abs() < 1e-6).then_some(()).ok_or(JointError::Rest)?;
        self.rest = Quat::new_normalize(*self.rest.quaternion());
        Ok(self)
    }
}
