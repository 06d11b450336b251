"""Helper process with limits of time and memory, for parsers of other packages, which may crash or hang on a damaged file,
and for libraries that other libraries loaded by the user can break.

Each process has at most one helper. It is started at the first call, which takes as long as the imports of the parser, and
serves all later calls (2 ms each). A helper that crashes, exceeds a limit or has used much memory is replaced. It ends when
its standard input is closed. Return values and exceptions are pickled; this is safe as both sides run this package's code.

Limits: processor time and address space, set by the operating system, and wall-clock time; on Windows wall-clock time only.
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

from gaitwright._core.errors import GaitwrightError, ModelError

try:
    import resource
except ImportError:  # not on Windows
    resource = None

BASE_PROCESSOR_SECONDS, PROCESSOR_SECONDS_PER_BYTE = 20.0, 2e-6
"""Limit of processor time for a file: constant part, s, and part per byte of the file, s. The import of the parser counts."""
BASE_MEMORY_BYTES, MEMORY_BYTES_PER_FILE_BYTE = 2 << 30, 40
"""Limit of address space for a file: constant part, bytes, and part per byte of the file."""
WALL_TIME_FACTOR = 10.0 if resource else 4.0
"""Limit of wall-clock time over the limit of processor time: other processes may be busy as well."""
MAX_REUSED_HELPER_BYTES = 1 << 30
"""Peak memory of a helper above which it is replaced after the call."""
_LENGTH_HEADER = struct.Struct("<Q")
_lock = threading.RLock()
_helper: _HelperProcess | None = None


def run_isolated(
    function: Callable[..., Any], *arguments: Any, source: str, size: int = 0, seconds: float = 0.0, memory: int = 0,
    writes: bool = False,
) -> Any:  # fmt: skip
    """Return function(*arguments), computed in the helper process. Its GaitwrightErrors are raised and its UserWarnings issued
    in this process.

    function: at the top level of a module; it, the arguments and the value are pickled. source: name of the file in messages.
    size: of the file, bytes; it determines the limits that are not given: seconds of processor time, and memory, bytes of
    address space. writes: whether the function writes the file, for the messages. Raises ModelError if a limit is exceeded, the
    function raises another exception or the helper crashes."""
    seconds = seconds or BASE_PROCESSOR_SECONDS + PROCESSOR_SECONDS_PER_BYTE * size
    memory = memory or BASE_MEMORY_BYTES + MEMORY_BYTES_PER_FILE_BYTE * size
    if IN_HELPER:  # for a file that the isolated file names
        return function(*arguments)
    with _lock:
        kind, value, caught = _running_helper().call((function, arguments, seconds, memory), source, seconds, writes)
    for text, category in caught:
        warnings.warn(text, category, stacklevel=3)
    if kind == "value":
        return value
    if isinstance(value, GaitwrightError):
        raise value
    if writes:
        cause = f"more than {memory / 1e9:.2g} GB of memory are needed" if kind == "memory" else value
        raise ModelError(f"{source} cannot be written: {cause}")
    if kind == "memory":
        raise ModelError(f"{source} needs more than {memory / 1e9:.2g} GB of memory to be read, or is damaged")
    raise ModelError(f"{source} cannot be read, it may be damaged: {value}")


class UnreadableFile(ValueError):
    """Exception of this package's part of a parser. Its text, the reason why the file cannot be read, is shown to the user."""


def failure_cause(error: BaseException) -> str:
    """Reason for a message, from the exception of a parser: the first line of its text, at most 150 characters, if its
    class is one of the parser. Texts of exceptions of Python and NumPy do not help the user and are replaced."""
    if isinstance(error, KeyError) and error.args:
        return f"it has no {str(error)[:80]}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    line = str(error).strip().partition("\n")[0][:150].rstrip(" .")
    is_own = type(error).__module__.partition(".")[0] not in (*sys.stdlib_module_names, "numpy")
    if "<class " in line or "NoneType" in line:
        is_own = False
    return line if line and (is_own or isinstance(error, SyntaxError)) else "its content is invalid"


IN_HELPER = False
"""True if this process is the helper of another one."""


class _HelperProcess:
    """A helper process and its pipes. exhausted: True if it must be replaced after the call."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        single = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **single, "PYTHONPATH": paths},
        )  # fmt: skip
        self.exhausted = False

    def call(self, request: Any, source: str, seconds: float, writes: bool) -> tuple[str, Any, list[Any]]:
        """Send a request and return its answer: kind, value and warnings, see `_call_function`."""
        wall, begun = WALL_TIME_FACTOR * seconds, time.monotonic()
        expired = threading.Event()

        def end_slow_process() -> None:
            expired.set()
            self.process.kill()

        timer = threading.Timer(wall, end_slow_process)
        timer.daemon = True
        timer.start()
        try:
            assert self.process.stdin is not None and self.process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                _send(self.process.stdin, pickle.dumps(request))
            payload = _receive(self.process.stdout)
            if payload is None:
                # The helper has its own timer, which may end it earlier than the timer of this process.
                late = expired.is_set() or time.monotonic() - begun >= wall
                slow = self._exceeded_processor_time() or late
                if writes:
                    problem = f"it takes more than {seconds:.0f} s" if slow else "the process that writes it crashes"
                    raise ModelError(f"{source} cannot be written: {problem}")
                problem = f"is not read within {seconds:.0f} s" if slow else "crashes its parser"
                raise ModelError(f"{source} {problem}: it is damaged, or its format is not that of its name")
            kind, value, caught, self.exhausted = pickle.loads(payload)
            return kind, value, caught
        except BaseException:
            self.exhausted = True
            raise
        finally:
            timer.cancel()
            if self.exhausted:
                self.end()

    def _exceeded_processor_time(self) -> bool:
        """True if the process, which has closed its pipe, was ended by the limit of processor time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(10.0) == -getattr(signal, "SIGXCPU", 0) != 0
        return False

    def end(self) -> None:
        """Kill the process and close its pipes."""
        global _helper
        if _helper is self:
            _helper = None
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self.process.wait()

    def release_in_fork(self) -> None:
        """Close the pipes in a forked process; the helper remains that of its parent."""
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                os.close(pipe.fileno())  # type: ignore[union-attr]
        self.process.returncode = 0  # so that it is not waited for


def _running_helper() -> _HelperProcess:
    global _helper
    if _helper is None or _helper.process.poll() is not None:
        _helper = _HelperProcess()
    return _helper


def _release_helper_after_fork() -> None:
    global _helper, _lock
    _lock = threading.RLock()
    if _helper is not None:
        _helper.release_in_fork()
        _forked_helpers.append(_helper)  # a reference, as its destructor would close the descriptors again
        _helper = None


_forked_helpers: list[_HelperProcess] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_helper_after_fork)


@atexit.register
def end_helper() -> None:
    """End the helper process, if there is one; the next call starts another one."""
    with _lock:
        if _helper is not None:
            _helper.end()


def _send(pipe: BinaryIO | Any, payload: bytes) -> None:
    pipe.write(_LENGTH_HEADER.pack(len(payload)))
    pipe.write(payload)
    pipe.flush()


def _receive(pipe: BinaryIO | Any) -> bytes | None:
    """A message from a pipe; None if the pipe is closed before its end."""
    head = pipe.read(_LENGTH_HEADER.size)
    if len(head) < _LENGTH_HEADER.size:
        return None
    (length,) = _LENGTH_HEADER.unpack(head)
    payload = pipe.read(length)
    return payload if len(payload) == length else None


# the helper ---------------------------------------------------------------------------------------------------------


def serve() -> None:
    """Main loop of the helper process: read calls from standard input, one after another, and answer on standard output."""
    global IN_HELPER
    IN_HELPER = True
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)  # parsers may print, which must not reach the pipe of the answers
    for number in (0, 1, 2):
        os.dup2(null, number)
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the calling process handles interrupts
    if resource:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.devnull, "w") as silence:
        while (request := _receive(requests)) is not None:
            function, arguments, seconds, memory = pickle.loads(request)
            _set_resource_limits(seconds, memory)
            faulthandler.dump_traceback_later(WALL_TIME_FACTOR * seconds, exit=True, file=silence)
            answer = _call_function(function, arguments)
            faulthandler.cancel_dump_traceback_later()
            _set_resource_limits(None, None)
            _send(answers, pickle.dumps((*answer, _peak_memory_bytes() > MAX_REUSED_HELPER_BYTES), protocol=5))
            del answer


def _call_function(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any, list[Any]]:
    """Call the function. Returns (kind, value, warnings) with the kinds value, error (a GaitwrightError), memory (None) and
    other (the reason as text), and warnings as (text, category)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            kind, value = "value", function(*arguments)
        except GaitwrightError as error:
            kind, value = "error", error
        except MemoryError:
            kind, value = "memory", None
        except BaseException as error:
            kind, value = "other", failure_cause(error)
    texts = [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
    return kind, value, [(text, UserWarning) for text in texts]


def _set_resource_limits(seconds: float | None, memory: int | None) -> None:
    """Limit the further processor time, s, and address space, bytes, of this process; None removes a limit."""
    if resource is None:
        return
    infinite = resource.RLIM_INFINITY
    processor = infinite if seconds is None else int(time.process_time() + seconds) + 1
    space = infinite if memory is None else _address_space_bytes() + memory
    for kind, value in ((resource.RLIMIT_CPU, processor), (resource.RLIMIT_AS, space)):
        with contextlib.suppress(ValueError, OSError):  # systems without this limit
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (value if hard == infinite or value < hard != infinite else hard, hard))


def _address_space_bytes() -> int:
    """Address space of this process, bytes."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()  # type: ignore[union-attr]
    except OSError:
        return 4 << 30  # unknown; an upper bound of the space that the libraries of a parser map


def _peak_memory_bytes() -> int:
    """Largest resident memory of this process so far, bytes; 0 on Windows.

    On Linux from /proc: ru_maxrss there includes the memory of the parent at the start of this process."""
    if resource is None:
        return 0
    with contextlib.suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
