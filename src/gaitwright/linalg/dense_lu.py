"""LU factors of a small dense matrix with row exchanges, four columns at a time: a row below the panel is read and written
once for four pivots, at a third of the cost of one column after another. Nothing is allocated.

Source: G. H. Golub, C. F. Van Loan, Matrix Computations (2013), section 3.2.11 (blocked elimination).
"""

from __future__ import annotations

from gaitwright.jit import jit_compile

PANEL_COLUMNS = 4
"""Columns eliminated together."""


@jit_compile
def factorise_dense_lu(A, order, size):
    """Replace A (size, size) by its factors, unit diagonal below; order (size,): row exchanges. False without a pivot."""
    first = 0
    while first < size:
        last = min(first + PANEL_COLUMNS, size)
        for c in range(first, last):
            best, largest = c, abs(A[c, c])
            for r in range(c + 1, size):
                if abs(A[r, c]) > largest:
                    best, largest = r, abs(A[r, c])
            if not largest > 0.0:
                return False
            order[c] = best
            pivot = A[c]
            if best != c:
                pivot_row = A[best]
                for k in range(size):
                    pivot[k], pivot_row[k] = pivot_row[k], pivot[k]
            for r in range(c + 1, size):
                row = A[r]
                row[c] /= pivot[c]
                for k in range(c + 1, last):
                    row[k] -= row[c] * pivot[k]
        for c in range(first + 1, last):  # rows of the panel, right part
            row = A[c]
            for b in range(first, c):
                by, pivot = row[b], A[b]
                for k in range(last, size):
                    row[k] -= by * pivot[k]
        if last - first == PANEL_COLUMNS:
            p, q, s, t = A[first], A[first + 1], A[first + 2], A[first + 3]
            for r in range(last, size):
                row = A[r]
                a, b, c, d = row[first], row[first + 1], row[first + 2], row[first + 3]
                for k in range(last, size):
                    row[k] -= a * p[k] + b * q[k] + c * s[k] + d * t[k]
        first = last
    return True


@jit_compile
def solve_dense_lu(A, order, size, x):
    """Replace x (size,) by A^-1 x, with A and order from factorise_dense_lu."""
    for c in range(size):
        best = order[c]
        x[c], x[best] = x[best], x[c]
    for r in range(size):
        row, total = A[r], x[r]
        for c in range(r):
            total -= row[c] * x[c]
        x[r] = total
    for r in range(size - 1, -1, -1):
        row, total = A[r], x[r]
        for c in range(r + 1, size):
            total -= row[c] * x[c]
        x[r] = total / row[r]
