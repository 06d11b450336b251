"""Printed by gaitwright.derive from gaitwright.physics.drives.rotation. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 2, 0, 1, 1
JACOBIAN = ((0, 0), (0, 1))
HESSIAN = ((0, 0), (0, 1), (1, 0), (1, 1))
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        u_body = q[dof[2 * e + 0]]
        v_body = q[dof[2 * e + 1]]
        angle = u[3 * sig[1 * e + 0]]
        phi[row[1 * e + 0]] = (-angle + atan2(v_body, u_body) - 6.283185307179586 * floor((-angle + atan2(v_body, u_body)) / 6.283185307179586 + 0.5))

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        u_body = q[dof[2 * e + 0]]
        v_body = q[dof[2 * e + 1]]
        angle = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_body) * (u_body)) + ((v_body) * (v_body))))
        phi[row[1 * e + 0]] = (-angle + atan2(v_body, u_body) - 6.283185307179586 * floor((-angle + atan2(v_body, u_body)) / 6.283185307179586 + 0.5))
        jac[slot[2 * e + 0]] += -v_body*c0
        jac[slot[2 * e + 1]] += u_body*c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        u_body = q[dof[2 * e + 0]]
        v_body = q[dof[2 * e + 1]]
        v_u_body = v[dof[2 * e + 0]]
        v_v_body = v[dof[2 * e + 1]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
        c0 = ((u_body) * (u_body))
        c1 = ((v_body) * (v_body))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = v_u_body*c3
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = u_body*v_body
        c8 = v_v_body*c6
        phi[row[1 * e + 0]] = (-angle + atan2(v_body, u_body) - 6.283185307179586 * floor((-angle + atan2(v_body, u_body)) / 6.283185307179586 + 0.5))
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = -angle_t + u_body*v_v_body*c3 - v_body*c4
        gamma[row[1 * e + 0]] = angle_tt - v_u_body*(v_u_body*c6*c7 + v_v_body*c3 - c0*c8) - v_v_body*(2.0*v_u_body*c1*c5 - c4 - c7*c8)
        jac[slot[2 * e + 0]] += -v_body*c3
        jac[slot[2 * e + 1]] += u_body*c3

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        u_body = q[dof[2 * e + 0]]
        v_body = q[dof[2 * e + 1]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = ((v_body) * (v_body))
        c1 = ((u_body) * (u_body)) + c0
        c2 = (2.0*lam_0*u_body*v_body) / (((c1) * (c1)))
        c3 = (1.0 / (c1))
        c4 = lam_0*c3*(2.0*c0*c3 - 1.0)
        kq[slot[4 * e + 0]] += c2
        kq[slot[4 * e + 1]] += c4
        kq[slot[4 * e + 2]] += c4
        kq[slot[4 * e + 3]] += -c2

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        u_body = q[dof[2 * e + 0]]
        v_body = q[dof[2 * e + 1]]
        v_u_body = v[dof[2 * e + 0]]
        v_v_body = v[dof[2 * e + 1]]
        a_u_body = a[dof[2 * e + 0]]
        a_v_body = a[dof[2 * e + 1]]
        c0 = ((u_body) * (u_body))
        c1 = ((v_body) * (v_body))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = c3*stiff
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = v_body*c6
        c8 = u_body*c7
        c9 = c0*c6
        c10 = v_u_body*c7
        c11 = v_v_body*c3 - v_v_body*c9
        c12 = u_body*v_v_body
        c13 = 6.0*c5
        c14 = 8.0 / (((c2) * (c2) * (c2)))
        c15 = v_v_body*c14
        c16 = v_u_body*c14
        c17 = v_body*c0
        c18 = u_body*v_u_body
        c19 = c1*c14
        c20 = -v_v_body*c7 + c15*c17 - c18*c19 + c18*c6
        c21 = c1*c6
        c22 = v_u_body*c3
        c24 = c3*damp
        c25 = 4.0*v_body*c5
        gq[slot[2 * e + 0]] += a_u_body*c8 + a_v_body*c3 - a_v_body*c9 - v_body*c4 + v_u_body*(((u_body) * (u_body) * (u_body))*c15 + c10 - c12*c13 - c16*c17) + v_v_body*c20 + damp*(u_body*c10 + c11)
        gq[slot[2 * e + 1]] += a_u_body*c21 - a_u_body*c3 - a_v_body*c8 + u_body*c4 + v_u_body*c20 + v_v_body*(-((v_body) * (v_body) * (v_body))*c16 + v_body*v_u_body*c13 + c12*c19 - c12*c6) + damp*(2.0*v_u_body*c1*c5 - c12*c7 - c22)
        gv[slot[2 * e + 0]] += -v_body*c24 + v_v_body*(c21 - c3) + c11 + c18*c25
        gv[slot[2 * e + 1]] += u_body*c24 + v_u_body*c21 + v_u_body*(c3 - c9) - c12*c25 - c22
