"""A printed program on an NVIDIA GPU: the same text, compiled by NVRTC through CuPy, a design per thread, in double precision.

CuPy is imported when it is asked for (`pip install gaitwright[gpu]`)."""

from __future__ import annotations

import functools
import re
from typing import Any

from gaitwright.checks import At
from gaitwright.design.many.calls import Calls

BLOCK = 64
"""Threads of a block: programs take all registers that a thread can have."""
TOGETHER = 128
"""The same of forward dynamics, whose threads go in step: a long program is fetched once for all of them."""
ROOM = 0.5
"""Part of the free memory of the GPU that a chunk of designs may take."""
ENOUGH, LARGE = 131_072, 2**31
"""Designs that keep a GPU busy: with more at once it is not faster. Bytes of outputs: for larger arrays CuPy compiles all its
functions once more, with indices of 64 bits."""


def available() -> str:
    """Why there is no GPU to compute with; empty if there is one."""
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError:
        return "CuPy is not installed (pip install gaitwright[gpu])"
    try:
        return "" if cupy.cuda.runtime.getDeviceCount() else "there is no NVIDIA GPU"
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"there is no NVIDIA GPU that can be used ({error})"


class CudaLibrary(Calls):
    """A program on the GPU."""

    def __init__(self, text: str):
        if why := available():
            At("designs", "device").fail(f"'cuda' cannot be used: {why}", expected="device='cpu'")
        import cupy  # pyright: ignore[reportMissingImports]

        self.xp = cupy
        module = cupy.RawModule(code=text, options=("--std=c++14",))
        self.kernels = {name: module.get_function(name) for name in re.findall(r"^KERNEL (\w+)\(", text, re.MULTILINE)}

    def most(self, samples: int, outputs: int, numbers: int, n: int, parameters: int) -> int:
        """Designs that have room at once. numbers: of every sample, with what derivatives need besides the outputs."""
        each = 8 * (3 * (samples + 1) * (numbers + 4) + 4 * n + 2 * parameters)
        free, _ = self.xp.cuda.Device().mem_info
        small = LARGE // (8 * (samples + 1) * max(outputs, 1))
        return max(BLOCK, min(ENOUGH, small, int(ROOM * free / each)))

    def call(self, name: str, *arguments: Any) -> None:
        count, block = int(arguments[0]), TOGETHER if name == "march_all" else BLOCK
        self.kernels[name](((count + block - 1) // block,), (block,), arguments)


@functools.lru_cache(maxsize=16)
def cuda_library(text: str) -> CudaLibrary:
    """The program on the GPU; compiled once in a process, and kept by CuPy on disk."""
    return CudaLibrary(text)
