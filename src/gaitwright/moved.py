"""Modules that the documentation once named and that have moved: imports of the old names go on working.

The old name becomes the new module itself, so that nothing exists twice.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "gaitwright.analyse.report": "gaitwright.report.views.run_page",
    "gaitwright.analyse.rotation": "gaitwright.geometry.rotation",
    "gaitwright.gait.hoof": "gaitwright.legs.hoof",
    "gaitwright.gait.linkages": "gaitwright.legs.linkages",
}


class _Mover(MetaPathFinder, Loader):
    """Asked first: a moved folder would offer its files under both names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def create_module(self, spec: ModuleSpec) -> None:
        """An ordinary empty one, to be replaced: the new module must not take over the name that was asked for."""

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = importlib.import_module(MOVED[module.__name__])


def forward_old_names() -> None:
    if not any(isinstance(finder, _Mover) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Mover())
