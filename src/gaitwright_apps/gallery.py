"""Generated pictures of the documentation: a card for every mechanism of the catalogue, tutorial pictures and example pictures.

python -m gaitwright_apps.gallery docs                # writes gallery.md, examples.md, gallery/**/*.png and
tutorial/*.png in docs
python -m gaitwright_apps.gallery docs jansen-leg     # the page, and only this picture
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

from gaitwright._core.input_files import packaged_text
from gaitwright.mechanisms.catalogue import CATALOGUE, CatalogueEntry, find_entry
from gaitwright_apps import examples_page

MAX_WIDTH_PX, MAX_HEIGHT_PX, MAX_COLOURS = 640, 600, 256
"""Maximum size and number of colours of a picture: sufficient for drawings of bars, and below 60 kB each."""
RELEASE_CODE = """run = model.simulate(until=3.0, step=2e-3, method="gauss2")
print(run["energy.kinetic"].max().item())  # J"""
INVERSE_CODE = """run = model.inverse(until=1.0)
print(run["crank.torque"].max().item())  # N m"""
IMPACT_CODE = """run = model.simulate(until=1.0, step=1e-3)
print(run.contacts("wall")[["begin", "duration", "max_force"]])"""
SPIN_CODE = """run = model.simulate(until=2.0, step=1e-3, method="gauss2")
print(run["{}"].values[::400])  # rad"""
LEG_CODE = """leg = gw.analyse_leg(model)
print(leg, leg.numbers["air_energy_turn"].value)  # J"""


class GalleryCard(NamedTuple):
    """Gallery card. title: common name. call: the function of gaitwright.mechanisms that makes the model. ask: code
    that answers the question about `model`. helper: another name of this module used by the code."""

    title: str
    call: str
    ask: str
    helper: str = ""

    def snippet(self) -> str:
        """Complete Python snippet."""
        names = ", ".join(sorted(filter(None, (self.call.partition("(")[0], self.helper))))
        code = f"from gaitwright.mechanisms import {names}\n\nmodel = {self.call}\n{self.ask}\n"
        return f"import gaitwright as gw\n{code}" if "gw." in code else code


GALLERY_CARDS = {
    "pendulum": GalleryCard("Pendulum", "pendulum()", RELEASE_CODE),
    "double-pendulum": GalleryCard("Double pendulum", "pendulum(n=2)", RELEASE_CODE),
    "pendulum-chain": GalleryCard("Chain of pendulums", "pendulum(n=6, length=0.2)", RELEASE_CODE),
    "four-bar": GalleryCard("Four-bar linkage", "four_bar()", INVERSE_CODE),
    "four-bar-chain": GalleryCard("Row of four-bars", "four_bar_chain(4)", INVERSE_CODE.replace("crank", "crank0")),
    "slider-crank": GalleryCard("Slider-crank", "slider_crank(speed=6.283185307179586)", INVERSE_CODE),
    "rigid-slider-crank": GalleryCard("Slider-crank against a wall", "rigid_slider_crank()", IMPACT_CODE),
    "flexible-slider-crank": GalleryCard("Slider-crank with a flexible rod", "flexible_slider_crank()", IMPACT_CODE),
    "sprung-slider-crank": GalleryCard("Slider-crank with a spring", "sprung_slider_crank()", IMPACT_CODE),
    "integrated-slider-crank": GalleryCard(
        "Slider-crank with flexible rod and spring", "integrated_slider_crank()", IMPACT_CODE
    ),
    "chebyshev-leg": GalleryCard("Chebyshev's leg", "chebyshev_leg()", LEG_CODE),
    "jansen-leg": GalleryCard("Theo Jansen's leg", "jansen_leg()", LEG_CODE),
    "klann-leg": GalleryCard("Klann's leg", "klann_leg()", LEG_CODE),
    "strider-legs": GalleryCard("Strider", "strider_legs()", LEG_CODE),
    "horse-leg": GalleryCard("Hind leg of a horse", "horse_leg()", LEG_CODE),
    "walking-machine": GalleryCard(
        "Walking machine",
        "walking_machine()",
        'walk = gw.measure_walk(model.analyse())\nprint(walk, walk["bounce"], walk["torque_greatest"])  # m, N m',
    ),
    "knee-exoskeleton": GalleryCard(
        "Knee exoskeleton",
        "knee_exoskeleton(spring_stiffness=8000)",
        'run = model.inverse(until=2.0)\nprint(run["assist.moment"].max().item())  # N m\n'
        'print(run["axis.forward"].min().item())  # mm\nrun.plot("assist.moment", against="knee.flexion", path="assist.png")',
    ),
    "knee-lock": GalleryCard(
        "Knee with a lock",
        "knee_exoskeleton(locked=True, thigh_swing=15)",
        'run = model.inverse(until=2.0)\nprint(run["lock.moment"].min().item(), run["lock.moment"].max().item())  # N m',
    ),
    "knee-brace": GalleryCard(
        "Knee brace with a plain hinge",
        "knee_brace(brace_stiffness=10)",
        'run = model.inverse(until=2.0)\nprint(run["brace.error"].min().item())  # deg\n'
        'print(run["cuff.pistoning"].max().item())  # mm',
    ),
    "back-support": GalleryCard(
        "Back support",
        "back_support(rise=True, damping=3e-3)",
        'run = model.analyse()\nprint(run["assist.moment"].max().item())  # N m\nfor chart in run.summary()["charts"]:\n'
        '    print(chart["y"], chart["greatest"], chart.get("work_rising"), chart.get("work_falling"))  # J',
    ),
    "cantilever": GalleryCard(
        "Cantilever",
        'cantilever(moment="4*t")',
        'run = model.static_path(1.0, steps=10)\nprint(run["rod.end.x"].values[-1], run["rod.end.y"].values[-1])',
    ),
    "cfrp-beam": GalleryCard(
        "Beam of carbon fibre",
        "cfrp_beam()",
        'run = model.simulate(until=5.0, step=1e-3)\nprint(run["rod.end.x"].max().item())  # m',
    ),
    "falling-ball": GalleryCard(
        "Falling ball",
        "falling_ball(gw.laws.LankaraniNikravesh(stiffness=1e6, restitution=0.8))",
        'run = model.simulate(until=3.0)\nprint(run.contacts()[["begin", "restitution", "max_force"]])',
    ),
    "ankle-foot-orthosis": GalleryCard(
        "Ankle-foot orthosis",
        "ankle_foot_orthosis()",
        'run = model.simulate(until=1.1)\nprint(run["spring.torque"].max().item())  # N m\n'
        'print(2e4 * abs(run["strap.dz"]).max().item())  # N, sideways',
    ),
    "lower-body": GalleryCard(
        "Lower body",
        "lower_body()",
        'run = model.inverse(until=1.1, step=0.01)\nfor joint in ("hip.torque_z", "knee.torque", "ankle.torque"):\n'
        '    torque = run[f"right_{joint}"]\n    print(joint, torque.min().item(), torque.max().item())  # N m',
    ),
    "gyroscope": GalleryCard("Gyroscope", "gyroscope(precession=0.0)", SPIN_CODE.format("top.zyz_1")),
    "gimbal-gyroscope": GalleryCard("Gyroscope in gimbals", "gimbal_gyroscope()", SPIN_CODE.format("upright.angle")),
    "spatial-slider-crank": GalleryCard(
        "Slider-crank in space", "spatial_slider_crank()", INVERSE_CODE.replace("crank.torque", "motor.torque")
    ),
    "spatial-four-bar": GalleryCard(
        "Four-bar in space",
        "spatial_four_bar()",
        'run = model.inverse(until=1.0)\nangle = run["rocker_bearing.angle"]\n'
        "print(angle.min().item(), angle.max().item())  # rad",
    ),
    "bricard": GalleryCard(
        "Bricard's mechanism",
        "bricard()",
        'print(*model.check().redundant)\nrun = model.simulate(until=10.0, step=5e-3, method="gauss2")\n'
        'print(run["rod3.P3.x"].min().item())  # m',
    ),
}
"""Cards by the names of the catalogue."""
GROUP_ORDER = ("legs", "worn on the body", "linkages", "pendulums", "beams and contact", "in space")
"""Groups of the catalogue, the most popular first."""
PAGE_HEAD = """---
hide:
  - toc
---

# Gallery

*For readers who want to begin with something that runs.*

Ready mechanisms, each with the question it answers. The Python runs as it stands; the command writes the mechanism as a
[model file](model-file.md) to run and to change. `run.report("page.html")` and `leg.report("page.html")` put all there is
to know about a run or a leg on [one page](how-to/report.md); parameters of a function are in its help:
`help(jansen_leg)`.

<!-- Written by `make gallery`: change src/gaitwright_apps/gallery.py instead. -->
"""


def render_gallery() -> str:
    """Gallery page, in Markdown."""
    return "\n".join([PAGE_HEAD, _render_index(), *_render_groups()])


def _render_index() -> str:
    """Index of all names, with links."""
    names_by_group = {
        group: [name for name, entry in CATALOGUE.items() if entry.group == group] for group in GROUP_ORDER
    }
    lines = (
        f"- {group}: " + ", ".join(f"[{_anchor(n)}](#{n})" for n in names) for group, names in names_by_group.items()
    )
    return "\n".join(lines) + "\n"


def _anchor(name: str) -> str:
    return name.replace("-", " ")


def _render_groups() -> Iterator[str]:
    for group in GROUP_ORDER:
        yield f"## {group.capitalize()}\n"
        for name, entry in CATALOGUE.items():
            if entry.group == group:
                yield _render_card(name, entry, GALLERY_CARDS[name])


def _render_card(name: str, entry: CatalogueEntry, card: GalleryCard) -> str:
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


def draw_mechanism(name: str, folder: Path) -> Path:
    """Draw the picture of a mechanism, PNG, small enough for a page."""
    path = find_entry(name).picture(folder / f"{name}.png")
    return shrink(path, path)


def shrink(path: Path, to: Path) -> Path:
    """Save a picture with fewer pixels and colours."""
    from PIL import Image

    with Image.open(path) as image:
        small = image.convert("RGB")
    small.thumbnail((MAX_WIDTH_PX, MAX_HEIGHT_PX), Image.Resampling.LANCZOS)
    small.quantize(MAX_COLOURS, dither=Image.Dither.NONE).save(to, optimize=True)
    return to


class TutorialStep(NamedTuple):
    """A step of a tutorial: its Python code, and its output as shown on the page."""

    code: str
    shown: str


def find_tutorial_steps(text: str) -> list[TutorialStep]:
    """Steps of a Markdown page, in order."""
    matches = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)
    return [TutorialStep(code, shown) for code, shown in matches]


def run_tutorial_steps(pieces: Sequence[TutorialStep], folder: Path) -> Iterator[str]:
    """Run the steps one after the other in a folder. Yields the output of each."""
    names: dict[str, Any] = {"__name__": "tutorial"}
    for piece in pieces:
        printed = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            exec(compile(piece.code, "tutorial", "exec"), names)
        yield printed.getvalue()


def illustrate_tutorial(docs: Path) -> Iterator[Path]:
    """Run the tutorial and save its pictures."""
    text = packaged_text(docs / "tutorial.md")
    (docs / "tutorial").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        list(run_tutorial_steps(find_tutorial_steps(text), Path(folder)))
        for name in re.findall(r"\(tutorial/([^)]+)\)", text):
            yield shrink(Path(folder) / name, docs / "tutorial" / name)


def write_gallery(docs: Path, names: Sequence[str] = ()) -> Iterator[Path]:
    """Write the page and the pictures of the given mechanisms, or of all."""
    folder = docs / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or CATALOGUE:
        yield draw_mechanism(name, folder)
    (docs / "gallery.md").write_text(render_gallery(), encoding="utf-8")
    yield docs / "gallery.md"


def write_examples(docs: Path) -> Iterator[Path]:
    """Write the examples page, and its pictures."""
    scripts, pictures = docs.resolve().parent / "examples", docs / "gallery" / "examples"
    pictures.mkdir(parents=True, exist_ok=True)
    for example in examples_page.find_examples(scripts):
        path = examples_page.draw_example(example, pictures)
        yield shrink(path, path)
    (docs / "examples.md").write_text(examples_page.render_page(scripts), encoding="utf-8")
    yield docs / "examples.md"


if __name__ == "__main__":
    place, *chosen = sys.argv[1:]
    for written in write_gallery(Path(place), chosen):
        print(written)
    if not chosen:
        for written in (*illustrate_tutorial(Path(place)), *write_examples(Path(place))):
            print(written)
