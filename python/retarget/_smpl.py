"""SMPL, SMPL-H, SMPL-X and AMASS: `.npz` files of body parameters to clips and back."""

from __future__ import annotations

import os
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ._retarget import Clip, _load, _save_smpl

def from_smpl(
    source: str | os.PathLike[str],
    model: str | os.PathLike[str] | None = None,
    *,
    fps: float | None = None,
    up: str | None = None,
) -> Clip:
    """A clip of SMPL, SMPL-H or SMPL-X parameters, such as AMASS has them.

    source: an `.npz` with `poses` (T, 3 J), axis times radians, of 22, 24, 52 or 55 joints, or `root_orient`,
    `pose_body` and so on; `trans` (T, 3), metres; `betas`; and `mocap_framerate`.
    model: your own model file, an `.npz` with `v_template`, `shapedirs` and `J_regressor`, which says how long bones
    are; its licence keeps us from having one. Without it they are those of people in the mean, with a warning.
    fps: where the file does not say it. up: "y" or "z", the axis up of the file's world; "z" where the file has
    AMASS's frame rate, else "y".

    The clip is in metres with Y up, in the models' zero pose, with their joints. Raises OSError where a file cannot be
    read, and ValueError, naming the key, where it lacks something. Pickled objects are never loaded.
    """
    if up not in (None, "y", "z"):
        raise ValueError(f"up is {up!r}; there are 'y' and 'z'")
    return _load(source, None, None, fps, up, model)


def save_smpl(
    clip: Clip,
    path: str | os.PathLike[str],
    *,
    betas: ArrayLike | None = None,
    gender: str | None = None,
    up: Literal["y", "z"] = "z",
) -> None:
    """Writes a clip on an SMPL, SMPL-H or SMPL-X skeleton as an `.npz` with the keys of AMASS.

    `poses` (T, 3 J), axis times radians; `trans` (T, 3), metres; `betas` and `gender`, without these those of the file that
    the skeleton is from; `mocap_framerate`; and of a result `contacts` (T, P) of `contact_names` (P). up: the axis up of the
    written world. The clip is one that `from_smpl` gave, or a result of `retarget(…, rt.Rig(from_smpl(…)))`; with Z up
    `clip.save(path)` writes the same. Raises ValueError for any other skeleton. An input is never written over.
    """
    shape = None if betas is None else np.asarray(betas, dtype=np.float64).ravel().tolist()
    _save_smpl(clip, path, shape, gender, up)
