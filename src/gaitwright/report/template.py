"""Pages from the templates in web/. A page is one file: style, script and data are embedded, and nothing is fetched."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from gaitwright._core.input_files import packaged_text
from gaitwright._core.json_types import to_json_types


def render_template(name: str, **content: Any) -> str:
    """Render the page of a template; text that is not Markup is escaped, so that names from a model file remain text."""
    return _environment().get_template(name).render(**content)


def script_data(data: Any) -> Any:
    """JSON that cannot end its script element, whatever names it contains."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), allow_nan=False, default=to_json_types)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _read_template(name: str) -> str:
    return packaged_text(Path(__file__).parent / "web" / name)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(_read_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Style and script without template expansion: braces there are not expressions of the template.
    environment.globals["source"] = lambda name: Markup(_read_template(name))
    return environment
