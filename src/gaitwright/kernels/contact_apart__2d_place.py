"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.apart. Do not edit."""

KIND = "pose"
N_DOF, N_PAR, N_SIG = 4, 0, 0
SYMMETRIC = False
TWIST_V = ((0, 0), (0, 2), (1, 1), (1, 3))
TWIST_Q = ()
TANGENT = ()
ACTING = 4
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1), ('position', 1, 0), ('position', 1, 1),
)


def frame(count, dof, par, sig, q, v, u, out, twist):
    for e in range(count):
        x_a = q[dof[4 * e + 0]]
        y_a = q[dof[4 * e + 1]]
        x_b = q[dof[4 * e + 2]]
        y_b = q[dof[4 * e + 3]]
        v_x_a = v[dof[4 * e + 0]]
        v_y_a = v[dof[4 * e + 1]]
        v_x_b = v[dof[4 * e + 2]]
        v_y_b = v[dof[4 * e + 3]]
        out[15 * e + 0] = -x_a + x_b
        out[15 * e + 1] = -y_a + y_b
        out[15 * e + 2] = -v_x_a + v_x_b
        out[15 * e + 3] = -v_y_a + v_y_b
        out[15 * e + 4] = 0.0
        out[15 * e + 5] = 0.0
        out[15 * e + 6] = 0.0
        out[15 * e + 7] = 1.0
        out[15 * e + 8] = 0.0
        out[15 * e + 9] = x_b
        out[15 * e + 10] = y_b
        out[15 * e + 11] = 1.0
        out[15 * e + 12] = 0.0
        out[15 * e + 13] = 0.0
        out[15 * e + 14] = 1.0
        twist[4 * e + 0] = -1.0
        twist[4 * e + 1] = 1.0
        twist[4 * e + 2] = -1.0
        twist[4 * e + 3] = 1.0


def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
    pass
