"""Printed by gaitwright.derive from gaitwright.physics.joints.spherical. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 0, 0, 3
JACOBIAN = ((0, 0), (1, 1), (2, 2))
HESSIAN = ()
SYMMETRIC = True
ACTING = 3
VARIABLES = (
    ('between', 0, 1, 0), ('between', 0, 1, 1), ('between', 0, 1, 2),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[3 * e + 0]]
        y_a_to_y_b = q[dof[3 * e + 1]]
        z_a_to_z_b = q[dof[3 * e + 2]]
        phi[row[3 * e + 0]] = x_a_to_x_b
        phi[row[3 * e + 1]] = y_a_to_y_b
        phi[row[3 * e + 2]] = z_a_to_z_b
        jac[slot[3 * e + 0]] += 1.0
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[3 * e + 0]]
        y_a_to_y_b = q[dof[3 * e + 1]]
        z_a_to_z_b = q[dof[3 * e + 2]]
        v_x_a_to_x_b = v[dof[3 * e + 0]]
        v_y_a_to_y_b = v[dof[3 * e + 1]]
        v_z_a_to_z_b = v[dof[3 * e + 2]]
        phi[row[3 * e + 0]] = x_a_to_x_b
        phi[row[3 * e + 1]] = y_a_to_y_b
        phi[row[3 * e + 2]] = z_a_to_z_b
        phi_t[row[3 * e + 0]] = phi_t[row[3 * e + 1]] = phi_t[row[3 * e + 2]] = gamma[row[3 * e + 0]] = 0.0
        phi_dot[row[3 * e + 0]] = v_x_a_to_x_b
        phi_dot[row[3 * e + 1]] = v_y_a_to_y_b
        phi_dot[row[3 * e + 2]] = v_z_a_to_z_b
        gamma[row[3 * e + 1]] = gamma[row[3 * e + 2]] = 0.0
        jac[slot[3 * e + 0]] += 1.0
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[3 * e + 0]] += stiff
        gq[slot[3 * e + 1]] += stiff
        gq[slot[3 * e + 2]] += stiff
        gv[slot[3 * e + 0]] += damp
        gv[slot[3 * e + 1]] += damp
        gv[slot[3 * e + 2]] += damp
