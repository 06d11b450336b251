"""A foot in a folder: a model file that stands by itself, and what makes the foot again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from gaitwright.checks import At
from gaitwright.foot.foot import Foot
from gaitwright.foot.inside import Clamp, Cores, Joint
from gaitwright.foot.layer import Insole
from gaitwright.foot.shape import FootShape
from gaitwright.foot.standing import standing_model
from gaitwright.foot.tissue import Tissue
from gaitwright.input_files import contained_path, read_json, typed
from gaitwright.mesh.files import read
from gaitwright.mesh.mesh import Mesh
from gaitwright.saving import save_text

SKIN, CELLS, BONES, DESCRIPTION, MODEL = "skin.npz", "cells.npz", "bones.npz", "foot.json", "foot.yaml"


def save(foot: Foot, folder: Path, load: float, options: dict[str, Any]) -> Path:
    """See Foot.save."""
    model, _ = standing_model(foot, load, **options)
    raw = {**model.to_dict(), "analysis": {"type": "static"}}
    type(model).from_dict(raw).save(folder / MODEL)
    foot.shape.surface.save(folder / SKIN)
    foot.mesh.save(folder / CELLS)
    if isinstance(foot.inside, Clamp):
        inside: dict[str, Any] = {"clamp": foot.inside.above}
    else:
        inside = {"joints": {name: asdict(joint) for name, joint in foot.inside.joints.items()}}
        if foot.inside.bones is not None:
            foot.inside.bones.save(folder / BONES)
            inside["bones"] = BONES
    shape = {"side": foot.shape.side, "notes": list(foot.shape.notes), "origin": dict(foot.shape.origin)}
    told = {"shape": shape, "inside": inside, "tissue": foot.tissue.to_dict(), "anatomy": list(foot.anatomy.notes)}
    told |= {"quadratic": True} if foot.quadratic else {}
    told |= {"worn": [layer.to_dict() for layer in foot.worn]} if foot.worn else {}
    save_text(folder / DESCRIPTION, json.dumps(told, indent=1))
    return folder


def load(folder: str | Path) -> Foot:
    """The foot that was saved in a folder."""
    folder = Path(folder)
    at = At(f"foot in '{folder}'")
    if not (folder / DESCRIPTION).exists():
        at.fail(f"there is no {DESCRIPTION}", expected="a folder that Foot.save or gaitwright foot made")
    at = At(f"the file '{folder / DESCRIPTION}'")
    told = typed(_Description, read_json(folder / DESCRIPTION, expected="a file that Foot.save wrote"), at)
    shape, inside = told.shape, told.inside
    skin = FootShape(_mesh(folder, SKIN), shape.side, tuple(shape.notes), shape.origin)  # pyright: ignore[reportArgumentType]
    if drawn := shape.origin.get("drawn"):
        from gaitwright.foot.drawn import Drawing

        skin = replace(
            skin,
            drawing=typed(
                Drawing, {**drawn, "side": skin.side} if isinstance(drawn, dict) else drawn, at["shape.origin.drawn"]
            ),
        )
    if (inside.joints is None) == (inside.clamp is UNSET):
        at["inside"].fail("has neither a clamp nor joints, or both", expected="one of them")
    if inside.joints is None:
        within: Clamp | Cores = Clamp(inside.clamp)  # type: ignore[arg-type]
    else:
        within = Cores(None if inside.bones is None else _mesh(folder, inside.bones, at["inside.bones"]), inside.joints)
    worn = tuple(typed(Insole, layer, at[f"worn[{k}]"]) for k, layer in enumerate(told.worn))
    return Foot(skin, _mesh(folder, CELLS), within, Tissue.from_dict(told.tissue), worn, told.quadratic)


UNSET = "unset"
"""A clamp that is not given: None is a clamp at the region `cut`."""


@dataclass
class _Shape:
    side: str
    notes: list[str]
    origin: dict[str, Any]


@dataclass
class _Inside:
    clamp: float | Literal["unset"] | None = UNSET
    joints: dict[str, Joint] | None = None
    bones: str | None = None


@dataclass
class _Description:
    """What foot.json says."""

    shape: _Shape
    inside: _Inside
    tissue: dict[str, dict[str, Any]]
    anatomy: list[str] = field(default_factory=list)
    worn: list[dict[str, Any]] = field(default_factory=list)
    quadratic: bool = False


def _mesh(folder: Path, name: str, at: At | None = None) -> Mesh:
    """A mesh beside foot.json, links followed."""
    at = at or At(f"foot in '{folder}'", name)
    return read(contained_path(folder, name, (), at.element, at.field))
