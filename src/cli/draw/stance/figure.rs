//! What is drawn: joints and bones in body space (X to the body's left, Y up, Z forward), with their roles. Lengths
//! are in legs.

use crate::cli::draw::limb::Limb;
use crate::cli::draw::motion::upright;
use crate::cli::text::percent;
use crate::convert::Inspection;
use crate::error::Error;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Evidence, Rig, Role, Side};
use crate::skeleton::{JointId, Skeleton};

/// A role with a lower confidence is drawn as a guess.
const SURE: f64 = 0.75;

/// A joint as it is drawn.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    /// The joint's role; for a guess with its confidence.
    pub role: String,
    pub place: Vec3,
    /// The index of the joint above it in [`Figure::joints`].
    pub parent: Option<usize>,
    pub limb: Limb,
    pub is_finger: bool,
    pub guess: bool,
}

impl Joint {
    /// Its classes in the style sheet of drawings.
    pub fn class(&self) -> String {
        format!("{}{}", self.limb.class(), if self.guess { " guess" } else { "" })
    }
}

/// A bone, with the colour of the joint that it belongs to.
#[derive(Clone, Debug)]
pub struct Bone {
    /// The index of that joint in [`Figure::joints`].
    pub joint: usize,
    pub from: Vec3,
    pub to: Vec3,
    /// Whether it ends at an End Site and not at a joint.
    pub is_end: bool,
}

impl Bone {
    /// The point halfway along the bone.
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.from + self.to)
    }
}

/// A hand with fingers.
#[derive(Debug)]
pub struct Hand {
    pub caption: &'static str,
    /// Indices into [`Figure::joints`].
    pub joints: Vec<usize>,
}

/// Everything that is drawn of a file.
#[derive(Debug)]
pub struct Figure {
    pub title: String,
    pub subtitle: String,
    pub joints: Vec<Joint>,
    pub bones: Vec<Bone>,
    /// The names of the joints without a role.
    pub unused: Vec<String>,
}

impl Figure {
    /// The straightened stance of the rig. Without a rig the first frame, or the zero pose, with the roles that were
    /// guessed.
    pub fn of(found: &Inspection) -> Self {
        let skeleton = &found.skeleton;
        let (world, unit, shown) = match &found.rig {
            Some(rig) => (in_stance(rig), 1.0 / rig.leg_len, drawn_with(rig)),
            None => as_it_is(found),
        };
        let evidence = evidence(found);
        let name = |id: JointId| match skeleton.name(id) {
            "" => "(no name)".to_owned(),
            name => name.to_owned(),
        };
        let hips = found.rig.as_ref().and_then(|rig| rig.joint(Role::Hips));
        let below = |id: &JointId| hips.is_none_or(|h| h == *id || skeleton.is_ancestor(h, *id));
        let drawn: Vec<JointId> = skeleton.ids().filter(below).collect();
        let joint = |id: JointId| {
            let of = evidence.iter().find(|e| e.joint == id);
            let guess = of.is_some_and(|e| e.confidence < SURE);
            Joint {
                name: name(id),
                role: of.map_or(String::new(), |e| match guess {
                    true => format!("{}? {}", e.role, percent(e.confidence)),
                    false => e.role.to_string(),
                }),
                place: world.position(id),
                parent: skeleton.parent(id).and_then(|p| drawn.binary_search(&p).ok()),
                limb: of.map_or(Limb::None, |e| Limb::of(e.role)),
                is_finger: of.is_some_and(|e| matches!(e.role, Role::Finger(..))),
                guess,
            }
        };
        let unused = skeleton.ids().filter(|&id| evidence.iter().all(|e| e.joint != id));
        let mut unused: Vec<String> = unused.map(name).collect();
        if !unused.is_empty() {
            unused.insert(0, "no part:".to_owned());
        }
        let title = found.path.file_name().unwrap_or(found.path.as_os_str()).to_string_lossy();
        let problem = if found.problem.is_some() { ", cannot be retargeted as it is" } else { "" };
        Self {
            title: shortened(&title),
            subtitle: format!("{shown}{problem}"),
            bones: bones(skeleton, &world, unit, &drawn),
            joints: drawn.iter().map(|&id| joint(id)).collect(),
            unused,
        }
    }

    /// Every point that is drawn.
    pub fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        let ends = self.bones.iter().map(|bone| bone.to);
        self.joints.iter().map(|joint| joint.place).chain(ends)
    }

    /// The hands that have fingers, as they lie in the front view.
    pub fn hands(&self) -> Vec<Hand> {
        let hand = |limb: Limb, caption: &'static str| {
            let of = |j: &Joint| j.limb == limb && (j.is_finger || j.role.contains("hand"));
            let mut joints: Vec<usize> =
                (0..self.joints.len()).filter(|&i| of(&self.joints[i])).collect();
            let fingers = joints.iter().filter(|&&i| self.joints[i].is_finger).count();
            // Fingers may hang on joints without a role.
            let mut between: Vec<usize> = Vec::new();
            for &finger in joints.iter().filter(|&&i| self.joints[i].is_finger) {
                let above =
                    std::iter::successors(self.joints[finger].parent, |&i| self.joints[i].parent);
                between.extend(above.take_while(|&i| self.joints[i].limb == Limb::None));
            }
            joints.extend(between);
            (fingers >= 4).then_some(Hand { caption, joints })
        };
        let right = hand(Limb::RightArm, "right hand, from below");
        right.into_iter().chain(hand(Limb::LeftArm, "left hand, from below")).collect()
    }
}

/// The number of letters of a title that fit beside the legend.
const TITLE_LETTERS: usize = 34;

/// A file's name; a long one without its middle, since the names of a library's clips differ at the end.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= TITLE_LETTERS {
        return name.to_owned();
    }
    let half = TITLE_LETTERS / 2;
    let text = |part: &[char]| part.iter().collect::<String>();
    format!("{}…{}", text(&letters[..half - 1]), text(&letters[letters.len() - half..]))
}

/// The evidence of the roles that were recognised, or of the guess where recognition failed.
fn evidence(found: &Inspection) -> &[Evidence] {
    match (&found.recognised, &found.problem) {
        (Some(recognised), _) => &recognised.evidence,
        (None, Some(Error::Recognise { source, .. })) => &source.guess,
        _ => &[],
    }
}

/// The straightened stance with the hips at the origin, lengths in legs.
fn in_stance(rig: &Rig) -> WorldPose {
    let skeleton = &rig.skeleton;
    let mut world = WorldPose::new(skeleton.len());
    world.rotations.copy_from_slice(&rig.stance.body_from_joint);
    let hips = rig.joint(Role::Hips);
    for id in hips.into_iter().flat_map(|hips| skeleton.at_and_below(hips).skip(1)) {
        let parent = skeleton.parent(id).expect("below the hips");
        let bone = rig.stance.local.translations[id.index()] / rig.leg_len;
        world.positions[id.index()] = world.point(parent, bone);
    }
    world
}

fn drawn_with(rig: &Rig) -> String {
    let person = rig.joint(Role::Thigh(Side::Left)).is_some();
    let straight = if person { ", limbs straightened" } else { "" };
    format!("the stance that rigs share{straight}; found in: {}", rig.stance.origin)
}

/// The first frame, or the zero pose, turned so that its greatest extent points up.
fn as_it_is(found: &Inspection) -> (WorldPose, f64, String) {
    let clip = found.clip.as_ref().filter(|clip| !clip.is_empty());
    let pose = clip.map_or_else(|| Pose::rest(&found.skeleton), |clip| clip.pose(0));
    let mut world = WorldPose::of(&found.skeleton, &pose);
    let (quarter, unit) = upright(&world);
    world.positions.iter_mut().for_each(|place| *place = quarter * *place * unit);
    world.rotations.iter_mut().for_each(|rotation| *rotation = quarter * *rotation);
    let shown = if clip.is_some() { "the first frame" } else { "the zero pose" };
    (world, unit, format!("{shown} as it is: no stance was found"))
}

/// The bones from each joint to its children and End Sites, without those of zero length; `unit` is the drawn length
/// of a length unit of the file.
fn bones(skeleton: &Skeleton, world: &WorldPose, unit: f64, drawn: &[JointId]) -> Vec<Bone> {
    let mut bones = Vec::new();
    let size = drawn.iter().map(|&id| world.position(id).norm()).fold(0.0, f64::max);
    for (joint, &id) in drawn.iter().enumerate() {
        let from = world.position(id);
        let mut add = |to: Vec3, is_end: bool| {
            if (to - from).norm() > 1e-4 * size {
                bones.push(Bone { joint, from, to, is_end });
            }
        };
        skeleton.children(id).for_each(|child| add(world.position(child), false));
        for &end in &skeleton.joint(id).end_sites {
            add(from + world.rotation(id) * end * unit, true);
        }
    }
    bones
}
