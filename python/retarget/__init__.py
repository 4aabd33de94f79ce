"""Motion capture from any skeleton onto another one, with feet that stand.

Clips and rigs are read from files or made of arrays, retargeted, and written or turned into arrays again:

    import retarget as rt

    clip = rt.load("walk.bvh")
    result, report = rt.retarget(clip, rt.Rig("hero.toml"))
    result.save("walk.hero.bvh")

Everywhere: quaternions are unit Hamilton quaternions, xyzw unless said otherwise; "local" is from a joint's frame to
its parent's, "world" the file's world; lengths are in the clip's own unit; angles are radians unless a name says
degrees; T is frames, J joints.
"""

from ._convert import retarget, retarget_many
from ._datasets import ClipFile, clip_files
from ._load import load
from ._retarget import (
    Clip,
    Contact,
    Contacts,
    Done,
    Live,
    Measure,
    Report,
    Rig,
    __version__,
    from_positions,
    from_rotations,
    read,
)
from ._show import Page, show
from ._smpl import from_smpl, save_smpl

__all__ = [
    "Clip",
    "ClipFile",
    "Contact",
    "Contacts",
    "Done",
    "Live",
    "Measure",
    "Page",
    "Report",
    "Rig",
    "__version__",
    "clip_files",
    "from_positions",
    "from_rotations",
    "from_smpl",
    "load",
    "read",
    "retarget",
    "retarget_many",
    "save_smpl",
    "show",
]
