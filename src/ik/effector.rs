//! What is to be brought where.

use super::tree::LinkId;
use crate::math::{Quat, Vec3};

/// Which links an effector may move, counted from its own. Others may carry it along for another
/// effector's sake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// All joints between it and the base.
    ToBase,
    /// The joints up to and including this link's own; nothing if the link is not on the way.
    UpTo(LinkId),
    /// So many joints that can move.
    Joints(usize),
}

/// What an effector is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject {
    Point { link: LinkId, point_local: Vec3 },
    CenterOfMass { up: Option<Vec3> },
}

/// A point of a link, or the centre of mass, that a [`Goal`] pulls on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effector {
    pub(super) subject: Subject,
    /// Which links it may move.
    pub span: Span,
    /// Lower numbers are served first, and later ones disturb them by no more than their tolerance.
    pub priority: u32,
    /// Its share, against others of the same priority, in links that serve several.
    pub weight: f64,
    /// Weight of a radian of orientation against a chain length of position.
    pub orientation_weight: f64,
    /// How near is there, in lengths of its chain.
    pub tolerance_ratio: f64,
    /// How near is there, length units; `None` leaves it to [`tolerance_ratio`](Self::tolerance_ratio).
    pub tolerance_len: Option<f64>,
    /// How near in orientation is there.
    pub tolerance_rad: f64,
}

impl Effector {
    /// A point of a link (own frame).
    pub fn new(link: LinkId, point_local: Vec3) -> Self {
        Self::of(Subject::Point { link, point_local })
    }

    /// The centre of mass of the whole tree, moved by every joint. With `up` only its place in the
    /// plane across counts, which is what balance asks for.
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

    /// The link whose point it is; `None` for the centre of mass.
    pub fn link(&self) -> Option<LinkId> {
        match self.subject {
            Subject::Point { link, .. } => Some(link),
            Subject::CenterOfMass { .. } => None,
        }
    }

    /// The point in the link's frame; `None` for the centre of mass.
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

    /// The same effector, moving only the links of `span`.
    pub fn with_span(self, span: Span) -> Self {
        Self { span, ..self }
    }

    /// The same effector at another priority; 0 comes first.
    pub fn with_priority(self, priority: u32) -> Self {
        Self { priority, ..self }
    }

    /// The same effector with another weight among its equals.
    pub fn with_weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// The same effector, there within this share of its chain's length.
    pub fn with_tolerance_ratio(self, ratio: f64) -> Self {
        Self { tolerance_ratio: ratio, tolerance_len: None, ..self }
    }

    /// The same effector, there within this distance (length units).
    pub fn with_tolerance_len(self, len: f64) -> Self {
        Self { tolerance_len: Some(len), ..self }
    }

    /// The same effector, its orientation there within this angle (radians).
    pub fn with_tolerance_rad(self, rad: f64) -> Self {
        Self { tolerance_rad: rad, ..self }
    }
}

/// Where an effector is to be in one solve. World space; what is `None` is free.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Goal {
    /// Of the effector's point, length units.
    pub position: Option<Vec3>,
    /// `world_from_link` rotation.
    pub orientation: Option<Quat>,
    /// Where the middle joint of a limb, its elbow or knee, points to; see [`with_pole`](Self::with_pole).
    pub pole: Option<Vec3>,
}

impl Goal {
    /// No wish at all: the effector goes wherever its link goes.
    pub fn none() -> Self {
        Self::default()
    }

    /// A position.
    pub fn at(position: Vec3) -> Self {
        Self { position: Some(position), ..Self::default() }
    }

    /// A position and an orientation.
    pub fn pose(position: Vec3, orientation: Quat) -> Self {
        Self { position: Some(position), orientation: Some(orientation), pole: None }
    }

    /// An orientation.
    pub fn facing(orientation: Quat) -> Self {
        Self { orientation: Some(orientation), ..Self::default() }
    }

    /// The same goal for a limb whose middle joint is to point at `pole` (world): the limb turns about the line from
    /// its upper joint to the goal until the elbow or knee lies on the pole's side.
    ///
    /// Counts for limbs of two joints that carry no other effector, and is a wish only: where the upper joint's limits
    /// would take the effector off its goal the limb stays. A pole on the line itself says nothing.
    pub fn with_pole(self, pole: Vec3) -> Self {
        Self { pole: Some(pole), ..self }
    }
}
