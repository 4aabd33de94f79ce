//! The tree of bones without joints that carry nothing, and the lengths between.

use super::super::views::Views;
use crate::skeleton::{JointId, Skeleton};

/// More joints than this that hang from one are a skirt's or a beast's.
pub(super) const MOST_CHILDREN: usize = 64;

/// The bones of a skeleton, seen without names.
pub(super) struct Bones<'a> {
    pub skeleton: &'a Skeleton,
    pub views: &'a Views,
    /// By joint: the joints that follow it. Dummies are left out; what hangs from them hangs from
    /// the joint above.
    children: Vec<Vec<JointId>>,
    /// By joint: whether it lies where its parent does and never turns.
    dummies: Vec<bool>,
    /// By joint: distance from the joint that it follows, length units.
    lengths: Vec<f64>,
    /// By joint: the longest way down from the joint above through this one, End Sites included.
    reaches: Vec<f64>,
    /// By joint: how many joints hang below it, itself included.
    sizes: Vec<usize>,
}

impl<'a> Bones<'a> {
    /// `ignored` tells the joints that play no part by the user's word; what hangs below them counts.
    pub fn new(
        skeleton: &'a Skeleton,
        views: &'a Views,
        ignored: impl Fn(JointId) -> bool,
    ) -> Self {
        let world = &views.shown()[0];
        let count = skeleton.len();
        // The joint above that is no dummy.
        let mut above: Vec<Option<JointId>> = Vec::with_capacity(count);
        let mut dummies = vec![false; count];
        let mut lengths = vec![0.0; count];
        let largest = skeleton.joints().iter().map(|j| j.offset.norm()).fold(0.0, f64::max);
        for id in skeleton.ids() {
            let parent = skeleton.parent(id).and_then(|p| match dummies[p.index()] {
                true => above[p.index()],
                false => Some(p),
            });
            above.push(parent);
            let Some(parent) = parent else { continue };
            let i = id.index();
            lengths[i] = (world.position(id) - world.position(parent)).norm();
            let no_bone = lengths[i] <= 1e-6 * largest;
            let never_turns = skeleton.joint(id).channels.euler_order().axes().is_empty()
                || views.has_motion() && !views.turns(skeleton, id);
            dummies[i] = ignored(id) || no_bone && never_turns;
        }
        let mut bones = Self {
            skeleton,
            views,
            children: vec![Vec::new(); count],
            dummies,
            lengths,
            reaches: vec![0.0; count],
            sizes: vec![1; count],
        };
        for id in skeleton.ids().rev() {
            let i = id.index();
            bones.leave_out_copies(i, 1e-6 * largest);
            let below = bones.children[i].iter().map(|c| bones.reaches[c.index()]);
            let reach = bones.lengths[i] + below.fold(bones.end_len(id), f64::max);
            bones.reaches[i] = reach;
            if let Some(parent) = above[i]
                && !bones.dummies[i]
                // A leaf at its parent's place shows nothing.
                && reach > 1e-6 * largest
            {
                bones.children[parent.index()].push(id);
                bones.sizes[parent.index()] += bones.sizes[i];
            }
        }
        bones.children.iter_mut().for_each(|list| list.reverse());
        bones
    }

    /// Leaves out what hangs from a joint as a leaf without a bone in the very place of one that goes on: it shows
    /// nothing that the other does not.
    fn leave_out_copies(&mut self, joint: usize, same_len: f64) {
        if self.children[joint].len() > MOST_CHILDREN {
            return;
        }
        let world = &self.views.shown()[0];
        let (ends, going_on): (Vec<JointId>, Vec<JointId>) =
            self.children[joint].iter().partition(|child| self.is_boneless(**child));
        let is_copy = |end: &JointId| {
            let off_len = |other: &JointId| (world.position(*end) - world.position(*other)).norm();
            going_on.iter().any(|other| off_len(other) <= same_len)
        };
        let copies: Vec<JointId> = ends.into_iter().filter(is_copy).collect();
        self.children[joint].retain(|child| !copies.contains(child));
        self.sizes[joint] -= copies.len();
    }

    pub fn children(&self, joint: JointId) -> &[JointId] {
        &self.children[joint.index()]
    }

    /// Distance from the joint that it follows.
    pub fn length(&self, joint: JointId) -> f64 {
        self.lengths[joint.index()]
    }

    pub fn size(&self, joint: JointId) -> usize {
        self.sizes[joint.index()]
    }

    pub fn is_leaf(&self, joint: JointId) -> bool {
        self.children(joint).is_empty()
    }

    /// Whether the joint carries nothing: it lies where its parent does and never turns, or the user
    /// said so.
    pub fn is_dummy(&self, joint: JointId) -> bool {
        self.dummies[joint.index()]
    }

    /// Whether the joint is a dummy that could turn, but does not in this motion.
    pub fn is_unmoved(&self, joint: JointId) -> bool {
        let channels = self.skeleton.joint(joint).channels.euler_order();
        self.is_dummy(joint) && !channels.axes().is_empty()
    }

    /// The bone of the joint itself by its End Sites; 0 without any.
    pub fn end_len(&self, joint: JointId) -> f64 {
        self.skeleton.joint(joint).end_sites.iter().map(|e| e.norm()).fold(0.0, f64::max)
    }

    /// The joint that goes on from here: the only child, or the one that reaches much farther than
    /// the others.
    pub fn next(&self, joint: JointId) -> Option<JointId> {
        let mut longest: Option<(f64, JointId)> = None;
        let mut second = 0.0;
        for &child in self.children(joint) {
            let reach = self.reaches[child.index()];
            match longest {
                Some((most, _)) if reach <= most => second = f64::max(second, reach),
                _ => {
                    second = longest.map_or(second, |(most, _)| most);
                    longest = Some((reach, child));
                }
            }
        }
        longest.filter(|(most, _)| *most > 2.0 * second).map(|(_, child)| child)
    }

    /// The joints from here on, as long as just one goes on; at most `most` of them.
    pub fn chain(&self, first: JointId, most: usize) -> Vec<JointId> {
        let next = |joint: &JointId| self.next(*joint);
        std::iter::successors(Some(first), next).take(most).collect()
    }

    /// Whether the joint is a leaf without a bone of its own.
    pub fn is_boneless(&self, joint: JointId) -> bool {
        self.is_leaf(joint) && self.end_len(joint) == 0.0
    }

    /// Whether the joint is the far end of its chain and no more: a leaf without a bone of its own
    /// that never turns while there is a motion.
    pub fn is_tip(&self, joint: JointId) -> bool {
        self.is_boneless(joint)
            && self.views.has_motion()
            && !self.views.turns(self.skeleton, joint)
    }
}
