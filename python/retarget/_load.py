"""Clips from files."""

from __future__ import annotations

import os

from ._retarget import Clip, _load


def load(
    path: str | os.PathLike[str],
    clip: str | None = None,
    *,
    layout: str | None = None,
    fps: float | None = None,
    up: str | None = None,
    model: str | os.PathLike[str] | None = None,
) -> Clip:
    """Reads a clip from a file: BVH (also packed: .bvh.gz, .bvh.zst), FBX, glTF, GLB, VRM or VRMA, `.npz` or `.npy`.

    clip: the animation that is meant, where the file holds several.
    Of arrays: layout, which points the places are of, as for `from_positions`; fps, frames a second; up, the axis up of
    the file's world; model, your SMPL model file, for which `from_smpl` has more to say.

    Raises OSError where the file cannot be read, and ValueError where it holds no such clip, with the place and the way
    out.
    """
    return _load(path, clip, layout, fps, up, model)
