"""Clips from files."""

from __future__ import annotations

import os

from ._retarget import Clip, _load
from ._smpl import from_smpl


def load(path: str | os.PathLike[str], clip: str | None = None) -> Clip:
    """Reads a clip from a file: BVH (also packed: .bvh.gz, .bvh.zst), glTF, GLB, VRM or VRMA, or an `.npz`
    of SMPL parameters, for which `from_smpl` has more to say.

    clip: the animation that is meant, where the file holds several. Raises OSError where the file cannot be read, and
    ValueError where it holds no such clip, with the place and the way out.
    """
    if os.fspath(path).lower().endswith(".npz"):
        return from_smpl(path)
    return _load(path, clip)
