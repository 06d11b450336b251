"""Environment variables that more than one package reads."""

from __future__ import annotations

PROGRESS_FILE_VARIABLE = "GAITWRIGHT_PROGRESS"
"""Path of a file to which a command appends one JSON line per progress step, for the program that started the command."""
