"""Materials in a model file: a user-defined energy, compared with the library."""

import numpy as np
import pytest

import gaitwright as gw

E, NU = 1e6, 0.3
MU, LAME = E / 2.6, E * 0.3 / (1.3 * 0.4)
ENERGY = "mu/2*(I1 - 3) - mu*log(J) + lame/2*log(J)^2"
OWN = {"type": "own", "energy": ENERGY, "constants": {"mu": MU, "lame": f"{LAME!r}"}, "density": 1000.0}
SIDES = (0.1, 0.02, 0.02)


def bar(material, dimension=3, **fields) -> gw.Model:
    mesh = gw.mesh.box(SIDES, (3, 1, 1)) if dimension == 3 else gw.mesh.rectangle(SIDES[:2], (3, 1))
    model = gw.Model("bar", dimension=dimension).solid("bar", mesh, material=material, fixed="left", **fields)
    return model.force("traction", "pull", on="bar.right", value=[1e5, *(0.0,) * (dimension - 2), -5e3])


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [2, 3])
def test_energy_in_the_file_equals_that_of_the_library(dimension, tmp_path):
    library = {"type": "neo-hookean", "youngs_modulus": E, "poissons_ratio": NU, "density": 1000.0, "damping": 1e-3}
    wanted = bar(library, dimension).static()
    again = gw.load(bar({**OWN, "damping": 1e-3}, dimension).save(tmp_path / "bar.yaml"))
    found = again.static()
    for name in ("bar.right.x", "bar.von_mises", "bar.left.reaction_x", "energy.potential"):
        assert found.array(name) == pytest.approx(wanted.array(name), rel=1e-10), name
    modes = [model.modes() for model in (again, bar(library, dimension))]
    assert modes[0].frequencies == pytest.approx(modes[1].frequencies, rel=1e-8)
    assert modes[0].damping_ratios == pytest.approx(modes[1].damping_ratios, rel=1e-6)


def test_constants_may_be_parameters_of_the_model():
    """Other values need no other kernel; `constants` take precedence."""
    model = bar({"type": "own", "energy": ENERGY, "constants": {"lame": LAME}, "density": 1e3})
    model.document.parameters |= {"mu": MU, "lame": 1.0}
    plain = bar(OWN)
    assert model.static().array("bar.right.x") == pytest.approx(plain.static().array("bar.right.x"), rel=1e-12)
    model.document.parameters["mu"] = MU / 2
    assert model.static().array("bar.right.x") > plain.static().array("bar.right.x") + 1e-3


def test_as_an_object_and_with_mean_dilatation():
    """gw.materials.OwnMaterial gives the same; nearly incompressible, it gets mean dilatation against locking like
    other materials."""
    stiff = {"mu": MU, "lame": 1e3 * MU}
    own = gw.materials.OwnMaterial(energy=ENERGY, constants=stiff)
    library = gw.materials.NeoHookean(shear_modulus=stiff["mu"], lame=stiff["lame"])
    runs = [bar(material, density=1e3, elements="quadratic").mechanism() for material in (own, library)]
    mean = [run.parts["bar"].fillings[0].mean for run in runs]
    assert mean == [True, True]
    forces = [
        run.parts["bar"].fields(run.parts["bar"].fillings[0], 0.01 * np.sin(run.parts["bar"].mesh.nodes * 40))
        for run in runs
    ]
    assert forces[0].stress == pytest.approx(forces[1].stress, rel=1e-10, abs=1e-6 * E)


WRONG = {
    "no energy": ({"type": "own", "density": 1e3}, "'energy'.*is missing"),
    "not a name": ({**OWN, "energy": "mu*(I1 - 3) + q"}, "'energy'.*q"),
    "python": ({**OWN, "energy": "__import__('os')"}, "'energy'"),
    "time": ({**OWN, "energy": "mu*(I1 - 3)*t"}, "depends on time"),
    "list": ({**OWN, "energy": [1, 2]}, "is no expression"),
    "unused": ({**OWN, "constants": {"mu": MU, "lame": LAME, "k": 1.0}}, "'constants.k'.*is not in the energy"),
    "variable": ({**OWN, "constants": {"mu": MU, "lame": LAME, "J": 1.0}}, "'constants.J'.*no name for a constant"),
    "not a mapping": ({**OWN, "constants": [1.0]}, "no names with numbers"),
    "unstable": ({**OWN, "constants": {"mu": -MU, "lame": LAME}}, "shear modulus of -3.85e.05 Pa"),
    "no value": ({**OWN, "energy": "mu*log(J - 1) + lame"}, "without deformation"),
    "other field": ({**OWN, "youngs_modulus": 1e6}, "'youngs_modulus'.*no field of this material"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_energy_is_rejected(case):
    material, said = WRONG[case]
    with pytest.raises(gw.ModelError, match=said):
        bar(material).mechanism()


def test_stress_without_deformation_is_reported():
    (note,) = bar({**OWN, "energy": "mu/2*(I1 - 3) + lame/2*(J - 1)^2"}).mechanism().warnings
    assert "slope without deformation, a stress of 3.85e+05 Pa" in note


def test_energy_ends_at_zero_volume():
    """log(J) of a bar pushed through itself; its slope 1/J still has a value."""
    own = gw.materials.OwnMaterial(energy="C1*(I1 - 3 - 2*log(J)) + K/2*(J - 1)^2", constants={"C1": 2e5, "K": 1e6})
    rollers = [{"region": "left", "axes": "x"}, {"region": "front", "axes": "y"}, {"region": "bottom", "axes": "z"}]
    model = gw.Model("bar", dimension=3, gravity=(0, 0, 0))
    model.solid("bar", gw.mesh.box((0.1, 0.02, 0.02), (4, 1, 1)), material=own, density=1000.0, fixed=rollers)
    model.drive.displacement("bar.right", x="-0.2*t")
    with pytest.raises(gw.DidNotConverge, match="inside out") as failure:
        model.static_path(1.0, steps=5)
    kept = failure.value.partial
    assert kept is not None and (kept.array("bar.volume") > 0.0).all()
