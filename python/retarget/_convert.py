"""One clip at a time."""

from __future__ import annotations

import os
from typing import Literal

from ._retarget import Clip, Report, Rig, _How, _retarget


def retarget(
    clip: Clip | str | os.PathLike[str],
    rig: Rig | Clip | str | os.PathLike[str],
    *,
    foot_plants: Literal["auto", "ground", "off"] = "auto",
    scale: float | str | None = None,
    in_place: bool = False,
    accept_doubt: bool = False,
    strict: bool = False,
    source_rig: str | os.PathLike[str] | None = None,
    contacts: str | os.PathLike[str] | None = None,
    root_motion: str | None = None,
) -> tuple[Clip, Report]:
    """Carries a clip onto a rig: the result, and the report on it.

    clip: a Clip or a path. rig: a Rig, or a path or Clip to make one of.
    foot_plants: "auto", feet stand where the source's stand; "ground", kept above the ground but free; "off".
    scale: "leg", "height", "none" or a factor, target over source; without it what the rig's file says, else "leg".
    in_place: keep the hips from travelling, once the feet are planted.
    accept_doubt: go on with the likeliest reading of a rig where what was found is in doubt.
    strict: refuse files that have to be repaired.
    source_rig: a skeleton.toml with what you say of the clip's own rig. contacts: a side file of when the feet stand.
    root_motion: the joint above the hips that the travel goes on, or "auto" for the one that they hang on.

    The result has the target's joints and the source's frame rate, and is the same as the command line's. Runs without
    the interpreter's lock, on all cores. Raises ValueError where a rig is not recognised or the two do not go
    together, OSError where a file cannot be read.
    """
    how = _How(
        foot_plants=foot_plants, scale=scale, in_place=in_place, accept_doubt=accept_doubt, strict=strict,
        source_rig=source_rig, root_motion=root_motion,
    )  # fmt: skip
    return _retarget(clip, rig, how, contacts)
