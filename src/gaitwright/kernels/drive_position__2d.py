"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 2, 0, 2, 2
JACOBIAN = ((0, 0), (1, 1))
HESSIAN = ()
SYMMETRIC = True
ACTING = 2
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[2 * e + 0]]
        y_point = q[dof[2 * e + 1]]
        x = u[3 * sig[2 * e + 0]]
        y = u[3 * sig[2 * e + 1]]
        phi[row[2 * e + 0]] = -x + x_point
        phi[row[2 * e + 1]] = -y + y_point
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[2 * e + 0]]
        y_point = q[dof[2 * e + 1]]
        v_x_point = v[dof[2 * e + 0]]
        v_y_point = v[dof[2 * e + 1]]
        x = u[3 * sig[2 * e + 0]]
        x_t = u[3 * sig[2 * e + 0] + 1]
        x_tt = u[3 * sig[2 * e + 0] + 2]
        y = u[3 * sig[2 * e + 1]]
        y_t = u[3 * sig[2 * e + 1] + 1]
        y_tt = u[3 * sig[2 * e + 1] + 2]
        phi[row[2 * e + 0]] = -x + x_point
        phi[row[2 * e + 1]] = -y + y_point
        phi_t[row[2 * e + 0]] = -x_t
        phi_t[row[2 * e + 1]] = -y_t
        phi_dot[row[2 * e + 0]] = v_x_point - x_t
        phi_dot[row[2 * e + 1]] = v_y_point - y_t
        gamma[row[2 * e + 0]] = x_tt
        gamma[row[2 * e + 1]] = y_tt
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
