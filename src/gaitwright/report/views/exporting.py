"""Models and results as files of other programs, by the ending of the path.

.dxf .svg: drawing of parts. .xml: MJCF (MuJoCo). .glb: scene with animation. .pvd: solids of a result for ParaView. .mat
.parquet .csv .nc: outputs of a result. .yaml .json: the model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright.saving import save_bytes, save_text


class Exporting:
    """A model, a result, or both; what is missing is made when it is needed. trace: points whose curves are wanted; the feet of
    the model unless given. notes: sentences about what is not in the files."""

    def __init__(
        self,
        model: Model | None = None,
        result: Result | None = None,
        trace: Sequence[str] | None = None,
        progress: Any = None,
    ):
        self.given, self.made, self.trace, self.progress = model, result, trace, progress
        self.notes: list[str] = []

    @property
    def model(self) -> Model:
        if self.given is None:
            document = self.made.document if self.made is not None else None
            if document is None:
                At("export").fail("the result does not know its model", expected="the model file")
            self.given = Model.from_dict(document)
        return self.given

    @property
    def result(self) -> Result:
        """Of the analysis that the model asks for."""
        if self.made is None:
            found = self.model.analyse(progress=self.progress)
            if not isinstance(found, Result):
                At("analysis", "type").fail(
                    "has no motion to be written", expected="kinematic, forward, inverse or static"
                )
            self.made = found
        return self.made

    def feet(self) -> list[str]:
        if self.trace is not None:
            return list(self.trace)
        gait = self.model.document.gait
        return list(gait.feet) if gait is not None else []

    def write(self, path: str | Path, **options: Any) -> Path:
        """Write a file. options: those of its kind, see the functions below."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in WRITERS:
            At(field="--to").fail(
                "is of no kind that is written", str(path), f"a file that ends in {offer(ending, WRITERS)}"
            )
        known, writer = WRITERS[ending]
        for name in options:
            if name not in known:
                At(field=name).fail(f"is no option of {ending}", options[name], offer(name, known, "(none)"))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = writer(self, path, **options)
        self.notes += [text for text in dict.fromkeys(str(w.message) for w in said) if text not in self.notes]
        return found


def export(
    source: Model | Result,
    path: str | Path,
    *,
    trace: Sequence[str] | None = None,
    progress: Any = None,
    **options: Any,
) -> Path:
    """Write a model or a result for other programs, by the ending of the path, and return it.

    .dxf, .svg: drawing of all parts with the distances of their holes (unit: mm; sheet: all, assembled, parts, skeleton; hole:
    diameter, m). .xml: MJCF of MuJoCo. .glb: scene with animation. .pvd: solids, for ParaView. .mat, .parquet, .csv, .nc: the
    result. .yaml, .json: the model. A result that is needed is that of the analysis of the model. trace: points whose curves
    are drawn; the feet of the model unless given. What is left out is said in warnings."""
    if not isinstance(source, (Model, Result)):
        At("export").fail("is given neither a model nor a result", source, "a gw.Model, or what its analyses return")
    model, result = (source, None) if isinstance(source, Model) else (None, source)
    exporting = Exporting(model, result, trace, progress)
    found = exporting.write(path, **options)
    for note in exporting.notes:
        warnings.warn(note, stacklevel=2)
    return found


def _drawing(source: Exporting, path: Path, *, unit: str = "mm", sheet: str = "all", hole: float | None = None) -> Path:
    """sheet: all, assembled, parts or skeleton. hole: diameter, m."""
    from gaitwright.formats.drawing import metres
    from gaitwright.report.views.part_drawing import part_drawing
    from gaitwright.report.views.traces import traces

    metres(unit)
    feet = source.feet()
    if feet and sheet != "parts":
        run = source.result
        mechanism, q, curves = run.mechanism, run.motion.q[0], traces(run.mechanism, run.motion, feet)
    else:
        mechanism, q, curves = source.model.mechanism(), source.model.assemble().q, None
    drawing = part_drawing(mechanism, q, sheet=sheet, hole=hole, curves=curves)
    beams = [name for name, part in mechanism.parts.items() if not part.rigid and part.kind != "counter"]
    if beams:
        source.notes.append(f"flexible parts are not in the drawing: {', '.join(beams)}")
    if path.suffix.lower() == ".svg":
        from gaitwright.formats.svg_file import svg_text

        return save_text(path, svg_text(drawing, unit))
    from gaitwright.formats.dxf_file import dxf_bytes

    return save_bytes(path, dxf_bytes(drawing, unit))


def _mjcf(source: Exporting, path: Path) -> Path:
    from gaitwright.model.mjcf_writing import mjcf_text

    text, notes = mjcf_text(source.model)
    source.notes += notes
    return save_text(path, text)


def _glb(source: Exporting, path: Path) -> Path:
    from gaitwright.report.gltf import save_glb

    run = source.result
    if run.mechanism.dimension == 2:
        from gaitwright.report.views.planar_solids import planar_space_scene

        scene = planar_space_scene(run.mechanism, run.motion, trace=source.feet())
    else:
        scene = run.scene(trace=source.feet())
    left = [name for name, part in run.mechanism.parts.items() if not part.rigid and part.kind != "counter"]
    if left:
        source.notes.append(f"what deforms is not in the scene: {', '.join(left)}")
    return save_glb(scene, path)


def _pvd(source: Exporting, path: Path) -> Path:
    """All solids of a result, each as a series of .vtu files beside the .pvd."""
    run = source.result
    solids = [part.name for part in run.mechanism.parts.values() if part.meshed]
    if not solids:
        At("export", ".pvd").fail("the model has no solids", expected="a model with solids; .glb shows rigid bodies")
    if len(solids) > 1:
        source.notes.append(f"a .pvd for each solid: {', '.join(solids)}")
    every = max(1, int(np.ceil(run.motion.t.size / 200)))
    written = [run.save_solid(name, path.parent / path.stem, every=every) for name in solids]
    return written[0]


def _table(source: Exporting, path: Path) -> Path:
    return source.result.save(path)


def _yaml(source: Exporting, path: Path) -> Path:
    return source.model.save(path)


DRAWING = ("unit", "sheet", "hole")
WRITERS: dict[str, tuple[tuple[str, ...], Callable[..., Path]]] = {
    ".dxf": (DRAWING, _drawing), ".svg": (DRAWING, _drawing), ".xml": ((), _mjcf), ".glb": ((), _glb), ".pvd": ((), _pvd),
    ".mat": ((), _table), ".parquet": ((), _table), ".csv": ((), _table), ".nc": ((), _table), ".yaml": ((), _yaml),
    ".json": ((), _yaml),
}  # fmt: skip
"""Options and writer of every ending."""
