//! Roles from shape and motion: of real clips whose names say nothing, or the wrong side.

use crate::common;
use retarget::internals::bvh;
use retarget::internals::clip::Clip;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RecogniseError, Recognised, Role, Roles, Side, WrittenRoles};
use retarget::internals::rig::{recognise, recognise_clip};
use retarget::internals::skeleton::{JointId, Skeleton};
use std::path::Path;

/// A clip of the folder, and the roles that its names give it.
struct Known {
    name: String,
    clip: Clip,
    roles: Option<Roles>,
}

/// All clips that can be read whole.
fn known(dir: &Path) -> Vec<Known> {
    let clips: Vec<Known> = common::mocap_clips(dir)
        .into_iter()
        .filter_map(|(name, bytes)| {
            let clip = bvh::read(&bytes).ok()?.clip;
            let found = recognise(clip.skeleton(), &WrittenRoles::default());
            Some(Known { name, clip, roles: found.ok().map(|f| f.roles) })
        })
        .collect();
    assert_eq!(clips.len(), 49);
    assert_eq!(clips.iter().filter(|clip| clip.roles.is_some()).count(), 43);
    clips
}

/// Some frames of a clip, its joints named anew.
fn renamed(
    clip: &Clip,
    frames: std::ops::Range<usize>,
    name: impl Fn(usize, &str) -> String,
) -> Clip {
    let mut joints = clip.skeleton().joints().to_vec();
    for (i, joint) in joints.iter_mut().enumerate() {
        joint.name = name(i, &joint.name);
    }
    let skeleton = Skeleton::new(joints).expect("the same tree");
    let mut renamed = Clip::with_capacity(skeleton, clip.frame_time().clone(), frames.len());
    for frame in frames {
        renamed.push(clip.rotations(frame), clip.translations(frame));
    }
    renamed
}

fn found(clip: &Clip) -> Result<Recognised, RecogniseError> {
    recognise_clip(clip, &WrittenRoles::default())
}

/// Letters that differ from joint to joint and spell nothing.
fn random_letters(joint: usize, seed: u64) -> String {
    let mut state = seed.wrapping_add(joint as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut letter = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        char::from(b"bcdgjkqvwxyz"[(state >> 33) as usize % 12])
    };
    (0..7).map(|_| letter()).collect()
}

/// What the names of nobody's language look like.
fn nonsense(scheme: usize, joint: usize) -> String {
    const JAPANESE: [&str; 5] = ["猫", "桜の木", "山", "空", "ネコ"];
    match scheme {
        0 => format!("joint_{joint:02}"),
        1 => String::new(),
        2 => format!("{}{joint}", JAPANESE[joint % JAPANESE.len()]),
        _ => random_letters(joint, scheme as u64),
    }
}

/// What is wrong with the roles found, a line each. Roles that were not found are not wrong.
fn wrong(name: &str, skeleton: &Skeleton, expected: Option<&Roles>, found: &Roles) -> Vec<String> {
    let Some(expected) = expected else { return vec![format!("{name} is no body")] };
    let differs = |(role, joint): &(Role, _)| expected.joint(*role) != Some(*joint);
    let line = |(role, joint)| format!("{name}: {role} is not {:?}", skeleton.name(joint));
    found.iter().filter(differs).map(line).collect()
}

/// Roles that names give and the shape did not find.
fn missed(expected: &Roles, found: &Roles) -> Vec<Role> {
    expected.iter().map(|(role, _)| role).filter(|&role| found.joint(role).is_none()).collect()
}

/// How many seconds of a clip the hips travel faster than a slow walk.
fn walking_s(clip: &Clip, roles: &Roles) -> f64 {
    let joint = |role| roles.joint(role).expect("a body");
    let (hips, thigh, shin, foot) = (
        joint(Role::Hips),
        joint(Role::Thigh(Side::Left)),
        joint(Role::Shin(Side::Left)),
        joint(Role::Foot(Side::Left)),
    );
    let dt = clip.frame_time().seconds();
    let stride = ((0.1 / dt).round() as usize).max(1);
    let worlds: Vec<WorldPose> = (0..clip.len())
        .step_by(stride)
        .map(|frame| WorldPose::of(clip.skeleton(), &clip.pose(frame)))
        .collect();
    let way = |world: &WorldPose, a, b| (world.position(a) - world.position(b)).norm();
    let leg_len = way(&worlds[0], thigh, shin) + way(&worlds[0], shin, foot);
    let step_s = stride as f64 * dt;
    let fast = worlds.windows(2).filter(|pair| {
        let moved = (pair[1].position(hips) - pair[0].position(hips)).norm();
        moved > 0.3 * leg_len * step_s
    });
    fast.count() as f64 * step_s
}

#[test]
fn without_names_clips_that_walk_get_all_their_roles_and_the_others_no_wrong_one() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut errors, mut refused, mut incomplete) = (Vec::new(), Vec::new(), Vec::new());
    let (mut walkers, mut right, mut bodies_right) = (0, 0, 0);
    for Known { name, clip, roles } in known(&dir) {
        let walks = roles.as_ref().is_some_and(|roles| walking_s(&clip, roles) >= 2.0);
        walkers += usize::from(walks);
        let mut whole = true;
        for scheme in 0..8 {
            let clip_renamed = renamed(&clip, 0..clip.len(), |joint, _| nonsense(scheme, joint));
            match found(&clip_renamed) {
                Err(_) => {
                    whole = false;
                    refused.push(format!("{name} walks: {walks}"));
                }
                Ok(found) => {
                    errors.extend(wrong(&name, clip.skeleton(), roles.as_ref(), &found.roles));
                    let missed = roles.as_ref().map(|r| missed(r, &found.roles));
                    if missed.as_ref().is_some_and(|missed| !missed.is_empty()) {
                        whole = false;
                        incomplete.push(format!("{name}: {missed:?}"));
                    }
                }
            }
        }
        right += usize::from(walks && whole);
        bodies_right += usize::from(whole);
    }
    refused.dedup();
    incomplete.dedup();
    println!("all roles: {right} of {walkers} that walk, {bodies_right} of all bodies");
    println!("refused {refused:?}, incomplete {incomplete:?}");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(walkers >= 20, "{walkers}");
    assert!(10 * right >= 9 * walkers, "{right} of {walkers}: {refused:?} {incomplete:?}");
    assert!(bodies_right >= 37, "{bodies_right}: {refused:?} {incomplete:?}");
}

#[test]
fn two_seconds_of_walking_give_no_wrong_role_and_nearly_always_all() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut pieces, mut right, mut errors, mut rest) = (0, 0, Vec::new(), Vec::new());
    for Known { name, clip, roles } in known(&dir) {
        let Some(roles) = roles else { continue };
        let len = (2.0 / clip.frame_time().seconds()).round() as usize;
        for first in (0..clip.len().saturating_sub(len)).step_by(len.max(1)) {
            let piece = renamed(&clip, first..first + len, |joint, _| nonsense(0, joint));
            if walking_s(&piece, &roles) < 1.6 {
                continue;
            }
            pieces += 1;
            match found(&piece) {
                Err(e) => rest.push(format!("{name} from {first}: {}", e.describe(&e.problems[0]))),
                Ok(found) => {
                    let name = format!("{name} from {first}");
                    errors.extend(wrong(&name, clip.skeleton(), Some(&roles), &found.roles));
                    let missed = missed(&roles, &found.roles);
                    right += usize::from(missed.is_empty());
                    if !missed.is_empty() {
                        rest.push(format!("{name}: {missed:?}"));
                    }
                }
            }
        }
    }
    println!("all roles: {right} of {pieces} pieces of 2 s\n{}", rest.join("\n"));
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(pieces >= 80, "{pieces}");
    assert!(10 * right >= 9 * pieces, "{right} of {pieces}: {}", rest.join("\n"));
}

/// The same part on the other side.
fn mirrored(role: Role) -> Role {
    let text = role.to_string();
    let other = match text.split_once('_') {
        Some(("left", part)) => format!("right_{part}"),
        Some(("right", part)) => format!("left_{part}"),
        _ => text,
    };
    other.parse().expect("a role")
}

#[test]
fn the_motion_never_speaks_against_right_names_and_hardly_ever_for_swapped_ones() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut refused, mut untold, mut errors) = (0, Vec::new(), Vec::new());
    for Known { name, clip, roles } in known(&dir) {
        let Some(roles) = roles else { continue };
        match found(&clip) {
            Err(e) => errors.push(format!("{name}: {e}")),
            Ok(found) => assert_eq!(found.roles, roles, "{name}"),
        }
        let skeleton = clip.skeleton();
        let lying = renamed(&clip, 0..clip.len(), |joint, name| {
            let role = roles.role(JointId::new(joint)).map(mirrored);
            role.and_then(|role| roles.joint(role)).map_or(name, |j| skeleton.name(j)).to_owned()
        });
        match found(&lying) {
            Err(_) => refused += 1,
            Ok(_) => untold.push(name),
        }
    }
    println!("{refused} refused; not: {untold:?}");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(refused >= 36, "{refused} refused; not: {untold:?}");
}
