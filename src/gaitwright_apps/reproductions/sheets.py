"""Sheet of an experiment: the printed numbers of a paper and their comparison with ours, as data in NAME.yaml.

    name, paper, title
    choices:  {name: reason}              values that are not printed, chosen here
    setup:    {name: value}               parameters of the models: numbers, or formulas such as pi/2
    data:     further data for the experiment
    values:   [{name: path or expression}, ...] for rows and sentences; each may refer to earlier ones
    texts:    {name: sentence} shared by several rows, as {texts/name}
    checks:   see SheetRow; {for: ..., with: ..., group: [...]} is a group with the common fields of its rows
    tables:   {columns: [...], rows: [{for: ..., cells: [...]}, ...]}
    remarks:  sentences for the tables, or {for: ..., say: sentence}
    pictures: {name: [panel, ...]}, see Panel and Curve in report/figures/stacked_panels.py

`for` repeats an entry: {e: [1, 0.8]} for each value (of several lists, for each combination), [{e: 1, f: 2}, ...] for
each row, {run: "{runs}"} for each entry of the experiment's facts. $e stands for the value, also within the other
values; in an entry that is no group, $number is the number of the repetition. Sentences may refer to the experiment's
facts in braces; see facts.py for paths.
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

from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import packaged_text, parse_yaml
from gaitwright_apps.reproductions.facts import SentenceTemplate, fill_sentence, look_up_fact, path_key

SHEET_FOLDER = Path(__file__).parent
VARIABLE_PATTERN = re.compile(r"\$(\w+)|\$\{(\w+)\}")
CheckKind = Literal["result", "input", "equation", "statement", "arithmetic", "definition", "verification", "machine"]
TextByName = dict[str, str]


def parse_printed(printed: str) -> float:
    """Parse a number as printed: `0.454`, or a formula, `13/35`, `1/2 - sqrt(3)/6`."""
    try:
        return float(printed)
    except ValueError:
        from gaitwright.model.expressions import resolve_parameters

        return resolve_parameters({"printed": printed})["printed"]


def half_digit(printed: str) -> float:
    """Half a unit of the last printed digit, the uncertainty by rounding: 0.0005 for "0.454"."""
    digits, _, power = printed.lower().partition("e")
    return 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


class SheetRow(BaseModel):
    """Published number.

    printed: as printed, in quotes, so that its digits are known, or a formula; for several named values, `of` selects one.
    evaluated: value of a printed equation if no number is printed. computed: ours. Both are paths, or expressions of paths in
    braces. tolerance, rounding: maximum difference for equality, or for equality within the printed digits: a number, a path,
    `0.5 %` of the printed one, or `digits`, half a unit of the last one. impossible: reason why the printed number cannot be
    right, which counts only if all paths in `confirmed` are true. void: missing data, without which even an equal number
    would prove nothing. remark: further information. judge: a function of the experiment for a closer examination. Sentences
    may be {if: expression, say: ..., else: ...} or lists of parts; empty ones are ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    quantity: str
    printed: str | TextByName = ""
    of: str = ""
    evaluated: str = ""
    computed: str
    unit: str = "1"
    kind: CheckKind = "result"
    tolerance: float | str = 0.0
    rounding: float | str = 0.0
    impossible: SentenceTemplate = ""
    confirmed: str | tuple[str, ...] = ""
    void: SentenceTemplate = ""
    remark: SentenceTemplate = ""
    judge: str = ""

    @model_validator(mode="after")
    def _complete(self) -> SheetRow:
        if bool(self.printed) == bool(self.evaluated):
            raise ValueError("needs either 'printed' or 'evaluated'")
        if isinstance(self.printed, dict) and self.of not in self.printed:
            raise ValueError(f"'of' is '{self.of}', expected one of {', '.join(self.printed)}")
        if self.impossible and not (self.confirmed or self.judge):
            raise ValueError("'impossible' needs 'confirmed', a path to an argument that could fail")
        return self

    @property
    def text(self) -> str:
        """Printed text; empty if nothing is printed."""
        return self.printed[self.of] if isinstance(self.printed, dict) else self.printed


class ExperimentSheet(BaseModel):
    """Contents of a sheet file; checks, tables and pictures as written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    paper: str
    title: str
    choices: TextByName = Field(default_factory=dict)
    setup: dict[str, Any] = Field(default_factory=dict)
    data: dict[str, Any] = Field(default_factory=dict)
    values: list[dict[str, Any]] = Field(default_factory=list)
    texts: dict[str, SentenceTemplate] = Field(default_factory=dict)
    checks: list[dict[str, Any]]
    tables: list[dict[str, Any]] = Field(default_factory=list)
    remarks: list[str | dict[str, Any]] = Field(default_factory=list)
    pictures: dict[str, list[dict[str, Any]]] = Field(default_factory=dict)

    def rows(self) -> list[SheetRow]:
        """Expanded checks; ids are unique."""
        rows = [self._row(entry) for entry in expand_entries(self.checks)]
        ids = [row.id for row in rows]
        if twice := sorted({id for id in ids if ids.count(id) > 1}):
            raise ModelError("is there twice", element=f"sheet '{self.name}'", field="id", value=twice[0])
        return rows

    @property
    def printed(self) -> dict[str, float]:
        """Printed numbers by id."""
        return {row.id: parse_printed(row.text) for row in self.rows() if row.text}

    def _row(self, entry: dict[str, Any]) -> SheetRow:
        try:
            return SheetRow.model_validate(entry)
        except ValidationError as error:
            raise ModelError(
                _first_error(error), element=f"sheet '{self.name}', check '{entry.get('id', '?')}'"
            ) from None


def _first_error(error: ValidationError) -> str:
    problem = error.errors()[0]
    path = ".".join(map(str, problem["loc"]))
    return f"{path}: {problem['msg']}" if path else problem["msg"].removeprefix("Value error, ")


@cache
def read_sheet(name: str, folder: Path = SHEET_FOLDER) -> ExperimentSheet:
    """Read the sheet of an experiment."""
    return parse_sheet(packaged_text(folder / f"{name.replace('-', '_')}.yaml"))


def make_setup_class(name: str) -> Any:
    """Frozen dataclass with the `setup` of a sheet as defaults, as a base class for setups of experiments."""

    def value(given: Any) -> Any:
        if isinstance(given, list):
            return tuple(map(value, given))
        return parse_printed(given) if isinstance(given, str) else given

    return make_dataclass(
        "Setup", [(key, Any, field(default=value(v))) for key, v in read_sheet(name).setup.items()], frozen=True
    )


def parse_sheet(text: str) -> ExperimentSheet:
    """Parse and validate the text of a sheet."""
    try:
        sheet = ExperimentSheet.model_validate(parse_yaml(text, "the sheet"))
    except ValidationError as error:
        raise ModelError(_first_error(error), element="sheet of printed numbers") from None
    sheet.rows()
    return sheet


def expand_entries(entries: list[dict[str, Any]], facts: Any = None) -> Iterator[dict[str, Any]]:
    """Expand entries with `for`, and flatten groups. known: facts of the experiment, if `for` may refer to them."""
    for entry in entries:
        for number, values in enumerate(_iterate_variables(entry.get("for", [{}]), facts), start=1):
            values = _substitute(values if "group" in entry else {"number": number, **values}, values)
            substituted = _substitute({key: value for key, value in entry.items() if key != "for"}, values)
            if "group" in substituted:
                yield from expand_entries(
                    [_merge_group(substituted.get("with", {}), inner) for inner in substituted["group"]], facts
                )
            else:
                yield substituted


def _merge_group(common: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """Merge an entry with the common fields of its group; a nested group passes them on."""
    if "group" in entry:
        return {**entry, "with": {**common, **entry.get("with", {})}}
    return {**common, **entry}


def _iterate_variables(variables: Any, facts: Any) -> Iterator[dict[str, Any]]:
    """Values of the variables of `for`, one repetition after another."""
    if isinstance(variables, list):
        yield from variables
        return
    lists = [
        [path_key(key) for key in look_up_fact(facts, v.strip("{}"))] if isinstance(v, str) else v
        for v in variables.values()
    ]
    for values in itertools.product(*lists):
        yield dict(zip(variables, values, strict=True))


def _substitute(value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {_substitute(key, values): _substitute(part, values) for key, part in value.items()}
    if isinstance(value, list):
        return [_substitute(part, values) for part in value]
    if not isinstance(value, str) or "$" not in value:
        return value
    if (match := VARIABLE_PATTERN.fullmatch(value)) and isinstance(values.get(match[1]), (dict, list)):
        return values[match[1]]
    return VARIABLE_PATTERN.sub(lambda m: path_key(values[m[1] or m[2]]) if (m[1] or m[2]) in values else m[0], value)


def fill_tables(sheet: ExperimentSheet, facts: Any) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Header and rows of each table."""
    return [
        (
            tuple(fill_sentence(cell, facts) for cell in table["columns"]),
            [
                tuple(fill_sentence(str(cell), facts) for cell in row["cells"])
                for row in expand_entries(table["rows"], facts)
            ],
        )
        for table in sheet.tables
    ]
