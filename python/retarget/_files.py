"""The files of many clips: which they are, what their results are called, how far a run is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from ._retarget import _OTHER_ENDINGS, Done

BVH = (".bvh", ".bvh.gz", ".bvh.zst")
ENDINGS = (*BVH, *_OTHER_ENDINGS)


def clips(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> tuple[list[Path], Path]:
    """The clips, and the folder that they have in common."""
    if isinstance(paths, (str, os.PathLike)):
        root = Path(paths)
        if not root.is_dir():
            return [root], root.parent
        found = (path for path in root.rglob("*") if path.name.lower().endswith(ENDINGS))
        return sorted(path for path in found if path.is_file()), root
    named = [Path(path) for path in paths]
    folders = [os.path.abspath(clip.parent) for clip in named]
    if len(set(folders)) <= 1:
        return named, named[0].parent if named else Path()
    return [Path(os.path.abspath(clip)) for clip in named], Path(os.path.commonpath(folders))


def result_name(clip: Path, ending: str | None) -> Path:
    """The result's name: the clip's own but for the ending, as the command line has it."""
    name = clip.name.lower()
    if ending is None and not name.endswith(_OTHER_ENDINGS):
        return clip
    stem = clip.with_suffix("") if name.endswith((".gz", ".zst")) else clip
    return stem.with_suffix("." + (ending or "bvh").lstrip("."))


def refuse_twice(files: list[tuple[Path, Path | None]]) -> None:
    seen: dict[Path | None, Path] = {}
    for clip, result in files:
        other = seen.setdefault(result, clip)
        if other is not clip:
            raise ValueError(f"{other} and {clip} would both be written to {result}; name each clip once")


def line(total: int) -> Callable[[Done, int], None] | None:
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
