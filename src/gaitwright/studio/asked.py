"""What a page asks of a command, checked against what the command takes, as words of a command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright.checks import At, is_number, offer

LONGEST = 2000
"""Characters of a text."""
MOST = 100
"""Values of an option that may be given several times."""
Resolve = Callable[[str], Path]
"""From the path of a data file below the folder that is open to where it is; refuses others."""


def words_of(command: dict[str, Any], options: dict[str, Any], resolve: Resolve) -> list[str]:
    """The options of a command as words. command: as `commands/offered.py` describes it."""
    at = At(f"command '{command['name']}'")
    known = {option["name"]: option for option in command["options"]}
    for name in options:
        if name not in known:
            at[str(name)].fail("is no option of it", expected=offer(name, known, "(it has none)"))
    arguments: list[str] = []
    words: list[str] = []
    for name, option in known.items():
        given = options.get(name)
        if given is None or given == "" or given == []:
            if option["needed"]:
                at[name].fail("is missing", expected=option["help"] or "a value")
            continue
        values = given if option["many"] else [given]
        if not isinstance(values, list) or len(values) > MOST:
            at[name].fail("is not a list", given, f"a list of at most {MOST}")
        for value in values:
            word = _word(at[name], option, value, resolve)
            if option["flag"] is None:
                arguments += word
            else:
                words += _flagged(option, value, word)
    return [*words, *(["--", *arguments] if arguments else [])]


def _flagged(option: dict[str, Any], value: Any, word: list[str]) -> list[str]:
    yes, _, no = option["flag"].partition("/")
    if option["type"] == "bool":
        return [yes] if value else [no] if no else []
    if option["type"] == "pair":
        return [yes, *word]
    return [f"{yes}={word[0]}"]  # in one word: a value may begin with a dash


def _word(at: At, option: dict[str, Any], value: Any, resolve: Resolve) -> list[str]:
    kind = option["type"]
    if kind == "bool":
        return [] if isinstance(value, bool) else at.fail("is neither yes nor no", value, "true or false")
    if kind == "pair":
        if not isinstance(value, list) or len(value) != 2 or not all(is_number(one) for one in value):
            at.fail("is not a pair of numbers", value, "[low, high]")
        return [repr(float(one)) for one in value]
    if kind in ("int", "float"):
        whole = kind == "int"
        if not is_number(value) or (whole and value != int(value)):
            at.fail("is not a whole number" if whole else "is not a number", value, option["help"] or "a number")
        return [str(int(value)) if whole else repr(float(value))]
    if (
        not isinstance(value, (str, int, float))
        or isinstance(value, bool)
        or len(str(value)) > LONGEST
        or "\0" in str(value)
    ):
        at.fail("is not a text", value, option["help"] or "a text")
    text = str(value)
    if kind == "file" or (kind == "word-or-file" and ("." in text or "/" in text or "\\" in text)):
        return [str(resolve(text))]
    return [text]
