"""Pages from the templates in web/. A page is one file: style, script and data stand in it, and nothing is fetched."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from gaitwright.input_files import packaged_text
from gaitwright.plain import plain


def render(name: str, **content: Any) -> str:
    """The page of a template; text that is not Markup is escaped, so that names from a model file stay text."""
    return _environment().get_template(name).render(**content)


def script_data(data: Any) -> Any:
    """JSON that cannot end the script element it stands in, whatever the names contain."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), allow_nan=False, default=plain)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _read(name: str) -> str:
    return packaged_text(Path(__file__).parent / "web" / name)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    # Style and script as they are: a pair of braces there is not an expression of the template.
    environment.globals["source"] = lambda name: Markup(_read(name))
    return environment
