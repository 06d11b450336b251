"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 2, 2, 2
JACOBIAN = ((0, 0), (0, 2), (1, 1), (1, 2))
HESSIAN = ((2, 2),)
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        y_point = q[dof[3 * e + 1]]
        theta_point = q[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        x = u[3 * sig[2 * e + 0]]
        y = u[3 * sig[2 * e + 1]]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        phi[row[2 * e + 0]] = s_x_point*c0 - s_y_point*c1 - x + x_point
        phi[row[2 * e + 1]] = s_x_point*c1 + s_y_point*c0 - y + y_point

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        y_point = q[dof[3 * e + 1]]
        theta_point = q[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        x = u[3 * sig[2 * e + 0]]
        y = u[3 * sig[2 * e + 1]]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        c2 = s_x_point*c0 - s_y_point*c1
        c3 = s_x_point*c1 + s_y_point*c0
        phi[row[2 * e + 0]] = -x + x_point + c2
        phi[row[2 * e + 1]] = -y + y_point + c3
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += -c3
        jac[slot[4 * e + 2]] += 1.0
        jac[slot[4 * e + 3]] += c2

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        y_point = q[dof[3 * e + 1]]
        theta_point = q[dof[3 * e + 2]]
        v_x_point = v[dof[3 * e + 0]]
        v_y_point = v[dof[3 * e + 1]]
        v_theta_point = v[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        x = u[3 * sig[2 * e + 0]]
        x_t = u[3 * sig[2 * e + 0] + 1]
        x_tt = u[3 * sig[2 * e + 0] + 2]
        y = u[3 * sig[2 * e + 1]]
        y_t = u[3 * sig[2 * e + 1] + 1]
        y_tt = u[3 * sig[2 * e + 1] + 2]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        c2 = s_x_point*c0 - s_y_point*c1
        c3 = s_x_point*c1 + s_y_point*c0
        c7 = ((v_theta_point) * (v_theta_point))
        phi[row[2 * e + 0]] = -x + x_point + c2
        phi[row[2 * e + 1]] = -y + y_point + c3
        phi_t[row[2 * e + 0]] = -x_t
        phi_t[row[2 * e + 1]] = -y_t
        phi_dot[row[2 * e + 0]] = -v_theta_point*c3 + v_x_point - x_t
        phi_dot[row[2 * e + 1]] = v_theta_point*c2 + v_y_point - y_t
        gamma[row[2 * e + 0]] = x_tt + c2*c7
        gamma[row[2 * e + 1]] = y_tt + c3*c7
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += -c3
        jac[slot[4 * e + 2]] += 1.0
        jac[slot[4 * e + 3]] += c2

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_point = q[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        lam_0 = lam[row[2 * e + 0]]
        lam_1 = lam[row[2 * e + 1]]
        c0 = sin(theta_point)
        c1 = cos(theta_point)
        kq[slot[1 * e + 0]] += -lam_0*(s_x_point*c1 - s_y_point*c0) - lam_1*(s_x_point*c0 + s_y_point*c1)

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_point = q[dof[3 * e + 2]]
        v_theta_point = v[dof[3 * e + 2]]
        a_theta_point = a[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        c2 = s_x_point*c0 - s_y_point*c1
        c4 = ((v_theta_point) * (v_theta_point))
        c5 = s_x_point*c1 + s_y_point*c0
        c7 = -v_theta_point*c2
        c8 = -c5*damp
        gq[slot[4 * e + 0]] += stiff
        gq[slot[4 * e + 1]] += -a_theta_point*c2 + c4*c5 - c5*stiff + c7*damp
        gq[slot[4 * e + 2]] += stiff
        gq[slot[4 * e + 3]] += -a_theta_point*c5 + v_theta_point*c8 - c2*c4 + c2*stiff
        gv[slot[4 * e + 0]] += damp
        gv[slot[4 * e + 1]] += 2.0*c7 + c8
        gv[slot[4 * e + 2]] += damp
        gv[slot[4 * e + 3]] += -2.0*v_theta_point*c5 + c2*damp
