"""Runs inside Blender, or a Python that has it as a module: opens both clips, writes down what Blender
makes of them, and saves what was asked for. `retarget blender` writes the job and judges the answer.

Only calls that mean the same from Blender 3.4 to 5.0 are used.
"""

import json
import os
import sys

SCRATCH = os.path.dirname(os.path.abspath(sys.argv[-1]))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bpy

import clips


def main():
    with open(os.path.join(SCRATCH, "job.json"), encoding="utf-8") as file:
        job = json.load(file)
    bpy.ops.wm.read_factory_settings(use_empty=True)

    seen = [clips.open_and_sample(clip, SCRATCH) for clip in job["clips"]]
    render = bpy.context.scene.render
    answer = {
        "version": bpy.app.version_string,
        "fps": render.fps / render.fps_base,
        "clips": [clip.answer() for clip in seen],
    }
    with open(os.path.join(SCRATCH, "seen.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)

    whole = [clip.bones() == spec["joints"] for clip, spec in zip(seen, job["clips"])]
    if job["wanted"] and all(whole):
        show(job, seen)


def show(job, seen):
    """Sets the scene and saves it in every form that was asked for."""
    import bodies
    import stage

    for clip, spec in zip(seen, job["clips"]):
        bodies.add(clip, spec)
    stage.add(job)
    if "check.blend" in job["wanted"]:
        stage.look_there()
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(SCRATCH, "check.blend"))
    if "check.glb" in job["wanted"]:
        stage.export_glb(os.path.join(SCRATCH, "check.glb"))
    if "sheet.png" in job["wanted"]:
        import sheet

        sheet.render(job, os.path.join(SCRATCH, "sheet.png"))


main()
# All is written. Some versions of the module crash while Python takes it down.
sys.stdout.flush()
os._exit(0)
