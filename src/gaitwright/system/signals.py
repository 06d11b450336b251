"""Functions of time (drive angles, applied forces) with their first and second time derivative.

A signal is a short postfix program. Every entry of its stack is a second-order Taylor coefficient triple (f, f', f''),
so a drive gets its velocity and acceleration exactly, and nobody differentiates an expression by hand.

At a kink (abs, min, max) the derivatives are those from the right, because time runs forward. A function of an argument
that stands still (x' = x'' = 0) stands still: sqrt(max(t - 1, 0)) has zero slope before t = 1 s, not 0 * inf = NaN.
NaN is handed on to the result, also through comparisons, but not out of the branch that `if`, `and`, `or` leave aside.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from enum import IntEnum, auto
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import ArrayLike

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.system.invoke import invoke
from gaitwright.system.packed import Integer, Ints, Longs, Packed, Reals, Reals2
from gaitwright.system.splines import Spline, spline_at


class Op(IntEnum):
    """The operations of a signal. Their order has a meaning: sorted by the number of arguments, see `arity`."""

    CONSTANT = 0  # takes the next number from the program's constants
    TIME = auto()

    NEGATE = auto()
    NOT = auto()
    ABS = auto()
    SQRT = auto()
    EXP = auto()
    LOG = auto()
    SIN = auto()
    COS = auto()
    TAN = auto()
    ASIN = auto()
    ACOS = auto()
    ATAN = auto()
    SINH = auto()
    COSH = auto()
    TANH = auto()
    SERIES = auto()  # looks up the next of the program's splines

    ADD = auto()
    SUBTRACT = auto()
    MULTIPLY = auto()
    DIVIDE = auto()
    MODULO = auto()  # sign of the divisor, as in Python
    POWER = auto()
    ATAN2 = auto()
    MIN = auto()
    MAX = auto()
    LESS = auto()
    LESS_EQUAL = auto()
    GREATER = auto()
    GREATER_EQUAL = auto()
    EQUAL = auto()
    NOT_EQUAL = auto()
    AND = auto()
    OR = auto()

    IF = auto()  # condition, value if true, value if false


def arity(op: int) -> int:
    """Number of arguments that an operation takes from the stack."""
    return (op >= Op.NEGATE) + (op >= Op.ADD) + (op >= Op.IF)


class Program(NamedTuple):
    """One function of time in postfix order."""

    code: np.ndarray  # int32, values of Op
    constants: np.ndarray  # float64, in the order in which the code takes them
    splines: tuple[Spline, ...] = ()  # in the order in which the code takes them

    @property
    def identity(self) -> tuple[Any, ...]:
        """Equal for programs that are the same function."""
        return self.code.tobytes(), self.constants.tobytes(), self.splines

    def backwards(self) -> Program:
        """The same function of -t."""
        parts = [(op, Op.NEGATE) if op == Op.TIME else (op,) for op in self.code]
        return self._replace(code=np.array([op for part in parts for op in part], dtype=np.int32))


class SignalTable(Packed):
    """All signals of a system, one after the other, ready for `evaluate_signals`."""

    code: Ints  # int32
    constants: Reals  # float64
    starts: Longs  # int64[n_signals + 1], signal i is code[starts[i]:starts[i + 1]]
    lookups: Longs  # int64, the splines in the order in which the code takes them
    pieces: Reals2  # float64[:, 5], all splines one after the other
    piece_starts: Longs  # int64[n_splines + 1], spline j is pieces[piece_starts[j]:piece_starts[j + 1]]
    periods: Reals  # float64[n_splines], 0 for none
    stack_size: Integer  # length of the float64 scratch array that the evaluation needs
    evaluator: Integer  # address of the compiled evaluation


def signal_table(programs: Sequence[Program]) -> SignalTable:
    """Join programs into one table; signal i of the table is programs[i]. Nobody writes into a table, so that those made
    last are kept: a start alone asks four times for the same."""
    key = tuple(program.identity for program in programs)
    table = _TABLES.pop(key, None) or _joined(programs)
    _TABLES[key] = table  # at the end again: the first is the one that was not used for the longest time
    if len(_TABLES) > KEPT_TABLES:
        del _TABLES[next(iter(_TABLES))]
    return table


_TABLES: dict[tuple[Any, ...], SignalTable] = {}
KEPT_TABLES = 32


def _joined(programs: Sequence[Program]) -> SignalTable:
    starts = np.cumsum([0] + [len(program.code) for program in programs], dtype=np.int64)
    code = np.array([op for program in programs for op in program.code], dtype=np.int32)
    constants = np.array([number for program in programs for number in program.constants], dtype=np.float64)
    taken = [spline for program in programs for spline in program.splines]
    number = {spline: k for k, spline in enumerate(dict.fromkeys(taken))}
    return SignalTable(
        code=code,
        constants=constants,
        starts=starts,
        lookups=np.array([number[spline] for spline in taken], dtype=np.int64),
        pieces=np.concatenate([np.zeros((0, 5)), *(spline.pieces for spline in number)]),
        piece_starts=np.cumsum([0] + [len(spline.pieces) for spline in number], dtype=np.int64),
        periods=np.array([spline.period for spline in number], dtype=np.float64),
        stack_size=3 * max(map(_stack_depth, programs), default=0),
        evaluator=_evaluator(bool(np.all(code == Op.CONSTANT))).address if programs else 0,
    )


def _stack_depth(program: Program) -> int:
    """Largest number of triples on the stack. Also the guard of the evaluation, which runs without bounds checks."""
    ops = [Op(op) for op in program.code]
    depth = deepest = 0
    sound = ops.count(Op.CONSTANT) == len(program.constants) and ops.count(Op.SERIES) == len(program.splines)
    for op in ops:
        sound = sound and depth >= arity(op)
        depth += 1 - arity(op)
        deepest = max(deepest, depth)
    if not sound or depth != 1:
        raise ValueError(f"not a postfix program: {[op.name for op in ops]}")
    return deepest


@compiled
def _chain(g, dg, ddg, x1, x2):
    """Chain rule for g(x(t)): g, g' x', g'' x'^2 + g' x''. A term with a factor that is zero everywhere is left out."""
    if x1 == 0.0 and x2 == 0.0:
        return g, 0.0, 0.0
    curvature = 0.0 if ddg == 0.0 else ddg * x1 * x1
    if x2 != 0.0:
        curvature += dg * x2
    return g, dg * x1, curvature


@compiled
def _unary(op, x, x1, x2):
    """g(x), g'(x) and g''(x)."""
    if op == Op.NEGATE:
        return -x, -1.0, 0.0
    if op == Op.NOT:
        return 1.0 - _truth(x), 0.0, 0.0
    if op == Op.ABS:
        return (-x, -1.0, 0.0) if _is_below(x, x1, x2, 0.0, 0.0, 0.0) else (x, 1.0, 0.0)
    if op == Op.SQRT:
        g = math.sqrt(x)
        return g, 0.5 / g, -0.25 / (x * g)
    if op == Op.EXP:
        g = math.exp(x)
        return g, g, g
    if op == Op.LOG:
        return math.log(x), 1.0 / x, -1.0 / (x * x)
    if op == Op.SIN:
        g = math.sin(x)
        return g, math.cos(x), -g
    if op == Op.COS:
        g = math.cos(x)
        return g, -math.sin(x), -g
    if op == Op.TAN:
        g = math.tan(x)
        dg = 1.0 + g * g
        return g, dg, 2.0 * g * dg
    if op == Op.ASIN:
        dg = 1.0 / math.sqrt((1.0 - x) * (1.0 + x))
        return math.asin(x), dg, x * dg * dg * dg
    if op == Op.ACOS:
        dg = -1.0 / math.sqrt((1.0 - x) * (1.0 + x))
        return math.acos(x), dg, x * dg * dg * dg
    if op == Op.ATAN:
        dg = 1.0 / (1.0 + x * x)
        return math.atan(x), dg, -2.0 * x * dg * dg
    if op == Op.SINH:
        g = math.sinh(x)
        return g, math.cosh(x), g
    if op == Op.COSH:
        g = math.cosh(x)
        return g, math.sinh(x), g
    g = math.tanh(x)
    dg = 1.0 - g * g
    return g, dg, -2.0 * g * dg


@compiled
def _binary(op, x, x1, x2, y, y1, y2):
    if op == Op.ADD:
        return x + y, x1 + y1, x2 + y2
    if op == Op.SUBTRACT:
        return x - y, x1 - y1, x2 - y2
    if op == Op.MULTIPLY:
        return x * y, x1 * y + x * y1, x2 * y + 2.0 * x1 * y1 + x * y2
    if op == Op.DIVIDE:
        f = x / y
        df = (x1 - f * y1) / y
        return f, df, (x2 - 2.0 * df * y1 - f * y2) / y
    if op == Op.MODULO:
        # The count comes from the remainder: floor(x / y) may round to the other side of a jump than the remainder did.
        f = x % y
        turns = np.rint((x - f) / y)
        return f, x1 - turns * y1, x2 - turns * y2
    if op == Op.POWER:
        return _power(x, x1, x2, y, y1, y2)
    if op == Op.ATAN2:
        r2 = x * x + y * y
        df = (y * x1 - x * y1) / r2
        return math.atan2(x, y), df, (y * x2 - x * y2 - 2.0 * df * (x * x1 + y * y1)) / r2
    if op == Op.MIN:
        keep = math.isnan(x) or _is_below(x, x1, x2, y, y1, y2)
        return (x, x1, x2) if keep else (y, y1, y2)
    if op == Op.MAX:
        keep = math.isnan(x) or _is_below(y, y1, y2, x, x1, x2)
        return (x, x1, x2) if keep else (y, y1, y2)
    return _logic(op, x, y), 0.0, 0.0


@compiled
def _is_below(x, x1, x2, y, y1, y2):
    """Whether x is smaller than y now, or after equality a moment later."""
    return x < y or (x == y and (x1 < y1 or (x1 == y1 and x2 < y2)))


@compiled
def _power(x, x1, x2, y, y1, y2):
    """x^y. An exponent that stands still needs no logarithm, so x may be zero or, for whole y, negative."""
    if y1 == 0.0 and y2 == 0.0:
        # A vanishing factor ends the series of derivatives; times 0^-1 = inf it would give NaN.
        dg = y * math.pow(x, y - 1.0) if y != 0.0 else 0.0
        ddg = y * (y - 1.0) * math.pow(x, y - 2.0) if y != 0.0 and y != 1.0 else 0.0
        return _chain(math.pow(x, y), dg, ddg, x1, x2)
    f, log_x, rate = math.pow(x, y), math.log(x), x1 / x
    dh = y1 * log_x + y * rate  # h = y log x, f = exp h
    ddh = y2 * log_x + 2.0 * y1 * rate + y * (x2 / x - rate * rate)
    return f, f * dh, f * (ddh + dh * dh)


@compiled
def _truth(x):
    """1.0 for true (not zero), 0.0 for false, NaN when it cannot be told."""
    if math.isnan(x):
        return x
    return 1.0 if x != 0.0 else 0.0


@compiled
def _logic(op, x, y):
    """Comparison, `and`, `or`, with the values of `_truth`. After a decisive x the NaN of y does not count."""
    if math.isnan(x):
        return x
    if op == Op.AND:
        return _truth(y) if x != 0.0 else 0.0
    if op == Op.OR:
        return _truth(y) if x == 0.0 else 1.0
    if math.isnan(y):
        return y
    if op == Op.LESS:
        holds = x < y
    elif op == Op.LESS_EQUAL:
        holds = x <= y
    elif op == Op.GREATER:
        holds = x > y
    elif op == Op.GREATER_EQUAL:
        holds = x >= y
    elif op == Op.EQUAL:
        holds = x == y
    else:
        holds = x != y
    return 1.0 if holds else 0.0


def evaluate_program(program: Program, t: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, first and second time derivative of one signal at the times t (s), each in the shape of t."""
    times = np.asarray(t, dtype=np.float64)
    table = signal_table([program])
    u = np.empty((times.size, 3))
    _evaluate_at(table, times.ravel(), u, np.empty(table.stack_size))
    f, df, ddf = u.T.copy()
    return f.reshape(times.shape), df.reshape(times.shape), ddf.reshape(times.shape)


@compiled
def _evaluate_at(table, times, u, stack):
    for i in range(times.size):
        evaluate_signals(table, times[i], u[i], stack)


@compiled
def evaluate_signals(table, t, u, stack):
    """Fill u[3*i : 3*i + 3] with value, first and second time derivative of signal i at time t (s).

    u: float64[3 * n_signals]; stack: float64[table.stack_size], scratch. Never raises: a domain error gives NaN or inf.
    """
    if table.evaluator != 0:
        invoke(table.evaluator, (table, t, u, stack))


@functools.cache
def _evaluator(constant: bool) -> Any:
    """The evaluation as a function with an address: compiled once instead of into each of its many callers. A model whose
    signals are constant, or that has none, does not wait for that of all operations."""
    reals = types.CPointer(types.float64)
    function = _evaluate_constants if constant else _evaluate
    return compiled_pointer(function, types.void(SignalTable.packed_type, types.float64, reals, reals))


def _evaluate_constants(table, t, u, stack):
    """See evaluate_signals; each signal is the number of the same place."""
    for signal in range(table.constants.size):
        u[3 * signal], u[3 * signal + 1], u[3 * signal + 2] = table.constants[signal], 0.0, 0.0


def _evaluate(table, t, u, stack):
    """See evaluate_signals."""
    code, constants, starts = table.code, table.constants, table.starts
    constant = lookup = 0
    for signal in range(starts.size - 1):
        top = -3  # where the uppermost triple of the stack begins
        for position in range(starts[signal], starts[signal + 1]):
            op = code[position]
            if op == Op.CONSTANT:
                top += 3
                f, df, ddf = constants[constant], 0.0, 0.0
                constant += 1
            elif op == Op.TIME:
                top += 3
                f, df, ddf = t, 1.0, 0.0
            elif op < Op.ADD:
                x1, x2 = stack[top + 1], stack[top + 2]
                if op == Op.SERIES:
                    k = table.lookups[lookup]
                    first, after = table.piece_starts[k], table.piece_starts[k + 1]
                    g, dg, ddg = spline_at(table.pieces, first, after, table.periods[k], stack[top])
                    lookup += 1
                else:
                    g, dg, ddg = _unary(op, stack[top], x1, x2)
                f, df, ddf = _chain(g, dg, ddg, x1, x2)
            elif op < Op.IF:
                top -= 3
                f, df, ddf = _binary(
                    op, stack[top], stack[top + 1], stack[top + 2], stack[top + 3], stack[top + 4], stack[top + 5]
                )
            else:
                top -= 6
                condition = stack[top]
                if math.isnan(condition):
                    f, df, ddf = condition, condition, condition
                else:
                    chosen = top + 3 if condition != 0.0 else top + 6
                    f, df, ddf = stack[chosen], stack[chosen + 1], stack[chosen + 2]
            stack[top], stack[top + 1], stack[top + 2] = f, df, ddf
        u[3 * signal], u[3 * signal + 1], u[3 * signal + 2] = stack[0], stack[1], stack[2]
