"""Printed by gaitwright.derive from gaitwright.physics.joints.universal. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 10, 6, 0, 4
JACOBIAN = ((0, 6), (1, 7), (2, 8), (3, 9))
HESSIAN = ()
SYMMETRIC = True
ACTING = 10
VARIABLES = (
    ('direction', 0, (0, 1, 2), 0), ('direction', 0, (0, 1, 2), 1), ('direction', 0, (0, 1, 2), 2),
    ('direction', 1, (3, 4, 5), 0), ('direction', 1, (3, 4, 5), 1), ('direction', 1, (3, 4, 5), 2), ('between', 0, 1, 0),
    ('between', 0, 1, 1), ('between', 0, 1, 2), ('quadratic', 0.0, ((1.0, 0, 3), (1.0, 1, 4), (1.0, 2, 5))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[10 * e + 6]]
        y_a_to_y_b = q[dof[10 * e + 7]]
        z_a_to_z_b = q[dof[10 * e + 8]]
        z15 = q[dof[10 * e + 9]]
        phi[row[4 * e + 0]] = x_a_to_x_b
        phi[row[4 * e + 1]] = y_a_to_y_b
        phi[row[4 * e + 2]] = z_a_to_z_b
        phi[row[4 * e + 3]] = z15
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += 1.0
        jac[slot[4 * e + 3]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[10 * e + 6]]
        y_a_to_y_b = q[dof[10 * e + 7]]
        z_a_to_z_b = q[dof[10 * e + 8]]
        z15 = q[dof[10 * e + 9]]
        v_x_a_to_x_b = v[dof[10 * e + 6]]
        v_y_a_to_y_b = v[dof[10 * e + 7]]
        v_z_a_to_z_b = v[dof[10 * e + 8]]
        v_z15 = v[dof[10 * e + 9]]
        phi[row[4 * e + 0]] = x_a_to_x_b
        phi[row[4 * e + 1]] = y_a_to_y_b
        phi[row[4 * e + 2]] = z_a_to_z_b
        phi[row[4 * e + 3]] = z15
        phi_t[row[4 * e + 0]] = phi_t[row[4 * e + 1]] = phi_t[row[4 * e + 2]] = phi_t[row[4 * e + 3]] = 0.0
        phi_dot[row[4 * e + 0]] = v_x_a_to_x_b
        phi_dot[row[4 * e + 1]] = v_y_a_to_y_b
        phi_dot[row[4 * e + 2]] = v_z_a_to_z_b
        phi_dot[row[4 * e + 3]] = v_z15
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
