"""Printed by gaitwright.derive from gaitwright.physics.joints.travel. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 8, 5, 0, 1
JACOBIAN = ((0, 6), (0, 7))
HESSIAN = ()
SYMMETRIC = True
ACTING = 8
VARIABLES = (
    ('direction', 0, (0, 1, 2), 0), ('direction', 0, (0, 1, 2), 1), ('direction', 0, (0, 1, 2), 2), ('between', 0, 1, 0),
    ('between', 0, 1, 1), ('between', 0, 1, 2), ('travel', 2),
    ('quadratic', 0.0, ((1.0, 0, 3), (1.0, 1, 4), (1.0, 2, 5))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        travel_counter = q[dof[8 * e + 6]]
        z12 = q[dof[8 * e + 7]]
        ratio = par[5 * e + 3]
        offset = par[5 * e + 4]
        phi[row[1 * e + 0]] = -offset - ratio*travel_counter + z12
        jac[slot[2 * e + 0]] += -ratio
        jac[slot[2 * e + 1]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        travel_counter = q[dof[8 * e + 6]]
        z12 = q[dof[8 * e + 7]]
        v_travel_counter = v[dof[8 * e + 6]]
        v_z12 = v[dof[8 * e + 7]]
        ratio = par[5 * e + 3]
        offset = par[5 * e + 4]
        phi[row[1 * e + 0]] = -offset - ratio*travel_counter + z12
        phi_t[row[1 * e + 0]] = gamma[row[1 * e + 0]] = 0.0
        phi_dot[row[1 * e + 0]] = -ratio*v_travel_counter + v_z12
        jac[slot[2 * e + 0]] += -ratio
        jac[slot[2 * e + 1]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        ratio = par[5 * e + 3]
        gq[slot[2 * e + 0]] += -ratio*stiff
        gq[slot[2 * e + 1]] += stiff
        gv[slot[2 * e + 0]] += -ratio*damp
        gv[slot[2 * e + 1]] += damp
