"""Names that the documentation once had and that are others today: the old ones go on working, with a DeprecationWarning that
tells the new one and the version with which the old one goes (docs/versions.md has the rules).

An old name of a module becomes the new module itself, so that nothing exists twice.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NamedTuple

GONE_WITH = "0.4"
"""The version in which the old names below no longer work: two minor versions after they were replaced, or later."""
MOVED = {
    "gaitwright.analyse.report": "gaitwright.report.views.run_page",
    "gaitwright.analyse.rotation": "gaitwright.geometry.rotation",
    "gaitwright.gait.hoof": "gaitwright.legs.hoof",
    "gaitwright.gait.linkages": "gaitwright.legs.linkages",
}
"""Modules."""


class Renamed(NamedTuple):
    """new: the name today. gone_with: the version in which the old one no longer works."""

    new: str
    gone_with: str


RENAMED: dict[str, Renamed] = {}
"""Names of `gaitwright` itself, such as {"solve": Renamed("simulate", "0.5")}."""


def current(name: str) -> str:
    """What a name of `gaitwright` is called today; an old one is told."""
    if name not in RENAMED:
        return name
    new, gone_with = RENAMED[name]
    _tell(f"gaitwright.{name}", f"gaitwright.{new}", gone_with, level=4)
    return new


def _tell(old: str, new: str, gone_with: str, level: int) -> None:
    warnings.warn(
        f"{old} is now {new}; the old name goes with version {gone_with}", DeprecationWarning, stacklevel=level
    )


class _Mover(MetaPathFinder, Loader):
    """Asked first: a moved folder would offer its files under both names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def create_module(self, spec: ModuleSpec) -> None:
        """An ordinary empty one, to be replaced: the new module must not take over the name that was asked for."""

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        _tell(old, MOVED[old], GONE_WITH, level=3)  # Python does not count its own frames of an import
        sys.modules[old] = importlib.import_module(MOVED[old])


def forward_old_names() -> None:
    if not any(isinstance(finder, _Mover) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Mover())
