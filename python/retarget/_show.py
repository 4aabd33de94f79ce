"""Results in a notebook."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from ._retarget import Clip


class Page:
    """A page to play a result beside its source: what `retarget view` writes. A notebook shows it by itself.

    html: the page, whole in itself. height: of its frame in a notebook, pixels.
    """

    def __init__(self, html: str, height: int = 640) -> None:
        self.html = html
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page into a file, for a browser."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{self.height}" '
            'style="border:0" sandbox="allow-scripts"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<retarget.Page of {len(self.html)} characters; a notebook shows it, save() writes it>"


def show(clip: Clip, height: int = 640) -> Page:
    """A page to play a result beside its source, or another clip beside itself.

    Raises ValueError where the clip's joints are not recognised.
    """
    return Page(clip._page(), height)
