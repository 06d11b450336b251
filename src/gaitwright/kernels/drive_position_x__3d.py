"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 1, 0, 1, 1
JACOBIAN = ((0, 0),)
HESSIAN = ()
SYMMETRIC = True
ACTING = 1
VARIABLES = (
    ('position', 0, 0),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[1 * e + 0]]
        x = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = -x + x_point
        jac[slot[1 * e + 0]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[1 * e + 0]]
        v_x_point = v[dof[1 * e + 0]]
        x = u[3 * sig[1 * e + 0]]
        x_t = u[3 * sig[1 * e + 0] + 1]
        x_tt = u[3 * sig[1 * e + 0] + 2]
        phi[row[1 * e + 0]] = -x + x_point
        phi_t[row[1 * e + 0]] = -x_t
        phi_dot[row[1 * e + 0]] = v_x_point - x_t
        gamma[row[1 * e + 0]] = x_tt
        jac[slot[1 * e + 0]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[1 * e + 0]] += stiff
        gv[slot[1 * e + 0]] += damp
