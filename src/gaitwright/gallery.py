"""Pictures of the documentation, made by the code: a card for every mechanism of the catalogue, those of the tutorial and
those of the examples.

python -m gaitwright.gallery docs                # writes gallery.md, examples.md, gallery/**/*.png and tutorial/*.png in docs
python -m gaitwright.gallery docs jansen-leg     # the page, and only this picture
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright import examples_page
from gaitwright.input_files import packaged_text
from gaitwright.mechanisms.catalogue import CATALOGUE, Entry, find

WIDEST, HIGHEST, COLOURS = 640, 600, 256
"""Pixels and colours that a picture has at most: drawings of bars need no more, and each stays below 60 kB."""
RELEASED = """run = model.simulate(until=3.0, step=2e-3, method="gauss2")
print(run["energy.kinetic"].max().item())  # J"""
TURN = """run = model.inverse(until=1.0)
print(run["crank.torque"].max().item())  # N m"""
IMPACT = """run = model.simulate(until=1.0, step=1e-3)
print(run.contacts("wall")[["begin", "duration", "max_force"]])"""
SPUN = """run = model.simulate(until=2.0, step=1e-3, method="gauss2")
print(run["{}"].values[::400])  # rad"""
LEG = """leg = gw.analyse_leg(model)
print(leg, leg.numbers["air_energy_turn"].value)  # J"""


class Card(NamedTuple):
    """title: what people call it. call: the function of gaitwright.mechanisms that makes the model. ask: what answers the
    question about `model`. helper: of the same module, that the answer needs."""

    title: str
    call: str
    ask: str
    helper: str = ""

    def snippet(self) -> str:
        """Python that runs as it stands."""
        names = ", ".join(sorted(filter(None, (self.call.partition("(")[0], self.helper))))
        whole = f"from gaitwright.mechanisms import {names}\n\nmodel = {self.call}\n{self.ask}\n"
        return f"import gaitwright as gw\n{whole}" if "gw." in whole else whole


CARDS = {
    "pendulum": Card("Pendulum", "pendulum()", RELEASED),
    "double-pendulum": Card("Double pendulum", "pendulum(n=2)", RELEASED),
    "pendulum-chain": Card("Chain of pendulums", "pendulum(n=6, length=0.2)", RELEASED),
    "four-bar": Card("Four-bar linkage", "four_bar()", TURN),
    "four-bar-chain": Card("Row of four-bars", "four_bar_chain(4)", TURN.replace("crank", "crank0")),
    "slider-crank": Card("Slider-crank", "slider_crank(speed=6.283185307179586)", TURN),
    "rigid-slider-crank": Card("Slider-crank against a wall", "rigid_slider_crank()", IMPACT),
    "flexible-slider-crank": Card("Slider-crank with a flexible rod", "flexible_slider_crank()", IMPACT),
    "sprung-slider-crank": Card("Slider-crank with a spring", "sprung_slider_crank()", IMPACT),
    "integrated-slider-crank": Card("Slider-crank with flexible rod and spring", "integrated_slider_crank()", IMPACT),
    "chebyshev-leg": Card("Chebyshev's leg", "chebyshev_leg()", LEG),
    "jansen-leg": Card("Theo Jansen's leg", "jansen_leg()", LEG),
    "klann-leg": Card("Klann's leg", "klann_leg()", LEG),
    "strider-legs": Card("Strider", "strider_legs()", LEG),
    "horse-leg": Card("Hind leg of a horse", "horse_leg()", LEG),
    "walking-machine": Card(
        "Walking machine",
        "walking_machine()",
        'walk = gw.measure_walk(model.analyse())\nprint(walk, walk["bounce"], walk["torque_greatest"])  # m, N m',
    ),
    "knee-exoskeleton": Card(
        "Knee exoskeleton",
        "knee_exoskeleton(spring_stiffness=8000)",
        'run = model.inverse(until=2.0)\nprint(run["assist.moment"].max().item())  # N m\n'
        'print(run["axis.forward"].min().item())  # mm\nrun.plot("assist.moment", against="knee.flexion", path="assist.png")',
    ),
    "knee-lock": Card(
        "Knee with a lock",
        "knee_exoskeleton(locked=True, thigh_swing=15)",
        'run = model.inverse(until=2.0)\nprint(run["lock.moment"].min().item(), run["lock.moment"].max().item())  # N m',
    ),
    "knee-brace": Card(
        "Knee brace with a plain hinge",
        "knee_brace(brace_stiffness=10)",
        'run = model.inverse(until=2.0)\nprint(run["brace.error"].min().item())  # deg\n'
        'print(run["cuff.pistoning"].max().item())  # mm',
    ),
    "back-support": Card(
        "Back support",
        "back_support(rise=True, damping=3e-3)",
        'run = model.analyse()\nprint(run["assist.moment"].max().item())  # N m\nfor chart in run.summary()["charts"]:\n'
        '    print(chart["y"], chart["greatest"], chart.get("work_rising"), chart.get("work_falling"))  # J',
    ),
    "cantilever": Card(
        "Cantilever",
        'cantilever(moment="4*t")',
        'run = model.static_path(1.0, steps=10)\nprint(run["rod.end.x"].values[-1], run["rod.end.y"].values[-1])',
    ),
    "cfrp-beam": Card(
        "Beam of carbon fibre",
        "cfrp_beam()",
        'run = model.simulate(until=5.0, step=1e-3)\nprint(run["rod.end.x"].max().item())  # m',
    ),
    "falling-ball": Card(
        "Falling ball",
        "falling_ball(gw.LankaraniNikravesh(stiffness=1e6, restitution=0.8))",
        'run = model.simulate(until=3.0)\nprint(run.contacts()[["begin", "restitution", "max_force"]])',
    ),
    "ankle-foot-orthosis": Card(
        "Ankle-foot orthosis",
        "ankle_foot_orthosis()",
        'run = model.simulate(until=1.1)\nprint(run["spring.torque"].max().item())  # N m\n'
        'print(2e4 * abs(run["strap.dz"]).max().item())  # N, sideways',
    ),
    "lower-body": Card(
        "Lower body",
        "lower_body()",
        'run = model.inverse(until=1.1, step=0.01)\nfor joint in ("hip.torque_z", "knee.torque", "ankle.torque"):\n'
        '    torque = run[f"right_{joint}"]\n    print(joint, torque.min().item(), torque.max().item())  # N m',
    ),
    "gyroscope": Card("Gyroscope", "gyroscope(precession=0.0)", SPUN.format("top.zyz_1")),
    "gimbal-gyroscope": Card("Gyroscope in gimbals", "gimbal_gyroscope()", SPUN.format("upright.angle")),
    "spatial-slider-crank": Card(
        "Slider-crank in space", "spatial_slider_crank()", TURN.replace("crank.torque", "motor.torque")
    ),
    "spatial-four-bar": Card(
        "Four-bar in space",
        "spatial_four_bar()",
        'run = model.inverse(until=1.0)\nangle = run["rocker_bearing.angle"]\n'
        "print(angle.min().item(), angle.max().item())  # rad",
    ),
    "bricard": Card(
        "Bricard's mechanism",
        "bricard()",
        'print(*model.check().redundant)\nrun = model.simulate(until=10.0, step=5e-3, method="gauss2")\n'
        'print(run["rod3.P3.x"].min().item())  # m',
    ),
}
"""By the names of the catalogue."""
ORDER = ("legs", "worn on the body", "linkages", "pendulums", "beams and contact", "in space")
"""Groups of the catalogue: what most people come for, first."""
HEAD = """---
hide:
  - toc
---

# Gallery

*For whoever wants to begin with something that runs.*

Ready mechanisms, each with the question it answers. The Python runs as it stands; the command writes the mechanism as a
[model file](model-file.md) to run and to change. `run.report("page.html")` and `leg.report("page.html")` put all there is
to know about a run or a leg on [one page](how-to/report.md); parameters of a function are in its help:
`help(jansen_leg)`.

<!-- Written by `make gallery`: change src/gaitwright/gallery.py instead. -->
"""


def page() -> str:
    """The page, in Markdown."""
    return "\n".join([HEAD, _index(), *_groups()])


def _index() -> str:
    """All names, to jump to."""
    shown = {group: [name for name, entry in CATALOGUE.items() if entry.group == group] for group in ORDER}
    lines = (f"- {group}: " + ", ".join(f"[{_plain(n)}](#{n})" for n in names) for group, names in shown.items())
    return "\n".join(lines) + "\n"


def _plain(name: str) -> str:
    return name.replace("-", " ")


def _groups() -> Iterator[str]:
    for group in ORDER:
        yield f"## {group.capitalize()}\n"
        for name, entry in CATALOGUE.items():
            if entry.group == group:
                yield _shown(name, entry, CARDS[name])


def _shown(name: str, entry: Entry, card: Card) -> str:
    ask = f"gaitwright leg {name}.yaml" if entry.feet else f"gaitwright run {name}.yaml --report"
    return f"""<div class="card" markdown>

### {card.title} {{ #{name} }}

![{card.title}](gallery/{name}.png)

{entry.question}

```python
{card.snippet().rstrip()}
```

```
gaitwright example {name} --out {name}.yaml
{ask}
```

</div>
"""


def draw(name: str, folder: Path) -> Path:
    """The picture of a mechanism, PNG, small enough for a page."""
    path = find(name).picture(folder / f"{name}.png")
    return shrink(path, path)


def shrink(path: Path, to: Path) -> Path:
    """A picture with fewer pixels and colours."""
    from PIL import Image

    with Image.open(path) as drawn:
        small = drawn.convert("RGB")
    small.thumbnail((WIDEST, HIGHEST), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(to, optimize=True)
    return to


class Step(NamedTuple):
    """A piece of a tutorial: its Python, and what the page says that it prints."""

    code: str
    shown: str


def steps(text: str) -> list[Step]:
    """The pieces of a page in Markdown, in order."""
    found = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)
    return [Step(code, shown) for code, shown in found]


def follow(pieces: Sequence[Step], folder: Path) -> Iterator[str]:
    """Run the pieces one after the other in a folder, as a reader does; what each prints."""
    names: dict[str, Any] = {"__name__": "tutorial"}
    for piece in pieces:
        printed = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            exec(compile(piece.code, "tutorial", "exec"), names)
        yield printed.getvalue()


def illustrate(docs: Path) -> Iterator[Path]:
    """Follow the tutorial and keep the pictures that it shows."""
    text = packaged_text(docs / "tutorial.md")
    (docs / "tutorial").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        list(follow(steps(text), Path(folder)))
        for name in re.findall(r"\(tutorial/([^)]+)\)", text):
            yield shrink(Path(folder) / name, docs / "tutorial" / name)


def write(docs: Path, names: Sequence[str] = ()) -> Iterator[Path]:
    """Write the page and the pictures of these mechanisms, or of all."""
    folder = docs / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or CATALOGUE:
        yield draw(name, folder)
    (docs / "gallery.md").write_text(page(), encoding="utf-8")
    yield docs / "gallery.md"


def write_examples(docs: Path) -> Iterator[Path]:
    """Write the page of the scripts beside the docs, and their pictures."""
    scripts, pictures = docs.resolve().parent / "examples", docs / "gallery" / "examples"
    pictures.mkdir(parents=True, exist_ok=True)
    for example in examples_page.examples(scripts):
        path = examples_page.draw(example, pictures)
        yield shrink(path, path)
    (docs / "examples.md").write_text(examples_page.page(scripts), encoding="utf-8")
    yield docs / "examples.md"


if __name__ == "__main__":
    place, *chosen = sys.argv[1:]
    for written in write(Path(place), chosen):
        print(written)
    if not chosen:
        for written in (*illustrate(Path(place)), *write_examples(Path(place))):
            print(written)
