"""The changelog lies at the top of the project, where its links begin with docs/; as a page of the site it lies in there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    if page.file.src_uri != "changelog.md":
        return markdown
    return (TOP / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
