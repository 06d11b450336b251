"""Files of a foot in a folder: a self-contained model file, and the data to rebuild the foot."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import contained_path, convert_to_type, read_json
from gaitwright._core.output_files import save_text
from gaitwright.foot.foot import Foot
from gaitwright.foot.rigid_parts import Clamp, Cores, FootJoint
from gaitwright.foot.shape import FootShape
from gaitwright.foot.soft_layers import Insole
from gaitwright.foot.standing import StandingResult, standing_model
from gaitwright.foot.tissue import Tissue
from gaitwright.mesh.files import read
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import model_of_document
from gaitwright.model.spec.document import AnalysisSpec

SKIN_FILE, CELLS_FILE, BONES_FILE, DESCRIPTION_FILE, MODEL_FILE = (
    "skin.npz",
    "cells.npz",
    "bones.npz",
    "foot.json",
    "foot.yaml",
)


def save(foot: Foot, folder: Path, load: float, standing: StandingResult | None, options: dict[str, Any]) -> Path:
    """See Foot.save."""
    model = standing_model(foot, load, **options)[0] if standing is None else standing.model
    document = model.document.model_copy(update={"analysis": AnalysisSpec(type="static")})
    model_of_document(document).save(folder / MODEL_FILE)
    foot.shape.surface.save(folder / SKIN_FILE)
    foot.mesh.save(folder / CELLS_FILE)
    if isinstance(foot.inside, Clamp):
        inside: dict[str, Any] = {"clamp": foot.inside.above}
    else:
        inside = {"joints": {name: asdict(joint) for name, joint in foot.inside.joints.items()}}
        if foot.inside.bones is not None:
            foot.inside.bones.save(folder / BONES_FILE)
            inside["bones"] = BONES_FILE
    shape = {"side": foot.shape.side, "notes": list(foot.shape.notes), "origin": dict(foot.shape.origin)}
    description = {
        "shape": shape,
        "inside": inside,
        "tissue": foot.tissue.to_dict(),
        "anatomy": list(foot.anatomy.notes),
    }
    description |= {"quadratic": True} if foot.quadratic else {}
    description |= {"worn": [layer.to_dict() for layer in foot.worn]} if foot.worn else {}
    save_text(folder / DESCRIPTION_FILE, json.dumps(description, indent=1))
    return folder


def load(folder: str | Path) -> Foot:
    """Load a foot that Foot.save wrote. folder: its path. Raises an error if a file is missing or invalid."""
    folder = Path(folder)
    at = ErrorContext(f"foot in '{folder}'")
    if not (folder / DESCRIPTION_FILE).exists():
        at.fail(f"there is no {DESCRIPTION_FILE}", expected="a folder that Foot.save or gaitwright foot made")
    at = ErrorContext(f"the file '{folder / DESCRIPTION_FILE}'")
    description = convert_to_type(
        _FootDescription, read_json(folder / DESCRIPTION_FILE, expected="a file that Foot.save wrote"), at
    )
    shape, inside = description.shape, description.inside
    skin = FootShape(_read_mesh(folder, SKIN_FILE), shape.side, tuple(shape.notes), shape.origin)  # pyright: ignore[reportArgumentType]
    if drawn := shape.origin.get("drawn"):
        from gaitwright.foot.parametric_shape import ParametricFootDimensions

        skin = replace(
            skin,
            drawing=convert_to_type(
                ParametricFootDimensions,
                {**drawn, "side": skin.side} if isinstance(drawn, dict) else drawn,
                at["shape.origin.drawn"],
            ),
        )
    if (inside.joints is None) == (inside.clamp is UNSET_CLAMP):
        at["inside"].fail("has neither a clamp nor joints, or both", expected="one of them")
    if inside.joints is None:
        within: Clamp | Cores = Clamp(inside.clamp)  # type: ignore[arg-type]
    else:
        within = Cores(
            None if inside.bones is None else _read_mesh(folder, inside.bones, at["inside.bones"]), inside.joints
        )
    worn = tuple(convert_to_type(Insole, layer, at[f"worn[{k}]"]) for k, layer in enumerate(description.worn))
    return Foot(
        skin, _read_mesh(folder, CELLS_FILE), within, Tissue.from_dict(description.tissue), worn, description.quadratic
    )


UNSET_CLAMP = "unset"
"""Marker of a missing clamp; None means a clamp at the region `cut`."""


@dataclass
class _ShapeDescription:
    side: str
    notes: list[str]
    origin: dict[str, Any]


@dataclass
class _RigidPartsDescription:
    clamp: float | Literal["unset"] | None = UNSET_CLAMP
    joints: dict[str, FootJoint] | None = None
    bones: str | None = None


@dataclass
class _FootDescription:
    """Contents of foot.json."""

    shape: _ShapeDescription
    inside: _RigidPartsDescription
    tissue: dict[str, dict[str, Any]]
    anatomy: list[str] = field(default_factory=list)
    worn: list[dict[str, Any]] = field(default_factory=list)
    quadratic: bool = False


def _read_mesh(folder: Path, name: str, at: ErrorContext | None = None) -> Mesh:
    """Read a mesh next to foot.json; links are followed."""
    at = at or ErrorContext(f"foot in '{folder}'", name)
    return read(contained_path(folder, name, (), at.element, at.field))
