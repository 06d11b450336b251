"""The committed kernels are what the declarations give today."""

import os
import subprocess
import sys

import pytest

from derive.elements import EVERYTHING as LIBRARY
from gaitwright.derive.interface import ARGUMENTS, OBSERVE
from gaitwright.derive.library import KERNELS, derive_source, module_on


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY)
def test_committed_kernel_is_fresh(name):
    """Run `make kernels` (python -m gaitwright.derive) when this fails."""
    assert (KERNELS / f"{name}.py").read_text() == derive_source(*LIBRARY[name])


def test_no_kernel_without_declaration():
    assert {path.stem for path in KERNELS.glob("*.py")} == {*LIBRARY, "__init__"}


@pytest.mark.parametrize("name", LIBRARY)
def test_kernel_has_the_functions_of_the_interface(name):
    module = module_on(*LIBRARY[name])
    wanted = dict(ARGUMENTS[module.KIND])
    if module.KIND == "constraint" and hasattr(module, "VARIABLES"):
        del wanted["residual"]  # that of markers is in `position`
    if getattr(LIBRARY[name][0], "observed", {}):
        wanted["observe"] = OBSERVE
    for kernel, arguments in wanted.items():
        code = getattr(module, kernel).__code__
        assert code.co_varnames[: code.co_argcount] == tuple(argument for argument, _ in arguments)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_printing_does_not_depend_on_the_order_of_sets(seed):
    """Other hash seeds give the same text, for a declaration with many shared subexpressions."""
    name = "joint_prismatic__planar_planar"
    script = (
        "import sys; sys.path.insert(0, 'tests');"
        "from gaitwright.derive.library import derive_source, kernel_name, library;"
        f"print(next(derive_source(*e) for e in library() if kernel_name(*e) == '{name}'), end='')"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout == (KERNELS / f"{name}.py").read_text()
