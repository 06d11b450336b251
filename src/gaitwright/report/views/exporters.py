"""Export of models and results to files of other programs; the suffix of the path selects the format.

.dxf .svg: drawing of parts. .xml: MJCF (MuJoCo). .glb: scene with animation. .pvd: solids of a result for ParaView. .mat
.parquet .csv .nc: outputs of a result. .yaml .json: the model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.output_files import save_bytes, save_text
from gaitwright.model.model import Model
from gaitwright.result.result import Result


class ExportSource:
    """A model, a result, or both; a missing one is created on request. trace: points with exported paths; default: the
    feet of the model. notes: sentences about data that are not in the files."""

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
                ErrorContext("export").fail("the result does not contain its model", expected="the model file")
            self.given = Model.from_dict(document)
        return self.given

    @property
    def result(self) -> Result:
        """Result of the analysis specified in the model; computed on first use."""
        if self.made is None:
            result = self.model.analyse(progress=self.progress)
            if not isinstance(result, Result):
                ErrorContext("analysis", "type").fail(
                    "has no motion to be written", expected="kinematic, forward, inverse or static"
                )
            self.made = result
        return self.made

    def feet(self) -> list[str]:
        if self.trace is not None:
            return list(self.trace)
        gait = self.model.document.gait
        return list(gait.feet) if gait is not None else []

    def write(self, path: str | Path, **options: Any) -> Path:
        """Write a file. options: those of its format, see the functions below."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in EXPORT_WRITERS:
            ErrorContext(field="--to").fail(
                "has an unknown file format", str(path), f"a file that ends in {format_choices(ending, EXPORT_WRITERS)}"
            )
        option_names, writer = EXPORT_WRITERS[ending]
        for name in options:
            if name not in option_names:
                ErrorContext(field=name).fail(
                    f"is no option of {ending}", options[name], format_choices(name, option_names, "(none)")
                )
        with warnings.catch_warnings(record=True) as messages:
            warnings.simplefilter("always")
            written = writer(self, path, **options)
        self.notes += [text for text in dict.fromkeys(str(w.message) for w in messages) if text not in self.notes]
        return written


def export(
    source: Model | Result,
    path: str | Path,
    *,
    trace: Sequence[str] | None = None,
    progress: Any = None,
    **options: Any,
) -> Path:
    """Write a model or a result to a file of another program, selected by the suffix of the path; return the path.

    .dxf, .svg: drawing of all parts with the distances of their holes (unit: mm; sheet: all, assembled, parts, skeleton;
    hole: diameter, m). .xml: MJCF of MuJoCo. .glb: scene with animation. .pvd: solids, for ParaView. .mat, .parquet, .csv,
    .nc: the result. .yaml, .json: the model. If a result is needed, the analysis of the model is run. trace: points whose
    paths are drawn; default: the feet of the model. Omitted data are reported by warnings. Raises ModelError for
    an unknown suffix or option."""
    if not isinstance(source, (Model, Result)):
        ErrorContext("export").fail(
            "is given neither a model nor a result", source, "a gw.Model, or what its analyses return"
        )
    model, result = (source, None) if isinstance(source, Model) else (None, source)
    exporting = ExportSource(model, result, trace, progress)
    written = exporting.write(path, **options)
    for note in exporting.notes:
        warnings.warn(note, stacklevel=2)
    return written


def _write_drawing(
    source: ExportSource, path: Path, *, unit: str = "mm", sheet: str = "all", hole: float | None = None
) -> Path:
    """Write a drawing of parts. sheet: all, assembled, parts or skeleton. hole: diameter, m."""
    from gaitwright.formats.drawing import metres_per_unit
    from gaitwright.report.views.part_drawing import make_part_drawing
    from gaitwright.report.views.scenes.point_traces import point_traces

    metres_per_unit(unit)
    feet = source.feet()
    if feet and sheet != "parts":
        run = source.result
        mechanism, q, curves = run.mechanism, run.motion.q[0], point_traces(run.mechanism, run.motion, feet)
    else:
        mechanism, q, curves = source.model.mechanism(), source.model.assemble().q, None
    drawing = make_part_drawing(mechanism, q, sheet=sheet, hole=hole, curves=curves)
    beams = [name for name, part in mechanism.parts.items() if not part.rigid and part.kind != "counter"]
    if beams:
        source.notes.append(f"flexible parts are not in the drawing: {', '.join(beams)}")
    if path.suffix.lower() == ".svg":
        from gaitwright.formats.svg_file import svg_text

        return save_text(path, svg_text(drawing, unit))
    from gaitwright.formats.dxf_file import dxf_bytes

    return save_bytes(path, dxf_bytes(drawing, unit))


def _write_mjcf(source: ExportSource, path: Path) -> Path:
    from gaitwright.model.io.mjcf_export import mjcf_text

    text, notes = mjcf_text(source.model)
    source.notes += notes
    return save_text(path, text)


def _write_glb(source: ExportSource, path: Path) -> Path:
    from gaitwright.report.renderers.gltf import save_glb

    run = source.result
    if run.mechanism.dimension == 2:
        from gaitwright.report.views.scenes.extruded_mechanism import build_extruded_scene

        scene = build_extruded_scene(run.mechanism, run.motion, trace=source.feet())
    else:
        scene = run.scene(trace=source.feet())
    omitted = [name for name, part in run.mechanism.parts.items() if not part.rigid and part.kind != "counter"]
    if omitted:
        source.notes.append(f"deforming parts are not in the scene: {', '.join(omitted)}")
    return save_glb(scene, path)


def _write_pvd(source: ExportSource, path: Path) -> Path:
    """Write all solids of a result, each as a series of .vtu files beside the .pvd."""
    run = source.result
    solids = [part.name for part in run.mechanism.parts.values() if part.meshed]
    if not solids:
        ErrorContext("export", ".pvd").fail(
            "the model has no solids", expected="a model with solids; .glb shows rigid bodies"
        )
    if len(solids) > 1:
        source.notes.append(f"a .pvd for each solid: {', '.join(solids)}")
    every = max(1, int(np.ceil(run.motion.t.size / 200)))
    written = [run.save_solid(name, path.parent / path.stem, every=every) for name in solids]
    return written[0]


def _write_table(source: ExportSource, path: Path) -> Path:
    return source.result.save(path)


def _write_yaml(source: ExportSource, path: Path) -> Path:
    return source.model.save(path)


DRAWING_OPTIONS = ("unit", "sheet", "hole")
EXPORT_WRITERS: dict[str, tuple[tuple[str, ...], Callable[..., Path]]] = {
    ".dxf": (DRAWING_OPTIONS, _write_drawing),
    ".svg": (DRAWING_OPTIONS, _write_drawing),
    ".xml": ((), _write_mjcf),
    ".glb": ((), _write_glb),
    ".pvd": ((), _write_pvd),
    ".mat": ((), _write_table),
    ".parquet": ((), _write_table),
    ".csv": ((), _write_table),
    ".nc": ((), _write_table),
    ".yaml": ((), _write_yaml),
    ".json": ((), _write_yaml),
}
"""Options and writer by file suffix."""
