"""Results page in Markdown."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

from gaitwright_apps.benchmarks.beams_page import beams_page
from gaitwright_apps.benchmarks.markdown_tables import markdown_table


def describe_machine() -> dict[str, str]:
    """Processor, system and package versions."""
    from importlib.metadata import PackageNotFoundError, version

    machine = {"processor": _processor_name(), "system": platform.system(), "python": platform.python_version()}
    for package in ("gaitwright", "numba", "numpy", "exudyn", "mujoco"):
        try:
            machine[package] = version(package)
        except PackageNotFoundError:
            machine[package] = "not installed"
    return machine


def _processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _p1_section(d: dict[str, Any]) -> list[str]:
    head = [
        "",
        "seconds",
        "us per step",
        "Newton per step",
        "foot error (m)",
        "torque error (N m)",
        "max violation (m)",
    ]
    steps = d["steps"]

    def row(name: str, seconds: float, numbers: dict[str, Any]) -> list[Any]:
        names = ("newton_per_step", "foot_error", "torque_error", "position_violation")
        return [name, seconds, 1e6 * seconds / steps, *(numbers[n] for n in names)]

    ours = d["ours"]
    rows = [row("ours, integration", ours["integration_seconds"], ours)]
    for name in ("all stored", "whole call"):
        seconds = ours[f"{name.replace(' ', '_')}_seconds"]
        rows.append([f"ours, {name}", seconds, 1e6 * seconds / steps, *[None] * 4])
    lines = [f"{d['until']:g} s in {steps} steps of generalized-alpha.", ""]
    if "exudyn" in d:
        rows.append(row(f"Exudyn, {d['exudyn']['setting']}", d["exudyn"]["seconds"], d["exudyn"]))
        rows += [
            [f"Exudyn, {name}", seconds, 1e6 * seconds / steps, *[None] * 4]
            for name, seconds in d["exudyn"]["settings"].items()
            if name != d["exudyn"]["setting"]
        ]
    lines += markdown_table(head, rows)
    rk4 = d["rk4"]
    lines.append(
        f"rk4: {rk4['us_per_evaluation_none']:.2f} us per right-hand side (limit {rk4['limit']:g}), "
        f"{rk4['us_per_evaluation_projection']:.2f} us with projection after every step."
    )
    if "exudyn" in rk4:
        lines.append(f"Exudyn's RK44: {rk4['exudyn']}.")
    return [*lines, ""]


def _growth_section(d: dict[str, Any]) -> list[str]:
    names = [
        "model_seconds",
        "tables_seconds",
        "start_seconds",
        "symbolic_seconds",
        "whole_call_seconds",
        "us_per_step",
    ]
    head = ["loops", "model (s)", "tables (s)", "start (s)", "symbolic (s)", "whole call, 100 steps (s)", "us per step"]
    with_peer = "exponent_exudyn_us_per_step" in d
    if with_peer:
        names.append("exudyn_us_per_step")
        head.append("Exudyn, us per step")
    rows = [[int(loops), *(chain[name] for name in names)] for loops, chain in d["chains"].items()]
    exponents = [d.get(f"exponent_{name.removesuffix('_seconds')}") for name in names]
    return markdown_table(head, [*rows, ["exponent", *exponents]])


def _startup_section(d: dict[str, Any]) -> list[str]:
    names = ("cold_seconds", "cold_limit", "cold_processor_seconds", "warm_seconds", "warm_processor_seconds")
    rows = [
        [case.replace("_", " "), *(timing.get(name) for name in names), timing.get("error", "")]
        for case, timing in d.items()
        if isinstance(timing, dict)
    ]
    warm = f"warm (s, limit {d['warm_limit']:g})"
    return markdown_table(
        ["", "cold (s)", "limit (s)", "cold, of processors (s)", warm, "warm, of processors (s)", ""], rows
    )


def _memory_section(d: dict[str, Any]) -> list[str]:
    names = ("steps", "arrays_per_step", "peak_bytes_per_step", "resident_growth")
    rows = [[method, *(entry[name] for name in names)] for method, entry in d["methods"].items()]
    lines = markdown_table(
        ["method", "steps", "arrays per step", "peak bytes per step", "growth of process (bytes)"], rows
    )
    kept_bytes, states = d["kept_bytes_per_time"], d["state_bytes_per_time"]
    return [*lines, f"A result keeps {kept_bytes:.0f} bytes per stored time, of which its states are {states:.0f}.", ""]


def _methods_section(d: dict[str, Any]) -> list[str]:
    rows = []
    for name, entry in d["methods"].items():
        finest = entry["ladder"][-1] if entry["ladder"] else {}
        seconds_at_target = entry["seconds_at_target"]
        rows.append(
            [
                name,
                entry["order"],
                1e3 * seconds_at_target if seconds_at_target else None,
                finest.get("error"),
                1e3 * finest.get("seconds", 0.0),
            ]
        )
    head = ["method", "order", f"ms at an error of {d['target']:g} rad", "smallest error (rad)", "its ms"]
    return markdown_table(head, rows)


def _contact_section(d: dict[str, Any]) -> list[str]:
    leg, ball = d["leg"], d["ball"]
    rows = [[name, us, *leg["events"][name].values()] for name, us in leg["us_per_step"].items()]
    head = ["leg", "us per step", "events", "states looked at", "rejected", "steps", "right-hand sides", "Newton"]
    lines = markdown_table(head, rows)
    lines += [
        f"With contact: {leg['ratio']:.2f} times the time without (limit {leg['limit']:g}); as whole calls "
        f"{leg['ratio_whole_call']:.2f} times. Of its time, {100 * leg['share_of_watching']:.0f} % is watching the gap, "
        f"{100 * leg['share_of_forces_and_events']:.0f} % the forces and events, of which the location of events is "
        f"{100 * leg['share_of_events']:.1f} % of the whole.",
        "",
    ]
    rows = []
    for name, ladder in ball["ladders"].items():
        seconds_at_target = ball["seconds_at_target"][name]
        rows.append(
            [
                name,
                None if seconds_at_target is None else 1e3 * seconds_at_target,
                ladder[-1]["error"],
                1e3 * ladder[-1]["seconds"],
            ]
        )
    for name, row in ball["fixed"].items():
        rows.append([f"{name}, step {row['fineness']:g} s", None, row["error"], 1e3 * row["seconds"]])
    lines += markdown_table(
        ["ball", f"ms at an error of {ball['target']:g} m/s", "smallest error (m/s)", "its ms"], rows
    )
    if ball["ratio"] is not None:
        bare = ball["ratio_without_setting_up"]
        without = (
            "" if bare is None else f"{bare:.1f} without the {1e3 * ball['setting_up_seconds']:.2f} ms of setting up; "
        )
        lines.append(
            f"SciPy's Radau over dopri5: {ball['ratio']:.1f} (limit {ball['limit']:g}); {without}"
            f"whole call {1e3 * ball['whole_call_seconds']:.1f} ms."
        )
    if ball["ratio_at_fine_target"] is not None:
        lines.append(f"At an error of {ball['fine_target']:g} m/s: {ball['ratio_at_fine_target']:.1f}.")
    return [*lines, ""]


def _space_section(d: dict[str, Any]) -> list[str]:
    head = ["", "bodies", "steps", "us per step", "seconds", "Newton per step", "error (m)", "Exudyn / ours"]
    rows: list[list[Any]] = []
    for name, case in d["problems"].items():
        sides = {solver: numbers | {"steps": case["steps"]} for solver, numbers in
                 {"ours": case["ours"], "ours, loose": case["loose"]}.items()}  # fmt: skip
        if "exudyn" in case:
            sides[f"Exudyn, {case['exudyn']['setting']}"] = case["exudyn"]
        for solver, numbers in sides.items():
            keys = ("steps", "us_per_step", "seconds", "newton_per_step", "error")
            ratio = case.get({"ours": "ratio", "ours, loose": "ratio_loose"}.get(solver, ""))
            rows.append([f"{name}, {solver}", case["bodies"], *(numbers[key] for key in keys), ratio])
    lines = markdown_table(head, rows)
    for kind in ("balls", "hinges"):
        theirs = d.get(f"exponent_{kind}_exudyn")
        beside = "" if theirs is None else f"; of Exudyn {theirs:.2f}"
        lines += [f"Exponent of the time per step of {kind}: {d[f'exponent_{kind}']:.2f}{beside}.", ""]
    lines += ["Beside it, the same chains in joint coordinates, which have no constraints to solve for; same step:", ""]
    rows = [
        [f"{kind}-{bars}", way, numbers["us_per_step"], numbers["error"]]
        for kind in ("balls", "hinges")
        for bars, ways in d[f"trees_{kind}"].items()
        for way, numbers in ways.items()
    ]
    return [*lines, *markdown_table(["", "", "us per step", "error (m)"], rows)]


def _legs_section(d: dict[str, Any]) -> list[str]:
    swept, walked = d["sweep"], d["walk"]
    return [
        f"Sweep of {swept['variants']} legs, {swept['samples_per_turn']} samples per turn, {swept['processes']} processes: "
        f"{swept['seconds']:.1f} s ({swept['ms_per_variant']:.2f} ms each; limit {swept['limit']:g} s for 10000).",
        f"Walking machine, {walked['coordinates']} coordinates, {walked['contacts']} feet: "
        f"{walked['simulated_seconds']:g} s of walking in {walked['seconds']:.2f} s, {walked['steps']} steps.",
        "",
        *_commands_section({"demo": d["demo"]}),
    ]


def _commands_section(d: dict[str, Any]) -> list[str]:
    """Seconds of commands by name, with an empty and with a full cache."""
    rows = [
        [name, times.get("cold_seconds"), times.get("warm_seconds"), times.get("error", "")]
        for name, times in d.items()
    ]
    return markdown_table(["command", "cold (s)", "warm (s)", ""], rows)


def _solids_section(d: dict[str, Any]) -> list[str]:
    names = ("force", "stiffness", "scikit-fem", "ratio")
    rows = [[kind, timing["count"], *(timing.get(name) for name in names)] for kind, timing in d["elements"].items()]
    head = [
        "element",
        "number",
        "force (us each)",
        "stiffness (us each)",
        "scikit-fem, both (us each)",
        "scikit-fem / ours",
    ]
    return [*markdown_table(head, rows), *_ramp_section(d["ramp"]), *_condensed_section(d["condensed"])]


def _condensed_section(d: dict[str, Any]) -> list[str]:
    names = (
        "unknowns",
        "touching",
        "condensed_ms",
        "full_ms",
        "dense_ms",
        "condensation_s",
        "pays_after",
        "difference",
    )
    head = ["unknowns", "nodes that touch", "condensed (ms)", "full (ms)", "dense (ms)", "condensation (s)"]
    head += ["steps that pay for it", "forces differ by"]
    summary = f"A contact step of a condensed sole: {d['condensed_ms']:.2f} ms."
    return [summary, "", *markdown_table(head, [[row[name] for name in names] for row in d["rows"]])]


def _ramp_section(d: dict[str, Any]) -> list[str]:
    ours = d["seconds"]["ours"]
    lines = [
        f"A pad pressed and sheared in {d['steps']} steps: {d['nodes']} nodes, {d['cells']} TET4; ours with "
        f"{d['newton_iterations']} Newton iterations and {d['factorisations']} factorisations.",
        "",
        *markdown_table(
            ["", "seconds", "of ours"], [[name, seconds, seconds / ours] for name, seconds in d["seconds"].items()]
        ),
    ]
    if "skipped" in d:
        lines += [f"Not compared: {d['skipped']}.", ""]
    else:
        lines += [
            f"Forces differ by {d['force_difference']:.1e}, displacements by {d['displacement_difference']:.1e}, of the "
            "largest ones.",
            "",
        ]
    names = ("nodes", "cells", "seconds", "statics_seconds", "factorisations", "memory")
    head = ["nodes", "cells", "whole call (s)", "statics (s)", "factorisations", "memory so far (MB)"]
    lines += markdown_table(head, [[row[name] for name in names] for row in d["growth"]])
    return [*lines, f"Exponent of the time against cells: {d['exponent']:.2f}.", ""]


def _net_section(d: dict[str, Any]) -> list[str]:
    head = ["", "static (s)", "ms per step", "largest difference, static (m)", "after the last step (m)"]
    steps = d["steps"]
    rows = [[f"ours, {d['library']}", d["static_seconds"], d["ms_per_step"], None, None]]
    if "exudyn_static_seconds" in d:
        differences = d["static_difference"], d["dynamic_difference"]
        step_ms = 1e3 * d["exudyn_dynamic_seconds"] / steps
        rows.append([f"Exudyn, {d['exudyn_dynamic_solver']}", d["exudyn_static_seconds"], step_ms, *differences])
    return [
        f"{d['masses']} masses, {d['springs']} springs, {d['coordinates']} coordinates (Exudyn: {2 * d['masses']}), {steps} "
        f"steps; {d['model_seconds']:.2f} s to describe, {d['tables_seconds']:.2f} s to put into tables.",
        "",
        *markdown_table(head, rows),
    ]


def _rolls_section(d: dict[str, Any]) -> list[str]:
    head = ["speed", "frames", "nodes", "of the sole", "seconds", "for 100 frames", "limit", "Newton", "factorisations"]
    head += ["largest moment at the ankle (N m)"]
    names = ("frames", "nodes", "of_the_sole", "seconds", "seconds_per_100", "limit", "newton_iterations")
    names += ("factorisations", "largest_moment")
    return markdown_table(head, [[speed, *(row[name] for name in names)] for speed, row in d["speeds"].items()])


def _foot_section(d: dict[str, Any]) -> list[str]:
    head = ["forward step, condensed: seconds", "limit", "part of the step", "steps", "rejected", "evaluations"]
    head += ["energy residual (J)", "force off that of equilibria"]
    names = ("seconds", "limit", "of_the_step", "steps", "rejected", "evaluations", "energy_residual", "force_apart")
    return [
        *_rolls_section(d),
        "",
        *markdown_table(head, [[d["forward"][name] for name in names]]),
        "",
        *_pressed_section(d["pressed"]),
    ]


def _pressed_section(p: dict[str, Any]) -> list[str]:
    head = ["", "seconds", "Newton", "factorisations", "force, relative difference"]
    rows = [["ours", p["seconds"]["ours"], p["newton_iterations"], p["factorisations"], None]]
    if "ratio" in p:
        rows.append(["CalculiX", p["seconds"]["calculix"], p["calculix_iterations"], None, p["force_difference"]])
    return [
        f"Pressed on to a plane in {p['steps']} steps: {p['nodes']} nodes, {p['cells']} cells, {p['force']:.1f} N.",
        "",
        *markdown_table(head, rows),
        *([f"Not compared: {p['skipped']}.", ""] if "skipped" in p else []),
    ]


def _gait_section(d: dict[str, Any]) -> list[str]:
    rows = [[name, value, d["lasts"] / value] for name, value in d["seconds"].items()]
    lines = [f"{d['frames']} frames, {d['markers']} markers; inverse kinematics:", ""]
    lines += markdown_table(["", "seconds", "times real time"], rows)
    if "apart" in d:
        lines += [f"Rotations differ by {d['apart']:.1e}.", ""]
    if "skipped" in d:
        lines += [f"Not compared: {d['skipped']}.", ""]
    if "report_seconds" in d:
        lines += [f"From files to a report: {d['report_seconds']:.1f} s (limit {d['limit']:.0f}).", ""]
    return lines


def _studio_section(d: dict[str, Any]) -> list[str]:
    titles = {
        "leg": "Theo Jansen leg, socket",
        "sixty_links": "60 links, socket",
        "browser": "Theo Jansen leg, browser",
    }
    keys = ("first_picture_ms", "frame_ms", "frame_ms_95")
    rows = [[title, *(d[name].get(key) for key in keys)] for name, title in titles.items() if "skipped" not in d[name]]
    lines = [f"{d['drags']} places of a joint, one after the other; a frame may take {d['limit_ms']:g} ms.", ""]
    lines += markdown_table(["", "first picture (ms)", "frame (ms)", "95 % of frames (ms)"], rows)
    return lines + ([f"Without a browser: {d['browser']['skipped']}.", ""] if "skipped" in d["browser"] else [])


SECTION_WRITERS = {
    "P1": _p1_section,
    "growth": _growth_section,
    "startup": _startup_section,
    "memory": _memory_section,
    "methods": _methods_section,
    "contact": _contact_section,
    "beams": beams_page,
    "space": _space_section,
    "net": _net_section,
    "solids": _solids_section,
    "foot": _foot_section,
    "gait": _gait_section,
    "studio": _studio_section,
    "legs": _legs_section,
    "fine_foot": _rolls_section,
    "reproduce": _commands_section,
    "designs": lambda d: markdown_table(
        ["analysis", "designs", "ms per design", "seconds"],
        [
            [name, n, of["ms_per_design"], of["seconds"]]
            for name in ("inverse", "forward")
            for n, of in d[name]["sizes"].items()
        ],
    ),
}


def render_markdown(result: dict[str, Any]) -> str:
    """Page with the ratios first, then a section per problem."""
    from gaitwright_apps.benchmarks import PROBLEMS

    lines = ["# Gaitwright bench", "", ", ".join(f"{name} {value}" for name, value in result["machine"].items()), ""]
    for note in result["notes"]:
        lines += [f"Note: {note}", ""]
    if result["quick"]:
        lines += ["Quick run: sizes and repeats are too small for the numbers to mean much.", ""]
    if result["ratios"]:
        lines += ["Seconds of the peer divided by ours:", ""]
        lines += markdown_table(
            ["problem", "ratio"], [[name, float(ratio)] for name, ratio in result["ratios"].items()]
        )
    for name, details in result["details"].items():
        lines += [f"## {name}: {PROBLEMS[name]}", ""]
        lines += [f"failed: {details['error']}", ""] if "error" in details else SECTION_WRITERS[name](details)
    return "\n".join(lines)
