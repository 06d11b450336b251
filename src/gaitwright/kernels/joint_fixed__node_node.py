"""Printed by gaitwright.derive from gaitwright.physics.joints.fixed. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 8, 1, 0, 3
JACOBIAN = ((0, 0), (0, 4), (1, 1), (1, 5), (2, 2), (2, 3), (2, 6), (2, 7))
HESSIAN = ((2, 2), (2, 3), (3, 2), (3, 3), (6, 6), (6, 7), (7, 6), (7, 7))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[8 * e + 0]]
        y_a = q[dof[8 * e + 1]]
        u_a = q[dof[8 * e + 2]]
        v_a = q[dof[8 * e + 3]]
        x_b = q[dof[8 * e + 4]]
        y_b = q[dof[8 * e + 5]]
        u_b = q[dof[8 * e + 6]]
        v_b = q[dof[8 * e + 7]]
        angle = par[1 * e + 0]
        phi[row[3 * e + 0]] = -x_a + x_b
        phi[row[3 * e + 1]] = -y_a + y_b
        phi[row[3 * e + 2]] = (-angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[8 * e + 0]]
        y_a = q[dof[8 * e + 1]]
        u_a = q[dof[8 * e + 2]]
        v_a = q[dof[8 * e + 3]]
        x_b = q[dof[8 * e + 4]]
        y_b = q[dof[8 * e + 5]]
        u_b = q[dof[8 * e + 6]]
        v_b = q[dof[8 * e + 7]]
        angle = par[1 * e + 0]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c1 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        phi[row[3 * e + 0]] = -x_a + x_b
        phi[row[3 * e + 1]] = -y_a + y_b
        phi[row[3 * e + 2]] = (-angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        jac[slot[8 * e + 0]] += -1.0
        jac[slot[8 * e + 1]] += 1.0
        jac[slot[8 * e + 2]] += -1.0
        jac[slot[8 * e + 3]] += 1.0
        jac[slot[8 * e + 4]] += v_a*c0
        jac[slot[8 * e + 5]] += -u_a*c0
        jac[slot[8 * e + 6]] += -v_b*c1
        jac[slot[8 * e + 7]] += u_b*c1


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[8 * e + 0]]
        y_a = q[dof[8 * e + 1]]
        u_a = q[dof[8 * e + 2]]
        v_a = q[dof[8 * e + 3]]
        x_b = q[dof[8 * e + 4]]
        y_b = q[dof[8 * e + 5]]
        u_b = q[dof[8 * e + 6]]
        v_b = q[dof[8 * e + 7]]
        v_x_a = v[dof[8 * e + 0]]
        v_y_a = v[dof[8 * e + 1]]
        v_u_a = v[dof[8 * e + 2]]
        v_v_a = v[dof[8 * e + 3]]
        v_x_b = v[dof[8 * e + 4]]
        v_y_b = v[dof[8 * e + 5]]
        v_u_b = v[dof[8 * e + 6]]
        v_v_b = v[dof[8 * e + 7]]
        angle = par[1 * e + 0]
        c0 = ((u_a) * (u_a))
        c1 = ((v_a) * (v_a))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = v_v_a*c3
        c5 = ((u_b) * (u_b))
        c6 = ((v_b) * (v_b))
        c7 = c5 + c6
        c8 = (1.0 / (c7))
        c9 = v_u_b*c8
        c10 = (1.0 / ((c7) * (c7)))
        c11 = 2.0*c10
        c12 = u_b*v_b
        c13 = v_v_b*c11
        c14 = (1.0 / ((c2) * (c2)))
        c15 = 2.0*c14
        c16 = u_a*v_a
        c17 = v_u_a*c15
        phi[row[3 * e + 0]] = -x_a + x_b
        phi[row[3 * e + 1]] = -y_a + y_b
        phi[row[3 * e + 2]] = (-angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        phi_t[row[3 * e + 0]] = 0.0
        phi_t[row[3 * e + 1]] = 0.0
        phi_t[row[3 * e + 2]] = 0.0
        phi_dot[row[3 * e + 0]] = -v_x_a + v_x_b
        phi_dot[row[3 * e + 1]] = -v_y_a + v_y_b
        phi_dot[row[3 * e + 2]] = -u_a*c4 + u_b*v_v_b*c8 + v_a*v_u_a*c3 - v_b*c9
        gamma[row[3 * e + 0]] = 0.0
        gamma[row[3 * e + 1]] = 0.0
        gamma[row[3 * e + 2]] = -v_u_a*(2.0*v_v_a*c0*c14 - c16*c17 - c4) - v_u_b*(v_u_b*c11*c12 + v_v_b*c8 - c13*c5) - v_v_a*(v_u_a*c3 + v_v_a*c15*c16 - c1*c17) - v_v_b*(2.0*v_u_b*c10*c6 - c12*c13 - c9)
        jac[slot[8 * e + 0]] += -1.0
        jac[slot[8 * e + 1]] += 1.0
        jac[slot[8 * e + 2]] += -1.0
        jac[slot[8 * e + 3]] += 1.0
        jac[slot[8 * e + 4]] += v_a*c3
        jac[slot[8 * e + 5]] += -u_a*c3
        jac[slot[8 * e + 6]] += -v_b*c8
        jac[slot[8 * e + 7]] += u_b*c8


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        u_a = q[dof[8 * e + 2]]
        v_a = q[dof[8 * e + 3]]
        u_b = q[dof[8 * e + 6]]
        v_b = q[dof[8 * e + 7]]
        lam_2 = lam[row[3 * e + 2]]
        c0 = ((v_a) * (v_a))
        c1 = ((u_a) * (u_a)) + c0
        c2 = 2.0*lam_2
        c3 = (u_a*v_a*c2) / (((c1) * (c1)))
        c4 = (1.0 / (c1))
        c5 = lam_2*c4*(-2.0*c0*c4 + 1.0)
        c6 = ((v_b) * (v_b))
        c7 = ((u_b) * (u_b)) + c6
        c8 = (u_b*v_b*c2) / (((c7) * (c7)))
        c9 = (1.0 / (c7))
        c10 = lam_2*c9*(2.0*c6*c9 - 1.0)
        kq[slot[8 * e + 0]] += -c3
        kq[slot[8 * e + 1]] += c5
        kq[slot[8 * e + 2]] += c5
        kq[slot[8 * e + 3]] += c3
        kq[slot[8 * e + 4]] += c8
        kq[slot[8 * e + 5]] += c10
        kq[slot[8 * e + 6]] += c10
        kq[slot[8 * e + 7]] += -c8


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        u_a = q[dof[8 * e + 2]]
        v_a = q[dof[8 * e + 3]]
        u_b = q[dof[8 * e + 6]]
        v_b = q[dof[8 * e + 7]]
        v_u_a = v[dof[8 * e + 2]]
        v_v_a = v[dof[8 * e + 3]]
        v_u_b = v[dof[8 * e + 6]]
        v_v_b = v[dof[8 * e + 7]]
        a_u_a = a[dof[8 * e + 2]]
        a_v_a = a[dof[8 * e + 3]]
        a_u_b = a[dof[8 * e + 6]]
        a_v_b = a[dof[8 * e + 7]]
        c0 = -stiff
        c1 = ((u_a) * (u_a))
        c2 = ((v_a) * (v_a))
        c3 = c1 + c2
        c4 = (1.0 / (c3))
        c5 = c4*stiff
        c6 = (1.0 / ((c3) * (c3)))
        c7 = 2.0*c6
        c8 = v_a*c7
        c9 = u_a*c8
        c10 = c1*c7
        c11 = v_v_a*c4
        c12 = v_u_a*c7
        c13 = v_a*c12
        c14 = (1.0 / ((c3) * (c3) * (c3)))
        c15 = 8.0*v_v_a*c14
        c16 = 8.0*u_a*v_u_a*c14*c2 - u_a*c12 + 2.0*v_a*v_v_a*c6 - v_a*c1*c15
        c17 = c2*c7
        c18 = u_a*v_v_a
        c19 = -v_u_a*c17 + v_u_a*c4
        c20 = v_a*v_u_a
        c21 = ((u_b) * (u_b))
        c22 = ((v_b) * (v_b))
        c23 = c21 + c22
        c24 = (1.0 / (c23))
        c25 = c24*stiff
        c26 = (1.0 / ((c23) * (c23)))
        c27 = 2.0*c26
        c28 = v_b*c27
        c29 = u_b*c28
        c30 = c21*c27
        c31 = v_u_b*c28
        c32 = v_v_b*c24 - v_v_b*c30
        c33 = u_b*v_v_b
        c34 = 6.0*c26
        c35 = 8.0 / (((c23) * (c23) * (c23)))
        c36 = v_v_b*c35
        c37 = v_u_b*c35
        c38 = v_b*c21
        c39 = u_b*v_u_b
        c40 = c22*c35
        c41 = -v_v_b*c28 + c27*c39 + c36*c38 - c39*c40
        c42 = c22*c27
        c43 = v_u_b*c24
        c44 = -damp
        c45 = c4*damp
        c46 = 4.0*c6
        c47 = -c4
        c48 = -c24
        c49 = c24*damp
        c50 = 4.0*v_b*c26
        gq[slot[8 * e + 0]] += c0
        gq[slot[8 * e + 1]] += stiff
        gq[slot[8 * e + 2]] += c0
        gq[slot[8 * e + 3]] += stiff
        gq[slot[8 * e + 4]] += -a_u_a*c9 + a_v_a*c10 - a_v_a*c4 + v_a*c5 + v_u_a*(-((u_a) * (u_a) * (u_a))*c15 + 6.0*u_a*v_v_a*c6 + 8.0*v_a*v_u_a*c1*c14 - c13) + v_v_a*c16 + damp*(-u_a*c13 + 2.0*v_v_a*c1*c6 - c11)
        gq[slot[8 * e + 5]] += -a_u_a*c17 + a_u_a*c4 + a_v_a*c9 - u_a*c5 + v_u_a*c16 + v_v_a*(2.0*u_a*v_v_a*c6 - u_a*c15*c2 + 8.0*((v_a) * (v_a) * (v_a))*v_u_a*c14 - 6.0*c20*c6) + damp*(c18*c8 + c19)
        gq[slot[8 * e + 6]] += a_u_b*c29 + a_v_b*c24 - a_v_b*c30 - v_b*c25 + v_u_b*(((u_b) * (u_b) * (u_b))*c36 + c31 - c33*c34 - c37*c38) + v_v_b*c41 + damp*(u_b*c31 + c32)
        gq[slot[8 * e + 7]] += -a_u_b*c24 + a_u_b*c42 - a_v_b*c29 + u_b*c25 + v_u_b*c41 + v_v_b*(-((v_b) * (v_b) * (v_b))*c37 + v_b*v_u_b*c34 - c27*c33 + c33*c40) + damp*(2.0*v_u_b*c22*c26 - c28*c33 - c43)
        gv[slot[8 * e + 0]] += c44
        gv[slot[8 * e + 1]] += damp
        gv[slot[8 * e + 2]] += c44
        gv[slot[8 * e + 3]] += damp
        gv[slot[8 * e + 4]] += -u_a*c20*c46 + v_a*c45 + v_v_a*c10 + v_v_a*(-c17 - c47) - c11
        gv[slot[8 * e + 5]] += -u_a*c45 + v_a*c18*c46 + v_u_a*(c10 + c47) + c19
        gv[slot[8 * e + 6]] += -v_b*c49 + v_v_b*(c42 + c48) + c32 + c39*c50
        gv[slot[8 * e + 7]] += u_b*c49 + v_u_b*c42 + v_u_b*(-c30 - c48) - c33*c50 - c43
