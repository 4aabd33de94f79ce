"""The package itself: the command line in it, its types, what its documents show."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import HERO, PROJECT, WALK, command

import retarget as rt


def test_the_command_line_is_in_the_package(tmp_path: Path) -> None:
    ran = command("--version")
    assert (ran.returncode, ran.stdout) == (0, f"retarget {rt.__version__}\n")
    script = Path(sys.executable).parent / "retarget"
    assert subprocess.run([script, "--version"], capture_output=True, text=True).stdout == ran.stdout
    assert command("--nonsense").returncode == 2
    failed = command("missing.bvh", "--to", HERO, cwd=tmp_path)
    assert failed.returncode == 1 and "missing.bvh" in failed.stderr
    limited = command(WALK, "--to", HERO, "-o", tmp_path / "out.bvh", "--limit", "jump_ratio=0")
    assert limited.returncode == 3
    piped = command(WALK, "--to", HERO, "-o", "-")
    assert piped.returncode == 0 and piped.stdout == rt.retarget(WALK, HERO)[0].to_bytes().decode()


def test_ctrl_c_ends_the_command_line(tmp_path: Path) -> None:
    # Standard input that never ends: it waits until it is interrupted.
    line = [sys.executable, "-m", "retarget", "-", "--to", str(HERO)]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, reported = process.communicate(timeout=20)
    assert process.returncode == 130 and b"Traceback" not in reported


def test_stubs_are_what_the_package_is() -> None:
    for line in (["mypy", "--strict", "python/retarget", "python/tests"], ["mypy.stubtest", "retarget"]):
        ran = subprocess.run([sys.executable, "-m", *line], cwd=PROJECT, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_is_public_says_what_it_is() -> None:
    for name in rt.__all__:
        thing = getattr(rt, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member in vars(thing):
                if not member.startswith("_"):
                    assert getattr(thing, member).__doc__, f"{name}.{member}"


def snippets() -> list[tuple[str, str]]:
    """The Python of the documents, page by page: what belongs together runs together."""
    found = []
    for page in ("README.md", "docs/PYTHON.md"):
        text = (PROJECT / page).read_text()
        code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        assert code, f"{page} has no Python"
        found.append((page, "\n".join(code)))
    return found


@pytest.mark.parametrize("page, code", snippets(), ids=["README", "PYTHON"])
def test_what_the_documents_show_runs(page: str, code: str, tmp_path: Path) -> None:
    for name in ("walk.bvh", "run.bvh", "jump.bvh"):
        (tmp_path / "takes").mkdir(exist_ok=True)
        (tmp_path / "takes" / name).symlink_to(PROJECT / "samples" / name)
    (tmp_path / "walk.bvh").symlink_to(WALK)
    for name in ("hero.toml", "hero.bvh"):
        (tmp_path / name).symlink_to(PROJECT / "samples" / "skeletons" / name)
    (tmp_path / "page.py").write_text(code)
    ran = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, f"{page}\n{ran.stdout}\n{ran.stderr}"


def test_the_notebook_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    text = (PROJECT / "examples" / "python" / "walk.ipynb").read_text()
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": PROJECT}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(shown) == 3 and "<iframe" in shown[-1]
