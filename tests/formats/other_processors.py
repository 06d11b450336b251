"""Conversion of a C3D file with Intel numbers to DEC or MIPS numbers, according to the manual of the format."""

from __future__ import annotations

import struct

import numpy as np

NUMBER = {"DEC": 85, "MIPS": 86}


def with_numbers_of(processor: str, content: bytes) -> bytes:
    """Content with the numbers of a processor. DEC: integers as Intel; floats have exchanged halves, and their
    bits read as IEEE numbers give four times their value. MIPS: all bytes reversed."""
    out = bytearray(content)
    start, data = 512 * (content[0] - 1), 512 * (struct.unpack_from("<H", content, 16)[0] - 1)

    def real(at: int, count: int = 1) -> None:
        values = np.frombuffer(content, "<f4", count, at)
        halves = (values * np.float32(4)).astype("<f4").view("<u2").reshape(-1, 2)
        out[at : at + 4 * count] = (halves[:, ::-1] if processor == "DEC" else values.astype(">f4")).tobytes()

    def whole(at: int, count: int = 1) -> None:
        if processor == "MIPS":
            out[at : at + 2 * count] = np.frombuffer(content, "<u2", count, at).astype(">u2").tobytes()

    whole(2, 5), real(12), whole(16, 2), real(20)
    whole(294, 5), real(304, 18)  # events
    out[start + 3] = NUMBER[processor]
    at = start + 4
    while content[at]:
        letters = abs(struct.unpack_from("b", content, at)[0])
        group, after = struct.unpack_from("b", content, at + 1)[0] < 0, at + 2 + letters
        step = struct.unpack_from("<h", content, after)[0]
        whole(after)
        if not group:
            kind, dimensions = struct.unpack_from("bB", content, after + 2)
            shape = content[after + 4 : after + 4 + dimensions]
            {2: whole, 4: real}.get(kind, lambda *_: None)(after + 4 + dimensions, int(np.prod(list(shape), dtype=int)))
        if step == 0:
            break
        at = after + step
    real(data, (len(content) - data) // 4)
    return bytes(out)
