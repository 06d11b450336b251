"""C3D files of old computers: their numbers as Intel has them, which is what all programs of today write and ezc3d reads whole.

Where a number lies follows from the format alone: words of the header, then records of groups and parameters that each say how
far it is to the next, then the data. DEC (VAX F): whole numbers as Intel, real ones with their halves exchanged and four
times as large as the same bits mean elsewhere. MIPS (SGI, Motorola): all bytes the other way round.
"""

from __future__ import annotations

import struct

import numpy as np

PROCESSORS = {84: "Intel", 85: "DEC", 86: "MIPS (Motorola)"}
COUNTS, SCALE, START, RATE, EVENTS, EVENT_TIMES = 2, 12, 16, 20, 294, 304
"""Bytes of the header at which its numbers begin."""
WHOLE, REAL = 2, 4
"""Types of parameters, which are also their sizes."""


def first_parameter(content: bytes) -> int:
    """Where the parameters begin."""
    return 512 * (content[0] - 1)


def processor_of(content: bytes) -> str:
    at = first_parameter(content) + 3
    return PROCESSORS.get(content[at], "unknown") if 3 <= at < len(content) else "unknown"


def as_intel(content: bytes) -> bytes:
    """The same file with Intel numbers. struct.error or ValueError where it ends too early."""
    processor = processor_of(content)
    if processor not in PROCESSORS.values() or processor == "Intel":
        return content
    big = processor.startswith("MIPS")
    order = ">" if big else "<"
    out = bytearray(content)

    def whole(at: int, count: int = 1) -> None:
        out[at : at + 2 * count] = np.frombuffer(content, f"{order}u2", count, at).astype("<u2").tobytes()

    def real(at: int, count: int = 1) -> None:
        if big:
            values = np.frombuffer(content, ">f4", count, at)
        else:
            values = np.frombuffer(content, "<u2", 2 * count, at).reshape(-1, 2)[:, ::-1].copy().view("<f4") / 4
        out[at : at + 4 * count] = values.astype("<f4").tobytes()

    for convert, at, count in (
        (whole, COUNTS, 5), (real, SCALE, 1), (whole, START, 2), (real, RATE, 1), (whole, EVENTS, 5), (real, EVENT_TIMES, 18),
    ):  # fmt: skip
        convert(at, count)
    first = first_parameter(content)
    out[first + 3] = next(number for number, name in PROCESSORS.items() if name == "Intel")
    at = first + 4
    while content[at]:
        letters, group = struct.unpack_from("bb", content, at)
        after = at + 2 + abs(letters)
        (step,) = struct.unpack_from(f"{order}h", content, after)
        whole(after)
        if group > 0:
            kind, dimensions = struct.unpack_from("bB", content, after + 2)
            shape = list(content[after + 4 : after + 4 + dimensions])
            if kind in (WHOLE, REAL):
                (whole if kind == WHOLE else real)(after + 4 + dimensions, int(np.prod(shape, dtype=int)))
        if step <= 0:
            break
        at = after + step
    data = 512 * (struct.unpack_from(f"{order}H", content, START)[0] - 1)
    reals = struct.unpack_from("<f", out, SCALE)[0] < 0  # else whole numbers of 16 bits, to be scaled
    (real if reals else whole)(data, (len(content) - data) // (REAL if reals else WHOLE))
    return bytes(out)
