//! A body that is no person's: joints, legs and chains, in metres while it stands in its zero pose.
//!
//! Y is up, the body faces +Z, its left is +X, the floor is at 0.

use super::super::limb::TwoBone;
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Axis, Quat, Vec3, frame_from_axes};
use retarget::internals::rig::{ChainName, FileJoint, RigFile, RigLeg, Role, UpAxis};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

/// A joint and where it is in the zero pose.
#[derive(Clone, Debug)]
pub struct Bone {
    pub name: String,
    pub parent: Option<usize>,
    pub place: Vec3,
    /// Where the bone ends, if nothing hangs there.
    pub end: Option<Vec3>,
}

/// How a leg is built, from the body outwards.
#[derive(Clone, Debug)]
pub struct LegShape {
    pub name: &'static str,
    /// The joint that it hangs on.
    pub parent: usize,
    pub top: Vec3,
    /// Where its tip stands in the zero pose.
    pub home: Vec3,
    /// A first bone that lies level and turns with the leg; 0 for none.
    pub coxa: f64,
    /// The two bones that bend towards `pole`.
    pub bones: [f64; 2],
    pub pole: Vec3,
    /// The last bone, and by how much its tip is out of the plumb line, radians.
    pub foot: f64,
    pub lean: f64,
    /// In how many joints the last bone is divided.
    pub foot_joints: usize,
}

/// A leg's bones in one posture, each as its turn away from hanging down, facing along the leg.
struct LegPosture {
    turns: Vec<Quat>,
    /// The joints from the body outwards, the tip last.
    places: Vec<Vec3>,
}

impl LegShape {
    /// The leg from its top to its tip; `lean` comes on top of the last bone's own.
    fn reach(&self, top: Vec3, tip: Vec3, lean: f64) -> LegPosture {
        let level = Vec3::new(tip.x - top.x, 0.0, tip.z - top.z);
        // A leg with a coxa lies in the plane in which that points; another one in that of walking.
        let out = if self.coxa > 0.0 { level.normalize() } else { Vec3::z() };
        let across = Vec3::y().cross(&out);
        let plumb = |angle: f64| Quat::new(across * angle) * -Vec3::y();
        let foot = plumb(-(self.lean + lean));
        let base = top + out * self.coxa;
        let pole = if self.coxa > 0.0 { Vec3::y() + out } else { self.pole };
        let bend = TwoBone::reach(base, tip - foot * self.foot, self.bones, pole);
        let mut directions = vec![(bend.first, self.bones[0]), (bend.second, self.bones[1])];
        if self.coxa > 0.0 {
            directions.insert(0, (out, self.coxa));
        }
        let part = self.foot / self.foot_joints as f64;
        directions.extend(std::iter::repeat_n((foot, part), self.foot_joints));
        let (mut places, mut turns) = (vec![top], Vec::new());
        for (direction, len) in directions {
            places.push(places[places.len() - 1] + direction * len);
            let hinge = across - direction * direction.dot(&across);
            turns.push(frame_from_axes(hinge, -direction).expect("bones lie in the leg's plane"));
        }
        LegPosture { turns, places }
    }
}

/// A body with its legs.
#[derive(Clone, Debug)]
pub struct Creature {
    pub name: &'static str,
    pub about: &'static str,
    /// File units in a metre.
    pub units: f64,
    /// Turns the body's world, Y up, into that of the file.
    pub world: Quat,
    pub bones: Vec<Bone>,
    legs: Vec<Leg>,
    /// All that `skeleton.toml` says but the joints.
    pub file: RigFile,
}

#[derive(Clone, Debug)]
struct Leg {
    shape: LegShape,
    joints: Vec<usize>,
    rest: Vec<Quat>,
}

/// A posture: the turn of each bone away from the zero pose, in the body's world, and where the root is.
pub struct Posture {
    pub turns: Vec<Quat>,
    pub root: Vec3,
}

/// Where a leg's tip is to be, and how far its last bone leans.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub tip: Vec3,
    pub lean: f64,
}

impl Creature {
    pub fn new(name: &'static str, about: &'static str, units: f64, world: Quat) -> Self {
        let mut file = RigFile::default();
        file.up = Some(UpAxis::nearest(world * Vec3::y()));
        Self { name, about, units, world, bones: Vec::new(), legs: Vec::new(), file }
    }

    /// Adds a joint; its place in the list.
    pub fn add(&mut self, name: &str, parent: Option<usize>, place: Vec3) -> usize {
        self.bones.push(Bone { name: name.to_owned(), parent, place, end: None });
        self.bones.len() - 1
    }

    /// Adds joints one below the other, the bone of the last ending at `end`; their places in the list.
    pub fn add_row(
        &mut self,
        names: &[String],
        parent: usize,
        places: &[Vec3],
        end: Vec3,
    ) -> Vec<usize> {
        let mut above = parent;
        let row = names.iter().zip(places).map(|(name, place)| {
            above = self.add(name, Some(above), *place);
            above
        });
        let row: Vec<usize> = row.collect();
        self.bones[above].end = Some(end);
        row
    }

    /// Adds a leg as it stands in the zero pose, and names it.
    pub fn add_leg(&mut self, shape: LegShape, names: &[String]) {
        let LegPosture { turns, places } = shape.reach(shape.top, shape.home, 0.0);
        let count = turns.len();
        assert_eq!(names.len(), count, "a name for each joint of {}", shape.name);
        let joints = self.add_row(names, shape.parent, &places[..count], places[count]);
        let leg = RigLeg { joints: names.to_vec(), sole: None };
        self.file.legs.insert(shape.name.parse().expect("a name"), leg);
        self.legs.push(Leg { shape, joints, rest: turns });
    }

    pub fn name_chain(&mut self, name: &str, joints: &[String]) {
        let name: ChainName = name.parse().expect("a name");
        self.file.chains.insert(name, joints.to_vec());
    }

    pub fn name_role(&mut self, role: Role, joint: usize) {
        self.file.roles.insert(role, self.bones[joint].name.clone());
    }

    /// The legs' names, parents and tips in the zero pose.
    pub fn shapes(&self) -> impl Iterator<Item = &LegShape> {
        self.legs.iter().map(|leg| &leg.shape)
    }

    /// From the first joint of each leg to its tip, metres, the mean of all legs.
    pub fn leg_len(&self) -> f64 {
        let len = |leg: &Leg| leg.shape.coxa + leg.shape.bones.iter().sum::<f64>() + leg.shape.foot;
        self.legs.iter().map(len).sum::<f64>() / self.legs.len().max(1) as f64
    }

    /// A leg's last joint, and its tip seen from there in the zero pose.
    pub fn tip(&self, leg: usize) -> (usize, Vec3) {
        let joint = self.legs[leg].joints[self.legs[leg].joints.len() - 1];
        let bone = &self.bones[joint];
        (joint, bone.end.expect("a leg ends in a tip") - bone.place)
    }

    /// Puts the legs where their steps say; the turns of all other bones must be right.
    pub fn stand(&self, posture: &mut Posture, steps: &[Step]) {
        for (leg, step) in self.legs.iter().zip(steps) {
            let parent = leg.shape.parent;
            let places = self.places(posture);
            let top =
                places[parent] + posture.turns[parent] * (leg.shape.top - self.bones[parent].place);
            let turns = leg.shape.reach(top, step.tip, step.lean).turns;
            for ((&joint, turn), rest) in leg.joints.iter().zip(turns).zip(&leg.rest) {
                posture.turns[joint] = turn * rest.inverse();
            }
        }
    }

    /// The joints' places in a posture, in the body's world.
    pub fn places(&self, posture: &Posture) -> Vec<Vec3> {
        let mut places: Vec<Vec3> = Vec::with_capacity(self.bones.len());
        for bone in &self.bones {
            let place = match bone.parent {
                None => posture.root,
                Some(p) => places[p] + posture.turns[p] * (bone.place - self.bones[p].place),
            };
            places.push(place);
        }
        places
    }

    /// A way in the zero pose as the file has it.
    pub fn way(&self, way: Vec3) -> Vec3 {
        self.world * way * self.units
    }

    pub fn skeleton(&self) -> Skeleton {
        let axes = [Axis::Z, Axis::X, Axis::Y];
        let joint = |bone: &Bone| {
            let channels = match bone.parent {
                None => Channels::positions_and_rotations(axes),
                Some(_) => Channels::rotations(axes),
            };
            let above = bone.parent.map_or(Vec3::zeros(), |p| self.bones[p].place);
            Joint {
                name: bone.name.clone(),
                parent: bone.parent.map(JointId::new),
                offset: tidy(self.way(bone.place - above)),
                channels: channels.expect("three different axes"),
                end_sites: bone
                    .end
                    .map(|end| tidy(self.way(end - bone.place)))
                    .into_iter()
                    .collect(),
            }
        };
        Skeleton::new(self.bones.iter().map(joint).collect()).expect("depth-first order")
    }

    /// The clip of postures.
    pub fn clip(&self, frame_time: &str, postures: &[Posture]) -> Clip {
        let frame_time = FrameTime::parse(frame_time).expect("a frame time");
        let mut clip = Clip::with_capacity(self.skeleton(), frame_time, postures.len());
        for posture in postures {
            let local = |(bone, turn): (&Bone, &Quat)| {
                let local = bone.parent.map_or(*turn, |p| posture.turns[p].inverse() * turn);
                self.world * local * self.world.inverse()
            };
            let rotations: Vec<Quat> = self.bones.iter().zip(&posture.turns).map(local).collect();
            clip.push(&rotations, &[self.way(posture.root)]);
        }
        clip
    }

    /// A `skeleton.toml` about the clip's rig.
    pub fn source_toml(&self) -> Vec<u8> {
        format!("# {}: {}\n\n{}", self.name, self.about, self.file.to_toml()).into_bytes()
    }

    /// A `skeleton.toml` with all joints in it.
    pub fn target_toml(&self) -> Vec<u8> {
        let skeleton = self.skeleton();
        let name = |id: JointId| skeleton.name(id).to_owned();
        let joint = |id: JointId| {
            let joint = skeleton.joint(id);
            FileJoint {
                name: name(id),
                parent: joint.parent.map(name),
                offset: joint.offset,
                channels: Some(joint.channels),
                end_sites: joint.end_sites.clone(),
            }
        };
        let joints = skeleton.ids().map(joint).collect();
        let mut file = self.file.clone();
        (file.joints, file.floor) = (joints, Some(0.0));
        format!("# {}: {}\n\n{}", self.name, self.about, file.to_toml()).into_bytes()
    }
}

/// Without digits that mean nothing.
pub fn tidy(v: Vec3) -> Vec3 {
    v.map(|x| (x * 1e6).round() / 1e6 + 0.0)
}

/// `Base1`, `Base2` and so on.
pub fn numbered(base: &str, count: usize) -> Vec<String> {
    (1..=count).map(|n| format!("{base}{n}")).collect()
}
