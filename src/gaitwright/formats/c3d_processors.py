"""C3D files of old computers: their numbers as Intel has them, which is what all programs of today write and ezc3d reads whole.

Where a number lies follows from the format alone: words of the header, then records of groups and parameters that each say how
far it is to the next, then the data. DEC (VAX F): whole numbers as Intel, real ones with their halves exchanged and four
times as large as the same bits mean elsewhere. MIPS (SGI, Motorola): all bytes the other way round.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gaitwright.isolation import Unreadable

PROCESSORS = {84: "Intel", 85: "DEC", 86: "MIPS (Motorola)"}
COUNTS, SCALE, START, RATE, EVENTS, EVENT_TIMES = 2, 12, 16, 20, 294, 304
"""Bytes of the header at which its numbers begin."""
WHOLE, REAL = 2, 4
"""Types of parameters, which are also their sizes."""
MAX_DIMENSIONS, MAX_DESCRIPTION_LENGTH = 7, 127
"""Of a parameter. The format allows descriptions of 255 characters, but ezc3d takes their length for a number with a sign, and
a negative one for 4 GB."""


class Record(NamedTuple):
    """A group or a parameter. step: byte at which the distance to the next record is stored. kind: type of the values, 0 for
    a group. values: byte at which they begin. count: of the values."""

    step: int
    kind: int = 0
    values: int = 0
    count: int = 0


def first_parameter(content: bytes) -> int:
    """Where the parameters begin."""
    return 512 * (content[0] - 1)


def processor_of(content: bytes) -> str:
    at = first_parameter(content) + 3
    return PROCESSORS.get(content[at], "unknown") if 3 <= at < len(content) else "unknown"


def records(content: bytes, order: str = "<") -> Iterator[Record]:
    """Groups and parameters of a file, in the order in which they are stored. order: of bytes, as struct names it.

    Raises Unreadable at the first one that breaks the format or goes beyond the end of the file: ezc3d would end the process,
    or read gigabytes."""
    at = first_parameter(content) + 4
    while _byte(content, at):
        letters, group = _byte(content, at, signed=True), _byte(content, at + 1, signed=True)
        after = at + 2 + abs(letters)
        name = content[at + 2 : after].decode("ascii", "replace").strip()
        name = f"'{name}'" if name.isprintable() and "\ufffd" not in name and len(name) < 40 else f"at byte {at}"
        if not group:
            raise Unreadable(f"its parameter {name} belongs to no group")
        if after + 3 > len(content):
            raise Unreadable(f"its parameter {name} goes on beyond the end of the file")
        found = Record(after) if group < 0 else _parameter(content, name, after)
        end = after + 2 if group < 0 else found.values + abs(found.kind) * found.count
        described = _byte(content, end)
        if described > MAX_DESCRIPTION_LENGTH or end + 1 + described > len(content):
            raise Unreadable(
                f"the description of {name} has {described} characters, more than {MAX_DESCRIPTION_LENGTH} or than the file"
            )
        yield found
        (step,) = struct.unpack_from(f"{order}H", content, after)
        if not step:
            break
        at = after + step


def _parameter(content: bytes, name: str, after: int) -> Record:
    kind, dimensions = _byte(content, after + 2, signed=True), _byte(content, after + 3)
    if kind not in (-1, 1, WHOLE, REAL):
        raise Unreadable(f"its parameter {name} has the type {kind}, which is none of -1, 1, 2 and 4")
    if dimensions > MAX_DIMENSIONS:
        raise Unreadable(f"its parameter {name} has {dimensions} dimensions, more than {MAX_DIMENSIONS}")
    values = after + 4 + dimensions
    count = math.prod(content[after + 4 : values])
    if values + abs(kind) * count > len(content):
        raise Unreadable(f"its parameter {name} has {count} values, more than the file")
    return Record(after, kind, values, count)


def _byte(content: bytes, at: int, signed: bool = False) -> int:
    if at >= len(content):
        raise Unreadable("its parameters go on beyond the end of the file")
    return content[at] - 256 * (signed and content[at] > 127)


def as_intel(content: bytes) -> bytes:
    """The same file with Intel numbers. Raises Unreadable where its parameters break the format, struct.error or ValueError
    where it ends too early."""
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
    for record in records(content, order):
        whole(record.step)
        if record.kind in (WHOLE, REAL):
            (whole if record.kind == WHOLE else real)(record.values, record.count)
    data = 512 * (struct.unpack_from(f"{order}H", content, START)[0] - 1)
    reals = struct.unpack_from("<f", out, SCALE)[0] < 0  # else whole numbers of 16 bits, to be scaled
    (real if reals else whole)(data, (len(content) - data) // (REAL if reals else WHOLE))
    return bytes(out)
