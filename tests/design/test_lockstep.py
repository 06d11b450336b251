"""Parallel minimisers: points are evaluated together and in order; errors and interruptions reach the caller."""

import threading

import numpy as np
import pytest

from gaitwright.design.lockstep import run_lockstep


def test_points_are_evaluated_together_until_all_works_end():
    batches, found = [], {}

    def work(k, count):
        def run(ask):
            found[k] = [
                ask(np.array([float(k), float(j)])) for j in range(count) for _ in range(2)
            ]  # the same point twice

        return run

    def answer(points):
        batches.append([tuple(point) for point in points])
        return [float(point.sum()) for point in points]

    run_lockstep([work(0, 3), work(1, 1), work(2, 2)], answer)
    assert batches == [[(0, 0), (1, 0), (2, 0)], [(0, 1), (2, 1)], [(0, 2)]]
    assert found == {0: [0, 0, 1, 1, 2, 2], 1: [1, 1], 2: [2, 2, 3, 3]}


@pytest.mark.parametrize("where", ["answer", "work"])
def test_errors_and_interruptions_end_all_works_and_reach_the_caller(where):
    before = threading.active_count()

    def endless(ask):
        while True:
            ask(np.random.default_rng().random(2))

    def wrong(ask):
        ask(np.zeros(2))
        raise ZeroDivisionError

    def answer(points):
        if where == "answer":
            raise KeyboardInterrupt
        return [1.0] * len(points)

    with pytest.raises(KeyboardInterrupt if where == "answer" else ZeroDivisionError):
        run_lockstep([endless, wrong, endless], answer)
    assert threading.active_count() == before
