"""Printed by gaitwright.derive from gaitwright.physics.joints.gear. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 2, 0, 1
JACOBIAN = ((0, 0), (0, 1), (0, 2))
HESSIAN = ()
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        theta_b = q[dof[3 * e + 1]]
        theta_carrier = q[dof[3 * e + 2]]
        ratio = par[2 * e + 0]
        offset = par[2 * e + 1]
        phi[row[1 * e + 0]] = -offset - ratio*(theta_a - theta_carrier) + theta_b - theta_carrier

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        theta_b = q[dof[3 * e + 1]]
        theta_carrier = q[dof[3 * e + 2]]
        ratio = par[2 * e + 0]
        offset = par[2 * e + 1]
        phi[row[1 * e + 0]] = -offset - ratio*(theta_a - theta_carrier) + theta_b - theta_carrier
        jac[slot[3 * e + 0]] += -ratio
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += ratio - 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        theta_b = q[dof[3 * e + 1]]
        theta_carrier = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_theta_b = v[dof[3 * e + 1]]
        v_theta_carrier = v[dof[3 * e + 2]]
        ratio = par[2 * e + 0]
        offset = par[2 * e + 1]
        c0 = ratio - 1.0
        phi[row[1 * e + 0]] = -offset - ratio*(theta_a - theta_carrier) + theta_b - theta_carrier
        phi_t[row[1 * e + 0]] = gamma[row[1 * e + 0]] = 0.0
        phi_dot[row[1 * e + 0]] = -ratio*v_theta_a + v_theta_b + v_theta_carrier*c0
        jac[slot[3 * e + 0]] += -ratio
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += c0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        ratio = par[2 * e + 0]
        c0 = ratio - 1.0
        gq[slot[3 * e + 0]] += -ratio*stiff
        gq[slot[3 * e + 1]] += stiff
        gq[slot[3 * e + 2]] += c0*stiff
        gv[slot[3 * e + 0]] += -ratio*damp
        gv[slot[3 * e + 1]] += damp
        gv[slot[3 * e + 2]] += c0*damp
