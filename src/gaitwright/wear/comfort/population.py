"""A threshold as a distribution over people: lognormal, as thresholds of pressure are found to be.

    sigma^2 = ln(1 + (s/m)^2)        mu = ln m - sigma^2/2        share(x) = Phi((ln x - mu)/sigma)

from the mean m and the standard deviation s. Of 16288 people (the Tromso Study, cuff on the lower leg) m = 22.8 kPa, s = 10.0
kPa: the quartiles follow as 15.7 and 27.7 kPa, and were 15.8 and 28.1; a normal distribution would have 16.1 and 29.5.
Where only a range of n people is known, its ends are taken as those expected of n: mu = ln(a b)/2,
sigma = ln(b/a)/(2 Phi^-1((n - 0.375)/(n + 0.25))) (G. Blom, 1958).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
UNKNOWN_SPREAD = 0.5
"""Standard deviation by mean where a source does not tell: those of the table have 0.19 to 0.79, and 0.44
in the largest sample."""
SPREADS = (0.3, 0.8)
"""What it may be then: the ends of the band."""
UNKNOWN_PEOPLE = 10
"""Of whom a band is computed where a source does not tell how many there were."""
BAND = 0.9
"""Confidence of bands."""


@dataclass(frozen=True)
class Share:
    """Of people who feel it: value, 0 to 1, and its band, of the spread that is not known or of the few people measured."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"


@dataclass(frozen=True)
class Population:
    """Thresholds of people: median, in the unit of what was measured, and sigma of its logarithm. people: how many were asked;
    0: not told. assumed: whether sigma is our assumption."""

    median: float
    sigma: float
    people: int = 0
    assumed: bool = False

    @classmethod
    def of_mean(cls, mean: float, spread: float | None, people: int = 0) -> Population:
        """spread: standard deviation; None: UNKNOWN_SPREAD of the mean."""
        ratio = UNKNOWN_SPREAD if spread is None else spread / mean
        return cls(mean / math.sqrt(1.0 + ratio**2), _sigma(ratio), people, spread is None)

    @classmethod
    def of_median(cls, median: float, spread: float | None, people: int = 0) -> Population:
        """spread: standard deviation: s/median = sqrt(e^(2 v) - e^v) with v = sigma^2."""
        if spread is None:
            return cls(median, _sigma(UNKNOWN_SPREAD), people, True)
        power = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * (spread / median) ** 2))
        return cls(median, math.sqrt(math.log(power)), people)

    @classmethod
    def of_range(cls, least: float, largest: float, people: int) -> Population:
        """least, largest: of so many people."""
        reach = NORMAL.inv_cdf((people - 0.375) / (people + 0.25))
        return cls(math.sqrt(least * largest), math.log(largest / least) / (2.0 * reach), people)

    @property
    def mean(self) -> float:
        return self.median * math.exp(0.5 * self.sigma**2)

    def share(self, value: float) -> Share:
        """Of people whose threshold lies below a value. Band: of the spread where that is assumed, and of the number of people,
        whose z = (ln x - mu)/sigma has the standard error sqrt(1/n + z^2/(2 (n - 1)))."""
        if value <= 0.0:
            return Share(0.0, 0.0, 0.0)
        z = math.log(value / self.median) / self.sigma
        n = max(self.people or UNKNOWN_PEOPLE, 2)
        off = NORMAL.inv_cdf(0.5 + 0.5 * BAND) * math.sqrt(1.0 / n + z**2 / (2.0 * (n - 1)))
        ends = [z - off, z + off]
        if self.assumed:
            for ratio in SPREADS:  # with the same mean
                sigma = _sigma(ratio)
                ends.append((math.log(value / self.mean) + 0.5 * sigma**2) / sigma)
        return Share(NORMAL.cdf(z), NORMAL.cdf(min(ends)), NORMAL.cdf(max(ends)))

    def quantile(self, share: float) -> float:
        """What this share of people feels."""
        return self.median * math.exp(self.sigma * NORMAL.inv_cdf(share))


def _sigma(ratio: float) -> float:
    return math.sqrt(math.log(1.0 + ratio**2))


def mixed(shares: list[Share]) -> Share:
    """Of as many people of each group."""
    return Share(*(sum(parts) / len(shares) for parts in zip(*((s.value, s.low, s.high) for s in shares), strict=True)))
