"""Machine code of a leg's analysis, made in two processes on a machine that has none yet.

One makes that of a leg in the air and of forward dynamics, the other that of a leg on the ground: on two cores about 29 s
instead of 40 s until a leg's first report. Both find the same code in the same files."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gaitwright.compiled import NOTICE
from gaitwright.legs.leg import AS_DRIVEN, FEWEST, analyse_leg
from gaitwright.model.model import Model

MEANWHILE = ("scipy.interpolate", "pandas", "xarray", "jinja2", "matplotlib.figure", "matplotlib.backends.backend_svg")
"""What a report needs, imported while the other process is still at work."""


@contextmanager
def compiling_ahead(model: Model) -> Iterator[None]:
    """Make the code that the analysis of this leg needs before the body of the `with` runs. Nothing happens where there is
    code already, or one core only."""
    if NOTICE.cold and (os.cpu_count() or 1) > 1:
        nowhere = subprocess.DEVNULL
        command = [sys.executable, "-c", f"from {__name__} import compile_ground; compile_ground()"]
        other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, text=True)
        try:
            assert other.stdin is not None
            other.stdin.write(_text(model))
            other.stdin.close()
            model.inverse(1e-3)
            model.simulate(1e-3, step=1e-3)
            for name in MEANWHILE:
                importlib.import_module(name)
            other.wait()
        finally:
            other.kill()
            other.wait()
    yield


def compile_ground() -> None:
    """Of a leg, as JSON on the standard input, on the ground by inverse dynamics."""
    import json

    analyse_leg(Model.from_dict(json.load(sys.stdin)), restitutions=(0.0,), directions=(AS_DRIVEN,), samples=FEWEST)


def _text(model: Model) -> str:
    import json

    return json.dumps(model.to_dict())
