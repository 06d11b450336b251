"""Rounding bands of the numbers of paper 003 chapter 4: what legs with lengths off by up to 0.5 mm give.

Printed by `table()` from 200 drawn legs each, which takes 10 s per leg; a test recomputes a part. Low and high: nine of ten
legs lie between them; least and most: all. Units as in `walking_legs_runs.measures`."""

from __future__ import annotations

from gaitwright.papers.rounding import Band, rounding_bands
from gaitwright.papers.walking_legs_data import LEGS
from gaitwright.papers.walking_legs_runs import measures


def table() -> str:
    """BANDS as source text."""
    lines = ["BANDS = {"]
    for name, leg in LEGS.items():
        lines.append(f'    "{name}": {{')
        for number, band in rounding_bands(leg.make(), leg.lengths, measures).items():
            lines.append(f'        "{number}": Band({", ".join(f"{value:.5g}" for value in band)}),')
        lines.append("    },")
    return "\n".join([*lines, "}"])


BANDS = {
    "chebyshev": {
        "step_length": Band(0.43522, 0.45145, 0.43209, 0.45549),
        "step_height": Band(0.087174, 0.088213, 0.0869, 0.088441),
        "curve_length": Band(0.47381, 0.47946, 0.47303, 0.48082),
        "leg_length": Band(0.32895, 0.331, 0.32854, 0.33159),
        "penetration": Band(-0.002, -0.002, -0.002, -0.002),
        "lifting": Band(26.439, 26.698, 26.357, 26.765),
        "straightness": Band(91.882, 94.285, 91.06, 94.864),
        "body_speed": Band(-0.8142, -0.80533, -0.81592, -0.8028),
        "relative_turn_mean": Band(-0.8142, -0.80533, -0.81592, -0.8028),
        "relative_swing_largest": Band(3.618, 3.6731, 3.6104, 3.6806),
        "relative_swing_range": Band(3.304, 3.4002, 3.2857, 3.4206),
        "relative_stance_max": Band(0.086787, 0.10027, 0.083418, 0.10426),
        "relative_stance_min": Band(-0.38039, -0.32199, -0.38603, -0.3068),
        "relative_stance_range": Band(0.41238, 0.47679, 0.39507, 0.48044),
        "relative_lowest": Band(0.076997, 0.099361, 0.072443, 0.10116),
        "vx_largest": Band(2.8059, 2.8629, 2.7997, 2.8739),
        "vy_least": Band(-0.67069, -0.65134, -0.675, -0.64768),
        "speed_mean": Band(0.99466, 1.0063, 0.99291, 1.0091),
        "acceleration_mean": Band(8.2283, 8.3805, 8.2119, 8.4115),
        "acceleration_swing_max": Band(23.614, 24.296, 23.543, 24.41),
        "acceleration_swing_min": Band(4.9218, 6.294, 4.435, 6.6026),
        "acceleration_stance_max": Band(5.8724, 6.6997, 5.6502, 6.7564),
        "acceleration_stance_min": Band(0.10323, 0.12397, 0.09872, 0.13048),
        "torque_swing_mean": Band(0.069637, 0.079752, 0.065791, 0.080601),
        "torque_swing_max": Band(2.088, 2.1896, 2.0775, 2.2061),
        "torque_swing_min": Band(-2.3266, -2.2236, -2.3449, -2.2065),
        "energy_swing": Band(2.5744, 2.6618, 2.5597, 2.6755),
        "normal_mean": Band(0.56443, 0.76031, 0.51731, 0.793),
    },
    "jansen": {
        "step_length": Band(0.37905, 0.39311, 0.37023, 0.39605),
        "step_height": Band(0.15885, 0.1857, 0.15177, 0.19421),
        "curve_length": Band(0.45321, 0.45803, 0.45248, 0.4587),
        "leg_length": Band(0.56087, 0.56243, 0.56048, 0.56318),
        "penetration": Band(-0.008, -0.008, -0.008, -0.008),
        "lifting": Band(28.289, 33.03, 27.041, 34.541),
        "straightness": Band(83.4, 86.286, 81.547, 86.858),
        "body_speed": Band(0.88916, 0.90233, 0.88584, 0.90729),
        "relative_turn_mean": Band(0.88916, 0.90233, 0.88584, 0.90729),
        "relative_swing_largest": Band(2.935, 3.2143, 2.8775, 3.3147),
        "relative_swing_range": Band(2.7812, 3.0834, 2.7144, 3.202),
        "relative_stance_max": Band(0.30779, 0.34235, 0.29638, 0.35123),
        "relative_stance_min": Band(-0.13799, -0.12383, -0.14086, -0.11588),
        "relative_stance_range": Band(0.43321, 0.47974, 0.4227, 0.49046),
        "relative_lowest": Band(0.003696, 0.13573, 9.5336e-05, 0.13964),
        "vx_largest": Band(2.0437, 2.3106, 1.9894, 2.4108),
        "vy_least": Band(-1.8469, -1.4725, -1.9831, -1.3886),
        "speed_mean": Band(1.0047, 1.0423, 0.99773, 1.0541),
        "acceleration_mean": Band(10.045, 11.835, 9.6507, 12.512),
        "acceleration_swing_max": Band(73.775, 118.18, 65.556, 136.97),
        "acceleration_swing_min": Band(4.394, 4.8837, 4.0543, 5.0109),
        "acceleration_stance_max": Band(4.6799, 5.3156, 4.5354, 5.604),
        "acceleration_stance_min": Band(0.44058, 0.48109, 0.42154, 0.49726),
        "torque_swing_mean": Band(0.023036, 0.032616, 0.019761, 0.035112),
        "torque_swing_max": Band(1.6736, 1.8448, 1.6366, 2.0653),
        "torque_swing_min": Band(-1.4625, -0.98456, -1.6973, -0.89842),
        "energy_swing": Band(1.6054, 1.9786, 1.5524, 2.1353),
        "normal_mean": Band(4.3756, 4.7085, 4.151, 4.759),
    },
}
