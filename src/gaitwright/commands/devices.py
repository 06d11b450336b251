"""Commands about devices on people: device, and what `gait --device` adds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.gait import Height, Mass, Sex, SubjectFile, subject_of
from gaitwright.commands.options import OWN_FOLDER, Allow, Json, Out, Set, read_model
from gaitwright.terminal import Screen, Watch, speaking

if TYPE_CHECKING:
    from gaitwright.gait.subject import Subject
    from gaitwright.model.model import Model
    from gaitwright.wear.comfort.judging import Comfort
    from gaitwright.wear.comfort.thresholds import Table
    from gaitwright.wear.worn import Worn

SOMEBODY = (73.0, 1.74)
"""kg and m, of whom a schematic motion is unless somebody is named."""
Lifted = Annotated[
    str | None,
    typer.Option("--load", metavar="KG", help="Of stoop and squat: what is lifted, 8 or 8kg; 10.", show_default=False),
]
WHOLE, BENT = 0.98, 0.05
"""Of a cycle, and J in a spring or a cuff: told where less is known, or more is in it at first."""


def device(
    model: Annotated[
        str,
        typer.Argument(metavar="DEVICE", help="Model file with a section worn, or a ready device.", show_default=False),
    ],
    motion: Annotated[
        str,
        typer.Option(
            "--motion", metavar="MOTION", help="walk, sit-to-stand, stoop, squat (schematic), or a trial: .c3d .trc."
        ),
    ] = "walk",
    forces: Annotated[
        Path | None, typer.Option("--forces", metavar="FILE", help="Of a trial: forces of plates.", show_default=False)
    ] = None,
    static: Annotated[
        Path | None, typer.Option("--static", metavar="FILE", help="Of a trial: the person stands.", show_default=False)
    ] = None,
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    side: Annotated[str, typer.Option("--side", help="right, left or both; as the device says without it.")] = "",
    load: Lifted = None,
    pressure: Annotated[
        str, typer.Option("--pressure", help="Below pads: foundation, uniform, solid (finite elements), or none.")
    ] = "foundation",
    thresholds: Annotated[
        Path | None,
        typer.Option("--thresholds", metavar="FILE", help="Your table of what people bear.", show_default=False),
    ] = None,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:
    """Put an orthosis or exoskeleton on a person who moves: what it takes off the joints, what gets worse elsewhere, forces and
    migration at its cuffs, pressure below its pads and how many people would feel it; write device.html, summary.json,
    cuffs.csv, moments.csv and result.nc."""
    with speaking(out, as_json) as screen:
        from gaitwright.wear.putting_on import put_on

        chosen = device_of(model, changes, folders)
        table = thresholds_of(thresholds, pressure)
        person = subject_of(subject, mass, height, sex)
        folder = screen.make_folder()
        with Watch("moving") as watch:
            moving = motion_of(motion, person, forces, static, load)
            watch.say("putting it on", 0.3)
            worn = put_on(chosen, moving, side=side or None)
            watch.say("pressing", 0.6)
            comfort, why = comfort_of_device(worn, table, pressure)
            watch.say("writing", 0.7)
            files = {**worn.report(folder, comfort), **worn.save(folder, comfort)}
        show_trial(screen, moving)
        show_device(screen, worn)
        show_comfort(screen, comfort, why)
        screen.wrote(files)
        screen.finish({**worn.summary(), "comfort": None if comfort is None else comfort.summary()})


def thresholds_of(file: Path | None, pressure: str) -> Table | None:
    """A user's table of thresholds, read before anything else is done."""
    from gaitwright.checks import At
    from gaitwright.wear.comfort.thresholds import read
    from gaitwright.wear.pads.pressure import METHODS

    At(field="--pressure").one_of(pressure, [*METHODS, "none"], "is no way to find a pressure")
    return None if file is None else read(file)


def comfort_of_device(worn: Worn, table: Table | None, pressure: str) -> tuple[Comfort | None, str]:
    """How many people would feel it, or why that is not known."""
    from gaitwright.errors import ModelError

    if pressure == "none":
        return None, ""
    try:
        return worn.comfort(thresholds=table, method=pressure), ""
    except ModelError as error:
        return None, str(error)


def show_comfort(screen: Screen, comfort: Comfort | None, why: str) -> None:
    """Pressures and shares of people by cuff, and the notes that they hang on."""
    if comfort is None:
        if why:
            screen.say(f"no pressure: {why}")
        return

    def share(value: float | None, least: bool = False) -> str:
        return "not known" if value is None else f"{'>= ' if least else ''}{100 * value:.0f}"

    rows = [
        (name, cuff.region, f"{1e-3 * cuff.peak:.1f}", f"{cuff.time:.2f}", f"{1e4 * cuff.area:.0f}", cuff.loading,
         share(cuff.share_discomfort, cuff.only_pain), share(cuff.share_pain))
        for name, cuff in comfort.cuffs.items()
    ]  # fmt: skip
    head = ("cuff", "presses", "peak (kPa)", "at (s)", "area (cm2)", "loading", "feel discomfort %", "feel pain %")
    screen.table(*head, rows=rows, numbers=(2, 3, 4, 6, 7))
    said = [note for note in comfort.notes if note.endswith("assumed") or "is not known: " in note]
    for note in said:
        screen.say(f"note: {note}")
    if len(said) < len(comfort.notes):
        screen.say(f"device.html has {len(comfort.notes) - len(said)} more notes on what these shares hang on")


def device_of(name: str, changes: list[str], folders: list[Path]) -> Model:
    """A device from its file, or a ready one by its name, with or without `worn-`, with values changed as --set asks."""
    from gaitwright.checks import At
    from gaitwright.model.files import override
    from gaitwright.model.model import Model
    from gaitwright.wear.devices import DEVICES
    from gaitwright.wear.wearing import worn_of

    if f"worn-{name}" in DEVICES and not Path(name).exists():  # as gw.wear.devices calls it
        name = f"worn-{name}"
    if name in DEVICES:
        raw = DEVICES[name].make().to_dict()
        for change in changes:
            override(raw, change)
        found = Model.from_dict(raw)
    else:
        path = Path(name)
        if not path.suffix and not path.exists():
            At("device").one_of(name, list(DEVICES), "is neither a file nor a ready device")
        found = read_model(path, changes, folders)
    worn_of(found)
    return found


def motion_of(name: str, person: Subject | None, forces: Path | None, static: Path | None, load: str | None) -> Any:
    """A schematic motion by its word, or the analysis of a trial."""
    from gaitwright import gait
    from gaitwright.checks import At
    from gaitwright.gait.named_motion import LIFTING, LOAD, NAMED, word_of
    from gaitwright.gait.subject import read_quantity

    word = word_of(name)
    lifted = LOAD if load is None else read_quantity(At(field="--load"), load, "kg")
    if load is not None and word not in LIFTING:
        said = f"--motion {', '.join(LIFTING[:-1])} or {LIFTING[-1]}"
        At(field="--load").fail(f"is lifted, and the motion is {name}", f"{lifted:g} kg", said)
    if word in NAMED:
        for field, given in (("--forces", forces), ("--static", static)):
            if given is not None:
                At(field=field).fail(f"belongs to a trial, and the motion is {name}", str(given), "--motion FILE")
    elif person is None and Path(name).is_file():
        At(field="--mass").fail(
            "is missing: who moves in a trial has to be known", expected="--mass and --height, or --subject"
        )
    return gait.motion_named(name, person or gait.Subject(*SOMEBODY), load=lifted, forces=forces, static=static)


def show_trial(screen: Screen, moving: Any) -> None:
    """Of a trial, what is wrong with it: the device's numbers hang on that."""
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.quality import WRONG

    if isinstance(moving, GaitAnalysis):
        for finding in moving.findings:
            if finding.how_bad == WRONG:
                screen.say(f"trial, {finding.how_bad}: {finding}")
        screen.say(*(note for note in moving.notes if note.startswith("left and right were crossed")))


def show_device(screen: Screen, worn: Worn) -> None:
    """What it takes off, what gets worse, where it pulls."""
    from gaitwright.wear.worn import UNCHANGED_MOTION

    subject = worn.motion.skeleton.subject
    screen.say(f"{worn.name} on {worn.where} of a person of {subject.mass:g} kg, {subject.height:g} m: {worn.source}")
    screen.say(f"note: {UNCHANGED_MOTION}")
    rows = []
    for joint, one in worn.assistance().items():
        if abs(one.peak_with - one.peak_without) < 0.01 * one.peak_without and not one.worse:
            continue
        said = "worse" if one.worse else ""
        if one.known < WHOLE:
            said = f"{said}, " * bool(said) + f"energies of {100 * one.known:.0f} % of the cycle"
        rows.append((joint.replace("_", " "), f"{one.peak_without:.1f}", f"{one.peak_with:.1f}", _percent(one.share_of_peak),
                     _percent(one.share), f"{one.stored:.1f}", f"{one.returned:.1f}", said))  # fmt: skip
    head = ("joint", "peak without (N m)", "with", "taken off peak %", "off mean %", "stored (J)", "returned (J)", "")
    if rows:
        screen.table(*head, rows=rows, numbers=(1, 2, 3, 4, 5, 6))
    else:
        screen.say("no joint's peak changes by 1 %")
    for side, parts in worn.summary()["parts"].items():
        for name, part in parts.items():
            if part.get("energy_at_start", 0.0) > BENT:
                first, last, most = (f"{part[kind]:.1f} J" for kind in ("energy_at_start", "energy_at_end", "energy"))
                what = f"{side} {name.replace('_', ' ')}"
                screen.say(f"{what}: {first} in it as the motion begins, {last} as it ends, {most} at most")
    if spine := worn.spine():
        before, after = (spine[which].peak for which in ("without", "with"))
        rows = [
            (what, unit, f"{before[what]:.0f}", f"{after[what]:.0f}", _percent(1.0 - abs(after[what] / before[what])))
            for what, unit in (("compression", "N"), ("shear", "N"), ("moment", "N m"))
        ]
        screen.table("L5/S1, largest", "", "without", "with", "taken off %", rows=rows, numbers=(2, 3, 4))
    show_structure(screen, worn)
    cuffs = worn.summary()["cuffs"]
    rows = [
        (name, one["segment"].replace("_", " "), f"{one['force']:.0f}", f"{one['moment']:.1f}", f"{1e3 * one['migration']:.1f}")
        for name, one in cuffs.items()
    ]  # fmt: skip
    screen.table("cuff", "on", "largest force (N)", "moment (N m)", "migration (mm)", rows=rows, numbers=(2, 3, 4))
    screen.say(f"mass {worn.mass:.2f} kg, {100 * worn.mass / subject.mass:.1f} % of the body's")
    for note in worn.notes:
        screen.say(f"warning: {note}")


def show_structure(screen: Screen, worn: Worn) -> None:
    """Effective stiffness about joints, and strength of flexible parts."""
    from math import radians

    from gaitwright.wear.structure import effective_stiffness, flexible_parts

    for one in effective_stiffness(worn):
        if one.stiffness is not None:
            alone = f"; its spring alone has {radians(one.spring):.2f} N m/deg" if one.spring else ""
            screen.say(
                f"{one.joint.replace('_', ' ')}: effective stiffness {radians(one.stiffness):.2f} N m/deg{alone}"
            )
    rows = [
        (one.name, f"{100 * one.strain:.3f}", f"{1e-6 * one.stress:.0f}", f"{one.energy:.2f}", f"{one.fatigue_margin:+.2f}",
         ", ".join(one.assumed) or "-")
        for one in flexible_parts(worn)
    ]  # fmt: skip
    if rows:
        head = ("part", "strain (%)", "stress (MPa)", "energy (J)", "fatigue margin", "assumed")
        screen.table(*head, rows=rows, numbers=(1, 2, 3, 4))


def _percent(share: float) -> str:
    return f"{round(100 * share)}" if share == share else "-"
