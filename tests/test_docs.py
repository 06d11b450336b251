"""Every Python and YAML example in the README and the docs runs as it stands."""

import re
from pathlib import Path

import pytest
import yaml

import gaitwright as gw

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str) -> list:
    found = []
    for page in PAGES:
        for k, block in enumerate(re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)):
            found.append(pytest.param(block, id=f"{page.stem}-{k + 1}"))
    return found


@pytest.mark.parametrize("source", blocks("python"))
def test_python_example_runs(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(source, "example", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("source", blocks("yaml"))
def test_model_file_example_runs(source):
    result = gw.Model.from_dict(yaml.safe_load(source)).analyse()
    assert result.evidence.max_energy_residual < 1e-6
