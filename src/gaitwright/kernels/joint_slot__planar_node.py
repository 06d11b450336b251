"""Printed by gaitwright.derive from gaitwright.physics.joints.slot. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 7, 4, 0, 1
JACOBIAN = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))
HESSIAN = ((0, 2), (1, 2), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (4, 2))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        axis_x = par[4 * e + 2]
        axis_y = par[4 * e + 3]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        phi[row[1 * e + 0]] = (-axis_x*c0 - axis_y*c1)*(-s_x_a*c1 + s_y_a*c0 - x_a + x_b) + (axis_x*c1 - axis_y*c0)*(-s_x_a*c0 - s_y_a*c1 - y_a + y_b)


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        axis_x = par[4 * e + 2]
        axis_y = par[4 * e + 3]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        c2 = axis_x*c0 + axis_y*c1
        c3 = -c2
        c4 = s_x_a*c1 - s_y_a*c0
        c5 = -x_a + x_b - c4
        c6 = axis_x*c1 - axis_y*c0
        c7 = s_x_a*c0 + s_y_a*c1
        c8 = -y_a + y_b - c7
        c9 = -c6
        phi[row[1 * e + 0]] = c3*c5 + c6*c8
        jac[slot[5 * e + 0]] += c2
        jac[slot[5 * e + 1]] += c9
        jac[slot[5 * e + 2]] += c3*c7 + c3*c8 - c4*c6 + c5*c9
        jac[slot[5 * e + 3]] += c3
        jac[slot[5 * e + 4]] += c6


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
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        axis_x = par[4 * e + 2]
        axis_y = par[4 * e + 3]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        c2 = axis_x*c0 + axis_y*c1
        c3 = -c2
        c4 = s_x_a*c1 - s_y_a*c0
        c5 = -x_a + x_b - c4
        c6 = axis_x*c1 - axis_y*c0
        c7 = s_x_a*c0 + s_y_a*c1
        c8 = -y_a + y_b - c7
        c9 = -c6
        c10 = -c4
        c11 = c10*c6 + c3*c7 + c3*c8 + c5*c9
        c12 = v_y_a*c2
        c13 = v_x_a*c6
        c14 = v_x_b*c9
        c15 = v_y_b*c3
        phi[row[1 * e + 0]] = c3*c5 + c6*c8
        phi_t[row[1 * e + 0]] = 0.0
        phi_dot[row[1 * e + 0]] = v_theta_a*c11 + v_x_a*c2 + v_x_b*c3 + v_y_a*c9 + v_y_b*c6
        gamma[row[1 * e + 0]] = -v_theta_a*c12 - v_theta_a*c13 - v_theta_a*c14 - v_theta_a*c15 - v_theta_a*(v_theta_a*(2.0*c10*c3 + c2*c5 + c3*c4 + c6*c7 + 2.0*c7*c9 + c8*c9) + c12 + c13 + c14 + c15)
        jac[slot[5 * e + 0]] += c2
        jac[slot[5 * e + 1]] += c9
        jac[slot[5 * e + 2]] += c11
        jac[slot[5 * e + 3]] += c3
        jac[slot[5 * e + 4]] += c6


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        axis_x = par[4 * e + 2]
        axis_y = par[4 * e + 3]
        lam_0 = lam[row[1 * e + 0]]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = axis_x*c0 - axis_y*c1
        c3 = lam_0*c2
        c4 = axis_x*c1 + axis_y*c0
        c5 = lam_0*c4
        c6 = s_x_a*c0 - s_y_a*c1
        c7 = s_x_a*c1 + s_y_a*c0
        c8 = -c3
        c9 = -c5
        kq[slot[9 * e + 0]] += c3
        kq[slot[9 * e + 1]] += c5
        kq[slot[9 * e + 2]] += c3
        kq[slot[9 * e + 3]] += c5
        kq[slot[9 * e + 4]] += lam_0*(-c2*c7 + c2*(y_a - y_b + c7) + c4*c6 - c4*(x_a - x_b + c6))
        kq[slot[9 * e + 5]] += c8
        kq[slot[9 * e + 6]] += c9
        kq[slot[9 * e + 7]] += c8
        kq[slot[9 * e + 8]] += c9


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
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
        a_x_a = a[dof[7 * e + 0]]
        a_y_a = a[dof[7 * e + 1]]
        a_theta_a = a[dof[7 * e + 2]]
        a_x_b = a[dof[7 * e + 3]]
        a_y_b = a[dof[7 * e + 4]]
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        axis_x = par[4 * e + 2]
        axis_y = par[4 * e + 3]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        c2 = axis_x*c0 + axis_y*c1
        c3 = axis_x*c1 - axis_y*c0
        c4 = c3*damp
        c5 = ((v_theta_a) * (v_theta_a))
        c6 = -c2
        c7 = -c3
        c8 = c2*damp
        c9 = v_x_b*c2
        c10 = v_y_a*c3
        c11 = v_y_b*c7
        c12 = v_x_a*c6
        c13 = s_x_a*c0 + s_y_a*c1
        c14 = c13*c6
        c15 = s_x_a*c1 - s_y_a*c0
        c16 = -c15
        c17 = -x_a + x_b - c15
        c18 = -y_a + y_b - c13
        c19 = c14 + c16*c3 + c17*c7 + c18*c6
        c20 = 2.0*c7
        c21 = 2.0*c6
        c22 = c13*c20 + c13*c3 + c15*c6 + c16*c21 + c17*c2 + c18*c7
        c23 = v_y_a*c2
        c24 = v_x_a*c3
        c25 = v_x_b*c7
        c26 = v_y_b*c6
        c27 = v_theta_a*c22
        c28 = 3.0*c7
        c29 = c7*damp
        c30 = c6*damp
        c31 = 2.0*v_theta_a
        gq[slot[5 * e + 0]] += a_theta_a*c3 + v_theta_a*c4 + c2*stiff + c5*c6
        gq[slot[5 * e + 1]] += a_theta_a*c2 + v_theta_a*c8 + c3*c5 + c7*stiff
        gq[slot[5 * e + 2]] += a_theta_a*c22 + a_x_a*c3 + a_x_b*c7 + a_y_a*c2 + a_y_b*c6 + v_theta_a*c10 + v_theta_a*c11 + v_theta_a*c12 + v_theta_a*c9 + v_theta_a*(v_theta_a*(3.0*c13*c2 - c13*c6 + 3.0*c14 + c15*c28 + c15*c3 + c16*c28 + c17*c3 + c18*c2) + c10 + c11 + c12 + c9) + c19*stiff + damp*(c23 + c24 + c25 + c26 + c27)
        gq[slot[5 * e + 3]] += a_theta_a*c7 + v_theta_a*c29 + c2*c5 + c6*stiff
        gq[slot[5 * e + 4]] += a_theta_a*c6 + v_theta_a*c30 + c3*stiff + c5*c7
        gv[slot[5 * e + 0]] += c3*c31 + c8
        gv[slot[5 * e + 1]] += c2*c31 + c29
        gv[slot[5 * e + 2]] += c19*damp + 2.0*c23 + 2.0*c24 + 2.0*c25 + 2.0*c26 + 2.0*c27
        gv[slot[5 * e + 3]] += v_theta_a*c20 + c30
        gv[slot[5 * e + 4]] += v_theta_a*c21 + c4
