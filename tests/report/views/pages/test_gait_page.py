"""Page about a walk: its content and order, and its slider, which moves every chart."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import gaitwright as gw
from gait.lower_body_trial import with_all_markers
from gait.synthetic import WEIGHT
from gaitwright.gait.analysis import GaitAnalysis
from gaitwright.gait.trial_quality import GaitFinding
from gaitwright.report.blocks import Animation, Chart, Heading, Remarks, Table
from gaitwright.report.views.pages.gait_page import gait_report
from gaitwright.report.views.scenes.gait_scene import gait_scene
from pages import CHROMIUM, DRAWN_BY_SOFTWARE, OPTIONS, clock, need_browser, opened

FOLLOWED = ("Hip flexion", "Knee flexion", "Knee moment", "Vertical force")
"""Charts that are drawn for the browser; all of them take seconds."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> GaitAnalysis:
    trial = gw.gait.load(*with_all_markers(3.0).save(tmp_path_factory.mktemp("walk")))
    return gw.gait.analyse(trial, gw.gait.Subject(WEIGHT / 9.81, 1.75))


def test_quality_is_first_on_the_page(found: GaitAnalysis, tmp_path: Path) -> None:
    blocks = gait_report(found, tmp_path).blocks
    assert isinstance(blocks[0], Heading) and isinstance(blocks[1], Remarks)
    charts = {block.title: block for block in blocks if isinstance(block, Chart)}
    for title in ("Hip flexion", "Knee moment", "Ankle power", "Pelvic obliquity", "Vertical force", "Fore-aft force",
                  "Centre of pressure under the left foot"):  # fmt: skip
        assert title in charts
    knee = charts["Knee flexion"]
    assert [line.label for line in knee.lines] == ["right", "left"]
    assert len(knee.areas) >= 1 and len(knee.marks) == 2 and "deg" in knee.ylabel
    assert knee.lines[0].spans == [(cycle.start, cycle.end) for cycle in found.cycles.of("right")]
    table = next(block for block in blocks if isinstance(block, Table) and block.title == "Spatio-temporal table")
    assert {"speed", "step width", "double support"} <= {row[0] for row in table.rows}


def test_the_animation_has_bones_markers_plates_and_forces(found: GaitAnalysis) -> None:
    scene = gait_scene(found)
    groups = set(scene.groups().values())
    assert {"right leg", "left leg", "pelvis", "markers"} <= groups
    assert len(scene.ground) >= 4 and set(scene.forces) == {"force on the right foot", "force on the left foot"}
    foot = next(body for body in scene.bodies if body.name == "right leg-foot")
    assert foot.extent()[:, :, 2].min() > -0.06


def test_without_a_subject_sticks_and_a_remark_are_shown(found: GaitAnalysis, tmp_path: Path) -> None:
    bare = gw.gait.analyse(found.trial)
    blocks = gait_report(bare, tmp_path).blocks
    assert any(isinstance(block, Animation) for block in blocks)
    remarks = next(block for block in blocks if isinstance(block, Remarks))
    assert any("mass and height of the person were not given" in one.text for one in remarks.remarks)
    assert "Knee flexion" not in {block.title for block in blocks if isinstance(block, Chart)}


def test_without_a_cycle_charts_are_over_time(tmp_path: Path) -> None:
    trial = gw.gait.load(*with_all_markers(1.0).save(tmp_path))
    short = gw.gait.analyse(trial, gw.gait.Subject(WEIGHT / 9.81, 1.75))
    assert not short.cycles.all
    charts = {block.title: block for block in gait_report(short, tmp_path).blocks if isinstance(block, Chart)}
    assert charts["Knee flexion"].over_time and charts["Ankle moment"].over_time


def test_the_data_are_faultless_only_without_findings_and_with_all_steps(found: GaitAnalysis, tmp_path: Path) -> None:
    def first_remark(gait: GaitAnalysis) -> str:
        blocks = gait_report(gait, tmp_path).blocks
        return next(block for block in blocks if isinstance(block, Remarks)).remarks[0].text

    faultless = "No fault was found in the data."
    clean = replace(found, findings=[])
    assert first_remark(clean) == faultless and clean.summary()["quality"]["verdict"] == "no fault was found"
    doubtful = replace(found, findings=[GaitFinding("gaps", "doubtful", "a marker was lost", "for 1 s", "fill it")])
    assert first_remark(doubtful) != faultless and doubtful.verdict == "1 of 1 findings is doubtful"
    one_foot = {name: label for name, label in found.trial.landmarks.items() if not name.startswith("left")}
    analysis = gw.gait.analyse(replace(found.trial, landmarks=one_foot, plates=[]))
    assert analysis.cycles.all and "doubtful" in analysis.verdict
    assert any("steps of the left foot are missing" in str(finding) for finding in analysis.findings)


def test_the_page_of_a_run_has_no_ranges_of_walks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("STRIDE", 1.0), ("STANCE", 0.44), ("LENGTH", 2.6)):
        monkeypatch.setattr(f"gait.synthetic.{name}", value)
    trial = gw.gait.load(*with_all_markers(3.0).save(tmp_path))
    analysis = gw.gait.analyse(trial, gw.gait.Subject(WEIGHT / 9.81, 1.75))
    blocks = gait_report(analysis, tmp_path).blocks
    assert "The run" in {block.title for block in blocks if isinstance(block, Heading)}
    table = next(block for block in blocks if isinstance(block, Table) and block.title == "Spatio-temporal table")
    assert {row[5] for row in table.rows} == {"–"} and {row[6] for row in table.rows} == {""}
    charts = {block.title: block for block in blocks if isinstance(block, Chart)}
    assert not charts["Knee flexion"].band_label and not charts["Vertical force"].band_label
    assert not any("usual" in row for row in analysis.summary()["cycles"]["table"].values())


def test_a_page_without_phases_has_no_empty_table(tmp_path: Path, found: GaitAnalysis) -> None:
    one_foot = {name: label for name, label in found.trial.landmarks.items() if not name.startswith("left")}
    analysis = gw.gait.analyse(replace(found.trial, landmarks=one_foot, plates=found.trial.plates[:1]))
    report = gait_report(analysis, tmp_path)
    assert analysis.cycles.all and "1 force plate" in report.subtitle.split(", ")
    assert "Phases of the cycle (%)" not in {block.title for block in report.blocks if isinstance(block, Table)}


@pytest.mark.slow
def test_one_slider_moves_all_charts(found: GaitAnalysis, tmp_path: Path) -> None:
    playwright = need_browser()
    report = gait_report(found, tmp_path)
    report.blocks = [b for b in report.blocks if not isinstance(b, Chart) or b.title in FOLLOWED]
    path = report.save(tmp_path / "gait.html")["report"]
    cycle = found.cycles.of("right")[0]
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *DRAWN_BY_SOFTWARE])
        with opened(browser, path) as page:

            def move(t: float) -> None:
                page.locator(".time-bar input").evaluate(
                    f"bar => {{ bar.value = {t}; bar.dispatchEvent(new Event('input')); }}"
                )

            chart = page.locator("figure", has_text="Knee flexion").filter(has_text="usual")
            rule = chart.locator(".now.own").first
            places = []
            for part in (0.25, 0.75):
                move(cycle.start + part * cycle.duration)
                assert clock(page) == pytest.approx(cycle.start + part * cycle.duration, abs=0.006)
                places.append(float(rule.get_attribute("x1") or "nan"))
                shown = float(chart.locator("output").first.inner_text().replace("−", "-"))
                mean = found.mean["knee_flexion"].sel(side="right", percent=100 * part)
                assert shown == pytest.approx(float(mean) * 57.29578, abs=0.6)
            plot = chart.locator("svg").first.evaluate("svg => svg.viewBox.baseVal.width")
            assert 0.3 * plot < places[1] - places[0] < 0.5 * plot
            move(0.02)  # before the first strike of the right foot
            assert rule.evaluate("line => line.style.display") == "none"
        browser.close()


def test_notebook_card(found: GaitAnalysis) -> None:
    html = found._repr_html_()
    assert html is not None and "(GaitAnalysis)" in html and "cadence" in html and "Complete cycles" in html
    assert html.count("data:image/png;base64,") == 3, "hip, knee and ankle"
    assert re.fullmatch(
        r"<GaitAnalysis of '.*': 3\.\d s, cycles: \d right, \d left; \d of \d findings are doubtful>", repr(found)
    )
