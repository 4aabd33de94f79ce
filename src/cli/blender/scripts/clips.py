"""Opens a clip with Blender's own importer, and writes down where it has the bones."""

import importlib
import os
from array import array
import sys

import addon_utils
import bpy

import characters

FIRST_FRAME = 1


class Clip:
    """A clip as Blender opened it, as an armature or a whole character; or why it did not."""

    def __init__(self, armature=None, character=None, refused=None):
        self.armature = armature
        self.character = character
        self.refused = refused

    def bones(self):
        if self.character:
            return self.character.bones()
        return len(self.armature.data.bones) if self.armature else 0

    def answer(self):
        bones = list(self.armature.data.bones) if self.armature else []
        place = {bone.name: i for i, bone in enumerate(bones)}
        parents = [place[bone.parent.name] if bone.parent else None for bone in bones]
        return {"refused": self.refused, "parents": parents, "bones": self.bones()}


def open_and_sample(spec, scratch):
    try:
        if spec["file"]:
            character = characters.open_character(spec)
            sample(character.heads, spec["compared"], os.path.join(scratch, spec["name"] + ".heads"))
            sample(character.points, spec["shaped"], os.path.join(scratch, spec["name"] + ".points"))
            return Clip(character=character)
        armature = open_clip(os.path.join(scratch, spec["name"] + ".bvh"))
    except Exception as error:
        # The importer does not say what it cannot read: it runs into whatever error comes of it.
        words = str(error).strip().splitlines()
        return Clip(refused=words[-1] if words else type(error).__name__)
    armature.name = spec["label"]
    sample(lambda: heads(armature), spec["compared"], os.path.join(scratch, spec["name"] + ".heads"))
    return Clip(armature)


def open_clip(path):
    importer = importlib.import_module(addon_utils.enable("io_anim_bvh").__name__ + ".import_bvh")
    # Blender 3.4 opens files in a mode that Python 3.11 and later refuse.
    importer.open = lambda path, mode="r", **how: open(path, mode.replace("U", ""), **how)
    bpy.ops.import_anim.bvh(
        filepath=path,
        global_scale=1.0,
        frame_start=FIRST_FRAME,
        use_fps_scale=False,
        rotate_mode="QUATERNION",
        axis_forward="-Z",
        axis_up="Y",
        update_scene_fps=True,
        update_scene_duration=True,
    )
    return bpy.context.view_layer.objects.active


def heads(armature):
    """The heads of all bones in Blender's world, in its order of bones."""
    heads = array("d")
    for bone in armature.data.bones:
        heads.extend(armature.matrix_world @ armature.pose.bones[bone.name].head)
    return heads


def sample(places, frames, path):
    """Writes down what there is of places in each of the frames."""
    with open(path, "wb") as file:
        for frame in frames:
            bpy.context.scene.frame_set(FIRST_FRAME + frame)
            numbers = places()
            if sys.byteorder == "big":
                numbers.byteswap()
            numbers.tofile(file)
