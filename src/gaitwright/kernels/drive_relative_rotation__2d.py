"""Printed by gaitwright.derive from gaitwright.physics.drives.relative_rotation. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 6, 0, 1, 1
JACOBIAN = ((0, 4), (0, 5))
HESSIAN = ((4, 4), (4, 5), (5, 4), (5, 5))
SYMMETRIC = True
ACTING = 6
VARIABLES = (
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('axis', 1, 0, 0), ('axis', 1, 0, 1),
    ('quadratic', 0.0, ((1.0, 0, 3), (-1.0, 2, 1))), ('quadratic', 0.0, ((1.0, 0, 2), (1.0, 1, 3))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        angle = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        phi[row[1 * e + 0]] = (-angle + atan2(z4, z5) - 6.283185307179586 * floor((-angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))
        jac[slot[2 * e + 0]] += z5*c0
        jac[slot[2 * e + 1]] += -z4*c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
        c0 = ((z4) * (z4))
        c1 = ((z5) * (z5))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = v_z5*c3
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = z4*z5
        c8 = v_z4*c6
        phi[row[1 * e + 0]] = (-angle + atan2(z4, z5) - 6.283185307179586 * floor((-angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = -angle_t + v_z4*z5*c3 - z4*c4
        gamma[row[1 * e + 0]] = angle_tt - v_z4*(2.0*v_z5*c0*c5 - c4 - c7*c8) - v_z5*(v_z4*c3 + v_z5*c6*c7 - c1*c8)
        jac[slot[2 * e + 0]] += z5*c3
        jac[slot[2 * e + 1]] += -z4*c3

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = ((z5) * (z5))
        c1 = ((z4) * (z4)) + c0
        c2 = (2.0*lam_0*z4*z5) / (((c1) * (c1)))
        c3 = (1.0 / (c1))
        c4 = lam_0*c3*(-2.0*c0*c3 + 1.0)
        kq[slot[4 * e + 0]] += -c2
        kq[slot[4 * e + 1]] += c4
        kq[slot[4 * e + 2]] += c4
        kq[slot[4 * e + 3]] += c2

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        a_z4 = a[dof[6 * e + 4]]
        a_z5 = a[dof[6 * e + 5]]
        c0 = ((z4) * (z4))
        c1 = ((z5) * (z5))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = c3*stiff
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = z5*c6
        c8 = z4*c7
        c9 = c0*c6
        c10 = v_z5*c3
        c11 = v_z4*c6
        c12 = z5*c11
        c13 = 6.0*c5
        c14 = v_z5*z4
        c15 = 8.0 / (((c2) * (c2) * (c2)))
        c16 = v_z5*c15
        c17 = v_z4*z5
        c18 = v_z4*c15
        c19 = z4*c1
        c20 = v_z5*c7 - z4*c11 - z5*c0*c16 + c18*c19
        c21 = c1*c6
        c22 = -v_z4*c21 + v_z4*c3
        c23 = c3*damp
        c24 = 4.0*c5
        gq[slot[2 * e + 0]] += -a_z4*c8 - a_z5*c3 + a_z5*c9 + v_z4*(-((z4) * (z4) * (z4))*c16 + c0*c15*c17 - c12 + c13*c14) + v_z5*c20 + z5*c4 + damp*(2.0*v_z5*c0*c5 - z4*c12 - c10)
        gq[slot[2 * e + 1]] += -a_z4*c21 + a_z4*c3 + a_z5*c8 + v_z4*c20 + v_z5*(((z5) * (z5) * (z5))*c18 - c13*c17 + c14*c6 - c16*c19) - z4*c4 + damp*(c14*c7 + c22)
        gv[slot[2 * e + 0]] += v_z5*c9 + v_z5*(-c21 + c3) - z4*c17*c24 + z5*c23 - c10
        gv[slot[2 * e + 1]] += v_z4*(-c3 + c9) - z4*c23 + z5*c14*c24 + c22
