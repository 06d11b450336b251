"""Printed by gaitwright.derive from gaitwright.physics.drives.relative_rotation. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 0, 1, 1
JACOBIAN = ((0, 0), (0, 1), (0, 2))
HESSIAN = ((1, 1), (1, 2), (2, 1), (2, 2))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        angle = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = (-angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        angle = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        phi[row[1 * e + 0]] = (-angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        jac[slot[3 * e + 0]] += -1.0
        jac[slot[3 * e + 1]] += -v_b*c0
        jac[slot[3 * e + 2]] += u_b*c0


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
        c0 = ((u_b) * (u_b))
        c1 = ((v_b) * (v_b))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = v_u_b*c3
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = u_b*v_b
        c8 = v_v_b*c6
        phi[row[1 * e + 0]] = (-angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = -angle_t + u_b*v_v_b*c3 - v_b*c4 - v_theta_a
        gamma[row[1 * e + 0]] = angle_tt - v_u_b*(v_u_b*c6*c7 + v_v_b*c3 - c0*c8) - v_v_b*(2.0*v_u_b*c1*c5 - c4 - c7*c8)
        jac[slot[3 * e + 0]] += -1.0
        jac[slot[3 * e + 1]] += -v_b*c3
        jac[slot[3 * e + 2]] += u_b*c3


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = ((v_b) * (v_b))
        c1 = ((u_b) * (u_b)) + c0
        c2 = (2.0*lam_0*u_b*v_b) / (((c1) * (c1)))
        c3 = (1.0 / (c1))
        c4 = lam_0*c3*(2.0*c0*c3 - 1.0)
        kq[slot[4 * e + 0]] += c2
        kq[slot[4 * e + 1]] += c4
        kq[slot[4 * e + 2]] += c4
        kq[slot[4 * e + 3]] += -c2


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        a_u_b = a[dof[3 * e + 1]]
        a_v_b = a[dof[3 * e + 2]]
        c0 = ((u_b) * (u_b))
        c1 = ((v_b) * (v_b))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = c3*stiff
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = v_b*c6
        c8 = u_b*c7
        c9 = c0*c6
        c10 = v_u_b*c7
        c11 = v_v_b*c3 - v_v_b*c9
        c12 = u_b*v_v_b
        c13 = 6.0*c5
        c14 = 8.0 / (((c2) * (c2) * (c2)))
        c15 = v_v_b*c14
        c16 = v_u_b*c14
        c17 = v_b*c0
        c18 = u_b*v_u_b
        c19 = c1*c14
        c20 = -v_v_b*c7 + c15*c17 - c18*c19 + c18*c6
        c21 = c1*c6
        c22 = v_u_b*c3
        c23 = -c3
        c24 = c3*damp
        c25 = 4.0*v_b*c5
        gq[slot[3 * e + 0]] += -stiff
        gq[slot[3 * e + 1]] += a_u_b*c8 + a_v_b*c3 - a_v_b*c9 - v_b*c4 + v_u_b*(((u_b) * (u_b) * (u_b))*c15 + c10 - c12*c13 - c16*c17) + v_v_b*c20 + damp*(u_b*c10 + c11)
        gq[slot[3 * e + 2]] += a_u_b*c21 - a_u_b*c3 - a_v_b*c8 + u_b*c4 + v_u_b*c20 + v_v_b*(-((v_b) * (v_b) * (v_b))*c16 + v_b*v_u_b*c13 + c12*c19 - c12*c6) + damp*(2.0*v_u_b*c1*c5 - c12*c7 - c22)
        gv[slot[3 * e + 0]] += -damp
        gv[slot[3 * e + 1]] += -v_b*c24 + v_v_b*(c21 + c23) + c11 + c18*c25
        gv[slot[3 * e + 2]] += u_b*c24 + v_u_b*c21 + v_u_b*(-c23 - c9) - c12*c25 - c22
