"""Printed by gaitwright.derive from gaitwright.physics.joints.revolute. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 2, 0, 0, 2
JACOBIAN = ((0, 0), (1, 1))
HESSIAN = ()
SYMMETRIC = True
ACTING = 2
VARIABLES = (
    ('between', 0, 1, 0), ('between', 0, 1, 1),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[2 * e + 0]]
        y_a_to_y_b = q[dof[2 * e + 1]]
        phi[row[2 * e + 0]] = x_a_to_x_b
        phi[row[2 * e + 1]] = y_a_to_y_b
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[2 * e + 0]]
        y_a_to_y_b = q[dof[2 * e + 1]]
        v_x_a_to_x_b = v[dof[2 * e + 0]]
        v_y_a_to_y_b = v[dof[2 * e + 1]]
        phi[row[2 * e + 0]] = x_a_to_x_b
        phi[row[2 * e + 1]] = y_a_to_y_b
        phi_t[row[2 * e + 0]] = phi_t[row[2 * e + 1]] = gamma[row[2 * e + 0]] = gamma[row[2 * e + 1]] = 0.0
        phi_dot[row[2 * e + 0]] = v_x_a_to_x_b
        phi_dot[row[2 * e + 1]] = v_y_a_to_y_b
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[2 * e + 0]] += stiff
        gq[slot[2 * e + 1]] += stiff
        gv[slot[2 * e + 0]] += damp
        gv[slot[2 * e + 1]] += damp
