"""Printed by gaitwright.derive from gaitwright.physics.bodies.planar. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 2, 0, 4
JACOBIAN = ((0, 0), (0, 2), (1, 1), (1, 2), (2, 2), (3, 2))
HESSIAN = ((2, 2),)
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_body = q[dof[3 * e + 0]]
        y_body = q[dof[3 * e + 1]]
        theta_body = q[dof[3 * e + 2]]
        s_x_body = par[2 * e + 0]
        s_y_body = par[2 * e + 1]
        c0 = cos(theta_body)
        c1 = sin(theta_body)
        phi[row[4 * e + 0]] = s_x_body*c0 - s_y_body*c1 + x_body
        phi[row[4 * e + 1]] = s_x_body*c1 + s_y_body*c0 + y_body
        phi[row[4 * e + 2]] = c0
        phi[row[4 * e + 3]] = c1

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_body = q[dof[3 * e + 0]]
        y_body = q[dof[3 * e + 1]]
        theta_body = q[dof[3 * e + 2]]
        s_x_body = par[2 * e + 0]
        s_y_body = par[2 * e + 1]
        c0 = cos(theta_body)
        c1 = sin(theta_body)
        c2 = s_x_body*c0 - s_y_body*c1
        c3 = s_x_body*c1 + s_y_body*c0
        phi[row[4 * e + 0]] = x_body + c2
        phi[row[4 * e + 1]] = y_body + c3
        phi[row[4 * e + 2]] = c0
        phi[row[4 * e + 3]] = c1
        jac[slot[6 * e + 0]] += 1.0
        jac[slot[6 * e + 1]] += -c3
        jac[slot[6 * e + 2]] += 1.0
        jac[slot[6 * e + 3]] += c2
        jac[slot[6 * e + 4]] += -c1
        jac[slot[6 * e + 5]] += c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_body = q[dof[3 * e + 0]]
        y_body = q[dof[3 * e + 1]]
        theta_body = q[dof[3 * e + 2]]
        v_x_body = v[dof[3 * e + 0]]
        v_y_body = v[dof[3 * e + 1]]
        v_theta_body = v[dof[3 * e + 2]]
        s_x_body = par[2 * e + 0]
        s_y_body = par[2 * e + 1]
        c0 = cos(theta_body)
        c1 = sin(theta_body)
        c2 = s_x_body*c0 - s_y_body*c1
        c3 = s_x_body*c1 + s_y_body*c0
        c5 = ((v_theta_body) * (v_theta_body))
        phi[row[4 * e + 0]] = x_body + c2
        phi[row[4 * e + 1]] = y_body + c3
        phi[row[4 * e + 2]] = c0
        phi[row[4 * e + 3]] = c1
        phi_t[row[4 * e + 0]] = phi_t[row[4 * e + 1]] = phi_t[row[4 * e + 2]] = phi_t[row[4 * e + 3]] = 0.0
        phi_dot[row[4 * e + 0]] = -v_theta_body*c3 + v_x_body
        phi_dot[row[4 * e + 1]] = v_theta_body*c2 + v_y_body
        phi_dot[row[4 * e + 2]] = -v_theta_body*c1
        phi_dot[row[4 * e + 3]] = v_theta_body*c0
        gamma[row[4 * e + 0]] = c2*c5
        gamma[row[4 * e + 1]] = c3*c5
        gamma[row[4 * e + 2]] = c0*c5
        gamma[row[4 * e + 3]] = c1*c5
        jac[slot[6 * e + 0]] += 1.0
        jac[slot[6 * e + 1]] += -c3
        jac[slot[6 * e + 2]] += 1.0
        jac[slot[6 * e + 3]] += c2
        jac[slot[6 * e + 4]] += -c1
        jac[slot[6 * e + 5]] += c0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_body = q[dof[3 * e + 2]]
        s_x_body = par[2 * e + 0]
        s_y_body = par[2 * e + 1]
        lam_0 = lam[row[4 * e + 0]]
        lam_1 = lam[row[4 * e + 1]]
        lam_2 = lam[row[4 * e + 2]]
        lam_3 = lam[row[4 * e + 3]]
        c0 = cos(theta_body)
        c1 = sin(theta_body)
        kq[slot[1 * e + 0]] += -lam_0*(s_x_body*c0 - s_y_body*c1) - lam_1*(s_x_body*c1 + s_y_body*c0) - lam_2*c0 - lam_3*c1

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_body = q[dof[3 * e + 2]]
        v_theta_body = v[dof[3 * e + 2]]
        a_theta_body = a[dof[3 * e + 2]]
        s_x_body = par[2 * e + 0]
        s_y_body = par[2 * e + 1]
        c0 = cos(theta_body)
        c1 = sin(theta_body)
        c2 = s_x_body*c0 - s_y_body*c1
        c4 = ((v_theta_body) * (v_theta_body))
        c5 = s_x_body*c1 + s_y_body*c0
        c7 = -v_theta_body*c2
        c8 = -c5*damp
        c9 = c1*damp
        c10 = 2.0*v_theta_body
        gq[slot[6 * e + 0]] += stiff
        gq[slot[6 * e + 1]] += -a_theta_body*c2 + c4*c5 - c5*stiff + c7*damp
        gq[slot[6 * e + 2]] += stiff
        gq[slot[6 * e + 3]] += -a_theta_body*c5 + v_theta_body*c8 - c2*c4 + c2*stiff
        gq[slot[6 * e + 4]] += -a_theta_body*c0 - v_theta_body*c0*damp + c1*c4 - c1*stiff
        gq[slot[6 * e + 5]] += -a_theta_body*c1 - v_theta_body*c9 - c0*c4 + c0*stiff
        gv[slot[6 * e + 0]] += damp
        gv[slot[6 * e + 1]] += 2.0*c7 + c8
        gv[slot[6 * e + 2]] += damp
        gv[slot[6 * e + 3]] += -c10*c5 + c2*damp
        gv[slot[6 * e + 4]] += -c0*c10 - c9
        gv[slot[6 * e + 5]] += c0*damp - c1*c10
