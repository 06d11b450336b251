"""Model documents for tests: a small one that runs, and one with every section, element type and field."""

from __future__ import annotations

import copy
import functools
import pickle
from pathlib import Path
from typing import Any

import yaml

EXAMPLES = Path(__file__).parents[1] / "examples"

_SMALL = """
gaitwright: 1
name: crank-rocker
parameters: {L: 0.1, omega: 6.28}
ground: {points: {O: [0, 0], C: [0.3, 0]}}
points: {A: [L, 0], B: [0.25, 0.25]}
links:
  - {name: crank, from: O, to: A, length: L, mass: 0.025}
  - {name: coupler, from: A, to: B, length: 0.3, mass: 0.1}
  - {name: rocker, from: C, to: B, length: 0.25, mass: 0.1}
bodies:
  - {name: slider, mass: 0.5, inertia: 0.001, at: [0.5, 0]}
joints:
  - {type: slot, name: rail, a: ground.O, b: slider, axis: [1, 0]}
drives:
  - {type: rotation, name: motor, body: crank, angle: omega*t}
forces:
  - {type: spring-damper, name: spring, a: ground.C, b: slider, stiffness: 100, damping: 1, rest_length: 0.1}
  - {type: torque, name: load, body: rocker, value: 0.03*t}
  - {type: force, name: push, at: B, value: [0, -5*t], frame: ground}
analysis: {type: forward, until: 0.05, step: 1e-3, method: rk4}
outputs: [crank.angle, spring.force]
"""

_FULL = """
gaitwright: 1
name: everything
dimension: 2
gravity: [0, -9.81]
parameters: {L: 0.1, omega: 6.28, twice: 2*L}
series: {gait: {times: [0, 0.5, 1, 1.5, 2], values: [0, 1, 0.5, -1, 0], periodic: true, cutoff: 0.9}}
ground: {points: {O: [0, 0], C: [0.3, 0]}}
points: {A: [L, 0], B: [0.25, 0.25]}
velocities: {B: [0, 0.1]}
bodies:
  - {name: K1, mass: 0.04, inertia: 0.002, at: [1, 0], angle: 0.1, velocity: [0, 0], spin: 0, points: {P: [-0.1, 0]}}
  - {name: K2, mass: 0.5, inertia: 0.001, at: [2, 0], points: {P: [0, 0], Q: [0, 0.1]}}
  - {name: K3, mass: 0.5, inertia: 0.001, at: [3, 0]}
  - {name: K4, mass: 0.5, inertia: 0.001, at: [4, 0]}
links:
  - {name: crank, from: O, to: A, length: L, mass: 0.025, inertia: 0.0001, points: {E: [0, 0.01]}}
  - {name: coupler, from: A, to: B, length: 0.3, mass: 0.1}
  - {name: rocker, from: C, to: B, length: 0.25, mass: 0.1}
joints:
  - {type: revolute, name: pin, a: ground.C, b: K1.P}
  - {type: fixed, name: weld, a: K1, b: K2.P, angle: 0}
  - {type: prismatic, name: guide, a: ground.O, b: K3, axis: [1, 0], angle: 0}
  - {type: slot, name: rail, a: ground.O, b: K4, axis: [1, 0]}
  - {type: distance, name: rope, a: K3, b: K4, length: 1}
  - {type: gear, name: gears, a: crank, b: K1, ratio: -2, carrier: ground, offset: 0}
  - {type: rack, name: teeth, a: ground.O, b: K3, axis: [1, 0], pinion: K1, radius: 0.1}
drives:
  - {type: rotation, name: motor, body: crank, angle: omega*t}
  - {type: relative-rotation, name: servo, a: crank, b: rocker, angle: 0.1*t}
  - {type: distance, name: piston, a: ground.O, b: K3, length: 3 + 0.1*sin(omega*t)}
  - {type: position, name: hand, point: K4, x: 4 + t, y: 0*t}
forces:
  - {type: spring-damper, name: spring, a: ground.C, b: K3, stiffness: 100, damping: 1, rest_length: 0.1}
  - {type: torsion-spring, name: twist, a: ground, b: K1, stiffness: 3, damping: 0.1, rest_angle: 0.2}
  - {type: bumper, name: stop, a: K3, b: K4, lower: -1, upper: 1, stiffness: 10, damping: 0.1}
  - {type: torque, name: load, body: rocker, reaction: ground, value: 0.03*t}
  - {type: force, name: push, at: B, value: [0, -5*t], frame: ground}
analysis: {type: forward, until: 0.05, step: 1e-3, method: dopri5, stabilisation: projection, alpha: 15, beta: 15,
           tolerance: 1e-8, output_step: 1e-3, spectral_radius: 0.8}
outputs: [crank.angle, spring.force]
"""


@functools.cache
def _parsed(text: str) -> bytes:
    return pickle.dumps(yaml.safe_load(text))


def parsed(text: str) -> Any:
    """Return a new copy of a document in YAML, parsed only once because thousands of tests change the same one."""
    return pickle.loads(_parsed(text))


def small() -> dict[str, Any]:
    """Return a crank-rocker with a slider on a spring; it runs in milliseconds."""
    return parsed(_SMALL)


def full() -> dict[str, Any]:
    """Return a document with every section, element type and field. It is over-constrained: tests read it but do not
    run it."""
    return parsed(_FULL)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all single values in a document."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if entries is None:
        return [path]
    return [leaf for key, entry in entries for leaf in leaves(entry, (*path, key))]


def put(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy with one value replaced."""
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


def drop(document: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    """A copy without one entry."""
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return changed
