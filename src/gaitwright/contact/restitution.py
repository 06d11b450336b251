"""Effective behaviour of a normal law in a free impact: rebound, penetration, force and duration.

One body of the given mass meets a fixed one, without gravity: m d'' = -F(d, d', v0), set to zero where F would pull. The
restitution parameter of most laws differs from the resulting restitution; `rebound_table` and `plot_rebounds` show both.
`python -m gaitwright.contact.restitution` prints the tables of all laws in docs/theory/contact-laws.md.
"""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import DidNotConverge, ModelError
from gaitwright._core.output_files import save_bytes
from gaitwright.physics import load_all
from gaitwright.physics.contact_laws.base import HysteresisLaw
from gaitwright.physics.declarations import ContactLaw, Number

RESTITUTIONS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
MAX_SERIES_FACTOR = 0.1
"""Factor below which x - ln(1 + x) is summed as a series: the difference would lose digits."""


class FreeImpact(NamedTuple):
    """Free impact. rebound: speed out over speed in. deepest: m. largest_force: N. duration: s, from touchdown to the end
    of the force."""

    rebound: float
    deepest: float
    largest_force: float
    duration: float


def rebound(law: ContactLaw | type[ContactLaw], *, mass: float = 1.0, approach: float = 1.0, **values: float) -> float:
    """Return the speed after a free impact over the speed before it.

    law: a law with its values, `Flores(stiffness=1e5, restitution=0.5)`, or a class with the values as arguments. mass (kg)
    and approach (m/s) matter only to laws without a restitution parameter. For F = K d^n (1 + k d'/v0) there is a closed
    solution that needs the restitution alone; others are integrated (exceptions of `impact`)."""
    law_class, parameters = _law_and_values(law, values)
    if issubclass(law_class, HysteresisLaw):
        parameters = _complete_values(law_class, {"stiffness": 1.0, **parameters})
        return rebound_of_factor(float(law_class.factor(parameters["restitution"])))
    return impact(law, mass=mass, approach=approach, **values).rebound


def rebound_of_factor(factor: float) -> float:
    """Rebound e_out of F = K d^n (1 + k d'/v0): the root of k (1 + e) = ln((1 + k) / (1 - k e)), for any k >= 0.

    With g(x) = x - ln(1 + x) it reads g(k) = g(-w), w = k e: equal energy on the way in and out at the same penetration. Then
    1 - w = -W(-(1 + k) exp(-1 - k)), W being Lambert's function. Its argument is near the branch point for small k; there
    Newton's iteration on the series of g keeps all digits."""
    if not 0 <= factor < math.inf:
        ErrorContext(field="factor").fail("is not a damping factor", factor, "a number from 0")
    if factor == 0:
        return 1.0
    if factor > MAX_SERIES_FACTOR:
        from scipy.special import lambertw

        return float(1 + lambertw(-(1 + factor) * math.exp(-1 - factor)).real) / factor
    target, w = _log_difference(factor), factor * (1 - 2 * factor / 3)
    for _ in range(5):
        w -= (_log_difference(-w) - target) * (1 - w) / w
    return w / factor


def _log_difference(x: float) -> float:
    """x - ln(1 + x) for small x, without cancellation."""
    return x * x * sum((-x) ** i / (i + 2) for i in range(20))


def impact(
    law: ContactLaw | type[ContactLaw], *, mass: float = 1.0, approach: float = 1.0, **values: float
) -> FreeImpact:
    """Free impact of any law, integrated (LSODA, 1e-12).

    law, mass (kg), approach (m/s): as in `rebound`. Raises ModelError for invalid values and DidNotConverge if the impact
    does not end. Lengths are scaled by the depth of an elastic impact and speeds by the approach speed, so that the
    accuracy does not depend on units of stiffness or on the size of the body."""
    import numpy as np
    import sympy
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq, minimize_scalar

    for field, value in (("mass", mass), ("approach", approach)):
        if not 0 < value < math.inf:
            ErrorContext(field=field).fail("is not positive and finite", value, "a number above 0")
    law_class, parameters = _law_and_values(law, values)
    parameters = _complete_values(law_class, parameters)
    d, v = sympy.symbols("d v", real=True)
    law_force = sympy.lambdify((d, v), law_class.force(d, v, approach, **parameters), "math")
    law_energy = sympy.lambdify(d, law_class.energy(d, **parameters), "math")

    energy, upper = mass * approach**2 / 2, 1.0
    while law_energy(upper) < energy:
        upper *= 2
    while law_energy(upper / 2) > energy:
        upper /= 2
    depth = float(brentq(lambda x: law_energy(x) - energy, upper / 2, upper, xtol=1e-300, rtol=1e-14))  # type: ignore
    scale = depth / (mass * approach**2)

    def force(x: float, u: float) -> float:
        return scale * law_force(max(x, 1e-200) * depth, u * approach)

    def motion(_: float, y: Any) -> tuple[float, float]:
        return y[1], -max(force(*y), 0.0)

    def leaves(_: float, y: Any) -> float:
        """Negative once the bodies are apart or the law would pull; positive before they meet."""
        return min(y[0], force(*y)) if y[1] < 0 else 1.0

    leaves.terminal, leaves.direction = True, -1  # type: ignore
    path = solve_ivp(
        motion, (0.0, 1e9), (0.0, 1.0), method="LSODA", events=leaves, dense_output=True, rtol=1e-12, atol=1e-14
    )
    if not path.t_events[0].size:
        raise DidNotConverge(f"the impact with {law_class.name} does not end", suggestion="less damping")
    end, (_, out) = float(path.t_events[0][0]), path.y_events[0][0]
    push = np.array([force(*y) for y in path.y.T])
    deepest, strongest = int(np.argmax(path.y[0])), int(np.argmax(push))

    def peak(quantity: Any, place: int) -> float:
        between = path.t[max(place - 1, 0)], path.t[min(place + 1, path.t.size - 1)]
        best = minimize_scalar(
            lambda t: -quantity(*path.sol(t)), bounds=between, method="bounded", options={"xatol": 1e-12}
        )
        return max(-float(best.fun), float(quantity(*path.y[:, place])))  # type: ignore

    return FreeImpact(
        rebound=-float(out),
        deepest=depth * peak(lambda x, u: x, deepest),
        largest_force=peak(force, strongest) / scale,
        duration=end * depth / approach,
    )


def rebound_table(restitutions: tuple[float, ...] = RESTITUTIONS) -> dict[str, tuple[float | None, ...]]:
    """{law: rebounds}, one per restitution, of all laws with a restitution parameter; None for infinite damping."""
    return {
        name: tuple(_rebound_or_none(law, e) for e in restitutions) for name, law in _laws_with_restitution().items()
    }


def rebound_page_table() -> str:
    """Table of the rebounds in Markdown, for the documentation."""
    columns = ["law", "$k(e)$", "$e = 0$", *(f"{e:g}" for e in RESTITUTIONS[1:])]
    rows = [columns, ["---"] * len(columns)]
    for name, law in _laws_with_restitution().items():
        cells = ("-" if value is None else f"{value:.4f}" for value in rebound_table()[name])
        rows.append([name, getattr(law, "formula", ""), *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def source_table() -> str:
    """Table of all laws with the sources of their docstrings and their valid range in Markdown, for the documentation."""
    load_all()
    rows = [["law", "source", "where it holds"], ["---"] * 3]
    for name, law in sorted(ContactLaw.registry.items()):
        if law.__module__.startswith("gaitwright."):
            source = " ".join((law.__doc__ or "").partition("Source: ")[2].split())
            rows.append([name, source.removesuffix("."), getattr(law, "valid", "").removesuffix(".")])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _laws_with_restitution() -> dict[str, type[ContactLaw]]:
    load_all()
    return {
        name: law
        for name, law in sorted(ContactLaw.registry.items())
        if issubclass(law, ContactLaw) and "restitution" in law.parameters
    }


def _rebound_or_none(law: type[ContactLaw], restitution: float) -> float | None:
    try:
        return rebound(law, restitution=restitution)
    except ModelError:
        return None


def plot_rebounds(path: str | Path) -> Path:
    """Draw the rebound of all laws over their restitution parameter, as a picture (the file ending selects the format)."""
    import numpy as np
    from matplotlib.figure import Figure

    grid = (0.0, *np.linspace(0.005, 1.0, 200))
    curves = rebound_table(tuple(float(e) for e in grid))
    figure = Figure(figsize=(8, 5.2), dpi=110, facecolor="white", layout="constrained")
    axes = figure.subplots()
    axes.plot((0, 1), (0, 1), color="0.6", linewidth=6, alpha=0.5, label="rebound = restitution")
    styles, colours = ("-", "--", "-.", ":"), (*(f"C{i}" for i in range(7)), "black", "C8", "C9", "#004d40")
    ordered = sorted(curves.items(), key=lambda item: -(item[1][20] or 0.0))  # as at a small restitution
    for i, (name, values) in enumerate(ordered):
        plotted = [math.nan if value is None else value for value in values]
        axes.plot(grid, plotted, styles[i % 4], color=colours[i % len(colours)], linewidth=1.6, label=name)
    axes.set(xlabel="restitution given to the law", ylabel="rebound of a free impact", xlim=(0, 1), ylim=(0, 1))
    axes.set_aspect("equal")
    axes.grid(color="0.9")
    axes.set_axisbelow(True)
    figure.legend(loc="outside right center", frameon=False)
    picture = io.BytesIO()
    figure.savefig(picture, format=Path(path).suffix[1:] or "png")
    return save_bytes(path, picture.getbuffer())


def _law_and_values(
    law: ContactLaw | type[ContactLaw], values: dict[str, float]
) -> tuple[type[ContactLaw], dict[str, Any]]:
    """The class of a law and the values given with it."""
    if isinstance(law, ContactLaw):
        return type(law), {**law.fields, **values}
    return law, dict(values)


def _complete_values(law: type[ContactLaw], values: dict[str, Any]) -> dict[str, float]:
    """All values of a law, defaults included, checked."""
    for name in values:
        if name not in law.parameters:
            ErrorContext(law.name, name).fail("is not a value of this law", expected=", ".join(law.parameters))
    complete = {}
    for name, parameter in law.parameters.items():
        value = values.get(name, parameter.default)
        if value is None:
            unit = parameter.unit if isinstance(parameter, Number) else ""
            ErrorContext(law.name, name).fail("is missing", expected=f"a number of {unit}")
        complete[name] = float(value)
    law.check(**complete)
    return complete


if __name__ == "__main__":
    print(rebound_page_table(), source_table(), sep="\n\n")
