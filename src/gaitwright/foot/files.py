"""A foot in a folder: a model file that stands by itself, and what makes the foot again."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gaitwright.checks import At
from gaitwright.foot.foot import Foot
from gaitwright.foot.inside import Clamp, Cores, Joint
from gaitwright.foot.layer import Insole
from gaitwright.foot.shape import FootShape
from gaitwright.foot.standing import standing_model
from gaitwright.foot.tissue import Tissue
from gaitwright.mesh.files import read
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
    told = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    shape, inside = told["shape"], told["inside"]
    skin = FootShape(read(folder / SKIN), shape["side"], tuple(shape["notes"]), shape["origin"])
    if drawn := shape["origin"].get("drawn"):
        from gaitwright.foot.drawn import Drawing

        skin = replace(skin, drawing=Drawing(**{**drawn, "side": skin.side}))
    if "clamp" in inside:
        within: Clamp | Cores = Clamp(inside["clamp"])
    else:
        joints = {name: Joint(**joint) for name, joint in inside["joints"].items()}
        within = Cores(read(folder / inside["bones"]) if "bones" in inside else None, joints)
    worn = tuple(Insole(**layer) for layer in told.get("worn", ()))
    return Foot(
        skin, read(folder / CELLS), within, Tissue.from_dict(told["tissue"]), worn, told.get("quadratic", False)
    )
