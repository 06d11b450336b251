"""Printed by gaitwright.derive from gaitwright.physics.drives.rotation. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 1, 0, 1, 1
JACOBIAN = ((0, 0),)
HESSIAN = ()
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        theta_body = q[dof[1 * e + 0]]
        angle = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = -angle + theta_body

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        theta_body = q[dof[1 * e + 0]]
        angle = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = -angle + theta_body
        jac[slot[1 * e + 0]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        theta_body = q[dof[1 * e + 0]]
        v_theta_body = v[dof[1 * e + 0]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
        phi[row[1 * e + 0]] = -angle + theta_body
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = -angle_t + v_theta_body
        gamma[row[1 * e + 0]] = angle_tt
        jac[slot[1 * e + 0]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[1 * e + 0]] += stiff
        gv[slot[1 * e + 0]] += damp
