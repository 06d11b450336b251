"""A printed program on an NVIDIA GPU: the same text, compiled by NVRTC through CuPy, a design per thread, in double precision.

CuPy is imported when it is asked for (`pip install gaitwright[gpu]`)."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gaitwright.checks import At

BLOCK = 64
"""Threads of a block: programs take all registers that a thread can have."""
TOGETHER = 128
"""The same of forward dynamics, whose threads go in step: a long program is fetched once for all of them."""
ROOM = 0.5
"""Part of the free memory of the GPU that a chunk of designs may take."""


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


class CudaLibrary:
    """As library.Library, with arrays on the GPU."""

    lanes = 1

    def __init__(self, text: str):
        if why := available():
            At("designs", "device").fail(f"'cuda' cannot be used: {why}", expected="device='cpu'")
        import cupy  # pyright: ignore[reportMissingImports]

        self.xp = cupy
        module = cupy.RawModule(code=text, options=("--std=c++14",))
        names = ("close_all", "march_all" if "KERNEL march_all(" in text else "follow_all")
        self.kernels = {name: module.get_function(name) for name in names}

    def most(self, samples: int, outputs: int, n: int, parameters: int) -> int:
        """Designs that have room at once."""
        each = 8 * (3 * (samples + 1) * (outputs + 4) + 4 * n + 2 * parameters)
        free, _ = self.xp.cuda.Device().mem_info
        return max(BLOCK, int(ROOM * free / each))

    def _run(self, name: str, count: int, *arguments: Any) -> None:
        block = TOGETHER if name == "march_all" else BLOCK
        self.kernels[name](((count + block - 1) // block,), (block,), (np.int64(count), *arguments))

    def close(self, P: Any, drawn: np.ndarray, scale: np.ndarray, size: float, closed: float) -> Any:
        xp, P = self.xp, self.xp.ascontiguousarray(self.xp.asarray(P))
        count = P.shape[1]
        Q, flag = xp.empty((drawn.size, count)), xp.empty(count, dtype=xp.int32)
        drawn, scale = xp.asarray(drawn), xp.asarray(scale)
        self._run("close_all", count, np.int64(count), P, drawn, scale, np.float64(size), np.float64(closed), Q, flag)
        return Q, flag

    def follow(
        self,
        P: Any,
        Q: Any,
        span: Any,
        samples: int,
        scale: np.ndarray,
        outputs: int,
        seeds: Any = None,
        entering: int = 0,
    ) -> Any:
        xp = self.xp
        P, Q, span, scale = (xp.ascontiguousarray(xp.asarray(x)) for x in (P, Q, span, scale))
        count = P.shape[1]
        track, flag, ends = xp.empty((samples + 1, outputs, count)), xp.empty(count, dtype=xp.int32), xp.empty(count)
        seeds = xp.zeros((0, 1)) if seeds is None else xp.ascontiguousarray(seeds)
        by = xp.zeros((len(seeds), entering + 1, count))
        self._run(
            "follow_all", count, np.int64(count), P, Q, span, np.int32(samples), scale, track, flag, ends,
            np.int32(len(seeds)), seeds, by,
        )  # fmt: skip
        return track, flag, ends, by

    def march(
        self,
        P: Any,
        Q: Any,
        span: Any,
        samples: int,
        scale: np.ndarray,
        outputs: int,
        seeds: Any = None,
        dQ: Any = None,
    ) -> Any:
        xp = self.xp
        P, Q, span, scale = (xp.ascontiguousarray(xp.asarray(x)) for x in (P, Q, span, scale))
        count = P.shape[1]
        track, flag, ends = xp.empty((samples + 1, outputs, count)), xp.empty(count, dtype=xp.int32), xp.empty(count)
        seeds = xp.zeros((0, 1)) if seeds is None else xp.ascontiguousarray(seeds)
        dQ = xp.zeros((0, 1)) if dQ is None else xp.ascontiguousarray(xp.asarray(dQ))
        by = xp.zeros((len(seeds), P.shape[0], count))
        self._run(
            "march_all", count, np.int64(count), P, Q, span, np.int32(samples), scale, track, flag, ends,
            np.int32(len(seeds)), seeds, by, dQ,
        )  # fmt: skip
        return track, flag, ends, by


@functools.lru_cache(maxsize=16)
def cuda_library(text: str) -> CudaLibrary:
    """The program on the GPU; compiled once in a process, and kept by CuPy on disk."""
    return CudaLibrary(text)
