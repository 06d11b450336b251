"""Ball falling on a level ground. Paper 003 section 5.1; values recomputed for its tests."""

from __future__ import annotations

from gaitwright.model.model import Model
from gaitwright.model.surfaces import Circle, LineGround
from gaitwright.physics.declarations import ContactLaw, Friction


def falling_ball(
    law: ContactLaw | None = None,
    *,
    height: float = 1.0,
    mass: float = 1.0,
    radius: float = 0.1,
    inertia: float | None = None,
    restitution: float | None = None,
    friction: Friction | None = None,
    velocity: tuple[float, float] = (0.0, 0.0),
    spin: float = 0.0,
    gravity: float = 9.81,
) -> Model:
    """The ball `ball` and its contact `floor` with the ground y = 0.

    height: gap between ball and ground at the start, m, so that the centre starts at height + radius. inertia: kg m^2;
    default: 2/5 mass radius^2 (a solid ball). law: normal force, for all methods except moreau; restitution: for moreau;
    default: that of the law. velocity: m/s. spin: rad/s."""
    model = Model("falling ball", gravity=(0.0, -gravity))
    inertia = 0.4 * mass * radius**2 if inertia is None else inertia
    model.body("ball", mass=mass, inertia=inertia, at=(0.0, height + radius), velocity=velocity, spin=spin)
    ball, floor = Circle("ball", radius), LineGround(level=0.0)
    return model.contact(ball, floor, law=law, restitution=restitution, friction=friction, name="floor")
