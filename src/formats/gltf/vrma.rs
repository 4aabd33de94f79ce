//! Writes a result as `VRMC_vrm_animation` 1.0, a humanoid clip that any VRM avatar plays.

use super::humanoid::{DIGITS, LIMBS, SPINE};
use super::json::{Animation, Kind, Node, Property, Scene, push};
use super::pack::Pack;
use super::{GltfError, quaternion, run_on, single};
use crate::clip::Clip;
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Digit, Rig, Role, Side, UpAxis};
use crate::skeleton::JointId;
use serde_json::{Map, Value, json};

/// A clip of a person's rig as the bytes of a `.vrma` file.
///
/// The file has a node for each human bone, the hips at the root, with the rig's own lengths in metres. At rest the
/// body stands in VRM's T-pose and faces +Z, and no node is turned. Rotations of all bones and the position of the
/// hips have a key at each frame. A length unit is `unit_m` metres. Memory and time grow with frames times bones.
pub fn write_vrma(clip: &Clip, rig: &Rig, unit_m: f64) -> Result<Vec<u8>, GltfError> {
    if clip.is_empty() {
        return Err(GltfError::NoFrames);
    }
    let bones = bones(rig)?;
    let rest = t_pose(rig);
    let world = rig.up.turn_to(UpAxis::Y);
    let above = |joint: JointId| {
        let above = rig.skeleton.ancestors(joint);
        above.into_iter().find_map(|id| bones.iter().position(|bone| bone.joint == id))
    };
    let parents: Vec<Option<usize>> = bones.iter().map(|bone| above(bone.joint)).collect();
    let mut pack = Pack::new();
    let mut roots = Vec::new();
    for (place, bone) in bones.iter().enumerate() {
        let from = parents[place].map_or(Vec3::zeros(), |parent| rest[bones[parent].joint.index()]);
        let children = (0..bones.len()).filter(|child| parents[*child] == Some(place)).collect();
        if parents[place].is_none() {
            roots.push(place);
        }
        pack.root.nodes.push(Node {
            name: bone.name.clone(),
            translation: Some(single((rest[bone.joint.index()] - from) * unit_m)),
            children,
            ..Node::default()
        });
    }
    pack.root.scene = push(&mut pack.root.scenes, Scene { nodes: roots });
    let human =
        bones.iter().enumerate().map(|(node, bone)| (bone.name.clone(), json!({ "node": node })));
    let human: Map<String, Value> = human.collect();
    pack.root.extensions_used = vec![EXTENSION];
    pack.root.extensions =
        Some(json!({ EXTENSION: { "specVersion": "1.0", "humanoid": { "humanBones": human } } }));

    let count = clip.len();
    let mut turns = vec![Vec::with_capacity(count); bones.len()];
    let mut places = Vec::with_capacity(count);
    let (mut pose, mut posed) = (Pose::rest(&rig.skeleton), WorldPose::new(rig.skeleton.len()));
    let mut upright = vec![Quat::identity(); bones.len()];
    for frame in 0..count {
        clip.read_pose(frame, &mut pose);
        posed.set(&rig.skeleton, &pose);
        for (place, bone) in bones.iter().enumerate() {
            // The bone's turn away from the T-pose does not depend on the axes of its joint.
            let stance = rig.stance.body_from_joint[bone.joint.index()];
            upright[place] = world * posed.rotation(bone.joint) * stance.inverse();
            let above = parents[place].map_or(Quat::identity(), |parent| upright[parent]);
            turns[place].push(above.inverse() * upright[place]);
        }
        places.push(single(world * posed.position(bones[0].joint) * unit_m));
    }
    let frame_time_s = clip.frame_time().seconds();
    let times = (0..count).map(|frame| [(frame as f64 * frame_time_s) as f32]);
    let input = pack.push(times, Kind::Scalar, None, true);
    let mut animation = Animation::default();
    let mut add = |node, path, output| animation.add(node, path, input, output);
    add(0, Property::Translation, pack.push(places.into_iter(), Kind::Vec3, None, false));
    for (node, turns) in turns.into_iter().enumerate() {
        let keys = run_on(turns.into_iter()).map(quaternion);
        add(node, Property::Rotation, pack.push(keys, Kind::Vec4, None, false));
    }
    pack.root.animations.push(animation);
    pack.finish().ok_or(GltfError::TooLarge)
}

const EXTENSION: &str = "VRMC_vrm_animation";

/// A human bone and its joint.
struct Bone {
    name: String,
    joint: JointId,
}

/// The bones that VRM requires.
const NEEDED: [&str; 6] = ["UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"];

/// The bones of a rig by VRM's names. The hips come first, and each bone after those above it.
fn bones(rig: &Rig) -> Result<Vec<Bone>, GltfError> {
    let mut bones = Vec::new();
    let mut add = |name: String, role: Role, is_needed: bool| match rig.joint(role) {
        Some(joint) => {
            bones.push(Bone { name, joint });
            Ok(())
        }
        None if is_needed => Err(GltfError::NoBone { bone: name, role }),
        None => Ok(()),
    };
    add("hips".to_owned(), Role::Hips, true)?;
    // VRM names three bones of a spine; a longer spine gives its first, middle and last joint.
    let spine = u8::try_from(rig.roles.spine().len()).unwrap_or(u8::MAX);
    let named = [1, spine.div_ceil(2).max(2), spine.max(3)];
    for (name, number) in SPINE.into_iter().zip(named) {
        add(name.to_owned(), Role::Spine(number), name == SPINE[0])?;
    }
    add("neck".to_owned(), Role::Neck(1), false)?;
    add("head".to_owned(), Role::Head, true)?;
    for side in Side::BOTH {
        for (part, role) in LIMBS {
            add(format!("{}{part}", side.word()), role(side), NEEDED.contains(&part))?;
        }
        for (word, digit) in DIGITS {
            let names = match digit {
                Digit::Thumb => ["Metacarpal", "Proximal", "Distal"],
                _ => ["Proximal", "Intermediate", "Distal"],
            };
            for (name, number) in names.into_iter().zip(1..) {
                let role = Role::Finger(side, digit, number);
                add(format!("{}{word}{name}", side.word()), role, false)?;
            }
        }
    }
    bones.sort_by_key(|bone| bone.joint);
    Ok(bones)
}

/// The positions of the joints when the body stands on the floor in the T-pose, in body space.
fn t_pose(rig: &Rig) -> Vec<Vec3> {
    let skeleton = &rig.skeleton;
    let hips = rig.joint(Role::Hips).expect("every rig has hips");
    let mut world = WorldPose::new(skeleton.len());
    world.rotations.copy_from_slice(&rig.stance.body_from_joint);
    for id in skeleton.ids().filter(|id| skeleton.is_ancestor(hips, *id)) {
        let above = skeleton.parent(id).expect("below the hips");
        let bone = world.rotation(above) * rig.stance.local.translations[id.index()];
        world.positions[id.index()] = world.position(above) + bone;
    }
    let soles = rig.feet.iter().map(|foot| foot.bottom(foot.sole_world(&world), UpAxis::Y));
    let ground = soles.fold(f64::INFINITY, f64::min);
    let ground = if ground.is_finite() { ground } else { 0.0 };
    world.positions.iter().map(|place| place - Vec3::y() * ground).collect()
}
