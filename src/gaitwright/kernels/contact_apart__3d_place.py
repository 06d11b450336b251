"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.apart. Do not edit."""

KIND = "placed_pose"
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

def frame(count, sig, u, q, v, out):
    for e in range(count):
        x_a = q[6 * e + 0]
        y_a = q[6 * e + 1]
        z_a = q[6 * e + 2]
        x_b = q[6 * e + 3]
        y_b = q[6 * e + 4]
        z_b = q[6 * e + 5]
        v_x_a = v[6 * e + 0]
        v_y_a = v[6 * e + 1]
        v_z_a = v[6 * e + 2]
        v_x_b = v[6 * e + 3]
        v_y_b = v[6 * e + 4]
        v_z_b = v[6 * e + 5]
        out[30 * e + 0] = -x_a + x_b
        out[30 * e + 1] = -y_a + y_b
        out[30 * e + 2] = -z_a + z_b
        out[30 * e + 3] = -v_x_a + v_x_b
        out[30 * e + 4] = -v_y_a + v_y_b
        out[30 * e + 5] = -v_z_a + v_z_b
        out[30 * e + 6] = out[30 * e + 7] = out[30 * e + 8] = out[30 * e + 9] = out[30 * e + 10] = 0.0
        out[30 * e + 11] = out[30 * e + 13] = out[30 * e + 14] = out[30 * e + 15] = out[30 * e + 17] = 0.0
        out[30 * e + 12] = out[30 * e + 16] = out[30 * e + 21] = out[30 * e + 25] = out[30 * e + 29] = 1.0
        out[30 * e + 18] = x_b
        out[30 * e + 19] = y_b
        out[30 * e + 20] = z_b
        out[30 * e + 22] = out[30 * e + 23] = out[30 * e + 24] = out[30 * e + 26] = out[30 * e + 27] = 0.0
        out[30 * e + 28] = 0.0

def press(count, sig, u, q, coef, out):
    for e in range(count):
        w_0 = coef[6 * e + 0]
        w_1 = coef[6 * e + 1]
        w_2 = coef[6 * e + 2]
        out[6 * e + 0] = -w_0
        out[6 * e + 1] = -w_1
        out[6 * e + 2] = -w_2
        out[6 * e + 3] = w_0
        out[6 * e + 4] = w_1
        out[6 * e + 5] = w_2

def tangent(count, sig, u, q, v, coef, out, kq):
    for e in range(count):
        out[6 * e + 0] = out[6 * e + 2] = out[6 * e + 4] = -1.0
        out[6 * e + 1] = out[6 * e + 3] = out[6 * e + 5] = 1.0
