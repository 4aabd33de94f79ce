//! Building a tree link by link.

use super::joint::Joint;
use super::tree::{Link, LinkId, Tree, TreeError};
use crate::math::Vec3;

/// Collects the links of a [`Tree`], each with its name and its [`LinkId`].
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    links: Vec<Link>,
    names: Vec<String>,
}

impl TreeBuilder {
    /// A builder without links.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a link without a parent, a base, which the pose places in the world.
    pub fn base(&mut self, name: impl Into<String>) -> LinkId {
        self.push(name.into(), Link::base())
    }

    /// Adds a link that `joint` joins to `parent`. The link has its frame at the joint, which is at `place` in the
    /// frame of `parent` (length units).
    pub fn link(
        &mut self,
        name: impl Into<String>,
        parent: LinkId,
        place: Vec3,
        joint: Joint,
    ) -> LinkId {
        self.push(name.into(), Link::child(parent, place, joint))
    }

    fn push(&mut self, name: String, link: Link) -> LinkId {
        self.links.push(link);
        self.names.push(name);
        LinkId::new(self.links.len() - 1)
    }

    /// The tree of the links. Refuses two links of one name, and what [`Tree::new`] refuses.
    pub fn build(self) -> Result<Tree, TreeError> {
        for (link, name) in self.names.iter().enumerate() {
            if let Some(first) = self.names[..link].iter().position(|other| other == name) {
                return Err(TreeError::NameTwice { link, first });
            }
        }
        Ok(Tree { names: self.names, ..Tree::new(&self.links)? })
    }
}

impl Tree {
    /// The link of this name; `None` where there is none, or the tree has no names. Costs one pass over the links.
    pub fn find(&self, name: &str) -> Option<LinkId> {
        self.names.iter().position(|known| known == name).map(LinkId::new)
    }

    /// The link's name; empty where the tree has no names.
    pub fn name(&self, link: LinkId) -> &str {
        self.names.get(link.index()).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_by_their_names_and_no_name_stands_for_two() {
        let mut body = TreeBuilder::new();
        let hips = body.base("hips");
        let spine = body.link("spine", hips, Vec3::y(), Joint::ball());
        let mut twice = body.clone();
        twice.link("spine", spine, Vec3::y(), Joint::ball());
        let tree = body.build().expect("a tree");
        assert_eq!(
            (tree.find("spine"), tree.name(hips), tree.parent(spine)),
            (Some(spine), "hips", Some(hips))
        );
        assert_eq!(twice.build(), Err(TreeError::NameTwice { link: 2, first: 1 }));
    }
}
