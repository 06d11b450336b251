"""Robots in URDF at random states: our results by names of joints and links, for comparison with other programs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gaitwright as gw
from gaitwright.geometry.rotation import matrix_of

AXES = "xyz"
Parents = dict[str, tuple[str, str]]
Values = dict[str, float]


class State(NamedTuple):
    """Positions, speeds and accelerations of joints by name, rad or m."""

    positions: Values
    speeds: Values
    accelerations: Values


def random_state(parents: Parents, seed: int) -> State:
    random = np.random.default_rng(seed)
    moving = [f"to_{name}" for name, (_, kind) in parents.items() if kind not in ("fixed", "frame", "floating")]
    return State(*({name: float(random.uniform(-most, most)) for name in moving} for most in (2.0, 3.0, 10.0)))


def load(text: str, folder: Path, **options: Any) -> gw.Model:
    """Our model of a robot. It omits limits, which have no effect here."""
    path = folder / "robot.urdf"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gw.import_model(path, **options)


def driven(text: str, folder: Path, state: State) -> gw.Model:
    """With drives `joint-motor` that pass through the state at t = 0."""
    model = load(text, folder, positions=state.positions)
    drives = {"revolute": model.drive.rotation, "prismatic": model.drive.translation}
    for joint in model.document.joints:
        if joint["type"] in drives:
            q, v, a = (given[joint["name"]] for given in state)
            drives[joint["type"]](joint["name"], f"{q!r} + {v!r}*t + {a / 2!r}*t^2", name=f"{joint['name']}-motor")
    return model


def inverse(model: gw.Model) -> Any:
    """Only its first time, t = 0, counts."""
    return model.inverse(times=[0.0, 1e-3])


def begin(model: gw.Model) -> Any:
    """A run so short that only its first state counts."""
    return model.simulate(1e-6, tolerance=1e-9, output_step=1e-6)


def efforts(model: gw.Model, run: Any) -> Values:
    """Torques and forces of the motors at t = 0, by joint."""
    units = {"revolute": "torque", "prismatic": "force"}
    moving = {joint["name"]: units[joint["type"]] for joint in model.document.joints if joint["type"] in units}
    return {name: float(run.array(f"{name}-motor.{what}")[0]) for name, what in moving.items()}


def vector(run: Any, name: str, at: int = 0) -> np.ndarray:
    """Three outputs at a stored time; `name` has a * where the axis stands."""
    return np.array([run.array(name.replace("*", axis))[at] for axis in AXES])


def bodies(parents: Parents) -> list[str]:
    """Links that have a mass."""
    return [name for name, (_, kind) in parents.items() if kind != "frame"]


def rotation(run: Any, body: str, at: int = 0) -> np.ndarray:
    return np.array([[run.array(f"{body}.r{i}{j}")[at] for j in (1, 2, 3)] for i in (1, 2, 3)])


def give_twist(model: gw.Model, about: str, velocity: np.ndarray, spin: np.ndarray) -> None:
    """Move the whole robot, with constant joint values, with the frame of the body `about`, ground frame."""
    start, names = model.assemble(), model.mechanism().body_names
    origin = start.q[names[about].index][:3]
    for body in model.document.bodies:
        pose = start.q[names[body.name].index]
        arm = pose[:3] + matrix_of(pose) @ np.array(names[body.name].centre) - origin
        own, turning = np.array(body.velocity or [0.0] * 3, dtype=float), np.array(body.spin or [0.0] * 3, dtype=float)
        body.velocity, body.spin = (own + velocity + np.cross(spin, arm)).tolist(), (turning + spin).tolist()
