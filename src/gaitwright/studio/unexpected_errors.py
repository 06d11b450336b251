"""Unexpected exceptions of the studio: the traceback goes to the terminal, and one sentence to the page."""

from __future__ import annotations

import logging

_log = logging.getLogger("gaitwright.studio")


def report_unexpected(activity: str) -> str:
    """Log the exception that is being handled. Return the sentence for the page. activity: the operation, such as
    `'undo'`."""
    _log.exception("%s failed", activity)
    return (
        f"{activity} failed because of a defect in gaitwright; the terminal of the studio has the details, please "
        "report them"
    )
