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
    context = ErrorContext(f"command '{command['name']}'")
    option_by_name = {option["name"]: option for option in command["options"]}
    for name in options:
        if name not in option_by_name:
            context[str(name)].fail(
                "is no option of it", expected=format_choices(name, option_by_name, "(it has none)")
            )
    arguments: list[str] = []
    words: list[str] = []
    for name, option in option_by_name.items():
        value_entry = options.get(name)
        if value_entry is None or value_entry == "" or value_entry == []:
            if option["needed"]:
                context[name].fail("is missing", expected=option["help"] or "a value")
            continue
        values = value_entry if option["many"] else [value_entry]
        if not isinstance(values, list) or len(values) > MAX_OPTION_VALUES:
            context[name].fail("is not a list", value_entry, f"a list of at most {MAX_OPTION_VALUES}")
        for value in values:
            word = _option_value_word(context[name], option, value, resolve)
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


def _option_value_word(context: ErrorContext, option: dict[str, Any], value: Any, resolve: PathResolver) -> list[str]:
    kind = option["type"]
    if kind == "bool":
        return [] if isinstance(value, bool) else context.fail("is neither yes nor no", value, "true or false")
    if kind == "pair":
        if not isinstance(value, list) or len(value) != 2 or not all(is_number(number) for number in value):
            context.fail("is not a pair of numbers", value, "[low, high]")
        return [repr(float(number)) for number in value]
    if kind in ("int", "float"):
        is_integer = kind == "int"
        if not is_number(value) or (is_integer and value != int(value)):
            context.fail(
                "is not a whole number" if is_integer else "is not a number", value, option["help"] or "a number"
            )
        return [str(int(value)) if is_integer else repr(float(value))]
    if (
        not isinstance(value, (str, int, float))
        or isinstance(value, bool)
        or len(str(value)) > MAX_OPTION_CHARACTERS
        or "\0" in str(value)
    ):
        context.fail("is not a text", value, option["help"] or "a text")
    text = str(value)
    if kind == "file" or (kind == "word-or-file" and ("." in text or "/" in text or "\\" in text)):
        return [str(resolve(text))]
    return [text]
