"""Threshold distributions against published quartiles and their definitions."""

from __future__ import annotations

import math

import pytest

from gaitwright.wear.comfort.population import Population, average_shares


def test_quartiles_of_sixteen_thousand_people():
    """The Tromso Study, cuff on the lower leg: 22.8 +- 10.0 kPa, quartiles 15.8, 21.8 and 28.1 kPa. Lognormal is within 4.5 %,
    a normal distribution is 5 % off at the upper quartile."""
    law = Population.of_mean(22.8, 10.0, 16288)
    assert law.quantile(0.25) == pytest.approx(15.8, rel=0.01)
    assert law.quantile(0.5) == pytest.approx(21.8, rel=0.045)
    assert law.quantile(0.75) == pytest.approx(28.1, rel=0.02)


def test_mean_and_deviation_equal_the_given_ones():
    law = Population.of_mean(89.3, 41.8)
    assert law.mean == pytest.approx(89.3)
    assert law.mean * math.sqrt(math.exp(law.sigma**2) - 1.0) == pytest.approx(41.8)
    median = Population.of_median(80.0, 41.8)
    assert median.median == 80.0
    assert median.mean * math.sqrt(math.exp(median.sigma**2) - 1.0) == pytest.approx(41.8)


def test_half_of_the_people_feel_the_median():
    law = Population.of_median(13.7e3, None)
    assert law.share(13.7e3).value == pytest.approx(0.5)
    # at the mean of a lognormal law it is more than half: Phi(sigma/2)
    mean = Population.of_mean(13.7e3, None)
    assert mean.share(13.7e3).value == pytest.approx(0.5 * (1.0 + math.erf(0.5 * mean.sigma / math.sqrt(2.0))))
    assert mean.assumed


def test_shares_increase_and_lie_within_their_bands():
    law = Population.of_mean(30.4e3, None)
    shares = [law.share(1e3 * p) for p in (0.0, 1.0, 10.0, 30.0, 60.0, 300.0)]
    values = [share.value for share in shares]
    assert values == sorted(values)
    assert values[0] == 0.0
    assert values[-1] > 0.999
    assert all(share.low <= share.value <= share.high for share in shares)
    few, many = (Population.of_mean(24.0, 10.7, n).share(20.0) for n in (8, 8000))
    assert few.high - few.low > 20.0 * (many.high - many.low)


def test_range_ends_are_the_expected_extremes_of_the_sample():
    """Expected maximum of 15 standard normal numbers: 1.736."""
    law = Population.of_range(40.0, 230.0, 15)
    assert law.median == pytest.approx(math.sqrt(40.0 * 230.0))
    assert law.sigma == pytest.approx(math.log(230.0 / 40.0) / (2.0 * 1.736), rel=0.005)


def test_groups_have_equal_weights():
    men, women = Population.of_mean(89.3, 41.8, 8).share(60.0), Population.of_mean(34.6, 27.2, 8).share(60.0)
    assert average_shares([men, women]).value == pytest.approx(0.5 * (men.value + women.value))
    assert women.value > men.value
