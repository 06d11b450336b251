"""Conversion of C3D files of old computers to Intel numbers, which all current programs write and ezc3d reads completely.

The place of each number follows from the format alone: words of the header, then records of groups and parameters, each with
the distance to the next, then the data. DEC (VAX F): integers as Intel; floats with exchanged halves; their bits read as
IEEE numbers give four times their value. MIPS (SGI, Motorola): all bytes reversed.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gaitwright._core.isolation import UnreadableFile

PROCESSOR_NAMES = {84: "Intel", 85: "DEC", 86: "MIPS (Motorola)"}
COUNTS_OFFSET, SCALE_OFFSET, DATA_START_OFFSET, FRAME_RATE_OFFSET, EVENTS_OFFSET, EVENT_TIMES_OFFSET = (
    2,
    12,
    16,
    20,
    294,
    304,
)
"""Byte offsets of the numbers in the header."""
INTEGER_TYPE, FLOAT_TYPE = 2, 4
"""Parameter types, equal to their sizes in bytes."""
MAX_DIMENSIONS, MAX_DESCRIPTION_LENGTH = 7, 127
"""Limits of a parameter. The format allows descriptions of 255 characters, but ezc3d reads their length as a signed number, and
a negative one as 4 GB."""


class C3dRecord(NamedTuple):
    """Group or parameter. step: byte offset of the distance to the next record. kind: type of the values, 0 for a group.
    values: byte offset of the values. count: number of values."""

    step: int
    kind: int = 0
    values: int = 0
    count: int = 0


def parameter_offset(content: bytes) -> int:
    """Byte offset of the parameter section."""
    return 512 * (content[0] - 1)


def read_processor(content: bytes) -> str:
    at = parameter_offset(content) + 3
    return PROCESSOR_NAMES.get(content[at], "unknown") if 3 <= at < len(content) else "unknown"


def iterate_records(content: bytes, order: str = "<") -> Iterator[C3dRecord]:
    """Groups and parameters of a file, in stored order. order: byte order as in struct, "<" or ">".

    Raises UnreadableFile at the first record that breaks the format or exceeds the file: ezc3d would end the process, or read
    gigabytes."""
    at = parameter_offset(content) + 4
    while _read_byte(content, at):
        letters, group = _read_byte(content, at, signed=True), _read_byte(content, at + 1, signed=True)
        after = at + 2 + abs(letters)
        name = content[at + 2 : after].decode("ascii", "replace").strip()
        name = f"'{name}'" if name.isprintable() and "\ufffd" not in name and len(name) < 40 else f"at byte {at}"
        if not group:
            raise UnreadableFile(f"its parameter {name} belongs to no group")
        if after + 3 > len(content):
            raise UnreadableFile(f"its parameter {name} goes on beyond the end of the file")
        record = C3dRecord(after) if group < 0 else _read_parameter(content, name, after)
        end = after + 2 if group < 0 else record.values + abs(record.kind) * record.count
        described = _read_byte(content, end)
        if described > MAX_DESCRIPTION_LENGTH or end + 1 + described > len(content):
            raise UnreadableFile(
                f"the description of {name} has {described} characters, more than {MAX_DESCRIPTION_LENGTH} or than the file"
            )
        yield record
        (step,) = struct.unpack_from(f"{order}H", content, after)
        if not step:
            break
        at = after + step


def _read_parameter(content: bytes, name: str, after: int) -> C3dRecord:
    kind, dimensions = _read_byte(content, after + 2, signed=True), _read_byte(content, after + 3)
    if kind not in (-1, 1, INTEGER_TYPE, FLOAT_TYPE):
        raise UnreadableFile(f"its parameter {name} has the type {kind}, which is none of -1, 1, 2 and 4")
    if dimensions > MAX_DIMENSIONS:
        raise UnreadableFile(f"its parameter {name} has {dimensions} dimensions, more than {MAX_DIMENSIONS}")
    values = after + 4 + dimensions
    count = math.prod(content[after + 4 : values])
    if values + abs(kind) * count > len(content):
        raise UnreadableFile(f"its parameter {name} has {count} values, more than the file")
    return C3dRecord(after, kind, values, count)


def _read_byte(content: bytes, at: int, signed: bool = False) -> int:
    if at >= len(content):
        raise UnreadableFile("its parameters go on beyond the end of the file")
    return content[at] - 256 * (signed and content[at] > 127)


def convert_to_intel(content: bytes) -> bytes:
    """Convert the content of a file to Intel numbers. Raises UnreadableFile if its parameters break the format, struct.error
    or ValueError if it ends too early."""
    processor = read_processor(content)
    if processor not in PROCESSOR_NAMES.values() or processor == "Intel":
        return content
    big = processor.startswith("MIPS")
    order = ">" if big else "<"
    out = bytearray(content)

    def swap_words(at: int, count: int = 1) -> None:
        out[at : at + 2 * count] = np.frombuffer(content, f"{order}u2", count, at).astype("<u2").tobytes()

    def real(at: int, count: int = 1) -> None:
        if big:
            values = np.frombuffer(content, ">f4", count, at)
        else:
            values = np.frombuffer(content, "<u2", 2 * count, at).reshape(-1, 2)[:, ::-1].copy().view("<f4") / 4
        out[at : at + 4 * count] = values.astype("<f4").tobytes()

    for convert, at, count in (
        (swap_words, COUNTS_OFFSET, 5),
        (real, SCALE_OFFSET, 1),
        (swap_words, DATA_START_OFFSET, 2),
        (real, FRAME_RATE_OFFSET, 1),
        (swap_words, EVENTS_OFFSET, 5),
        (real, EVENT_TIMES_OFFSET, 18),
    ):
        convert(at, count)
    first = parameter_offset(content)
    out[first + 3] = next(number for number, name in PROCESSOR_NAMES.items() if name == "Intel")
    for record in iterate_records(content, order):
        swap_words(record.step)
        if record.kind in (INTEGER_TYPE, FLOAT_TYPE):
            (swap_words if record.kind == INTEGER_TYPE else real)(record.values, record.count)
    data = 512 * (struct.unpack_from(f"{order}H", content, DATA_START_OFFSET)[0] - 1)
    reals = struct.unpack_from("<f", out, SCALE_OFFSET)[0] < 0  # otherwise 16-bit integers, to be scaled
    (real if reals else swap_words)(data, (len(content) - data) // (FLOAT_TYPE if reals else INTEGER_TYPE))
    return bytes(out)
