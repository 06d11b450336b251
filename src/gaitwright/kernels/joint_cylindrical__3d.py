"""Printed by gaitwright.derive from gaitwright.physics.joints.cylindrical. Do not edit."""

from math import atan2

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 30, 16, 0, 4
JACOBIAN = ((0, 12), (1, 13), (2, 14), (3, 15))
HESSIAN = ()
SYMMETRIC = True
ACTING = 16
VARIABLES = (
    ('direction', 0, (7, 8, 9), 0), ('direction', 0, (7, 8, 9), 1), ('direction', 0, (7, 8, 9), 2),
    ('direction', 0, (10, 11, 12), 0), ('direction', 0, (10, 11, 12), 1), ('direction', 0, (10, 11, 12), 2),
    ('direction', 1, (3, 4, 5), 0), ('direction', 1, (3, 4, 5), 1), ('direction', 1, (3, 4, 5), 2), ('between', 0, 1, 0),
    ('between', 0, 1, 1), ('between', 0, 1, 2), ('quadratic', 0.0, ((1.0, 0, 9), (1.0, 1, 10), (1.0, 2, 11))),
    ('quadratic', 0.0, ((1.0, 3, 9), (1.0, 4, 10), (1.0, 5, 11))),
    ('quadratic', 0.0, ((1.0, 0, 6), (1.0, 1, 7), (1.0, 2, 8))),
    ('quadratic', 0.0, ((1.0, 6, 3), (1.0, 7, 4), (1.0, 8, 5))), ('position', 1, 0), ('position', 1, 1),
    ('position', 1, 2), ('position', 0, 0), ('position', 0, 1), ('position', 0, 2), ('direction', 1, (13, 14, 15), 0),
    ('direction', 1, (13, 14, 15), 1), ('direction', 1, (13, 14, 15), 2), ('direction', 0, (0, 1, 2), 0),
    ('direction', 0, (0, 1, 2), 1), ('direction', 0, (0, 1, 2), 2),
    ('quadratic', 0.0, ((1.0, 22, 3), (1.0, 23, 4), (1.0, 24, 5))),
    ('quadratic', 0.0, ((1.0, 0, 22), (1.0, 1, 23), (1.0, 2, 24))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z18 = q[dof[30 * e + 12]]
        z19 = q[dof[30 * e + 13]]
        z20 = q[dof[30 * e + 14]]
        z21 = q[dof[30 * e + 15]]
        phi[row[4 * e + 0]] = z18
        phi[row[4 * e + 1]] = z19
        phi[row[4 * e + 2]] = z20
        phi[row[4 * e + 3]] = z21
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += 1.0
        jac[slot[4 * e + 3]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z18 = q[dof[30 * e + 12]]
        z19 = q[dof[30 * e + 13]]
        z20 = q[dof[30 * e + 14]]
        z21 = q[dof[30 * e + 15]]
        v_z18 = v[dof[30 * e + 12]]
        v_z19 = v[dof[30 * e + 13]]
        v_z20 = v[dof[30 * e + 14]]
        v_z21 = v[dof[30 * e + 15]]
        phi[row[4 * e + 0]] = z18
        phi[row[4 * e + 1]] = z19
        phi[row[4 * e + 2]] = z20
        phi[row[4 * e + 3]] = z21
        phi_t[row[4 * e + 0]] = phi_t[row[4 * e + 1]] = phi_t[row[4 * e + 2]] = phi_t[row[4 * e + 3]] = 0.0
        phi_dot[row[4 * e + 0]] = v_z18
        phi_dot[row[4 * e + 1]] = v_z19
        phi_dot[row[4 * e + 2]] = v_z20
        phi_dot[row[4 * e + 3]] = v_z21
        gamma[row[4 * e + 0]] = gamma[row[4 * e + 1]] = gamma[row[4 * e + 2]] = gamma[row[4 * e + 3]] = 0.0
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += 1.0
        jac[slot[4 * e + 3]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[4 * e + 0]] += stiff
        gq[slot[4 * e + 1]] += stiff
        gq[slot[4 * e + 2]] += stiff
        gq[slot[4 * e + 3]] += stiff
        gv[slot[4 * e + 0]] += damp
        gv[slot[4 * e + 1]] += damp
        gv[slot[4 * e + 2]] += damp
        gv[slot[4 * e + 3]] += damp

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        x_b = q[dof[30 * e + 16]]
        y_b = q[dof[30 * e + 17]]
        z_b = q[dof[30 * e + 18]]
        x_a = q[dof[30 * e + 19]]
        y_a = q[dof[30 * e + 20]]
        z_a = q[dof[30 * e + 21]]
        axis_a_x = q[dof[30 * e + 25]]
        axis_a_y = q[dof[30 * e + 26]]
        axis_a_z = q[dof[30 * e + 27]]
        z25 = q[dof[30 * e + 28]]
        z26 = q[dof[30 * e + 29]]
        v_x_b = v[dof[30 * e + 16]]
        v_y_b = v[dof[30 * e + 17]]
        v_z_b = v[dof[30 * e + 18]]
        v_x_a = v[dof[30 * e + 19]]
        v_y_a = v[dof[30 * e + 20]]
        v_z_a = v[dof[30 * e + 21]]
        v_axis_a_x = v[dof[30 * e + 25]]
        v_axis_a_y = v[dof[30 * e + 26]]
        v_axis_a_z = v[dof[30 * e + 27]]
        v_z25 = v[dof[30 * e + 28]]
        v_z26 = v[dof[30 * e + 29]]
        l0 = atan2(z25, z26)
        v_l0 = (v_z25*z26) / (((z25) * (z25)) + ((z26) * (z26))) + (-v_z26*z25) / (((z25) * (z25)) + ((z26) * (z26)))
        c0 = -x_a + x_b
        c1 = -y_a + y_b
        c2 = -z_a + z_b
        out[0] = l0
        out[1] = v_l0
        out[2] = axis_a_x*c0 + axis_a_y*c1 + axis_a_z*c2
        out[3] = -axis_a_x*v_x_a + axis_a_x*v_x_b - axis_a_y*v_y_a + axis_a_y*v_y_b - axis_a_z*v_z_a + axis_a_z*v_z_b + v_axis_a_x*c0 + v_axis_a_y*c1 + v_axis_a_z*c2
