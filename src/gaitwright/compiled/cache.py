"""Machine code on disk: one file per specialisation, named after all that it depends on (key.py).

So a file is never out of date, and there is no list of files that two processes could spoil for each other. A file carries
a checksum: one that was cut off or damaged is thrown away and made again. Of several processes that need the same code, one
makes it while the others wait for its file; the lock is the operating system's, which takes it from a process that dies.
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

from gaitwright.compiled.folder import read_trusted, user_cache, writable_cache
from gaitwright.compiled.key import digest_of, entry_key
from gaitwright.compiled.parts import is_part, rebuilt

CODE = "machine-code"
"""The folder below that of the cache."""
MAGIC = b"gaitwright machine code\n"
PATIENCE, GLANCE, QUIET = 600.0, 0.01, 1.0
"""Seconds: longest wait for another process, between two looks at it, and until the waiting is said."""
WAITING_SAID = False
"""Whether it was said that another process compiles. One that this one has started needs no words: its notice has said all."""
MEANWHILE: list[Callable[[], bool]] = []
"""What this process can do instead of waiting for another one; each says whether it did something."""
SPENT = 0.0
"""Seconds in which this process compiled, loaded machine code, or waited for another one that compiled."""
_spending = 0
DAY = 86_400.0
KEEP, LARGEST = 60 * DAY, 1e9
"""Code that was not used for so long (s), or the oldest of more than so many bytes, is removed."""


@contextmanager
def spending() -> Iterator[None]:
    """What happens in the body of the `with` counts as SPENT, once where such bodies are nested."""
    global SPENT, _spending
    began = time.perf_counter()
    _spending += 1
    try:
        yield
    finally:
        _spending -= 1
        if _spending == 0:
            SPENT += time.perf_counter() - began


class CodeCache(NullCache):
    """The cache of one function, in Numba's terms."""

    def __init__(self, function: Any, options: dict[str, Any]):
        self.function, self.options = function, options
        self.digest: str | None = None
        self.locks: dict[str, Lock] = {}
        self.kept: list[Any] = []  # in memory as long as addresses into them may be in use

    @property
    def cache_path(self) -> str:
        return str(user_cache() / CODE)

    def name(self, signature: Any, codegen: Any) -> str | None:
        """Of the file; None if there is none."""
        if self.digest is None:
            self.digest = digest_of((self.function, self.options))
        part = is_part()
        key = entry_key(self.digest, signature, codegen, part)
        return None if key is None else f"{self.function.__name__}-{'part-' if part else ''}{key}"

    def exists(self, signature: Any) -> bool:
        """Whether there is machine code for these types already."""
        name = self.name(signature, cpu_target.target_context.codegen())  # pyright: ignore[reportAttributeAccessIssue]
        return name is not None and any(
            (folder / CODE / f"{name}.bin").exists() for folder in {user_cache(), writable_cache()}
        )

    def is_free(self, signature: Any) -> bool:
        """Whether there is no machine code for these types yet and nobody seems to be making it."""
        name = self.name(signature, cpu_target.target_context.codegen())  # pyright: ignore[reportAttributeAccessIssue]
        return name is not None and not self.exists(signature) and not Lock(name).path.exists()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with spending():
            return self._find(sig, target_context)

    def _find(self, sig: Any, target_context: Any) -> Any:
        """Machine code that is there, or that another process is making; otherwise this one has the right to make it."""
        target_context.refresh()  # as Numba's own cache: what the code refers to must be there
        name = self.name(sig, target_context.codegen())
        if name is None:
            return None
        found = load(name, target_context)
        if found is None and name not in self.locks:
            lock = Lock(name)
            if lock.wait():
                found = load(name, target_context)  # another process has just made it
            if found is None:
                self.locks[name] = lock
            else:
                lock.release()
        if found is not None:
            self.kept.append(found)
        return found

    def save_overload(self, sig: Any, cres: Any) -> None:
        name = self.name(sig, cres.library.codegen)
        if name is None:
            return
        try:
            # Code with lifted loops, or with addresses of this process in it, has no life beyond it.
            if not cres.lifted and not cres.library.has_dynamic_globals:
                with spending():
                    save(name, cres)
        finally:
            self.unlock()

    def unlock(self) -> None:
        """Let others have what was not made."""
        for lock in self.locks.values():
            lock.release()
        self.locks.clear()


def load(name: str, target_context: Any) -> CompileResult | None:
    """Machine code from the cache, or from what stands in for it where it cannot be written."""
    found = _load(user_cache() / CODE / f"{name}.bin", target_context)
    if found is None and writable_cache() != user_cache():
        found = _load(writable_cache() / CODE / f"{name}.bin", target_context)
    return found


def _load(path: Path, target_context: Any) -> CompileResult | None:
    content = read_trusted(path)
    if content is None:
        return None
    data = memoryview(content)
    head = len(MAGIC) + 32
    try:
        if data[:head] != MAGIC + hashlib.sha256(data[head:]).digest():
            raise ValueError("damaged")
        found = rebuilt(target_context, pickle.loads(data[head:]))
    except Exception:  # whatever is wrong with it, it can be made again
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)  # it was used: see prune
    return found


def save(name: str, cres: Any) -> None:
    """Keep machine code; where that is impossible it serves this process alone."""
    payload = dumps(cres._reduce())
    path = writable_cache() / CODE / f"{name}.bin"
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(exist_ok=True)
        part.write_bytes(MAGIC + hashlib.sha256(payload).digest() + payload)
        part.chmod(0o644)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        return
    prune(path.parent)


def prune(folder: Path) -> None:
    """Once a day: remove what nobody has used for long, and what there is too much of."""
    stamp, now = folder / "pruned", time.time()
    try:
        if stamp.exists() and now - stamp.stat().st_mtime < DAY:
            return
        stamp.touch()
        entries = [(found.st_mtime, found.st_size, path) for path in folder.iterdir() if (found := path.stat())]
    except OSError:
        return  # another process is at it
    size = 0
    for used, bytes_, path in sorted(entries, key=lambda entry: -entry[0]):
        size += bytes_
        if path != stamp and (now - used > KEEP or size > LARGEST or (path.suffix != ".bin" and now - used > DAY)):
            with contextlib.suppress(OSError):
                path.unlink()
    for old in folder.parent.glob("code-*"):  # of versions before 0.2, a folder for each state of the sources
        with contextlib.suppress(OSError):
            if now - old.stat().st_mtime > KEEP:
                shutil.rmtree(old, ignore_errors=True)


class Lock:
    """The right to make one piece of machine code."""

    def __init__(self, name: str):
        self.path = writable_cache() / CODE / f"{name}.lock"
        self.file: Any = None

    def wait(self) -> bool:
        """Get the lock, or give up: at the end of patience, and where files cannot be locked. Whether another had it."""
        global WAITING_SAID
        try:
            self.path.parent.mkdir(exist_ok=True)
            self.file = self.path.open("a")
        except OSError:
            return False
        began, had = time.monotonic(), False
        while not self._taken():
            if self.file is None:  # this file system knows no locks
                return False
            had = True
            waited = time.monotonic() - began
            if waited > PATIENCE:
                return True
            if not is_part() and any(do() for do in MEANWHILE):
                continue
            if waited > QUIET and not WAITING_SAID:
                WAITING_SAID = True
                print(
                    "another process is compiling the same, first run only: waiting for it", file=sys.stderr, flush=True
                )
            time.sleep(GLANCE)
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
        # Gone before it is free: who has it open looks for the code, which is there by now.
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.file.close()
        if os.name == "nt":  # which removes no file that is open
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
