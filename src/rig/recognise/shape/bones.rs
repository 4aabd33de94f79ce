//! The tree of bones without joints that carry nothing, and the lengths between.

use super::super::views::Views;
use crate::math::Vec3;
use crate::pose::WorldPose;
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
    /// Joints this near to one another lie in one place, but for the digits of their file, length units.
    same_len: f64,
}

impl<'a> Bones<'a> {
    /// `ignored` tells the joints that have no role by the user's word; what hangs below them counts.
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
        let same_len = 1e-6 * largest;
        for id in skeleton.ids() {
            let parent = skeleton.parent(id).and_then(|p| match dummies[p.index()] {
                true => above[p.index()],
                false => Some(p),
            });
            above.push(parent);
            let Some(parent) = parent else { continue };
            let i = id.index();
            lengths[i] = (world.position(id) - world.position(parent)).norm();
            let no_bone = lengths[i] <= same_len;
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
            same_len,
        };
        for id in skeleton.ids().rev() {
            let i = id.index();
            bones.leave_out_copies(i);
            let below = bones.children[i].iter().map(|c| bones.reaches[c.index()]);
            let reach = bones.lengths[i] + below.fold(bones.end_len(id), f64::max);
            bones.reaches[i] = reach;
            if let Some(parent) = above[i]
                && !bones.dummies[i]
                // A leaf at its parent's place shows nothing.
                && reach > same_len
            {
                bones.children[parent.index()].push(id);
                bones.sizes[parent.index()] += bones.sizes[i];
            }
        }
        bones.children.iter_mut().for_each(|list| list.reverse());
        bones
    }

    /// Leaves out what hangs from a joint in the very place of a part of something else that hangs there: it shows
    /// nothing that the other does not.
    fn leave_out_copies(&mut self, joint: usize) {
        let beside = &self.children[joint];
        if beside.len() > MOST_CHILDREN {
            return;
        }
        let is_copy = |child: &JointId| {
            let mut others = beside.iter().filter(|other| *other != child);
            others.any(|other| self.is_part(*child, *other))
        };
        let copies: Vec<JointId> = beside.iter().copied().filter(is_copy).collect();
        self.children[joint].retain(|child| !copies.contains(child));
        self.sizes[joint] -= copies.iter().map(|copy| self.size(*copy)).sum::<usize>();
    }

    /// Whether a joint and all that hangs below it lie where another and a part of what hangs below that lie, in all
    /// postures; the other one has more of joints or bones.
    fn is_part(&self, joint: JointId, other: JointId) -> bool {
        /// More joints than a limb has with all of its fingers.
        const MOST: usize = 32;
        let has_less = self.size(joint) < self.size(other)
            || self.size(joint) == self.size(other)
                && self.reaches[joint.index()] < self.reaches[other.index()] - self.same_len;
        has_less && self.size(joint) <= MOST && self.lies_on(joint, other)
    }

    /// Whether a joint lies on another, and each that hangs below it on one that hangs below the other; End Sites too.
    fn lies_on(&self, joint: JointId, other: JointId) -> bool {
        // The joint itself, and its End Sites.
        let points = |world: &WorldPose, joint: JointId| -> Vec<Vec3> {
            let ends = self.skeleton.joint(joint).end_sites.iter();
            let ends = ends.map(|end| world.point(joint, *end));
            [world.position(joint)].into_iter().chain(ends).collect()
        };
        let lies_there = |world: &WorldPose| {
            let others = points(world, other);
            self.are_one_place(world.position(joint), others[0])
                && points(world, joint)
                    .into_iter()
                    .all(|point| others.iter().any(|twin| self.are_one_place(point, *twin)))
        };
        self.views.shown().iter().all(lies_there)
            && self
                .children(joint)
                .iter()
                .all(|below| self.children(other).iter().any(|twin| self.lies_on(*below, *twin)))
    }

    /// Whether two points of a posture lie in one place.
    pub fn are_one_place(&self, a: Vec3, b: Vec3) -> bool {
        (a - b).norm() <= self.same_len
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
