"""Conversions, of one clip and of many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from . import _files
from ._retarget import Clip, Done, Report, Rig, _How, _retarget, _retarget_files


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
    """Retargets a clip onto a rig: the result, and the report on it.

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
    how = _How({
        "foot_plants": foot_plants, "scale": scale, "in_place": in_place, "accept_doubt": accept_doubt,
        "strict": strict, "source_rig": source_rig, "root_motion": root_motion,
    })  # fmt: skip
    return _retarget(clip, rig, how, contacts)


def retarget_many(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    rig: Rig | Clip | str | os.PathLike[str],
    *,
    output: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool | Callable[[Done, int], Any] = True,
    foot_plants: str = "auto",
    scale: float | str | None = None,
    in_place: bool = False,
    accept_doubt: bool = False,
    strict: bool = False,
    source_rig: str | os.PathLike[str] | None = None,
    decimals: int = 6,
    format: str | None = None,
    root_motion: str | None = None,
    clip: str | None = None,
    replace: bool = False,
    layout: str | None = None,
    fps: float | None = None,
    model: str | os.PathLike[str] | None = None,
) -> list[Done]:
    """Retargets many clips onto one rig, on threads without the interpreter's lock.

    paths: files, or a folder, which is searched with all below it. rig: a Rig, or a path or Clip to make one of.
    output: a folder for the results, in the same tree and under the same names; without it all results are kept in
    memory, as `Done.clip`. format: what they are written as, "bvh" (the default), "bvh.gz", "bvh.zst", "npz", "npy",
    "vrma", "glb", or the character's own format, in which each is the character with one animation more; replace=True
    replaces an animation of the same name. clip: which animation is meant of files that hold several.
    layout, fps, model: what `.npy` and `.npz` files among them leave open, as for `load`. workers: clips in hand at a
    time, by default one for each core. progress: True shows a line on a terminal; a function is called with each
    `Done` and how many there are so far. decimals: of every number in the motion of a BVH file.
    The other arguments are those of `retarget`.

    Gives an entry for each clip, in the order of `paths`. A clip that fails does not stop the others; its `Done.error`
    says why. The results are those of the command line, to the last byte. Raises what `Rig` raises, and ValueError if
    two results would get one name. Ctrl-C finishes the clips in hand and raises KeyboardInterrupt.
    """
    clips, root = _files.clips(paths)
    files: list[tuple[Path, Path | None]] = [(path, None) for path in clips]
    if output is not None:
        files = [(path, Path(output) / _files.result_name(path.relative_to(root), format)) for path in clips]
        _files.refuse_twice(files)
        for folder in {result.parent for _, result in files if result is not None}:
            folder.mkdir(parents=True, exist_ok=True)
    watch = progress if callable(progress) else _files.line(len(files)) if progress else None
    count = workers if workers is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"workers is {count}; there has to be at least 1")
    how = _How({
        "foot_plants": foot_plants, "scale": scale, "in_place": in_place, "accept_doubt": accept_doubt,
        "strict": strict, "source_rig": source_rig, "root_motion": root_motion, "decimals": decimals,
    })  # fmt: skip
    return _retarget_files(files, rig, how, count, watch, clip, replace, layout, fps, model)
