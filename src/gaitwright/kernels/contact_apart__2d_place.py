"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.apart. Do not edit."""

KIND = "placed_pose"
N_DOF, N_PAR, N_SIG = 4, 0, 0
SYMMETRIC = False
TWIST_V = ((0, 0), (0, 2), (1, 1), (1, 3))
TWIST_Q = ()
TANGENT = ()
ACTING = 4
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1), ('position', 1, 0), ('position', 1, 1),
)

def frame(count, sig, u, q, v, out):
    for e in range(count):
        x_a = q[4 * e + 0]
        y_a = q[4 * e + 1]
        x_b = q[4 * e + 2]
        y_b = q[4 * e + 3]
        v_x_a = v[4 * e + 0]
        v_y_a = v[4 * e + 1]
        v_x_b = v[4 * e + 2]
        v_y_b = v[4 * e + 3]
        out[15 * e + 0] = -x_a + x_b
        out[15 * e + 1] = -y_a + y_b
        out[15 * e + 2] = -v_x_a + v_x_b
        out[15 * e + 3] = -v_y_a + v_y_b
        out[15 * e + 4] = out[15 * e + 5] = out[15 * e + 6] = out[15 * e + 8] = out[15 * e + 12] = 0.0
        out[15 * e + 7] = out[15 * e + 11] = out[15 * e + 14] = 1.0
        out[15 * e + 9] = x_b
        out[15 * e + 10] = y_b
        out[15 * e + 13] = 0.0

def press(count, sig, u, q, coef, out):
    for e in range(count):
        w_0 = coef[3 * e + 0]
        w_1 = coef[3 * e + 1]
        out[4 * e + 0] = -w_0
        out[4 * e + 1] = -w_1
        out[4 * e + 2] = w_0
        out[4 * e + 3] = w_1

def tangent(count, sig, u, q, v, coef, out, kq):
    for e in range(count):
        out[4 * e + 0] = out[4 * e + 2] = -1.0
        out[4 * e + 1] = out[4 * e + 3] = 1.0
