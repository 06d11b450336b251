"""Examples page of the documentation: short scripts, each named after the question it answers, with their pictures.

python -m gaitwright_apps.gallery docs     # also writes this page: docs/examples.md and docs/gallery/examples/*.png

A script is examples/GROUP/QUESTION.py: its docstring has the question and the answer; its `main` returns numbers by name and
draws a picture if a path is given. The scripts are in the project folder, not in the package.
"""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gaitwright._core.input_files import packaged_text

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
"""Folders of scripts, in page order."""
PAGE_HEAD = """---
hide:
  - toc
---

# Examples

*For readers who learn by example.*

Short scripts and model files, each named after the question it answers. A script runs as it stands and prints its numbers; its
`main()` returns them, and draws a picture where it is told to. Where there is an independent answer, a formula or a textbook, a
test compares. Ready mechanisms are in the [gallery](gallery.md); four of the examples are [notebooks](#notebooks), too.

```
python examples/linkages/how_far_does_a_rocker_swing.py
```

<!-- Written by `make gallery`: change the scripts in examples/ instead. -->
"""
NOTEBOOKS_SECTION = """
## Notebooks

`examples/notebooks/` has four of them for Jupyter, with the words between the steps:
"""
MODEL_FILES_SECTION = """
## Model files

The same without Python: `gaitwright run examples/NAME.yaml --report`, and `--set parameters.NAME=VALUE` to change a number.

| file | question |
| --- | --- |
"""


class ExampleScript(NamedTuple):
    """Example script. path: of the script. group: a key of GROUPS. question, answer: from its docstring. code: the
    rest."""

    path: Path
    group: str
    question: str
    answer: str
    code: str

    @property
    def name(self) -> str:
        return self.path.stem


def find_examples(folder: Path) -> list[ExampleScript]:
    """All scripts below a folder, by group."""
    return [read_example(path, group) for group in GROUPS for path in sorted((folder / group).glob("*.py"))]


def read_example(path: Path, group: str) -> ExampleScript:
    text = packaged_text(path)
    question, _, answer = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    return ExampleScript(path, group, question, " ".join(answer.split()), text.partition('"""\n\n')[2])


def load_script(path: Path) -> ModuleType:
    """Load a script as a module, without running its main part."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def render_page(folder: Path) -> str:
    """Page of the scripts and model files of a folder, in Markdown."""
    examples = find_examples(folder)
    index = "\n".join(f"- {title}: {_render_links(examples, group)}" for group, title in GROUPS.items())
    cards = (_render_group(group, title, examples) for group, title in GROUPS.items())
    notebooks = "\n".join(f"- `{path.name}`" for path in sorted((folder / "notebooks").glob("*.ipynb")))
    files = "\n".join(f"| `{path.name}` | {_read_question(path)} |" for path in sorted(folder.glob("*.yaml")))
    return (
        PAGE_HEAD
        + index
        + "\n\n"
        + "\n".join(cards)
        + NOTEBOOKS_SECTION
        + "\n"
        + notebooks
        + "\n"
        + MODEL_FILES_SECTION
        + files
        + "\n"
    )


def _render_links(examples: list[ExampleScript], group: str) -> str:
    return " ".join(f"[{example.question}](#{example.name})" for example in examples if example.group == group)


def _render_group(group: str, title: str, examples: list[ExampleScript]) -> str:
    return "\n".join(
        [f"## {title} {{ #{group} }}\n", *(_render_card(example) for example in examples if example.group == group)]
    )


def _render_card(example: ExampleScript) -> str:
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


def _read_question(path: Path) -> str:
    """Question in the comment at the top of a model file."""
    lines = packaged_text(path).splitlines()
    end = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    comment = " ".join(line.lstrip("# ") for line in lines[:end])
    return comment.partition("?")[0] + "?"


def draw_example(example: ExampleScript, folder: Path) -> Path:
    """Run a script and save its picture, PNG."""
    path = folder / f"{example.name}.png"
    load_script(example.path).main(str(path))
    return path
