"""Show CHANGELOG.md as a page of the site. Its links begin with docs/, which is removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    if page.file.src_uri != "changelog.md":
        return markdown
    return (TOP / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
