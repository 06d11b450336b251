"""Locks of the operating system on files and on output folders.

A lock belongs to one process: the system releases it when the process ends, even by SIGKILL. Forked processes do not hold it.
File systems without locks (some network shares) are used without them.
"""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gaitwright._core.errors import GaitwrightError

LOCK_FILE = ".gaitwright.lock"
"""Name of the file in an output folder that the writing process locks; it holds the number of the process and its machine."""
LOCKED_BYTE_OFFSET = 2**30
"""Position of the byte that is locked on Windows, behind all content: there, no other process can read a locked byte."""
LOCK_HELD_ERRNOS = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""Error numbers of a file that another process has locked."""
MAX_LOCK_ATTEMPTS = 20
"""Attempts to lock a lock file that other processes remove at the same time."""


def lock_file(file: BinaryIO) -> bool:
    """Lock a file that is open for writing, without waiting.

    Returns False if another process has locked it. Closing any handle of the file in this process releases the lock."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(LOCKED_BYTE_OFFSET)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # pyright: ignore
        else:
            import fcntl

            fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in LOCK_HELD_ERRNOS  # other numbers: the file system has no locks
    return True


class FolderInUse(GaitwrightError):
    """Another process writes into an output folder."""


class FolderLock:
    """Exclusive use of an output folder by this process. Several locks on one folder in one process share one file lock.

    folder: an existing folder. Raises FolderInUse if another process has locked it."""

    _count_by_folder: dict[str, int] = {}
    """Locks of this process, by the real path of the folder."""
    _file_by_folder: dict[str, BinaryIO | None] = {}
    """Locked files of this process; None where the file system has no locks."""

    def __init__(self, folder: Path):
        self.key = os.path.realpath(folder)
        self.path = Path(self.key) / LOCK_FILE
        self.process = os.getpid()
        if self.key not in self._count_by_folder:
            self._file_by_folder[self.key] = self._acquire(folder)
            self._count_by_folder[self.key] = 0
        self._count_by_folder[self.key] += 1
        self.released = False

    def release(self) -> None:
        """Release the folder; later calls have no effect, and neither has one in a process that was forked meanwhile."""
        if self.released or os.getpid() != self.process:
            return
        self.released = True
        self._count_by_folder[self.key] -= 1
        if self._count_by_folder[self.key]:
            return
        del self._count_by_folder[self.key]
        file = self._file_by_folder.pop(self.key)
        if file is None:
            return
        if os.name == "nt":  # Windows does not remove an open file
            file.close()
        with suppress(OSError):
            self.path.unlink()
        file.close()

    def _acquire(self, folder: Path) -> BinaryIO | None:
        for _ in range(MAX_LOCK_ATTEMPTS):
            try:
                file = self.path.open("a+b")
            except OSError:
                return None
            if not lock_file(file):
                holder = _read_lock_owner(file)
                file.close()
                raise FolderInUse(
                    f"the folder '{folder}' is in use by another run ({holder}); expected another --out, or that run to end"
                )
            if self._is_current(file):
                with suppress(OSError):
                    file.truncate(0)
                    file.write(f"{os.getpid()} {socket.gethostname()}\n".encode())
                    file.flush()
                return file
            file.close()
        return None

    def _is_current(self, file: BinaryIO) -> bool:
        """True if the locked file still has its name: its previous owner may have removed it."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.path.stat())
        except OSError:
            return False


def _read_lock_owner(file: BinaryIO) -> str:
    """The process that a lock file names, for a message."""
    try:
        file.seek(0)
        number, _, host = file.read(1000).decode(errors="replace").strip().partition(" ")
    except OSError:
        number, host = "", ""
    if not number.isdecimal():
        return "of an unknown process"
    return f"process {number}" + (f" on {host}" if host not in ("", socket.gethostname()) else "")
