"""What a walking leg's foot does over one turn of the crank: stance, step, speeds, torque and energy of the swing.

Definitions of paper 003, section 4.1.3: the ground is `depth` above the lowest point of the foot curve, stance is the
part of the turn with the foot below it, swing is the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.errors import ModelError

if TYPE_CHECKING:
    from gaitwright.analyse.result import Result


@dataclass(frozen=True)
class FootMeasures:
    """Numbers of one turn. Lengths in m, accelerations in m/s^2, torques in N m, energies (integral of |P|, Eq 2.20) in J;
    `stance` and `swing` are masks over the times of the result."""

    ground: float
    touchdown: float
    liftoff: float
    stance: np.ndarray
    step_height: float
    total_length: float
    step_length: float
    leg_length: float
    duty: float
    mean_acceleration: float
    swing_acceleration: tuple[float, float]
    stance_acceleration: tuple[float, float]
    swing_torque: tuple[float, float]
    swing_energy: float
    turn_energy: float

    @property
    def swing(self) -> np.ndarray:
        return ~self.stance


def measure_foot(turn: Result, foot: str, drive: str, hip: float, depth: float) -> FootMeasures:
    """Measure one turn that starts and ends in stance.

    foot: point, such as F. drive: name of the rotational drive. hip: height of the hip, m. depth: m."""
    from scipy.interpolate import CubicSpline

    from gaitwright.analyse.energy import signed_work

    t, x, y = turn.time, turn.values(f"{foot}.x"), turn.values(f"{foot}.y")
    ground = float(y.min()) + depth
    leaves, lands = turn.crossings(f"{foot}.y", ground, +1), turn.crossings(f"{foot}.y", ground, -1)
    if leaves.size != 1 or lands.size != 1 or leaves[0] > lands[0]:
        raise ModelError(
            f"the foot '{foot}' passes the ground {leaves.size + lands.size} times in the turn", field="depth", value=depth,
            expected="a turn that starts in stance, with one lift-off and one touchdown",
        )  # fmt: skip
    off, down = float(leaves[0]), float(lands[0])
    stance = (t <= off) | (t >= down)
    ends = CubicSpline(t, x)([off, down])
    acceleration, torque = turn.values(f"{foot}.acceleration"), turn.values(f"{drive}.torque")
    power = CubicSpline(t, turn.values(f"{drive}.power"))
    swing_times = np.linspace(off, down, t.size)

    def range_of(values: np.ndarray) -> tuple[float, float]:
        return float(values.min()), float(values.max())

    return FootMeasures(
        ground=ground,
        touchdown=down,
        liftoff=off,
        stance=stance,
        step_height=float(np.ptp(y)),
        total_length=float(np.ptp(x)),
        step_length=float(np.ptp(np.r_[x[stance], ends])),
        leg_length=hip - float(y.min()),
        duty=1.0 - (down - off) / float(t[-1] - t[0]),
        mean_acceleration=float(CubicSpline(t, acceleration).integrate(t[0], t[-1]) / (t[-1] - t[0])),
        swing_acceleration=range_of(acceleration[~stance]),
        stance_acceleration=range_of(acceleration[stance]),
        swing_torque=range_of(torque[~stance]),
        swing_energy=signed_work(swing_times, power(swing_times))[2],
        turn_energy=turn.drive_work(drive)["absolute"],
    )
