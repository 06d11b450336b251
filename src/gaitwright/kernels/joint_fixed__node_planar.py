"""Printed by gaitwright.derive from gaitwright.physics.joints.fixed. Do not edit."""

from math import atan2, cos, floor, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 7, 3, 0, 3
JACOBIAN = ((0, 0), (0, 4), (0, 6), (1, 1), (1, 5), (1, 6), (2, 2), (2, 3), (2, 6))
HESSIAN = ((2, 2), (2, 3), (3, 2), (3, 3), (6, 6))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        u_a = q[dof[7 * e + 2]]
        v_a = q[dof[7 * e + 3]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        s_x_b = par[3 * e + 0]
        s_y_b = par[3 * e + 1]
        angle = par[3 * e + 2]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        phi[row[3 * e + 0]] = s_x_b*c0 - s_y_b*c1 - x_a + x_b
        phi[row[3 * e + 1]] = s_x_b*c1 + s_y_b*c0 - y_a + y_b
        phi[row[3 * e + 2]] = (-angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        u_a = q[dof[7 * e + 2]]
        v_a = q[dof[7 * e + 3]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        s_x_b = par[3 * e + 0]
        s_y_b = par[3 * e + 1]
        angle = par[3 * e + 2]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        c2 = s_x_b*c0 - s_y_b*c1
        c3 = s_x_b*c1 + s_y_b*c0
        c4 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        phi[row[3 * e + 0]] = -x_a + x_b + c2
        phi[row[3 * e + 1]] = -y_a + y_b + c3
        phi[row[3 * e + 2]] = (-angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        jac[slot[9 * e + 0]] += -1.0
        jac[slot[9 * e + 1]] += 1.0
        jac[slot[9 * e + 2]] += -c3
        jac[slot[9 * e + 3]] += -1.0
        jac[slot[9 * e + 4]] += 1.0
        jac[slot[9 * e + 5]] += c2
        jac[slot[9 * e + 6]] += v_a*c4
        jac[slot[9 * e + 7]] += -u_a*c4
        jac[slot[9 * e + 8]] += 1.0


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        u_a = q[dof[7 * e + 2]]
        v_a = q[dof[7 * e + 3]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_u_a = v[dof[7 * e + 2]]
        v_v_a = v[dof[7 * e + 3]]
        v_x_b = v[dof[7 * e + 4]]
        v_y_b = v[dof[7 * e + 5]]
        v_theta_b = v[dof[7 * e + 6]]
        s_x_b = par[3 * e + 0]
        s_y_b = par[3 * e + 1]
        angle = par[3 * e + 2]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        c2 = s_x_b*c0 - s_y_b*c1
        c3 = s_x_b*c1 + s_y_b*c0
        c4 = -c3
        c5 = ((u_a) * (u_a))
        c6 = ((v_a) * (v_a))
        c7 = c5 + c6
        c8 = (1.0 / (c7))
        c9 = v_u_a*c8
        c10 = v_v_a*c8
        c11 = ((v_theta_b) * (v_theta_b))
        c12 = (1.0 / ((c7) * (c7)))
        c13 = 2.0*c12
        c14 = u_a*v_a
        c15 = v_u_a*c13
        phi[row[3 * e + 0]] = -x_a + x_b + c2
        phi[row[3 * e + 1]] = -y_a + y_b + c3
        phi[row[3 * e + 2]] = (-angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        phi_t[row[3 * e + 0]] = 0.0
        phi_t[row[3 * e + 1]] = 0.0
        phi_t[row[3 * e + 2]] = 0.0
        phi_dot[row[3 * e + 0]] = v_theta_b*c4 - v_x_a + v_x_b
        phi_dot[row[3 * e + 1]] = v_theta_b*c2 - v_y_a + v_y_b
        phi_dot[row[3 * e + 2]] = -u_a*c10 + v_a*c9 + v_theta_b
        gamma[row[3 * e + 0]] = c11*c2
        gamma[row[3 * e + 1]] = -c11*c4
        gamma[row[3 * e + 2]] = -v_u_a*(2.0*v_v_a*c12*c5 - c10 - c14*c15) - v_v_a*(v_v_a*c13*c14 - c15*c6 + c9)
        jac[slot[9 * e + 0]] += -1.0
        jac[slot[9 * e + 1]] += 1.0
        jac[slot[9 * e + 2]] += c4
        jac[slot[9 * e + 3]] += -1.0
        jac[slot[9 * e + 4]] += 1.0
        jac[slot[9 * e + 5]] += c2
        jac[slot[9 * e + 6]] += v_a*c8
        jac[slot[9 * e + 7]] += -u_a*c8
        jac[slot[9 * e + 8]] += 1.0


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        u_a = q[dof[7 * e + 2]]
        v_a = q[dof[7 * e + 3]]
        theta_b = q[dof[7 * e + 6]]
        s_x_b = par[3 * e + 0]
        s_y_b = par[3 * e + 1]
        lam_0 = lam[row[3 * e + 0]]
        lam_1 = lam[row[3 * e + 1]]
        lam_2 = lam[row[3 * e + 2]]
        c0 = ((v_a) * (v_a))
        c1 = ((u_a) * (u_a)) + c0
        c2 = (2.0*lam_2*u_a*v_a) / (((c1) * (c1)))
        c3 = (1.0 / (c1))
        c4 = lam_2*c3*(-2.0*c0*c3 + 1.0)
        c5 = sin(theta_b)
        c6 = cos(theta_b)
        kq[slot[5 * e + 0]] += -c2
        kq[slot[5 * e + 1]] += c4
        kq[slot[5 * e + 2]] += c4
        kq[slot[5 * e + 3]] += c2
        kq[slot[5 * e + 4]] += -lam_0*(s_x_b*c6 - s_y_b*c5) - lam_1*(s_x_b*c5 + s_y_b*c6)


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        u_a = q[dof[7 * e + 2]]
        v_a = q[dof[7 * e + 3]]
        theta_b = q[dof[7 * e + 6]]
        v_u_a = v[dof[7 * e + 2]]
        v_v_a = v[dof[7 * e + 3]]
        v_theta_b = v[dof[7 * e + 6]]
        a_u_a = a[dof[7 * e + 2]]
        a_v_a = a[dof[7 * e + 3]]
        a_theta_b = a[dof[7 * e + 6]]
        s_x_b = par[3 * e + 0]
        s_y_b = par[3 * e + 1]
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
        c10 = ((u_a) * (u_a))
        c11 = ((v_a) * (v_a))
        c12 = c10 + c11
        c13 = (1.0 / (c12))
        c14 = c13*stiff
        c15 = (1.0 / ((c12) * (c12)))
        c16 = 2.0*c15
        c17 = v_a*c16
        c18 = u_a*c17
        c19 = c10*c16
        c20 = v_v_a*c13
        c21 = v_u_a*c16
        c22 = v_a*c21
        c23 = (1.0 / ((c12) * (c12) * (c12)))
        c24 = 8.0*v_v_a*c23
        c25 = 8.0*u_a*v_u_a*c11*c23 - u_a*c21 + 2.0*v_a*v_v_a*c15 - v_a*c10*c24
        c26 = c11*c16
        c27 = u_a*v_v_a
        c28 = v_u_a*c13 - v_u_a*c26
        c29 = v_a*v_u_a
        c30 = -damp
        c31 = c13*damp
        c32 = 4.0*c15
        c33 = -c13
        gq[slot[9 * e + 0]] += c0
        gq[slot[9 * e + 1]] += stiff
        gq[slot[9 * e + 2]] += a_theta_b*c4 + c5*c6 + c7*stiff + c8*damp
        gq[slot[9 * e + 3]] += c0
        gq[slot[9 * e + 4]] += stiff
        gq[slot[9 * e + 5]] += a_theta_b*c7 + v_theta_b*c9 + c3*stiff + c4*c5
        gq[slot[9 * e + 6]] += -a_u_a*c18 - a_v_a*c13 + a_v_a*c19 + v_a*c14 + v_u_a*(-((u_a) * (u_a) * (u_a))*c24 + 6.0*u_a*v_v_a*c15 + 8.0*v_a*v_u_a*c10*c23 - c22) + v_v_a*c25 + damp*(-u_a*c22 + 2.0*v_v_a*c10*c15 - c20)
        gq[slot[9 * e + 7]] += a_u_a*c13 - a_u_a*c26 + a_v_a*c18 - u_a*c14 + v_u_a*c25 + v_v_a*(2.0*u_a*v_v_a*c15 - u_a*c11*c24 + 8.0*((v_a) * (v_a) * (v_a))*v_u_a*c23 - 6.0*c15*c29) + damp*(c17*c27 + c28)
        gq[slot[9 * e + 8]] += stiff
        gv[slot[9 * e + 0]] += c30
        gv[slot[9 * e + 1]] += damp
        gv[slot[9 * e + 2]] += 2.0*c8 + c9
        gv[slot[9 * e + 3]] += c30
        gv[slot[9 * e + 4]] += damp
        gv[slot[9 * e + 5]] += 2.0*v_theta_b*c7 + c3*damp
        gv[slot[9 * e + 6]] += -u_a*c29*c32 + v_a*c31 + v_v_a*c19 + v_v_a*(-c26 - c33) - c20
        gv[slot[9 * e + 7]] += -u_a*c31 + v_a*c27*c32 + v_u_a*(c19 + c33) + c28
        gv[slot[9 * e + 8]] += damp
