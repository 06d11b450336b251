"""Accuracy evidence of a run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class RunEvidence:
    """Method, cost and accuracy of the computation of a result."""

    analysis: str
    method: str = ""
    stabilisation: str = ""
    steps: int = 0
    rejected: int = 0
    newton_iterations: int = 0
    factorisations: int = 0
    evaluations: int = 0
    smallest_step: float = 0.0
    largest_step: float = 0.0
    wall_seconds: float = 0.0
    smallest_singular_value: float | None = None
    max_position_violation: float = 0.0
    max_velocity_violation: float = 0.0
    max_energy_residual: float = 0.0
    redundant: list[str] = field(default_factory=list)
    events: int = 0
    """Touchdowns, releases and other events of contacts that were located inside steps."""
    event_evaluations: int = 0
    """States evaluated to locate these events."""
    initial_strains: dict[str, dict[str, float | None]] = field(default_factory=dict)
    """For every beam in the start pose, without loads: the largest strain at a surface and the largest stress, Pa."""
    interrupted: bool = False
    complete: bool = True
    """True if the analysis reached its end; False if a path was cut at its maximum number of steps."""
    warnings: list[str] = field(default_factory=list)
