"""The page of a report is self-contained; pictures and tables are written beside it."""

import csv
import json
import platform
import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

from gaitwright.report.blocks import (
    Animation,
    Chart,
    ChartLine,
    Code,
    Drawing,
    Fact,
    Figures,
    Heading,
    Map,
    Picture,
    Remark,
    Remarks,
    ShadedArea,
    Table,
    Text,
    Verdicts,
)
from gaitwright.report.chart_rendering import CSS_COLOUR_VARIABLES, PALETTE_DARK
from gaitwright.report.figures.style import PALETTE, plot_lines
from gaitwright.report.page import BLOCK_PREPARERS, Report, format_cell
from gaitwright.report.scenes.planar_scene import PlanarScene, SceneShape
from gaitwright.report.software_versions import collect_versions

HOSTILE = "</script><b>&\u2028<!-- {{ x }} {% x %} $a_1$ </svg>"
TIME = np.linspace(0.0, 2.0, 81)


def crank(title="crank"):
    tip = 0.1 * np.column_stack([np.cos(3 * TIME), np.sin(3 * TIME)])
    shapes = [SceneShape("crank", "link", np.stack([0 * tip, tip], axis=1))]
    return PlanarScene(title, TIME, shapes, {"O": 0 * tip, "A": tip}, {"O"}, {"A": tip})


def check(verdict="pass", **rest):
    base = {"id": "4.3-1", "paper": "003", "quantity": "step", "published": 0.3883, "computed": 0.38834, "unit": "m"}
    return base | {"tolerance": 1e-3, "verdict": verdict, "why": ""} | rest


def every_block(tmp_path, text="plain"):
    """One block of each kind, with the same text in all text fields."""
    picture = tmp_path / "given.png"
    Image.new("RGB", (8, 6), "red").save(picture)
    return [
        Heading(text),
        Text([text], "warning"),
        Remarks(text, [Remark("bad", text, text, text), Remark("good", text, text)]),
        Figures([Fact(text, 0.12345678, text, text), Fact("word", text)]),
        Animation(crank(text), text),
        Chart(text, [ChartLine(text, TIME, np.sin(TIME))], ylabel=text, bands=[(0.5, 1.0)], band_label=text, note=text),
        Chart(text, [ChartLine(text, np.cos(TIME), np.sin(TIME), time=TIME)], xlabel=text, ylabel=text, equal=True),
        Map(text, [0, 1, 2], [0, 1], [[1, 2, 3], [4, np.nan, 6]], text, text, text, [(text, 1, 0)], note=text),
        Drawing(text, plot_lines({"a": (TIME, TIME)}, ylabel="b"), note=text),
        Picture(text, picture, note=text),
        Table(text, (text, "value"), [(text, 1.5), ("b", -2.0)], note=text),
        Verdicts(text, [check(quantity=text, why=text, unit=text), check("fail", id=text)]),
        Code(text, text + "\n", "model.yaml"),
    ]


def page(tmp_path, *blocks, title="A leg"):
    return Report(title, "said below", list(blocks)).save(tmp_path / "new" / "leg.html")["report"].read_text("utf-8")


class Found(HTMLParser):
    """Tags with their attributes, and the text in them, as parsed by a browser."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data.strip())


def script(html, name):
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script', html, re.S)[1])


def test_every_kind_of_block_is_on_the_page(tmp_path):
    blocks = every_block(tmp_path, "a word")
    assert {type(block) for block in blocks} == set(BLOCK_PREPARERS)
    found = Found(page(tmp_path, *blocks))
    kinds = [tag for tag, _ in found.tags]
    assert kinds.count("canvas") == 1 and kinds.count("svg") >= 3 and kinds.count("img") == 1
    assert kinds.count("h1") == 1 and kinds.count("pre") == 1 and kinds.count("table") == 2
    assert "0.12346" in found.texts and "−2" in found.texts


def test_areas_marks_and_spans_of_a_chart(tmp_path):
    """Normal range in grey, spread in the colour of its line, vertical dashes, and time spans of a line."""
    percent = np.linspace(0, 100, 11)
    line = ChartLine("right", percent, percent**2, colour=3, spans=[(0.5, 1.5), (1.5, 2.5)])
    areas = [ShadedArea(percent, 0 * percent, percent), ShadedArea(percent, percent, 2 * percent, 3)]
    chart = Chart("Knee", [line], "gait cycle (%)", areas=areas, marks=[(60.0, 3)], band_label="usual")
    html = page(tmp_path, Animation(crank("x"), "x"), chart)
    drawn = re.search(r'<svg class="plot".*?</svg>', html, re.S)[0]
    assert "fill: var(--muted)" in drawn and "fill: var(--series-3)" in drawn and "stroke-dasharray" in drawn
    (data,) = script(html, "charts")
    assert data["lines"][0]["spans"] == [[0.5, 1.5], [1.5, 2.5]] and data["lines"][0]["x"][-1] == 100
    assert "time-bar" not in re.sub(r"<style>.*?</style>|<script>.*?</script>", "", html, flags=re.S)
    whole = Report("a", "", [Animation(crank("x"), "x"), chart], time_bar=True).save(tmp_path / "b.html")["report"]
    assert '<div class="time-bar">' in whole.read_text("utf-8")


def test_page_fetches_nothing(tmp_path):
    html = page(tmp_path, *every_block(tmp_path))
    assert "default-src 'none'" in html
    attributes = [(name, value) for _, attrs in Found(html).tags for name, value in attrs.items()]
    sources = [value for name, value in attributes if name in ("src", "href", "action", "data", "poster", "srcset")]
    assert sources and all(value.startswith(("#", "data:image/png;base64,")) for value in sources)
    assert not re.search(r"@import|url\((?!#)|<link|<iframe|\bfetch\(|XMLHttpRequest|innerHTML|document\.write", html)
    assert set(re.findall(r"https?://[^\s\"'<]+", html)) == {"http://www.w3.org/2000/svg"}, (
        "the name of a namespace only"
    )


@pytest.mark.slow
def test_names_are_escaped(tmp_path):
    html = page(tmp_path, *every_block(tmp_path, HOSTILE), title=HOSTILE)
    plain = page(tmp_path, *every_block(tmp_path, "plain"), title="plain")
    assert HOSTILE not in html
    drawing = {
        "g",
        "path",
        "text",
        "use",
        "defs",
        "clippath",
        "rect",
        "image",
        "lineargradient",
    }  # depends on the available space
    tags, expected = ([tag for tag, _ in Found(text).tags if tag not in drawing] for text in (html, plain))
    assert tags == expected
    assert script(html, "scenes")[0]["title"] == HOSTILE
    assert Found(html).texts.count(HOSTILE) > 10


def test_ids_are_unique_and_references_are_valid(tmp_path):
    chart = Chart("same", [ChartLine("a", TIME, TIME), ChartLine("b", TIME, -TIME, look="dots")])
    html = page(tmp_path, chart, chart, chart)
    ids = [attrs["id"] for _, attrs in Found(html).tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', html))
    assert used and used <= set(ids)


def test_colours_of_charts_are_variables(tmp_path):
    lines = [ChartLine(str(k), TIME, k * TIME) for k in range(len(PALETTE))]
    html = page(tmp_path, Chart("all", lines, bands=[(0, 1)]))
    svg = re.search(r'<svg class="plot".*?</svg>', html, re.S)[0]
    assert not re.search(r"#[0-9a-f]{6}", svg, re.I)
    for name in CSS_COLOUR_VARIABLES.values():
        assert name in ("ink", "card") or f"var(--{name})" in svg, name
    for colour in (*PALETTE, *PALETTE_DARK):
        assert re.search(rf"--series-\d: {colour};", html), colour
    assert len(PALETTE) == len(PALETTE_DARK) == len(set(PALETTE_DARK))


@pytest.mark.parametrize("logarithmic", [False, True])
def test_cursor_position_matches_the_curve(tmp_path, logarithmic):
    """The position computed by the script from the limits of the axes is that of the drawn curve."""
    y = np.exp(TIME)
    html = page(tmp_path, Chart("growth", [ChartLine("y", TIME, y)], logarithmic=logarithmic))
    (data,) = script(html, "charts")
    (x0, x1, left, right), (y0, y1, bottom, top) = data["axes"]["x"], data["axes"]["y"]
    assert data["axes"]["logarithmic"] == logarithmic and data["over_time"]
    scale = np.log if logarithmic else np.asarray
    style = re.search(r'<path d="([^"]*)"[^>]*stroke: var\(--series-0\)', html)[1]
    drawn = np.array(re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", style), dtype=float)
    for point, t in ((drawn[0], TIME[0]), (drawn[-1], TIME[-1])):
        across = left + (t - x0) / (x1 - x0) * (right - left)
        up = bottom + (scale(np.exp(t)) - scale(y0)) / (scale(y1) - scale(y0)) * (top - bottom)
        np.testing.assert_allclose(point, (across, up), atol=0.05)
    np.testing.assert_allclose(data["lines"][0]["y"], y, rtol=1e-5)


def test_playback_data_of_charts(tmp_path):
    curve = Chart(
        "path", [ChartLine("F", np.cos(TIME), np.sin(TIME), time=TIME), ChartLine("ground", [0, 1], [0, 0])], "x (m)"
    )
    back = Chart("back and forth", [ChartLine("s", np.r_[TIME, TIME], np.r_[TIME, TIME])])
    gap = Chart("gap", [ChartLine("x", TIME, np.where(TIME < 1, np.nan, 3.0))])
    many = Chart("many", [ChartLine("peak", np.linspace(0, 1, 50_000), np.eye(1, 50_000, 33_333)[0])])
    curve, back, gap, many = script(page(tmp_path, curve, back, gap, many), "charts")
    assert not curve["over_time"] and curve["lines"][1] is None
    np.testing.assert_allclose(curve["lines"][0]["x"], np.cos(TIME), atol=1e-6)
    assert back["lines"] == [None], "a time that goes back has no one value"
    assert gap["lines"][0]["y"][0] is None and gap["lines"][0]["y"][-1] == 3
    assert max(many["lines"][0]["y"]) == 1 and len(many["lines"][0]["y"]) < 1000


def test_pictures_and_tables_are_written_beside_the_page(tmp_path):
    files = Report("r", "", every_block(tmp_path, "Drehmoment größer")).save(tmp_path / "r.html")
    folder = files["pictures and tables"]
    assert folder == tmp_path / "r-files"
    names = sorted(path.name for path in folder.iterdir())
    stem = "drehmoment-groer"
    pictures = [f"{stem}-2.png", f"{stem}-3.png", f"{stem}-4.png", f"{stem}.png"]
    tables = [f"{stem}-2.csv", f"{stem}-3.csv", f"{stem}-4.csv", f"{stem}-5.csv", f"{stem}.csv"]
    assert names == sorted([*pictures, *tables, "model.yaml"])
    assert all(Image.open(folder / name).size[0] > 600 for name in pictures)
    with (folder / f"{stem}.csv").open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["time (s)", "Drehmoment größer"]
    np.testing.assert_allclose(np.array(rows, dtype=float), np.column_stack([TIME, np.sin(TIME)]), atol=1e-9)


def test_lines_with_different_times_have_their_own_columns(tmp_path):
    Report("r", "", [Chart("c", [ChartLine("a", [0, 1, 2], [3, 4, 5]), ChartLine("b", [7, 8], [9, 10])])]).save(
        tmp_path / "r.html"
    )
    rows = (tmp_path / "r-files" / "c.csv").read_text().splitlines()
    assert rows == ["time (s),a,time (s) of b,b", "0,3,7,9", "1,4,8,10", "2,5,,"]


def test_a_map_is_a_table_of_points(tmp_path):
    Report("r", "", [Map("m", [1, 2], [5, 6, 7], [[0, 1], [2, 3], [4, np.nan]], "L", "K", "E")]).save(
        tmp_path / "r.html"
    )
    rows = (tmp_path / "r-files" / "m.csv").read_text().splitlines()
    assert rows[:3] == ["L,K,E", "1.0,5.0,0.0", "2.0,5.0,1.0"] and rows[-1] == "2.0,7.0,nan"


def layouts(tmp_path, *blocks):
    html = page(tmp_path, *blocks)
    return re.findall(r'<div class="(beside|stages|grid|pictures|plain)">', html)


@pytest.mark.slow
def test_neighbouring_blocks_are_grouped(tmp_path):
    chart, stage, text = Chart("c", [ChartLine("a", [0, 1], [0, 1])]), Animation(crank()), Text(["t"])
    assert layouts(tmp_path, stage, chart, chart, text, chart, chart) == ["beside", "plain", "grid"]
    assert layouts(tmp_path, stage, stage, chart, chart) == ["stages", "grid"]
    assert layouts(tmp_path, stage, text, chart) == ["plain", "plain", "plain"]


def test_several_sections_are_linked(tmp_path):
    html = page(tmp_path, *(Heading(f"part {k}") for k in "abc"))
    linked = re.findall(r'<a href="#(part-\d)">(part \w)</a>', html)
    assert linked == [("part-1", "part a"), ("part-2", "part b"), ("part-3", "part c")]
    assert "<nav" not in page(tmp_path, Heading("one"), Heading("two"))


def test_verdicts_are_counted_worst_first(tmp_path):
    checks = [check(), check("fail"), check("not-reproducible", why="a misprint"), check(), check("odd one")]
    html = page(tmp_path, Verdicts("v", checks))
    counted = re.findall(r'data-verdict="([^"]*)">(?:<i[^>]*></i>)?[^<]*<b>(\d+)</b>', html)
    assert counted == [("", "5"), ("fail", "1"), ("not-reproducible", "1"), ("pass", "2"), ("odd one", "1")]
    assert re.findall(r'<tr data-verdict="([^"]*)">', html) == [c["verdict"] for c in checks]


@pytest.mark.parametrize(
    ("value", "text"),
    [(-1.5, "−1.5"), (1e-12, "1e−12"), (np.float64(2), "2"), (-3, "−3"), (None, "–"), (np.nan, "–"), ("a-b", "a-b")],
)  # fmt: skip
def test_cells(value, text):
    assert format_cell(value) == text


def test_columns_of_numbers_are_aligned(tmp_path):
    rows = [("a", 1.0, "0.5", "-"), ("b", None, "−2e-3", "3"), ("c", np.nan, "", "x")]
    html = page(tmp_path, Table("t", ("n", "float", "text", "mixed"), rows))
    heads = re.findall(r'<th scope="col"( class="number")?>(\w+)</th>', html)
    assert [name for aligned, name in heads if aligned] == ["float", "text"]


def test_inconsistent_data_are_refused():
    with pytest.raises(ValueError, match=r"line 'a' of chart 'c' has shapes \[\(2,\), \(3,\)\]"):
        Chart("c", [ChartLine("a", [0, 1], [0, 1, 2])])
    with pytest.raises(ValueError, match=r"map 'm' has values of shape \(2, 3\); expected \(3, 2\)"):
        Map("m", [0, 1], [0, 1, 2], np.zeros((2, 3)))
    with pytest.raises(ValueError, match="a row of table 't' has 1 cells; expected 2"):
        Table("t", ("a", "b"), [("x",)])
    with pytest.raises(ValueError, match=r"a report is written as \.html"):
        Report("r").save("r.pdf")


def test_versions_contain_no_machine_name(tmp_path):
    rows = dict(collect_versions(datetime(2026, 5, 4, 3, 2, tzinfo=UTC)))
    assert rows["date"] == "2026-05-04 03:02 UTC"
    assert rows["numpy"] == np.__version__ and rows["Python"] == platform.python_version()
    assert {"gaitwright", "numba", "machine"} <= rows.keys()
    assert len(platform.node()) < 4 or not any(platform.node() in text for text in rows.values())
    html = page(tmp_path, Text(["t"]))
    assert all(f"<dd>{version}</dd>" in html for name, version in collect_versions() if name != "date")
