"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 0, 3, 3
JACOBIAN = ((0, 0), (1, 1), (2, 2))
HESSIAN = ()
SYMMETRIC = True
ACTING = 3
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1), ('position', 0, 2),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        y_point = q[dof[3 * e + 1]]
        z_point = q[dof[3 * e + 2]]
        x = u[3 * sig[3 * e + 0]]
        y = u[3 * sig[3 * e + 1]]
        z = u[3 * sig[3 * e + 2]]
        phi[row[3 * e + 0]] = -x + x_point
        phi[row[3 * e + 1]] = -y + y_point
        phi[row[3 * e + 2]] = -z + z_point
        jac[slot[3 * e + 0]] += 1.0
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        y_point = q[dof[3 * e + 1]]
        z_point = q[dof[3 * e + 2]]
        v_x_point = v[dof[3 * e + 0]]
        v_y_point = v[dof[3 * e + 1]]
        v_z_point = v[dof[3 * e + 2]]
        x = u[3 * sig[3 * e + 0]]
        x_t = u[3 * sig[3 * e + 0] + 1]
        x_tt = u[3 * sig[3 * e + 0] + 2]
        y = u[3 * sig[3 * e + 1]]
        y_t = u[3 * sig[3 * e + 1] + 1]
        y_tt = u[3 * sig[3 * e + 1] + 2]
        z = u[3 * sig[3 * e + 2]]
        z_t = u[3 * sig[3 * e + 2] + 1]
        z_tt = u[3 * sig[3 * e + 2] + 2]
        phi[row[3 * e + 0]] = -x + x_point
        phi[row[3 * e + 1]] = -y + y_point
        phi[row[3 * e + 2]] = -z + z_point
        phi_t[row[3 * e + 0]] = -x_t
        phi_t[row[3 * e + 1]] = -y_t
        phi_t[row[3 * e + 2]] = -z_t
        phi_dot[row[3 * e + 0]] = v_x_point - x_t
        phi_dot[row[3 * e + 1]] = v_y_point - y_t
        phi_dot[row[3 * e + 2]] = v_z_point - z_t
        gamma[row[3 * e + 0]] = x_tt
        gamma[row[3 * e + 1]] = y_tt
        gamma[row[3 * e + 2]] = z_tt
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
