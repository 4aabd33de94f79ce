"""Clips from files."""

from __future__ import annotations

import os

from ._retarget import Clip, _load


def load(path: str | os.PathLike[str], clip: str | None = None) -> Clip:
    """Reads a clip from a file: BVH (also packed: .bvh.gz, .bvh.zst), glTF, GLB, VRM or VRMA.

    clip: the animation that is meant, where the file holds several. Raises OSError where the file cannot be read, and
    ValueError where it holds no such clip, with the place and the way out.
    """
    return _load(path, clip)
