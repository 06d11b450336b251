"""The one door through which files leave: whole or not at all, and one sentence where it cannot be done.

A file is written beside its place under a name of its own and moved there when it is complete. So nobody ever reads half
of one, what was there before stays until then, and two programs that write the same file do not mix it. Libraries are
handed memory to write to, never a file: HDF5 crashes when a disk is full, and what others leave behind is half a file.
Text is UTF-8, whatever the terminal speaks.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from gaitwright.errors import NotSaved

REASONS = {
    errno.ENOSPC: "there is no space left on the disk",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EFBIG: "no file may be that large here",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EISDIR: "there is a folder of this name",
    errno.ENAMETOOLONG: "the name is too long",
}
"""Why the machine refused, in words; what is not here, in its own."""
if os.name == "nt":  # which replaces no file that a program such as Excel has open
    REASONS[errno.EACCES] = "you may not write there, or another program has the file open"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Reasons that a smaller file would not have."""

_noted: ContextVar[list[Path] | None] = ContextVar("_noted", default=None)


@contextmanager
def noting() -> Iterator[list[Path]]:
    """A list of everything that is written from now on."""
    paths: list[Path] = []
    token = _noted.set(paths)
    try:
        yield paths
    finally:
        _noted.reset(token)


def save_text(path: str | Path, text: str) -> Path:
    """Write a text, in UTF-8; a letter that no encoding has (of a file name, where the machine's is wrong) as its number."""
    return save_bytes(path, text.encode("utf-8", "backslashreplace"))


def save_bytes(path: str | Path, data: bytes | memoryview) -> Path:
    """Write a file whole, making missing folders, and return its path; raises NotSaved, and then there is nothing new."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _put(Path(os.path.realpath(path)), data)  # a link stays a link
    except FileExistsError as error:  # a folder on the way is a file
        raise _explained(path, OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), error.filename), data) from None
    except OSError as error:
        raise _explained(path, error, data) from None
    noted = _noted.get()
    if noted is not None:
        noted.append(path)
    return path


def _put(path: Path, data: bytes | memoryview) -> None:
    if path.exists():
        if not path.is_file():  # a pipe or a device: to be written to, not to be replaced
            with path.open("wb") as file:
                file.write(data)
            return
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _explained(path: Path, error: OSError, data: bytes | memoryview) -> NotSaved:
    why = REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()
    if error.errno in FULL:
        sizes = f"{said_size(memoryview(data).nbytes)} needed"
        with suppress(OSError):
            sizes += f", {said_size(shutil.disk_usage(path.parent).free)} free"
        why += f" ({sizes}); make room or choose another folder"
    return NotSaved(path, why, error.errno or 0, data)


def said_size(size: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
