"""Machine code on disk: one file per specialisation; its name contains a hash of all its dependencies (cache_key.py).

Therefore a file is never out of date, and there is no index file that two processes could corrupt. Each file carries a
checksum: a truncated or damaged file is deleted and compiled again. If several processes need the same code, one compiles it
while the others wait for its file; the lock belongs to the operating system, which releases it when a process dies.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from gaitwright.jit.cache_folder import read_trusted, user_cache, writable_cache
from gaitwright.jit.cache_key import digest_of, entry_key
from gaitwright.jit.callee_compilation import is_callee, rebuild_result

CODE_FOLDER_NAME = "machine-code"
"""Subfolder of the cache folder."""
MAGIC_BYTES = b"gaitwright machine code\n"
MAX_WAIT_SECONDS, POLL_SECONDS, SILENT_WAIT_SECONDS = 600.0, 0.01, 1.0
"""Seconds: maximum wait for another process, polling interval, and waiting time before the user is notified."""
WAIT_ANNOUNCED = False
"""True once the user was told that another process is compiling. Not used for the helper process of precompilation.py: the
compilation notice covers its start."""
WAIT_CALLBACKS: list[Callable[[], bool]] = []
"""Callbacks run while waiting for another process; each returns True if it did any work."""
COMPILE_SECONDS = 0.0
"""Seconds that this process spent compiling, loading machine code or waiting for another process that compiles."""
_compile_timer_depth = 0
SECONDS_PER_DAY = 86_400.0
MAX_UNUSED_SECONDS, MAX_CACHE_BYTES = 60 * SECONDS_PER_DAY, 1e9
"""Code unused for longer than this (s) is removed, and so is the oldest code beyond this total size (bytes)."""


@contextmanager
def measure_compile_time() -> Iterator[None]:
    """Add the duration of the `with` body to COMPILE_SECONDS; nested bodies count once."""
    global COMPILE_SECONDS, _compile_timer_depth
    began = time.perf_counter()
    _compile_timer_depth += 1
    try:
        yield
    finally:
        _compile_timer_depth -= 1
        if _compile_timer_depth == 0:
            COMPILE_SECONDS += time.perf_counter() - began


class CodeCache(NullCache):
    """Cache of one function, with the interface of Numba's caches."""

    def __init__(self, function: Any, options: dict[str, Any]):
        self.function, self.options = function, options
        self.digest: str | None = None
        self.locks: dict[str, CodeFileLock] = {}
        self.kept: list[Any] = []  # stays in memory because addresses into it may be in use

    @property
    def cache_path(self) -> str:
        return str(user_cache() / CODE_FOLDER_NAME)

    def name(self, signature: Any, codegen: Any) -> str | None:
        """File name without suffix, or None if the code cannot be stored."""
        if self.digest is None:
            self.digest = digest_of((self.function, self.options))
        part = is_callee()
        key = entry_key(self.digest, signature, codegen, part)
        return None if key is None else f"{self.function.__name__}-{'part-' if part else ''}{key}"

    def exists(self, signature: Any) -> bool:
        """True if machine code for these types exists."""
        name = self.name(signature, cpu_target.target_context.codegen())  # pyright: ignore[reportAttributeAccessIssue]
        return name is not None and any(
            (folder / CODE_FOLDER_NAME / f"{name}.bin").exists() for folder in {user_cache(), writable_cache()}
        )

    def is_free(self, signature: Any) -> bool:
        """True if no machine code for these types exists and no process appears to be compiling it."""
        name = self.name(signature, cpu_target.target_context.codegen())  # pyright: ignore[reportAttributeAccessIssue]
        return name is not None and not self.exists(signature) and not CodeFileLock(name).path.exists()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with measure_compile_time():
            return self._find(sig, target_context)

    def _find(self, sig: Any, target_context: Any) -> Any:
        """Load existing machine code, waiting for another process that compiles it. On None, this process may compile it."""
        target_context.refresh()  # as in Numba's own cache: everything that the code refers to must be registered
        name = self.name(sig, target_context.codegen())
        if name is None:
            return None
        code = load_code(name, target_context)
        if code is None and name not in self.locks:
            lock = CodeFileLock(name)
            if lock.wait():
                code = load_code(name, target_context)  # another process has just compiled it
            if code is None:
                self.locks[name] = lock
            else:
                lock.release()
        if code is not None:
            self.kept.append(code)
        return code

    def save_overload(self, sig: Any, cres: Any) -> None:
        name = self.name(sig, cres.library.codegen)
        if name is None:
            return
        try:
            # Code with lifted loops or embedded addresses is only valid in this process.
            if not cres.lifted and not cres.library.has_dynamic_globals:
                with measure_compile_time():
                    save_code(name, cres)
        finally:
            self.unlock()

    def unlock(self) -> None:
        """Release all locks of code that was not compiled."""
        for lock in self.locks.values():
            lock.release()
        self.locks.clear()


def load_code(name: str, target_context: Any) -> CompileResult | None:
    """Load machine code from the cache, or from the temporary cache if the cache folder is not writable."""
    code = _load_code_file(user_cache() / CODE_FOLDER_NAME / f"{name}.bin", target_context)
    if code is None and writable_cache() != user_cache():
        code = _load_code_file(writable_cache() / CODE_FOLDER_NAME / f"{name}.bin", target_context)
    return code


def _load_code_file(path: Path, target_context: Any) -> CompileResult | None:
    content = read_trusted(path)
    if content is None:
        return None
    data = memoryview(content)
    head = len(MAGIC_BYTES) + 32
    try:
        if data[:head] != MAGIC_BYTES + hashlib.sha256(data[head:]).digest():
            raise ValueError("damaged")
        code = rebuild_result(target_context, pickle.loads(data[head:]))
    except Exception:  # any unreadable file can be compiled again
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > SECONDS_PER_DAY:
            os.utime(path)  # mark as used: see prune_code_folder
    return code


def save_code(name: str, cres: Any) -> None:
    """Store machine code; if that is impossible, only this process uses it."""
    payload = dumps(cres._reduce())
    path = writable_cache() / CODE_FOLDER_NAME / f"{name}.bin"
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(exist_ok=True)
        part.write_bytes(MAGIC_BYTES + hashlib.sha256(payload).digest() + payload)
        part.chmod(0o644)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        return
    prune_code_folder(path.parent)


def prune_code_folder(folder: Path) -> None:
    """Remove old and excess code, once a day."""
    stamp, now = folder / "pruned", time.time()
    try:
        if stamp.exists() and now - stamp.stat().st_mtime < SECONDS_PER_DAY:
            return
        stamp.touch()
        entries = [(status.st_mtime, status.st_size, path) for path in folder.iterdir() if (status := path.stat())]
    except OSError:
        return  # another process is pruning
    size = 0
    for used, bytes_, path in sorted(entries, key=lambda entry: -entry[0]):
        size += bytes_
        if path != stamp and (
            now - used > MAX_UNUSED_SECONDS
            or size > MAX_CACHE_BYTES
            or (path.suffix != ".bin" and now - used > SECONDS_PER_DAY)
        ):
            with contextlib.suppress(OSError):
                path.unlink()
    for old in folder.parent.glob("code-*"):  # of versions before 0.2, a folder for each state of the sources
        with contextlib.suppress(OSError):
            if now - old.stat().st_mtime > MAX_UNUSED_SECONDS:
                shutil.rmtree(old, ignore_errors=True)


class CodeFileLock:
    """Exclusive right to compile one specialisation."""

    def __init__(self, name: str):
        self.path = writable_cache() / CODE_FOLDER_NAME / f"{name}.lock"
        self.file: Any = None

    def wait(self) -> bool:
        """Acquire the lock; stop at the time limit or if the file system has no locks. True if another process held it."""
        global WAIT_ANNOUNCED
        try:
            self.path.parent.mkdir(exist_ok=True)
            self.file = self.path.open("a")
        except OSError:
            return False
        began, had = time.monotonic(), False
        while not self._taken():
            if self.file is None:  # this file system has no locks
                return False
            had = True
            waited = time.monotonic() - began
            if waited > MAX_WAIT_SECONDS:
                return True
            if not is_callee() and any(do() for do in WAIT_CALLBACKS):
                continue
            if waited > SILENT_WAIT_SECONDS and not WAIT_ANNOUNCED:
                WAIT_ANNOUNCED = True
                print(
                    "another process is compiling the same, first run only: waiting for it", file=sys.stderr, flush=True
                )
            time.sleep(POLL_SECONDS)
        return had

    def _taken(self) -> bool:
        try:
            _lock(self.file)
            return True
        except BlockingIOError:
            return False
        except OSError:
            self.file.close()
            self.file = None
            return False

    def release(self) -> None:
        if self.file is None:
            return
        # Delete before unlocking: a process that has the lock file open then looks for the code, which exists by now.
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.file.close()
        if os.name == "nt":  # Windows cannot delete an open file
            with contextlib.suppress(OSError):
                self.path.unlink()
        self.file = None


if os.name == "nt":
    import msvcrt

    def _lock(file: Any) -> None:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # pyright: ignore
        except PermissionError as error:
            raise BlockingIOError from error
else:
    import fcntl

    def _lock(file: Any) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
