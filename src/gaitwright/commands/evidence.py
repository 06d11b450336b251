"""Commands that show how far to trust us: reproduce, bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gaitwright.checks import At
from gaitwright.commands.options import OWN_FOLDER, Json, Out
from gaitwright.papers import EXPERIMENTS
from gaitwright.terminal import FAILED, Watch, fail, speaking, stopped


def reproduce(
    name: Annotated[str, typer.Argument(help=f"{', '.join(EXPERIMENTS)}, or all.")],
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Experiments at a time; as many as cores unless given.")
    ] = None,
    scan: Annotated[
        Path | None, typer.Option("--scan", help="A scan of a foot (.stl, .obj, .ply), for the experiment foot.")
    ] = None,
) -> None:
    """Run a paper's experiment again and give a verdict on every number it prints; write NAME.json and pictures."""
    with speaking(out, as_json) as screen:
        from gaitwright import papers

        papers.chosen(name)
        papers.told(name, scan)
        out = screen.make_folder()
        try:
            with Watch("reproducing") as watch:
                found = papers.reproduce(name, out, watch.say, workers, scan)
        except KeyboardInterrupt:
            message = f"interrupted; what the experiments that ended had written is in {out}"
            raise fail(screen, message, stopped(), interrupted=True) from None
        answer = papers.show(screen, found)
        if problem := papers.complaint(found):
            raise fail(screen, problem, FAILED, **answer)
        screen.finish(answer)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Problems to time; all unless named.")] = None,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: to see that it works, not for numbers.")] = False,
    device: Annotated[
        str, typer.Option("--device", help="cpu, or cuda for what can use an NVIDIA GPU: designs.")
    ] = "cpu",
) -> None:
    """Time Gaitwright, against Exudyn where it is installed."""
    with speaking(out, as_json) as screen:
        from gaitwright import bench as benchmarks

        At(field="--device").one_of(device, ("cpu", "cuda"))
        out = screen.make_folder()
        with Watch("timing") as watch:
            found = benchmarks.run(names, out, quick, watch.say, device)
        screen.table("problem", "peer / ours", rows=[(k, f"{v:.3g}") for k, v in found["ratios"].items()], numbers=(1,))
        screen.say(*found.get("notes", []))
        screen.wrote({"numbers": out / "bench.json", "report": out / "bench.md"})
        screen.finish(found)
