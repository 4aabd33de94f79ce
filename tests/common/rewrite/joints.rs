//! The same motion on a skeleton with further joints: inserted, above, in the middle of a bone or beside it.

use super::*;

impl Rewritten {
    /// A joint that never turns in the middle of the bone from `from` to `to` (places now); `to`
    /// must hang directly on `from`.
    pub fn with_inserted(self, to: JointId, name: &str) -> Self {
        let parent = self.clip.skeleton().parent(to).expect("a bone");
        let half = 0.5 * self.clip.skeleton().joint(to).offset;
        let extra = Joint {
            name: name.to_owned(),
            parent: Some(parent),
            offset: half,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        self.with_joint_above(to, extra, half, |local| (local, Quat::identity()))
    }

    /// A joint inside the bone that ends at `to`, which takes over the twist of the bone's joint
    /// about the bone, so that the joint itself only swings.
    pub fn with_inline_twist(self, to: JointId, name: &str) -> Self {
        let parent = self.clip.skeleton().parent(to).expect("a bone");
        // What else hangs on the bone's joint would swing without the twist that moves it.
        assert_eq!(self.clip.skeleton().children(parent).count(), 1, "a bone without branches");
        let offset = self.clip.skeleton().joint(to).offset;
        let axis = offset.normalize();
        let extra = Joint {
            name: name.to_owned(),
            parent: Some(parent),
            offset: 0.5 * offset,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        self.with_joint_above(to, extra, 0.5 * offset, move |local| swing_twist(local, axis))
    }

    /// Puts `extra` between `to` and its parent. `split` takes the parent's local rotation apart into
    /// its new one and the extra joint's.
    fn with_joint_above(
        mut self,
        to: JointId,
        extra: Joint,
        rest_of_bone: Vec3,
        split: impl Fn(Quat) -> (Quat, Quat),
    ) -> Self {
        let skeleton = self.clip.skeleton();
        let parent = skeleton.parent(to).expect("a bone");
        // The new joint stands where `to` stood, directly before it.
        let at = to.index();
        let moved = |id: JointId| JointId::new(id.index() + usize::from(id.index() >= at));
        let mut joints = skeleton.joints().to_vec();
        joints.iter_mut().for_each(|j| j.parent = j.parent.map(moved));
        joints[at].parent = Some(to);
        joints[at].offset = rest_of_bone;
        joints.insert(at, extra);
        self.place.iter_mut().for_each(|id| *id = moved(*id));
        let half = joints[at].offset;
        self.onto(joints, |pose| {
            let (above, own) = split(pose.rotations[parent.index()]);
            let mut pose = pose.clone();
            pose.rotations[parent.index()] = above;
            pose.rotations.insert(at, own);
            pose.translations[at] -= half;
            pose.translations.insert(at, half);
            pose
        })
    }

    /// A joint of no length that never turns between `to` and its parent.
    pub fn with_above(self, to: JointId, name: &str) -> Self {
        let skeleton = self.clip.skeleton();
        let offset = skeleton.joint(to).offset;
        let extra = Joint {
            name: name.to_owned(),
            parent: skeleton.parent(to),
            offset,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        self.with_joint_above(to, extra, Vec3::zeros(), |local| (local, Quat::identity()))
    }

    /// A joint turned anyhow in every frame, and all that hangs on it without length turned back, or joints of no
    /// length that are put between: nothing moves in the world.
    pub fn with_turns_that_cancel(
        mut self,
        branch: JointId,
        mut turn: impl FnMut() -> Quat,
    ) -> Self {
        let original: Vec<JointId> = self.clip.skeleton().children(branch).collect();
        let mut between = Vec::new();
        let mut inserted = 0;
        for &child in &original {
            // Each joint that was put in before moved what comes after it.
            let to = JointId::new(child.index() + inserted);
            let skeleton = self.clip.skeleton();
            let offset = skeleton.joint(to).offset;
            if offset.norm() == 0.0 {
                between.push(to.index());
                continue;
            }
            let extra = Joint {
                name: format!("{}_dummy", skeleton.name(to)),
                parent: Some(branch),
                offset: Vec3::zeros(),
                channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
                end_sites: Vec::new(),
            };
            self = self.with_joint_above(to, extra, offset, |local| (local, Quat::identity()));
            between.push(to.index());
            inserted += 1;
        }
        let mut clip = Clip::new(self.clip.skeleton().clone(), self.clip.frame_time().clone());
        for frame in 0..self.clip.len() {
            let mut pose = self.clip.pose(frame);
            let by = turn();
            pose.rotations[branch.index()] *= by;
            for &i in &between {
                pose.rotations[i] = by.inverse() * pose.rotations[i];
            }
            clip.push_pose(&pose);
        }
        self.clip = clip;
        self
    }

    /// A joint rolled about its only bone by a constant angle in every frame, and what hangs on it rolled back: nothing
    /// moves in the world, and the zero pose is left as it is.
    pub fn with_roll(mut self, joint: JointId, angle_rad: f64) -> Self {
        let skeleton = self.clip.skeleton().clone();
        let children: Vec<JointId> = skeleton.children(joint).collect();
        let [child] = children[..] else { panic!("a bone without branches") };
        let roll = Quat::from_scaled_axis(skeleton.joint(child).offset.normalize() * angle_rad);
        let mut clip = Clip::new(skeleton, self.clip.frame_time().clone());
        for frame in 0..self.clip.len() {
            let mut pose = self.clip.pose(frame);
            pose.rotations[joint.index()] *= roll;
            pose.rotations[child.index()] = roll.inverse() * pose.rotations[child.index()];
            clip.push_pose(&pose);
        }
        self.clip = clip;
        self
    }

    /// A copy of a run of joints, each the parent of the next, beside the first of them; it moves as they
    /// do. Runs with joints between are left alone.
    pub fn with_copy_beside(mut self, run: &[JointId], name: impl Fn(&str) -> String) -> Self {
        let skeleton = self.clip.skeleton();
        if run.windows(2).any(|pair| skeleton.parent(pair[1]) != Some(pair[0])) {
            return self;
        }
        let at = skeleton.subtree(run[0]).end;
        let moved = |id: JointId| match id.index() >= at {
            true => JointId::new(id.index() + run.len()),
            false => id,
        };
        let mut joints = skeleton.joints().to_vec();
        joints.iter_mut().for_each(|j| j.parent = j.parent.map(moved));
        for (i, &id) in run.iter().enumerate() {
            let mut copy = skeleton.joint(id).clone();
            copy.name = name(&copy.name);
            copy.end_sites.clear();
            if i > 0 {
                copy.parent = Some(JointId::new(at + i - 1));
            }
            joints.insert(at + i, copy);
        }
        self.place.iter_mut().for_each(|id| *id = moved(*id));
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            for (i, &id) in run.iter().enumerate() {
                pose.rotations.insert(at + i, pose.rotations[id.index()]);
                pose.translations.insert(at + i, pose.translations[id.index()]);
            }
            pose
        })
    }

    /// A childless joint in the middle of the bone of `on` that ends at `to`, which follows half of
    /// the twist of `to` about the bone.
    pub fn with_leaf_twist(mut self, on: JointId, to: JointId, name: &str) -> Self {
        let skeleton = self.clip.skeleton();
        let offset = skeleton.joint(to).offset;
        let axis = offset.try_normalize(1e-12).unwrap_or(Vec3::x());
        let at = (on.index() + 1..skeleton.len())
            .find(|&i| !skeleton.is_ancestor(on, JointId::new(i)))
            .unwrap_or(skeleton.len());
        let mut joints = skeleton.joints().to_vec();
        let moved = |id: JointId| JointId::new(id.index() + usize::from(id.index() >= at));
        joints.iter_mut().for_each(|j| j.parent = j.parent.map(moved));
        let extra = Joint {
            name: name.to_owned(),
            parent: Some(on),
            offset: 0.5 * offset,
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).unwrap(),
            end_sites: Vec::new(),
        };
        joints.insert(at, extra);
        self.place.iter_mut().for_each(|id| *id = moved(*id));
        self.onto(joints, |pose| {
            let mut pose = pose.clone();
            let (_, twist) = swing_twist(pose.rotations[to.index()], axis);
            pose.rotations.insert(at, Quat::from_scaled_axis(0.5 * twist.scaled_axis()));
            pose.translations.insert(at, 0.5 * offset);
            pose
        })
    }
}
