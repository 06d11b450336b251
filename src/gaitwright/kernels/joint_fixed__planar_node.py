"""Printed by gaitwright.derive from gaitwright.physics.joints.fixed. Do not edit."""

from math import atan2, cos, floor, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 7, 3, 0, 3
JACOBIAN = ((0, 0), (0, 2), (0, 3), (1, 1), (1, 2), (1, 4), (2, 2), (2, 5), (2, 6))
HESSIAN = ((2, 2), (5, 5), (5, 6), (6, 5), (6, 6))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        s_x_a = par[3 * e + 0]
        s_y_a = par[3 * e + 1]
        angle = par[3 * e + 2]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        phi[row[3 * e + 0]] = -s_x_a*c0 + s_y_a*c1 - x_a + x_b
        phi[row[3 * e + 1]] = -s_x_a*c1 - s_y_a*c0 - y_a + y_b
        phi[row[3 * e + 2]] = (-angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        s_x_a = par[3 * e + 0]
        s_y_a = par[3 * e + 1]
        angle = par[3 * e + 2]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0 - s_y_a*c1
        c3 = s_x_a*c1 + s_y_a*c0
        c4 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        phi[row[3 * e + 0]] = -x_a + x_b - c2
        phi[row[3 * e + 1]] = -y_a + y_b - c3
        phi[row[3 * e + 2]] = (-angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        jac[slot[9 * e + 0]] += -1.0
        jac[slot[9 * e + 1]] += c3
        jac[slot[9 * e + 2]] += 1.0
        jac[slot[9 * e + 3]] += -1.0
        jac[slot[9 * e + 4]] += -c2
        jac[slot[9 * e + 5]] += 1.0
        jac[slot[9 * e + 6]] += -1.0
        jac[slot[9 * e + 7]] += -v_b*c4
        jac[slot[9 * e + 8]] += u_b*c4


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_theta_a = v[dof[7 * e + 2]]
        v_x_b = v[dof[7 * e + 3]]
        v_y_b = v[dof[7 * e + 4]]
        v_u_b = v[dof[7 * e + 5]]
        v_v_b = v[dof[7 * e + 6]]
        s_x_a = par[3 * e + 0]
        s_y_a = par[3 * e + 1]
        angle = par[3 * e + 2]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0 - s_y_a*c1
        c3 = s_x_a*c1 + s_y_a*c0
        c4 = -c2
        c5 = ((u_b) * (u_b))
        c6 = ((v_b) * (v_b))
        c7 = c5 + c6
        c8 = (1.0 / (c7))
        c9 = v_u_b*c8
        c10 = ((v_theta_a) * (v_theta_a))
        c11 = (1.0 / ((c7) * (c7)))
        c12 = 2.0*c11
        c13 = u_b*v_b
        c14 = v_v_b*c12
        phi[row[3 * e + 0]] = -x_a + x_b - c2
        phi[row[3 * e + 1]] = -y_a + y_b - c3
        phi[row[3 * e + 2]] = (-angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        phi_t[row[3 * e + 0]] = 0.0
        phi_t[row[3 * e + 1]] = 0.0
        phi_t[row[3 * e + 2]] = 0.0
        phi_dot[row[3 * e + 0]] = v_theta_a*c3 - v_x_a + v_x_b
        phi_dot[row[3 * e + 1]] = v_theta_a*c4 - v_y_a + v_y_b
        phi_dot[row[3 * e + 2]] = u_b*v_v_b*c8 - v_b*c9 - v_theta_a
        gamma[row[3 * e + 0]] = -c10*c2
        gamma[row[3 * e + 1]] = -c10*c3
        gamma[row[3 * e + 2]] = -v_u_b*(v_u_b*c12*c13 + v_v_b*c8 - c14*c5) - v_v_b*(2.0*v_u_b*c11*c6 - c13*c14 - c9)
        jac[slot[9 * e + 0]] += -1.0
        jac[slot[9 * e + 1]] += c3
        jac[slot[9 * e + 2]] += 1.0
        jac[slot[9 * e + 3]] += -1.0
        jac[slot[9 * e + 4]] += c4
        jac[slot[9 * e + 5]] += 1.0
        jac[slot[9 * e + 6]] += -1.0
        jac[slot[9 * e + 7]] += -v_b*c8
        jac[slot[9 * e + 8]] += u_b*c8


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_a = q[dof[7 * e + 2]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        s_x_a = par[3 * e + 0]
        s_y_a = par[3 * e + 1]
        lam_0 = lam[row[3 * e + 0]]
        lam_1 = lam[row[3 * e + 1]]
        lam_2 = lam[row[3 * e + 2]]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        c2 = ((v_b) * (v_b))
        c3 = ((u_b) * (u_b)) + c2
        c4 = (2.0*lam_2*u_b*v_b) / (((c3) * (c3)))
        c5 = (1.0 / (c3))
        c6 = lam_2*c5*(2.0*c2*c5 - 1.0)
        kq[slot[5 * e + 0]] += lam_0*(s_x_a*c1 - s_y_a*c0) + lam_1*(s_x_a*c0 + s_y_a*c1)
        kq[slot[5 * e + 1]] += c4
        kq[slot[5 * e + 2]] += c6
        kq[slot[5 * e + 3]] += c6
        kq[slot[5 * e + 4]] += -c4


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_a = q[dof[7 * e + 2]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        v_theta_a = v[dof[7 * e + 2]]
        v_u_b = v[dof[7 * e + 5]]
        v_v_b = v[dof[7 * e + 6]]
        a_theta_a = a[dof[7 * e + 2]]
        a_u_b = a[dof[7 * e + 5]]
        a_v_b = a[dof[7 * e + 6]]
        s_x_a = par[3 * e + 0]
        s_y_a = par[3 * e + 1]
        c0 = -stiff
        c1 = sin(theta_a)
        c2 = cos(theta_a)
        c3 = s_x_a*c1 + s_y_a*c2
        c4 = s_x_a*c2 - s_y_a*c1
        c5 = v_theta_a*c4
        c6 = ((v_theta_a) * (v_theta_a))
        c7 = -c4
        c8 = c3*damp
        c9 = ((u_b) * (u_b))
        c10 = ((v_b) * (v_b))
        c11 = c10 + c9
        c12 = (1.0 / (c11))
        c13 = c12*stiff
        c14 = (1.0 / ((c11) * (c11)))
        c15 = 2.0*c14
        c16 = v_b*c15
        c17 = u_b*c16
        c18 = c15*c9
        c19 = v_u_b*c16
        c20 = v_v_b*c12 - v_v_b*c18
        c21 = u_b*v_v_b
        c22 = 6.0*c14
        c23 = 8.0 / (((c11) * (c11) * (c11)))
        c24 = v_v_b*c23
        c25 = v_u_b*c23
        c26 = v_b*c9
        c27 = u_b*v_u_b
        c28 = c10*c23
        c29 = -v_v_b*c16 + c15*c27 + c24*c26 - c27*c28
        c30 = c10*c15
        c31 = v_u_b*c12
        c32 = -damp
        c33 = -c12
        c34 = c12*damp
        c35 = 4.0*v_b*c14
        gq[slot[9 * e + 0]] += c0
        gq[slot[9 * e + 1]] += a_theta_a*c4 - c3*c6 + c3*stiff + c5*damp
        gq[slot[9 * e + 2]] += stiff
        gq[slot[9 * e + 3]] += c0
        gq[slot[9 * e + 4]] += a_theta_a*c3 + v_theta_a*c8 + c4*c6 + c7*stiff
        gq[slot[9 * e + 5]] += stiff
        gq[slot[9 * e + 6]] += c0
        gq[slot[9 * e + 7]] += a_u_b*c17 + a_v_b*c12 - a_v_b*c18 - v_b*c13 + v_u_b*(((u_b) * (u_b) * (u_b))*c24 + c19 - c21*c22 - c25*c26) + v_v_b*c29 + damp*(u_b*c19 + c20)
        gq[slot[9 * e + 8]] += -a_u_b*c12 + a_u_b*c30 - a_v_b*c17 + u_b*c13 + v_u_b*c29 + v_v_b*(-((v_b) * (v_b) * (v_b))*c25 + v_b*v_u_b*c22 - c15*c21 + c21*c28) + damp*(2.0*v_u_b*c10*c14 - c16*c21 - c31)
        gv[slot[9 * e + 0]] += c32
        gv[slot[9 * e + 1]] += 2.0*c5 + c8
        gv[slot[9 * e + 2]] += damp
        gv[slot[9 * e + 3]] += c32
        gv[slot[9 * e + 4]] += 2.0*v_theta_a*c3 + c7*damp
        gv[slot[9 * e + 5]] += damp
        gv[slot[9 * e + 6]] += c32
        gv[slot[9 * e + 7]] += -v_b*c34 + v_v_b*(c30 + c33) + c20 + c27*c35
        gv[slot[9 * e + 8]] += u_b*c34 + v_u_b*c30 + v_u_b*(-c18 - c33) - c21*c35 - c31
