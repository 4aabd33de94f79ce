"""A contact sheet: moments of both clips on one floor, rendered in one go by Cycles, which needs no
screen and no graphics card."""

import math

import addon_utils
import bpy
from mathutils import Matrix, Vector

import stage
from bodies import SIDE
from clips import FIRST_FRAME

COLUMNS, ROWS = 4, 3
# Metres from one moment to the next, along the picture and into it; how far the two bodies of a moment
# stand from its middle.
CELL, DEPTH, APART = 2.9, 5.6, 0.7
PIXELS = (1600, 1000)
SAMPLES = 12
# Words that lie on the floor.
FLAT = (0.0, 0.0, 0.0)
# From how far above the camera looks down.
ELEVATION = math.radians(22.0)


def render(job, path):
    addon_utils.enable("cycles")
    moments = moments_of(job["frames"])
    poses = [freeze(job, frame) for frame in moments]
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    # All else was saved before: the sheet takes the scene over.
    bpy.data.batch_remove(list(bpy.data.objects))
    for i, (frame, pose) in enumerate(zip(moments, poses)):
        lay_out(job, i, f"{frame / fps:.2f} s", pose)
    width = CELL * COLUMNS
    names = "   ".join(clip["label"] for clip in job["clips"])
    stage.text(names, (0.5 * (width - CELL), -DEPTH * (ROWS - 1) - 1.8, 0.01), 0.0, 0.26).rotation_euler = FLAT
    stage.floor([-2.0 * CELL, -DEPTH * (ROWS + 1)], [width + CELL, 3.0 * DEPTH])
    stage.light("-y")
    camera(0.5 * (width - CELL), width)
    settings(bpy.context.scene, path)
    bpy.ops.render.render(write_still=True)


def moments_of(frames):
    """Frames spread evenly over the clip, the first and the last among them."""
    count = COLUMNS * ROWS
    return sorted({round(i * (frames - 1) / (count - 1)) for i in range(count)})


def freeze(job, frame):
    """The bodies and the lit marks of a frame as meshes at rest, by clip, in the scene's places."""
    bpy.context.scene.frame_set(FIRST_FRAME + frame)
    graph = bpy.context.evaluated_depsgraph_get()
    pose = []
    for clip in job["clips"]:
        name = clip["name"]
        things = bpy.context.scene.objects
        shown = [thing for thing in things if thing.get(SIDE) == name]
        lit = [thing for thing in things if thing.get(stage.MARK) == name and thing.scale.x > stage.HIDDEN]
        pose.append([[frozen(thing, graph) for thing in group] for group in (shown, lit)])
    return pose


def frozen(thing, graph):
    there = thing.evaluated_get(graph)
    mesh = bpy.data.meshes.new_from_object(there, depsgraph=graph)
    mesh.transform(there.matrix_world)
    return mesh


def lay_out(job, place, words, pose):
    column, row = place % COLUMNS, place // COLUMNS
    cell = Vector((column * CELL, -row * DEPTH, 0.0))
    for side, (bodies, marks) in zip((-APART, APART), pose):
        points = [point.co for body in bodies for point in body.vertices]
        middle = [0.5 * (min(p[i] for p in points) + max(p[i] for p in points)) for i in (0, 1)]
        for mesh in bodies + marks:
            # Seen from the front of the scene, wherever that is.
            mesh.transform(Matrix.Translation((-middle[0], -middle[1], 0.0)))
            mesh.transform(Matrix.Rotation(-stage.turn_to(job["front"]), 4, "Z"))
            thing = stage.link(f"moment {place}", mesh)
            thing.location = cell + Vector((side, 0.0, 0.0))
    stage.text(words, cell + Vector((0.0, -0.9, 0.01)), 0.0, 0.3).rotation_euler = FLAT


def camera(middle, width):
    lens = bpy.data.cameras.new("sheet camera")
    lens.type = "ORTHO"
    lens.ortho_scale = width
    made = stage.link("sheet camera", lens)
    target = Vector((middle, -0.5 * DEPTH * (ROWS - 1), 0.6))
    away = Vector((0.0, -math.cos(ELEVATION), math.sin(ELEVATION)))
    made.location = target + 40.0 * away
    made.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.camera = made


def settings(scene, path):
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = SAMPLES
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 2
    scene.render.resolution_x, scene.render.resolution_y = PIXELS
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = path
    scene.view_settings.view_transform = "Standard"
