"""Unexpected exceptions of the studio: the terminal gets the traceback, the page one sentence without it."""

from __future__ import annotations

import logging

_log = logging.getLogger("gaitwright.studio")


def report_unexpected(what: str) -> str:
    """Log the exception that is being handled, and return the sentence for the page. what: what failed, as in `'undo'`."""
    _log.exception("%s failed", what)
    return f"{what} failed because of a defect in gaitwright; the terminal of the studio has the details, please report them"
