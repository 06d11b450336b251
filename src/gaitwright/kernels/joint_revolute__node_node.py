"""Printed by gaitwright.derive from gaitwright.physics.joints.revolute. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 8, 0, 0, 2
JACOBIAN = ((0, 0), (0, 4), (1, 1), (1, 5))
HESSIAN = ()
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[8 * e + 0]]
        y_a = q[dof[8 * e + 1]]
        x_b = q[dof[8 * e + 4]]
        y_b = q[dof[8 * e + 5]]
        phi[row[2 * e + 0]] = -x_a + x_b
        phi[row[2 * e + 1]] = -y_a + y_b


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[8 * e + 0]]
        y_a = q[dof[8 * e + 1]]
        x_b = q[dof[8 * e + 4]]
        y_b = q[dof[8 * e + 5]]
        phi[row[2 * e + 0]] = -x_a + x_b
        phi[row[2 * e + 1]] = -y_a + y_b
        jac[slot[4 * e + 0]] += -1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += -1.0
        jac[slot[4 * e + 3]] += 1.0


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[8 * e + 0]]
        y_a = q[dof[8 * e + 1]]
        x_b = q[dof[8 * e + 4]]
        y_b = q[dof[8 * e + 5]]
        v_x_a = v[dof[8 * e + 0]]
        v_y_a = v[dof[8 * e + 1]]
        v_x_b = v[dof[8 * e + 4]]
        v_y_b = v[dof[8 * e + 5]]
        phi[row[2 * e + 0]] = -x_a + x_b
        phi[row[2 * e + 1]] = -y_a + y_b
        phi_t[row[2 * e + 0]] = 0.0
        phi_t[row[2 * e + 1]] = 0.0
        phi_dot[row[2 * e + 0]] = -v_x_a + v_x_b
        phi_dot[row[2 * e + 1]] = -v_y_a + v_y_b
        gamma[row[2 * e + 0]] = 0.0
        gamma[row[2 * e + 1]] = 0.0
        jac[slot[4 * e + 0]] += -1.0
        jac[slot[4 * e + 1]] += 1.0
        jac[slot[4 * e + 2]] += -1.0
        jac[slot[4 * e + 3]] += 1.0


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        c0 = -stiff
        c1 = -damp
        gq[slot[4 * e + 0]] += c0
        gq[slot[4 * e + 1]] += stiff
        gq[slot[4 * e + 2]] += c0
        gq[slot[4 * e + 3]] += stiff
        gv[slot[4 * e + 0]] += c1
        gv[slot[4 * e + 1]] += damp
        gv[slot[4 * e + 2]] += c1
        gv[slot[4 * e + 3]] += damp
