"""Section of the results page for beams."""

from __future__ import annotations

from typing import Any

from gaitwright_apps.benchmarks.markdown_tables import markdown_table


def beams_page(d: dict[str, Any]) -> list[str]:
    head = ["", "us per step", "seconds", "Newton per step", "error (m)", "error at the end (m)"]
    head += ["Exudyn / ours", "per step"]
    rows: list[list[Any]] = []
    for name, case in d["problems"].items():
        lines_of = {"ours": (case["ours"], "ratio", "ratio_per_step")}
        lines_of["ours, loose"] = case["loose"], "ratio_loose", "ratio_loose_per_step"
        if "exudyn" in case:
            lines_of[f"Exudyn, {case['exudyn']['setting']}"] = case["exudyn"], "", ""
        for solver, (numbers, in_all, per_step) in lines_of.items():
            seconds = numbers.get("integration_seconds", numbers.get("seconds"))
            accuracy_numbers = [numbers[key] for key in ("newton_per_step", "error", "end_error")]
            ratios = [case.get(in_all), case.get(per_step)]
            rows.append([f"{name}, {solver}", numbers["us_per_step"], seconds, *accuracy_numbers, *ratios])
        call_seconds = case["ours"]["whole_call_seconds"]
        rows.append([f"{name}, ours, whole call", None, call_seconds, *[None] * 3, case.get("ratio_whole_call"), None])
        if "exudyn" in case:
            theirs = case["exudyn"]["whole_call_seconds"]
            beside = [f"{name}, Exudyn, from model to result", None, theirs, *[None] * 3]
            rows.append([*beside, case["ratio_model_to_result"], None])
    lines = markdown_table(head, rows)
    explicit, grown, setup = d["P2a"], d["growth"], d["setup"]
    times_text = ", ".join(f"{name} {value:.2f}" for name, value in explicit["us_per_evaluation"].items())
    lines += [f"P2a, us per right-hand side (limit {explicit['limit']:g}): {times_text}.", ""]
    if "exudyn" in explicit:
        lines += [f"Exudyn's RK44: {explicit['exudyn']}.", ""]
    names = ("us_per_step", "tables_seconds", "start_seconds", "symbolic_seconds", "whole_call_seconds")
    rows = [[int(elements), *(mesh[name] for name in names)] for elements, mesh in grown["meshes"].items()]
    rows.append(["exponent", *(grown[f"exponent_{name.removesuffix('_seconds')}"] for name in names)])
    lines += markdown_table(
        ["elements", "us per step", "tables (s)", "start (s)", "symbolic (s)", "whole call, 1 step (s)"], rows
    )
    lines += [f"{elements} elements: {failure}" for elements, failure in grown["failed"].items()]
    lines += _blade_section(d["P4"]) if "P4" in d else []
    lines.append(
        f"From nothing to the first step of {setup['elements']} elements: {setup['seconds']:.3f} s "
        f"(limit {setup['limit']:g})."
    )
    return [*lines, ""]


def _blade_section(d: dict[str, Any]) -> list[str]:
    """Section for the spatial beam: the fastest Exudyn result for each of its elements."""
    rows: list[list[Any]] = [
        [f"P4, ours, {d['ours']['elements']} elements", d["ours"]["seconds"], d["ours"]["error"], None]
    ]
    fastest: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, numbers_of_setting in d["exudyn"].items():
        mesh = ", ".join(name.split(", ")[:2])
        if (
            numbers_of_setting["seconds"] is not None
            and numbers_of_setting["seconds"] < fastest.get(mesh, ("", numbers_of_setting))[1]["seconds"] + 1e-12
        ):
            fastest[mesh] = name, numbers_of_setting
    for name, numbers_of_setting in fastest.values():
        counted = d["ratio"] if name == d.get("fastest") else None
        rows.append([f"P4, Exudyn, {name}", numbers_of_setting["seconds"], numbers_of_setting["error"], counted])
    return markdown_table(["", "seconds", "error by length", "Exudyn / ours"], rows)
