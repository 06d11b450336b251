"""The sheet of an experiment: what a paper prints, number by number, and how ours stands beside it. Data, in NAME.yaml.

    name, paper, title
    choices:  {what: why}                 not printed, chosen here
    setup:    {name: value}               what the models are made with: numbers, or formulas such as pi/2
    data:     what else the experiment takes from here, as it likes
    values:   [{name: path or expression}, ...] that rows and sentences name, each may name those before it
    texts:    {name: sentence} that several rows share, as {texts/name}
    checks:   see Row; {for: ..., with: ..., group: [...]} is a group with what its rows share
    tables:   {columns: [...], rows: [{for: ..., cells: [...]}, ...]}
    remarks:  sentences that go with the tables, or {for: ..., say: sentence}
    pictures: {name: [panel, ...]}, see Panel and Curve in report/panels.py

`for` repeats an entry: {e: [1, 0.8]} for each value (of several lists, for each combination), [{e: 1, f: 2}, ...] for each row,
{run: "{runs}"} for each entry of what the experiment knows. $e stands for the value, in the other values, too; in an entry that
is no group $number for how many it is. Sentences may name in braces what the experiment knows; see facts.py for paths.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gaitwright.errors import ModelError
from gaitwright.input_files import packaged_text, parse_yaml
from gaitwright.papers.facts import Sentence, fill, look_up, said

FOLDER = Path(__file__).parent
VARIABLE = re.compile(r"\$(\w+)|\$\{(\w+)\}")
Kind = Literal["result", "input", "equation", "statement", "arithmetic", "definition", "verification", "machine"]
Text = dict[str, str]


def value_of(printed: str) -> float:
    """A number as printed: `0.454`, or a formula, `13/35`, `1/2 - sqrt(3)/6`."""
    try:
        return float(printed)
    except ValueError:
        from gaitwright.model.expressions import resolve_parameters

        return resolve_parameters({"printed": printed})["printed"]


def half_digit(printed: str) -> float:
    """Half a unit of the last printed digit, which is what rounding leaves open: 0.0005 for "0.454"."""
    digits, _, power = printed.lower().partition("e")
    return 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


class Row(BaseModel):
    """One published number.

    printed: as printed, in quotes, so that its digits are known, or a formula; of several things with names, `of` says which.
    evaluated: what a printed equation gives where no number is printed. computed: ours. Both are paths, or expressions of them
    in braces. tolerance, rounding: up
    to which difference the two are equal, or the same within the printed digits: a number, a path, `0.5 %` of the printed one,
    or `digits`, half a unit of the last one. impossible: why the printed number cannot be right, which counts only where all
    paths in `confirmed` lead to yes. void: what is missing, so that even an equal number would prove nothing. remark: what else
    to know. judge: a function of the experiment that looks closer. Sentences may be {if: expression, say: ..., else: ...} or
    lists of parts; empty ones are none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    quantity: str
    printed: str | Text = ""
    of: str = ""
    evaluated: str = ""
    computed: str
    unit: str = "1"
    kind: Kind = "result"
    tolerance: float | str = 0.0
    rounding: float | str = 0.0
    impossible: Sentence = ""
    confirmed: str | tuple[str, ...] = ""
    void: Sentence = ""
    remark: Sentence = ""
    judge: str = ""

    @model_validator(mode="after")
    def _complete(self) -> Row:
        if bool(self.printed) == bool(self.evaluated):
            raise ValueError("needs either 'printed' or 'evaluated'")
        if isinstance(self.printed, dict) and self.of not in self.printed:
            raise ValueError(f"'of' is '{self.of}', expected one of {', '.join(self.printed)}")
        if self.impossible and not (self.confirmed or self.judge):
            raise ValueError("'impossible' needs 'confirmed', a path to an argument that could fail")
        return self

    @property
    def text(self) -> str:
        """As printed; empty where nothing is."""
        return self.printed[self.of] if isinstance(self.printed, dict) else self.printed


class Sheet(BaseModel):
    """All of a file; checks, tables and pictures as they are written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    paper: str
    title: str
    choices: Text = Field(default_factory=dict)
    setup: dict[str, Any] = Field(default_factory=dict)
    data: dict[str, Any] = Field(default_factory=dict)
    values: list[dict[str, Any]] = Field(default_factory=list)
    texts: dict[str, Sentence] = Field(default_factory=dict)
    checks: list[dict[str, Any]]
    tables: list[dict[str, Any]] = Field(default_factory=list)
    remarks: list[str | dict[str, Any]] = Field(default_factory=list)
    pictures: dict[str, list[dict[str, Any]]] = Field(default_factory=dict)

    def rows(self) -> list[Row]:
        """The checks, written out; ids are unique."""
        rows = [self._row(entry) for entry in expanded(self.checks)]
        ids = [row.id for row in rows]
        if twice := sorted({id for id in ids if ids.count(id) > 1}):
            raise ModelError("is there twice", element=f"sheet '{self.name}'", field="id", value=twice[0])
        return rows

    @property
    def printed(self) -> dict[str, float]:
        """The printed numbers by id."""
        return {row.id: value_of(row.text) for row in self.rows() if row.text}

    def _row(self, entry: dict[str, Any]) -> Row:
        try:
            return Row.model_validate(entry)
        except ValidationError as error:
            raise ModelError(_first(error), element=f"sheet '{self.name}', check '{entry.get('id', '?')}'") from None


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(map(str, problem["loc"]))
    return f"{place}: {problem['msg']}" if place else problem["msg"].removeprefix("Value error, ")


@cache
def read_sheet(name: str, folder: Path = FOLDER) -> Sheet:
    """The sheet of an experiment."""
    return parse(packaged_text(folder / f"{name.replace('-', '_')}.yaml"))


def setup_of(name: str) -> Any:
    """A frozen dataclass whose defaults are the `setup` of a sheet, for an experiment to add methods to."""

    def value(given: Any) -> Any:
        if isinstance(given, list):
            return tuple(map(value, given))
        return value_of(given) if isinstance(given, str) else given

    return make_dataclass(
        "Setup", [(key, Any, field(default=value(v))) for key, v in read_sheet(name).setup.items()], frozen=True
    )


def parse(text: str) -> Sheet:
    """A sheet from its text, looked through."""
    try:
        sheet = Sheet.model_validate(parse_yaml(text, "the sheet"))
    except ValidationError as error:
        raise ModelError(_first(error), element="sheet of printed numbers") from None
    sheet.rows()
    return sheet


def expanded(entries: list[dict[str, Any]], known: Any = None) -> Iterator[dict[str, Any]]:
    """Entries with `for` written out, groups laid flat. known: what the experiment knows, where `for` may ask for it."""
    for entry in entries:
        for number, values in enumerate(_each(entry.get("for", [{}]), known), start=1):
            values = _substituted(values if "group" in entry else {"number": number, **values}, values)
            now = _substituted({key: value for key, value in entry.items() if key != "for"}, values)
            if "group" in now:
                yield from expanded([_sharing(now.get("with", {}), inner) for inner in now["group"]], known)
            else:
                yield now


def _sharing(common: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with what its group shares; a group within hands it on."""
    if "group" in entry:
        return {**entry, "with": {**common, **entry.get("with", {})}}
    return {**common, **entry}


def _each(wanted: Any, known: Any) -> Iterator[dict[str, Any]]:
    """What the variables of `for` are, one time after another."""
    if isinstance(wanted, list):
        yield from wanted
        return
    lists = [[said(key) for key in look_up(known, v.strip("{}"))] if isinstance(v, str) else v for v in wanted.values()]
    for values in itertools.product(*lists):
        yield dict(zip(wanted, values, strict=True))


def _substituted(value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {_substituted(key, values): _substituted(part, values) for key, part in value.items()}
    if isinstance(value, list):
        return [_substituted(part, values) for part in value]
    if not isinstance(value, str) or "$" not in value:
        return value
    if (whole := VARIABLE.fullmatch(value)) and isinstance(values.get(whole[1]), (dict, list)):
        return values[whole[1]]
    return VARIABLE.sub(lambda m: said(values[m[1] or m[2]]) if (m[1] or m[2]) in values else m[0], value)


def filled_tables(sheet: Sheet, known: Any) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Header and rows of each table."""
    return [
        (
            tuple(fill(cell, known) for cell in table["columns"]),
            [tuple(fill(str(cell), known) for cell in row["cells"]) for row in expanded(table["rows"], known)],
        )
        for table in sheet.tables
    ]
