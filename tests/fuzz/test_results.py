"""Fuzz result files: each is read completely or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import h5py
import pytest

from documents import EXAMPLES
from gaitwright._core.errors import ModelError
from gaitwright.model.io.files import load_result, read_raw_document
from gaitwright.model.model import Model

pytestmark = pytest.mark.fuzz

TEXTS = ("model", "evidence", "redundant")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A short run as a file."""
    document = read_raw_document(EXAMPLES / "bouncing_ball.yaml")
    document["analysis"] |= {"until": 0.02}
    path = tmp_path_factory.mktemp("results") / "result.nc"
    Model.from_dict(document).analyse().save(path)
    return path.read_bytes()


def changed(path: Path, name: str, text: str) -> None:
    with h5py.File(path, "r+") as file:
        file.attrs[name] = text


@pytest.mark.parametrize(
    "text", ["null", "3", '"a"', "{}", "[[1]]", "[1.5]", "[-1]", "[1, 1]", "[true]", "[1e400]", "no json"]
)
def test_invalid_redundant_rows(written: bytes, tmp_path: Path, text: str) -> None:
    path = tmp_path / "result.nc"
    path.write_bytes(written)
    changed(path, "redundant", text)
    with pytest.raises(ModelError, match="not a complete Gaitwright result"):
        load_result(path)
