//! A tree and its effectors, checked and indexed once, so that no solve can fail or allocate.

use super::effector::{Effector, Span, Subject};
use super::joint::JointKind;
use super::tree::{Tree, TreeError, is_sane};
use crate::math::Vec3;

/// A tree and its effectors, checked and indexed once: what all solves with them share.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) tree: Tree,
    pub(super) effectors: Vec<Effector>,
    pub(super) chains: Vec<Chain>,
    /// Part by part, in each the first priority first.
    pub(super) levels: Vec<Level>,
    /// The levels of each independent part.
    pub(super) parts: Vec<std::ops::Range<usize>>,
    /// The number of priorities before that of each effector.
    pub(super) ranks: Vec<u32>,
    /// The number of priorities.
    pub(super) priorities: u32,
}

/// Why effectors do not fit a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
// Fields are places in the lists that the caller gave.
#[allow(missing_docs)]
pub enum PlanError {
    /// The link or the span of an effector is not of the tree.
    #[error("effector {effector}: {source}")]
    Link { effector: usize, source: TreeError },
    /// The point of an effector, or the up axis of a centre of mass, is not a number, or beyond ±1e60; or that axis has
    /// no direction.
    #[error("effector {effector} has a point or an up axis that is not a sane number")]
    Point { effector: usize },
    /// The weight or a tolerance of an effector is below 0, at or above 1e12, or not a number.
    #[error("effector {effector} has a weight or a tolerance that is negative or not a number")]
    Weight { effector: usize },
    /// An effector is the centre of mass of a tree without masses.
    #[error("effector {effector} asks for the centre of mass, but no link has a mass")]
    NoMass { effector: usize },
}

/// Two joints that a closed form can solve; links of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limb {
    pub upper: usize,
    pub lower: usize,
}

/// The links from the base to one effector.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// Base first, the effector's link last; empty for the centre of mass.
    pub path: Vec<u32>,
    /// The links of the path that the effector may move, base first.
    pub movers: Vec<u32>,
    /// Length from the first mover's pivot to the effector, link by link.
    pub len: f64,
    /// Whether the last link can take an orientation alone, without moving another effector.
    pub has_wrist: bool,
    /// The number of movers that can move the effector to a position: the last one may be at its point.
    pub reaching: usize,
    /// The number of movers that can move the last link's pivot to a position.
    pub reaching_wrist: usize,
    /// Index of the first mover that carries no other effector of the same or an earlier priority.
    pub own: usize,
}

/// The effectors of one priority in one independent part, and the links on their paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub effectors: Vec<u32>,
    /// Effectors of this level that are the centre of mass.
    pub balances: Vec<u32>,
    /// Every link on a path of the level (all links where there is a balance), base first.
    pub stops: Vec<Stop>,
    pub carried: Vec<Carried>,
    /// Whether a mover of the level carries an effector of an earlier level.
    pub is_guarded: bool,
}

/// A link on a path of the level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub link: u32,
    /// Whether it may be moved for some effector of the level.
    pub moves: bool,
    /// Whether it carries an effector of an earlier level.
    pub disturbs: bool,
    /// Whether its joint may take any rotation in one step, wherever the effector is.
    pub is_free_ball: bool,
    pub carried: (u32, u32),
}

/// An effector that a link carries, and whether the link may be moved for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub effector: u32,
    pub served: bool,
}

impl Plan {
    /// Checks the effectors against the tree and indexes the links for a solve. Refuses links that the tree does not
    /// have, wrong numbers, and the centre of mass of a tree without masses. Allocates: build a plan once.
    pub fn new(tree: Tree, effectors: &[Effector]) -> Result<Self, PlanError> {
        let mut chains = Vec::with_capacity(effectors.len());
        for (index, effector) in effectors.iter().enumerate() {
            chains.push(chain(&tree, index, effector)?);
        }
        for e in 0..chains.len() {
            let others = (0..chains.len()).filter(|&o| o != e);
            let matters = |&o: &usize| effectors[o].priority <= effectors[e].priority;
            let others: Vec<usize> = others.filter(matters).collect();
            let carries = |m: &u32| {
                others.iter().any(|&o| is_balance(&effectors[o]) || chains[o].path.contains(m))
            };
            let own = chains[e].movers.iter().rposition(carries).map_or(0, |last| last + 1);
            let tip_is_private = !chains[e].path.last().is_some_and(carries);
            chains[e].own = own;
            chains[e].has_wrist &= tip_is_private;
        }
        Ok(Self::indexed(tree, effectors.to_vec(), chains))
    }

    /// The plan of a tree with effectors whose chains are known.
    pub(super) fn indexed(tree: Tree, effectors: Vec<Effector>, chains: Vec<Chain>) -> Self {
        let mut priorities: Vec<u32> = effectors.iter().map(|e| e.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        let (mut levels, mut parts) = (Vec::new(), Vec::new());
        for part in independent(&effectors, &chains) {
            let first = levels.len();
            for &priority in &priorities {
                if part.iter().any(|&e| effectors[e].priority == priority) {
                    levels.push(level(&tree, &effectors, &chains, &part, priority));
                }
            }
            parts.push(first..levels.len());
        }
        let rank = |e: &Effector| priorities.partition_point(|&p| p < e.priority) as u32;
        let ranks = effectors.iter().map(rank).collect();
        let priorities = priorities.len() as u32;
        Self { tree, effectors, chains, levels, parts, ranks, priorities }
    }

    /// The tree that is solved.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The effectors, in the order in which goals are given.
    pub fn effectors(&self) -> &[Effector] {
        &self.effectors
    }

    /// Length (length units) of the links between the first joint that an effector may move and the effector. Of all
    /// links if that is 0, and for the centre of mass. Its tolerance is a share of it. Zero for an effector that does
    /// not exist.
    pub fn chain_len(&self, effector: usize) -> f64 {
        self.chains.get(effector).map_or(0.0, |chain| chain.len)
    }

    pub(super) fn tolerance_len(&self, effector: usize) -> f64 {
        let (wanted, chain) = (&self.effectors[effector], &self.chains[effector]);
        wanted.tolerance_len.unwrap_or(wanted.tolerance_ratio * chain.len)
    }
}

pub(super) fn is_balance(effector: &Effector) -> bool {
    matches!(effector.subject, Subject::CenterOfMass { .. })
}

/// Length of all links together.
fn size(tree: &Tree) -> f64 {
    tree.bodies.iter().map(|b| b.pivot_in_parent.norm() + b.pivot_in_self.norm()).sum()
}

fn chain(tree: &Tree, index: usize, effector: &Effector) -> Result<Chain, PlanError> {
    let weights = [
        effector.weight,
        effector.orientation_weight,
        effector.tolerance_ratio,
        effector.tolerance_len.unwrap_or(0.0),
        effector.tolerance_rad,
    ];
    if !weights.iter().all(|w| (0.0..1e12).contains(w)) {
        return Err(PlanError::Weight { effector: index });
    }
    let (link, point) = match effector.subject {
        Subject::Point { link, point_local } => (link, point_local),
        Subject::CenterOfMass { up } => {
            let is_up = |up: Vec3| is_sane(&up) && up.norm() > 1e-12;
            if up.is_some_and(|up| !is_up(up)) {
                return Err(PlanError::Point { effector: index });
            }
            if tree.masses.iter().sum::<f64>() <= 0.0 {
                return Err(PlanError::NoMass { effector: index });
            }
            return Ok(Chain { len: size(tree), ..Chain::default() });
        }
    };
    let check =
        |link| tree.check(link).map_err(|source| PlanError::Link { effector: index, source });
    let tip = check(link)?;
    if !is_sane(&point) {
        return Err(PlanError::Point { effector: index });
    }
    let mut path: Vec<u32> = tree.ancestors(link).map(|l| l.index() as u32).collect();
    path.reverse();
    path.push(tip as u32);
    let mut movers: Vec<u32> =
        path.iter().copied().filter(|&l| tree.joints[l as usize].moves()).collect();
    match effector.span {
        Span::ToBase => {}
        Span::UpTo(top) => {
            let top = check(top)? as u32;
            let from = path.iter().position(|&l| l == top).unwrap_or(path.len());
            movers.retain(|m| path[from..].contains(m));
        }
        Span::Joints(count) => {
            movers.drain(..movers.len().saturating_sub(count));
        }
    }
    let in_tip = point - tree.bodies[tip].pivot_in_self;
    let mut len = in_tip.norm();
    if let Some(first) = movers.first() {
        let from = path.iter().position(|l| l == first).unwrap_or(0);
        for pair in path[from..].windows(2) {
            let (link, child) = (pair[0] as usize, pair[1] as usize);
            len += (tree.bodies[child].pivot_in_parent - tree.bodies[link].pivot_in_self).norm();
        }
    }
    if len == 0.0 {
        len = size(tree);
    }
    let last_moves = movers.last() == Some(&(tip as u32));
    let wrist = tree.joints[tip];
    let turns_any_way = matches!(wrist.kind, JointKind::Ball | JointKind::Cone(_));
    let has_wrist =
        last_moves && turns_any_way && wrist.weight == 1.0 && wrist.window_rad == f64::INFINITY;
    let sits_on_pivot = last_moves
        && in_tip.norm() <= 1e-12 * len
        && !matches!(wrist.kind, JointKind::Slide { .. });
    Ok(Chain {
        has_wrist,
        reaching: movers.len() - usize::from(sits_on_pivot),
        reaching_wrist: movers.len() - usize::from(last_moves),
        own: 0,
        path,
        movers,
        len,
    })
}

impl Chain {
    /// The movers that carry this effector alone and can bring it (or with a wrist in use the last
    /// link's pivot) to a position.
    pub fn own_movers(&self, uses_wrist: bool) -> &[u32] {
        let reaching = if uses_wrist { self.reaching_wrist } else { self.reaching };
        self.movers.get(self.own..reaching).unwrap_or_default()
    }

    /// These movers as a limb, if the closed form can solve them.
    pub fn limb(&self, tree: &Tree, movers: &[u32]) -> Option<Limb> {
        let &[upper, lower] = movers else { return None };
        let (upper, lower) = (upper as usize, lower as usize);
        let turns = |link: usize| {
            matches!(
                tree.joints[link].kind,
                JointKind::Ball | JointKind::Cone(_) | JointKind::Hinge { .. }
            ) && tree.joints[link].weight == 1.0
                && tree.joints[link].window_rad == f64::INFINITY
        };
        (turns(upper) && turns(lower)).then_some(Limb { upper, lower })
    }
}

/// The effectors by independent parts: a joint that moves for one effector carries none of another part. Parts and
/// effectors are in the order of the list.
pub(super) fn independent(effectors: &[Effector], chains: &[Chain]) -> Vec<Vec<usize>> {
    let moves = |e: usize, o: usize| {
        is_balance(&effectors[e]) || chains[e].movers.iter().any(|m| chains[o].path.contains(m))
    };
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for e in 0..effectors.len() {
        let touches = |part: &Vec<usize>| part.iter().any(|&o| moves(e, o) || moves(o, e));
        let (joined, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(touches);
        let mut part = joined.concat();
        part.push(e);
        part.sort_unstable();
        parts = apart;
        parts.push(part);
    }
    parts.sort_unstable();
    parts
}

fn level(
    tree: &Tree,
    effectors: &[Effector],
    chains: &[Chain],
    part: &[usize],
    priority: u32,
) -> Level {
    let of = |wanted: fn(u32, u32) -> bool| {
        part.iter().copied().filter(move |&e| wanted(effectors[e].priority, priority))
    };
    let mut level = Level::default();
    for e in of(|a, b| a == b) {
        if is_balance(&effectors[e]) {
            level.balances.push(e as u32);
        } else {
            level.effectors.push(e as u32);
        }
    }
    let moves_all = !level.balances.is_empty();
    for &link in &tree.order {
        let first = level.carried.len() as u32;
        for &e in &level.effectors {
            let chain = &chains[e as usize];
            if chain.path.contains(&link) {
                let served = chain.movers.contains(&link);
                level.carried.push(Carried { effector: e, served });
            }
        }
        let last = level.carried.len() as u32;
        if first == last && !moves_all {
            continue;
        }
        let served = level.carried[first as usize..].iter().any(|c| c.served);
        let place = link as usize;
        let joint = &tree.joints[place];
        let moves = served || (moves_all && joint.moves());
        let disturbs = moves
            && of(|a, b| a < b)
                .any(|e| is_balance(&effectors[e]) || chains[e].path.contains(&link));
        level.is_guarded |= disturbs;
        let carried = (first, last);
        let is_free_ball = joint.is_free_ball() && joint.comfort_len == 0.0;
        level.stops.push(Stop { link, moves, disturbs, is_free_ball, carried });
    }
    level
}
