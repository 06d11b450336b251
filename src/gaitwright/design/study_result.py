"""Result of `study`: table of variants, the best, the Pareto front and stock sizes, as sentences, files and a web page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.design.number_limits import NumberLimit
from gaitwright.design.pareto import find_pareto_front
from gaitwright.design.question import DesignQuestion
from gaitwright.design.result import DesignResult, format_values, require_folder

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

VariantRow = dict[str, Any]


class StudyResult(DesignResult):
    """Result of `study`. The chosen design is the best in stock, if there is one, else the best. stock: available sizes by
    parameter."""

    stock: dict[str, tuple[float, ...]]

    def __init__(self, question: DesignQuestion, data: xr.Dataset, stock: dict[str, tuple[float, ...]]):
        super().__init__(question, data)
        self.stock = stock

    @property
    def goals(self) -> dict[str, bool]:
        """Goals by name, True to maximise."""
        return self.question.goals

    @cached_property
    def limits(self) -> dict[str, NumberLimit]:
        """Limits by the name of the number."""
        return self.question.number_limits()

    @cached_property
    def rows(self) -> list[VariantRow]:
        """One dict per variant: parameters and numbers by name; `keeps`: True if it keeps the limits; `unbeaten`: True if it
        keeps the limits and is on the Pareto front; `in_stock`: True if its sizes are in stock; `failure`: reason if it
        has no numbers."""
        shape = self.data["failure"].shape
        columns = {name: self.data[name].to_numpy().ravel() for name in (*self.names, "failure")}
        rows: list[VariantRow] = []
        for k, where in enumerate(np.ndindex(shape)):
            row: VariantRow = {
                name: float(self.data[name].values[i]) for name, i in zip(self.parameters, where, strict=True)
            }
            row |= {name: float(columns[name][k]) for name in self.names} | {"failure": str(columns["failure"][k])}
            row["keeps"] = not row["failure"] and keeps_limits(self.limits, row)
            row["in_stock"] = all(row[name] in sizes for name, sizes in self.stock.items())
            rows.append(row)
        worth = [self._worth(row) if row["keeps"] else [math.nan] * len(self.goals) for row in rows]
        for row, first in zip(rows, find_unbeaten(np.array(worth)), strict=True):
            row["unbeaten"] = bool(first)
        return rows

    @property
    def table(self) -> pd.DataFrame:
        """`rows` as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    @property
    def best(self) -> VariantRow | None:
        """Variant that keeps the limits and is best in the first goal, of equals in the next; None if none keeps them."""
        return self._best(self.rows)

    @property
    def best_in_stock(self) -> VariantRow | None:
        """Best variant with sizes in stock; None if there is none, or no stock."""
        return self._best([row for row in self.rows if row["in_stock"]]) if self.stock else None

    @property
    def front(self) -> list[VariantRow]:
        """Pareto front of the variants that keep the limits, sorted by the first goal."""
        first = next(iter(self.goals))
        return sorted((row for row in self.rows if row["unbeaten"]), key=lambda row: row[first])

    def next_sizes(self, row: VariantRow | None = None) -> dict[str, list[VariantRow]]:
        """Variants by parameter with a stock: with the next smaller (or the same) and the next larger size, and the other
        parameters of `row` (default: the best). Sizes outside the bounds have no variant."""
        row = row or self.best
        neighbours: dict[str, list[VariantRow]] = {}
        if row is None:
            return neighbours
        for name, sizes in self.stock.items():
            for size in nearest_sizes(sizes, row[name]):
                parameters = {**{one: row[one] for one in self.parameters}, name: size}
                neighbours.setdefault(name, []).extend(
                    one for one in self.rows if all(one[n] == value for n, value in parameters.items())
                )
        return neighbours

    def _worth(self, row: VariantRow) -> list[float]:
        """Goals with signs such that larger is better."""
        return [row[name] if large else -row[name] for name, large in self.goals.items()]

    def _best(self, rows: list[VariantRow]) -> VariantRow | None:
        good = [row for row in rows if row["keeps"] and np.isfinite(self._worth(row)).all()]
        return max(good, key=self._worth, default=None)

    @property
    def least_broken(self) -> VariantRow | None:
        """Variant that breaks the limits least, relative to their size; None if all failed."""
        good = [row for row in self.rows if not row["failure"]]
        return min(good, key=lambda row: sum(one.broken(row[name]) for name, one in self.limits.items()), default=None)

    @property
    def rejections(self) -> dict[str, int]:
        """Number of variants that break each limit and each rule, the most frequent first; one may break several."""
        counts = {}
        for name, limit in self.limits.items():
            count = sum(1 for row in self.rows if not row["failure"] and not limit.keeps(row[name]))
            counts |= {f"{self.question.limit_label(name)}, allowed {limit}": count} if count else {}
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    @property
    def values(self) -> dict[str, float]:
        best = self.best_in_stock or self.best
        if best is None:
            raise AnalysisError(self.lines()[0], suggestion="loosen the limits or widen the ranges")
        return self.values_of(best)

    def values_of(self, row: VariantRow) -> dict[str, float]:
        """Parameters of a row."""
        return {name: float(row[name]) for name in self.parameters}

    def describe_values(self, row: VariantRow) -> str:
        """Parameters of a row as text."""
        return format_values(self.values_of(row))

    def describe_numbers(self, row: VariantRow) -> str:
        """Numbers of a row as text, with a remark for each broken limit."""
        texts = (
            f"{name} = {row[name]:.4g}{self.question.unit(name)}{self._verdict(name, row[name])}" for name in self.names
        )
        return ", ".join(texts)

    def _verdict(self, name: str, value: float) -> str:
        limit = self.limits.get(name)
        if limit is None or (math.isfinite(value) and limit.broken(value) == 0.0):
            return ""
        rules = self.question.rules
        rule = f", rule '{rules[name]}'" if name in rules else ""
        return f" (EXCEEDS {limit.high:.4g}{rule})" if value > limit.high else f" (BELOW {limit.low:.4g}{rule})"

    def lines(self) -> list[str]:
        """Result as sentences."""
        rows, best = self.rows, self.best
        failed = sum(bool(row["failure"]) for row in rows)
        count = f"{len(rows)} variants" + (f", {failed} of which cannot be analysed" if failed else "")
        if best is None:
            near = self.least_broken
            nearest = (
                f"; nearest is {self.describe_values(near)}: {self.describe_numbers(near)}"
                if near
                else f"; {rows[0]['failure']}"
            )
            return [f"none of {count} keeps the limits{nearest}"]
        sentences = [f"best: {self.describe_values(best)}, with {self.describe_numbers(best)}"]
        within = sum(row["keeps"] for row in rows)
        sentences.append(f"{count}; {within} {'keeps' if within == 1 else 'keep'} the limits" if self.limits else count)
        sentences += [f"  {count} x: breaks {name}" for name, count in self.rejections.items()]
        if len(self.goals) > 1:
            front = f"{len(self.front)} of them {'is' if len(self.front) == 1 else 'are'} beaten by no other"
            sentences.append(f"{front} in all of {', '.join(self.goals)}")
        for name, sizes in self.next_sizes(best).items():
            for row in sizes:
                where = "in stock" if row[name] == best[name] else "next in stock"
                sentences.append(f"{where}: {name} = {row[name]:.6g}, with {self.describe_numbers(row)}")
        stocked = self.best_in_stock
        if self.stock:
            sentences.append(
                f"best in stock: {self.describe_values(stocked)}" if stocked else "nothing in stock keeps the limits"
            )
        return sentences

    def summary(self) -> dict[str, Any]:
        """Result and all variants as JSON-ready data."""
        from gaitwright._core.json_types import to_json_types

        sides = {name: {"low": one.low, "high": one.high} for name, one in self.limits.items()}
        return to_json_types({
            "name": self.question.name, "parameters": self.parameters,
            "goals": {name: "large" if large else "small" for name, large in self.goals.items()},
            "limits": {name: {k: v for k, v in one.items() if math.isfinite(v)} for name, one in sides.items()},
            "units": {name: self.question.units.get(name, "") for name in self.names},
            "best": self.best, "best_in_stock": self.best_in_stock, "next_in_stock": self.next_sizes(), "unbeaten": self.front,
            "rejections": self.rejections, "variants": self.rows,
        })  # fmt: skip

    def save(self, folder: str | Path) -> dict[str, Path]:
        """Write study.csv, summary.json, and chosen.yaml with the chosen design. Returns the written files."""
        from gaitwright._core.json_types import write_json
        from gaitwright._core.output_files import save_text

        folder = require_folder(folder)
        files = {
            "table": save_text(folder / "study.csv", self.table.to_csv(index=False, lineterminator="\n")),
            "summary": write_json(self.summary(), folder / "summary.json"),
        }
        return {**files, "model": self.model.save(folder / "chosen.yaml")} if self.best else files

    def report(self, path: str | Path, more: Sequence[Any] = ()) -> dict[str, Path]:
        """Write one web page: result, user-defined blocks (more), effect of each parameter, front, stock. Returns the written
        files."""
        from gaitwright.report.views.pages.study_page import study_report

        return study_report(self, more).save(Path(path))

    def plot(self, path: str | Path | None = None, *, title: str = "") -> Any:
        """Plot the goals over the first two parameters, with the best marked; the other parameters as in the best variant.
        Returns a matplotlib Figure."""
        from gaitwright.report.figures.sweep_maps import MAX_MAP_PANELS, plot_map

        best = self.best or {}
        varied = [name for name in self.parameters if self.data.sizes[name] > 1]
        goals = {name: "max" if large else "min" for name, large in self.goals.items()}
        limits = {
            name: (limit.low if np.isfinite(limit.low) else None, limit.high if np.isfinite(limit.high) else None)
            for name, limit in self.limits.items()
        }
        others = {name: float(best[name]) for name in varied[2:] if name in best}
        first = next(iter(goals))
        return plot_map(
            self.data, list(goals)[:MAX_MAP_PANELS], at=others, best={first: goals[first]} if best else None, limits=limits,
            title=title, path=path,
        )  # fmt: skip


def find_unbeaten(numbers: np.ndarray) -> np.ndarray:
    """Mask (n,) of the rows of `numbers` (n, n_goals), larger is better, that no other row dominates (as good in all goals and
    better in one). Rows with NaN are False."""
    known = np.flatnonzero(np.isfinite(numbers).all(axis=1))
    mask = np.zeros(len(numbers), dtype=bool)
    mask[known[find_pareto_front(-numbers[known])]] = True
    return mask


def nearest_sizes(sizes: Sequence[float], value: float) -> tuple[float | None, float | None]:
    """Largest of the sorted sizes that is not above a value, and smallest that is above it; None if there is none."""
    below = [one for one in sizes if one <= value * (1 + 1e-12)]
    above = [one for one in sizes if one > value * (1 + 1e-12)]
    return (below[-1] if below else None), (above[0] if above else None)


def keeps_limits(limits: Mapping[str, NumberLimit], row: Mapping[str, Any]) -> bool:
    """True if the numbers of a row keep all limits; NaN breaks them."""
    return all(math.isfinite(row[name]) and limit.broken(row[name]) == 0.0 for name, limit in limits.items())
