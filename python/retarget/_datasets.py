"""Data sets by the names of their files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from ._files import ENDINGS

# LaFAN1, and Motion-Matching, which has clips of it: walk1_subject5.bvh.
_LAFAN1 = re.compile(r"(?P<action>[a-zA-Z]+)(?P<take>\d+)_subject(?P<subject>\d+)(?P<version>.*)")
# Bandai-Namco-Research-Motiondataset: dataset-1_walk_normal_001.bvh.
_BANDAI_NAMCO = re.compile(r"(?:dataset-(?P<part>\d)_)?(?P<action>[a-z-]+)_(?P<style>[a-z-]+)_(?P<take>\d{3})")
# 100STYLE: Aeroplane_BR.bvh.
_100STYLE = re.compile(r"(?P<style>[A-Za-z]+)_(?P<action>BR|BW|FR|FW|ID|SR|SW|TR\d)")
_100STYLE_ACTIONS = {
    "BR": "backwards run", "BW": "backwards walk", "FR": "forwards run", "FW": "forwards walk", "ID": "idle",
    "SR": "sidestep run", "SW": "sidestep walk", "TR": "transition",
}  # fmt: skip
_KINDS = (("lafan1", _LAFAN1), ("bandai_namco", _BANDAI_NAMCO), ("100style", _100STYLE))


@dataclass(frozen=True)
class ClipFile:
    """A clip's file with what its name says.

    dataset: "lafan1", "bandai_namco", "100style", or "" where the name follows none of them. labels: by that data set
    "action", "style", "subject", "take", "part"; empty where it is none.
    """

    path: Path
    dataset: str = ""
    labels: dict[str, str] = field(default_factory=dict)


def clip_files(folder: str | os.PathLike[str]) -> list[ClipFile]:
    """All clips below a folder, sorted by path, with what LaFAN1, Bandai-Namco, 100STYLE and Motion-Matching call theirs.

    Opens no clip. Raises NotADirectoryError where it is no folder.
    """
    root = Path(folder)
    if not root.is_dir():
        raise NotADirectoryError(f"{root} is no folder")
    found = (path for path in root.rglob("*") if path.name.lower().endswith(ENDINGS) and path.is_file())
    return [_labelled(path) for path in sorted(found)]


def _labelled(path: Path) -> ClipFile:
    stem = path.name.split(".")[0]
    for dataset, pattern in _KINDS:
        if match := pattern.fullmatch(stem):
            labels = {key: value for key, value in match.groupdict().items() if value}
            if dataset == "100style":
                action = labels["action"]
                labels["action"] = _100STYLE_ACTIONS[action[:2]] + (f" {action[2:]}" if action[2:] else "")
            return ClipFile(path, dataset, labels)
    return ClipFile(path)
