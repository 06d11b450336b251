"""The committed kernels match the current declarations."""

import os
import subprocess
import sys

import pytest

from derive.elements import EVERYTHING as LIBRARY
from gaitwright._core.errors import GaitwrightError
from gaitwright.derive import kernel_library
from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS, OBSERVE_ARGUMENTS
from gaitwright.derive.kernel_library import KERNEL_FOLDER, derive_source, load_kernel_module


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY)
def test_committed_kernel_is_fresh(name):
    """Run `make kernels` (python -m gaitwright.derive) if this fails."""
    assert (KERNEL_FOLDER / f"{name}.py").read_text() == derive_source(*LIBRARY[name])


def test_missing_kernel_of_the_library_names_the_remedy(monkeypatch):
    monkeypatch.setattr(kernel_library, "kernel_name", lambda *_: "joint_without_kernel__2d")
    with pytest.raises(GaitwrightError, match="joint_without_kernel__2d: run make kernels"):
        load_kernel_module.__wrapped__(*next(iter(LIBRARY.values())))


def test_kernels_are_derived_again_only_after_a_change(monkeypatch, tmp_path):
    kernel = next(iter(LIBRARY.values()))
    monkeypatch.setattr(kernel_library, "writable_cache", lambda: tmp_path)
    monkeypatch.setattr(kernel_library, "library_kernels", lambda: [kernel])
    monkeypatch.setattr(kernel_library, "KERNEL_FOLDER", tmp_path / "printed")
    (tmp_path / "printed").mkdir()
    derived = []
    monkeypatch.setattr(kernel_library, "derive_source", lambda *_: derived.append(1) or "text")
    assert len(kernel_library.print_kernels()) == 1 and kernel_library.print_kernels() == []
    assert len(derived) == 1
    module_source = kernel_library._module_source
    monkeypatch.setattr(kernel_library, "_module_source", lambda name: module_source(name) + b"# changed")
    assert kernel_library.print_kernels() == [] and len(derived) == 2, "the same text is not written again"


def test_no_kernel_without_declaration():
    assert {path.stem for path in KERNEL_FOLDER.glob("*.py")} == {*LIBRARY, "__init__"}


@pytest.mark.parametrize("name", LIBRARY)
def test_kernel_has_the_functions_of_the_interface(name):
    module = load_kernel_module(*LIBRARY[name])
    wanted = dict(KERNEL_ARGUMENTS[module.KIND])
    if module.KIND == "constraint" and hasattr(module, "VARIABLES"):
        del wanted["residual"]  # for markers the residual is part of `position`
    if getattr(LIBRARY[name][0], "observed", {}):
        wanted["observe"] = OBSERVE_ARGUMENTS
    for kernel, arguments in wanted.items():
        code = getattr(module, kernel).__code__
        assert code.co_varnames[: code.co_argcount] == tuple(argument for argument, _ in arguments)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_printing_does_not_depend_on_the_order_of_sets(seed):
    """Different hash seeds give the same text, for a declaration with many shared subexpressions."""
    name = "joint_prismatic__planar_planar"
    script = (
        "import sys; sys.path.insert(0, 'tests');"
        "from gaitwright.derive.kernel_library import derive_source, kernel_name, library_kernels;"
        f"print(next(derive_source(*e) for e in library_kernels() if kernel_name(*e) == '{name}'), end='')"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout == (KERNEL_FOLDER / f"{name}.py").read_text()
