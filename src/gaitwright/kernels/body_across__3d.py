"""Printed by gaitwright.derive from gaitwright.physics.bodies.spatial_beam. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 11, 0, 0, 2
JACOBIAN = ((0, 9), (1, 10))
HESSIAN = ()
SYMMETRIC = True
ACTING = 11
VARIABLES = (
    ('axis', 0, 1, 0), ('axis', 0, 1, 1), ('axis', 0, 1, 2), ('axis', 0, 2, 0), ('axis', 0, 2, 1), ('axis', 0, 2, 2),
    ('position', 1, 0), ('position', 1, 1), ('position', 1, 2),
    ('quadratic', 0.0, ((1.0, 0, 6), (1.0, 1, 7), (1.0, 2, 8))),
    ('quadratic', 0.0, ((1.0, 3, 6), (1.0, 4, 7), (1.0, 5, 8))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z12 = q[dof[11 * e + 9]]
        z13 = q[dof[11 * e + 10]]
        phi[row[2 * e + 0]] = z12
        phi[row[2 * e + 1]] = z13
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z12 = q[dof[11 * e + 9]]
        z13 = q[dof[11 * e + 10]]
        v_z12 = v[dof[11 * e + 9]]
        v_z13 = v[dof[11 * e + 10]]
        phi[row[2 * e + 0]] = z12
        phi[row[2 * e + 1]] = z13
        phi_t[row[2 * e + 0]] = phi_t[row[2 * e + 1]] = gamma[row[2 * e + 0]] = gamma[row[2 * e + 1]] = 0.0
        phi_dot[row[2 * e + 0]] = v_z12
        phi_dot[row[2 * e + 1]] = v_z13
        jac[slot[2 * e + 0]] += 1.0
        jac[slot[2 * e + 1]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[2 * e + 0]] += stiff
        gq[slot[2 * e + 1]] += stiff
        gv[slot[2 * e + 0]] += damp
        gv[slot[2 * e + 1]] += damp
