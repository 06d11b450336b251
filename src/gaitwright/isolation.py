"""Functions run in a helper process with limits of time and memory: parsers of other packages, which a damaged file may crash,
or keep busy without end.

One helper per process, started when it is first needed (about as long as the packages that it imports take) and kept for the
next file (2 ms then). It is replaced when a file has ended it, and ends when its standard input does. What it returns and
raises comes back pickled; it is a process of our own that runs functions of our own.

Limits: processor time and address space by the operating system on POSIX; elsewhere the wall-clock time alone.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, BinaryIO

from gaitwright.errors import GaitwrightError, ModelError

try:
    import resource
except ImportError:  # not on Windows
    resource = None

PROCESSOR_SECONDS, SECONDS_PER_BYTE = 20.0, 2e-6
"""Processor time for a file: once, and by its size; the import of the parser counts."""
MEMORY_BYTES, BYTES_PER_BYTE = 2 << 30, 40
"""Address space for a file: once, and by its size."""
WALL_FACTOR = 10.0 if resource else 4.0
"""Wall-clock time as a multiple of the processor time: other processes may be busy as well."""
RECYCLED_BYTES = 1 << 30
"""Memory that a helper has used, above which it is replaced."""
_LENGTH = struct.Struct("<Q")
_lock = threading.RLock()
_helper: _Helper | None = None


def isolated(
    function: Callable[..., Any], *arguments: Any, source: str, size: int = 0, seconds: float = 0.0, memory: int = 0
) -> Any:
    """The value of function(*arguments), computed in the helper process; what it raises and warns of is raised and said here.

    function: of a module; arguments and value: what can be pickled. source: how messages call the file. size: of the file,
    bytes, from which the limits follow unless given: seconds of processor time, memory, bytes of address space.
    Raises ModelError when a limit is exceeded or the helper crashes."""
    seconds = seconds or PROCESSOR_SECONDS + SECONDS_PER_BYTE * size
    memory = memory or MEMORY_BYTES + BYTES_PER_BYTE * size
    if IN_HELPER:  # of a file that another file names
        return function(*arguments)
    with _lock:
        kind, value, said = _running().call((function, arguments, seconds, memory), source, seconds)
    for text, category in said:
        warnings.warn(text, category, stacklevel=3)
    if kind == "value":
        return value
    if isinstance(value, GaitwrightError):
        raise value
    if kind == "memory":
        raise ModelError(f"{source} needs more than {memory / 1e9:.2g} GB of memory to be read, or is damaged")
    raise ModelError(f"{source} cannot be read, it may be damaged: {value}")


class Unreadable(ValueError):
    """Why a parser gives a file up, in words for its user: raised by our part of a parser."""


def cause_of(error: BaseException) -> str:
    """Why a parser gave a file up: the first line of its message, if it has an exception of its own for that. What Python and
    NumPy say of a value that a parser did not expect tells its user nothing."""
    if isinstance(error, KeyError) and error.args:
        return f"it has no {str(error)[:80]}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    said = str(error).strip().partition("\n")[0][:150].rstrip(" .")
    own = type(error).__module__.partition(".")[0] not in (*sys.stdlib_module_names, "numpy")
    if "<class " in said or "NoneType" in said:
        own = False
    return said if said and (own or isinstance(error, SyntaxError)) else "its content is not as it should be"


IN_HELPER = False
"""Whether this process is the helper of another one."""


class _Helper:
    """A helper process and its pipes."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        single = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **single, "PYTHONPATH": paths},
        )  # fmt: skip
        self.last = False

    def call(self, request: Any, source: str, seconds: float) -> tuple[str, Any, list[Any]]:
        wall = WALL_FACTOR * seconds
        timer = threading.Timer(wall, self.process.kill)
        timer.daemon = True
        timer.start()
        began = time.monotonic()
        try:
            assert self.process.stdin is not None and self.process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                _send(self.process.stdin, pickle.dumps(request))
            payload = _receive(self.process.stdout)
            if payload is None:
                slow = self._ended() or time.monotonic() - began >= wall
                self.last = True
                why = f"is not read within {seconds:.0f} s" if slow else "ends its parser"
                raise ModelError(f"{source} {why}: it is damaged, or not of the kind that it seems to be")
            kind, value, said, self.last = pickle.loads(payload)
            return kind, value, said
        except BaseException:
            self.last = True
            raise
        finally:
            timer.cancel()
            if self.last:
                self.end()

    def _ended(self) -> bool:
        """Whether the process that has closed its pipe ended because its time was over."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(10.0) == -getattr(signal, "SIGXCPU", 0) != 0
        return False

    def end(self) -> None:
        global _helper
        if _helper is self:
            _helper = None
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self.process.wait()

    def forget(self) -> None:
        """In a process that was forked: the helper is that of the first process."""
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                os.close(pipe.fileno())  # type: ignore[union-attr]
        self.process.returncode = 0  # so that it is not waited for


def _running() -> _Helper:
    global _helper
    if _helper is None or _helper.process.poll() is not None:
        _helper = _Helper()
    return _helper


def _after_fork() -> None:
    global _helper, _lock
    _lock = threading.RLock()
    if _helper is not None:
        _helper.forget()
        _forgotten.append(_helper)  # its pipes are not to be closed again
        _helper = None


_forgotten: list[_Helper] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@atexit.register
def end_helper() -> None:
    """End the helper process, if there is one; the next file starts another one."""
    with _lock:
        if _helper is not None:
            _helper.end()


def _send(pipe: BinaryIO | Any, payload: bytes) -> None:
    pipe.write(_LENGTH.pack(len(payload)))
    pipe.write(payload)
    pipe.flush()


def _receive(pipe: BinaryIO | Any) -> bytes | None:
    """A message; None where the other side has ended."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    payload = pipe.read(length)
    return payload if len(payload) == length else None


# the helper ---------------------------------------------------------------------------------------------------------


def serve() -> None:
    """The helper process: calls from standard input, one after another, answered on standard output."""
    global IN_HELPER
    IN_HELPER = True
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)  # for what parsers print
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the other process's business
    if resource:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.devnull, "w") as silence:
        while (request := _receive(requests)) is not None:
            function, arguments, seconds, memory = pickle.loads(request)
            _limit(seconds, memory)
            faulthandler.dump_traceback_later(WALL_FACTOR * seconds, exit=True, file=silence)
            answer = _answer(function, arguments)
            faulthandler.cancel_dump_traceback_later()
            _limit(None, None)
            _send(answers, pickle.dumps((*answer, _used() > RECYCLED_BYTES), protocol=5))
            del answer


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any, list[Any]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            kind, value = "value", function(*arguments)
        except GaitwrightError as error:
            kind, value = "error", error
        except MemoryError:
            kind, value = "memory", None
        except BaseException as error:
            kind, value = "other", cause_of(error)
    return kind, value, [(str(one.message), UserWarning) for one in caught if issubclass(one.category, UserWarning)]


def _limit(seconds: float | None, memory: int | None) -> None:
    """Limits of this process on top of what it has used; None removes them."""
    if resource is None:
        return
    infinite = resource.RLIM_INFINITY
    processor = infinite if seconds is None else int(time.process_time() + seconds) + 1
    space = infinite if memory is None else _address_space() + memory
    for kind, value in ((resource.RLIMIT_CPU, processor), (resource.RLIMIT_AS, space)):
        with contextlib.suppress(ValueError, OSError):  # of systems that know no such limit
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (value if hard == infinite or value < hard != infinite else hard, hard))


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()  # type: ignore[union-attr]
    except OSError:
        return 4 << 30  # unknown: what the libraries of a parser map at most


def _used() -> int:
    if resource is None:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
