"""Weight of a body in a uniform field. Paper 003 Eq 4.8."""

from gaitwright.physics.attachments import Centre
from gaitwright.physics.declarations import Effect, Force, Number
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import dot


class Gravity(Force):
    """V = -m g . r, so that the force is m g at the centre of mass. Zero potential at the origin.

    Added to every body by the model's `gravity`."""

    name = "gravity"
    dimensions = (2, 3)
    implied = True
    attachments = {"body": Centre("heavy body")}
    parameters = {"mass": Number("kg", "mass of the body"), "g": Components("m/s^2", "field")}

    @staticmethod
    def effect(body, mass, g):
        return Effect(potential=-mass * dot(g, body.position))
