"""The equations, one physical thing per file. Nothing here is differentiated by hand and nothing here is fast:
`derive/` turns each declaration into kernels.

    declare.py   what a declaration consists of, and the registries
    attachments.py  where it attaches; parameters.py what it is given; family.py the coordinates of what it attaches to
    symbolic.py  the few symbolic functions that declarations use (rate, norm, clip, ...)
    bodies/      coordinates of a body family and what a point of it is
    joints/      constraints between bodies
    drives/      constraints that follow a function of time
    forces/      potentials, dissipation, loads
    beams/       elastic forces of beam elements
    contact_geometry/  the pose of two bodies, and surfaces as functions of it
    contact_laws/      normal force of a contact
    friction/          tangential force of a contact
    materials/         energy of solids
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

FOLDERS = ("bodies", "joints", "drives", "forces", "beams", "contact_geometry", "contact_laws", "friction", "materials")


@functools.cache
def load_all() -> None:
    """Import every declaration of the library, which fills the registries."""
    for folder in FOLDERS:
        package = importlib.import_module(f"{__name__}.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
