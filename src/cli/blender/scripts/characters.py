"""Opens a character's file with Blender's own importers of glTF and FBX, and writes down where it has joints and meshes."""

import importlib
from array import array

import addon_utils
import bpy
from mathutils import Matrix

# Blender's importer takes a rate that is not whole for its inverse.
MOST_OFF_RATE = 1e-6


class Character:
    """A character as Blender opened it."""

    def __init__(self, things, joints, meshes):
        self.things = things
        self.roots = [thing for thing in things if thing.parent is None]
        # Objects and their bones, or no bone: of each joint, and of each mesh in the order of the file's nodes.
        self.joints = joints
        self.meshes = meshes

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


def open_character(spec):
    """Opens the file with the one animation that is meant; its first frame is the scene's first."""
    return {"glTF": open_gltf, "FBX": open_fbx}[spec["format"]](spec)


def open_gltf(spec):
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
    return Character(things, joints, [carriers.get(mesh["id"]) for mesh in spec["meshes"]])


def open_fbx(spec):
    importer = importlib.import_module(addon_utils.enable("io_scene_fbx").__name__ + ".import_fbx")
    helpers = []
    begin = importer.FbxImportHelperNode.__init__

    def begun(self, *how):
        begin(self, *how)
        helpers.append(self)

    before = set(bpy.data.objects), set(bpy.data.actions)
    importer.FbxImportHelperNode.__init__ = begun
    try:
        bpy.ops.import_scene.fbx(filepath=spec["file"])
    finally:
        importer.FbxImportHelperNode.__init__ = begin
    things = [thing for thing in bpy.data.objects if thing not in before[0]]
    actions = [action for action in bpy.data.actions if action not in before[1]]
    render = bpy.context.scene.render
    play_action(things, actions, spec["take_name"], 1.0 / spec["frame_time"] / (render.fps / render.fps_base))
    render.fps = max(round(1.0 / spec["frame_time"]), 1)
    render.fps_base = render.fps * spec["frame_time"]
    known = FbxNodes(helpers)
    joints = [fbx_place(known.find(joint["path"])) for joint in spec["nodes"]]
    meshes = [getattr(known.find(mesh["path"]), "bl_obj", None) for mesh in spec["meshes"]]
    return Character(things, joints, meshes)


class FbxNodes:
    """The nodes of a file as the importer has them."""

    def __init__(self, helpers):
        self.by_path, self.by_name = {}, {}
        for helper in filter(lambda helper: helper.fbx_elem, helpers):
            self.by_path.setdefault(fbx_path(helper), helper)
            self.by_name.setdefault(helper.fbx_name, []).append(helper)

    def find(self, path):
        path = known_path(path)
        # Meshes hang on the armatures that move them, wherever the file has them.
        named = self.by_name.get(path[-1], [])
        return self.by_path.get(path) or (named[0] if len(named) == 1 else None)


def fbx_path(helper):
    names = []
    while helper is not None:
        if helper.fbx_elem and not helper.is_root:
            names.insert(0, helper.fbx_name)
        helper = helper.parent
    return tuple(names)


def known_path(names):
    """Nodes that hold nothing but a size are none of the file's."""
    return tuple(name for i, name in enumerate(names) if i == 0 or name != names[i - 1] + "_size")


def fbx_place(helper):
    if helper is None:
        return None
    return (helper.armature.bl_obj, helper.bl_bone) if helper.is_bone else (helper.bl_obj, None)


def play_action(things, actions, name, stretch):
    """Has each object play its part of one animation; each frame of the file is one of the scene."""
    for thing in things:
        if thing.animation_data:
            thing.animation_data.action = None
    for action in actions:
        owner, _, rest = action.name.partition("|")
        # Names are cut where they are too long.
        if not (rest.startswith(name + "|") or name.startswith(rest)):
            continue
        for curve in curves(action):
            for key in curve.keyframe_points:
                for point in (key.co, key.handle_left, key.handle_right):
                    point.x = 1.0 + (point.x - 1.0) * stretch
        for thing in things:
            if thing.name == owner:
                thing.animation_data_create().action = action
                if hasattr(action, "slots") and action.slots:
                    thing.animation_data.action_slot = action.slots[0]


def curves(action):
    """All curves of an action, as versions of Blender keep them."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves]


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
