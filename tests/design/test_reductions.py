"""All reductions in all design functions and commands: equal numbers from one list, also for outputs with NaN."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.cli.command_schema import describe_analyses
from gaitwright.codegen.c_library import find_compiler
from gaitwright.result.reductions import REDUCTION_CHOICES, REDUCTIONS

NAMES = [*REDUCTIONS, "sample_110"]
OUTPUT = "floor.x"
"""Place of the contact: NaN until the ball touches the floor after 0.1 s."""
SPEEDS = [0.3, 0.5]
FALL = {"type": "forward", "until": 0.12, "step": 1e-3, "method": "rk4"}
SHORT_FALL = FALL | {"until": 0.05}
DOCUMENTS = Path(__file__).parents[2] / "docs"
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture(scope="module")
def model() -> gw.Model:
    return gw.Model.from_dict({
        "gaitwright": 1, "parameters": {"vx": 0.4}, "gravity": [0, -9.81], "analysis": FALL,
        "bodies": [{"name": "ball", "mass": 1.0, "inertia": 0.004, "at": [0.02, 0.15], "velocity": ["vx", 0]}],
        "contacts": [{"name": "floor", "circle": {"body": "ball", "radius": 0.1}, "surface": {"line": [0, 1, 0]},
                      "law": {"type": "hunt-crossley", "stiffness": 2e4, "restitution": 0.6}}],
    })  # fmt: skip


@pytest.fixture(scope="module")
def series(model: gw.Model) -> list[np.ndarray]:
    """The output over time at each speed."""
    found = [model.copy(vx=speed).analyse().array(OUTPUT) for speed in SPEEDS]
    assert all(np.isnan(values[:90]).all() and not np.isnan(values[110:]).any() for values in found)
    return found


def number(values: np.ndarray, name: str) -> float:
    """The reduction by NumPy."""
    known = values[~np.isnan(values)]
    weights = np.r_[np.ones(known.size - 1), 0.5]  # the last sample is half an interval
    return {
        "final": values[-1], "end": values[-1], "max": known.max(), "min": known.min(), "max_abs": np.abs(known).max(),
        "mean": (weights * known).sum() / weights.sum(), "range": np.ptp(known), "sample_110": values[110],
    }[name]  # fmt: skip


def sweep(model: gw.Model, name: str, **options) -> list[float]:
    data = gw.sweep(model, {"vx": SPEEDS}, measures={"number": f"{OUTPUT}.{name}"}, workers=1, **options)
    return data["number"].values.tolist()


def designs(model: gw.Model, name: str, analysis: object = FALL) -> list[float]:
    table = gw.designs(model, {"vx": SPEEDS}, measures={"number": f"{OUTPUT}.{name}"}, analysis=analysis, workers=1)
    return table["number"].values.tolist()


def trade_off(model: gw.Model, name: str) -> list[float]:
    found = gw.trade_off(model, {"vx": SPEEDS}, measures=[f"{OUTPUT}.{name}"], workers=1)
    return found[f"{OUTPUT}.{name}"].values.tolist()


def study(model: gw.Model, name: str) -> list[float]:
    found = gw.study(model, {"vx": SPEEDS}, maximise=[f"{OUTPUT}.{name}"], workers=1)
    return found[f"{OUTPUT}.{name}"].values.tolist()


FUNCTIONS: dict[str, Callable[[gw.Model, str], list[float]]] = {
    "sweep": lambda model, name: sweep(model, name, printed=False),
    "sweep, generated": lambda model, name: sweep(model, name, printed=True),
    "designs": designs,
    "designs by a function": lambda model, name: designs(model, name, gw.Model.analyse),
    "trade_off": trade_off,
    "study": study,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "function", [pytest.param(one, marks=needs_compiler if "generated" in one else ()) for one in FUNCTIONS]
)
def test_every_function_gives_the_same_numbers(function: str, name: str, model: gw.Model, series: list[np.ndarray]):
    found = FUNCTIONS[function](model, name)
    assert found == pytest.approx([number(values, name) for values in series], rel=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_searches_use_the_same_numbers(name: str, model: gw.Model, series: list[np.ndarray]):
    target = number(series[1], name)
    chosen = gw.choose(model, {"vx": (0.2, 0.6)}, target={f"{OUTPUT}.{name}": target}, samples=2, tolerance=1e-4)
    assert chosen.value == pytest.approx(SPEEDS[1], rel=1e-3)
    best = gw.optimise(
        model,
        {"vx": tuple(SPEEDS)},
        maximise=[f"{OUTPUT}.{name}"],
        method="cobyqa",
        budget=3,
        start={"vx": SPEEDS[1]},
    )
    assert best.numbers_before[f"{OUTPUT}.{name}"] == pytest.approx(target, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_without_contact_the_numbers_are_nan(name: str, model: gw.Model):
    if name == "sample_110":
        name = "sample_11"
    short = gw.Model.from_dict({**model.to_dict(), "analysis": SHORT_FALL})
    calls = (
        lambda: sweep(short, name, printed=False),
        lambda: trade_off(short, name),
        lambda: designs(short, name, SHORT_FALL),
    )
    for function in calls:
        assert all(math.isnan(value) for value in function())


@needs_compiler
@pytest.mark.parametrize("name", ["max", "min", "mean", "range"])
def test_gradients_ignore_nan(name: str, model: gw.Model, series: list[np.ndarray]):
    """The place of the contact is x0 + vx t, without friction; so its reductions are linear in vx."""
    measure = f"{OUTPUT}.{name}"
    table = gw.designs(model, {"vx": SPEEDS}, measures=[measure], gradient=[measure], analysis=FALL)
    low, high = (number(values, name) for values in series)
    slope = (high - low) / (SPEEDS[1] - SPEEDS[0])
    assert table[f"{measure}.gradient"].values[:, 0] == pytest.approx([slope, slope], rel=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda model, wrong: gw.sweep(model, {"vx": SPEEDS}, measures=[wrong]),
        lambda model, wrong: gw.sweep(model, {"vx": SPEEDS}, measures={"number": wrong}),
        lambda model, wrong: gw.designs(model, {"vx": SPEEDS}, measures=[wrong]),
        lambda model, wrong: gw.trade_off(model, {"vx": SPEEDS}, measures=[wrong]),
        lambda model, wrong: gw.study(model, {"vx": SPEEDS}, maximise=[wrong]),
        lambda model, wrong: gw.choose(model, {"vx": SPEEDS}, target={wrong: 0.1}),
        lambda model, wrong: gw.optimise(model, {"vx": tuple(SPEEDS)}, maximise=[wrong]),
    ],
    ids=["sweep", "sweep expression", "designs", "trade_off", "study", "choose", "optimise"],
)
def test_wrong_names_give_the_list(call: Callable[[gw.Model, str], object], model: gw.Model):
    with pytest.raises(ModelError, match=f"'{OUTPUT}.peak'.*{REDUCTION_CHOICES}"):
        call(model, f"{OUTPUT}.peak")


@pytest.mark.parametrize("function", [gw.sweep, gw.designs, gw.trade_off])
def test_measures_are_no_name_of_a_reduction(function: Callable[..., object], model: gw.Model):
    with pytest.raises(ModelError, match=r"field 'measures': is not a list, .* \(got 'final'\); expected \['energy'"):
        function(model, {"vx": SPEEDS}, measures="final")


def test_an_argument_that_does_not_exist_is_refused_by_name(model: gw.Model):
    with pytest.raises(TypeError, match="'measure'"):
        gw.sweep(model, {"vx": SPEEDS}, measure="final")  # pyright: ignore[reportCallIssue]


def test_help_and_documents_name_every_reduction():
    helps = {
        command["name"]: option["help"]
        for command in describe_analyses()
        for option in command["options"]
        if option["name"] == "measures"
    }
    assert {"sweep", "trade-off", "designs", "study"} <= set(helps)
    assert all(REDUCTION_CHOICES in text for text in helps.values())
    texts = [gw.choose.__doc__, gw.optimise.__doc__, gw.study.__doc__, gw.designs.__doc__]
    pages = ("many-designs", "sweep", "choose-a-stiffness", "improve-a-leg")
    texts += [(DOCUMENTS / "how-to" / f"{page}.md").read_text() for page in pages]
    for text in texts:
        assert text is not None and all(name in text for name in REDUCTIONS)
