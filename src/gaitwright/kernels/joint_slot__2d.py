"""Printed by gaitwright.derive from gaitwright.physics.joints.slot. Do not edit."""

from math import sqrt

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 8, 2, 0, 1
JACOBIAN = ((0, 6), (0, 7))
HESSIAN = ((6, 6), (6, 7), (7, 6))
SYMMETRIC = True
ACTING = 8
VARIABLES = (
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('direction', 0, (0, 1), 0), ('direction', 0, (0, 1), 1), ('between', 0, 1, 0),
    ('between', 0, 1, 1), ('quadratic', 0.0, ((1.0, 0, 0), (1.0, 1, 1))), ('quadratic', 0.0, ((1.0, 2, 5), (-1.0, 3, 4))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z2 = q[dof[8 * e + 6]]
        z11 = q[dof[8 * e + 7]]
        c0 = (1.0 / sqrt((z2)))
        phi[row[1 * e + 0]] = z11*c0
        jac[slot[2 * e + 0]] += (-z11) / (2.0*((z2) * sqrt((z2))))
        jac[slot[2 * e + 1]] += c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z2 = q[dof[8 * e + 6]]
        z11 = q[dof[8 * e + 7]]
        v_z2 = v[dof[8 * e + 6]]
        v_z11 = v[dof[8 * e + 7]]
        c0 = (1.0 / sqrt((z2)))
        c1 = 1.0 / (2.0*((z2) * sqrt((z2))))
        c2 = z11*c1
        c3 = v_z11*c1
        phi[row[1 * e + 0]] = z11*c0
        phi_t[row[1 * e + 0]] = 0.0
        phi_dot[row[1 * e + 0]] = v_z11*c0 - v_z2*c2
        gamma[row[1 * e + 0]] = v_z2*c3 + (-v_z2*(3.0*v_z2*z11 - 4.0*((z2) * (z2) * sqrt((z2)))*c3)) / (4.0*((z2) * (z2) * sqrt((z2))))
        jac[slot[2 * e + 0]] += -c2
        jac[slot[2 * e + 1]] += c0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        z2 = q[dof[8 * e + 6]]
        z11 = q[dof[8 * e + 7]]
        lam_0 = lam[row[1 * e + 0]]
        c0 = (-lam_0) / (2.0*((z2) * sqrt((z2))))
        kq[slot[3 * e + 0]] += (3.0*lam_0*z11) / (4.0*((z2) * (z2) * sqrt((z2))))
        kq[slot[3 * e + 1]] += c0
        kq[slot[3 * e + 2]] += c0

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        z2 = q[dof[8 * e + 6]]
        z11 = q[dof[8 * e + 7]]
        v_z2 = v[dof[8 * e + 6]]
        v_z11 = v[dof[8 * e + 7]]
        a_z2 = a[dof[8 * e + 6]]
        a_z11 = a[dof[8 * e + 7]]
        c0 = (1.0 / ((z2) * sqrt((z2))))
        c1 = (0.5)*c0
        c2 = (1.0 / ((z2) * (z2) * sqrt((z2))))
        c3 = (3.0 / 4.0)*c2
        c4 = v_z11*c3
        c5 = z11*c1
        c6 = v_z11*c0
        c7 = (1.0 / sqrt((z2)))
        c8 = v_z2*c0
        gq[slot[2 * e + 0]] += -a_z11*c1 + a_z2*z11*c3 + v_z2*c4 + (v_z2*(-15.0*v_z2*z11 + 8.0*((z2) * (z2) * (z2) * sqrt((z2)))*c4)) / (8.0*((z2) * (z2) * (z2) * sqrt((z2)))) - c5*stiff + damp*((3.0 / 4.0)*v_z2*z11*c2 - 0.5*c6)
        gq[slot[2 * e + 1]] += -a_z2*c1 + (3.0 / 4.0)*((v_z2) * (v_z2))*c2 + c7*stiff - 0.5*c8*damp
        gv[slot[2 * e + 0]] += (3.0 / 2.0)*v_z2*z11*c2 - c5*damp - c6
        gv[slot[2 * e + 1]] += c7*damp - c8
