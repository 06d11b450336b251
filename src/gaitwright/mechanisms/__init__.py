"""Ready models: each is a short function with parameters that returns a Model."""

from __future__ import annotations

from gaitwright.mechanisms.ankle_foot_orthosis import ankle_foot_orthosis
from gaitwright.mechanisms.back_support import back_support
from gaitwright.mechanisms.bricard import bricard
from gaitwright.mechanisms.cantilever import cantilever, cfrp_beam
from gaitwright.mechanisms.chebyshev import chebyshev_leg
from gaitwright.mechanisms.falling_ball import falling_ball
from gaitwright.mechanisms.four_bar import four_bar, four_bar_chain
from gaitwright.mechanisms.gyroscope import gimbal_gyroscope, gyroscope
from gaitwright.mechanisms.horse_leg import horse_leg
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.mechanisms.klann import klann_leg
from gaitwright.mechanisms.knee_brace import knee_brace
from gaitwright.mechanisms.knee_exoskeleton import instant_centre, knee_exoskeleton
from gaitwright.mechanisms.lower_body import lower_body
from gaitwright.mechanisms.pendulum import pendulum
from gaitwright.mechanisms.slider_crank import slider_crank
from gaitwright.mechanisms.slider_crank_wall import (
    flexible_slider_crank,
    integrated_slider_crank,
    rigid_slider_crank,
    sprung_slider_crank,
)
from gaitwright.mechanisms.spatial_linkages import spatial_four_bar, spatial_slider_crank
from gaitwright.mechanisms.strider import strider_legs
from gaitwright.mechanisms.walking_machine import walking_machine

__all__ = [
    "ankle_foot_orthosis",
    "back_support",
    "bricard",
    "cantilever",
    "cfrp_beam",
    "chebyshev_leg",
    "falling_ball",
    "flexible_slider_crank",
    "four_bar",
    "four_bar_chain",
    "gimbal_gyroscope",
    "gyroscope",
    "horse_leg",
    "instant_centre",
    "integrated_slider_crank",
    "jansen_leg",
    "klann_leg",
    "knee_brace",
    "knee_exoskeleton",
    "lower_body",
    "pendulum",
    "rigid_slider_crank",
    "slider_crank",
    "spatial_four_bar",
    "spatial_slider_crank",
    "sprung_slider_crank",
    "strider_legs",
    "walking_machine",
]
