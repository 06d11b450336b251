"""The examples of the documentation: short scripts, each named after the question it answers, with their pictures on one page.

python -m gaitwright.gallery docs     # writes this page, too: docs/examples.md and docs/gallery/examples/*.png

A script is examples/GROUP/QUESTION.py: its docstring has the question and the answer, its `main` returns numbers by name and
draws a picture where it is told to. The scripts lie beside the package in the project, not in it.
"""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gaitwright.input_files import packaged_text

GROUPS = {
    "linkages": "Linkages",
    "beams": "Flexible beams",
    "contact": "Contact and friction",
    "space": "In space",
    "solids": "Solids",
    "foot": "Feet",
    "gait": "Gait",
    "legs": "Legs and walking machines",
    "devices": "Devices on people",
    "designs": "Many designs",
}
"""Folders of scripts, in the order of the page."""
HEAD = """---
hide:
  - toc
---

# Examples

*For whoever learns by example.*

Short scripts and model files, each named after the question it answers. A script runs as it stands and prints its numbers; its
`main()` returns them, and draws a picture where it is told to. Where there is an independent answer, a formula or a textbook, a
test compares. Ready mechanisms are in the [gallery](gallery.md); four of the examples are [notebooks](#notebooks), too.

```
python examples/linkages/how_far_does_a_rocker_swing.py
```

<!-- Written by `make gallery`: change the scripts in examples/ instead. -->
"""
NOTEBOOKS = """
## Notebooks

`examples/notebooks/` has four of them for Jupyter, with the words between the steps:
"""
FILES = """
## Model files

The same without Python: `gaitwright run examples/NAME.yaml --report`, and `--set parameters.NAME=VALUE` to change a number.

| file | question |
| --- | --- |
"""


class Example(NamedTuple):
    """path: of the script. group: of GROUPS. question, answer: of its docstring. code: the rest."""

    path: Path
    group: str
    question: str
    answer: str
    code: str

    @property
    def name(self) -> str:
        return self.path.stem


def examples(folder: Path) -> list[Example]:
    """All scripts below a folder, group by group."""
    return [read(path, group) for group in GROUPS for path in sorted((folder / group).glob("*.py"))]


def read(path: Path, group: str) -> Example:
    text = packaged_text(path)
    question, _, answer = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    return Example(path, group, question, " ".join(answer.split()), text.partition('"""\n\n')[2])


def load(path: Path) -> ModuleType:
    """A script as a module, without running what it does when it is called by name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page(folder: Path) -> str:
    """The page about the scripts and model files of a folder, in Markdown."""
    found = examples(folder)
    index = "\n".join(f"- {title}: {_links(found, group)}" for group, title in GROUPS.items())
    cards = (_group(group, title, found) for group, title in GROUPS.items())
    notebooks = "\n".join(f"- `{path.name}`" for path in sorted((folder / "notebooks").glob("*.ipynb")))
    files = "\n".join(f"| `{path.name}` | {_asked(path)} |" for path in sorted(folder.glob("*.yaml")))
    return HEAD + index + "\n\n" + "\n".join(cards) + NOTEBOOKS + "\n" + notebooks + "\n" + FILES + files + "\n"


def _links(found: list[Example], group: str) -> str:
    return " ".join(f"[{each.question}](#{each.name})" for each in found if each.group == group)


def _group(group: str, title: str, found: list[Example]) -> str:
    return "\n".join([f"## {title} {{ #{group} }}\n", *(_card(each) for each in found if each.group == group)])


def _card(example: Example) -> str:
    code = "\n".join(f"    {line}".rstrip() for line in example.code.rstrip().splitlines())
    return f"""<div class="card" markdown>

### {example.question} {{ #{example.name} }}

![{example.question}](gallery/examples/{example.name}.png)

{example.answer}

??? example "{example.group}/{example.path.name}"

    ```py
{code}
    ```

</div>
"""


def _asked(path: Path) -> str:
    """The question in the comment at the top of a model file."""
    lines = packaged_text(path).splitlines()
    end = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    comment = " ".join(line.lstrip("# ") for line in lines[:end])
    return comment.partition("?")[0] + "?"


def draw(example: Example, folder: Path) -> Path:
    """Run a script and keep its picture, PNG."""
    path = folder / f"{example.name}.png"
    load(example.path).main(str(path))
    return path
