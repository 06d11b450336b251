"""Generated program on an NVIDIA GPU: the same text, compiled by NVRTC through CuPy, one design per thread, in double
precision.

CuPy is imported only if a GPU is used (`pip install gaitwright[gpu]`)."""

from __future__ import annotations

import functools
import re
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.program_calls import ProgramCalls

THREADS_PER_BLOCK = 64
"""Threads per block: programs use all registers available to a thread."""
FORWARD_THREADS_PER_BLOCK = 128
"""Threads per block for forward dynamics, where threads run in step: instructions of a long program are fetched once for
all."""
MAX_MEMORY_FRACTION = 0.5
"""Maximum fraction of the GPU's free memory for a chunk of designs."""
SATURATING_DESIGNS, MAX_ARRAY_BYTES = 131_072, 2**31
"""Number of designs that saturates a GPU: more at once are not faster. Maximum bytes of the output array: for larger arrays
CuPy compiles all its functions again, with 64-bit indices."""


def unavailable_reason() -> str:
    """Reason why no GPU can be used; empty if there is one."""
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError:
        return "CuPy is not installed (pip install gaitwright[gpu])"
    try:
        return "" if cupy.cuda.runtime.getDeviceCount() else "there is no NVIDIA GPU"
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"there is no NVIDIA GPU that can be used ({error})"


class CudaLibrary(ProgramCalls):
    """Compiled program on a GPU."""

    def __init__(self, text: str):
        if reason := unavailable_reason():
            ErrorContext("designs", "device").fail(f"'cuda' cannot be used: {reason}", expected="device='cpu'")
        import cupy  # pyright: ignore[reportMissingImports]

        self.xp = cupy
        module = cupy.RawModule(code=text, options=("--std=c++14",))
        self.kernels = {name: module.get_function(name) for name in re.findall(r"^KERNEL (\w+)\(", text, re.MULTILINE)}

    def max_designs(self, samples: int, outputs: int, numbers: int, n: int, parameters: int) -> int:
        """Maximum number of designs per call. numbers: values per sample, including those for derivatives. n: coordinates."""
        bytes_per_design = 8 * (3 * (samples + 1) * (numbers + 4) + 4 * n + 2 * parameters)
        free, _ = self.xp.cuda.Device().mem_info
        max_for_array = MAX_ARRAY_BYTES // (8 * (samples + 1) * max(outputs, 1))
        return max(
            THREADS_PER_BLOCK,
            min(SATURATING_DESIGNS, max_for_array, int(MAX_MEMORY_FRACTION * free / bytes_per_design)),
        )

    def call(self, name: str, *arguments: Any) -> None:
        count, block = int(arguments[0]), FORWARD_THREADS_PER_BLOCK if name == "march_all" else THREADS_PER_BLOCK
        self.kernels[name](((count + block - 1) // block,), (block,), arguments)


@functools.lru_cache(maxsize=16)
def load_cuda_library(text: str) -> CudaLibrary:
    """Load a program on the GPU; compiled once per process, and cached on disk by CuPy."""
    return CudaLibrary(text)
