"""The recipe for a Ray cluster, on a local one. Ray with what it needs is 630 MB: it runs where it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import HERO, PROJECT, SAMPLES

import retarget as rt


@pytest.mark.skipif("RETARGET_RAY" not in os.environ, reason="RETARGET_RAY is not set: Ray is not tried")
def test_a_cluster_gives_the_same_results(tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    takes = tmp_path / "takes"
    takes.mkdir()
    for name in ("walk", "run", "jump", "kneel"):
        (takes / f"{name}.bvh").write_bytes((SAMPLES / f"{name}.bvh").read_bytes())
    (takes / "broken.bvh").write_text("no clip")
    script = PROJECT / "examples" / "python" / "ray_library.py"
    ran = subprocess.run(
        [sys.executable, script, takes, HERO, tmp_path / "out"], capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    rows = {Path(row["path"]).stem: row for row in parquet.read_table(tmp_path / "out").to_pylist()}
    assert sorted(rows) == ["broken", "jump", "kneel", "run", "walk"]
    assert "broken.bvh" in rows.pop("broken")["error"]
    for name, row in rows.items():
        assert row["result"] == rt.retarget(SAMPLES / f"{name}.bvh", HERO)[0].to_bytes()
        assert row["plant_drift_cm"] < 0.1 and row["error"] == ""
