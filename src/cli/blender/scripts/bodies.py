"""Gives an armature a body that renders and exports: one octahedron a bone, skinned to it."""

import bpy
from mathutils import Matrix, Vector

COLOURS = {"source": (0.08, 0.1, 0.14, 1.0), "result": (0.9, 0.3, 0.03, 1.0)}

# The property of a body that says which clip it is of.
SIDE = "retarget_side"

# How thick a bone is, and where along it: shares of its length.
THICK = 0.12
THICK_AT = 0.15


def add(clip, spec):
    """Puts a clip where the job wants it, with a body: its own, or one of bones."""
    if clip.character:
        clip.character.stand(spec["place"]["matrix"])
        for body in filter(None, clip.character.meshes):
            body[SIDE] = spec["name"]
        return
    armature = clip.armature
    mesh, groups = octahedra(armature, spec)
    body = bpy.data.objects.new(spec["name"], mesh)
    bpy.context.scene.collection.objects.link(body)
    body.parent = armature
    body[SIDE] = spec["name"]
    mesh.materials.append(material(spec["name"], COLOURS[spec["name"]]))
    # Each point goes with one bone, by a group of the bone's name.
    for bone in armature.data.bones:
        body.vertex_groups.new(name=bone.name)
    for point, group in enumerate(groups):
        body.vertex_groups[group].add([point], 1.0, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = armature
    armature.matrix_world = Matrix(spec["place"]["matrix"])
    # The octahedra show the joints; Blender's own bones end where its importer guesses.
    armature.data.display_type = "STICK"


def octahedra(armature, spec):
    """The mesh in the rest pose, and for each of its points the bone that it goes with."""
    bones = armature.data.bones
    longest = max((Vector(bone["end"]).length for bone in spec["bones"]), default=1.0)
    points, faces, groups = [], [], []
    for bone in spec["bones"]:
        start = bones[bone["joint"]].head_local
        along = Vector(bone["end"])
        # Fingers keep a body that can be seen, trunks stay slender.
        half = THICK * (0.5 * along.length + 0.25 * longest)
        half = min(half, 0.5 * along.length)
        side = along.orthogonal().normalized() * half
        across = along.cross(side).normalized() * half
        waist = start + THICK_AT * along
        first = len(points)
        points += [start, waist + side, waist + across, waist - side, waist - across, start + along]
        for i in range(4):
            a, b = first + 1 + i, first + 1 + (i + 1) % 4
            faces += [(first, b, a), (first + 5, a, b)]
        groups += [bone["joint"]] * 6
    mesh = bpy.data.meshes.new(spec["name"])
    mesh.from_pydata(points, [], faces)
    mesh.update()
    return mesh, groups


def material(name, colour):
    made = bpy.data.materials.new(name)
    made.diffuse_color = colour
    made.use_nodes = True
    shader = next(node for node in made.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = 0.8
    return made
