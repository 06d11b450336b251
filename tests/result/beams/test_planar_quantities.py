"""Beams along their length: section forces against statics and dynamics, strains, stresses, energies, names, errors."""

import numpy as np
import pytest
from scipy.integrate import simpson

import gaitwright as gw
from gaitwright.result.beams.planar_quantities import NODE_QUANTITIES, WHOLE_BEAM_QUANTITIES
from gaitwright.result.catalogue import OutputCatalogue

E, B, H, RHO, L = 79e9, 0.04, 1.73e-3, 1600.0, 0.5
EI, EA, RHO_A = E * B * H**3 / 12, E * B * H, RHO * B * H
SECTION = {"youngs_modulus": E, "density": RHO, "width": B, "height": H}
FORMULATIONS = ("continuum", "takahashi")


def cantilever(elements=8, gravity=(0, 0), section=None, **fields) -> gw.Model:
    model = gw.Model("cantilever", gravity=gravity).ground_point("O", 0, 0).point("T", L, 0)
    model.beam("rod", "O", "T", elements=elements, **(SECTION if section is None else section), **fields)
    return model.joint.fixed("ground.O", "rod.start", name="clamp")


@pytest.fixture(scope="module", params=FORMULATIONS)
def bent(request):
    """Beam under an end moment of 4.5 N m: 94 degrees."""
    return cantilever(formulation=request.param).force.moment("rod.end", 4.5).static()


@pytest.fixture(scope="module", params=FORMULATIONS)
def pulled(request):
    """Beam under a tip force of 20 N: P L^2 / (E I) = 3.7."""
    return cantilever(formulation=request.param).force.at_point("rod.end", (0, 20)).static()


@pytest.fixture(scope="module")
def swinging():
    """Beam with damping, weight, a load along it and a load at its end that is removed."""
    model = cantilever(6, (0, -9.81), damping=2e-5).force.along_beam("rod", ("3*sin(40*t)", 2), frame="body")
    return model.force.at_point("rod.end", (0, "if(t < 0.01, 20, 0)")).simulate(0.05, step=1e-4)


# section forces


def test_end_moment_is_constant_along_the_beam(bent):
    data = bent.beam("rod", points=4)
    assert data.bending_moment.values == pytest.approx(4.5, rel=1e-9)
    assert np.abs(data.axial_force.values).max() < 1e-6
    assert np.abs(data.shear_force.values).max() < 1e-6


def test_tip_force_gives_the_static_section_forces(pulled):
    """Exact for every mesh: the strain at a point would give N = 900 N at the clamp, where N is 0."""
    data = pulled.beam("rod", points=4).isel(time=0)
    assert data.bending_moment.values == pytest.approx(20 * (data.x.values[-1] - data.x.values), abs=1e-7)
    assert data.axial_force.values == pytest.approx(20 * np.sin(data.angle.values), abs=1e-6)
    assert data.shear_force.values == pytest.approx(20 * np.cos(data.angle.values), abs=1e-6)


def test_local_strains_approximate_only_the_moment(pulled):
    data = pulled.beam("rod").isel(time=0)
    assert data.local_bending_moment.values == pytest.approx(data.bending_moment.values, abs=0.45)
    fine = cantilever(64).force.at_point("rod.end", (0, 20)).static().beam("rod").isel(time=0)
    assert fine.local_bending_moment.values == pytest.approx(fine.bending_moment.values, abs=0.02)


def from_the_end(data, load):
    """Moment of a load per length, (..., 2), about every position of the beam, and its resultant, from there to the end."""
    s, r = data.s.values, np.stack([data.x.values, data.y.values], axis=-1)
    moments, forces = np.zeros(s.size), np.zeros((s.size, 2))
    for k in range(0, s.size - 1, 2):
        arm = r[k:] - r[k]
        moments[k] = simpson(arm[:, 0] * load[k:, 1] - arm[:, 1] * load[k:, 0], x=s[k:])
        forces[k] = simpson(load[k:], x=s[k:], axis=0)
    return moments[::2], forces[::2]


@pytest.mark.parametrize("taper", [False, True], ids=["uniform", "tapered"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_weight_gives_the_static_section_forces(formulation, taper):
    section = {**SECTION, "height": "0.002 - 0.002*s"} if taper else SECTION
    run = cantilever(3, (2.0, -9.81), section, formulation=formulation).static()
    data = run.beam("rod", points=15).isel(time=0)
    mass = RHO * B * ((0.002 - 0.002 * data.s.values) if taper else np.full(data.s.size, H))
    moments, forces = from_the_end(data, mass[:, None] * np.array([2.0, -9.81]))
    tangent = np.stack([np.cos(data.angle.values), np.sin(data.angle.values)], axis=-1)[::2]
    assert data.bending_moment.values[::2] == pytest.approx(moments, abs=1e-6)
    assert data.axial_force.values[::2] == pytest.approx((forces * tangent).sum(axis=-1), abs=1e-5)


@pytest.mark.parametrize("frame", ["ground", "body"])
def test_load_along_the_beam(frame):
    """A dead load is exact inside elements; a pressure is taken as uniform there in the ground frame, and is exact at nodes."""
    run = cantilever(4).force.along_beam("rod", (0, 30), frame=frame).static()
    data = run.beam("rod", points=15).isel(time=0)
    normal = np.stack([-np.sin(data.angle.values), np.cos(data.angle.values)], axis=-1)
    load = 30 * (normal if frame == "body" else np.tile([0.0, 1.0], (data.s.size, 1)))
    moments, _ = from_the_end(data, load)
    assert data.bending_moment.values[::2] == pytest.approx(moments, abs=1e-6 if frame == "ground" else 2e-3)
    assert data.bending_moment.values[::16] == pytest.approx(moments[::8], abs=1e-4)


def test_reactions_of_the_clamp_are_the_section_forces_there(swinging):
    """In motion, with damping and all loads: the force of the beam on its clamp is opposite to that of the clamp on the
    beam."""
    start = swinging.beam("rod", "axial_force", "shear_force", "bending_moment", points=0).isel(s=0)
    for name, of_beam in (("fx", "axial_force"), ("fy", "shear_force"), ("moment", "bending_moment")):
        reaction = swinging.array(f"clamp.{name}")
        assert -start[of_beam].values == pytest.approx(reaction, abs=1e-6 * np.abs(reaction).max())


def test_free_end_carries_its_load(swinging):
    late = swinging.time > 0.0101
    for name in ("axial_force", "shear_force", "bending_moment"):
        values = swinging.array(f"rod.end.{name}")
        assert np.abs(values[late]).max() < 1e-6 * np.abs(swinging.array(f"rod.start.{name}")).max()


def test_rotating_rod_has_the_centrifugal_axial_force():
    """N = rho A w^2 (L^2 - s^2) / 2, also inside an element, where the load is the inertia."""
    model = gw.Model("rotor", gravity=(0, 0)).ground_point("O", 0, 0).point("T", L, 0)
    model.beam("rod", "O", "T", elements=1, **SECTION)
    model.drive("rotation", body="rod.start", angle="10*t", name="motor")
    run = model.simulate(0.1, step=1e-3, spectral_radius=0.0)  # its vibrations at 3.5 kHz are damped out immediately
    data = run.beam("rod", points=7).isel(time=-1)
    assert data.axial_force.values == pytest.approx(RHO_A * 100 * (L**2 - data.s.values**2) / 2, abs=2e-3)


# strains, stresses, energies


def test_strain_energy_is_that_of_the_kernels_and_of_theory(bent):
    total = bent.array("rod.strain_energy")[0]
    assert total == pytest.approx(bent.array("energy.potential")[0], rel=1e-12)
    assert total == bent.beam("rod").strain_energy.values[0]
    order = {"continuum-reduced": 5e-5, "takahashi": 0.015}[bent.beam("rod").formulation]
    assert total == pytest.approx(4.5**2 * L / (2 * EI), rel=order)


def test_energy_density_integrates_to_the_energy(pulled):
    data = pulled.beam("rod", "strain_energy_density", "strain_energy", points=19).isel(time=0)
    # Between nodes: at nodes the mean of two elements is given, so every element is integrated from inside.
    per_element = [np.trapezoid(data.strain_energy_density[20 * k : 20 * k + 21], data.s[20 * k : 20 * k + 21])
                   for k in range(8)]  # fmt: skip
    assert sum(per_element) == pytest.approx(float(data.strain_energy), rel=0.03)


@pytest.mark.parametrize("kappa", [3.0, -2.0])
def test_unstressed_curved_beam_has_curvature_without_stress(kappa):
    model = gw.Model("arc", gravity=(0, 0)).ground_point("O", 0, 0)
    model.point("T", np.sin(kappa * L) / kappa, (1 - np.cos(kappa * L)) / kappa)
    model.beam("rod", "O", "T", elements=8, length=L, curvature=kappa, **SECTION)
    run = model.joint.fixed("ground.O", "rod.start", angle=0.0, name="clamp").static()
    data = run.beam("rod").isel(time=0)
    assert data.curvature.values == pytest.approx(kappa, rel=3e-3)
    for name in ("bending_moment", "local_bending_moment", "strain_left", "stress_right", "strain_energy"):
        assert np.abs(data[name].values).max() < 1e-6 * (E if name.startswith("stress") else 1.0), name


def test_surface_stress_is_m_h_over_2_i(bent):
    """For a beam bent to the left, the left surface is compressed."""
    data = bent.beam("rod").isel(time=0)
    bending = 4.5 * H / 2 / (B * H**3 / 12)
    assert data.stress_left.values == pytest.approx(-bending, rel=1e-6)
    assert data.stress_right.values == pytest.approx(bending, rel=1e-6)
    assert data.strain_left.values == pytest.approx(-bending / E, rel=1e-6)
    assert data.strain_right.values == pytest.approx(bending / E, rel=1e-6)
    assert (data.strain - data.curvature * H / 2).values == pytest.approx(-bending / E, rel=0.05)
    assert bent.array("rod.max_stress")[0] == pytest.approx(bending, rel=1e-6)


def test_damping_contributes_to_stress_but_not_to_strain():
    """stress = E (strain + eta strain'), with the rate from finite differences of the strain in time."""
    eta = 1e-3
    run = cantilever(8, damping=eta).force.moment("rod.end", "1 - cos(30*t)").simulate(0.2, step=2e-4)
    data = run.beam("rod", "strain_left", "stress_left")
    rate = np.gradient(data.strain_left.values, run.time, axis=0)
    viscous = data.stress_left.values / E - data.strain_left.values
    assert np.abs(viscous).max() > 0.02 * np.abs(data.strain_left.values).max()
    assert viscous == pytest.approx(eta * rate, abs=0.06 * np.abs(viscous).max())


def test_tension_is_the_same_at_both_surfaces():
    run = cantilever(4).force.at_point("rod.end", (500, 0)).static()
    data = run.beam("rod").isel(time=0)
    for name in ("stress_left", "stress_right"):
        assert data[name].values == pytest.approx(500 / (B * H), rel=1e-6)
    assert data.strain.values == pytest.approx(500 / EA, rel=1e-6)
    assert data.local_axial_force.values == pytest.approx(500, rel=1e-6)
    assert run.array("rod.length")[0] == pytest.approx(L * (1 + 500 / EA), rel=1e-12)


def test_strain_measures_of_takahashi():
    run = cantilever(5, formulation="takahashi").force.moment("rod.end", -4.5).static()
    data = run.beam("rod", points=1).isel(time=0)
    q, nodes = run.motion.q[0], run.mechanism.beams["rod"].nodes
    chord = np.hypot(*np.diff(q[nodes[:, :2]], axis=0).T) / (L / 5) - 1
    assert data.strain.values[1::2] == pytest.approx(chord, abs=1e-15)
    assert (data.curvature.values < 0).all(), "to the right"
    assert "chord" in data.strain.long_name and "|r_xx|" in data.curvature.long_name
    # r_xx is linear in an element, so Simpson's rule gives its energy exactly.
    density = data.strain_energy_density.values
    assert simpson(density, x=data.s.values) == pytest.approx(float(data.strain_energy), rel=1e-9)


def test_elastic_moment_of_paper_002(bent):
    """M / |r_x| at a node with a moment, zero between: the slope part of the forces of all elements at a node."""
    slope = 1 + bent.array("rod.node9.stretch")[0]
    assert bent.array("rod.node9.elastic_moment")[0] == pytest.approx(4.5 / slope, rel=1e-8)
    assert bent.array("rod.start.elastic_moment")[0] == pytest.approx(4.5 / slope, rel=1e-6)
    inner = [bent.array(f"rod.node{k}.elastic_moment")[0] for k in range(2, 9)]
    assert max(inner) < 1e-8


def test_energies_of_a_motion(swinging):
    assert swinging.array("rod.kinetic_energy") == pytest.approx(swinging.array("energy.kinetic"), abs=1e-12)
    assert swinging.array("rod.dissipated") == pytest.approx(swinging.array("energy.dissipated"), abs=1e-15)
    assert swinging.array("rod.dissipated")[-1] > 0.01


# outputs, datasets, files


def test_dataset_has_dimensions_units_and_names(swinging):
    data = swinging.beam("rod", points=2)
    assert dict(data.sizes) == {"time": 501, "s": 19} and data.s.values[[0, -1]] == pytest.approx([0, L])
    for name, variable in data.data_vars.items():
        assert variable.dims == (("time",) if name == "strain_energy" else ("time", "s"))
        assert variable.attrs["units"] and variable.attrs["long_name"] and np.isfinite(variable.values).all()
    assert data.bending_moment.units == "N m" and data.curvature.units == "1/m" and data.stress_left.units == "Pa"
    assert data.strain_energy_density.units == "J/m" and data.s.units == "m" and data.attrs["beam"] == "rod"
    assert list(swinging.beam("rod", "x", "y", points=0).data_vars) == ["x", "y"]


def test_outputs_of_nodes_are_those_along_the_beam(swinging):
    nodes = swinging.beam("rod", points=0)
    for what in NODE_QUANTITIES:
        if what != "elastic_moment":
            for k in (0, 2, 6):
                found, unit = swinging[f"rod.node{k + 1}.{what}"], swinging.catalogue[f"rod.node{k + 1}.{what}"].unit
                assert found.values == pytest.approx(nodes[what].values[:, k], rel=1e-9, abs=1e-12)
                assert found.units == unit == nodes[what].units
    assert np.array_equal(swinging.array("rod.end.bending_moment"), swinging.array("rod.node7.bending_moment"))
    assert np.array_equal(swinging.array("T.curvature"), swinging.array("rod.T.curvature"))
    assert swinging.array("rod.node3.angle") == pytest.approx(swinging.beam("rod", points=0).angle.values[:, 2])


@pytest.mark.parametrize("what", [*WHOLE_BEAM_QUANTITIES, "dissipated"])
def test_outputs_of_the_whole_beam(swinging, what):
    found = swinging[f"rod.{what}"]
    assert found.shape == swinging.time.shape and np.isfinite(found.values).all() and found.units
    assert f"rod.{what}" in swinging.names
    between = swinging.catalogue[f"rod.{what}"].values(swinging.at([0.0123, 0.0456]))
    assert between.shape == (2,)


def test_largest_values(pulled):
    data = pulled.beam("rod", points=1)
    assert pulled.array("rod.max_bending_moment")[0] == np.abs(data.bending_moment.values).max()
    assert pulled.array("rod.max_stress")[0] == pytest.approx(np.abs(data.stress_left.values).max(), rel=1e-12)
    assert pulled.array("rod.max_strain")[0] >= np.abs(data.strain_right.values).max()


def test_angles_are_continuous_beyond_half_a_turn():
    """Beam coiled by 1.5 turns; the angle jumps neither along the beam nor in time."""
    run = cantilever(24).force.moment("rod.end", f"{3 * np.pi * EI / L}*t").static_path(1.0, steps=12)
    angle = run.beam("rod", "angle").angle
    assert float(angle[-1, -1]) == pytest.approx(3 * np.pi, rel=1e-3)
    assert np.abs(np.diff(angle.values, axis=0)).max() < 1.0


def test_beams_in_model_file_netcdf_and_summary(tmp_path):
    names = ["rod.node3.curvature", "rod.max_stress", "rod.strain_energy", "T.bending_moment"]
    model = cantilever(4).force.moment("rod.end", 1.0).output(*names)
    model.save(tmp_path / "m.yaml")
    run = gw.load(tmp_path / "m.yaml").static()
    assert run.summary()["final"]["T.bending_moment"] == pytest.approx(1.0)
    again = gw.load_result(run.save(tmp_path / "r.nc"))
    assert list(again.dataset().data_vars) == names
    assert again.beam("rod").equals(run.beam("rod"))


def test_files_contain_named_points_of_a_fine_mesh_by_default():
    names = cantilever(40).static().default_names()
    assert "rod.max_stress" in names and "rod.end.x" in names and not any("node" in name for name in names)


def test_a_fine_mesh_does_not_make_the_catalogue_slow():
    coarse, catalogue = (OutputCatalogue(cantilever(n).mechanism()) for n in (2, 1000))
    assert len(catalogue.outputs.ready) == len(coarse.outputs.ready)  # outputs of nodes are created on request
    assert "rod.node777.bending_moment" in catalogue.outputs and len(catalogue.outputs) > 20_000
    assert len(list(catalogue.outputs)) == len(set(catalogue.outputs)) == len(catalogue.outputs)


def test_contacts_along_a_fine_mesh_do_not_make_the_catalogue_slow():
    law = gw.laws.HuntCrossley(stiffness=1e5, restitution=0.5)
    model = cantilever(400).contact(
        gw.surfaces.Along("rod"), gw.surfaces.LineGround(level=-0.01), law=law, name="floor"
    )
    outputs = OutputCatalogue(model.mechanism()).outputs
    assert not any("node7" in name for name in outputs.ready)
    assert "floor.normal_force" in outputs and "floor:node7.dissipated" in outputs and "floor:node7.x" in outputs
    assert "floor:node402.gap" not in outputs and "floor:node7.force" not in outputs
    assert len(list(outputs)) == len(set(outputs)) == len(outputs)


@pytest.mark.parametrize("name", ["rod.node0.x", "rod.node10.x", "rod.node03.x", "node3.x", "rod.x", "O.x", "rod.T.fx"])
def test_unknown_outputs_are_refused(bent, name):
    assert name not in bent.catalogue.outputs
    with pytest.raises(gw.ModelError, match="there is no output"):
        bent[name]


# errors


BARE = {"bending_stiffness": EI, "axial_stiffness": EA, "mass_per_length": RHO_A}


@pytest.mark.parametrize(
    ("section", "what", "missing"),
    [
        (BARE, "strain_left", "height"),
        (BARE, "stress_right", "height"),
        ({**BARE, "height": H}, "stress_left", "youngs_modulus"),
    ],
)
def test_missing_section_data_are_reported(section, what, missing):
    model = cantilever(2, section=section)
    run = model.static()
    assert what not in run.beam("rod") and f"rod.node2.{what}" not in run.names
    for ask in (lambda: run.beam("rod", what), lambda: run[f"rod.node2.{what}"],
                lambda: model.output(f"rod.end.{what}").mechanism()):  # fmt: skip
        with pytest.raises(gw.ModelError, match=f"beam 'rod' field '{missing}': is not known"):
            ask()


def test_largest_strain_needs_a_height():
    with pytest.raises(gw.ModelError, match="no max strain; expected height, or diameter"):
        cantilever(2, section=BARE).static()["rod.max_strain"]


def test_strain_at_surfaces_needs_no_youngs_modulus():
    run = cantilever(2, section={**BARE, "height": H}).force.moment("rod.end", 1.0).static()
    assert run.array("rod.max_strain")[0] == pytest.approx(H / 2 / EI, rel=1e-6)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda run: run.beam("rope"), "there is no beam 'rope'; expected one of rod"),
        (lambda run: run.beam("rod", "torsion"), "no quantity 'torsion' along a beam; expected one of x, y"),
        (lambda run: run.beam("rod", points=-1), "field 'points': is not a number of points"),
        (lambda run: run.beam("rod", points=1.5), "field 'points': is not a number of points"),
        (lambda run: run["rod.max_stretch"], "did you mean rod.max_stress"),
        (lambda run: run.plot_along("rod", "strain_energy"), "one number for the whole beam"),
        (lambda run: run.scene(colour="torsion"), "no quantity 'torsion'"),
    ],
)
def test_errors_name_the_remedy(bent, ask, message):
    with pytest.raises(gw.ModelError, match=message):
        ask(bent)
