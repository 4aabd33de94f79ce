//! Why a skeleton's roles could not be told, and what the user can write to settle it.

use super::evidence::Evidence;

use crate::rig::file::{RoleKey, quoted};
use crate::rig::names::joint_text;
use crate::rig::{Role, Side};
use crate::skeleton::{JointId, Skeleton};
use std::collections::BTreeSet;
use std::fmt;

/// One thing that stands against a set of roles.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing in the skeleton speaks for a leg.
    NoLegs,
    /// Legs are named, but no name tells left from right.
    NoSides {
        /// The joints that a left or right leg could be made of.
        joints: Vec<JointId>,
    },
    /// Two legs are found by their shape, but nothing tells left from right.
    LeftOrRight { thighs: [JointId; 2] },
    /// The limbs are not those of one person on two legs: the first joint of each.
    NoPerson { limbs: Vec<JointId> },
    /// Every offset is zero.
    NoSize,
    /// The evidence for a role is weak.
    Unsure { role: Role, joint: JointId },
    /// A part that every body has was not found.
    Missing {
        role: Role,
        /// Joints whose names could mean it, but whose place in the tree is wrong.
        misplaced: Vec<JointId>,
        /// The likeliest joint.
        guess: Option<JointId>,
    },
    /// Several joints speak for a role equally well.
    Ambiguous { role: Role, joints: Vec<JointId> },
    /// A joint does not lie below the joint that must carry it.
    NotBelow { role: Role, joint: JointId, above_role: Role, above: JointId },
    /// A joint would have two roles.
    TwoRoles { joint: JointId, roles: [Role; 2] },
    /// Two parts of one body hang from different roots.
    Apart { a: Role, b: Role },
    /// A leg has no length: the OFFSETs of its joints are zero, and no channel moves them.
    NoLength { role: Role, joint: JointId },
    /// The names say left where the body has its right, by the way it faces.
    Mirrored { left: JointId, right: JointId },
    /// A chain is longer than any body's.
    TooLong { role: Role, joints: usize },
}

impl Problem {
    /// Whether a body is found all the same, of which the evidence is weak or contradicts itself.
    pub(super) fn is_doubt(&self) -> bool {
        matches!(self, Problem::Mirrored { .. } | Problem::Unsure { .. })
    }
}

/// The roles of a skeleton could not be told. It holds everything that a message needs; its text
/// shows the problem, the tree with the best guess, and the lines for `skeleton.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct RecogniseError {
    /// At least one.
    pub problems: Vec<Problem>,
    /// The roles that were found, as far as they go.
    pub guess: Vec<Evidence>,
    /// The skeleton that the ids belong to.
    pub skeleton: Box<Skeleton>,
}

impl std::error::Error for RecogniseError {}

/// What stands before lines that a user can take.
pub const PROPOSED: &str = "save as fix.toml";

/// A tree up to this many joints is shown whole.
const SHOWN_WHOLE: usize = 32;

impl fmt::Display for RecogniseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No word on roles gives a body its size.
        if let [Problem::NoSize] = self.problems[..] {
            return f.write_str(&self.describe(&Problem::NoSize));
        }
        f.write_str("the parts of this body cannot be told apart:\n")?;
        for problem in &self.problems {
            writeln!(f, "  {}", self.describe(problem))?;
        }
        f.write_str("joints, with the best guess and how sure it is:\n")?;
        self.write_tree(f)?;
        let lines = match self.animal_lines() {
            lines if lines.is_empty() => self.lines(),
            lines => lines,
        };
        if !lines.is_empty() {
            let blank = lines.iter().any(|line| line.contains("\"?\""));
            let fill = if blank { "fill in each ? and " } else { "" };
            write!(f, "to settle it, {fill}{PROPOSED}:\n  [roles]\n")?;
        }
        lines.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        self.write_other_reading(f)?;
        if self.problems.iter().all(Problem::is_doubt) {
            writeln!(f, "or go on with what is guessed with --accept-doubt")?;
        }
        if self.problems.iter().any(is_about_legs) {
            let way = "an animal is told by its legs, each as [legs.NAME] with joints = [\"…\"]";
            writeln!(f, "{way}")?;
        }
        Ok(())
    }
}

impl RecogniseError {
    fn text(&self, joint: JointId) -> String {
        joint_text(&self.skeleton, joint)
    }

    fn texts(&self, joints: &[JointId]) -> String {
        const MOST: usize = 6;
        let mut texts: Vec<String> =
            joints.iter().take(MOST).map(|&j| format!("{:?}", self.text(j))).collect();
        if joints.len() > MOST {
            texts.push(format!("{} more", joints.len() - MOST));
        }
        texts.join(", ")
    }

    /// One problem as a sentence.
    pub fn describe(&self, problem: &Problem) -> String {
        match problem {
            Problem::NoLegs => {
                "no joint's name or place speaks for a leg; is this a body?".to_owned()
            }
            Problem::NoSides { joints } => {
                format!("no name tells left from right: {}", self.texts(joints))
            }
            Problem::LeftOrRight { thighs } => format!(
                "two legs are found, but neither names nor postures show which is the left one: {}",
                self.texts(thighs)
            ),
            Problem::NoPerson { limbs } => format!(
                "these limbs are not those of one person on two legs: {}; name the legs of an animal as \
                 [legs.NAME], each with joints = [\"…\"], or those of a person under [roles]",
                self.texts(limbs)
            ),
            Problem::NoSize => "every OFFSET is zero, so the joints have names but no places, and \
                 nothing can be measured or transferred; export the file again with the lengths of its \
                 bones"
                .to_owned(),
            Problem::Unsure { role, joint } => {
                format!("{:?} may be {role}, but little speaks for it", self.text(*joint))
            }
            Problem::Missing { role, misplaced, .. } if misplaced.is_empty() => {
                format!("no joint was found for {role}")
            }
            Problem::Missing { role, misplaced, .. } => format!(
                "no joint was found for {role}; {} may be meant, but not at that place in the tree",
                self.texts(misplaced)
            ),
            Problem::Ambiguous { role, joints } => {
                format!("several joints could be {role}: {}", self.texts(joints))
            }
            Problem::NotBelow { role, joint, above_role, above } => format!(
                "{:?} cannot be {role}: it does not hang below {:?}, the {above_role}",
                self.text(*joint),
                self.text(*above)
            ),
            Problem::TwoRoles { joint, roles: [a, b] } => {
                format!("{:?} cannot be both {a} and {b}", self.text(*joint))
            }
            Problem::Apart { a, b } => format!("{a} and {b} hang from different roots"),
            Problem::NoLength { role, joint } => format!(
                "{role} ({:?}) has no length: all offsets along that leg are zero",
                self.text(*joint)
            ),
            Problem::Mirrored { left, right } => format!(
                "the names say that {:?} is on the left and {:?} on the right, but where the \
                 body faces, by its knees and toes, they are the other way round",
                self.text(*left),
                self.text(*right)
            ),
            Problem::TooLong { role, joints } => {
                format!("{joints} joints would be {role} and so on; that is no body")
            }
        }
    }

    /// Each problem as a sentence, and below the last the lines that settle them all.
    pub(super) fn doubts(&self) -> Vec<String> {
        let mut doubts: Vec<String> = self.problems.iter().map(|p| self.describe(p)).collect();
        let lines = self.lines().join("\n  ");
        if let Some(last) = doubts.last_mut() {
            *last += &format!("; to settle it, {PROPOSED}:\n  [roles]\n  {lines}");
        }
        doubts
    }

    /// The lines of `[roles]` that would settle every problem: the best guess where there is one,
    /// else a question mark to fill in.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut ask = |role: Role, joint: Option<JointId>, note: String| {
            let text = joint.map_or("?".to_owned(), |j| self.text(j));
            let (key, value) = (RoleKey::of(role), quoted(&text));
            let line = match key {
                RoleKey::One(_) => format!("{} = {value}", key.text()),
                RoleKey::List(_) => format!("{} = [{value}]", key.text()),
            };
            let note = if note.is_empty() { note } else { format!("  # {note}") };
            lines.push(line + &note);
        };
        let guess = |role: Role| self.guess.iter().find(|e| e.role == role);
        let legs = |ask: &mut dyn FnMut(Role, Option<JointId>, String)| {
            for side in Side::BOTH {
                for role in [Role::Thigh(side), Role::Shin(side), Role::Foot(side)] {
                    let best = guess(role);
                    let note = best.map_or("which joint?".to_owned(), |e| {
                        format!("a guess, {:.0} % sure", 100.0 * e.confidence)
                    });
                    ask(role, best.map(|e| e.joint), note);
                }
            }
        };
        for problem in &self.problems {
            match problem {
                Problem::NoSize => {}
                Problem::NoLegs | Problem::NoSides { .. } | Problem::NoPerson { .. } => {
                    legs(&mut ask)
                }
                Problem::LeftOrRight { thighs: [a, _] } => {
                    let note = "the rest follows".to_owned();
                    ask(Role::Thigh(Side::Left), Some(*a), note);
                }
                Problem::Unsure { role, joint } => {
                    ask(*role, Some(*joint), "or another joint".to_owned());
                }
                Problem::Missing { role, guess: best, .. } => {
                    let note = match best {
                        Some(_) => "a guess",
                        None => "which joint?",
                    };
                    ask(*role, *best, note.to_owned());
                }
                Problem::Ambiguous { role, joints } => {
                    ask(*role, joints.first().copied(), format!("or {}", self.texts(&joints[1..])));
                }
                Problem::NotBelow { role, above_role, above, .. } => {
                    ask(*role, None, "which joint?".to_owned());
                    ask(*above_role, Some(*above), "or another joint".to_owned());
                }
                Problem::TwoRoles { joint, roles: [a, b] } => {
                    ask(*a, Some(*joint), "or another joint".to_owned());
                    ask(*b, None, "which joint?".to_owned());
                }
                Problem::Apart { a, b } => {
                    for role in [*a, *b] {
                        ask(role, guess(role).map(|e| e.joint), "or another joint".to_owned());
                    }
                }
                Problem::NoLength { role, joint } => {
                    ask(*role, Some(*joint), "or a joint with a length".to_owned());
                }
                Problem::Mirrored { left, right } => {
                    for (side, joint) in [(Side::Left, *left), (Side::Right, *right)] {
                        let note = "as named".to_owned();
                        let named = self.guess.iter().find(|e| e.joint == joint);
                        ask(named.map_or(Role::Thigh(side), |e| e.role), Some(joint), note);
                    }
                }
                Problem::TooLong { role, .. } => ask(*role, None, "which joints?".to_owned()),
            }
        }
        lines
    }

    /// The lines that tell the four legs of an animal whose names are a person's: those of `[roles]`, then a table a
    /// leg. None for other problems.
    fn animal_lines(&self) -> Vec<String> {
        let joint = |role: Role| self.guess.iter().find(|e| e.role == role).map(|e| e.joint);
        let list = |joints: &[JointId]| {
            let names: Vec<String> = joints.iter().map(|j| quoted(&self.text(*j))).collect();
            names.join(", ")
        };
        let row =
            |role: fn(u8) -> Role| (1..=u8::MAX).map_while(|n| joint(role(n))).collect::<Vec<_>>();
        let mut lines = Vec::new();
        for (key, role) in [("hips", Role::Hips), ("head", Role::Head)] {
            lines.extend(joint(role).map(|id| format!("{key} = {}", list(&[id]))));
        }
        for (key, joints) in [("spine", row(Role::Spine)), ("neck", row(Role::Neck))] {
            lines.extend((!joints.is_empty()).then(|| format!("{key} = [{}]", list(&joints))));
        }
        for side in Side::BOTH {
            let hind = [Role::Thigh(side), Role::Shin(side), Role::Foot(side), Role::Toe(side)];
            let front = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
            for (place, roles) in [("front", &front[..]), ("hind", &hind[..])] {
                let joints: Vec<JointId> = roles.iter().filter_map(|role| joint(*role)).collect();
                lines.push(format!("[legs.{}_{place}]", side.word()));
                lines.push(format!("joints = [{}]", list(&joints)));
                if joints.len() < 2 || !matches!(self.problems[..], [Problem::NoPerson { .. }]) {
                    return Vec::new();
                }
            }
        }
        lines
    }

    /// The joint tree with roles; of a long one the joints around the problems and the main roles.
    fn write_tree(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.shown();
        let mut hidden = 0;
        for joint in self.skeleton.ids() {
            if !shown.contains(&joint) {
                hidden += 1;
                continue;
            }
            write_hidden(f, &mut hidden)?;
            let depth = self.skeleton.ancestors(joint).count();
            // A chain of hundreds of joints must not print lines of thousands of blanks.
            let name = Some(self.text(joint)).filter(|text| !text.is_empty());
            let name = name.unwrap_or("\"\"".to_owned());
            write!(f, "  {:indent$}{name}", "", indent = depth.min(40))?;
            if let Some(e) = self.guess.iter().find(|e| e.joint == joint) {
                write!(f, "  = {} ({:.0} %, {})", e.role, 100.0 * e.confidence, e.reasons)?;
            }
            writeln!(f)?;
        }
        write_hidden(f, &mut hidden)
    }

    fn shown(&self) -> BTreeSet<JointId> {
        let all = self.skeleton.ids();
        if self.skeleton.len() <= SHOWN_WHOLE {
            return all.collect();
        }
        let main = self.guess.iter().filter(|e| !matches!(e.role, Role::Finger(..)));
        let mut shown: BTreeSet<JointId> = main.map(|e| e.joint).collect();
        for problem in &self.problems {
            shown.extend(named_joints(problem).into_iter().take(SHOWN_WHOLE));
        }
        if shown.is_empty() {
            shown.extend(all.take(SHOWN_WHOLE));
        }
        let above: Vec<JointId> =
            shown.iter().flat_map(|&j| self.skeleton.ancestors(j)).take(200).collect();
        shown.extend(above);
        // Below a known leg the missing part is to be looked for.
        let legs: Vec<JointId> = self
            .guess
            .iter()
            .filter(|e| matches!(e.role, Role::Thigh(_) | Role::Shin(_) | Role::Hips))
            .map(|e| e.joint)
            .collect();
        for leg in legs {
            shown.extend(self.skeleton.children(leg).take(8));
        }
        shown
    }
}

fn write_hidden(f: &mut fmt::Formatter<'_>, hidden: &mut usize) -> fmt::Result {
    match std::mem::take(hidden) {
        0 => Ok(()),
        1 => writeln!(f, "   … 1 joint"),
        n => writeln!(f, "   … {n} joints"),
    }
}

/// Whether legs were not found, or more of them than a person has.
fn is_about_legs(problem: &Problem) -> bool {
    match problem {
        Problem::NoLegs => true,
        Problem::Missing { role, .. } | Problem::Ambiguous { role, .. } => {
            matches!(role, Role::Thigh(_) | Role::Shin(_) | Role::Foot(_))
        }
        _ => false,
    }
}

fn named_joints(problem: &Problem) -> Vec<JointId> {
    match problem {
        Problem::NoSides { joints } | Problem::Ambiguous { joints, .. } => joints.clone(),
        Problem::Missing { misplaced, guess, .. } => {
            misplaced.iter().chain(guess).copied().collect()
        }
        Problem::NotBelow { joint, above, .. } => vec![*joint, *above],
        Problem::TwoRoles { joint, .. } | Problem::NoLength { joint, .. } => vec![*joint],
        Problem::Mirrored { left, right } => vec![*left, *right],
        Problem::LeftOrRight { thighs } => thighs.to_vec(),
        Problem::NoPerson { limbs } => limbs.clone(),
        Problem::Unsure { joint, .. } => vec![*joint],
        Problem::NoLegs | Problem::NoSize | Problem::Apart { .. } | Problem::TooLong { .. } => {
            Vec::new()
        }
    }
}
