"""Warnings for scuffing feet, which move forward while they are on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright._core.errors import GaitwrightError
from gaitwright.legs.foot import FootCurve

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MAX_SILENT_SCUFFING = 0.02
"""Fraction of the stance in which a foot may move forward without a warning."""


def foot_scuff_warnings(foot: FootCurve) -> list[str]:
    """Warning about scuffing in a list; empty if the foot does not scuff."""
    if not foot.scuffing > MAX_SILENT_SCUFFING:
        return []
    return [
        f"the foot '{foot.name}' moves forward in {100 * foot.scuffing:.0f} % of its stance: it scuffs the ground, and "
        "the body speed, the mean over the stance, means little; a smaller penetration may end the stance before"
    ]


def run_scuff_warnings(run: Result) -> list[str]:
    """The same for a run of one turn of a leg; empty for any other run."""
    from gaitwright.legs.leg import find_main_foot, measure_feet
    from gaitwright.legs.settings import settings_of_run

    if not ((run.document or {}).get("gait") or {}).get("feet") or run.mechanism.dimension != 2:
        return []
    try:
        settings = settings_of_run(run)
        if abs(run.time[-1] - run.time[0] - settings.period) > 1e-6 * settings.period:
            return []
        return foot_scuff_warnings(find_main_foot(measure_feet(run, settings)))
    except GaitwrightError:  # not a valid leg; measuring it reports the reason
        return []
