//! Reads a file with `ufbx`, and makes a [`Scene`] of its nodes.

use super::FbxError;
use super::transform::{frame, local, node_id};
use crate::math::Vec3;
use crate::scene::{Bind, Node, NodeFrame, NodeId, Scene};
use ufbx::{ElementType, ErrorType};

/// The length of a binary file's header, bytes.
const HEADER_LEN: usize = 27;

/// A scene may take this many times the memory of its file, and at least so many bytes. Arrays are compressed in
/// files, those of even keys to a few hundredths.
const MOST_GROWTH: usize = 64;
const ALWAYS_ALLOWED: usize = 64 << 20;

/// What is read of a file besides its nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kept {
    /// Which takes there are and which nodes they move, without their values.
    Nodes,
    Takes,
    /// Takes, and the tree of all records.
    Records,
    /// Takes, with extra nodes for scales that children do not inherit, and meshes with their pictures.
    Meshes,
}

/// Reads the file, in metres with +Y up.
pub(super) fn load(bytes: &[u8], kept: Kept) -> Result<ufbx::SceneRoot, FbxError> {
    let memory = || ufbx::AllocatorOpts {
        memory_limit: ALWAYS_ALLOWED.saturating_add(bytes.len().saturating_mul(MOST_GROWTH)),
        ..Default::default()
    };
    let options = ufbx::LoadOpts {
        temp_allocator: memory(),
        result_allocator: memory(),
        ignore_geometry: kept != Kept::Meshes,
        ignore_animation: kept == Kept::Nodes,
        ignore_embedded: kept != Kept::Meshes,
        retain_dom: kept == Kept::Records,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::TransformRoot,
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        geometry_transform_handling: ufbx::GeometryTransformHandling::Preserve,
        pivot_handling: ufbx::PivotHandling::Retain,
        ..Default::default()
    };
    let loaded = ufbx::load_memory(bytes, options).map_err(|error| match error.type_ {
        ErrorType::UnrecognizedFileFormat | ErrorType::EmptyFile => FbxError::NotFbx,
        ErrorType::TruncatedFile if bytes.len() < HEADER_LEN => FbxError::NotFbx,
        ErrorType::TruncatedFile => FbxError::CutShort,
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            FbxError::TooLarge { times: MOST_GROWTH }
        }
        _ => FbxError::Broken(error.description.to_string()),
    })?;
    // `ufbx` reads other formats as well.
    match loaded.metadata.file_format {
        ufbx::FileFormat::Fbx => Ok(loaded),
        _ => Err(FbxError::NotFbx),
    }
}

/// The nodes of the file without its root, whose transform the nodes below it take over.
pub(super) fn scene(loaded: &ufbx::Scene) -> Result<Scene, FbxError> {
    let mut scene = Scene::default();
    for node in loaded.nodes.into_iter().filter(|node| !node.is_root) {
        let parent = node.parent.as_deref().and_then(node_id);
        scene.nodes.push(Node {
            name: name(node),
            parent,
            local: local(loaded, node, &node.local_transform),
            ..Node::default()
        });
    }
    add_binds(loaded, &mut scene);
    super::take::add_takes(loaded, &mut scene)?;
    mark_joints(loaded, &mut scene);
    Ok(scene)
}

fn name(node: &ufbx::Node) -> String {
    match node.parent.as_deref().filter(|_| node.is_scale_helper) {
        Some(parent) => format!("{}_size", parent.element.name),
        None => node.element.name.to_string(),
    }
}

/// How far the bones of a skin may disagree about where its mesh was, as a share of their size in each direction.
const SAME_SHARE: f64 = 0.01;

/// Adds where skins state that their bones were: in the world, if all bones of a skin agree where its mesh was;
/// otherwise relative to the mesh. For a bone of several skins, the skin with the most bones counts.
fn add_binds(loaded: &ufbx::Scene, scene: &mut Scene) {
    let bones_of = |skin: usize| loaded.skin_deformers[skin].clusters.count;
    for (skin, deformer) in loaded.skin_deformers.into_iter().enumerate() {
        let in_world = says_where(deformer);
        for cluster in &deformer.clusters {
            let Some(id) = cluster.bone_node.as_deref().and_then(node_id) else { continue };
            let node = &mut scene.nodes[id];
            node.is_joint = true;
            let bound = match in_world {
                true => Some(frame(&cluster.bind_to_world)),
                false => frame(&cluster.geometry_to_bone).inverse(),
            };
            if node.bind.as_ref().is_none_or(|bind| bones_of(bind.skin) < bones_of(skin)) {
                node.bind = bound.map(|frame| Bind { skin, frame, in_world }).or(node.bind.take());
            }
        }
    }
    add_poses(loaded, scene);
}

/// Whether all bones of a skin agree where its mesh was in the world.
fn says_where(skin: &ufbx::SkinDeformer) -> bool {
    let world_from_mesh = |cluster: &ufbx::SkinCluster| {
        frame(&cluster.bind_to_world).then(&frame(&cluster.geometry_to_bone))
    };
    let places = skin.clusters.into_iter().map(|cluster| frame(&cluster.bind_to_world).place);
    let (least, most) = places
        .fold((Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN)), |span, at| {
            (span.0.inf(&at), span.1.sup(&at))
        });
    let Some(first) = skin.clusters.into_iter().next().map(world_from_mesh) else { return false };
    skin.clusters.into_iter().map(world_from_mesh).all(|other| {
        let turned = (other.linear - first.linear).norm() <= SAME_SHARE * first.linear.norm();
        turned && (other.place - first.place).norm() <= SAME_SHARE * (most - least).norm()
    })
}

/// Adds where bind poses state that nodes were which belong to no skin. Only poses count that agree with the skins
/// about their bones; without a skin all poses count.
fn add_poses(loaded: &ufbx::Scene, scene: &mut Scene) {
    let skinned: Vec<Option<Bind>> = scene.nodes.iter().map(|node| node.bind.clone()).collect();
    let no_skin = loaded.skin_deformers.count;
    for pose in loaded.poses.into_iter().filter(|pose| pose.is_bind_pose) {
        let posed = pose.bone_poses.iter().filter_map(|posed| {
            node_id(&posed.bone_node).map(|id| (id, frame(&posed.bone_to_world)))
        });
        let posed: Vec<(NodeId, NodeFrame)> = posed.collect();
        let shared = posed.iter().filter_map(|(id, at)| Some((skinned[*id].as_ref()?, at)));
        let mut skin = None;
        let mut agrees = true;
        for (bind, at) in shared {
            let size = bind.frame.linear.norm();
            agrees &= bind.in_world && (bind.frame.linear - at.linear).norm() <= SAME_SHARE * size;
            skin = skin.or(Some(bind.skin));
        }
        if !agrees || (skin.is_none() && skinned.iter().any(Option::is_some)) {
            continue;
        }
        for (id, frame) in posed {
            let bind = Bind { skin: skin.unwrap_or(no_skin), frame, in_world: true };
            scene.nodes[id].bind.get_or_insert(bind);
        }
    }
}

/// Marks the joints. With skins these are the bones of skins and the bones that takes move; without skins all bones;
/// without bones the nodes that takes move.
fn mark_joints(loaded: &ufbx::Scene, scene: &mut Scene) {
    let is_bone = |id: NodeId| loaded.nodes[id + 1].attrib_type == ElementType::Bone;
    let has_skin = scene.nodes.iter().any(|node| node.is_joint);
    let has_bones = (0..scene.nodes.len()).any(is_bone);
    let mut moved = vec![false; scene.nodes.len()];
    for stack in &loaded.anim_stacks {
        for id in super::take::moved(stack) {
            moved[id] = true;
        }
    }
    for (id, node) in scene.nodes.iter_mut().enumerate() {
        node.is_joint |= match (has_skin, has_bones) {
            (true, _) => is_bone(id) && moved[id],
            (false, true) => is_bone(id),
            (false, false) => moved[id],
        };
    }
}
