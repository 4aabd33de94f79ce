//! A commented `skeleton.toml` for a skeleton that was recognised: what was found, and how sure it is.

use super::role_keys::RoleKey;
use super::write::{Notes, is_shown, write};
use super::{FileJoint, RigFile, RigLeg, RigReference, exact};
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::names::{joint_text, joint_texts};
use crate::rig::{
    ChainName, Evidence, Recognised, Rig, RigHints, Role, Scale, Side, Stance, StanceOrigin,
    UpAxis, WrittenSole,
};
use crate::skeleton::{Joint, JointId, Skeleton};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where a described file takes its skeleton from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SkeletonSource<'a> {
    /// A file, by its path as it is to be written.
    Bvh(&'a str),
    /// The file itself: all joints are written out, and all that was found of them stands as keys, so
    /// that nothing is left to be found again.
    Joints,
    /// Each clip that is read with it: what is said of its joints holds for bodies of any size.
    Clips,
}

/// What [`describe`] writes about.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a> {
    pub skeleton: &'a Skeleton,
    pub source: SkeletonSource<'a>,
    pub recognised: &'a Recognised,
    /// Up axis, stance and soles, where they were found.
    pub rig: Option<&'a Rig>,
    /// Height of the floor along the up axis, length units, where it was found.
    pub floor: Option<f64>,
}

/// A commented file that says all that was recognised and how sure it is. It parses back to the same
/// roles. Beside a BVH file, stance and soles stand in it as comments: they are found again in that
/// file, to the last bit, and a person who knows better takes the `#` away.
pub fn describe(description: &Description) -> String {
    let Description { skeleton, source, recognised, rig, floor } = *description;
    let mut notes = Notes::new();
    let person = recognised.roles.joint(Role::Thigh(Side::Left)).is_some();
    let mut file = RigFile { floor, ..RigFile::default() };
    match source {
        SkeletonSource::Bvh(path) => file.bvh = Some(path.to_owned()),
        SkeletonSource::Joints => file.joints = listed(skeleton),
        SkeletonSource::Clips => {}
    }
    if source != SkeletonSource::Clips {
        file.scale = Some(Scale::Leg);
        note(
            "",
            "scale",
            "lengths by the ratio of the legs; or \"height\", \"none\", or a number, target over source",
            &mut notes,
        );
    }
    for evidence in recognised.evidence.iter().filter(|e| !matches!(e.role, Role::Chain(..))) {
        file.roles.insert(evidence.role, joint_text(skeleton, evidence.joint));
    }
    name_chains(&mut file, skeleton, recognised, rig);
    for key in RoleKey::all() {
        let of_key = recognised.evidence.iter().filter(|e| RoleKey::of(e.role) == key);
        let text = match of_key.min_by(|a, b| a.confidence.total_cmp(&b.confidence)) {
            Some(least) => sureness(least),
            // Ten lines on missing fingers would only be in the way.
            None if matches!(
                key,
                RoleKey::One(Role::Finger(..)) | RoleKey::List(Role::Finger(..))
            ) =>
            {
                continue;
            }
            // Nothing is looked for in a body of named legs and chains.
            None if !person => continue,
            None => format!("{}: none found", key.text()),
        };
        note("roles", &key.text(), &text, &mut notes);
    }
    if !matches!(source, SkeletonSource::Bvh(_)) {
        let texts = skeleton.ids().zip(joint_texts(skeleton));
        let unused = texts.filter(|&(id, _)| recognised.roles.role(id).is_none());
        file.ignore = unused.map(|(_, text)| text).collect();
    }
    file.up = rig.map(|rig| rig.up);
    file.faces = rig.and_then(faces);
    let found_again = matches!(source, SkeletonSource::Bvh(_));
    if let Some(rig) = rig.filter(|_| source == SkeletonSource::Joints) {
        file.worn = rig.worn.iter().map(|&id| joint_text(skeleton, id)).collect();
        (file.reference, file.feet) = (Some(exact::reference(rig)), exact::soles(rig));
        note("reference", "pose", &format!("found: {}", rig.stance.origin), &mut notes);
    }
    let mut text = write(&file, &notes);
    if let Some(rig) = rig.filter(|_| found_again) {
        write_shape_as_comment(rig, &mut text);
    }
    write_tree(skeleton, recognised, &mut text);
    text
}

/// Legs and chains as they were named, the soles to their last digit.
fn name_chains(
    file: &mut RigFile,
    skeleton: &Skeleton,
    recognised: &Recognised,
    rig: Option<&Rig>,
) {
    let roles = &recognised.roles;
    let sole = |name: ChainName| {
        let foot = rig?.feet.iter().find(|foot| foot.name == name.as_str())?;
        Some(foot.ball)
    };
    let texts = joint_texts(skeleton);
    for name in roles.chain_names() {
        let joints = roles.chain(name).into_iter().map(|id| texts[id.index()].clone()).collect();
        match roles.legs().any(|leg| leg == name) {
            true => drop(file.legs.insert(name, RigLeg { joints, sole: sole(name) })),
            false => drop(file.chains.insert(name, joints)),
        }
    }
}

/// The axis that a body of named legs and chains faces in its stance, where it is one.
fn faces(rig: &Rig) -> Option<UpAxis> {
    rig.roles.chain_names().next()?;
    rig.joint(Role::Thigh(Side::Left)).is_none().then_some(())?;
    let hips = rig.joint(Role::Hips)?;
    let world_from_hips = WorldPose::of(&rig.skeleton, &rig.stance.local).rotation(hips);
    let ahead = world_from_hips * rig.stance.body_from_joint[hips.index()].inverse() * Vec3::z();
    let axis = UpAxis::nearest(ahead);
    (axis.vector().angle(&ahead) < 1e-9).then_some(axis)
}

fn note(table: &str, key: &str, text: &str, notes: &mut Notes) {
    let path = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
    notes.insert(path, text.to_owned());
}

fn sureness(evidence: &Evidence) -> String {
    format!("{:.0} % sure, by {}", 100.0 * evidence.confidence, evidence.reasons)
}

/// The skeleton's joints as entries of `[[joints]]`, channels always written.
fn listed(skeleton: &Skeleton) -> Vec<FileJoint> {
    let texts = joint_texts(skeleton);
    let entry = |joint: &Joint| FileJoint {
        name: joint.name.clone(),
        parent: joint.parent.map(|p| texts[p.index()].clone()),
        offset: joint.offset,
        channels: Some(joint.channels),
        end_sites: joint.end_sites.clone(),
    };
    skeleton.joints().iter().map(entry).collect()
}

/// Stance and soles of a rig that is found again in its BVH file, as a person changes them.
fn add_shape(file: &mut RigFile, rig: &Rig, notes: &mut Notes) {
    // A millionth of a leg is finer than any sole is known.
    let decimals = (-(1e-6 * rig.leg_len).log10().floor()).clamp(0.0, 300.0) as usize;
    let short = |x: f64| format!("{x:.decimals$}").parse().map_or(x, |x: f64| x + 0.0);
    let tidy = |point: Vec3| Some(point.map(short));
    let person = rig.joint(Role::Thigh(Side::Left)).is_some();
    for (written, foot) in file.feet.iter_mut().filter(|_| person).zip(&rig.feet) {
        *written = WrittenSole {
            heel: tidy(foot.heel),
            ball: tidy(foot.ball),
            toe: tidy(foot.tip),
            up: Some(foot.up.map(|x| (x * 1e9).round() / 1e9)),
            ..WrittenSole::default()
        };
    }
    let origin = format!("found: {}", rig.stance.origin);
    let frame = match rig.stance.origin {
        StanceOrigin::Rest if local_says_all(rig) => None,
        StanceOrigin::Frame(frame) if local_says_all(rig) => Some(frame),
        // A mean of frames is no frame of the file.
        StanceOrigin::Frames(_) => return,
        _ => {
            let rotations_rad = stance(rig);
            file.reference = Some(RigReference { rotations_rad, ..RigReference::default() });
            note("reference", "pose", &origin, notes);
            return;
        }
    };
    file.reference = Some(RigReference { frame, ..RigReference::default() });
    note("reference", if frame.is_some() { "frame" } else { "pose" }, &origin, notes);
}

/// Whether the pose that the stance was taken from reads back as the same stance, with no joint turned for what else shows
/// it, as hands whose palms did not face down.
fn local_says_all(rig: &Rig) -> bool {
    const SAME_RAD: f64 = 1e-6;
    let Some(read) = read_back(rig, rig.stance.local.clone()) else { return true };
    let frame = |stance: &Stance, id: JointId| stance.body_from_joint[id.index()];
    rig.roles.iter().all(|(_, id)| frame(&read, id).angle_to(&frame(&rig.stance, id)) < SAME_RAD)
}

/// The stance that a written pose makes.
fn read_back(rig: &Rig, pose: Pose) -> Option<Stance> {
    let hints = RigHints { stance: Some(pose), ..RigHints::default() };
    Stance::find(&rig.skeleton, &rig.roles, rig.up, None, &hints, &[None, None])
}

/// Stance and soles with a `#` before each line.
fn write_shape_as_comment(rig: &Rig, text: &mut String) {
    let (mut file, mut notes) = (RigFile::default(), Notes::new());
    add_shape(&mut file, rig, &mut notes);
    text.push_str("\n# What follows is found in the file again; take the # away to change it.\n");
    let shape = write(&file, &notes);
    // The first line speaks of the whole file.
    for line in shape.lines().skip_while(|line| !line.is_empty()).skip(1) {
        let mark = if line.is_empty() || line.starts_with('#') { "" } else { "#" };
        let _ = writeln!(text, "{mark}{line}");
    }
}

/// The lines of `[reference]` that write a person's stance out, to a hundredth of a degree; fingers rest as they do.
/// `None` where they would be read as another stance, as of a body whose thighs begin in one place.
pub(crate) fn stance_lines(rig: &Rig) -> Option<String> {
    const SAME_RAD: f64 = 0.01;
    let mut pose = Pose::rest(&rig.skeleton);
    pose.rotations = straight(rig);
    let read = read_back(rig, pose)?;
    let is_finger = |role: Role| matches!(role, Role::Finger(..));
    let mut frames = rig.roles.iter().filter(|(role, _)| !is_finger(*role)).map(|(_, id)| {
        read.body_from_joint[id.index()].angle_to(&rig.stance.body_from_joint[id.index()])
    });
    if frames.any(|off_rad| off_rad > SAME_RAD) {
        return None;
    }
    let mut rotations_rad = stance(rig);
    for (_, id) in rig.roles.iter().filter(|(role, _)| is_finger(*role)) {
        rotations_rad.remove(&joint_text(&rig.skeleton, id));
    }
    for angle_rad in rotations_rad.values_mut().flatten() {
        *angle_rad = ((100.0 * angle_rad.to_degrees()).round() / 100.0 + 0.0).to_radians();
    }
    rotations_rad.retain(|_, angles_rad| angles_rad.iter().any(|&angle_rad| angle_rad != 0.0));
    let reference = Some(RigReference { rotations_rad, ..RigReference::default() });
    let text = write(&RigFile { reference, ..RigFile::default() }, &Notes::new());
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    Some(lines.map(|line| format!("{line}\n")).collect())
}

/// The stance's local rotations by joint name, radians in each joint's channel order; joints that are
/// not turned are left out.
fn stance(rig: &Rig) -> BTreeMap<String, Vec<f64>> {
    let person = rig.joint(Role::Thigh(Side::Left)).is_some();
    let local = if person { straight(rig) } else { rig.stance.local.rotations.clone() };
    let joints = rig.skeleton.joints().iter().zip(joint_texts(&rig.skeleton));
    let turned = joints.zip(local).filter(|(_, local)| local.angle() > 1e-9);
    turned
        .map(|((joint, text), local)| {
            let order = joint.channels.euler_order();
            let angles = order.decompose(local, [0.0; 3]);
            (text, angles[..order.axes().len()].to_vec())
        })
        .collect()
}

/// Local rotations of a person's straightened stance. Straight limbs need no straightening, so that
/// the pose reads back as the same stance, wherever it came from.
fn straight(rig: &Rig) -> Vec<Quat> {
    let body_from_joint = &rig.stance.body_from_joint;
    let local = |id: JointId| {
        let parent = rig.skeleton.parent(id).map(|p| body_from_joint[p.index()].inverse());
        parent.map_or(body_from_joint[id.index()], |q| q * body_from_joint[id.index()])
    };
    rig.skeleton.ids().map(local).collect()
}

/// All joints as comments, so that a person sees the names to choose from.
fn write_tree(skeleton: &Skeleton, recognised: &Recognised, text: &mut String) {
    text.push_str("\n# All joints, with the roles that they were given:\n");
    let texts = joint_texts(skeleton);
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for (joint, name) in skeleton.joints().iter().zip(&texts) {
        let depth = joint.parent.map_or(0, |p| depths[p.index()] + 1);
        let role = recognised.roles.role(JointId::new(depths.len()));
        let role = role.map_or(String::new(), |role| format!("  = {role}"));
        depths.push(depth);
        // A chain of thousands of joints must not print lines of thousands of blanks.
        let line = format!("{:indent$}{name}{role}", "", indent = depth.min(40));
        let line: String = line.chars().map(|c| if !is_shown(c) { ' ' } else { c }).collect();
        let _ = writeln!(text, "#   {line}");
    }
}
