//! Bodies of any build that make one motion, so that what a retarget between two of them must give is
//! known: every frame of every joint is that of the body in its zero pose, a T that faces +Z.

#![allow(dead_code)]

#[path = "bodies/motion.rs"]
mod motion;

pub use motion::turn;

use motion::{along, twist_rad, word_and_sign};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::Side;
use retarget::internals::skeleton::{Joint, JointId, Skeleton};

/// How a body is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    pub spine: usize,
    pub neck: usize,
    pub clavicles: bool,
    pub hands: bool,
    pub toes: bool,
    pub head: bool,
    pub fingers: Fingers,
    /// Joints that share the twist of each limb's bone.
    pub twists: Twists,
}

/// What a hand's fingers are made of; a thumb has three joints in any case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fingers {
    None,
    /// So many joints each, from the knuckle on.
    Plain(usize),
    /// Three from the knuckle on, and the palm's bone before them.
    Metacarpals,
}

/// Where twist joints are, and how many a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Twists {
    None,
    /// In the bone, as `LeftArmRoll`.
    Inline(usize),
    /// Beside it, as `LeftArmTwist1`.
    Beside(usize),
}

pub const PLAIN: Build = Build {
    spine: 3,
    neck: 1,
    clavicles: true,
    hands: true,
    toes: true,
    head: true,
    fingers: Fingers::None,
    twists: Twists::None,
};

/// A joint's own part of the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// A share of the way from the hips to the chest.
    Trunk(f64),
    /// A share of the way from the chest to the head.
    Neck(f64),
    Clavicle(Side),
    UpperArm(Side),
    Forearm(Side),
    Hand(Side),
    /// The finger, from the thumb, and its joint: 0 in the palm, 1 at the knuckle.
    Finger(Side, usize, usize),
    Thigh(Side),
    Shin(Side),
    Foot(Side),
    Toe(Side),
    /// A share of a bone's twist: of the part's own against what carries it, or of what it carries.
    Twist(Bone, Side, f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bone {
    UpperArm,
    Forearm,
    Thigh,
    Shin,
}

/// A body with the part that each joint plays.
pub struct Body {
    pub skeleton: Skeleton,
    pub parts: Vec<Part>,
    untwisted: bool,
}

/// Frames of the motion.
pub const FRAMES: usize = 60;

struct Builder {
    joints: Vec<Joint>,
    places: Vec<Vec3>,
    parts: Vec<Part>,
}

impl Builder {
    fn add(&mut self, name: &str, parent: Option<JointId>, place: Vec3, part: Part) -> JointId {
        let above = parent.map_or(Vec3::zeros(), |p: JointId| self.places[p.index()]);
        self.joints.push(Joint::new(name, parent, place - above));
        self.places.push(place);
        self.parts.push(part);
        JointId::new(self.joints.len() - 1)
    }

    /// A limb's joint and the twist joints of its bone; returns the joint that carries what follows.
    fn bone(
        &mut self,
        name: &str,
        parent: JointId,
        [from, to]: [Vec3; 2],
        bone: Bone,
        side: Side,
        twists: Twists,
    ) -> JointId {
        let (word, _) = word_and_sign(side);
        let part = match bone {
            Bone::UpperArm => Part::UpperArm(side),
            Bone::Forearm => Part::Forearm(side),
            Bone::Thigh => Part::Thigh(side),
            Bone::Shin => Part::Shin(side),
        };
        let joint = self.add(&format!("{word}{name}"), Some(parent), from, part);
        let (count, inline) = match twists {
            Twists::None => (0, false),
            Twists::Inline(n) => (n, true),
            Twists::Beside(n) => (n, false),
        };
        let mut last = joint;
        for i in 1..=count {
            let along = i as f64 / (count + 1) as f64;
            let upper = matches!(bone, Bone::UpperArm | Bone::Thigh);
            let share = if inline && upper { i as f64 / count as f64 } else { along };
            let kind = if inline { "Roll" } else { "Twist" };
            let on = if inline { last } else { joint };
            let part = Part::Twist(bone, side, share);
            let place = from + (to - from) * along;
            let twist = self.add(&format!("{word}{name}{kind}{i}"), Some(on), place, part);
            if inline {
                last = twist;
            }
        }
        last
    }

    fn fingers(&mut self, hand: JointId, wrist: Vec3, side: Side, fingers: Fingers) {
        let (word, sign) = word_and_sign(side);
        for (finger, name) in ["Thumb", "Index", "Middle", "Ring", "Pinky"].into_iter().enumerate()
        {
            let (first, last) = match (fingers, finger) {
                (Fingers::None, _) => return,
                (Fingers::Plain(_), 0) | (Fingers::Metacarpals, 0) => (1, 3),
                (Fingers::Plain(joints), _) => (1, joints),
                (Fingers::Metacarpals, _) => (0, 3),
            };
            let across = 4.0 - 2.0 * finger as f64;
            let mut above = hand;
            for joint in first..=last {
                let along = if finger == 0 { 2.0 } else { 3.0 } + [0.0, 6.0, 9.5, 12.0][joint];
                let place = wrist + Vec3::new(sign * along, 0.0, across);
                let name = match joint {
                    0 => format!("{word}InHand{name}"),
                    _ => format!("{word}Hand{name}{joint}"),
                };
                above = self.add(&name, Some(above), place, Part::Finger(side, finger, joint));
            }
            self.end(above, Vec3::new(sign * 2.0, 0.0, 0.0));
        }
    }

    fn end(&mut self, id: JointId, site: Vec3) {
        self.joints[id.index()].end_sites.push(site);
    }
}

impl Body {
    /// The body of that build, 175 cm tall.
    pub fn new(build: Build) -> Self {
        let mut b = Builder { joints: Vec::new(), places: Vec::new(), parts: Vec::new() };
        let at = Vec3::new;
        let (low, chest) = (at(0.0, 95.0, 0.0), at(0.0, 135.0, -2.0));
        let (neck_base, head) = (at(0.0, 147.0, -1.0), at(0.0, 158.0, 1.0));
        let hips = b.add("Hips", None, low, Part::Trunk(0.0));
        let mut top = hips;
        for i in 1..=build.spine {
            let share = i as f64 / build.spine as f64;
            let name = if i == 1 { "Spine".to_owned() } else { format!("Spine{}", i - 1) };
            // All on one line, so that another number of joints makes no other shape.
            let place = low + (chest - low) * share;
            top = b.add(&name, Some(top), place, Part::Trunk(share));
        }
        let mut above = top;
        for i in 1..=build.neck {
            let name = if i == 1 { "Neck".to_owned() } else { format!("Neck{}", i - 1) };
            let along = (i - 1) as f64 / build.neck as f64;
            let share = i as f64 / (build.neck + 1) as f64;
            let place = neck_base + (head - neck_base) * along;
            above = b.add(&name, Some(above), place, Part::Neck(share));
        }
        if build.head {
            let head = b.add("Head", Some(above), head, Part::Neck(1.0));
            b.end(head, at(0.0, 17.0, 0.0));
        } else {
            b.end(above, at(0.0, 12.0, 0.0));
        }
        for side in [Side::Left, Side::Right] {
            let (word, sign) = word_and_sign(side);
            let out = |x: f64, y: f64, z: f64| at(sign * x, y, z);
            let mut carrier = top;
            if build.clavicles {
                let name = format!("{word}Shoulder");
                carrier = b.add(&name, Some(top), out(3.0, 142.0, 0.0), Part::Clavicle(side));
            }
            let shoulder = out(18.0, 143.0, 0.0);
            let (elbow, wrist) = (out(46.0, 143.0, 0.0), out(71.0, 143.0, 0.0));
            let arm = b.bone("Arm", carrier, [shoulder, elbow], Bone::UpperArm, side, build.twists);
            let fore = b.bone("ForeArm", arm, [elbow, wrist], Bone::Forearm, side, build.twists);
            if build.hands {
                let name = format!("{word}Hand");
                let hand = b.add(&name, Some(fore), wrist, Part::Hand(side));
                b.end(hand, out(17.0, 0.0, 0.0));
                b.fingers(hand, wrist, side, build.fingers);
            } else {
                let reach = wrist - b.places[fore.index()];
                b.end(fore, reach);
            }
        }
        for side in [Side::Left, Side::Right] {
            let (word, sign) = word_and_sign(side);
            let out = |x: f64, y: f64, z: f64| at(sign * x, y, z);
            let (hip, knee, ankle) = (out(9.0, 91.0, 0.0), out(9.0, 49.0, 0.0), out(9.0, 8.0, 0.0));
            let thigh = b.bone("UpLeg", hips, [hip, knee], Bone::Thigh, side, build.twists);
            let shin = b.bone("Leg", thigh, [knee, ankle], Bone::Shin, side, build.twists);
            let foot = b.add(&format!("{word}Foot"), Some(shin), ankle, Part::Foot(side));
            if build.toes {
                let name = format!("{word}ToeBase");
                let toe = b.add(&name, Some(foot), out(9.0, 2.0, 11.0), Part::Toe(side));
                b.end(toe, at(0.0, 0.0, 6.0));
            } else {
                b.end(foot, at(0.0, -6.0, 16.0));
            }
        }
        let untwisted = matches!(build.twists, Twists::Inline(_));
        let skeleton = Skeleton::new(b.joints).expect("a tree");
        Self { skeleton, parts: b.parts, untwisted }
    }

    /// The motion on this body.
    pub fn clip(&self) -> Clip {
        let frame_time = FrameTime::from_seconds(1.0 / 30.0).expect("above zero");
        let mut clip = Clip::new(self.skeleton.clone(), frame_time);
        let mut pose = Pose::rest(&self.skeleton);
        for frame in 0..FRAMES {
            let world: Vec<Quat> = self.parts.iter().map(|part| self.turn(*part, frame)).collect();
            for (i, joint) in self.skeleton.joints().iter().enumerate() {
                let parent = joint.parent.map_or(Quat::identity(), |p| world[p.index()]);
                pose.rotations[i] = parent.inverse() * world[i];
            }
            let s = frame as f64 / 30.0;
            pose.translations[0] = Vec3::new(20.0 * s, 95.0 + 3.0 * (5.0 * s).sin(), 50.0 * s);
            clip.push_pose(&pose);
        }
        clip
    }

    /// The joint that has a role.
    pub fn joint(&self, part: Part) -> Option<JointId> {
        self.parts.iter().position(|p| *p == part).map(JointId::new)
    }

    /// How a joint of that part is turned away from the zero pose in a frame; world.
    pub fn turn(&self, part: Part, frame: usize) -> Quat {
        match part {
            Part::UpperArm(side) | Part::Thigh(side) if self.untwisted => {
                let (bone, axis) = match part {
                    Part::UpperArm(_) => (Bone::UpperArm, along(side)),
                    _ => (Bone::Thigh, -Vec3::y()),
                };
                let twist = twist_rad(bone, side, frame, self.carried(bone, side, frame));
                turn(part, frame) * Quat::from_scaled_axis(axis * -twist)
            }
            Part::Twist(bone, side, share) => {
                let carrier = self.carried(bone, side, frame);
                let (own, axis) = match bone {
                    Bone::UpperArm => (turn(Part::UpperArm(side), frame), along(side)),
                    Bone::Forearm => (turn(Part::Forearm(side), frame), along(side)),
                    Bone::Thigh => (turn(Part::Thigh(side), frame), -Vec3::y()),
                    Bone::Shin => (turn(Part::Shin(side), frame), -Vec3::y()),
                };
                let twist = twist_rad(bone, side, frame, carrier);
                let upper = matches!(bone, Bone::UpperArm | Bone::Thigh);
                let by = if upper { share - 1.0 } else { share };
                own * Quat::from_scaled_axis(axis * (by * twist))
            }
            _ => turn(part, frame),
        }
    }

    /// How what carries a bone is turned.
    fn carried(&self, bone: Bone, side: Side, frame: usize) -> Quat {
        match bone {
            Bone::UpperArm => match self.joint(Part::Clavicle(side)) {
                Some(_) => turn(Part::Clavicle(side), frame),
                None => turn(Part::Trunk(1.0), frame),
            },
            _ => turn(Part::Trunk(0.0), frame),
        }
    }
}
