"""Displacement drive: a region of a solid is moved as a whole, along one or more axes."""

from gaitwright.physics.declare import Area, Drive, Parameter, Signal
from gaitwright.physics.drives.position import given_axes


def _parameters(axes: str) -> dict[str, Parameter]:
    return {axis: Signal("m", f"displacement along {axis} from where it is undeformed", default=()) for axis in axes}


class Displacement(Drive):
    """All nodes of a region are displaced by `x`(t) and `y`(t) from where they are undeformed; along an axis that is not given
    they stay free. Its nodes share one coordinate per driven axis, so it costs one row each, on that coordinate (position.py).
    Reaction: force on the region."""

    name = "displacement"
    stands_for_others = True
    attachments = {"of": Area("region of a solid, such as bar.right")}
    parameters = _parameters("xy")
    rows = {f"force_{axis}": ("N", "m") for axis in "xy"}

    @classmethod
    def expand(cls, fields):
        given_axes("".join(cls.parameters), fields)
        return [(cls, fields)]


class SpatialDisplacement(Displacement):
    """The same with `z`(t), in space."""

    name = "displacement"
    dimensions = (3,)
    parameters = _parameters("xyz")
    rows = {f"force_{axis}": ("N", "m") for axis in "xyz"}
