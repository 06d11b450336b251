"""Printed by gaitwright.derive from gaitwright.physics.joints.revolute. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 7, 2, 0, 2
JACOBIAN = ((0, 0), (0, 4), (0, 6), (1, 1), (1, 5), (1, 6))
HESSIAN = ((6, 6),)
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        s_x_b = par[2 * e + 0]
        s_y_b = par[2 * e + 1]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        phi[row[2 * e + 0]] = s_x_b*c0 - s_y_b*c1 - x_a + x_b
        phi[row[2 * e + 1]] = s_x_b*c1 + s_y_b*c0 - y_a + y_b


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        s_x_b = par[2 * e + 0]
        s_y_b = par[2 * e + 1]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        c2 = s_x_b*c0 - s_y_b*c1
        c3 = s_x_b*c1 + s_y_b*c0
        phi[row[2 * e + 0]] = -x_a + x_b + c2
        phi[row[2 * e + 1]] = -y_a + y_b + c3
        jac[slot[6 * e + 0]] += -1.0
        jac[slot[6 * e + 1]] += 1.0
        jac[slot[6 * e + 2]] += -c3
        jac[slot[6 * e + 3]] += -1.0
        jac[slot[6 * e + 4]] += 1.0
        jac[slot[6 * e + 5]] += c2


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_x_b = v[dof[7 * e + 4]]
        v_y_b = v[dof[7 * e + 5]]
        v_theta_b = v[dof[7 * e + 6]]
        s_x_b = par[2 * e + 0]
        s_y_b = par[2 * e + 1]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        c2 = s_x_b*c0 - s_y_b*c1
        c3 = s_x_b*c1 + s_y_b*c0
        c4 = -c3
        c5 = ((v_theta_b) * (v_theta_b))
        phi[row[2 * e + 0]] = -x_a + x_b + c2
        phi[row[2 * e + 1]] = -y_a + y_b + c3
        phi_t[row[2 * e + 0]] = 0.0
        phi_t[row[2 * e + 1]] = 0.0
        phi_dot[row[2 * e + 0]] = v_theta_b*c4 - v_x_a + v_x_b
        phi_dot[row[2 * e + 1]] = v_theta_b*c2 - v_y_a + v_y_b
        gamma[row[2 * e + 0]] = c2*c5
        gamma[row[2 * e + 1]] = -c4*c5
        jac[slot[6 * e + 0]] += -1.0
        jac[slot[6 * e + 1]] += 1.0
        jac[slot[6 * e + 2]] += c4
        jac[slot[6 * e + 3]] += -1.0
        jac[slot[6 * e + 4]] += 1.0
        jac[slot[6 * e + 5]] += c2


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_b = q[dof[7 * e + 6]]
        s_x_b = par[2 * e + 0]
        s_y_b = par[2 * e + 1]
        lam_0 = lam[row[2 * e + 0]]
        lam_1 = lam[row[2 * e + 1]]
        c0 = sin(theta_b)
        c1 = cos(theta_b)
        kq[slot[1 * e + 0]] += -lam_0*(s_x_b*c1 - s_y_b*c0) - lam_1*(s_x_b*c0 + s_y_b*c1)


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_b = q[dof[7 * e + 6]]
        v_theta_b = v[dof[7 * e + 6]]
        a_theta_b = a[dof[7 * e + 6]]
        s_x_b = par[2 * e + 0]
        s_y_b = par[2 * e + 1]
        c0 = -stiff
        c1 = cos(theta_b)
        c2 = sin(theta_b)
        c3 = s_x_b*c1 - s_y_b*c2
        c4 = -c3
        c5 = ((v_theta_b) * (v_theta_b))
        c6 = s_x_b*c2 + s_y_b*c1
        c7 = -c6
        c8 = v_theta_b*c4
        c9 = c7*damp
        c10 = -damp
        gq[slot[6 * e + 0]] += c0
        gq[slot[6 * e + 1]] += stiff
        gq[slot[6 * e + 2]] += a_theta_b*c4 + c5*c6 + c7*stiff + c8*damp
        gq[slot[6 * e + 3]] += c0
        gq[slot[6 * e + 4]] += stiff
        gq[slot[6 * e + 5]] += a_theta_b*c7 + v_theta_b*c9 + c3*stiff + c4*c5
        gv[slot[6 * e + 0]] += c10
        gv[slot[6 * e + 1]] += damp
        gv[slot[6 * e + 2]] += 2.0*c8 + c9
        gv[slot[6 * e + 3]] += c10
        gv[slot[6 * e + 4]] += damp
        gv[slot[6 * e + 5]] += 2.0*v_theta_b*c7 + c3*damp
