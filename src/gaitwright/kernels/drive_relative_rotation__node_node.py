"""Printed by gaitwright.derive from gaitwright.physics.drives.relative_rotation. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 4, 0, 1, 1
JACOBIAN = ((0, 0), (0, 1), (0, 2), (0, 3))
HESSIAN = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3), (3, 2), (3, 3))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        angle = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = (-angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        angle = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c1 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        phi[row[1 * e + 0]] = (-angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        jac[slot[4 * e + 0]] += v_a*c0
        jac[slot[4 * e + 1]] += -u_a*c0
        jac[slot[4 * e + 2]] += -v_b*c1
        jac[slot[4 * e + 3]] += u_b*c1


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        v_u_a = v[dof[4 * e + 0]]
        v_v_a = v[dof[4 * e + 1]]
        v_u_b = v[dof[4 * e + 2]]
        v_v_b = v[dof[4 * e + 3]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
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
        phi[row[1 * e + 0]] = (-angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = -angle_t - u_a*c4 + u_b*v_v_b*c8 + v_a*v_u_a*c3 - v_b*c9
        gamma[row[1 * e + 0]] = angle_tt - v_u_a*(2.0*v_v_a*c0*c14 - c16*c17 - c4) - v_u_b*(v_u_b*c11*c12 + v_v_b*c8 - c13*c5) - v_v_a*(v_u_a*c3 + v_v_a*c15*c16 - c1*c17) - v_v_b*(2.0*v_u_b*c10*c6 - c12*c13 - c9)
        jac[slot[4 * e + 0]] += v_a*c3
        jac[slot[4 * e + 1]] += -u_a*c3
        jac[slot[4 * e + 2]] += -v_b*c8
        jac[slot[4 * e + 3]] += u_b*c8


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = ((v_a) * (v_a))
        c1 = ((u_a) * (u_a)) + c0
        c2 = 2.0*lam_0
        c3 = (u_a*v_a*c2) / (((c1) * (c1)))
        c4 = (1.0 / (c1))
        c5 = lam_0*c4*(-2.0*c0*c4 + 1.0)
        c6 = ((v_b) * (v_b))
        c7 = ((u_b) * (u_b)) + c6
        c8 = (u_b*v_b*c2) / (((c7) * (c7)))
        c9 = (1.0 / (c7))
        c10 = lam_0*c9*(2.0*c6*c9 - 1.0)
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
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        v_u_a = v[dof[4 * e + 0]]
        v_v_a = v[dof[4 * e + 1]]
        v_u_b = v[dof[4 * e + 2]]
        v_v_b = v[dof[4 * e + 3]]
        a_u_a = a[dof[4 * e + 0]]
        a_v_a = a[dof[4 * e + 1]]
        a_u_b = a[dof[4 * e + 2]]
        a_v_b = a[dof[4 * e + 3]]
        c0 = ((u_a) * (u_a))
        c1 = ((v_a) * (v_a))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = c3*stiff
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = v_a*c6
        c8 = u_a*c7
        c9 = c0*c6
        c10 = v_v_a*c3
        c11 = v_u_a*c6
        c12 = v_a*c11
        c13 = (1.0 / ((c2) * (c2) * (c2)))
        c14 = 8.0*v_v_a*c13
        c15 = 8.0*u_a*v_u_a*c1*c13 - u_a*c11 + 2.0*v_a*v_v_a*c5 - v_a*c0*c14
        c16 = c1*c6
        c17 = u_a*v_v_a
        c18 = -v_u_a*c16 + v_u_a*c3
        c19 = v_a*v_u_a
        c20 = ((u_b) * (u_b))
        c21 = ((v_b) * (v_b))
        c22 = c20 + c21
        c23 = (1.0 / (c22))
        c24 = c23*stiff
        c25 = (1.0 / ((c22) * (c22)))
        c26 = 2.0*c25
        c27 = v_b*c26
        c28 = u_b*c27
        c29 = c20*c26
        c30 = v_u_b*c27
        c31 = v_v_b*c23 - v_v_b*c29
        c32 = u_b*v_v_b
        c33 = 6.0*c25
        c34 = 8.0 / (((c22) * (c22) * (c22)))
        c35 = v_v_b*c34
        c36 = v_u_b*c34
        c37 = v_b*c20
        c38 = u_b*v_u_b
        c39 = c21*c34
        c40 = -v_v_b*c27 + c26*c38 + c35*c37 - c38*c39
        c41 = c21*c26
        c42 = v_u_b*c23
        c43 = c3*damp
        c44 = 4.0*c5
        c45 = -c3
        c46 = -c23
        c47 = c23*damp
        c48 = 4.0*v_b*c25
        gq[slot[4 * e + 0]] += -a_u_a*c8 - a_v_a*c3 + a_v_a*c9 + v_a*c4 + v_u_a*(-((u_a) * (u_a) * (u_a))*c14 + 6.0*u_a*v_v_a*c5 + 8.0*v_a*v_u_a*c0*c13 - c12) + v_v_a*c15 + damp*(-u_a*c12 + 2.0*v_v_a*c0*c5 - c10)
        gq[slot[4 * e + 1]] += -a_u_a*c16 + a_u_a*c3 + a_v_a*c8 - u_a*c4 + v_u_a*c15 + v_v_a*(2.0*u_a*v_v_a*c5 - u_a*c1*c14 + 8.0*((v_a) * (v_a) * (v_a))*v_u_a*c13 - 6.0*c19*c5) + damp*(c17*c7 + c18)
        gq[slot[4 * e + 2]] += a_u_b*c28 + a_v_b*c23 - a_v_b*c29 - v_b*c24 + v_u_b*(((u_b) * (u_b) * (u_b))*c35 + c30 - c32*c33 - c36*c37) + v_v_b*c40 + damp*(u_b*c30 + c31)
        gq[slot[4 * e + 3]] += -a_u_b*c23 + a_u_b*c41 - a_v_b*c28 + u_b*c24 + v_u_b*c40 + v_v_b*(-((v_b) * (v_b) * (v_b))*c36 + v_b*v_u_b*c33 - c26*c32 + c32*c39) + damp*(2.0*v_u_b*c21*c25 - c27*c32 - c42)
        gv[slot[4 * e + 0]] += -u_a*c19*c44 + v_a*c43 + v_v_a*c9 + v_v_a*(-c16 - c45) - c10
        gv[slot[4 * e + 1]] += -u_a*c43 + v_a*c17*c44 + v_u_a*(c45 + c9) + c18
        gv[slot[4 * e + 2]] += -v_b*c47 + v_v_b*(c41 + c46) + c31 + c38*c48
        gv[slot[4 * e + 3]] += u_b*c47 + v_u_b*c41 + v_u_b*(-c29 - c46) - c32*c48 - c42
