"""Opens a file with Blender's own importer of FBX."""

import importlib

import addon_utils
import bpy


def open_file(spec):
    """Opens the file with the one animation that is meant; its first frame is the scene's first."""
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
    known = Nodes(helpers)
    joints = [place(known.find(joint["path"])) for joint in spec["nodes"]]
    meshes = [getattr(known.find(mesh["path"]), "bl_obj", None) for mesh in spec["meshes"]]
    return things, joints, meshes


class Nodes:
    """The nodes of a file as the importer has them."""

    def __init__(self, helpers):
        self.by_path, self.by_name = {}, {}
        for helper in filter(lambda helper: helper.fbx_elem, helpers):
            self.by_path.setdefault(path_of(helper), helper)
            self.by_name.setdefault(helper.fbx_name, []).append(helper)

    def find(self, path):
        path = known_path(path)
        # Meshes hang on the armatures that move them, wherever the file has them.
        named = self.by_name.get(path[-1], [])
        return self.by_path.get(path) or (named[0] if len(named) == 1 else None)


def path_of(helper):
    names = []
    while helper is not None:
        if helper.fbx_elem and not helper.is_root:
            names.insert(0, helper.fbx_name)
        helper = helper.parent
    return tuple(names)


def known_path(names):
    """Nodes that hold nothing but a size are none of the file's."""
    return tuple(name for i, name in enumerate(names) if i == 0 or name != names[i - 1] + "_size")


def place(helper):
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
