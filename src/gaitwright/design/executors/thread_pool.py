"""Run chunks of work in threads: compiled programs release Python's global interpreter lock."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any


def run_in_threads(
    work: Callable[[Any], Any], chunks: Sequence[Any], threads: int
) -> Generator[tuple[Any, Any], None, None]:
    """Yield each chunk and work(chunk), in the order of completion."""
    if threads == 1 or len(chunks) < 2:
        yield from ((chunk, work(chunk)) for chunk in chunks)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: dict[Any, Any] = {}
        try:
            for chunk in chunks:
                waiting[pool.submit(work, chunk)] = chunk
                while len(waiting) > 2 * threads:  # results are consumed before more chunks are submitted
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        yield waiting.pop(future), future.result()
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            for future in waiting:
                future.cancel()
