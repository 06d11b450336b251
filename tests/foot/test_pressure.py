"""Pressure under a foot in its own frame: uniform, rotated and shifted, in pieces, mirrored, along a roll."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.areas import AREAS
from gaitwright.foot.placement import FootPlacement
from gaitwright.foot.pressure import FootPressure, pressure_of

LENGTH, WIDTH, THICK, E = 0.26, 0.08, 0.01, 1e5
SOFT: dict[str, Any] = {"thickness": THICK, "modulus": E}
HEEL_RISES = ("0.04*t", "-1e-3 + 8e-3*t")
ROLLS = ("0.24*(t - 0.5)", "-2e-3 + 0.0624*max(t - 0.5, 0) + 0.05*max(t - 0.85, 0)")
"""Rotation about the heel, and its height."""


@cache
def shape(side: str = "right") -> Any:
    return gw.foot.from_measures(length=LENGTH, ball_width=0.1, side=side)


def plate() -> dict[str, Any]:
    """Flat sole."""
    return {"mesh": gw.mesh.box((LENGTH, WIDTH, 0.02), (26, 8, 1)).moved((LENGTH / 2, 0.0, 0.01)), "region": "bottom"}


def facets(begin: float, end: float) -> dict[str, Any]:
    """The same sole from x = begin to end, as centres of squares."""
    x, y = np.arange(0.005, LENGTH, 0.01), np.arange(-0.035, WIDTH / 2, 0.01)
    points = [(u, v, 0.0) for u in x if begin < u < end for v in y]
    return {"points": points, "areas": 1e-4}


def found_along(**options: Any) -> FootPressure:
    run, names = pressed(**options)
    return pressure_of(run, names, shape())


def pressed(placing: FootPlacement | None = None, pieces: Any = None, motion: Any = ("0", "-1e-3")) -> Any:
    """Flat foot, rotated about y by an angle and moved up, relative to its own drawn frame."""
    turn, at = (placing.rotation, np.array(placing.at)) if placing else (np.eye(3), np.zeros(3))
    model = gw.Model("foot", dimension=3, gravity=(0, 0, 0))
    model.body("foot", mass=1.0, inertia=(1e-3,) * 3, at=at.tolist(), orientation={"axes": turn.T.tolist()})
    pieces = pieces or [plate()]
    names = [f"sole{k}" for k in range(len(pieces))]
    ground = {"plane": {"point": "ground.O", "normal": (turn @ (0, 0, 1)).tolist()}}
    model.ground_point("O", *at.tolist())
    for name, piece in zip(names, pieces, strict=True):
        model.contact(gw.surfaces.Foundation("foot", **piece, **SOFT), ground, name=name)
    up = turn @ (0, 0, 1)
    place = {x: f"{float(at[k])!r} + {float(up[k])!r}*({motion[1]})" for k, x in enumerate("xyz")}
    model.drive("position", point="foot", **place)
    if placing is None:
        model.drive("orientation", body="foot", angles=[0, motion[0], 0], sequence="xyz")
    else:
        from gaitwright.geometry.rotation import quaternion_of

        model.drive("orientation", body="foot", quaternion=quaternion_of(turn).tolist())
    return model.kinematics(times=np.linspace(0.0, 1.0, 41)), names


def test_a_uniform_pressure_has_the_shares_of_the_areas():
    run, names = pressed()
    plate_pressure = pressure_of(run, names, shape(), cell=0.01)
    pressure = E * 1e-3 / THICK
    assert plate_pressure.maps.values == pytest.approx(pressure, rel=1e-9)
    assert plate_pressure.peak.values == pytest.approx(pressure) and plate_pressure.mean.values == pytest.approx(
        pressure
    )
    assert plate_pressure.integral.values == pytest.approx(pressure * 1.0)
    assert plate_pressure.force.values == pytest.approx(pressure * LENGTH * WIDTH)
    assert plate_pressure.centre.values[-1] == pytest.approx([LENGTH / 2, 0.0], abs=1e-9)
    assert plate_pressure.contact_area.values == pytest.approx(LENGTH * WIDTH)
    regions = plate_pressure.regions
    assert list(regions.index) == [*AREAS, "total"] and regions.share[:-1].sum() == pytest.approx(1.0)
    assert regions.share["heel"] == pytest.approx(0.31, abs=0.02)  # cells of 1 cm
    assert regions.contact_time.to_numpy() == pytest.approx(1.0)
    assert regions.impulse["total"] == pytest.approx(pressure * LENGTH * WIDTH)
    data = plate_pressure.dataset()
    assert data.pressure.attrs["units"] == "Pa" and data.free_moment.attrs["units"] == "N m"
    assert np.isnan(list(plate_pressure.instants.values())[2:]).all()  # it never lifts


def test_pressure_does_not_depend_on_the_drawn_pose():
    placing = FootPlacement("foot", {}, (), (0.3, -0.2, 0.1), 0.7, (0.0, 0.6, 0.8), ("sole0",))
    run, _ = pressed(placing)
    found, plain = pressure_of(run, placing, shape()), found_along()
    assert found.maps.values == pytest.approx(plain.maps.values, rel=1e-6, abs=1e-3)
    assert found.maps.x.values == pytest.approx(plain.maps.x.values)


def test_contacts_are_summed():
    """The free moment is summed about the common centre."""
    whole, (name,) = pressed(pieces=[facets(0.0, LENGTH)], motion=HEEL_RISES)
    parts, names = pressed(pieces=[facets(0.0, 0.13), facets(0.13, LENGTH)], motion=HEEL_RISES)
    one, two = pressure_of(whole, name, shape()), pressure_of(parts, names, shape())
    assert two.maps.values == pytest.approx(one.maps.values, abs=1e-6)
    assert two.ground_force == pytest.approx(one.ground_force, abs=1e-9)
    assert two.free_moment == pytest.approx(one.free_moment, abs=1e-9)


@cache
def rolled() -> FootPressure:
    """Roll: heel first, then flat, then over the toes."""
    return found_along(motion=ROLLS)


def test_a_roll_goes_from_heel_to_toe():
    """The sole rotates about its heel: points stay in their cells in any pose."""
    roll = rolled()
    when = roll.instants
    first, last = (roll.forces.sel(area=name).values for name in ("heel", "toes"))
    assert list(when.values()) == sorted(when.values()) and when["toe-off"] == pytest.approx(0.89, abs=0.03)
    assert first[0] > 0.0 == last[0] and first[-1] == last[-1] == 0.0
    along = roll.centre.values[:, 0]
    along = along[~np.isnan(along)]
    assert along[0] < 0.1 and along[-1] > 0.2 and roll.maps.x.values.max() < LENGTH
    assert (np.diff(roll.progression.stance.values) > 0.0).all() and float(roll.progression.min()) >= 0.0


def test_opposite_foot_has_mirrored_areas():
    run, names = pressed(motion=HEEL_RISES)
    left, right = (pressure_of(run, names, shape(side)).regions for side in ("left", "right"))
    for column in left.columns:
        assert left[column].to_numpy() == pytest.approx(right[column].to_numpy(), rel=1e-6)


def test_invalid_arguments_are_rejected():
    run, _ = pressed()
    for contact, said in (("sol", r"there is no contact 'sol'.*sole0"), ([], r"has no contact")):
        with pytest.raises(ModelError, match=said):
            pressure_of(run, contact, shape())
    with pytest.raises(ModelError, match="cell"):
        pressure_of(run, "sole0", shape(), cell=-1.0)
    flat = gw.Model("flat").body("foot", mass=1.0, inertia=1.0).simulate(0.01)
    with pytest.raises(ModelError, match="model in space"):
        pressure_of(flat, "sole", shape())


TIMES = np.linspace(0.0, 1.0, 11)
STIFF = gw.materials.LinearElastic(youngs_modulus=E, poissons_ratio=0.0, density=1000.0)


def flat_sole(speed: str) -> Any:
    """Flat sole without lateral expansion, on a body with prescribed motion: a foundation, a condensed solid, or
    finite elements."""
    model = gw.Model("foot", dimension=3, gravity=(0, 0, 0))
    model.body("foot", mass=1.0, inertia=(1e-3,) * 3, at=(0.0, 0.0, 0.0))
    model.drive("position", point="foot", x=0.0, y=0.0, z="-5e-4 + 8e-4*t")
    model.drive("orientation", body="foot", angles=[0, "4e-3*t", 0], sequence="xyz")
    box, ground = gw.mesh.box((LENGTH, WIDTH, THICK), (26, 4, 1)), {"plane": [0, 0, 1, 0]}
    place, held = [LENGTH / 2, 0.0, THICK / 2], {"region": "top", "to": "foot"}
    if speed == "foundation":
        moved = box.moved(place)
        model.contact(gw.surfaces.Foundation("foot", mesh=moved, region="bottom", **SOFT), ground, name="sole")
        return model.kinematics(times=TIMES)
    if speed == "condensed":
        rests = {"region": "bottom", "condensed": True, "friction": None, "surface": ground}
        model.solid("sole", box, at=place, fixed=held, material=STIFF, quasi_static=rests)
        return model.kinematics(times=TIMES)
    model.solid("tissue", box, at=place, fixed=held, material=STIFF)
    model.contact(gw.surfaces.Skin("tissue", "bottom"), ground, law=gw.laws.Penalty(stiffness=1e10), name="sole")
    return model.static_path(times=TIMES)


def test_three_speeds_agree_on_a_stiff_flat_sole():
    """The sole is pressed, then rotated until the heel is off. Difference between speeds: a foundation has no shear
    between columns of tissue."""
    pressures = {
        speed: pressure_of(flat_sole(speed), "sole", shape(), cell=0.02)
        for speed in ("foundation", "condensed", "full")
    }
    full = pressures["full"]
    for one in pressures.values():
        assert one.force.values == pytest.approx(one.ground_force[:, 2], rel=1e-3)
        assert one.force.values == pytest.approx(full.force.values, rel=0.02)
        assert one.centre.values == pytest.approx(full.centre.values, abs=2e-3)
        assert one.regions.share[:-1].sum() == pytest.approx(1.0)
        assert one.regions.share.to_numpy() == pytest.approx(full.regions.share.to_numpy(), abs=0.01)
        assert one.peak.max() == pytest.approx(float(full.peak.max()), rel=0.03)
        assert np.abs(one.free_moment).max() < 1e-6
