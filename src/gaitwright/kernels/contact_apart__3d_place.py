"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.apart. Do not edit."""

KIND = "pose"
N_DOF, N_PAR, N_SIG = 6, 0, 0
SYMMETRIC = False
TWIST_V = ((0, 0), (0, 3), (1, 1), (1, 4), (2, 2), (2, 5))
TWIST_Q = ()
TANGENT = ()
ACTING = 6
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1), ('position', 0, 2), ('position', 1, 0), ('position', 1, 1),
    ('position', 1, 2),
)


def frame(count, dof, par, sig, q, v, u, out, twist):
    for e in range(count):
        x_a = q[dof[6 * e + 0]]
        y_a = q[dof[6 * e + 1]]
        z_a = q[dof[6 * e + 2]]
        x_b = q[dof[6 * e + 3]]
        y_b = q[dof[6 * e + 4]]
        z_b = q[dof[6 * e + 5]]
        v_x_a = v[dof[6 * e + 0]]
        v_y_a = v[dof[6 * e + 1]]
        v_z_a = v[dof[6 * e + 2]]
        v_x_b = v[dof[6 * e + 3]]
        v_y_b = v[dof[6 * e + 4]]
        v_z_b = v[dof[6 * e + 5]]
        out[30 * e + 0] = -x_a + x_b
        out[30 * e + 1] = -y_a + y_b
        out[30 * e + 2] = -z_a + z_b
        out[30 * e + 3] = -v_x_a + v_x_b
        out[30 * e + 4] = -v_y_a + v_y_b
        out[30 * e + 5] = -v_z_a + v_z_b
        out[30 * e + 6] = 0.0
        out[30 * e + 7] = 0.0
        out[30 * e + 8] = 0.0
        out[30 * e + 9] = 0.0
        out[30 * e + 10] = 0.0
        out[30 * e + 11] = 0.0
        out[30 * e + 12] = 1.0
        out[30 * e + 13] = 0.0
        out[30 * e + 14] = 0.0
        out[30 * e + 15] = 0.0
        out[30 * e + 16] = 1.0
        out[30 * e + 17] = 0.0
        out[30 * e + 18] = x_b
        out[30 * e + 19] = y_b
        out[30 * e + 20] = z_b
        out[30 * e + 21] = 1.0
        out[30 * e + 22] = 0.0
        out[30 * e + 23] = 0.0
        out[30 * e + 24] = 0.0
        out[30 * e + 25] = 1.0
        out[30 * e + 26] = 0.0
        out[30 * e + 27] = 0.0
        out[30 * e + 28] = 0.0
        out[30 * e + 29] = 1.0
        twist[6 * e + 0] = -1.0
        twist[6 * e + 1] = 1.0
        twist[6 * e + 2] = -1.0
        twist[6 * e + 3] = 1.0
        twist[6 * e + 4] = -1.0
        twist[6 * e + 5] = 1.0


def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
    pass
