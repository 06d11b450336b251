"""Printed by gaitwright.derive from gaitwright.physics.joints.fixed. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 24, 9, 0, 6
JACOBIAN = ((0, 18), (1, 19), (2, 20), (3, 21), (4, 22), (5, 23))
HESSIAN = ()
SYMMETRIC = True
ACTING = 24
VARIABLES = (
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('axis', 0, 0, 2), ('axis', 0, 1, 0), ('axis', 0, 1, 1), ('axis', 0, 1, 2),
    ('axis', 0, 2, 0), ('axis', 0, 2, 1), ('axis', 0, 2, 2), ('direction', 1, (6, 7, 8), 0),
    ('direction', 1, (6, 7, 8), 1), ('direction', 1, (6, 7, 8), 2), ('direction', 1, (0, 1, 2), 0),
    ('direction', 1, (0, 1, 2), 1), ('direction', 1, (0, 1, 2), 2), ('direction', 1, (3, 4, 5), 0),
    ('direction', 1, (3, 4, 5), 1), ('direction', 1, (3, 4, 5), 2), ('between', 0, 1, 0), ('between', 0, 1, 1),
    ('between', 0, 1, 2), ('quadratic', 0.0, ((1.0, 3, 9), (1.0, 4, 10), (1.0, 5, 11))),
    ('quadratic', 0.0, ((1.0, 6, 12), (1.0, 7, 13), (1.0, 8, 14))),
    ('quadratic', 0.0, ((1.0, 0, 15), (1.0, 1, 16), (1.0, 2, 17))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[24 * e + 18]]
        y_a_to_y_b = q[dof[24 * e + 19]]
        z_a_to_z_b = q[dof[24 * e + 20]]
        z27 = q[dof[24 * e + 21]]
        z28 = q[dof[24 * e + 22]]
        z29 = q[dof[24 * e + 23]]
        phi[row[6 * e + 0]] = x_a_to_x_b
        phi[row[6 * e + 1]] = y_a_to_y_b
        phi[row[6 * e + 2]] = z_a_to_z_b
        phi[row[6 * e + 3]] = z27
        phi[row[6 * e + 4]] = z28
        phi[row[6 * e + 5]] = z29
        jac[slot[6 * e + 0]] += 1.0
        jac[slot[6 * e + 1]] += 1.0
        jac[slot[6 * e + 2]] += 1.0
        jac[slot[6 * e + 3]] += 1.0
        jac[slot[6 * e + 4]] += 1.0
        jac[slot[6 * e + 5]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[24 * e + 18]]
        y_a_to_y_b = q[dof[24 * e + 19]]
        z_a_to_z_b = q[dof[24 * e + 20]]
        z27 = q[dof[24 * e + 21]]
        z28 = q[dof[24 * e + 22]]
        z29 = q[dof[24 * e + 23]]
        v_x_a_to_x_b = v[dof[24 * e + 18]]
        v_y_a_to_y_b = v[dof[24 * e + 19]]
        v_z_a_to_z_b = v[dof[24 * e + 20]]
        v_z27 = v[dof[24 * e + 21]]
        v_z28 = v[dof[24 * e + 22]]
        v_z29 = v[dof[24 * e + 23]]
        phi[row[6 * e + 0]] = x_a_to_x_b
        phi[row[6 * e + 1]] = y_a_to_y_b
        phi[row[6 * e + 2]] = z_a_to_z_b
        phi[row[6 * e + 3]] = z27
        phi[row[6 * e + 4]] = z28
        phi[row[6 * e + 5]] = z29
        phi_t[row[6 * e + 0]] = phi_t[row[6 * e + 1]] = phi_t[row[6 * e + 2]] = phi_t[row[6 * e + 3]] = 0.0
        phi_t[row[6 * e + 4]] = phi_t[row[6 * e + 5]] = gamma[row[6 * e + 0]] = gamma[row[6 * e + 1]] = 0.0
        phi_dot[row[6 * e + 0]] = v_x_a_to_x_b
        phi_dot[row[6 * e + 1]] = v_y_a_to_y_b
        phi_dot[row[6 * e + 2]] = v_z_a_to_z_b
        phi_dot[row[6 * e + 3]] = v_z27
        phi_dot[row[6 * e + 4]] = v_z28
        phi_dot[row[6 * e + 5]] = v_z29
        gamma[row[6 * e + 2]] = gamma[row[6 * e + 3]] = gamma[row[6 * e + 4]] = gamma[row[6 * e + 5]] = 0.0
        jac[slot[6 * e + 0]] += 1.0
        jac[slot[6 * e + 1]] += 1.0
        jac[slot[6 * e + 2]] += 1.0
        jac[slot[6 * e + 3]] += 1.0
        jac[slot[6 * e + 4]] += 1.0
        jac[slot[6 * e + 5]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[6 * e + 0]] += stiff
        gq[slot[6 * e + 1]] += stiff
        gq[slot[6 * e + 2]] += stiff
        gq[slot[6 * e + 3]] += stiff
        gq[slot[6 * e + 4]] += stiff
        gq[slot[6 * e + 5]] += stiff
        gv[slot[6 * e + 0]] += damp
        gv[slot[6 * e + 1]] += damp
        gv[slot[6 * e + 2]] += damp
        gv[slot[6 * e + 3]] += damp
        gv[slot[6 * e + 4]] += damp
        gv[slot[6 * e + 5]] += damp
