"""Spring and damper between two points."""

import math

from gaitwright.physics.attachments import Place
from gaitwright.physics.declarations import Effect, Force, Number
from gaitwright.physics.parameters import DRAWN
from gaitwright.physics.symbolic import distance, rate


class SpringDamper(Force):
    """F = -(k (l - l0) + c l') along the line from a to b, on b.

    V = k (l - l0)^2 / 2, R = c l'^2 / 2. The points may coincide if l0 = 0, and the force then vanishes; otherwise its
    direction is undefined there."""

    name = "spring-damper"
    dimensions = (2, 3)
    drawn_as = "spring"
    attachments = {"a": Place("one end"), "b": Place("other end")}
    parameters = {
        "stiffness": Number("N/m", "k", minimum=0.0),
        "damping": Number("N s/m", "c", 0.0, minimum=0.0),
        "rest_length": Number("m", "l0; the drawn length unless given", DRAWN, minimum=0.0),
    }

    observed = {
        "length": ("m", "distance of the ends"),
        "rate": ("m/s", "rate of the length"),
        "force": ("N", "force on b along the line from a to b, positive when it pushes"),
    }

    directed = ("length", "force")

    @staticmethod
    def effect(a, b, stiffness, damping, rest_length):
        length = distance(a, b)
        return Effect(
            potential=stiffness * (length - rest_length) ** 2 / 2, dissipation=damping * rate(length) ** 2 / 2
        )

    @staticmethod
    def observe(a, b, stiffness, damping, rest_length):
        length = distance(a, b)
        force = -(stiffness * (length - rest_length) + damping * rate(length))
        return {"length": length, "rate": rate(length), "force": force}

    @staticmethod
    def drawn(a, b):
        return {"rest_length": math.dist(a.position, b.position)}
