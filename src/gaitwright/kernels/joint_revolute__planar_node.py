"""Printed by gaitwright.derive from gaitwright.physics.joints.revolute. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 7, 2, 0, 2
JACOBIAN = ((0, 0), (0, 2), (0, 3), (1, 1), (1, 2), (1, 4))
HESSIAN = ((2, 2),)
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        phi[row[2 * e + 0]] = -s_x_a*c0 + s_y_a*c1 - x_a + x_b
        phi[row[2 * e + 1]] = -s_x_a*c1 - s_y_a*c0 - y_a + y_b


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0 - s_y_a*c1
        c3 = s_x_a*c1 + s_y_a*c0
        phi[row[2 * e + 0]] = -x_a + x_b - c2
        phi[row[2 * e + 1]] = -y_a + y_b - c3
        jac[slot[6 * e + 0]] += -1.0
        jac[slot[6 * e + 1]] += c3
        jac[slot[6 * e + 2]] += 1.0
        jac[slot[6 * e + 3]] += -1.0
        jac[slot[6 * e + 4]] += -c2
        jac[slot[6 * e + 5]] += 1.0


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_theta_a = v[dof[7 * e + 2]]
        v_x_b = v[dof[7 * e + 3]]
        v_y_b = v[dof[7 * e + 4]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0 - s_y_a*c1
        c3 = s_x_a*c1 + s_y_a*c0
        c4 = -c2
        c5 = ((v_theta_a) * (v_theta_a))
        phi[row[2 * e + 0]] = -x_a + x_b - c2
        phi[row[2 * e + 1]] = -y_a + y_b - c3
        phi_t[row[2 * e + 0]] = 0.0
        phi_t[row[2 * e + 1]] = 0.0
        phi_dot[row[2 * e + 0]] = v_theta_a*c3 - v_x_a + v_x_b
        phi_dot[row[2 * e + 1]] = v_theta_a*c4 - v_y_a + v_y_b
        gamma[row[2 * e + 0]] = -c2*c5
        gamma[row[2 * e + 1]] = -c3*c5
        jac[slot[6 * e + 0]] += -1.0
        jac[slot[6 * e + 1]] += c3
        jac[slot[6 * e + 2]] += 1.0
        jac[slot[6 * e + 3]] += -1.0
        jac[slot[6 * e + 4]] += c4
        jac[slot[6 * e + 5]] += 1.0


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_a = q[dof[7 * e + 2]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        lam_0 = lam[row[2 * e + 0]]
        lam_1 = lam[row[2 * e + 1]]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        kq[slot[1 * e + 0]] += lam_0*(s_x_a*c1 - s_y_a*c0) + lam_1*(s_x_a*c0 + s_y_a*c1)


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_a = q[dof[7 * e + 2]]
        v_theta_a = v[dof[7 * e + 2]]
        a_theta_a = a[dof[7 * e + 2]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        c0 = -stiff
        c1 = sin(theta_a)
        c2 = cos(theta_a)
        c3 = s_x_a*c1 + s_y_a*c2
        c4 = s_x_a*c2 - s_y_a*c1
        c5 = v_theta_a*c4
        c6 = ((v_theta_a) * (v_theta_a))
        c7 = -c4
        c8 = c3*damp
        c9 = -damp
        gq[slot[6 * e + 0]] += c0
        gq[slot[6 * e + 1]] += a_theta_a*c4 - c3*c6 + c3*stiff + c5*damp
        gq[slot[6 * e + 2]] += stiff
        gq[slot[6 * e + 3]] += c0
        gq[slot[6 * e + 4]] += a_theta_a*c3 + v_theta_a*c8 + c4*c6 + c7*stiff
        gq[slot[6 * e + 5]] += stiff
        gv[slot[6 * e + 0]] += c9
        gv[slot[6 * e + 1]] += 2.0*c5 + c8
        gv[slot[6 * e + 2]] += damp
        gv[slot[6 * e + 3]] += c9
        gv[slot[6 * e + 4]] += 2.0*v_theta_a*c3 + c7*damp
        gv[slot[6 * e + 5]] += damp
