"""The gallery of the docs: a card and a small picture for every mechanism. test_docs.py runs the snippets of the page."""

from pathlib import Path

import pytest
from PIL import Image

import gaitwright as gw
from gaitwright import mechanisms
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright_apps import gallery

DOCS = Path(__file__).parents[2] / "docs"


def test_every_mechanism_has_a_card():
    assert list(gallery.GALLERY_CARDS) == list(CATALOGUE)
    assert {entry.group for entry in CATALOGUE.values()} == set(gallery.GROUP_ORDER)


def test_page_is_up_to_date():
    assert (DOCS / "gallery.md").read_text() == gallery.render_gallery(), "make gallery"


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_page_shows_it(name):
    page = (DOCS / "gallery.md").read_text()
    assert CATALOGUE[name].question in page
    assert f"gaitwright example {name} --out {name}.yaml\n" in page
    assert f"```python\n{gallery.GALLERY_CARDS[name].snippet()}```" in page
    picture = DOCS / "gallery" / f"{name}.png"
    assert picture.stat().st_size < 60_000
    with Image.open(picture) as drawn:
        assert 300 < max(drawn.size) <= 640


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_snippet_is_about_the_mechanism_of_the_catalogue(name):
    """`gaitwright example` and the Python beside it give the same model."""
    names = {each: getattr(mechanisms, each) for each in mechanisms.__all__}
    assert eval(gallery.GALLERY_CARDS[name].call, {"gw": gw, **names}).to_dict() == CATALOGUE[name].make().to_dict()


def test_pictures_and_page_are_written(tmp_path):
    written = list(gallery.write_gallery(tmp_path, ["four-bar"]))
    assert [path.name for path in written] == ["four-bar.png", "gallery.md"]
    with Image.open(written[0]) as drawn:
        assert (
            drawn.width == gallery.MAX_WIDTH_PX
            and len(drawn.convert("RGB").getcolors(10**6) or []) <= gallery.MAX_COLOURS
        )


def test_unknown_name_is_refused(tmp_path):
    with pytest.raises(gw.ModelError, match="did you mean 'jansen-leg'"):
        list(gallery.write_gallery(tmp_path, ["jansen"]))
