"""Functions of time (drive angles, applied forces) with their first and second time derivatives.

A signal is a short postfix program. Every entry of its stack is a second-order Taylor coefficient triple (f, f', f''), so
velocity and acceleration of a drive are exact, and no expression is differentiated by hand.

At a kink (abs, min, max) the derivatives are those from the right, because time runs forward. A function of a constant
argument (x' = x'' = 0) has zero derivatives: sqrt(max(t - 1, 0)) has zero slope before t = 1 s, not 0 * inf = NaN. NaN
propagates to the result, also through comparisons, but not from the branch that `if`, `and`, `or` do not select.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from enum import IntEnum, auto
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import call_address
from gaitwright.jit.numba_names import types
from gaitwright.jit.pointer_records import Integer, Ints, Longs, PointerRecord, Reals, Reals2
from gaitwright.mechanism.splines import SignalSpline, evaluate_spline


class SignalOperation(IntEnum):
    """Operations of a signal. Their order is significant: sorted by the number of arguments, see `arity`."""

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
    SERIES = auto()  # evaluates the next of the program's splines

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
    """Return the number of arguments that an operation takes from the stack."""
    return (op >= SignalOperation.NEGATE) + (op >= SignalOperation.ADD) + (op >= SignalOperation.IF)


class SignalProgram(NamedTuple):
    """One function of time in postfix order."""

    code: np.ndarray  # int32, values of SignalOperation
    constants: np.ndarray  # float64, in the order of use in the code
    splines: tuple[SignalSpline, ...] = ()  # in the order of use in the code

    @property
    def identity(self) -> tuple[Any, ...]:
        """Key that is equal for programs of the same function."""
        return self.code.tobytes(), self.constants.tobytes(), self.splines

    def backwards(self) -> SignalProgram:
        """Return the same function of -t."""
        parts = [(op, SignalOperation.NEGATE) if op == SignalOperation.TIME else (op,) for op in self.code]
        return self._replace(code=np.array([op for part in parts for op in part], dtype=np.int32))


class SignalTable(PointerRecord):
    """All signals of a system in sequence, ready for `evaluate_signals`."""

    code: Ints  # int32
    constants: Reals  # float64
    starts: Longs  # int64[n_signals + 1], signal i is code[starts[i]:starts[i + 1]]
    lookups: Longs  # int64, indices of the splines in the order of use in the code
    pieces: Reals2  # float64[:, 5], all splines in sequence
    piece_starts: Longs  # int64[n_splines + 1], spline j is pieces[piece_starts[j]:piece_starts[j + 1]]
    periods: Reals  # float64[n_splines], 0 for none
    stack_size: Integer  # length of the float64 scratch array that the evaluation needs
    evaluator: Integer  # address of the compiled evaluation


def signal_table(programs: Sequence[SignalProgram]) -> SignalTable:
    """Join programs into one table; signal i of the table is programs[i]. Tables are never written to, so the latest are
    cached: a start alone requests the same table four times."""
    key = tuple(program.identity for program in programs)
    table = _SIGNAL_TABLES.pop(key, None) or _join_programs(programs)
    _SIGNAL_TABLES[key] = table  # moved to the end: the first is the least recently used
    if len(_SIGNAL_TABLES) > MAX_CACHED_TABLES:
        del _SIGNAL_TABLES[next(iter(_SIGNAL_TABLES))]
    return table


_SIGNAL_TABLES: dict[tuple[Any, ...], SignalTable] = {}
MAX_CACHED_TABLES = 32


def _join_programs(programs: Sequence[SignalProgram]) -> SignalTable:
    starts = np.cumsum([0] + [len(program.code) for program in programs], dtype=np.int64)
    code = np.array([op for program in programs for op in program.code], dtype=np.int32)
    constants = np.array([number for program in programs for number in program.constants], dtype=np.float64)
    splines = [spline for program in programs for spline in program.splines]
    number = {spline: k for k, spline in enumerate(dict.fromkeys(splines))}
    return SignalTable(
        code=code,
        constants=constants,
        starts=starts,
        lookups=np.array([number[spline] for spline in splines], dtype=np.int64),
        pieces=np.concatenate([np.zeros((0, 5)), *(spline.pieces for spline in number)]),
        piece_starts=np.cumsum([0] + [len(spline.pieces) for spline in number], dtype=np.int64),
        periods=np.array([spline.period for spline in number], dtype=np.float64),
        stack_size=3 * max(map(_stack_depth, programs), default=0),
        evaluator=_compiled_evaluator(bool(np.all(code == SignalOperation.CONSTANT))).address if programs else 0,
    )


def _stack_depth(program: SignalProgram) -> int:
    """Return the largest number of triples on the stack. Also validates the program, since the evaluation runs without bounds
    checks."""
    ops = [SignalOperation(op) for op in program.code]
    depth = deepest = 0
    sound = ops.count(SignalOperation.CONSTANT) == len(program.constants) and ops.count(SignalOperation.SERIES) == len(
        program.splines
    )
    for op in ops:
        sound = sound and depth >= arity(op)
        depth += 1 - arity(op)
        deepest = max(deepest, depth)
    if not sound or depth != 1:
        raise ValueError(f"not a postfix program: {[op.name for op in ops]}")
    return deepest


@jit_compile
def _chain_rule(g, dg, ddg, x1, x2):
    """Chain rule for g(x(t)): g, g' x', g'' x'^2 + g' x''. Terms with an identically zero factor are left out."""
    if x1 == 0.0 and x2 == 0.0:
        return g, 0.0, 0.0
    curvature = 0.0 if ddg == 0.0 else ddg * x1 * x1
    if x2 != 0.0:
        curvature += dg * x2
    return g, dg * x1, curvature


@jit_compile
def _evaluate_unary(op, x, x1, x2):
    """Return g(x), g'(x) and g''(x)."""
    if op == SignalOperation.NEGATE:
        return -x, -1.0, 0.0
    if op == SignalOperation.NOT:
        return 1.0 - _truth_value(x), 0.0, 0.0
    if op == SignalOperation.ABS:
        return (-x, -1.0, 0.0) if _is_below(x, x1, x2, 0.0, 0.0, 0.0) else (x, 1.0, 0.0)
    if op == SignalOperation.SQRT:
        g = math.sqrt(x)
        return g, 0.5 / g, -0.25 / (x * g)
    if op == SignalOperation.EXP:
        g = math.exp(x)
        return g, g, g
    if op == SignalOperation.LOG:
        return math.log(x), 1.0 / x, -1.0 / (x * x)
    if op == SignalOperation.SIN:
        g = math.sin(x)
        return g, math.cos(x), -g
    if op == SignalOperation.COS:
        g = math.cos(x)
        return g, -math.sin(x), -g
    if op == SignalOperation.TAN:
        g = math.tan(x)
        dg = 1.0 + g * g
        return g, dg, 2.0 * g * dg
    if op == SignalOperation.ASIN:
        dg = 1.0 / math.sqrt((1.0 - x) * (1.0 + x))
        return math.asin(x), dg, x * dg * dg * dg
    if op == SignalOperation.ACOS:
        dg = -1.0 / math.sqrt((1.0 - x) * (1.0 + x))
        return math.acos(x), dg, x * dg * dg * dg
    if op == SignalOperation.ATAN:
        dg = 1.0 / (1.0 + x * x)
        return math.atan(x), dg, -2.0 * x * dg * dg
    if op == SignalOperation.SINH:
        g = math.sinh(x)
        return g, math.cosh(x), g
    if op == SignalOperation.COSH:
        g = math.cosh(x)
        return g, math.sinh(x), g
    g = math.tanh(x)
    dg = 1.0 - g * g
    return g, dg, -2.0 * g * dg


@jit_compile
def _evaluate_binary(op, x, x1, x2, y, y1, y2):
    if op == SignalOperation.ADD:
        return x + y, x1 + y1, x2 + y2
    if op == SignalOperation.SUBTRACT:
        return x - y, x1 - y1, x2 - y2
    if op == SignalOperation.MULTIPLY:
        return x * y, x1 * y + x * y1, x2 * y + 2.0 * x1 * y1 + x * y2
    if op == SignalOperation.DIVIDE:
        f = x / y
        df = (x1 - f * y1) / y
        return f, df, (x2 - 2.0 * df * y1 - f * y2) / y
    if op == SignalOperation.MODULO:
        # The number of turns comes from the remainder: floor(x / y) may be rounded to the other side of a jump.
        f = x % y
        turns = np.rint((x - f) / y)
        return f, x1 - turns * y1, x2 - turns * y2
    if op == SignalOperation.POWER:
        return _evaluate_power(x, x1, x2, y, y1, y2)
    if op == SignalOperation.ATAN2:
        r2 = x * x + y * y
        df = (y * x1 - x * y1) / r2
        return math.atan2(x, y), df, (y * x2 - x * y2 - 2.0 * df * (x * x1 + y * y1)) / r2
    if op == SignalOperation.MIN:
        keep = math.isnan(x) or _is_below(x, x1, x2, y, y1, y2)
        return (x, x1, x2) if keep else (y, y1, y2)
    if op == SignalOperation.MAX:
        keep = math.isnan(x) or _is_below(y, y1, y2, x, x1, x2)
        return (x, x1, x2) if keep else (y, y1, y2)
    return _evaluate_logic(op, x, y), 0.0, 0.0


@jit_compile
def _is_below(x, x1, x2, y, y1, y2):
    """Return True if x is smaller than y now, or, if they are equal, immediately afterwards."""
    return x < y or (x == y and (x1 < y1 or (x1 == y1 and x2 < y2)))


@jit_compile
def _evaluate_power(x, x1, x2, y, y1, y2):
    """x^y. A constant exponent needs no logarithm, so x may be zero or, for integer y, negative."""
    if y1 == 0.0 and y2 == 0.0:
        # Terms with a zero factor end the series of derivatives; 0 * 0^-1 = 0 * inf would give NaN.
        dg = y * math.pow(x, y - 1.0) if y != 0.0 else 0.0
        ddg = y * (y - 1.0) * math.pow(x, y - 2.0) if y != 0.0 and y != 1.0 else 0.0
        return _chain_rule(math.pow(x, y), dg, ddg, x1, x2)
    f, log_x, rate = math.pow(x, y), math.log(x), x1 / x
    dh = y1 * log_x + y * rate  # h = y log x, f = exp h
    ddh = y2 * log_x + 2.0 * y1 * rate + y * (x2 / x - rate * rate)
    return f, f * dh, f * (ddh + dh * dh)


@jit_compile
def _truth_value(x):
    """1.0 for true (not zero), 0.0 for false, NaN for NaN."""
    if math.isnan(x):
        return x
    return 1.0 if x != 0.0 else 0.0


@jit_compile
def _evaluate_logic(op, x, y):
    """Comparison, `and`, `or`, with the values of `_truth_value`. NaN in y is ignored if x alone decides."""
    if math.isnan(x):
        return x
    if op == SignalOperation.AND:
        return _truth_value(y) if x != 0.0 else 0.0
    if op == SignalOperation.OR:
        return _truth_value(y) if x == 0.0 else 1.0
    if math.isnan(y):
        return y
    if op == SignalOperation.LESS:
        holds = x < y
    elif op == SignalOperation.LESS_EQUAL:
        holds = x <= y
    elif op == SignalOperation.GREATER:
        holds = x > y
    elif op == SignalOperation.GREATER_EQUAL:
        holds = x >= y
    elif op == SignalOperation.EQUAL:
        holds = x == y
    else:
        holds = x != y
    return 1.0 if holds else 0.0


def evaluate_program(program: SignalProgram, t: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, first and second time derivative of one signal at the times t (s), each in the shape of t."""
    times = np.asarray(t, dtype=np.float64)
    table = signal_table([program])
    u = np.empty((times.size, 3))
    _evaluate_at(table, times.ravel(), u, np.empty(table.stack_size))
    f, df, ddf = u.T.copy()
    return f.reshape(times.shape), df.reshape(times.shape), ddf.reshape(times.shape)


@jit_compile
def _evaluate_at(table, times, u, stack):
    for i in range(times.size):
        evaluate_signals(table, times[i], u[i], stack)


@jit_compile
def evaluate_signals(table, t, u, stack):
    """Fill u[3*i : 3*i + 3] with value, first and second time derivative of signal i at time t (s).

    u: float64[3 * n_signals]; stack: float64[table.stack_size], scratch. Never raises: a domain error gives NaN or inf.
    """
    if table.evaluator != 0:
        call_address(table.evaluator, (table, t, u, stack))


@functools.cache
def _compiled_evaluator(constant: bool) -> Any:
    """Compile the evaluation as a function with an address: once, instead of inlined into each of its many callers. Models
    without signals, or with constant signals only, use a short version without the operations."""
    reals = types.CPointer(types.float64)
    function = _evaluate_constants if constant else _evaluate
    return compile_cfunc(function, types.void(SignalTable.packed_type, types.float64, reals, reals))


def _evaluate_constants(table, t, u, stack):
    """Evaluate constant signals (evaluate_signals): signal i is constant i."""
    for signal in range(table.constants.size):
        u[3 * signal], u[3 * signal + 1], u[3 * signal + 2] = table.constants[signal], 0.0, 0.0


def _evaluate(table, t, u, stack):
    """Evaluate all signals (evaluate_signals)."""
    code, constants, starts = table.code, table.constants, table.starts
    constant = lookup = 0
    for signal in range(starts.size - 1):
        top = -3  # index of the topmost triple of the stack
        for position in range(starts[signal], starts[signal + 1]):
            op = code[position]
            if op == SignalOperation.CONSTANT:
                top += 3
                f, df, ddf = constants[constant], 0.0, 0.0
                constant += 1
            elif op == SignalOperation.TIME:
                top += 3
                f, df, ddf = t, 1.0, 0.0
            elif op < SignalOperation.ADD:
                x1, x2 = stack[top + 1], stack[top + 2]
                if op == SignalOperation.SERIES:
                    k = table.lookups[lookup]
                    first, after = table.piece_starts[k], table.piece_starts[k + 1]
                    g, dg, ddg = evaluate_spline(table.pieces, first, after, table.periods[k], stack[top])
                    lookup += 1
                else:
                    g, dg, ddg = _evaluate_unary(op, stack[top], x1, x2)
                f, df, ddf = _chain_rule(g, dg, ddg, x1, x2)
            elif op < SignalOperation.IF:
                top -= 3
                f, df, ddf = _evaluate_binary(
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
