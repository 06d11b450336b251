"""Printed by gaitwright.derive from gaitwright.physics.joints.fixed. Do not edit."""

from math import atan2, floor

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 8, 1, 0, 3
JACOBIAN = ((0, 4), (1, 5), (2, 6), (2, 7))
HESSIAN = ((6, 6), (6, 7), (7, 6), (7, 7))
SYMMETRIC = True
ACTING = 8
VARIABLES = (
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('axis', 1, 0, 0), ('axis', 1, 0, 1), ('between', 0, 1, 0),
    ('between', 0, 1, 1), ('quadratic', 0.0, ((1.0, 0, 3), (-1.0, 2, 1))), ('quadratic', 0.0, ((1.0, 0, 2), (1.0, 1, 3))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[8 * e + 4]]
        y_a_to_y_b = q[dof[8 * e + 5]]
        z8 = q[dof[8 * e + 6]]
        z9 = q[dof[8 * e + 7]]
        angle = par[1 * e + 0]
        c0 = (1.0 / (((z8) * (z8)) + ((z9) * (z9))))
        phi[row[3 * e + 0]] = x_a_to_x_b
        phi[row[3 * e + 1]] = y_a_to_y_b
        phi[row[3 * e + 2]] = (-angle + atan2(z8, z9) - 6.283185307179586 * floor((-angle + atan2(z8, z9)) / 6.283185307179586 + 0.5))
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += z9*c0
        jac[slot[4 * e + 3]] += -z8*c0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a_to_x_b = q[dof[8 * e + 4]]
        y_a_to_y_b = q[dof[8 * e + 5]]
        z8 = q[dof[8 * e + 6]]
        z9 = q[dof[8 * e + 7]]
        v_x_a_to_x_b = v[dof[8 * e + 4]]
        v_y_a_to_y_b = v[dof[8 * e + 5]]
        v_z8 = v[dof[8 * e + 6]]
        v_z9 = v[dof[8 * e + 7]]
        angle = par[1 * e + 0]
        c0 = ((z8) * (z8))
        c1 = ((z9) * (z9))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = v_z8*c3
        c5 = v_z9*c3
        c6 = (1.0 / ((c2) * (c2)))
        c7 = 2.0*c6
        c8 = z8*z9
        c9 = v_z8*c7
        phi[row[3 * e + 0]] = x_a_to_x_b
        phi[row[3 * e + 1]] = y_a_to_y_b
        phi[row[3 * e + 2]] = (-angle + atan2(z8, z9) - 6.283185307179586 * floor((-angle + atan2(z8, z9)) / 6.283185307179586 + 0.5))
        phi_t[row[3 * e + 0]] = phi_t[row[3 * e + 1]] = phi_t[row[3 * e + 2]] = gamma[row[3 * e + 0]] = 0.0
        phi_dot[row[3 * e + 0]] = v_x_a_to_x_b
        phi_dot[row[3 * e + 1]] = v_y_a_to_y_b
        phi_dot[row[3 * e + 2]] = -z8*c5 + z9*c4
        gamma[row[3 * e + 1]] = 0.0
        gamma[row[3 * e + 2]] = -v_z8*(2.0*v_z9*c0*c6 - c5 - c8*c9) - v_z9*(v_z9*c7*c8 - c1*c9 + c4)
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += z9*c3
        jac[slot[4 * e + 3]] += -z8*c3

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        z8 = q[dof[8 * e + 6]]
        z9 = q[dof[8 * e + 7]]
        lam_2 = lam[row[3 * e + 2]]
        c0 = ((z9) * (z9))
        c1 = ((z8) * (z8)) + c0
        c2 = (2.0*lam_2*z8*z9) / (((c1) * (c1)))
        c3 = (1.0 / (c1))
        c4 = lam_2*c3*(-2.0*c0*c3 + 1.0)
        kq[slot[4 * e + 0]] += -c2
        kq[slot[4 * e + 1]] += c4
        kq[slot[4 * e + 2]] += c4
        kq[slot[4 * e + 3]] += c2

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        z8 = q[dof[8 * e + 6]]
        z9 = q[dof[8 * e + 7]]
        v_z8 = v[dof[8 * e + 6]]
        v_z9 = v[dof[8 * e + 7]]
        a_z8 = a[dof[8 * e + 6]]
        a_z9 = a[dof[8 * e + 7]]
        c0 = ((z8) * (z8))
        c1 = ((z9) * (z9))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = c3*stiff
        c5 = (1.0 / ((c2) * (c2)))
        c6 = 2.0*c5
        c7 = z9*c6
        c8 = z8*c7
        c9 = c0*c6
        c10 = v_z9*c3
        c11 = v_z8*c6
        c12 = z9*c11
        c13 = 6.0*c5
        c14 = v_z9*z8
        c15 = 8.0 / (((c2) * (c2) * (c2)))
        c16 = v_z9*c15
        c17 = v_z8*z9
        c18 = v_z8*c15
        c19 = z8*c1
        c20 = v_z9*c7 - z8*c11 - z9*c0*c16 + c18*c19
        c21 = c1*c6
        c22 = -v_z8*c21 + v_z8*c3
        c23 = c3*damp
        c24 = 4.0*c5
        gq[slot[4 * e + 0]] += stiff
        gq[slot[4 * e + 1]] += stiff
        gq[slot[4 * e + 2]] += -a_z8*c8 - a_z9*c3 + a_z9*c9 + v_z8*(-((z8) * (z8) * (z8))*c16 + c0*c15*c17 - c12 + c13*c14) + v_z9*c20 + z9*c4 + damp*(2.0*v_z9*c0*c5 - z8*c12 - c10)
        gq[slot[4 * e + 3]] += -a_z8*c21 + a_z8*c3 + a_z9*c8 + v_z8*c20 + v_z9*(((z9) * (z9) * (z9))*c18 - c13*c17 + c14*c6 - c16*c19) - z8*c4 + damp*(c14*c7 + c22)
        gv[slot[4 * e + 0]] += damp
        gv[slot[4 * e + 1]] += damp
        gv[slot[4 * e + 2]] += v_z9*c9 + v_z9*(-c21 + c3) - z8*c17*c24 + z9*c23 - c10
        gv[slot[4 * e + 3]] += v_z8*(-c3 + c9) - z8*c23 + z9*c14*c24 + c22
