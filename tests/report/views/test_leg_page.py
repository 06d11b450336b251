"""The page about a leg: what its tables say."""

from __future__ import annotations

import gaitwright as gw
from gaitwright.mechanisms import jansen_leg
from gaitwright.report.views.leg_page import energy_table


def test_a_mean_torque_that_is_rounding_is_nothing() -> None:
    """Over a turn in the air the drive gives back what it took: 0, not 1e-14 N m. In a part of the turn it does not."""
    leg = gw.analyse_leg(jansen_leg(), samples=200, restitutions=(), directions=("as driven",))
    means = {row[2]: row[5] for row in energy_table(leg).rows}
    assert means["turn"] == 0.0 and means["stance"] < -0.03 and means["swing"] > 0.02
