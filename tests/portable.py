"""Run the tests with machine code and linear algebra for other instruction sets, or with bounds checks.

    python tests/portable.py generic haswell native        the whole suite in each of these settings: make portable
    python tests/portable.py bounds tests/integrate        a part of it, with every array index checked: make bounds
    python tests/portable.py --numbers                     the numbers that tests/test_portable.py compares, as JSON

Each setting has its own machine code in .portable/. A result that differs between two of them by more than a test allows is
a mistake of the method or of the claim: no assertion, printed number or verdict may depend on the last bits.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SETTINGS = {
    "generic": {
        "NUMBA_CPU_NAME": "generic",
        "OPENBLAS_CORETYPE": "Prescott",
    },  # no AVX, no fused multiplication and addition
    # Without an explicit feature list, Numba adds those of this processor, such as AVX-512.
    "haswell": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "", "OPENBLAS_CORETYPE": "Haswell"},
    "native": {"OPENBLAS_CORETYPE": "Zen"},
    "bounds": {"NUMBA_BOUNDSCHECK": "1"},
}
WHOLE = ("-n", "2", "--dist", "worksteal")
"""As in the Makefile."""
STRICT = ("-W", "error::pytest.PytestUnraisableExceptionWarning")
"""An index out of bounds in a function that is called by its address cannot raise: Python only gets a warning."""


def environment(setting: str, cache: Path) -> dict[str, str]:
    foreign = {name for each in SETTINGS.values() for name in each}
    inherited = {name: value for name, value in os.environ.items() if name not in foreign}
    return {**inherited, **SETTINGS[setting], "GAITWRIGHT_CACHE": str(cache)}


def numbers() -> dict[str, float]:
    """Return results of small models of different kinds: a linkage, a swing, an impact, vibrations, a limit point."""
    import numpy as np

    import gaitwright as gw
    from gaitwright.mechanisms import pendulum

    results = {}
    bar = (
        gw.Model("crank-rocker")
        .ground_point("O", 0, 0)
        .ground_point("C", 0.3, 0)
        .point("A", 0.1, 0)
        .point("B", 0.25, 0.25)
    )
    bar.link("crank", "O", "A", length=0.1, mass=0.05).link("coupler", "A", "B", length=0.3, mass=0.15)
    bar.link("rocker", "C", "B", length=0.25, mass=0.12).drive.rotation("crank", angle="2*pi*t")
    run = bar.inverse(until=1.0, step=0.01)
    results["torque"] = float(np.abs(run.array("crank.torque")).max())
    run = pendulum((0.0, 0.0)).simulate(1.0, tolerance=1e-10)
    results["swing"] = float(run.array("rod2.angle")[-1])
    ball = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0, 0.5))
    ball.contact(
        gw.surfaces.Circle("ball", 0.1),
        gw.surfaces.LineGround(),
        law=gw.laws.HuntCrossley(stiffness=1e6, restitution=0.5),
        name="floor",
    )
    run = ball.simulate(0.6, tolerance=1e-10)
    results["impulse"], results["rebound"] = (
        getattr(run.episodes[0], name) for name in ("impulse", "separation_speed")
    )
    rod = gw.Model("rod", gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0)
    rod.beam("rod", "O", "A", elements=4, youngs_modulus=2e9, density=1200, width=0.02, height=0.003, damping=2e-4)
    modes = rod.joint.fixed("ground.O", "rod.start").modes(2)
    results["frequency"], results["damping"] = float(modes.frequencies[0]), float(modes.damping_ratios[0])
    truss = gw.Model("truss", gravity=(0, 0)).ground_point("L", -1, 0).ground_point("R", 1, 0).ground_point("O", 0, 0)
    truss.body("apex", mass=1, inertia=1, at=(0, 0.3)).joint.prismatic("ground.O", "apex", axis=(0, 1))
    for support in "LR":
        truss.force.spring_damper(f"ground.{support}", "apex", stiffness=1000, rest_length=float(np.hypot(1.0, 0.3)))
    path = truss.force.at_point("apex", [0, "-20*t"]).static_path(1.0, control="arc-length")
    results["snap"] = float(path.array("apex.y")[-1])
    return results


def main(arguments: list[str]) -> int:
    if arguments == ["--numbers"]:
        from numba.core.registry import cpu_target

        code = cpu_target.target_context.codegen().magic_tuple()
        print(json.dumps({"numbers": numbers(), "code": [str(part) for part in code]}))
        return 0
    chosen, more = [a for a in arguments if a in SETTINGS], [a for a in arguments if a not in SETTINGS]
    failed = []
    for setting in chosen:
        print(f"== {setting}: {SETTINGS[setting]}", flush=True)
        command = [
            sys.executable,
            "-m",
            "pytest",
            *(STRICT if setting == "bounds" else ()),
            *(more or ("-n", "2", "--dist", "worksteal")),
        ]
        if subprocess.run(command, cwd=ROOT, env=environment(setting, ROOT / ".portable" / setting)).returncode:
            failed.append(setting)
    print(f"== {', '.join(chosen)}: {'failed: ' + ', '.join(failed) if failed else 'all passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
