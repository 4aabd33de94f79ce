//! Meshes of FBX files: their points follow the bones as `ufbx` has them follow.

use super::{files, read, second_opinion, world};
use retarget::internals::math::Vec3;
use std::collections::BTreeMap;

/// Where `ufbx` has the points of each node's mesh.
fn theirs(scene: &ufbx::Scene) -> BTreeMap<usize, Vec<Vec3>> {
    let mut found = BTreeMap::new();
    for node in &scene.nodes {
        let Some(mesh) = node.mesh.as_deref() else { continue };
        let to_world = &node.geometry_to_world;
        let point = |p: &ufbx::Vec3| {
            let p = match mesh.skinned_is_local {
                true => ufbx::transform_position(to_world, *p),
                false => *p,
            };
            Vec3::new(p.x, p.y, p.z)
        };
        let points = mesh.skinned_position.values.iter().map(point).collect();
        found.insert(node.element.typed_id as usize - 1, points);
    }
    found
}

#[test]
fn points_follow_the_bones_as_ufbx_has_them_follow() {
    let Some(files) = files() else { return };
    let (mut surfaces, mut frames) = (0, 0);
    let (mut points, mut shaped) = (0, 0);
    for (name, bytes) in files {
        let (file, other) = (read(&name, &bytes), second_opinion(&bytes));
        let meshes = file.meshes(&|name| Err(format!("{name} is not asked for"))).expect(&name);
        assert_eq!(meshes.surfaces.len(), meshes.shadings.len(), "{name}");
        let scene = file.scene();
        for (index, take) in scene.takes.iter().enumerate() {
            let tracks = file.tracks(index).expect("a take");
            let stack = &other.anim_stacks[index];
            for frame in [0, take.frames() / 2] {
                let time_s = stack.time_begin + frame as f64 * take.frame_time_s;
                let how = ufbx::EvaluateOpts { evaluate_skinning: true, ..Default::default() };
                let moved = ufbx::evaluate_scene(&other, &stack.anim, time_s, how);
                let moved = moved.expect("it evaluates");
                let theirs = theirs(&moved);
                let world = world(scene, &tracks, frame);
                for surface in &meshes.surfaces {
                    let (node, ours) = (&surface.node, surface.placed(&world));
                    let size = ours.iter().map(|p| (p - ours[0]).norm()).fold(0.0, f64::max);
                    assert_eq!(ours.len(), theirs[node].len(), "{name}");
                    let meshes = [&moved, &other].map(|it| it.nodes[node + 1].mesh.as_deref());
                    let shapes = || meshes.into_iter().flatten().flat_map(|m| &m.blend_deformers);
                    for (i, (ours, theirs)) in ours.iter().zip(&theirs[node]).enumerate() {
                        // Faces stay as they are at rest.
                        let by = |shape: &ufbx::BlendDeformer| shape.get_vertex_offset(i);
                        if shapes().map(by).any(|by| [by.x, by.y, by.z] != [0.0; 3]) {
                            shaped += 1;
                            continue;
                        }
                        let off = (ours - theirs).norm();
                        assert!(off < 1e-4 * size, "{name} {}: {off} m", take.name);
                        points += 1;
                    }
                }
                frames += 1;
            }
        }
        surfaces += meshes.surfaces.len();
    }
    assert!(points > 20 * shaped && points > 10_000, "{points} points, {shaped} in shapes");
    assert!(surfaces > 5 && frames > 40, "{surfaces} meshes, {frames} frames");
}

#[test]
fn triangles_are_those_of_the_corners_and_have_colours() {
    let Some(files) = files() else { return };
    let mut coloured = 0;
    for (name, bytes) in files {
        let meshes = read(&name, &bytes).meshes(&|_| Err("none".to_owned())).expect(&name);
        for (surface, shading) in meshes.surfaces.iter().zip(&meshes.shadings) {
            assert_eq!(surface.triangles.len(), shading.triangles.len(), "{name}");
            assert_eq!(surface.triangles.len(), surface.colours.len(), "{name}");
            for (points, corners) in surface.triangles.iter().zip(&shading.triangles) {
                assert_eq!(*points, corners.map(|i| shading.points[i as usize]), "{name}");
            }
            let corners = shading.points.len();
            assert!([0, corners].contains(&shading.normals.len()), "{name}");
            assert!([0, corners].contains(&shading.places.len()), "{name}");
            coloured += surface.colours.iter().filter(|colour| **colour != [1.0; 3]).count();
        }
    }
    assert!(coloured > 100, "{coloured} triangles have a colour of their own");
}
