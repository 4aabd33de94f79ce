"""Many clips at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ._retarget import Clip, Done, Rig, _How, _retarget_files

BVH = (".bvh", ".bvh.gz", ".bvh.zst")
OTHERS = (".fbx", ".glb", ".gltf", ".npy", ".npz", ".vrm", ".vrma")
ENDINGS = (*BVH, *OTHERS)


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
    """Carries many clips onto one rig, on threads without the interpreter's lock.

    paths: files, or a folder, which is searched with all below it. rig: a Rig, or a path or Clip to make one of.
    output: a folder that takes the results in the same tree and under the same names; without it they are kept in
    memory, all of them, as `Done.clip`. format: what they are written as, "bvh" (as without it), "bvh.gz", "bvh.zst",
    "npz", "npy", "vrma", "glb", or the character's own, in which each is the character with an animation more, which takes the
    place of one of its name with replace=True. clip: the animation that is meant of files that hold several.
    layout, fps, model: what `.npy` and `.npz` files among them leave open, as for `load`. workers: clips in hand at a time, one for each core without it.
    progress: True shows a line on a terminal; a function is called with each `Done` and how many there are so far.
    The other arguments are those of `retarget`; decimals is of every number in a written BVH file's motion.

    Gives an entry for each clip, in the order of `paths`: a clip that failed says why in `Done.error` and costs itself
    alone. The results are those of the command line, to the last byte. Raises what `Rig` raises, and ValueError where
    two results would get one name. Ctrl-C finishes the clips in hand and raises KeyboardInterrupt.
    """
    clips, root = _clips(paths)
    files: list[tuple[Path, Path | None]] = [(path, None) for path in clips]
    if output is not None:
        files = [(path, Path(output) / _result_name(path.relative_to(root), format)) for path in clips]
        _refuse_twice(files)
        for folder in {result.parent for _, result in files if result is not None}:
            folder.mkdir(parents=True, exist_ok=True)
    watch = progress if callable(progress) else _line(len(files)) if progress else None
    count = workers if workers is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"workers is {count}; there has to be at least 1")
    how = _How(
        foot_plants=foot_plants, scale=scale, in_place=in_place, accept_doubt=accept_doubt, strict=strict,
        source_rig=source_rig, root_motion=root_motion, decimals=decimals,
    )  # fmt: skip
    return _retarget_files(files, rig, how, count, watch, clip, replace, layout, fps, model)


def _clips(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> tuple[list[Path], Path]:
    """The clips, and the folder that they have in common."""
    if isinstance(paths, (str, os.PathLike)):
        root = Path(paths)
        if not root.is_dir():
            return [root], root.parent
        found = (path for path in root.rglob("*") if path.name.lower().endswith(ENDINGS))
        return sorted(path for path in found if path.is_file()), root
    clips = [Path(path) for path in paths]
    folders = [os.path.abspath(clip.parent) for clip in clips]
    if len(set(folders)) <= 1:
        return clips, clips[0].parent if clips else Path()
    return [Path(os.path.abspath(clip)) for clip in clips], Path(os.path.commonpath(folders))


def _result_name(clip: Path, ending: str | None) -> Path:
    """The result's name: the clip's own but for the ending, as the command line has it."""
    name = clip.name.lower()
    if ending is None and not name.endswith(OTHERS):
        return clip
    stem = clip.with_suffix("") if name.endswith((".gz", ".zst")) else clip
    return stem.with_suffix("." + (ending or "bvh").lstrip("."))


def _refuse_twice(files: list[tuple[Path, Path | None]]) -> None:
    seen: dict[Path | None, Path] = {}
    for clip, result in files:
        other = seen.setdefault(result, clip)
        if other is not clip:
            raise ValueError(f"{other} and {clip} would both be written to {result}; name each clip once")


def _line(total: int) -> Callable[[Done, int], None] | None:
    """A line on a terminal that says how far it is."""
    if not sys.stderr.isatty():
        return None
    failed = 0

    def tell(done: Done, count: int) -> None:
        nonlocal failed
        failed += not done.ok
        more = f", {failed} failed" if failed else ""
        end = "\n" if count == total else ""
        print(f"\r{count} of {total} clips{more}", end=end, file=sys.stderr, flush=True)

    return tell
