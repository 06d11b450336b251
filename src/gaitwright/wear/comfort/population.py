"""Distribution of a threshold over people: lognormal, as pressure thresholds are in measurements.

    sigma^2 = ln(1 + (s/m)^2)        mu = ln m - sigma^2/2        share(x) = Phi((ln x - mu)/sigma)

from the mean m and the standard deviation s. Of 16288 people (the Tromso Study, cuff on the lower leg) m = 22.8 kPa, s = 10.0
kPa: the quartiles follow as 15.7 and 27.7 kPa, and were 15.8 and 28.1; a normal distribution would have 16.1 and 29.5.
If only the range of n people is known, its ends are taken as the expected extremes of n people: mu = ln(a b)/2,
sigma = ln(b/a)/(2 Phi^-1((n - 0.375)/(n + 0.25))) (G. Blom, 1958).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

STANDARD_NORMAL = NormalDist()
DEFAULT_SPREAD_RATIO = 0.5
"""Standard deviation over mean if a source gives none; those of the table have 0.19 to 0.79, and 0.44 in the largest
sample."""
SPREAD_RATIO_RANGE = (0.3, 0.8)
"""Possible range of this ratio: the ends of the band."""
DEFAULT_PEOPLE_COUNT = 10
"""Number of people for the band if a source gives none."""
BAND_CONFIDENCE = 0.9
"""Confidence of bands."""


@dataclass(frozen=True)
class PopulationShare:
    """Share of people that feels a load: value, 0 to 1, and its band, from the assumed spread or the small sample."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"


@dataclass(frozen=True)
class Population:
    """Lognormal distribution of a threshold: median, in the unit of the measured quantity, and sigma of its logarithm. people:
    sample size, 0 if unknown. assumed: True if sigma is our assumption."""

    median: float
    sigma: float
    people: int = 0
    assumed: bool = False

    @classmethod
    def of_mean(cls, mean: float, spread: float | None, people: int = 0) -> Population:
        """Distribution from a mean. spread: standard deviation; None: DEFAULT_SPREAD_RATIO times the mean."""
        ratio = DEFAULT_SPREAD_RATIO if spread is None else spread / mean
        return cls(mean / math.sqrt(1.0 + ratio**2), _lognormal_sigma(ratio), people, spread is None)

    @classmethod
    def of_median(cls, median: float, spread: float | None, people: int = 0) -> Population:
        """Distribution from a median. spread: standard deviation s, with s/median = sqrt(e^(2 v) - e^v) and v = sigma^2."""
        if spread is None:
            return cls(median, _lognormal_sigma(DEFAULT_SPREAD_RATIO), people, True)
        power = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * (spread / median) ** 2))
        return cls(median, math.sqrt(math.log(power)), people)

    @classmethod
    def of_range(cls, least: float, largest: float, people: int) -> Population:
        """Distribution from a range. least, largest: smallest and largest threshold in a sample of this many people."""
        reach = STANDARD_NORMAL.inv_cdf((people - 0.375) / (people + 0.25))
        return cls(math.sqrt(least * largest), math.log(largest / least) / (2.0 * reach), people)

    @property
    def mean(self) -> float:
        return self.median * math.exp(0.5 * self.sigma**2)

    def share(self, value: float) -> PopulationShare:
        """Share of people with a threshold below the value. The band covers the assumed spread and the sample size:
        z = (ln x - mu)/sigma has the standard error sqrt(1/n + z^2/(2 (n - 1)))."""
        if value <= 0.0:
            return PopulationShare(0.0, 0.0, 0.0)
        z = math.log(value / self.median) / self.sigma
        n = max(self.people or DEFAULT_PEOPLE_COUNT, 2)
        off = STANDARD_NORMAL.inv_cdf(0.5 + 0.5 * BAND_CONFIDENCE) * math.sqrt(1.0 / n + z**2 / (2.0 * (n - 1)))
        ends = [z - off, z + off]
        if self.assumed:
            for ratio in SPREAD_RATIO_RANGE:  # with the same mean
                sigma = _lognormal_sigma(ratio)
                ends.append((math.log(value / self.mean) + 0.5 * sigma**2) / sigma)
        return PopulationShare(STANDARD_NORMAL.cdf(z), STANDARD_NORMAL.cdf(min(ends)), STANDARD_NORMAL.cdf(max(ends)))

    def quantile(self, share: float) -> float:
        """Load that this share of people feels."""
        return self.median * math.exp(self.sigma * STANDARD_NORMAL.inv_cdf(share))


def _lognormal_sigma(ratio: float) -> float:
    return math.sqrt(math.log(1.0 + ratio**2))


def average_shares(shares: list[PopulationShare]) -> PopulationShare:
    """Mean of the shares: all groups have the same size."""
    return PopulationShare(
        *(sum(parts) / len(shares) for parts in zip(*((s.value, s.low, s.high) for s in shares), strict=True))
    )
