"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 2, 1, 1
JACOBIAN = ((0, 0), (0, 2))
HESSIAN = ((2, 2),)
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        theta_point = q[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        x = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = s_x_point*cos(theta_point) - s_y_point*sin(theta_point) - x + x_point

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        theta_point = q[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        x = u[3 * sig[1 * e + 0]]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        phi[row[1 * e + 0]] = s_x_point*c0 - s_y_point*c1 - x + x_point
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += -s_x_point*c1 - s_y_point*c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[3 * e + 0]]
        theta_point = q[dof[3 * e + 2]]
        v_x_point = v[dof[3 * e + 0]]
        v_theta_point = v[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        x = u[3 * sig[1 * e + 0]]
        x_t = u[3 * sig[1 * e + 0] + 1]
        x_tt = u[3 * sig[1 * e + 0] + 2]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        c2 = s_x_point*c0 - s_y_point*c1
        c4 = -s_x_point*c1 - s_y_point*c0
        phi[row[1 * e + 0]] = -x + x_point + c2
        phi_t[row[1 * e + 0]] = -x_t
        phi_dot[row[1 * e + 0]] = v_theta_point*c4 + v_x_point - x_t
        gamma[row[1 * e + 0]] = ((v_theta_point) * (v_theta_point))*c2 + x_tt
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += c4

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_point = q[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        lam_0 = lam[row[1 * e + 0]]
        kq[slot[1 * e + 0]] += -lam_0*(s_x_point*cos(theta_point) - s_y_point*sin(theta_point))

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_point = q[dof[3 * e + 2]]
        v_theta_point = v[dof[3 * e + 2]]
        a_theta_point = a[dof[3 * e + 2]]
        s_x_point = par[2 * e + 0]
        s_y_point = par[2 * e + 1]
        c0 = cos(theta_point)
        c1 = sin(theta_point)
        c2 = -s_x_point*c0 + s_y_point*c1
        c3 = s_x_point*c1 + s_y_point*c0
        c5 = v_theta_point*c2
        gq[slot[2 * e + 0]] += stiff
        gq[slot[2 * e + 1]] += a_theta_point*c2 + ((v_theta_point) * (v_theta_point))*c3 - c3*stiff + c5*damp
        gv[slot[2 * e + 0]] += damp
        gv[slot[2 * e + 1]] += -c3*damp + 2.0*c5
