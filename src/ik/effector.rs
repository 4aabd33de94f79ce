//! Effectors and their goals.

use super::tree::LinkId;
use crate::math::{Quat, Vec3};

/// The links that an effector may move, counted from its own. Other links may move it for other effectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// All joints between it and the base.
    ToBase,
    /// The joints up to and including this link's own; none if the link is not an ancestor.
    UpTo(LinkId),
    /// This many movable joints, those nearest to it.
    Joints(usize),
}

/// The kind of an effector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject {
    Point { link: LinkId, point_local: Vec3 },
    CenterOfMass { up: Option<Vec3> },
}

/// A point of a link, or the centre of mass, that a [`Goal`] pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effector {
    pub(super) subject: Subject,
    /// The links that it may move.
    pub span: Span,
    /// Lower numbers are served first; later priorities may move them by no more than their tolerance.
    pub priority: u32,
    /// Its weight, against others of the same priority, in links that move several.
    pub weight: f64,
    /// Weight of a radian of orientation against a chain length of position.
    pub orientation_weight: f64,
    /// Tolerance of the position in lengths of its chain; see [`Plan::chain_len`](super::Plan::chain_len).
    pub tolerance_ratio: f64,
    /// Tolerance of the position in length units; `None` for [`tolerance_ratio`](Self::tolerance_ratio).
    pub tolerance_len: Option<f64>,
    /// Tolerance of the orientation, radians.
    pub tolerance_rad: f64,
}

impl Effector {
    /// A point of a link (own frame, length units). It moves all joints to the base, has priority 0 and weight 1, and
    /// tolerates a thousandth of its chain's length and 0.01 radians.
    pub fn new(link: LinkId, point_local: Vec3) -> Self {
        Self::of(Subject::Point { link, point_local })
    }

    /// The centre of mass of the whole tree, moved by every joint. With `up` (world, any length) only its position in
    /// the plane perpendicular to `up` counts, as balance requires. Its goal's orientation and pole have no effect.
    pub fn center_of_mass(up: Option<Vec3>) -> Self {
        Self::of(Subject::CenterOfMass { up })
    }

    fn of(subject: Subject) -> Self {
        Self {
            subject,
            span: Span::ToBase,
            priority: 0,
            weight: 1.0,
            orientation_weight: 0.3,
            tolerance_ratio: 1e-3,
            tolerance_len: None,
            tolerance_rad: 1e-2,
        }
    }

    /// The link of the point; `None` for the centre of mass.
    pub fn link(&self) -> Option<LinkId> {
        match self.subject {
            Subject::Point { link, .. } => Some(link),
            Subject::CenterOfMass { .. } => None,
        }
    }

    /// The point in the link's frame, length units; `None` for the centre of mass.
    pub fn point(&self) -> Option<Vec3> {
        match self.subject {
            Subject::Point { point_local, .. } => Some(point_local),
            Subject::CenterOfMass { .. } => None,
        }
    }

    /// The same effector at another point of its link (own frame); the centre of mass stays itself.
    pub fn with_point(self, point_local: Vec3) -> Self {
        match self.subject {
            Subject::Point { link, .. } => {
                Self { subject: Subject::Point { link, point_local }, ..self }
            }
            Subject::CenterOfMass { .. } => self,
        }
    }

    /// The same effector, which moves only the links of `span`.
    pub fn with_span(self, span: Span) -> Self {
        Self { span, ..self }
    }

    /// The same effector at another priority; 0 comes first.
    pub fn with_priority(self, priority: u32) -> Self {
        Self { priority, ..self }
    }

    /// The same effector with another weight among those of its priority.
    pub fn with_weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// The same effector with this tolerance, as a share of its chain's length.
    pub fn with_tolerance_ratio(self, ratio: f64) -> Self {
        Self { tolerance_ratio: ratio, tolerance_len: None, ..self }
    }

    /// The same effector with this tolerance (length units).
    pub fn with_tolerance_len(self, len: f64) -> Self {
        Self { tolerance_len: Some(len), ..self }
    }

    /// The same effector with this tolerance of its orientation (radians).
    pub fn with_tolerance_rad(self, rad: f64) -> Self {
        Self { tolerance_rad: rad, ..self }
    }
}

/// The goal of an effector in one solve, world space; fields that are `None` are free.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Goal {
    /// Of the effector's point, length units.
    pub position: Option<Vec3>,
    /// `world_from_link` rotation.
    pub orientation: Option<Quat>,
    /// The point (world) to which the middle joint of a limb, its elbow or knee, points; see
    /// [`with_pole`](Self::with_pole).
    pub pole: Option<Vec3>,
}

impl Goal {
    /// No goal: the effector moves with its link.
    pub fn none() -> Self {
        Self::default()
    }

    /// A position (world, length units); the orientation is free.
    pub fn at(position: Vec3) -> Self {
        Self { position: Some(position), ..Self::default() }
    }

    /// A position (world, length units) and an orientation (`world_from_link`).
    pub fn pose(position: Vec3, orientation: Quat) -> Self {
        Self { position: Some(position), orientation: Some(orientation), pole: None }
    }

    /// An orientation (`world_from_link`); the position is free.
    pub fn facing(orientation: Quat) -> Self {
        Self { orientation: Some(orientation), ..Self::default() }
    }

    /// The same goal for a limb whose middle joint points at `pole` (world): the limb turns about the line from its
    /// upper joint to the goal until the elbow or knee is on the pole's side.
    ///
    /// Applies to limbs of two joints that carry no other effector, and has the lowest priority: if the upper joint's
    /// limits would take the effector off its goal, the limb stays. A pole on the line itself has no effect.
    pub fn with_pole(self, pole: Vec3) -> Self {
        Self { pole: Some(pole), ..self }
    }
}
