"""Measure one problem in this process, for `gaitwright_apps.benchmarks.run_benchmarks`: python -m gaitwright_apps.benchmarks
NAME ANSWER.json quick|full"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path


def main(name: str, answer: str, size: str) -> None:
    module = importlib.import_module(f"gaitwright_apps.benchmarks.{name}")
    Path(answer).write_text(json.dumps(module.measure(size == "quick")), encoding="utf-8")


main(*sys.argv[1:])
