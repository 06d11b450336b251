"""Printed by gaitwright.derive from gaitwright.physics.joints.planar. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 18, 12, 0, 3
JACOBIAN = ((0, 15), (1, 16), (2, 17))
HESSIAN = ()
SYMMETRIC = True
ACTING = 18
VARIABLES = (
    ('direction', 0, (0, 1, 2), 0), ('direction', 0, (0, 1, 2), 1), ('direction', 0, (0, 1, 2), 2),
    ('direction', 1, (3, 4, 5), 0), ('direction', 1, (3, 4, 5), 1), ('direction', 1, (3, 4, 5), 2),
    ('direction', 0, (6, 7, 8), 0), ('direction', 0, (6, 7, 8), 1), ('direction', 0, (6, 7, 8), 2),
    ('direction', 0, (9, 10, 11), 0), ('direction', 0, (9, 10, 11), 1), ('direction', 0, (9, 10, 11), 2),
    ('between', 0, 1, 0), ('between', 0, 1, 1), ('between', 0, 1, 2),
    ('quadratic', 0.0, ((1.0, 0, 12), (1.0, 1, 13), (1.0, 2, 14))),
    ('quadratic', 0.0, ((1.0, 6, 3), (1.0, 7, 4), (1.0, 8, 5))),
    ('quadratic', 0.0, ((1.0, 3, 9), (1.0, 4, 10), (1.0, 5, 11))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z21 = q[dof[18 * e + 15]]
        z22 = q[dof[18 * e + 16]]
        z23 = q[dof[18 * e + 17]]
        phi[row[3 * e + 0]] = z21
        phi[row[3 * e + 1]] = z22
        phi[row[3 * e + 2]] = z23
        jac[slot[3 * e + 0]] += 1.0
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z21 = q[dof[18 * e + 15]]
        z22 = q[dof[18 * e + 16]]
        z23 = q[dof[18 * e + 17]]
        v_z21 = v[dof[18 * e + 15]]
        v_z22 = v[dof[18 * e + 16]]
        v_z23 = v[dof[18 * e + 17]]
        phi[row[3 * e + 0]] = z21
        phi[row[3 * e + 1]] = z22
        phi[row[3 * e + 2]] = z23
        phi_t[row[3 * e + 0]] = phi_t[row[3 * e + 1]] = phi_t[row[3 * e + 2]] = gamma[row[3 * e + 0]] = 0.0
        phi_dot[row[3 * e + 0]] = v_z21
        phi_dot[row[3 * e + 1]] = v_z22
        phi_dot[row[3 * e + 2]] = v_z23
        gamma[row[3 * e + 1]] = gamma[row[3 * e + 2]] = 0.0
        jac[slot[3 * e + 0]] += 1.0
        jac[slot[3 * e + 1]] += 1.0
        jac[slot[3 * e + 2]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[3 * e + 0]] += stiff
        gq[slot[3 * e + 1]] += stiff
        gq[slot[3 * e + 2]] += stiff
        gv[slot[3 * e + 0]] += damp
        gv[slot[3 * e + 1]] += damp
        gv[slot[3 * e + 2]] += damp
