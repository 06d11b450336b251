"""Conversion of a command request from the page to command-line words, validated against the options of the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext, format_choices, is_number

MAX_OPTION_CHARACTERS = 2000
"""Maximum length of a text value, characters."""
MAX_OPTION_VALUES = 100
"""Maximum number of values of a repeatable option."""
PathResolver = Callable[[str], Path]
"""Resolves the path of a data file, relative to the open folder, to an absolute path; rejects other paths."""


def command_line_words(command: dict[str, Any], options: dict[str, Any], resolve: PathResolver) -> list[str]:
    """Options of a command as command-line words. command: as described by `cli/command_schema.py`."""
    at = ErrorContext(f"command '{command['name']}'")
    known = {option["name"]: option for option in command["options"]}
    for name in options:
        if name not in known:
            at[str(name)].fail("is no option of it", expected=format_choices(name, known, "(it has none)"))
    arguments: list[str] = []
    words: list[str] = []
    for name, option in known.items():
        given = options.get(name)
        if given is None or given == "" or given == []:
            if option["needed"]:
                at[name].fail("is missing", expected=option["help"] or "a value")
            continue
        values = given if option["many"] else [given]
        if not isinstance(values, list) or len(values) > MAX_OPTION_VALUES:
            at[name].fail("is not a list", given, f"a list of at most {MAX_OPTION_VALUES}")
        for value in values:
            word = _option_value_word(at[name], option, value, resolve)
            if option["flag"] is None:
                arguments += word
            else:
                words += _option_words(option, value, word)
    return [*words, *(["--", *arguments] if arguments else [])]


def _option_words(option: dict[str, Any], value: Any, word: list[str]) -> list[str]:
    yes, _, no = option["flag"].partition("/")
    if option["type"] == "bool":
        return [yes] if value else [no] if no else []
    if option["type"] == "pair":
        return [yes, *word]
    return [f"{yes}={word[0]}"]  # one word, because a value may begin with a dash


def _option_value_word(at: ErrorContext, option: dict[str, Any], value: Any, resolve: PathResolver) -> list[str]:
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
        or len(str(value)) > MAX_OPTION_CHARACTERS
        or "\0" in str(value)
    ):
        at.fail("is not a text", value, option["help"] or "a text")
    text = str(value)
    if kind == "file" or (kind == "word-or-file" and ("." in text or "/" in text or "\\" in text)):
        return [str(resolve(text))]
    return [text]
