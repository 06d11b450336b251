"""Printed by gaitwright.derive from gaitwright.physics.joints.point_on_plane. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 7, 3, 0, 1
JACOBIAN = ((0, 6),)
HESSIAN = ()
SYMMETRIC = True
ACTING = 7
VARIABLES = (
    ('direction', 0, (0, 1, 2), 0), ('direction', 0, (0, 1, 2), 1), ('direction', 0, (0, 1, 2), 2), ('between', 0, 1, 0),
    ('between', 0, 1, 1), ('between', 0, 1, 2), ('quadratic', 0.0, ((1.0, 0, 3), (1.0, 1, 4), (1.0, 2, 5))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z12 = q[dof[7 * e + 6]]
        phi[row[1 * e + 0]] = z12
        jac[slot[1 * e + 0]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z12 = q[dof[7 * e + 6]]
        v_z12 = v[dof[7 * e + 6]]
        phi[row[1 * e + 0]] = z12
        phi_t[row[1 * e + 0]] = gamma[row[1 * e + 0]] = 0.0
        phi_dot[row[1 * e + 0]] = v_z12
        jac[slot[1 * e + 0]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[1 * e + 0]] += stiff
        gv[slot[1 * e + 0]] += damp
