"""Feet that scuff: they move forward while they are on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.errors import GaitwrightError
from gaitwright.legs.foot import FootCurve

if TYPE_CHECKING:
    from gaitwright.result.result import Result

SCUFFS = 0.02
"""Part of the stance in which a foot may move forward without a word."""


def scuff_warning(foot: FootCurve) -> list[str]:
    """A sentence, or nothing."""
    if not foot.scuffing > SCUFFS:
        return []
    return [
        f"the foot '{foot.name}' moves forward in {100 * foot.scuffing:.0f} % of its stance: it scuffs the ground, and "
        "the body speed, the mean over the stance, means little; a smaller penetration may end the stance before"
    ]


def scuffs_of(run: Result) -> list[str]:
    """The same for a run that is one turn of a leg; nothing for any other."""
    from gaitwright.legs.leg import main_foot, measure_feet
    from gaitwright.legs.settings import settings_of

    if not ((run.document or {}).get("gait") or {}).get("feet") or run.mechanism.dimension != 2:
        return []
    try:
        settings = settings_of(run)
        if abs(run.time[-1] - run.time[0] - settings.period) > 1e-6 * settings.period:
            return []
        return scuff_warning(main_foot(measure_feet(run, settings)))
    except GaitwrightError:  # no leg as it stands: whoever measures it says why
        return []
