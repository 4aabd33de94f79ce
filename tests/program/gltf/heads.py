"""Opens a glTF file in Blender and writes where the bones' heads are: every tenth frame, by name."""

import json
import os
import sys

import bpy
import addon_utils

path, answer, frame_time_s, frames = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
bpy.ops.wm.read_factory_settings(use_empty=True)
addon_utils.enable("io_scene_gltf2")
# A whole rate: the importer takes a broken one for its inverse.
FPS = 60
bpy.context.scene.render.fps = FPS
bpy.ops.import_scene.gltf(filepath=path)
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
heads = {}
for frame in range(0, frames, 10):
    place = frame * frame_time_s * FPS
    bpy.context.scene.frame_set(int(place), subframe=place - int(place))
    heads[frame] = {
        bone.name: list(armature.matrix_world @ bone.head) for bone in armature.pose.bones
    }
with open(answer, "w") as file:
    json.dump(heads, file)
os._exit(0)
