"""Opens a character's file with Blender's own importer of glTF, and writes down where it has joints and meshes."""

import addon_utils
import bpy
from array import array
from mathutils import Matrix

# Blender's importer takes a rate that is not whole for its inverse.
MOST_OFF_RATE = 1e-6


class Character:
    """A character as Blender opened it."""

    def __init__(self, told, things, nodes):
        self.things = things
        self.roots = [thing for thing in things if thing.parent is None]
        # Objects and their bones, or no bone: of each joint, and of each mesh in the order of the file's nodes.
        self.joints = [place(nodes, joint) for joint in told["nodes"]]
        carriers = {node.mesh_node_idx: node.blender_object for node in nodes.values() if node.mesh_node_idx is not None}
        self.meshes = [carriers.get(mesh) for mesh in told["meshes"]]

    def bones(self):
        return sum(joint is not None for joint in self.joints)

    def heads(self):
        """Where the joints are now."""
        heads = array("d")
        for thing, bone in filter(None, self.joints):
            heads.extend(thing.matrix_world @ (thing.pose.bones[bone].head if bone else zero()))
        return heads

    def points(self):
        """Where the points of all meshes are now."""
        points = array("d")
        graph = bpy.context.evaluated_depsgraph_get()
        for thing in filter(None, self.meshes):
            there = thing.evaluated_get(graph)
            mesh = there.to_mesh()
            for point in mesh.vertices:
                points.extend(there.matrix_world @ point.co)
            there.to_mesh_clear()
        return points

    def stand(self, matrix):
        """Puts it where the job wants it."""
        holder = bpy.data.objects.new("place", None)
        bpy.context.scene.collection.objects.link(holder)
        for root in self.roots:
            root.parent = holder
        holder.matrix_world = Matrix(matrix)


def zero():
    return Matrix().to_translation()


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


def open_character(told):
    """Opens the file with the one animation that is meant; its first frame is the scene's first."""
    addon_utils.enable("io_scene_gltf2")
    from io_scene_gltf2.blender.imp.blender_gltf import BlenderGlTF

    files = []
    make = BlenderGlTF.create

    def create(file):
        files.append(file)
        file.data.animations = file.data.animations[told["take"] : told["take"] + 1]
        return make(file)

    render = bpy.context.scene.render
    rate = 1.0 / told["frame_time"]
    render.fps, render.fps_base = max(round(rate), 1), 1.0
    before = set(bpy.data.objects)
    # Its other ways to lay bones put meshes on bones elsewhere in an armature that has a size.
    how = {"filepath": told["file"], "merge_vertices": False, "bone_heuristic": "TEMPERANCE"}
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
    return Character(told, things, files[0].vnodes)


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
