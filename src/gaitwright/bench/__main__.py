"""One problem in this process, for `gaitwright.bench.run`: python -m gaitwright.bench NAME ANSWER.json quick|full"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path


def main(name: str, answer: str, size: str) -> None:
    module = importlib.import_module(f"gaitwright.bench.{name}")
    Path(answer).write_text(json.dumps(module.measure(size == "quick")), encoding="utf-8")


main(*sys.argv[1:])
