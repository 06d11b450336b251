"""Printed by gaitwright.derive from gaitwright.physics.drives.relative_rotation. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 0, 1, 1
JACOBIAN = ((0, 0), (0, 1), (0, 2))
HESSIAN = ((0, 0), (0, 1), (1, 0), (1, 1))
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        angle = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = (-angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        angle = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        phi[row[1 * e + 0]] = (-angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        jac[slot[3 * e + 0]] += v_a*c0
        jac[slot[3 * e + 1]] += -u_a*c0
        jac[slot[3 * e + 2]] += 1.0


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
        c0 = ((u_a) * (u_a))
        c1 = ((v_a) * (v_a))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = v_v_a*c3
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = u_a*v_a
        c8 = v_u_a*c6
        phi[row[1 * e + 0]] = (-angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = -angle_t - u_a*c4 + v_a*v_u_a*c3 + v_theta_b
        gamma[row[1 * e + 0]] = angle_tt - v_u_a*(2.0*v_v_a*c0*c5 - c4 - c7*c8) - v_v_a*(v_u_a*c3 + v_v_a*c6*c7 - c1*c8)
        jac[slot[3 * e + 0]] += v_a*c3
        jac[slot[3 * e + 1]] += -u_a*c3
        jac[slot[3 * e + 2]] += 1.0


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = ((v_a) * (v_a))
        c1 = ((u_a) * (u_a)) + c0
        c2 = (2.0*lam_0*u_a*v_a) / (((c1) * (c1)))
        c3 = (1.0 / (c1))
        c4 = lam_0*c3*(-2.0*c0*c3 + 1.0)
        kq[slot[4 * e + 0]] += -c2
        kq[slot[4 * e + 1]] += c4
        kq[slot[4 * e + 2]] += c4
        kq[slot[4 * e + 3]] += c2


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        a_u_a = a[dof[3 * e + 0]]
        a_v_a = a[dof[3 * e + 1]]
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
        c20 = c3*damp
        c21 = 4.0*c5
        c22 = -c3
        gq[slot[3 * e + 0]] += -a_u_a*c8 - a_v_a*c3 + a_v_a*c9 + v_a*c4 + v_u_a*(-((u_a) * (u_a) * (u_a))*c14 + 6.0*u_a*v_v_a*c5 + 8.0*v_a*v_u_a*c0*c13 - c12) + v_v_a*c15 + damp*(-u_a*c12 + 2.0*v_v_a*c0*c5 - c10)
        gq[slot[3 * e + 1]] += -a_u_a*c16 + a_u_a*c3 + a_v_a*c8 - u_a*c4 + v_u_a*c15 + v_v_a*(2.0*u_a*v_v_a*c5 - u_a*c1*c14 + 8.0*((v_a) * (v_a) * (v_a))*v_u_a*c13 - 6.0*c19*c5) + damp*(c17*c7 + c18)
        gq[slot[3 * e + 2]] += stiff
        gv[slot[3 * e + 0]] += -u_a*c19*c21 + v_a*c20 + v_v_a*c9 + v_v_a*(-c16 - c22) - c10
        gv[slot[3 * e + 1]] += -u_a*c20 + v_a*c17*c21 + v_u_a*(c22 + c9) + c18
        gv[slot[3 * e + 2]] += damp
