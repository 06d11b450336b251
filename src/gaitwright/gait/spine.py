"""Load on the lowest disc of the spine, L5/S1, of a trunk that is held by one muscle: a model of one line, which says so.

All above L5/S1 needs a force F and a moment M about it, of `Moving.needed` less loads on the trunk (a box, a device). One
muscle gives the moment, behind the disc and along the spine:

    T = (M - p A d) / l      compression = T + F.y - p A      shear = -F.x        M > 0: extensors

l: lever of the extensors. p A d: of the pressure in the belly, if one is told, on the area A of the diaphragm, with lever d.
x, y: forward and up along the trunk. Where M < 0 flexors in front give it, with a lever of their own, and press the disc, too.
Compression is plus; shear is plus where the trunk would slide forward on the sacrum.

L5/S1 lies SHARE of the way from hips to shoulders, upright on the pelvis (de Looze et al., J. Biomech. 25 (1992) 1183: from
memory); what of the pelvis lies above it is left out, and so is every second muscle that works against the first: people have
more compression than this, not less. The lever of 5 cm is that of D. B. Chaffin's model, with which NIOSH's limit of 3.4 kN
was set (T. R. Waters et al., Ergonomics 36 (1993) 749-776: from memory); others take 6 to 7 cm. Of what a disc can bear it says
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from gaitwright.checks import At
from gaitwright.gait.loads import Wrench, checked
from gaitwright.gait.moments import GRAVITY, moving
from gaitwright.gait.motion import Motion

Array = np.ndarray
LEVER, FLEXORS = 0.05, 0.10
"""m, of the equivalent extensor behind L5/S1 and of the flexors before it (the latter OUR choice)."""
AREA, BELLY = 0.0465, 0.11
"""m^2 of the diaphragm and m before L5/S1: where the pressure of the belly pushes (Chaffin's model: from memory)."""
SHARE = 0.195
LIMIT, SHEAR_LIMIT = 3400.0, 1000.0
"""N: NIOSH's limit of compression, and one of shear that some studies recommend (both as in N. Arjmand et al., Int. J. Ind.
Ergon. 47 (2015) 1-8)."""


@dataclass(frozen=True)
class SpineLoad:
    """At L5/S1 over time, (time,): moment, N m, plus is of extensors; muscle, N; compression, N; shear, N, plus where the trunk
    would slide forward. place: (time, 3), m."""

    time: Array
    moment: Array
    muscle: Array
    compression: Array
    shear: Array
    place: Array
    notes: list[str]

    def at(self, frames: Array) -> SpineLoad:
        """At some of the instants: (time,), whether."""
        names = ("time", "moment", "muscle", "compression", "shear", "place")
        return replace(self, **{name: getattr(self, name)[frames] for name in names})

    @property
    def peak(self) -> dict[str, float]:
        """Of moment, compression and shear, the largest of either sign; and compression in parts of NIOSH's limit."""
        sizes = {name: getattr(self, name) for name in ("moment", "compression", "shear")}
        found = {name: float(one[np.argmax(np.abs(one))]) for name, one in sizes.items()}
        return found | {"of_limit": found["compression"] / LIMIT}

    def dataset(self) -> xr.Dataset:
        units = {"moment": "N m", "muscle": "N", "compression": "N", "shear": "N"}
        found = {name: (("time",), getattr(self, name), {"units": unit}) for name, unit in units.items()}
        return xr.Dataset(found, {"time": self.time}, {"notes": "\n".join(self.notes)})


def spine_load(
    motion: Motion,
    loads: Mapping[str, Wrench] | None = None,
    *,
    lever: float = LEVER,
    belly_pressure: float | Array = 0.0,
    gravity: float = GRAVITY,
) -> SpineLoad:
    """Moment, compression and shear at L5/S1. loads: by segment, of `gw.gait.lift(...).loads` or of a device; those on the
    trunk count. lever: m, of the extensors. belly_pressure: Pa, or (time,); some kPa in heavy lifts. No forces of the ground
    are needed: the trunk is the free end."""
    at = At("spine_load")
    at["lever"].positive(lever, "m")
    if not 0.02 <= lever <= 0.12:
        at["lever"].fail("is no lever of muscles of the back", lever, "m: 0.05 to 0.07")
    if motion.skeleton.carried:
        at["motion"].fail("has a trunk that nobody saw", expected="markers of the trunk")
    pressure = np.broadcast_to(at["belly_pressure"].numbers(belly_pressure, "Pa"), motion.times.shape)
    if not (np.isfinite(pressure).all() and (pressure >= 0).all()):
        at["belly_pressure"].fail("is negative or not a number", expected="Pa, 0 or more")
    load = checked(loads, motion.segments, len(motion.times)).get("trunk")
    trunk = moving(motion)["trunk"]
    needed = Wrench(*trunk.needed(gravity))
    needed = needed if load is None else needed + (-load)
    pelvis = motion.skeleton.segments["pelvis"]
    up = pelvis.joints["lumbar"] / np.linalg.norm(pelvis.joints["lumbar"])
    place = motion.place("pelvis", SHARE * motion.skeleton.subject.above_hips("shoulders") * up)
    right = motion.turned("pelvis")[:, :, 2]
    moment = np.einsum(
        "ti,ti->t", needed.about(place), right
    )  # bending forward is about minus z: extensors turn about plus
    forward, along = trunk.rotation[:, :, 0], trunk.rotation[:, :, 1]
    belly = pressure * AREA
    left = moment - belly * BELLY
    muscle = np.where(left > 0, left / lever, -left / FLEXORS)
    compression = muscle + np.einsum("ti,ti->t", needed.force, along) - belly
    shear = -np.einsum("ti,ti->t", needed.force, forward)
    notes = [
        f"one equivalent muscle, {100 * lever:g} cm behind L5/S1; no muscle works against it: people have more, not less",
        f"NIOSH's limit of compression is {LIMIT:g} N",
    ]
    return SpineLoad(motion.times, moment, muscle, compression, shear, place, notes)
