//! [`RigFile`] to text that a person can read and edit.

use super::joints::{CHANNELS, FileJoint};
use super::role_keys::RoleKey;
use super::{JointLimit, RigFile, RigReference};
use crate::math::{Quat, Vec3};
use crate::rig::{Scale, SoleOrigin};
use crate::skeleton::Channel;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Comments by the path of the key whose line they end; those of keys that the file lacks stand on
/// lines of their own.
pub(super) type Notes = BTreeMap<String, String>;

pub(super) fn write(file: &RigFile, notes: &Notes) -> String {
    let mut out = Text { text: String::new(), notes };
    out.comment("A rig for retarget. All that is not given here is found in the skeleton itself.");
    out.text.push('\n');
    if let Some(path) = &file.bvh {
        out.key("", "bvh", &quoted(path));
    }
    match file.up {
        Some(up) => out.key("", "up", &quoted(&up.to_string())),
        None => out.note("", "up"),
    }
    if let Some(faces) = file.faces {
        out.key("", "faces", &quoted(&faces.to_string()));
    }
    match file.floor {
        Some(floor) => out.key("", "floor", &number(floor)),
        None => out.note("", "floor"),
    }
    match file.scale {
        Some(Scale::Leg) => out.key("", "scale", "\"leg\""),
        Some(Scale::Height) => out.key("", "scale", "\"height\""),
        Some(Scale::Factor(factor)) => out.key("", "scale", &number(factor)),
        None => out.note("", "scale"),
    }
    if let Some(human) = file.human_limits {
        out.key("", "human_limits", &human.to_string());
    }
    roles(file, &mut out);
    chains(file, &mut out);
    if let Some(reference) = &file.reference {
        self::reference(reference, &mut out);
    }
    feet(file, &mut out);
    for (name, limit) in &file.limits {
        let path = format!("limits.{}", key(name));
        out.section(&path, "How far this joint may turn from the reference stance.");
        match limit {
            JointLimit::Hinge { axis, min_rad, max_rad } => {
                out.key(&path, "axis", &vector(*axis));
                out.key(&path, "min_deg", &number(degrees(*min_rad)));
                out.key(&path, "max_deg", &number(degrees(*max_rad)));
            }
            JointLimit::Ball { swing_rad, twist_rad } => {
                out.key(&path, "swing_deg", &numbers(&swing_rad.map(degrees)));
                out.key(&path, "twist_deg", &numbers(&twist_rad.map(degrees)));
            }
            JointLimit::Free => out.key(&path, "free", "true"),
        }
    }
    if !file.weights.is_empty() {
        out.section("weights", "Importance of the effectors, 0 to 1.");
        for (role, weight) in &file.weights {
            out.key("weights", &role.to_string(), &number(*weight));
        }
    }
    if !file.joints.is_empty() {
        out.text.push('\n');
        out.comment("The skeleton: places in the parent's frame, length units; channels in the");
        out.comment("order of a motion row. Without channels a root has positions and rotations,");
        out.comment("any other joint rotations, in the order Z, X, Y.");
        for joint in &file.joints {
            self::joint(joint, &mut out);
        }
    }
    out.text
}

struct Text<'a> {
    text: String,
    notes: &'a Notes,
}

impl Text<'_> {
    fn comment(&mut self, comment: &str) {
        let _ = writeln!(self.text, "# {comment}");
    }

    fn section(&mut self, path: &str, comment: &str) {
        self.text.push('\n');
        self.comment(comment);
        let _ = writeln!(self.text, "[{path}]");
    }

    fn key(&mut self, table: &str, name: &str, value: &str) {
        let _ = write!(self.text, "{} = {value}", key(name));
        if let Some(note) = self.notes.get(&path(table, name)) {
            let _ = write!(self.text, "  # {}", one_line(note));
        }
        self.text.push('\n');
    }

    /// A comment in the place of a key that is not given.
    fn note(&mut self, table: &str, name: &str) {
        if let Some(note) = self.notes.get(&path(table, name)) {
            let _ = writeln!(self.text, "# {}", one_line(note));
        }
    }
}

fn path(table: &str, name: &str) -> String {
    if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") }
}

fn roles(file: &RigFile, out: &mut Text) {
    let noted = out.notes.keys().any(|path| path.starts_with("roles."));
    if file.roles.is_empty() && file.ignore.is_empty() && file.worn.is_empty() && !noted {
        return;
    }
    out.section("roles", "Which joint has which role. Lists run outwards from the hips.");
    for role_key in RoleKey::all() {
        let joints: Vec<&String> = match role_key {
            RoleKey::One(role) => file.roles.get(&role).into_iter().collect(),
            RoleKey::List(_) => {
                let roles = (0..).map_while(|i| role_key.role(i));
                roles.map_while(|role| file.roles.get(&role)).collect()
            }
        };
        let name = role_key.text();
        match (role_key, &joints[..]) {
            (_, []) => out.note("roles", &name),
            (RoleKey::One(_), [joint, ..]) => out.key("roles", &name, &quoted(joint)),
            (RoleKey::List(_), joints) => out.key("roles", &name, &list(joints)),
        }
    }
    for (key, names) in [("ignore", &file.ignore), ("worn", &file.worn)] {
        if !names.is_empty() {
            out.key("roles", key, &list(&names.iter().collect::<Vec<_>>()));
        }
    }
}

fn chains(file: &RigFile, out: &mut Text) {
    for (name, leg) in &file.legs {
        let path = format!("legs.{name}");
        out.section(&path, "A leg, from the body outwards; the sole in its last joint's frame.");
        out.key(&path, "joints", &list(&leg.joints.iter().collect::<Vec<_>>()));
        if let Some(sole) = leg.sole {
            out.key(&path, "sole", &vector(sole));
        }
    }
    for (name, joints) in &file.chains {
        let path = format!("chains.{name}");
        out.section(&path, "A chain, from the body outwards.");
        out.key(&path, "joints", &list(&joints.iter().collect::<Vec<_>>()));
    }
}

fn reference(reference: &RigReference, out: &mut Text) {
    out.section(
        "reference",
        "The stance that two rigs share; a person stands upright in it, legs straight.",
    );
    match reference.frame {
        Some(frame) => out.key("reference", "frame", &frame.to_string()),
        None => out.key("reference", "pose", "\"rest\""),
    }
    let quaternion = |q: &Quat| numbers(&[q.i, q.j, q.k, q.w]);
    if !reference.rotations.is_empty() {
        let comment = "Local rotations, unit quaternions x, y, z, w.";
        out.section("reference.rotations_xyzw", comment);
        for (name, rotation) in &reference.rotations {
            out.key("reference.rotations_xyzw", name, &quaternion(rotation));
        }
    }
    if !reference.translations.is_empty() {
        let comment = "Places in the parent's frame where they are not the offsets, length units.";
        out.section("reference.translations", comment);
        for (name, place) in &reference.translations {
            out.key("reference.translations", name, &vector(*place));
        }
    }
    if !reference.frames.is_empty() {
        out.section(
            "reference.frames_xyzw",
            "Each joint's frame in the body with limbs straight: x to its left, y up, z ahead.",
        );
        for (name, frame) in &reference.frames {
            out.key("reference.frames_xyzw", name, &quaternion(frame));
        }
    }
    if !reference.rotations_rad.is_empty() {
        let comment = "Local rotations, degrees in the order of the joint's own channels.";
        out.section("reference.rotations_deg", comment);
        for (name, angles_rad) in &reference.rotations_rad {
            let angles: Vec<f64> = angles_rad.iter().map(|&a| degrees(a)).collect();
            out.key("reference.rotations_deg", name, &numbers(&angles));
        }
    }
}

fn feet(file: &RigFile, out: &mut Text) {
    for (foot, side) in file.feet.iter().zip(["left", "right"]) {
        if foot.is_empty() {
            continue;
        }
        let vectors = [
            ("heel", foot.heel),
            ("ball", foot.ball),
            ("toe", foot.toe),
            ("up", foot.up),
            ("ahead", foot.ahead),
            ("toe_ahead", foot.toe_ahead),
        ];
        let heights = [
            ("ankle_height", foot.ankle_height),
            ("stance_ankle_height", foot.stance_ankle_height),
            ("ball_height", foot.ball_height),
        ];
        let path = format!("feet.{side}");
        out.section(
            &path,
            "The sole: heel, ball and its normal in the foot joint's frame, toe in the toe joint's.",
        );
        for (name, vector) in vectors {
            if let Some(vector) = vector {
                out.key(&path, name, &self::vector(vector));
            }
        }
        for (name, height) in heights {
            if let Some(height) = height {
                out.key(&path, name, &number(height));
            }
        }
        if let Some(bends) = foot.bends {
            out.key(&path, "bends", &bends.to_string());
        }
        match foot.known_from {
            Some(SoleOrigin::Motion) => out.key(&path, "known_from", "\"motion\""),
            Some(SoleOrigin::Bones) => out.key(&path, "known_from", "\"bones\""),
            Some(SoleOrigin::Assumed) => out.key(&path, "known_from", "\"assumed\""),
            Some(SoleOrigin::Written) | None => {}
        }
    }
}

fn joint(joint: &FileJoint, out: &mut Text) {
    out.text.push_str("\n[[joints]]\n");
    out.key("joints", "name", &quoted(&joint.name));
    if let Some(parent) = &joint.parent {
        out.key("joints", "parent", &quoted(parent));
    }
    out.key("joints", "offset", &vector(joint.offset));
    if let Some(channels) = joint.channels {
        let name = |channel: &Channel| {
            let named = CHANNELS.iter().find(|(_, c)| c == channel);
            named.map_or(String::new(), |(name, _)| quoted(name))
        };
        let names: Vec<String> = channels.as_slice().iter().map(name).collect();
        out.key("joints", "channels", &format!("[{}]", names.join(", ")));
    }
    if !joint.end_sites.is_empty() {
        let points: Vec<String> = joint.end_sites.iter().map(|p| vector(*p)).collect();
        out.key("joints", "end_sites", &format!("[{}]", points.join(", ")));
    }
}

/// A key, in quotes where TOML needs them.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A TOML string on one line, whatever is in it; good for keys too.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if !is_shown(c) => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn list(joints: &[&String]) -> String {
    let joints: Vec<String> = joints.iter().map(|j| quoted(j)).collect();
    format!("[{}]", joints.join(", "))
}

/// The shortest text that reads back as the same number.
fn number(x: f64) -> String {
    format!("{x:?}")
}

fn numbers(list: &[f64]) -> String {
    let texts: Vec<String> = list.iter().map(|&x| number(x)).collect();
    format!("[{}]", texts.join(", "))
}

fn vector(v: Vec3) -> String {
    numbers(&[v.x, v.y, v.z])
}

/// Degrees that read back as the same angle wherever a short number does.
fn degrees(angle_rad: f64) -> f64 {
    let exact = angle_rad.to_degrees();
    let short = (exact * 1e9).round() / 1e9;
    if short.to_radians() == angle_rad { short } else { exact }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if !is_shown(c) { ' ' } else { c }).collect()
}

/// Whether a character is there to be seen. Others move a terminal's cursor, or turn a line round.
pub fn is_shown(c: char) -> bool {
    let turns_round = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !c.is_control() && !turns_round
}
