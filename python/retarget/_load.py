"""Clips from files."""

from __future__ import annotations

import os

from ._retarget import Clip, _load


def load(path: str | os.PathLike[str]) -> Clip:
    """Reads a clip from a file: .bvh, .bvh.gz or .bvh.zst.

    Raises OSError where it cannot be read, and ValueError where it is no clip, with the line and the way out.
    """
    return _load(path)
