"""All file output: each file is written completely or not at all, and an error is one sentence.

A file is written under a temporary name in its folder and renamed when it is complete. Therefore no reader sees an
incomplete file, an existing file remains until then, and two programs that write the same file do not mix their content.
Libraries write to memory, never to a file: HDF5 crashes on a full disk, and other libraries leave incomplete files. Text is
UTF-8, independent of the terminal's encoding.
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

from gaitwright._core.errors import NotSaved

REASON_BY_ERRNO = {
    errno.ENOSPC: "there is no space left on the disk",
    errno.EDQUOT: "your disk quota is used up",
    errno.EFBIG: "no file may be that large here",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EISDIR: "there is a folder of this name",
    errno.ENAMETOOLONG: "the name is too long",
}
"""Reason in the message by error number; other numbers use the message of the operating system."""
if os.name == "nt":  # Windows does not replace a file that a program such as Excel has open
    REASON_BY_ERRNO[errno.EACCES] = "you may not write there, or another program has the file open"
FULL_DISK_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers that a smaller file could avoid."""

_recorded_files: ContextVar[list[Path] | None] = ContextVar("_noted", default=None)


@contextmanager
def record_written_files() -> Iterator[list[Path]]:
    """Context manager: list of the paths of all files written inside it."""
    paths: list[Path] = []
    token = _recorded_files.set(paths)
    try:
        yield paths
    finally:
        _recorded_files.reset(token)


def save_text(path: str | Path, text: str) -> Path:
    """Write a text in UTF-8. Characters that UTF-8 cannot encode (from file names in another encoding) are written as
    escapes."""
    return save_bytes(path, text.encode("utf-8", "backslashreplace"))


def save_bytes(path: str | Path, data: bytes | memoryview) -> Path:
    """Write a complete file, create missing folders, and return its path. Raises NotSaved; then no new file exists."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace_file(Path(os.path.realpath(path)), data)  # a symbolic link is kept
    except FileExistsError as error:  # a parent of the path is a file
        raise _make_not_saved(path, OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), error.filename), data) from None
    except OSError as error:
        raise _make_not_saved(path, error, data) from None
    noted = _recorded_files.get()
    if noted is not None:
        noted.append(path)
    return path


def _replace_file(path: Path, data: bytes | memoryview) -> None:
    if path.exists():
        if not path.is_file():  # a pipe or a device is written to, not replaced
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


def _make_not_saved(path: Path, error: OSError, data: bytes | memoryview) -> NotSaved:
    why = REASON_BY_ERRNO.get(error.errno or 0) or (error.strerror or str(error)).lower()
    if error.errno in FULL_DISK_ERRNOS:
        sizes = f"{format_size(memoryview(data).nbytes)} needed"
        with suppress(OSError):
            sizes += f", {format_size(shutil.disk_usage(path.parent).free)} free"
        why += f" ({sizes}); make room or choose another folder"
    return NotSaved(path, why, error.errno or 0, data)


def format_size(size: float) -> str:
    """A number of bytes as text, in bytes, kB, MB or GB."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
