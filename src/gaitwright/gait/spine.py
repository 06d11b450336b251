"""Load on the lowest disc of the spine, L5/S1, in a model with one equivalent muscle; its notes state the simplification.

All segments above L5/S1 need a force F and a moment M about it: `SegmentMotion.needed` minus the loads on the trunk (a box, a
device). One muscle provides the moment, behind the disc and along the spine:

    T = (M - p A d) / l      compression = T + F.y - p A      shear = -F.x        M > 0: extensors

l: lever of the extensors. p A d: moment of the abdominal pressure, if given, on the area A of the diaphragm, with lever d.
x, y: forward and up along the trunk. For M < 0 flexors in front provide it, with their own lever, and also compress the disc.
Compression is positive; shear is positive if the trunk would slide forward on the sacrum.

L5/S1 lies at the fraction L5S1_HEIGHT_FRACTION of the distance from hips to shoulders, upright on the pelvis (de Looze et
al., J.
Biomech. 25 (1992) 1183: from memory). The mass of the pelvis above it is left out, and so are antagonists: real
compression is larger than this, not smaller. The lever of 5 cm is that of D. B. Chaffin's model, with which NIOSH's limit
of 3.4 kN was set (T.
R. Waters et al., Ergonomics 36 (1993) 749-776: from memory); others take 6 to 7 cm. The model does not state the strength
of a disc.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2, segment_motions
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.segment_loads import Wrench, validate_loads

Array = np.ndarray
EXTENSOR_LEVER_M, FLEXOR_LEVER_M = 0.05, 0.10
"""m: levers of the equivalent extensor behind L5/S1 and of the flexors in front of it (the latter OUR choice)."""
DIAPHRAGM_AREA_M2, BELLY_PRESSURE_LEVER_M = 0.0465, 0.11
"""Area of the diaphragm, m^2, and lever in front of L5/S1, m, of the abdominal pressure (Chaffin's model: from memory)."""
L5S1_HEIGHT_FRACTION = 0.195
COMPRESSION_LIMIT_N, SHEAR_LIMIT_N = 3400.0, 1000.0
"""N: NIOSH's limit of compression, and one of shear that some studies recommend (both as in N. Arjmand et al., Int. J. Ind.
Ergon. 47 (2015) 1-8)."""


@dataclass(frozen=True)
class SpineLoad:
    """Load at L5/S1 over time, (time,): moment, N m, positive for extensors; muscle, N; compression, N; shear, N, positive
    if the trunk would slide forward. place: (time, 3), m. notes: simplifications of the model."""

    time: Array
    moment: Array
    muscle: Array
    compression: Array
    shear: Array
    place: Array
    notes: list[str]

    def at(self, frames: Array) -> SpineLoad:
        """The load at some of the instants. frames: mask (time,)."""
        names = ("time", "moment", "muscle", "compression", "shear", "place")
        return replace(self, **{name: getattr(self, name)[frames] for name in names})

    @property
    def peak(self) -> dict[str, float]:
        """Moment, compression and shear of largest magnitude, with their sign; and the compression over NIOSH's limit."""
        sizes = {name: getattr(self, name) for name in ("moment", "compression", "shear")}
        peaks = {name: float(one[np.argmax(np.abs(one))]) for name, one in sizes.items()}
        return peaks | {"of_limit": peaks["compression"] / COMPRESSION_LIMIT_N}

    def dataset(self) -> xr.Dataset:
        units = {"moment": "N m", "muscle": "N", "compression": "N", "shear": "N"}
        variables = {name: (("time",), getattr(self, name), {"units": unit}) for name, unit in units.items()}
        return xr.Dataset(variables, {"time": self.time}, {"notes": "\n".join(self.notes)})


def spine_load(
    motion: SkeletonMotion,
    loads: Mapping[str, Wrench] | None = None,
    *,
    lever: float = EXTENSOR_LEVER_M,
    belly_pressure: float | Array = 0.0,
    gravity: float = GRAVITY_M_PER_S2,
) -> SpineLoad:
    """Moment, compression and shear at L5/S1. loads: by segment, from `gw.gait.lift(...).loads` or a device; only those on
    the trunk count. lever: m, of the extensors. belly_pressure: Pa, scalar or (time,); some kPa in heavy lifts. Ground
    forces are not needed, because the trunk is the free end of the chain. Raises ModelError for invalid arguments or a
    trunk without markers."""
    at = ErrorContext("spine_load")
    at["lever"].positive(lever, "m")
    if not 0.02 <= lever <= 0.12:
        at["lever"].fail("is no lever of muscles of the back", lever, "m: 0.05 to 0.07")
    if motion.skeleton.carried:
        at["motion"].fail("has a trunk without markers", expected="markers of the trunk")
    pressure = np.broadcast_to(at["belly_pressure"].numbers(belly_pressure, "Pa"), motion.times.shape)
    if not (np.isfinite(pressure).all() and (pressure >= 0).all()):
        at["belly_pressure"].fail("is negative or not a number", expected="Pa, 0 or more")
    load = validate_loads(loads, motion.segments, len(motion.times)).get("trunk")
    trunk = segment_motions(motion)["trunk"]
    needed = Wrench(*trunk.needed(gravity))
    needed = needed if load is None else needed + (-load)
    pelvis = motion.skeleton.segments["pelvis"]
    up = pelvis.joints["lumbar"] / np.linalg.norm(pelvis.joints["lumbar"])
    place = motion.place("pelvis", L5S1_HEIGHT_FRACTION * motion.skeleton.subject.above_hips("shoulders") * up)
    right = motion.turned("pelvis")[:, :, 2]
    moment = np.einsum(
        "ti,ti->t", needed.about(place), right
    )  # forward flexion is about minus z, so extensors act about plus z
    forward, along = trunk.rotation[:, :, 0], trunk.rotation[:, :, 1]
    belly = pressure * DIAPHRAGM_AREA_M2
    left = moment - belly * BELLY_PRESSURE_LEVER_M
    muscle = np.where(left > 0, left / lever, -left / FLEXOR_LEVER_M)
    compression = muscle + np.einsum("ti,ti->t", needed.force, along) - belly
    shear = -np.einsum("ti,ti->t", needed.force, forward)
    notes = [
        f"one equivalent muscle, {100 * lever:g} cm behind L5/S1; no muscle works against it: people have more, not less",
        f"NIOSH's limit of compression is {COMPRESSION_LIMIT_N:g} N",
    ]
    return SpineLoad(motion.times, moment, muscle, compression, shear, place, notes)
