"""Records of arrays passed to compiled code as one pointer.

A NamedTuple of arrays is passed to a compiled function by value: with the sixty arrays of a system every call expands to
hundreds of numbers, and compiling a method took 20 s. A PointerRecord keeps its arrays in Python, and their addresses
and shapes in one block of memory; `record.field` in compiled code loads from that block. Compiled code never owns the
arrays, so there is no reference counting, and it must not use them after the call.

    class Work(PointerRecord):
        phi: Reals
        table: Ints2
        inner: OtherRecord
        n: Integer
"""

from __future__ import annotations

import hashlib
import math
import typing
from ctypes import addressof, c_char
from typing import Annotated, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array

Reals = Annotated[np.ndarray, types.Array(types.float64, 1, "C")]
Reals2 = Annotated[np.ndarray, types.Array(types.float64, 2, "C")]
Reals3 = Annotated[np.ndarray, types.Array(types.float64, 3, "C")]
Ints = Annotated[np.ndarray, types.Array(types.int32, 1, "C")]
Longs = Annotated[np.ndarray, types.Array(types.int64, 1, "C")]
Longs2 = Annotated[np.ndarray, types.Array(types.int64, 2, "C")]
Slots = Annotated[np.ndarray, types.Array(types.uint32, 1, "C")]
Slots2 = Annotated[np.ndarray, types.Array(types.uint32, 2, "C")]
Slots3 = Annotated[np.ndarray, types.Array(types.uint32, 3, "C")]
Integer = Annotated[int, types.int64]
Flag = Annotated[bool, types.boolean]
BYTES_PER_WORD, WORDS_PER_CACHE_LINE = 8, 8
"""Bytes per word; words per cache line, the alignment of arrays that share a block of memory."""


def address_of(array: Any) -> int:
    """Address of the first number of an array. NumPy's own lookup takes a microsecond, and a run needs a hundred."""
    try:
        return addressof(c_char.from_buffer(array))
    except (TypeError, ValueError):  # read-only or empty
        return array.__array_interface__["data"][0]


class PointerRecordType(types.Type):
    """Compiled view of a PointerRecord class: field names, their types and their offsets in the block (in words)."""

    fields: dict[str, Any]
    called: str
    known: dict[str, Any]
    layout: tuple[tuple[str, int, np.dtype[Any] | None, int], ...]

    def __init__(self, name: str, fields: tuple[tuple[str, Any], ...], known: tuple[tuple[str, Any], ...] = ()):
        self.fields, self.called = dict(fields), name
        self.known = dict(known)
        self.offsets: dict[str, int] = {}
        words = 0
        for field, kind in fields:
            self.offsets[field] = words
            words += 1 + (kind.ndim if isinstance(kind, types.Array) else 0)
        self.words = words
        # Precomputed layout for filling a record: a run creates a hundred of them.
        self.layout = tuple(
            (field, self.offsets[field], np.dtype(str(kind.dtype)), kind.ndim)
            if isinstance(kind, types.Array)
            else (field, self.offsets[field], None, int(isinstance(kind, PointerRecordType)))
            for field, kind in fields
        )
        # Numba and the cache of machine code distinguish types by name, so the name contains a hash of the layout.
        layout = hashlib.sha256(repr([(field, str(kind)) for field, kind in fields]).encode()).hexdigest()[:12]
        suffix = "".join(f", {field} = {value}" for field, value in known)
        super().__init__(name=f"Packed({name} {layout}{suffix})")

    def knowing(self, **values: Any) -> PointerRecordType:
        """Type of the same records with compile-time constants (jit/constant_types.py). values: a number by the name of its
        field, or, for a record field, a record type with constants of its own."""
        inside = {name: kind for name, kind in values.items() if isinstance(kind, PointerRecordType)}
        fields = {**self.fields, **inside}
        return PointerRecordType(self.called, tuple(fields.items()), tuple(values.items()))


class PointerRecord:
    """Base class of records; subclasses annotate their fields with the types above or with other PointerRecord classes."""

    packed_type: PointerRecordType

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        hints = typing.get_type_hints(cls, include_extras=True)
        hints.pop("packed_type", None)
        fields = [
            (
                name,
                hint.packed_type
                if isinstance(hint, type) and issubclass(hint, PointerRecord)
                else hint.__metadata__[0],
            )
            for name, hint in hints.items()
            if not hasattr(cls, name)  # class attributes with a value are for Python only
        ]
        cls.packed_type = PointerRecordType(f"{cls.__module__}.{cls.__name__}", tuple(fields))

    def __init__(self, *values: Any, **named: Any):
        """Create a record from its fields, in order or by name. An array may be given by its shape alone (int or tuple): such
        scratch arrays are zeros in one block of memory, wrapped as NumPy arrays on first access, which most never need."""
        kind, attributes = self.packed_type, self.__dict__
        values_by_name = {**dict(zip(kind.fields, values, strict=False)), **named} if values else named
        if values_by_name.keys() != kind.fields.keys():
            raise TypeError(f"{type(self).__name__} needs the fields {', '.join(kind.fields)}")
        words, scratch, size = [0] * kind.words, {}, 0
        for field, at, dtype, extra in kind.layout:
            value = values_by_name[field]
            if dtype is None:
                words[at] = value.address if extra else int(value)
                attributes[field] = value
                continue
            if isinstance(value, (int, tuple, np.integer)):
                shape = value if isinstance(value, tuple) else (int(value),)
                scratch[field] = at, dtype, size, shape
                size += -(-math.prod(shape) // WORDS_PER_CACHE_LINE) * WORDS_PER_CACHE_LINE
            else:
                attributes[field] = value = np.ascontiguousarray(value, dtype=dtype)
                shape = value.shape
                words[at] = address_of(value)
            if len(shape) != extra:
                raise TypeError(f"{type(self).__name__}.{field} has {len(shape)} dimensions, not {extra}")
            words[at + 1 : at + 1 + extra] = shape
        if scratch:
            self._memory, self._scratch = np.zeros(size + 1), scratch
            first = address_of(self._memory)
            for at, _, place, _ in scratch.values():
                words[at] = first + BYTES_PER_WORD * place
            self._places = [at for at, *_ in scratch.values()]
        self._block = np.array(words, dtype=np.int64)
        self.address: int = address_of(self._block)

    def __getattr__(self, name: str) -> Any:
        """Wrap a scratch array (a field given by its shape) on first access."""
        if name not in self.__dict__.get("_scratch", ()):
            raise AttributeError(f"{type(self).__name__} has no field '{name}'", name=name, obj=self)
        _, dtype, place, shape = self._scratch[name]
        array = np.ndarray(shape, dtype, self._memory, BYTES_PER_WORD * place)
        self.__dict__[name] = array
        return array

    def fresh(self, **records: PointerRecord) -> typing.Self:
        """Copy with the same arrays, but with new zeros for the scratch arrays. records: replacements of contained records."""
        copy = type(self).__new__(type(self))
        attributes, memory, block = copy.__dict__, np.zeros(self._memory.size), self._block.copy()
        block[self._places] += address_of(memory) - address_of(self._memory)
        attributes |= {name: value for name, value in self.__dict__.items() if name not in self._scratch}
        attributes |= {"_memory": memory, "_block": block, "address": address_of(block), **records}
        for name, record in records.items():
            block[self.packed_type.offsets[name]] = record.address
        return copy

    def replaced(self, **changes: Any) -> typing.Self:
        """Return a copy with some fields changed."""
        copy = type(self)(**{**{name: getattr(self, name) for name in self.packed_type.fields}, **changes})
        copy.__dict__ |= {name: value for name, value in self.__dict__.items() if name not in copy.__dict__}
        return copy


@register_model(PointerRecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, ir.IntType(64))


@typeof_impl.register(PointerRecord)
def _type_of_record(value: PointerRecord, context: Any) -> PointerRecordType:
    return value.packed_type


@unbox(PointerRecordType)
def _unbox_record(kind: Any, value: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(value, "address")
    native = c.pyapi.long_as_ulonglong(address)
    c.pyapi.decref(address)
    return NativeValue(native, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _RecordAttributes(AttributeTemplate):
    key = PointerRecordType

    def generic_resolve(self, kind: Any, attribute: str) -> Any:
        return kind.fields.get(attribute)


@lower_getattr_generic(PointerRecordType)
def _load_field(context: Any, builder: Any, kind: PointerRecordType, value: Any, attribute: str) -> Any:
    field, word = kind.fields[attribute], ir.IntType(64)
    if isinstance(kind.known.get(attribute), int):
        return word(kind.known[attribute])

    def load(offset: int) -> Any:
        place = builder.add(value, word(8 * (kind.offsets[attribute] + offset)))
        return builder.load(builder.inttoptr(place, word.as_pointer()))

    if isinstance(field, types.Array):
        array = make_array(field)(context, builder)
        item = context.get_abi_sizeof(context.get_data_type(field.dtype))
        shape = [load(1 + k) for k in range(field.ndim)]
        strides = [word(item)]
        for extent in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], extent))
        data = builder.inttoptr(load(0), context.get_data_type(field.dtype).as_pointer())
        populate_array(array, data=data, shape=shape, strides=strides, itemsize=word(item), meminfo=None)
        return array._getvalue()
    loaded = load(0)
    return builder.trunc(loaded, ir.IntType(1)) if field == types.boolean else loaded
