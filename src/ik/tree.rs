//! Bodies joined into a tree that may be rooted at any of them.

use super::angle::JointError;
use super::joint::Joint;
use crate::math::Vec3;
use crate::pose::WorldPose;

/// Index of a link in its tree's list, counted from 0; it stays the same when the tree is re-rooted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LinkId(u32);

impl LinkId {
    /// The id of the link at `index`.
    pub const fn new(index: usize) -> Self {
        // A tree cannot have that many links, so a saturated id is one that it does not have.
        Self(if index > (NONE - 1) as usize { NONE - 1 } else { index as u32 })
    }

    /// Index of the link in its tree's list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One body, as a tree is built from it.
///
/// Link and parent share one point, the joint's pivot, given in the frames of both.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// `None` for a base, which the pose places in the world.
    pub parent: Option<LinkId>,
    /// The joint's pivot in the parent's frame, length units.
    pub pivot_in_parent: Vec3,
    /// The joint's pivot in the link's own frame, length units.
    pub pivot_in_self: Vec3,
    /// How the link moves against its parent; a base's joint has no effect.
    pub joint: Joint,
}

impl Link {
    /// A link with its frame at the pivot, joined to `parent` at `pivot_in_parent` (parent's frame, length units).
    pub fn child(parent: LinkId, pivot_in_parent: Vec3, joint: Joint) -> Self {
        Self { parent: Some(parent), pivot_in_parent, pivot_in_self: Vec3::zeros(), joint }
    }

    /// A link without a parent, which the pose places in the world.
    pub fn base() -> Self {
        Self {
            parent: None,
            pivot_in_parent: Vec3::zeros(),
            pivot_in_self: Vec3::zeros(),
            joint: Joint::fixed(),
        }
    }
}

/// Why a list of links is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
// Fields are places in the lists that the caller gave.
#[allow(missing_docs)]
pub enum TreeError {
    /// There is no link.
    #[error("the tree has no link")]
    Empty,
    /// A link hangs on a link that is not in the list.
    #[error("link {link} names parent {parent}, which does not exist")]
    NoSuchParent { link: usize, parent: usize },
    /// Links hang on each other in a circle.
    #[error("link {link} is its own ancestor")]
    Cycle { link: usize },
    /// A pivot, mass or centre is not a number, or beyond ±1e60, or a mass is below 0.
    #[error("link {link} has a pivot, mass or centre beyond ±1e60, or not a number")]
    NotFinite { link: usize },
    /// The joint of a link is wrong.
    #[error("the joint of link {link}: {source}")]
    Joint { link: usize, source: JointError },
    /// A link is asked for that the tree does not have.
    #[error("there is no link {link}")]
    NoSuchLink { link: usize },
    /// Two links have one name.
    #[error("link {link} has the name of link {first}")]
    NameTwice { link: usize, first: usize },
}

pub(super) const NONE: u32 = u32::MAX;
/// Lengths beyond this would overflow when squared a few times over.
const LARGEST_LEN: f64 = 1e60;

/// The data of a link for forward kinematics, contiguous in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Body {
    pub parent: u32,
    pub pivot_in_parent: Vec3,
    pub pivot_in_self: Vec3,
}

impl Body {
    pub const BASE: Body = Body {
        parent: NONE,
        pivot_in_parent: Vec3::new(0.0, 0.0, 0.0),
        pivot_in_self: Vec3::new(0.0, 0.0, 0.0),
    };
}

/// A checked tree of links.
///
/// [`joint`](Self::joint) and the pivots panic on a link that the tree does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    /// All links, each after its parent.
    pub(super) order: Vec<u32>,
    pub(super) masses: Vec<f64>,
    pub(super) mass_centers: Vec<Vec3>,
    /// One for each link, or empty.
    pub(super) names: Vec<String>,
}

pub(super) fn is_sane(v: &Vec3) -> bool {
    v.iter().all(|c| c.abs() <= LARGEST_LEN)
}

impl Tree {
    /// Checks the links, which may be in any order. Several bases make several trees side by side. Refuses an empty
    /// list, a parent that is not in it, links that hang on each other in a circle, a wrong joint and wrong numbers.
    pub fn new(links: &[Link]) -> Result<Self, TreeError> {
        if links.is_empty() {
            return Err(TreeError::Empty);
        }
        let mut tree = Self {
            bodies: Vec::with_capacity(links.len()),
            joints: Vec::with_capacity(links.len()),
            order: Vec::new(),
            masses: vec![0.0; links.len()],
            mass_centers: vec![Vec3::zeros(); links.len()],
            names: Vec::new(),
        };
        for (index, link) in links.iter().enumerate() {
            if !is_sane(&link.pivot_in_parent) || !is_sane(&link.pivot_in_self) {
                return Err(TreeError::NotFinite { link: index });
            }
            let joint = link.joint.checked();
            tree.joints.push(joint.map_err(|source| TreeError::Joint { link: index, source })?);
            match link.parent {
                None => {
                    tree.bodies.push(Body::BASE);
                    tree.joints[index] = Joint::fixed();
                }
                Some(parent) if parent.index() < links.len() => {
                    tree.bodies.push(Body {
                        parent: parent.0,
                        pivot_in_parent: link.pivot_in_parent,
                        pivot_in_self: link.pivot_in_self,
                    });
                }
                Some(parent) => {
                    return Err(TreeError::NoSuchParent { link: index, parent: parent.index() });
                }
            }
        }
        tree.order = topological(&tree.bodies).map_err(|link| TreeError::Cycle { link })?;
        Ok(tree)
    }

    /// The number of links; at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// All links, each after its parent.
    pub fn links(&self) -> impl DoubleEndedIterator<Item = LinkId> + ExactSizeIterator + '_ {
        self.order.iter().map(|&i| LinkId(i))
    }

    /// The parent of `link`; `None` for a base, and for a link that the tree does not have.
    pub fn parent(&self, link: LinkId) -> Option<LinkId> {
        self.bodies.get(link.index()).map(|b| b.parent).filter(|&p| p != NONE).map(LinkId)
    }

    /// The link's ancestors, from its parent down to the base.
    pub fn ancestors(&self, link: LinkId) -> impl Iterator<Item = LinkId> + '_ {
        std::iter::successors(self.parent(link), |&a| self.parent(a))
    }

    /// The joint between the link and its parent; of a base a fixed one.
    pub fn joint(&self, link: LinkId) -> &Joint {
        &self.joints[link.index()]
    }

    /// The pivot between link and parent, in the parent's frame (length units).
    pub fn pivot_in_parent(&self, link: LinkId) -> Vec3 {
        self.bodies[link.index()].pivot_in_parent
    }

    /// The pivot between link and parent, in the link's own frame (length units).
    pub fn pivot_in_self(&self, link: LinkId) -> Vec3 {
        self.bodies[link.index()].pivot_in_self
    }

    /// Gives the link another joint. Its axes count from the link as it is rooted now. Refuses a wrong joint, and a
    /// link that the tree does not have.
    pub fn set_joint(&mut self, link: LinkId, joint: Joint) -> Result<(), TreeError> {
        let place = self.check(link)?;
        let joint = Joint { reversed: false, ..joint };
        self.joints[place] =
            joint.checked().map_err(|source| TreeError::Joint { link: place, source })?;
        Ok(())
    }

    /// Gives the link a mass (any unit) at a centre in its own frame (length units); without it a link weighs nothing.
    /// Refuses a mass below 0, numbers beyond ±1e60, and a link that the tree does not have.
    pub fn set_mass(&mut self, link: LinkId, mass: f64, center: Vec3) -> Result<(), TreeError> {
        let place = self.check(link)?;
        if !(0.0..=LARGEST_LEN).contains(&mass) || !is_sane(&center) {
            return Err(TreeError::NotFinite { link: place });
        }
        self.masses[place] = mass;
        self.mass_centers[place] = center;
        Ok(())
    }

    /// The tree of some of the links, given by their indices in rising order; each of them with all its ancestors.
    pub(super) fn part(&self, links: &[usize]) -> Tree {
        let place = |link: u32| links.binary_search(&(link as usize)).map_or(NONE, |at| at as u32);
        let body = |&link: &usize| {
            let body = self.bodies[link];
            Body { parent: place(body.parent), ..body }
        };
        let order = self.order.iter().map(|&link| place(link)).filter(|&at| at != NONE);
        Tree {
            bodies: links.iter().map(body).collect(),
            joints: links.iter().map(|&link| self.joints[link]).collect(),
            order: order.collect(),
            masses: links.iter().map(|&link| self.masses[link]).collect(),
            mass_centers: links.iter().map(|&link| self.mass_centers[link]).collect(),
            names: links.iter().filter_map(|&link| self.names.get(link).cloned()).collect(),
        }
    }

    pub(super) fn check(&self, link: LinkId) -> Result<usize, TreeError> {
        let place = link.index();
        (place < self.len()).then_some(place).ok_or(TreeError::NoSuchLink { link: place })
    }

    /// World position of the pivot between a placed link and its parent.
    #[inline(always)]
    pub(super) fn pivot(&self, link: usize, world: &WorldPose) -> Vec3 {
        world.positions[link] + world.rotations[link] * self.bodies[link].pivot_in_self
    }
}

/// Indices in depth-first order, each after its parent's; the index of a link on a cycle as the error.
pub(super) fn topological(bodies: &[Body]) -> Result<Vec<u32>, usize> {
    let mut order = Vec::with_capacity(bodies.len());
    let mut placed = vec![false; bodies.len()];
    let mut path = Vec::new();
    for start in 0..bodies.len() {
        let mut at = start;
        while !placed[at] {
            if path.len() > bodies.len() {
                return Err(start);
            }
            path.push(at);
            match bodies[at].parent {
                NONE => break,
                parent => at = parent as usize,
            }
        }
        while let Some(link) = path.pop() {
            placed[link] = true;
            order.push(link as u32);
        }
    }
    Ok(order)
}
