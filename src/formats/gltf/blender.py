"""Opens a file with Blender's own importer of glTF."""

import addon_utils
import bpy

# Blender's importer takes a rate that is not whole for its inverse.
MOST_OFF_RATE = 1e-6


def open_file(spec):
    """Opens the file with the one animation that is meant; its first frame is the scene's first."""
    addon_utils.enable("io_scene_gltf2")
    from io_scene_gltf2.blender.imp.blender_gltf import BlenderGlTF

    files = []
    make = BlenderGlTF.create

    def create(file):
        files.append(file)
        file.data.animations = file.data.animations[spec["take"] : spec["take"] + 1]
        return make(file)

    render = bpy.context.scene.render
    rate = 1.0 / spec["frame_time"]
    render.fps, render.fps_base = max(round(rate), 1), 1.0
    before = set(bpy.data.objects)
    # Its other ways to lay bones put meshes on bones elsewhere in an armature that has a size.
    how = {"filepath": spec["file"], "merge_vertices": False, "bone_heuristic": "TEMPERANCE"}
    if "disable_bone_shape" in bpy.ops.import_scene.gltf.get_rna_type().properties:
        how["disable_bone_shape"] = True
    BlenderGlTF.create = staticmethod(create)
    try:
        bpy.ops.import_scene.gltf(**how)
    finally:
        BlenderGlTF.create = staticmethod(make)
    things = [thing for thing in bpy.data.objects if thing not in before]
    play(things, rate / render.fps)
    render.fps_base = render.fps / rate
    nodes = files[0].vnodes
    carriers = {node.mesh_node_idx: node.blender_object for node in nodes.values() if node.mesh_node_idx is not None}
    joints = [place(nodes, joint["id"]) for joint in spec["nodes"]]
    return things, joints, [carriers.get(mesh["id"]) for mesh in spec["meshes"]]


def place(nodes, joint):
    """The object of a node, and its bone; None where the importer made neither."""
    node = nodes.get(joint)
    if node is None:
        return None
    thing = getattr(node, "blender_object", None)
    if thing is not None:
        return thing, None
    armature = nodes.get(node.bone_arma)
    return (armature.blender_object, node.blender_bone_name) if armature else None


def play(things, stretch):
    """Has the imported animation play from the first frame on: the importer lays it there and mutes it."""
    for thing in things:
        for moved in (thing, getattr(thing.data, "shape_keys", None)):
            moves = moved.animation_data if moved else None
            if not moves or not moves.nla_tracks:
                continue
            moves.action = None
            for track in moves.nla_tracks:
                track.mute = False
                for strip in track.strips:
                    if abs(stretch - 1.0) > MOST_OFF_RATE:
                        strip.scale = stretch
