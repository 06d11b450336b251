"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.pose. Do not edit."""

KIND = "placed_pose"
N_DOF, N_PAR, N_SIG = 15, 0, 3
SYMMETRIC = False
TWIST_V = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 9), (1, 10), (1, 11), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 12), (2, 13), (2, 14), (3, 9), (3, 10), (3, 11), (3, 12), (3, 13), (3, 14), (4, 6), (4, 7), (4, 8), (4, 12), (4, 13), (4, 14), (5, 6), (5, 7), (5, 8), (5, 9), (5, 10), (5, 11))
TWIST_Q = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 9), (1, 10), (1, 11), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 12), (2, 13), (2, 14), (3, 9), (3, 10), (3, 11), (3, 12), (3, 13), (3, 14), (4, 6), (4, 7), (4, 8), (4, 12), (4, 13), (4, 14), (5, 6), (5, 7), (5, 8), (5, 9), (5, 10), (5, 11))
TANGENT = ((0, 6), (0, 9), (0, 12), (1, 7), (1, 10), (1, 13), (2, 8), (2, 11), (2, 14), (3, 6), (3, 9), (3, 12), (4, 7), (4, 10), (4, 13), (5, 8), (5, 11), (5, 14), (6, 0), (6, 3), (6, 9), (6, 12), (7, 1), (7, 4), (7, 10), (7, 13), (8, 2), (8, 5), (8, 11), (8, 14), (9, 0), (9, 3), (9, 6), (9, 12), (10, 1), (10, 4), (10, 7), (10, 13), (11, 2), (11, 5), (11, 8), (11, 14), (12, 0), (12, 3), (12, 6), (12, 9), (13, 1), (13, 4), (13, 7), (13, 10), (14, 2), (14, 5), (14, 8), (14, 11))
ACTING = 15
VARIABLES = (
    ('position', 1, 0), ('position', 1, 1), ('position', 1, 2), ('position', 0, 0), ('position', 0, 1),
    ('position', 0, 2), ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('axis', 0, 0, 2), ('axis', 0, 1, 0), ('axis', 0, 1, 1),
    ('axis', 0, 1, 2), ('axis', 0, 2, 0), ('axis', 0, 2, 1), ('axis', 0, 2, 2),
)

def frame(count, sig, u, q, v, out):
    for e in range(count):
        x_b = q[15 * e + 0]
        y_b = q[15 * e + 1]
        z_b = q[15 * e + 2]
        x_a = q[15 * e + 3]
        y_a = q[15 * e + 4]
        z_a = q[15 * e + 5]
        e1x_a = q[15 * e + 6]
        e1y_a = q[15 * e + 7]
        e1z_a = q[15 * e + 8]
        e2x_a = q[15 * e + 9]
        e2y_a = q[15 * e + 10]
        e2z_a = q[15 * e + 11]
        e3x_a = q[15 * e + 12]
        e3y_a = q[15 * e + 13]
        e3z_a = q[15 * e + 14]
        v_x_b = v[15 * e + 0]
        v_y_b = v[15 * e + 1]
        v_z_b = v[15 * e + 2]
        v_x_a = v[15 * e + 3]
        v_y_a = v[15 * e + 4]
        v_z_a = v[15 * e + 5]
        v_e1x_a = v[15 * e + 6]
        v_e1y_a = v[15 * e + 7]
        v_e1z_a = v[15 * e + 8]
        v_e2x_a = v[15 * e + 9]
        v_e2y_a = v[15 * e + 10]
        v_e2z_a = v[15 * e + 11]
        v_e3x_a = v[15 * e + 12]
        v_e3y_a = v[15 * e + 13]
        v_e3z_a = v[15 * e + 14]
        displacement_x = u[3 * sig[3 * e + 0]]
        displacement_x_t = u[3 * sig[3 * e + 0] + 1]
        displacement_y = u[3 * sig[3 * e + 1]]
        displacement_y_t = u[3 * sig[3 * e + 1] + 1]
        displacement_z = u[3 * sig[3 * e + 2]]
        displacement_z_t = u[3 * sig[3 * e + 2] + 1]
        c0 = -displacement_x - x_a + x_b
        c1 = -displacement_y - y_a + y_b
        c2 = -displacement_z - z_a + z_b
        c3 = displacement_x_t*e1x_a + displacement_y_t*e1y_a + displacement_z_t*e1z_a
        c4 = displacement_x_t*e2x_a + displacement_y_t*e2y_a + displacement_z_t*e2z_a
        c5 = displacement_x_t*e3x_a + displacement_y_t*e3y_a + displacement_z_t*e3z_a
        c6 = (0.5)*v_e3x_a
        c7 = (0.5)*v_e3y_a
        c8 = (0.5)*v_e3z_a
        out[30 * e + 0] = e1x_a*c0 + e1y_a*c1 + e1z_a*c2
        out[30 * e + 1] = e2x_a*c0 + e2y_a*c1 + e2z_a*c2
        out[30 * e + 2] = e3x_a*c0 + e3y_a*c1 + e3z_a*c2
        out[30 * e + 3] = -e1x_a*v_x_a + e1x_a*v_x_b - e1y_a*v_y_a + e1y_a*v_y_b - e1z_a*v_z_a + e1z_a*v_z_b + v_e1x_a*c0 + v_e1y_a*c1 + v_e1z_a*c2 - c3
        out[30 * e + 4] = -e2x_a*v_x_a + e2x_a*v_x_b - e2y_a*v_y_a + e2y_a*v_y_b - e2z_a*v_z_a + e2z_a*v_z_b + v_e2x_a*c0 + v_e2y_a*c1 + v_e2z_a*c2 - c4
        out[30 * e + 5] = -e3x_a*v_x_a + e3x_a*v_x_b - e3y_a*v_y_a + e3y_a*v_y_b - e3z_a*v_z_a + e3z_a*v_z_b + v_e3x_a*c0 + v_e3y_a*c1 + v_e3z_a*c2 - c5
        out[30 * e + 6] = e2x_a*c6 + e2y_a*c7 + e2z_a*c8 - 0.5*e3x_a*v_e2x_a - 0.5*e3y_a*v_e2y_a - 0.5*e3z_a*v_e2z_a
        out[30 * e + 7] = -e1x_a*c6 - e1y_a*c7 - e1z_a*c8 + (0.5)*e3x_a*v_e1x_a + (0.5)*e3y_a*v_e1y_a + (0.5)*e3z_a*v_e1z_a
        out[30 * e + 8] = (0.5)*e1x_a*v_e2x_a + (0.5)*e1y_a*v_e2y_a + (0.5)*e1z_a*v_e2z_a - 0.5*e2x_a*v_e1x_a - 0.5*e2y_a*v_e1y_a - 0.5*e2z_a*v_e1z_a
        out[30 * e + 9] = -c3
        out[30 * e + 10] = -c4
        out[30 * e + 11] = -c5
        out[30 * e + 12] = out[30 * e + 21] = e1x_a
        out[30 * e + 13] = out[30 * e + 24] = e2x_a
        out[30 * e + 14] = out[30 * e + 27] = e3x_a
        out[30 * e + 15] = out[30 * e + 22] = e1y_a
        out[30 * e + 16] = out[30 * e + 25] = e2y_a
        out[30 * e + 17] = out[30 * e + 28] = e3y_a
        out[30 * e + 18] = x_b
        out[30 * e + 19] = y_b
        out[30 * e + 20] = z_b
        out[30 * e + 23] = e1z_a
        out[30 * e + 26] = e2z_a
        out[30 * e + 29] = e3z_a

def press(count, sig, u, q, coef, out):
    for e in range(count):
        x_b = q[15 * e + 0]
        y_b = q[15 * e + 1]
        z_b = q[15 * e + 2]
        x_a = q[15 * e + 3]
        y_a = q[15 * e + 4]
        z_a = q[15 * e + 5]
        e1x_a = q[15 * e + 6]
        e1y_a = q[15 * e + 7]
        e1z_a = q[15 * e + 8]
        e2x_a = q[15 * e + 9]
        e2y_a = q[15 * e + 10]
        e2z_a = q[15 * e + 11]
        e3x_a = q[15 * e + 12]
        e3y_a = q[15 * e + 13]
        e3z_a = q[15 * e + 14]
        displacement_x = u[3 * sig[3 * e + 0]]
        displacement_y = u[3 * sig[3 * e + 1]]
        displacement_z = u[3 * sig[3 * e + 2]]
        w_0 = coef[6 * e + 0]
        w_1 = coef[6 * e + 1]
        w_2 = coef[6 * e + 2]
        w_3 = coef[6 * e + 3]
        w_4 = coef[6 * e + 4]
        w_5 = coef[6 * e + 5]
        c0 = e1x_a*w_0 + e2x_a*w_1 + e3x_a*w_2
        c1 = e1y_a*w_0 + e2y_a*w_1 + e3y_a*w_2
        c2 = e1z_a*w_0 + e2z_a*w_1 + e3z_a*w_2
        c3 = (0.5)*w_5
        c4 = (0.5)*w_4
        c5 = -displacement_x - x_a + x_b
        c6 = -displacement_y - y_a + y_b
        c7 = -displacement_z - z_a + z_b
        c8 = (0.5)*w_3
        out[15 * e + 0] = c0
        out[15 * e + 1] = c1
        out[15 * e + 2] = c2
        out[15 * e + 3] = -c0
        out[15 * e + 4] = -c1
        out[15 * e + 5] = -c2
        out[15 * e + 6] = -e2x_a*c3 + e3x_a*c4 + w_0*c5
        out[15 * e + 7] = -e2y_a*c3 + e3y_a*c4 + w_0*c6
        out[15 * e + 8] = -e2z_a*c3 + e3z_a*c4 + w_0*c7
        out[15 * e + 9] = e1x_a*c3 - e3x_a*c8 + w_1*c5
        out[15 * e + 10] = e1y_a*c3 - e3y_a*c8 + w_1*c6
        out[15 * e + 11] = e1z_a*c3 - e3z_a*c8 + w_1*c7
        out[15 * e + 12] = -e1x_a*c4 + e2x_a*c8 + w_2*c5
        out[15 * e + 13] = -e1y_a*c4 + e2y_a*c8 + w_2*c6
        out[15 * e + 14] = -e1z_a*c4 + e2z_a*c8 + w_2*c7

def tangent(count, sig, u, q, v, coef, out, kq):
    for e in range(count):
        x_b = q[15 * e + 0]
        y_b = q[15 * e + 1]
        z_b = q[15 * e + 2]
        x_a = q[15 * e + 3]
        y_a = q[15 * e + 4]
        z_a = q[15 * e + 5]
        e1x_a = q[15 * e + 6]
        e1y_a = q[15 * e + 7]
        e1z_a = q[15 * e + 8]
        e2x_a = q[15 * e + 9]
        e2y_a = q[15 * e + 10]
        e2z_a = q[15 * e + 11]
        e3x_a = q[15 * e + 12]
        e3y_a = q[15 * e + 13]
        e3z_a = q[15 * e + 14]
        v_x_b = v[15 * e + 0]
        v_y_b = v[15 * e + 1]
        v_z_b = v[15 * e + 2]
        v_x_a = v[15 * e + 3]
        v_y_a = v[15 * e + 4]
        v_z_a = v[15 * e + 5]
        v_e1x_a = v[15 * e + 6]
        v_e1y_a = v[15 * e + 7]
        v_e1z_a = v[15 * e + 8]
        v_e2x_a = v[15 * e + 9]
        v_e2y_a = v[15 * e + 10]
        v_e2z_a = v[15 * e + 11]
        v_e3x_a = v[15 * e + 12]
        v_e3y_a = v[15 * e + 13]
        v_e3z_a = v[15 * e + 14]
        displacement_x = u[3 * sig[3 * e + 0]]
        displacement_x_t = u[3 * sig[3 * e + 0] + 1]
        displacement_y = u[3 * sig[3 * e + 1]]
        displacement_y_t = u[3 * sig[3 * e + 1] + 1]
        displacement_z = u[3 * sig[3 * e + 2]]
        displacement_z_t = u[3 * sig[3 * e + 2] + 1]
        w_0 = coef[6 * e + 0]
        w_1 = coef[6 * e + 1]
        w_2 = coef[6 * e + 2]
        w_3 = coef[6 * e + 3]
        w_4 = coef[6 * e + 4]
        w_5 = coef[6 * e + 5]
        c0 = -displacement_x - x_a + x_b
        c1 = -displacement_y - y_a + y_b
        c2 = -displacement_z - z_a + z_b
        c3 = (0.5)*e3x_a
        c4 = (0.5)*e3y_a
        c5 = (0.5)*e3z_a
        c6 = (0.5)*e2x_a
        c7 = (0.5)*e2y_a
        c8 = (0.5)*e2z_a
        c9 = (0.5)*e1x_a
        c10 = (0.5)*e1y_a
        c11 = (0.5)*e1z_a
        c12 = -displacement_x_t - v_x_a + v_x_b
        c13 = -displacement_y_t - v_y_a + v_y_b
        c14 = -displacement_z_t - v_z_a + v_z_b
        c15 = (0.5)*v_e3x_a
        c16 = (0.5)*v_e3y_a
        c17 = (0.5)*v_e3z_a
        c18 = (0.5)*v_e2x_a
        c19 = (0.5)*v_e2y_a
        c20 = (0.5)*v_e2z_a
        c21 = (0.5)*v_e1x_a
        c22 = (0.5)*v_e1y_a
        c23 = (0.5)*v_e1z_a
        c27 = (0.5)*w_5
        c28 = (0.5)*w_4
        c31 = (0.5)*w_3
        out[90 * e + 0] = e1x_a
        out[90 * e + 1] = e1y_a
        out[90 * e + 2] = e1z_a
        out[90 * e + 3] = -e1x_a
        out[90 * e + 4] = -e1y_a
        out[90 * e + 5] = -e1z_a
        out[90 * e + 6] = out[90 * e + 15] = out[90 * e + 24] = c0
        out[90 * e + 7] = out[90 * e + 16] = out[90 * e + 25] = c1
        out[90 * e + 8] = out[90 * e + 17] = out[90 * e + 26] = c2
        out[90 * e + 9] = e2x_a
        out[90 * e + 10] = e2y_a
        out[90 * e + 11] = e2z_a
        out[90 * e + 12] = -e2x_a
        out[90 * e + 13] = -e2y_a
        out[90 * e + 14] = -e2z_a
        out[90 * e + 18] = e3x_a
        out[90 * e + 19] = e3y_a
        out[90 * e + 20] = e3z_a
        out[90 * e + 21] = -e3x_a
        out[90 * e + 22] = -e3y_a
        out[90 * e + 23] = -e3z_a
        out[90 * e + 27] = -c3
        out[90 * e + 28] = -c4
        out[90 * e + 29] = -c5
        out[90 * e + 30] = c6
        out[90 * e + 31] = c7
        out[90 * e + 32] = c8
        out[90 * e + 33] = c3
        out[90 * e + 34] = c4
        out[90 * e + 35] = c5
        out[90 * e + 36] = -c9
        out[90 * e + 37] = -c10
        out[90 * e + 38] = -c11
        out[90 * e + 39] = -c6
        out[90 * e + 40] = -c7
        out[90 * e + 41] = -c8
        out[90 * e + 42] = c9
        out[90 * e + 43] = c10
        out[90 * e + 44] = c11
        out[90 * e + 45] = v_e1x_a
        out[90 * e + 46] = v_e1y_a
        out[90 * e + 47] = v_e1z_a
        out[90 * e + 48] = -v_e1x_a
        out[90 * e + 49] = -v_e1y_a
        out[90 * e + 50] = -v_e1z_a
        out[90 * e + 51] = out[90 * e + 60] = out[90 * e + 69] = c12
        out[90 * e + 52] = out[90 * e + 61] = out[90 * e + 70] = c13
        out[90 * e + 53] = out[90 * e + 62] = out[90 * e + 71] = c14
        out[90 * e + 54] = v_e2x_a
        out[90 * e + 55] = v_e2y_a
        out[90 * e + 56] = v_e2z_a
        out[90 * e + 57] = -v_e2x_a
        out[90 * e + 58] = -v_e2y_a
        out[90 * e + 59] = -v_e2z_a
        out[90 * e + 63] = v_e3x_a
        out[90 * e + 64] = v_e3y_a
        out[90 * e + 65] = v_e3z_a
        out[90 * e + 66] = -v_e3x_a
        out[90 * e + 67] = -v_e3y_a
        out[90 * e + 68] = -v_e3z_a
        out[90 * e + 72] = c15
        out[90 * e + 73] = c16
        out[90 * e + 74] = c17
        out[90 * e + 75] = -c18
        out[90 * e + 76] = -c19
        out[90 * e + 77] = -c20
        out[90 * e + 78] = -c15
        out[90 * e + 79] = -c16
        out[90 * e + 80] = -c17
        out[90 * e + 81] = c21
        out[90 * e + 82] = c22
        out[90 * e + 83] = c23
        out[90 * e + 84] = c18
        out[90 * e + 85] = c19
        out[90 * e + 86] = c20
        out[90 * e + 87] = -c21
        out[90 * e + 88] = -c22
        out[90 * e + 89] = -c23
        kq[54 * e + 0] = kq[54 * e + 3] = kq[54 * e + 6] = kq[54 * e + 18] = kq[54 * e + 22] = kq[54 * e + 26] = -w_0
        kq[54 * e + 1] = kq[54 * e + 4] = kq[54 * e + 7] = kq[54 * e + 30] = kq[54 * e + 34] = kq[54 * e + 38] = -w_1
        kq[54 * e + 2] = kq[54 * e + 5] = kq[54 * e + 8] = kq[54 * e + 42] = kq[54 * e + 46] = kq[54 * e + 50] = -w_2
        kq[54 * e + 9] = kq[54 * e + 12] = kq[54 * e + 15] = kq[54 * e + 19] = kq[54 * e + 23] = kq[54 * e + 27] = w_0
        kq[54 * e + 10] = kq[54 * e + 13] = kq[54 * e + 16] = kq[54 * e + 31] = kq[54 * e + 35] = kq[54 * e + 39] = w_1
        kq[54 * e + 11] = kq[54 * e + 14] = kq[54 * e + 17] = kq[54 * e + 43] = kq[54 * e + 47] = kq[54 * e + 51] = w_2
        kq[54 * e + 20] = kq[54 * e + 24] = kq[54 * e + 28] = c27
        kq[54 * e + 21] = kq[54 * e + 25] = kq[54 * e + 29] = -c28
        kq[54 * e + 32] = kq[54 * e + 36] = kq[54 * e + 40] = -c27
        kq[54 * e + 33] = kq[54 * e + 37] = kq[54 * e + 41] = c31
        kq[54 * e + 44] = kq[54 * e + 48] = kq[54 * e + 52] = c28
        kq[54 * e + 45] = kq[54 * e + 49] = kq[54 * e + 53] = -c31
