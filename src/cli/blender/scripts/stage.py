"""The scene around the two bodies: floor, light, camera, labels, and marks where feet are planted."""

import math

import addon_utils
import bpy
from mathutils import Vector

from bodies import material
from clips import FIRST_FRAME

MARK_COLOURS = {
    "left": (0.1, 0.35, 0.9, 1.0),
    "right": (0.85, 0.12, 0.12, 1.0),
    "middle": (0.2, 0.6, 0.3, 1.0),
}
MARK_RADIUS = 0.05
# The property of a mark that says which clip it is of.
MARK = "retarget_mark"
# A mark that is not lit; a size of zero would leave exporters without a direction.
HIDDEN = 0.001
# Tiles of the floor: metres, and how many at most along a side.
TILE = 1.0
MOST_TILES = 60


def add(job):
    scene = bpy.context.scene
    scene.frame_start = FIRST_FRAME
    scene.frame_end = FIRST_FRAME + job["frames"] - 1
    scene.frame_set(FIRST_FRAME)
    floor(*job["floor"])
    add_marks(job)
    for clip in job["clips"]:
        text(clip["label"], clip["place"]["label"], turn_to(job["front"]), 0.16)
    light(job["front"])
    camera(job)


def link(name, data):
    made = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(made)
    return made


def turn_to(front):
    """The turn about Z after which something that faced −Y faces the front."""
    return {"-y": 0.0, "+x": 0.5 * math.pi}[front]


def floor(least, most):
    """A chequered floor, its tiles in line with the origin."""
    tile = TILE
    while max(most[0] - least[0], most[1] - least[1]) / tile > MOST_TILES:
        tile *= 2.0
    first = [math.floor(c / tile) for c in least]
    count = [max(math.ceil(b / tile) - a, 1) for a, b in zip(first, most)]
    points = [
        ((first[0] + x) * tile, (first[1] + y) * tile, 0.0)
        for y in range(count[1] + 1)
        for x in range(count[0] + 1)
    ]
    row = count[0] + 1
    corners = [y * row + x for y in range(count[1]) for x in range(count[0])]
    mesh = bpy.data.meshes.new("floor")
    mesh.from_pydata(points, [], [(c, c + 1, c + 1 + row, c + row) for c in corners])
    mesh.materials.append(material("floor light", (0.5, 0.5, 0.49, 1.0)))
    mesh.materials.append(material("floor dark", (0.42, 0.42, 0.41, 1.0)))
    for face in mesh.polygons:
        x, y = face.index % count[0], face.index // count[0]
        face.material_index = (first[0] + x + first[1] + y) % 2
    link("floor", mesh)


def add_marks(job):
    meshes = {side: disc(side, colour) for side, colour in MARK_COLOURS.items()}
    for clip in job["clips"]:
        for mark in clip["marks"]:
            made = link(f"{clip['name']} {mark['side']} contact", meshes[mark["side"]])
            made[MARK] = clip["name"]
            made.location = mark["at"]
            light_up(made, *mark["frames"])


def light_up(mark, start, end):
    """Keyframes by which the mark has its size from frame `start` up to `end`, however keys are joined."""
    for frame, size in [(start - 1, HIDDEN), (start, 1.0), (end - 1, 1.0), (end, HIDDEN)]:
        mark.scale = (size, size, size)
        mark.keyframe_insert("scale", frame=FIRST_FRAME + frame)


def disc(name, colour):
    corners = 24
    turn = 2.0 * math.pi / corners
    # Just above the floor, so that neither shines through the other.
    points = [(MARK_RADIUS * math.cos(i * turn), MARK_RADIUS * math.sin(i * turn), 0.004) for i in range(corners)]
    mesh = bpy.data.meshes.new(f"{name} contact")
    mesh.from_pydata(points, [], [tuple(range(corners))])
    mesh.materials.append(material(f"{name} contact", colour))
    return mesh


def text(words, place, turn, size):
    """Words that stand upright and face the front."""
    curve = bpy.data.curves.new(words, "FONT")
    curve.body = words
    curve.size = size
    curve.align_x = "CENTER"
    curve.materials.append(bpy.data.materials.get("label") or material("label", (0.05, 0.05, 0.05, 1.0)))
    made = link(words, curve)
    made.location = place
    made.rotation_euler = (0.5 * math.pi, 0.0, turn)
    return made


def light(front):
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy = 2.2
    sun.angle = 0.1
    link("sun", sun).rotation_euler = (0.7, 0.25, turn_to(front) + 0.35)
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    sky = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    sky.inputs["Color"].default_value = (0.85, 0.88, 0.92, 1.0)
    sky.inputs["Strength"].default_value = 0.45
    bpy.context.scene.world = world


def camera(job):
    """Looks from the front, a little from above, at the whole floor."""
    (x0, y0), (x1, y1) = job["floor"]
    middle = Vector((0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.8))
    wide = max(x1 - x0, y1 - y0, 4.0)
    turn = turn_to(job["front"])
    lens = bpy.data.cameras.new("camera")
    lens.clip_end = 100.0 * wide
    made = link("camera", lens)
    made.location = middle + Vector((math.sin(turn), -math.cos(turn), 0.3)) * 1.5 * wide
    made.rotation_euler = (made.location - middle).to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.camera = made


def look_there():
    """Has every 3D view that the saved file opens with look through the camera, in colour."""
    for screen in bpy.data.screens:
        for area in screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.region_3d.view_perspective = "CAMERA"
                area.spaces.active.shading.color_type = "MATERIAL"


def export_glb(path):
    addon_utils.enable("io_scene_gltf2")
    bpy.ops.export_scene.gltf(filepath=path, export_format="GLB")
