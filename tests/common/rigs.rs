//! Skeletons written as indented lists of names, with the role that each joint should have.

use crate::listed::sided;
use retarget::internals::math::Vec3;
use retarget::internals::rig::{Digit, Role, Side};
use retarget::internals::skeleton::{Joint, JointId, Skeleton};
use std::collections::BTreeMap;

/// A skeleton and the roles that it should be given.
pub struct Expected {
    pub title: String,
    pub skeleton: Skeleton,
    pub roles: BTreeMap<Role, JointId>,
}

/// All rigs of a text. `# title` begins one; a line is a joint, one blank deeper than its parent,
/// with its role after ` = `. `{Left|Right}` stands for both sides' subtrees, `*` in a role for the
/// side; `<1-3>` for a chain of three joints, the next line hanging from the last of them. ` = -` marks
/// a joint at its parent's place that has no role.
pub fn parse(text: &str) -> Vec<Expected> {
    let mut rigs = Vec::new();
    for section in text.split("# ").skip(1) {
        let (title, lines) = section.split_once('\n').expect("a title line");
        let lines: Vec<&str> = lines.lines().filter(|l| !l.trim().is_empty()).collect();
        let mut builder = Builder::default();
        builder.lines(&lines, None, None);
        rigs.push(builder.finish(title));
    }
    rigs
}

#[derive(Default)]
struct Builder {
    joints: Vec<Joint>,
    /// World place of each joint while the body stands in a T.
    places: Vec<Vec3>,
    roles: BTreeMap<Role, JointId>,
}

impl Builder {
    /// Adds the joints of lines that all lie deeper than their common parent.
    fn lines(&mut self, lines: &[&str], parent: Option<JointId>, side: Option<Side>) {
        let mut at = 0;
        while at < lines.len() {
            let depth = indent(lines[at]);
            let end = (at + 1..lines.len()).find(|&i| indent(lines[i]) <= depth);
            let below = &lines[at + 1..end.unwrap_or(lines.len())];
            if side.is_none() && lines[at].contains('{') {
                for side in Side::BOTH {
                    self.joint(lines[at], below, parent, Some(side));
                }
            } else {
                self.joint(lines[at], below, parent, side);
            }
            at = end.unwrap_or(lines.len());
        }
    }

    fn joint(&mut self, line: &str, below: &[&str], parent: Option<JointId>, side: Option<Side>) {
        let line = sided(line.trim(), side);
        let (names, roles) = match line.split_once(" = ") {
            Some((name, role)) => {
                let word = if side == Some(Side::Right) { "right" } else { "left" };
                (counted(name), counted(&role.replace('*', word)))
            }
            None => (counted(&line), Vec::new()),
        };
        let mut last = parent;
        for (i, name) in names.iter().enumerate() {
            let role = roles.get(i).map(String::as_str);
            last = Some(match role {
                Some("-") => {
                    self.add(name, last, last.map_or(Vec3::zeros(), |p| self.places[p.index()]))
                }
                Some(role) => {
                    let role: Role = role.parse().expect("a role");
                    let id = self.add(name, last, place(role));
                    assert_eq!(self.roles.insert(role, id), None, "{role} stands twice");
                    id
                }
                // A joint without a role lies a little beside its parent.
                None => {
                    let above = last.map_or(Vec3::zeros(), |p| self.places[p.index()]);
                    let x = if side == Some(Side::Right) { -1.0 } else { 1.0 };
                    self.add(name, last, above + Vec3::new(x, 1.0, 1.0))
                }
            });
        }
        self.lines(below, last, side);
    }

    fn add(&mut self, name: &str, parent: Option<JointId>, place: Vec3) -> JointId {
        let above = parent.map_or(Vec3::zeros(), |p| self.places[p.index()]);
        let id = JointId::new(self.joints.len());
        self.joints.push(Joint::new(name, parent, place - above));
        self.places.push(place);
        id
    }

    fn finish(self, title: &str) -> Expected {
        let skeleton = Skeleton::new(self.joints).expect("a tree");
        Expected { title: title.to_owned(), skeleton, roles: self.roles }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The names that `<1-3>` stands for, or the one that is there.
fn counted(text: &str) -> Vec<String> {
    let Some((before, rest)) = text.split_once('<') else { return vec![text.to_owned()] };
    let (range, after) = rest.split_once('>').expect("a closing bracket");
    let (first, last) = range.split_once('-').expect("a range");
    let width = first.len();
    let [first, last]: [usize; 2] = [first, last].map(|n| n.parse().expect("a number"));
    (first..=last).map(|n| format!("{before}{n:0width$}{after}")).collect()
}

/// Where a role's joint is in a person 175 cm tall who stands in a T, facing +Z.
fn place(role: Role) -> Vec3 {
    let sign = if role.side() == Some(Side::Right) { -1.0 } else { 1.0 };
    let at = |x: f64, y: f64, z: f64| Vec3::new(sign * x, y, z);
    match role {
        Role::Hips => at(0.0, 97.0, 0.0),
        Role::Spine(n) => at(0.0, 97.0 + 9.0 * f64::from(n), -2.0),
        Role::Neck(n) => at(0.0, 144.0 + 3.0 * f64::from(n), -1.0),
        Role::Head => at(0.0, 157.0, 0.0),
        Role::Clavicle(_) => at(3.0, 141.0, 0.0),
        Role::UpperArm(_) => at(17.0, 141.0, 0.0),
        Role::Forearm(_) => at(45.0, 141.0, 0.0),
        Role::Hand(_) => at(71.0, 141.0, 0.0),
        Role::Thigh(_) => at(9.0, 92.0, 0.0),
        Role::Shin(_) => at(9.0, 50.0, 0.5),
        Role::Foot(_) => at(9.0, 9.0, -1.0),
        Role::Toe(_) => at(9.0, 2.0, 12.0),
        Role::Chain(_, n) => at(0.0, 97.0, -9.0 * f64::from(n)),
        Role::Finger(_, digit, n) => {
            let z = 4.0 - 2.0 * Digit::ALL.iter().position(|&d| d == digit).unwrap_or(0) as f64;
            // Wrist to metacarpal, to knuckle, to the joints of the finger.
            let x = [74.0, 80.0, 84.5, 87.0][usize::from(n)];
            at(if digit == Digit::Thumb { x - 5.0 } else { x }, 141.0, z)
        }
    }
}
