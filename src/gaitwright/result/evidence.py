"""What every run says about its own accuracy."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Evidence:
    """How a result was computed and how far it can be trusted."""

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
    """States looked at on the way to them."""
    initial_strains: dict[str, dict[str, float | None]] = field(default_factory=dict)
    """Of every beam in the start pose, before anything acts on it: the largest strain at a surface and stress, Pa."""
    interrupted: bool = False
    complete: bool = True
    """Whether the analysis came to its end; not if a path was cut after its largest number of steps."""
    warnings: list[str] = field(default_factory=list)
