"""Functions compiled ahead are those that analyses call, with the same types."""

import pytest

import gaitwright as gw
from gaitwright.analysis.forward import choose_method
from gaitwright.analysis.precompile import forward_pieces, kinematic_pieces
from gaitwright.mechanisms.four_bar import four_bar

METHODS = ["euler", "gauss2", "generalized-alpha", "dopri5", "radau5", "rosenbrock23"]


def touching(model):
    law = gw.laws.LankaraniNikravesh(stiffness=2e4, restitution=0.5)
    return model.contact("crank.A", gw.surfaces.LineGround(level=-1.0), law=law, friction=gw.friction.Coulomb(0.4))


def missing(pieces):
    """Functions that were not compiled for the types with which they would be compiled ahead."""
    return [p.function.__name__ for p in pieces if not p.pointer and tuple(p.signature) not in p.function.overloads]


@pytest.mark.parametrize("name", METHODS)
def test_forward(name):
    adaptive = choose_method(name, None).adaptive
    four_bar().simulate(2e-3, method=name, **({} if adaptive else {"step": 1e-3}))
    pieces = forward_pieces(choose_method(name, None), contacts=False)
    assert len(pieces) == 2 and missing(pieces) == []


def test_contacts_come_on_top():
    with_contacts, without = (forward_pieces(choose_method("dopri5", None), contacts) for contacts in (True, False))
    assert [piece.function.__name__ for piece in with_contacts if piece not in without] == [
        "_commit_events",
        "_check_events",
    ]


@pytest.mark.parametrize("contacts", [False, True])
def test_kinematics(contacts):
    model = touching(four_bar()) if contacts else four_bar()
    model.kinematics(2e-3, step=1e-3)
    pieces = kinematic_pieces(contacts)
    assert len(pieces) == 2 and missing(pieces) == []
