"""What the tests share: the project's samples, the command line, and real clips where there are any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SAMPLES = PROJECT / "samples"
HERO = SAMPLES / "skeletons" / "hero.toml"
WALK = SAMPLES / "walk.bvh"


def mocap_clips() -> list[Path]:
    """The real clips: `RETARGET_MOCAP`, else `../shared/mocap` beside the project. On CI they have to be there."""
    folder = Path(os.environ.get("RETARGET_MOCAP", PROJECT / ".." / "shared" / "mocap"))
    if not folder.is_dir():
        assert "CI" not in os.environ, f"no motion-capture clips at {folder}"
        pytest.skip(f"no motion-capture clips at {folder}")
    clips = sorted(folder.rglob("*.bvh"))
    assert len(clips) == 51, f"clips in {folder}"
    return clips


def characters_dir() -> Path:
    """The real characters: `RETARGET_CHARACTERS`, else `../shared/characters` beside the project. On CI they have to be there."""
    folder = Path(os.environ.get("RETARGET_CHARACTERS", PROJECT / ".." / "shared" / "characters"))
    if not folder.is_dir():
        assert "CI" not in os.environ, f"no characters at {folder}"
        pytest.skip(f"no characters at {folder}")
    return folder


def command(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the wheel's command line."""
    line = [sys.executable, "-m", "retarget", *map(str, args)]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, timeout=300)
