"""Displacement drive: moves a region of a solid as a whole, along one or more axes."""

from gaitwright.physics.attachments import SolidRegion
from gaitwright.physics.declarations import Drive, Parameter
from gaitwright.physics.drives.position import find_given_axes
from gaitwright.physics.parameters import Signal


def _axis_parameters(axes: str) -> dict[str, Parameter]:
    return {axis: Signal("m", f"displacement along {axis} from where it is undeformed", default=()) for axis in axes}


class Displacement(Drive):
    """All nodes of a region are displaced by `x`(t) and `y`(t) from their undeformed positions; along an axis that is not given
    they stay free. Its nodes share one coordinate per driven axis, so it needs one row each, on that coordinate (position.py).
    Reaction: force on the region."""

    name = "displacement"
    stands_for_others = True
    attachments = {"of": SolidRegion("region of a solid, such as bar.right")}
    parameters = _axis_parameters("xy")
    rows = {f"force_{axis}": ("N", "m") for axis in "xy"}

    @classmethod
    def expand(cls, fields):
        find_given_axes("".join(cls.parameters), fields)
        return [(cls, fields)]


class SpatialDisplacement(Displacement):
    """The same with `z`(t), in space."""

    name = "displacement"
    dimensions = (3,)
    parameters = _axis_parameters("xyz")
    rows = {f"force_{axis}": ("N", "m") for axis in "xyz"}
