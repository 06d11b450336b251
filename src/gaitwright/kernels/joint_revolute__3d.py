"""Printed by gaitwright.derive from gaitwright.physics.joints.revolute. Do not edit."""

from math import atan2

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 19, 16, 0, 5
JACOBIAN = ((0, 9), (1, 10), (2, 11), (3, 12), (4, 13))
HESSIAN = ()
SYMMETRIC = True
ACTING = 14
VARIABLES = (
    ('direction', 1, (3, 4, 5), 0), ('direction', 1, (3, 4, 5), 1), ('direction', 1, (3, 4, 5), 2),
    ('direction', 0, (7, 8, 9), 0), ('direction', 0, (7, 8, 9), 1), ('direction', 0, (7, 8, 9), 2),
    ('direction', 0, (10, 11, 12), 0), ('direction', 0, (10, 11, 12), 1), ('direction', 0, (10, 11, 12), 2),
    ('between', 0, 1, 0), ('between', 0, 1, 1), ('between', 0, 1, 2),
    ('quadratic', 0.0, ((1.0, 3, 0), (1.0, 4, 1), (1.0, 5, 2))),
    ('quadratic', 0.0, ((1.0, 0, 6), (1.0, 1, 7), (1.0, 2, 8))), ('direction', 1, (13, 14, 15), 0),
    ('direction', 1, (13, 14, 15), 1), ('direction', 1, (13, 14, 15), 2),
    ('quadratic', 0.0, ((1.0, 14, 6), (1.0, 15, 7), (1.0, 16, 8))),
    ('quadratic', 0.0, ((1.0, 3, 14), (1.0, 4, 15), (1.0, 5, 16))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[19 * e + 9]]
        y_a_to_y_b = q[dof[19 * e + 10]]
        z_a_to_z_b = q[dof[19 * e + 11]]
        z18 = q[dof[19 * e + 12]]
        z19 = q[dof[19 * e + 13]]
        phi[row[5 * e + 0]] = x_a_to_x_b
        phi[row[5 * e + 1]] = y_a_to_y_b
        phi[row[5 * e + 2]] = z_a_to_z_b
        phi[row[5 * e + 3]] = z18
        phi[row[5 * e + 4]] = z19
        jac[slot[5 * e + 0]] += 1.0
        jac[slot[5 * e + 1]] += 1.0
        jac[slot[5 * e + 2]] += 1.0
        jac[slot[5 * e + 3]] += 1.0
        jac[slot[5 * e + 4]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[19 * e + 9]]
        y_a_to_y_b = q[dof[19 * e + 10]]
        z_a_to_z_b = q[dof[19 * e + 11]]
        z18 = q[dof[19 * e + 12]]
        z19 = q[dof[19 * e + 13]]
        v_x_a_to_x_b = v[dof[19 * e + 9]]
        v_y_a_to_y_b = v[dof[19 * e + 10]]
        v_z_a_to_z_b = v[dof[19 * e + 11]]
        v_z18 = v[dof[19 * e + 12]]
        v_z19 = v[dof[19 * e + 13]]
        phi[row[5 * e + 0]] = x_a_to_x_b
        phi[row[5 * e + 1]] = y_a_to_y_b
        phi[row[5 * e + 2]] = z_a_to_z_b
        phi[row[5 * e + 3]] = z18
        phi[row[5 * e + 4]] = z19
        phi_t[row[5 * e + 0]] = phi_t[row[5 * e + 1]] = phi_t[row[5 * e + 2]] = phi_t[row[5 * e + 3]] = 0.0
        phi_t[row[5 * e + 4]] = gamma[row[5 * e + 0]] = gamma[row[5 * e + 1]] = gamma[row[5 * e + 2]] = 0.0
        phi_dot[row[5 * e + 0]] = v_x_a_to_x_b
        phi_dot[row[5 * e + 1]] = v_y_a_to_y_b
        phi_dot[row[5 * e + 2]] = v_z_a_to_z_b
        phi_dot[row[5 * e + 3]] = v_z18
        phi_dot[row[5 * e + 4]] = v_z19
        gamma[row[5 * e + 3]] = gamma[row[5 * e + 4]] = 0.0
        jac[slot[5 * e + 0]] += 1.0
        jac[slot[5 * e + 1]] += 1.0
        jac[slot[5 * e + 2]] += 1.0
        jac[slot[5 * e + 3]] += 1.0
        jac[slot[5 * e + 4]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[5 * e + 0]] += stiff
        gq[slot[5 * e + 1]] += stiff
        gq[slot[5 * e + 2]] += stiff
        gq[slot[5 * e + 3]] += stiff
        gq[slot[5 * e + 4]] += stiff
        gv[slot[5 * e + 0]] += damp
        gv[slot[5 * e + 1]] += damp
        gv[slot[5 * e + 2]] += damp
        gv[slot[5 * e + 3]] += damp
        gv[slot[5 * e + 4]] += damp

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z23 = q[dof[19 * e + 17]]
        z24 = q[dof[19 * e + 18]]
        v_z23 = v[dof[19 * e + 17]]
        v_z24 = v[dof[19 * e + 18]]
        l0 = atan2(z23, z24)
        v_l0 = (v_z23*z24) / (((z23) * (z23)) + ((z24) * (z24))) + (-v_z24*z23) / (((z23) * (z23)) + ((z24) * (z24)))
        out[0] = l0
        out[1] = v_l0
