"""Declarations of the equations, one physical element per file. No hand-written derivatives and no speed-critical code:
`derive/` converts each declaration to kernels.

    declarations.py  base classes of declarations, and the registries
    attachments.py  attachments of elements; parameters.py: their parameters; body_family.py: coordinates of bodies
    symbolic.py  the few symbolic functions that declarations use (rate, norm, clip, ...)
    bodies/      coordinates of a body family, and its points as functions of them
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

DECLARATION_PACKAGES = (
    "bodies",
    "joints",
    "drives",
    "forces",
    "beams",
    "contact_geometry",
    "contact_laws",
    "friction",
    "materials",
)


@functools.cache
def load_all() -> None:
    """Import every declaration of the library, which fills the registries."""
    for folder in DECLARATION_PACKAGES:
        package = importlib.import_module(f"{__name__}.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
