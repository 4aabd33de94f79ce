"""Opens a character's file with Blender's own importer, and writes down where it has joints and meshes."""

import importlib
from array import array

import bpy
from mathutils import Matrix


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


def open_character(spec):
    """Opens the file with the one animation that is meant; its first frame is the scene's first."""
    return Character(*importlib.import_module(spec["opened_by"]).open_file(spec))
