"""What `study` found: a table of variants, the best, those that none beats, sizes in stock; in sentences, files, a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.number_limits import Limit
from gaitwright.design.pareto import pareto
from gaitwright.model.model import Model

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

NO_UNIT = ("", "1", "mixed")
Row = dict[str, Any]


class Study:
    """model: that was varied. data: as `gw.sweep` gives it. goals: by name, whether it shall be large. limits, stock: as they
    were asked. units: of the numbers."""

    model: Model
    data: xr.Dataset
    goals: dict[str, bool]
    limits: dict[str, Limit]
    stock: dict[str, tuple[float, ...]]
    units: dict[str, str]
    analysis: Any
    parameters: list[str]
    rules: dict[str, str]
    """Names of the rules among the limits, by number."""

    def __init__(
        self, model: Model, data: xr.Dataset, goals: dict[str, bool], limits: dict[str, Limit],
        stock: dict[str, tuple[float, ...]], units: dict[str, str], analysis: Any, rules: Mapping[str, str] | None = None,
    ):  # fmt: skip
        self.model, self.data, self.goals, self.limits, self.stock = model, data, goals, limits, stock
        self.units, self.analysis = units, analysis
        self.rules = dict(rules or {})
        self.parameters = [str(name) for name in data["failure"].dims]

    @cached_property
    def rows(self) -> list[Row]:
        """Of every variant: parameters, numbers, and whether it `keeps` the limits, is `unbeaten` by any other that does, and
        is `in_stock`; `failure`: why it has no numbers."""
        shape = self.data["failure"].shape
        columns = {name: self.data[name].to_numpy().ravel() for name in (*self.names, "failure")}
        found: list[Row] = []
        for k, where in enumerate(np.ndindex(shape)):
            row: Row = {name: float(self.data[name].values[i]) for name, i in zip(self.parameters, where, strict=True)}
            row |= {name: float(columns[name][k]) for name in self.names} | {"failure": str(columns["failure"][k])}
            row["keeps"] = not row["failure"] and keeps(self.limits, row)
            row["in_stock"] = all(row[name] in sizes for name, sizes in self.stock.items())
            found.append(row)
        worth = [self._worth(row) if row["keeps"] else [math.nan] * len(self.goals) for row in found]
        for row, first in zip(found, unbeaten(np.array(worth)), strict=True):
            row["unbeaten"] = bool(first)
        return found

    @property
    def names(self) -> list[str]:
        """Of the numbers."""
        return [str(name) for name in self.data.data_vars if name != "failure"]

    @property
    def table(self) -> pd.DataFrame:
        """`rows` as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    @property
    def best(self) -> Row | None:
        """The variant that is best in the first goal, of equals in the next, and keeps the limits; None if none does."""
        return self._best(self.rows)

    @property
    def best_in_stock(self) -> Row | None:
        """The same of sizes that can be bought."""
        return self._best([row for row in self.rows if row["in_stock"]]) if self.stock else None

    @property
    def front(self) -> list[Row]:
        """Variants that keep the limits and that no other beats, along the first goal."""
        first = next(iter(self.goals))
        return sorted((row for row in self.rows if row["unbeaten"]), key=lambda row: row[first])

    def next_sizes(self, row: Row | None = None) -> dict[str, list[Row]]:
        """By parameter with a stock: variants with the next smaller (or the same) and the next larger size, all else as in a
        row; that of the best unless given. Where the bounds end before, there is none."""
        row = row or self.best
        found: dict[str, list[Row]] = {}
        if row is None:
            return found
        for name, sizes in self.stock.items():
            for size in nearest(sizes, row[name]):
                wanted = {**{one: row[one] for one in self.parameters}, name: size}
                found.setdefault(name, []).extend(
                    one for one in self.rows if all(one[n] == value for n, value in wanted.items())
                )
        return found

    def _worth(self, row: Row) -> list[float]:
        """The goals, larger is better."""
        return [row[name] if large else -row[name] for name, large in self.goals.items()]

    def _best(self, rows: list[Row]) -> Row | None:
        good = [row for row in rows if row["keeps"] and np.isfinite(self._worth(row)).all()]
        return max(good, key=self._worth, default=None)

    @property
    def least_broken(self) -> Row | None:
        """Where no variant keeps the limits: the one that breaks them least, in relation to them."""
        good = [row for row in self.rows if not row["failure"]]
        return min(good, key=lambda row: sum(one.broken(row[name]) for name, one in self.limits.items()), default=None)

    @property
    def rejections(self) -> dict[str, int]:
        """How many variants break each limit and each rule, the most frequent first; one may break several."""
        found = {}
        for name, limit in self.limits.items():
            count = sum(1 for row in self.rows if not row["failure"] and not limit.keeps(row[name]))
            called = f"{name} (rule '{self.rules[name]}')" if name in self.rules else name
            found |= {f"{called}, allowed {limit}": count} if count else {}
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def variant(self, row: Row) -> Model:
        """The model with the parameters of a row."""
        return self.model.copy(**{name: float(row[name]) for name in self.parameters})

    def unit(self, name: str) -> str:
        unit = self.units.get(name, "")
        return "" if unit in NO_UNIT else f" {unit}"

    def values(self, row: Row) -> str:
        """Its parameters in words."""
        return ", ".join(f"{name} = {row[name]:.6g}" for name in self.parameters)

    def numbers(self, row: Row) -> str:
        """Its numbers in words, with what is beyond a limit."""
        told = (f"{name} = {row[name]:.4g}{self.unit(name)}{self._verdict(name, row[name])}" for name in self.names)
        return ", ".join(told)

    def _verdict(self, name: str, value: float) -> str:
        limit = self.limits.get(name)
        if limit is None or (math.isfinite(value) and limit.broken(value) == 0.0):
            return ""
        rule = f", rule '{self.rules[name]}'" if name in self.rules else ""
        return f" (EXCEEDS {limit.high:.4g}{rule})" if value > limit.high else f" (BELOW {limit.low:.4g}{rule})"

    def lines(self) -> list[str]:
        """The answer in sentences."""
        rows, best = self.rows, self.best
        failed = sum(bool(row["failure"]) for row in rows)
        count = f"{len(rows)} variants" + (f", {failed} of which cannot be analysed" if failed else "")
        if best is None:
            near = self.least_broken
            told = f"; nearest is {self.values(near)}: {self.numbers(near)}" if near else f"; {rows[0]['failure']}"
            return [f"none of {count} keeps the limits{told}"]
        found = [f"best: {self.values(best)}, with {self.numbers(best)}"]
        kept = sum(row["keeps"] for row in rows)
        found.append(f"{count}; {kept} {'keeps' if kept == 1 else 'keep'} the limits" if self.limits else count)
        found += [f"  {count} x: breaks {name}" for name, count in self.rejections.items()]
        if len(self.goals) > 1:
            front = f"{len(self.front)} of them {'is' if len(self.front) == 1 else 'are'} beaten by no other"
            found.append(f"{front} in all of {', '.join(self.goals)}")
        for name, sizes in self.next_sizes(best).items():
            for row in sizes:
                where = "in stock" if row[name] == best[name] else "next in stock"
                found.append(f"{where}: {name} = {row[name]:.6g}, with {self.numbers(row)}")
        stocked = self.best_in_stock
        if self.stock:
            found.append(f"best in stock: {self.values(stocked)}" if stocked else "nothing in stock keeps the limits")
        return found

    def summary(self) -> dict[str, Any]:
        """Everything in plain numbers."""
        from gaitwright.plain import plain

        sides = {name: {"low": one.low, "high": one.high} for name, one in self.limits.items()}
        return plain({
            "name": self.model.document.name, "parameters": self.parameters,
            "goals": {name: "large" if large else "small" for name, large in self.goals.items()},
            "limits": {name: {k: v for k, v in one.items() if math.isfinite(v)} for name, one in sides.items()},
            "units": self.units, "best": self.best, "best_in_stock": self.best_in_stock, "next_in_stock": self.next_sizes(),
            "unbeaten": self.front,
            "rejections": self.rejections, "variants": self.rows,
        })  # fmt: skip

    def save(self, folder: str | Path) -> dict[str, Path]:
        """study.csv, summary.json, and chosen.yaml with the best variant, in stock where there is a stock."""
        from gaitwright.plain import write_json
        from gaitwright.saving import save_text

        folder = Path(folder)
        files = {
            "table": save_text(folder / "study.csv", self.table.to_csv(index=False, lineterminator="\n")),
            "summary": write_json(self.summary(), folder / "summary.json"),
        }
        best = self.best_in_stock or self.best
        return {**files, "model": self.variant(best).save(folder / "chosen.yaml")} if best else files

    def report(self, folder: str | Path, more: Sequence[Any] = ()) -> dict[str, Path]:
        """study.html: the answer, blocks of one's own, what each parameter does, the front, what is in stock."""
        from gaitwright.report.views.study_page import study_report

        return study_report(self, more).save(Path(folder) / "study.html")

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import study_card

        return study_card(self)

    def __repr__(self) -> str:
        first, *rest = self.lines()
        return "\n".join([f"<Study: {first}", *(f"  {line}" for line in rest)]) + ">"


def unbeaten(numbers: np.ndarray) -> np.ndarray:
    """(n,): rows of (n, goals), larger is better, that no other row beats: as good in all and better in one. NaN is beaten."""
    known = np.flatnonzero(np.isfinite(numbers).all(axis=1))
    found = np.zeros(len(numbers), dtype=bool)
    found[known[pareto(-numbers[known])]] = True
    return found


def nearest(sizes: Sequence[float], value: float) -> tuple[float | None, float | None]:
    """Of sizes in order: the largest that is not above a value, and the smallest that is above it."""
    below = [one for one in sizes if one <= value * (1 + 1e-12)]
    above = [one for one in sizes if one > value * (1 + 1e-12)]
    return (below[-1] if below else None), (above[0] if above else None)


def keeps(limits: Mapping[str, Limit], row: Mapping[str, Any]) -> bool:
    """Whether all limits are kept; NaN breaks them."""
    return all(math.isfinite(row[name]) and limit.broken(row[name]) == 0.0 for name, limit in limits.items())
