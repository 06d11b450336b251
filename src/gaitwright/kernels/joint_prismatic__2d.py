"""Printed by gaitwright.derive from gaitwright.physics.joints.prismatic. Do not edit."""

from math import atan2, floor, sqrt

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 12, 3, 0, 2
JACOBIAN = ((0, 8), (0, 11), (1, 9), (1, 10))
HESSIAN = ((8, 8), (8, 11), (9, 9), (9, 10), (10, 9), (10, 10), (11, 8))
SYMMETRIC = True
ACTING = 12
VARIABLES = (
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('direction', 0, (0, 1), 0), ('direction', 0, (0, 1), 1), ('axis', 1, 0, 0),
    ('axis', 1, 0, 1), ('between', 0, 1, 0), ('between', 0, 1, 1), ('quadratic', 0.0, ((1.0, 0, 0), (1.0, 1, 1))),
    ('quadratic', 0.0, ((1.0, 0, 5), (-1.0, 4, 1))), ('quadratic', 0.0, ((1.0, 0, 4), (1.0, 1, 5))),
    ('quadratic', 0.0, ((1.0, 2, 7), (-1.0, 3, 6))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z2 = q[dof[12 * e + 8]]
        z11 = q[dof[12 * e + 9]]
        z12 = q[dof[12 * e + 10]]
        z15 = q[dof[12 * e + 11]]
        angle = par[3 * e + 2]
        c0 = (1.0 / sqrt((z2)))
        c1 = (1.0 / (((z11) * (z11)) + ((z12) * (z12))))
        phi[row[2 * e + 0]] = z15*c0
        phi[row[2 * e + 1]] = (-angle + atan2(z11, z12) - 6.283185307179586 * floor((-angle + atan2(z11, z12)) / 6.283185307179586 + 0.5))
        jac[slot[4 * e + 0]] += (-z15) / (2.0*((z2) * sqrt((z2))))
        jac[slot[4 * e + 1]] += c0
        jac[slot[4 * e + 2]] += z12*c1
        jac[slot[4 * e + 3]] += -z11*c1

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z2 = q[dof[12 * e + 8]]
        z11 = q[dof[12 * e + 9]]
        z12 = q[dof[12 * e + 10]]
        z15 = q[dof[12 * e + 11]]
        v_z2 = v[dof[12 * e + 8]]
        v_z11 = v[dof[12 * e + 9]]
        v_z12 = v[dof[12 * e + 10]]
        v_z15 = v[dof[12 * e + 11]]
        angle = par[3 * e + 2]
        c0 = (1.0 / sqrt((z2)))
        c1 = 1.0 / (2.0*((z2) * sqrt((z2))))
        c2 = z15*c1
        c3 = ((z11) * (z11))
        c4 = ((z12) * (z12))
        c5 = c3 + c4
        c6 = (1.0 / (c5))
        c7 = v_z11*c6
        c8 = v_z12*c6
        c9 = v_z15*c1
        c10 = (1.0 / ((c5) * (c5)))
        c11 = 2.0*c10
        c12 = z11*z12
        c13 = v_z11*c11
        phi[row[2 * e + 0]] = z15*c0
        phi[row[2 * e + 1]] = (-angle + atan2(z11, z12) - 6.283185307179586 * floor((-angle + atan2(z11, z12)) / 6.283185307179586 + 0.5))
        phi_t[row[2 * e + 0]] = phi_t[row[2 * e + 1]] = 0.0
        phi_dot[row[2 * e + 0]] = v_z15*c0 - v_z2*c2
        phi_dot[row[2 * e + 1]] = -z11*c8 + z12*c7
        gamma[row[2 * e + 0]] = v_z2*c9 + (-v_z2*(3.0*v_z2*z15 - 4.0*((z2) * (z2) * sqrt((z2)))*c9)) / (4.0*((z2) * (z2) * sqrt((z2))))
        gamma[row[2 * e + 1]] = -v_z11*(2.0*v_z12*c10*c3 - c12*c13 - c8) - v_z12*(v_z12*c11*c12 - c13*c4 + c7)
        jac[slot[4 * e + 0]] += -c2
        jac[slot[4 * e + 1]] += c0
        jac[slot[4 * e + 2]] += z12*c6
        jac[slot[4 * e + 3]] += -z11*c6

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        z2 = q[dof[12 * e + 8]]
        z11 = q[dof[12 * e + 9]]
        z12 = q[dof[12 * e + 10]]
        z15 = q[dof[12 * e + 11]]
        lam_0 = lam[row[2 * e + 0]]
        lam_1 = lam[row[2 * e + 1]]
        c0 = (-lam_0) / (2.0*((z2) * sqrt((z2))))
        c1 = ((z12) * (z12))
        c2 = ((z11) * (z11)) + c1
        c3 = (2.0*lam_1*z11*z12) / (((c2) * (c2)))
        c4 = (1.0 / (c2))
        c5 = lam_1*c4*(-2.0*c1*c4 + 1.0)
        kq[slot[7 * e + 0]] += (3.0*lam_0*z15) / (4.0*((z2) * (z2) * sqrt((z2))))
        kq[slot[7 * e + 1]] += c0
        kq[slot[7 * e + 2]] += -c3
        kq[slot[7 * e + 3]] += c5
        kq[slot[7 * e + 4]] += c5
        kq[slot[7 * e + 5]] += c3
        kq[slot[7 * e + 6]] += c0

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        z2 = q[dof[12 * e + 8]]
        z11 = q[dof[12 * e + 9]]
        z12 = q[dof[12 * e + 10]]
        z15 = q[dof[12 * e + 11]]
        v_z2 = v[dof[12 * e + 8]]
        v_z11 = v[dof[12 * e + 9]]
        v_z12 = v[dof[12 * e + 10]]
        v_z15 = v[dof[12 * e + 11]]
        a_z2 = a[dof[12 * e + 8]]
        a_z11 = a[dof[12 * e + 9]]
        a_z12 = a[dof[12 * e + 10]]
        a_z15 = a[dof[12 * e + 11]]
        c0 = (1.0 / ((z2) * sqrt((z2))))
        c1 = (0.5)*c0
        c2 = (1.0 / ((z2) * (z2) * sqrt((z2))))
        c3 = (3.0 / 4.0)*c2
        c4 = v_z15*c3
        c5 = z15*c1
        c6 = v_z15*c0
        c7 = (1.0 / sqrt((z2)))
        c8 = v_z2*c0
        c9 = ((z11) * (z11))
        c10 = ((z12) * (z12))
        c11 = c10 + c9
        c12 = (1.0 / (c11))
        c13 = c12*stiff
        c14 = (1.0 / ((c11) * (c11)))
        c15 = 2.0*c14
        c16 = z12*c15
        c17 = z11*c16
        c18 = c15*c9
        c19 = v_z12*c12
        c20 = v_z11*c15
        c21 = z12*c20
        c22 = 6.0*c14
        c23 = v_z12*z11
        c24 = 8.0 / (((c11) * (c11) * (c11)))
        c25 = v_z12*c24
        c26 = v_z11*z12
        c27 = v_z11*c24
        c28 = z11*c10
        c29 = v_z12*c16 - z11*c20 - z12*c25*c9 + c27*c28
        c30 = c10*c15
        c31 = v_z11*c12 - v_z11*c30
        c32 = c12*damp
        c33 = 4.0*c14
        gq[slot[4 * e + 0]] += -a_z15*c1 + a_z2*z15*c3 + v_z2*c4 + (v_z2*(-15.0*v_z2*z15 + 8.0*((z2) * (z2) * (z2) * sqrt((z2)))*c4)) / (8.0*((z2) * (z2) * (z2) * sqrt((z2)))) - c5*stiff + damp*((3.0 / 4.0)*v_z2*z15*c2 - 0.5*c6)
        gq[slot[4 * e + 1]] += -a_z2*c1 + (3.0 / 4.0)*((v_z2) * (v_z2))*c2 + c7*stiff - 0.5*c8*damp
        gq[slot[4 * e + 2]] += -a_z11*c17 - a_z12*c12 + a_z12*c18 + v_z11*(-((z11) * (z11) * (z11))*c25 - c21 + c22*c23 + c24*c26*c9) + v_z12*c29 + z12*c13 + damp*(2.0*v_z12*c14*c9 - z11*c21 - c19)
        gq[slot[4 * e + 3]] += a_z11*c12 - a_z11*c30 + a_z12*c17 + v_z11*c29 + v_z12*(((z12) * (z12) * (z12))*c27 + c15*c23 - c22*c26 - c25*c28) - z11*c13 + damp*(c16*c23 + c31)
        gv[slot[4 * e + 0]] += (3.0 / 2.0)*v_z2*z15*c2 - c5*damp - c6
        gv[slot[4 * e + 1]] += c7*damp - c8
        gv[slot[4 * e + 2]] += v_z12*c18 + v_z12*(c12 - c30) - z11*c26*c33 + z12*c32 - c19
        gv[slot[4 * e + 3]] += v_z11*(-c12 + c18) - z11*c32 + z12*c23*c33 + c31
