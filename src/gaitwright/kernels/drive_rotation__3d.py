"""Printed by gaitwright.derive from gaitwright.physics.drives.rotation. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 11, 16, 1, 1
JACOBIAN = ((0, 9), (0, 10))
HESSIAN = ((9, 9), (9, 10), (10, 9), (10, 10))
SYMMETRIC = True
ACTING = 11
VARIABLES = (
    ('direction', 1, (13, 14, 15), 0), ('direction', 1, (13, 14, 15), 1), ('direction', 1, (13, 14, 15), 2),
    ('direction', 0, (10, 11, 12), 0), ('direction', 0, (10, 11, 12), 1), ('direction', 0, (10, 11, 12), 2),
    ('direction', 0, (7, 8, 9), 0), ('direction', 0, (7, 8, 9), 1), ('direction', 0, (7, 8, 9), 2),
    ('quadratic', 0.0, ((1.0, 0, 3), (1.0, 1, 4), (1.0, 2, 5))),
    ('quadratic', 0.0, ((1.0, 6, 0), (1.0, 7, 1), (1.0, 8, 2))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        angle = u[3 * sig[1 * e + 0]]
        l0 = atan2(z6, z10)
        c0 = (1.0 / (((z10) * (z10)) + ((z6) * (z6))))
        phi[row[1 * e + 0]] = (l0 - angle - 6.283185307179586 * floor((l0 - angle) / 6.283185307179586 + 0.5))
        jac[slot[2 * e + 0]] += z10*c0
        jac[slot[2 * e + 1]] += -z6*c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        angle = u[3 * sig[1 * e + 0]]
        angle_t = u[3 * sig[1 * e + 0] + 1]
        angle_tt = u[3 * sig[1 * e + 0] + 2]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        g_l0 = (v_z10*(v_z6*((((z10) * (z10)) + ((z6) * (z6))) * (((z10) * (z10)) + ((z6) * (z6)))) + (((z10) * (z10)) + ((z6) * (z6)))*(2.0*v_z10*z10*z6 - 2.0*v_z6*((z10) * (z10))))) / (((((z10) * (z10)) + ((z6) * (z6))) * (((z10) * (z10)) + ((z6) * (z6))) * (((z10) * (z10)) + ((z6) * (z6))))) + (v_z6*(-v_z10*((((z10) * (z10)) + ((z6) * (z6))) * (((z10) * (z10)) + ((z6) * (z6)))) + (((z10) * (z10)) + ((z6) * (z6)))*(2.0*v_z10*((z6) * (z6)) - 2.0*v_z6*z10*z6))) / (((((z10) * (z10)) + ((z6) * (z6))) * (((z10) * (z10)) + ((z6) * (z6))) * (((z10) * (z10)) + ((z6) * (z6)))))
        c1 = (1.0 / (((z10) * (z10)) + ((z6) * (z6))))
        phi[row[1 * e + 0]] = (l0 - angle - 6.283185307179586 * floor((l0 - angle) / 6.283185307179586 + 0.5))
        phi_t[row[1 * e + 0]] = -angle_t
        phi_dot[row[1 * e + 0]] = v_l0 - angle_t
        gamma[row[1 * e + 0]] = -g_l0 + angle_tt
        jac[slot[2 * e + 0]] += z10*c1
        jac[slot[2 * e + 1]] += -z6*c1

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = ((z10) * (z10))
        c1 = ((z6) * (z6))
        c2 = c0 + c1
        c3 = (2.0*lam_0) / (((c2) * (c2)))
        c4 = z10*z6*c3
        c5 = (-lam_0) / (c2)
        kq[slot[4 * e + 0]] += -c4
        kq[slot[4 * e + 1]] += -c0*c3 - c5
        kq[slot[4 * e + 2]] += c1*c3 + c5
        kq[slot[4 * e + 3]] += c4

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        a_z6 = a[dof[11 * e + 9]]
        a_z10 = a[dof[11 * e + 10]]
        c0 = ((z10) * (z10))
        c1 = ((z6) * (z6))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = c3*stiff
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = z10*c6
        c8 = z6*c7
        c9 = c1*c6
        c10 = v_z10*c3
        c11 = v_z6*c6
        c12 = z10*c11
        c13 = (1.0 / ((c2) * (c2) * (c2)))
        c14 = 8.0*v_z10*c13
        c15 = 2.0*v_z10*z10*c5 + 8.0*v_z6*z6*c0*c13 - z10*c1*c14 - z6*c11
        c16 = c0*c6
        c17 = v_z10*z6
        c18 = -v_z6*c16 + v_z6*c3
        c19 = v_z6*z10
        c20 = c3*damp
        c21 = 4.0*c5
        gq[slot[2 * e + 0]] += -a_z10*c3 + a_z10*c9 - a_z6*c8 + v_z10*c15 + v_z6*(6.0*v_z10*z6*c5 + 8.0*v_z6*z10*c1*c13 - ((z6) * (z6) * (z6))*c14 - c12) + z10*c4 + damp*(2.0*v_z10*c1*c5 - z6*c12 - c10)
        gq[slot[2 * e + 1]] += a_z10*c8 - a_z6*c16 + a_z6*c3 + v_z10*(2.0*v_z10*z6*c5 + 8.0*v_z6*((z10) * (z10) * (z10))*c13 - z6*c0*c14 - 6.0*c19*c5) + v_z6*c15 - z6*c4 + damp*(c17*c7 + c18)
        gv[slot[2 * e + 0]] += v_z10*c9 + v_z10*(-c16 + c3) + z10*c20 - z6*c19*c21 - c10
        gv[slot[2 * e + 1]] += v_z6*(-c3 + c9) + z10*c17*c21 - z6*c20 + c18
