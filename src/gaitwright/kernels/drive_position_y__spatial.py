"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 12, 3, 1, 1
JACOBIAN = ((0, 1), (0, 4), (0, 7), (0, 10))
HESSIAN = ()
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        y_point = q[dof[12 * e + 1]]
        d1y_point = q[dof[12 * e + 4]]
        d2y_point = q[dof[12 * e + 7]]
        d3y_point = q[dof[12 * e + 10]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        y = u[3 * sig[1 * e + 0]]
        l1 = d1y_point*s_x_point + d3y_point*s_z_point + s_y_point*(d2y_point + 1.0) + y_point
        phi[row[1 * e + 0]] = l1 - y


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        y_point = q[dof[12 * e + 1]]
        d1y_point = q[dof[12 * e + 4]]
        d2y_point = q[dof[12 * e + 7]]
        d3y_point = q[dof[12 * e + 10]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        y = u[3 * sig[1 * e + 0]]
        l1 = d1y_point*s_x_point + d3y_point*s_z_point + s_y_point*(d2y_point + 1.0) + y_point
        phi[row[1 * e + 0]] = l1 - y
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += s_x_point
        jac[slot[4 * e + 2]] += s_y_point
        jac[slot[4 * e + 3]] += s_z_point


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        y_point = q[dof[12 * e + 1]]
        d1y_point = q[dof[12 * e + 4]]
        d2y_point = q[dof[12 * e + 7]]
        d3y_point = q[dof[12 * e + 10]]
        v_y_point = v[dof[12 * e + 1]]
        v_d1y_point = v[dof[12 * e + 4]]
        v_d2y_point = v[dof[12 * e + 7]]
        v_d3y_point = v[dof[12 * e + 10]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        y = u[3 * sig[1 * e + 0]]
        y_t = u[3 * sig[1 * e + 0] + 1]
        y_tt = u[3 * sig[1 * e + 0] + 2]
        l1 = d1y_point*s_x_point + d3y_point*s_z_point + s_y_point*(d2y_point + 1.0) + y_point
        v_l1 = s_x_point*v_d1y_point + s_y_point*v_d2y_point + s_z_point*v_d3y_point + v_y_point
        c0 = -y_t
        phi[row[1 * e + 0]] = l1 - y
        phi_t[row[1 * e + 0]] = c0
        phi_dot[row[1 * e + 0]] = v_l1 + c0
        gamma[row[1 * e + 0]] = y_tt
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += s_x_point
        jac[slot[4 * e + 2]] += s_y_point
        jac[slot[4 * e + 3]] += s_z_point


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        gq[slot[4 * e + 0]] += stiff
        gq[slot[4 * e + 1]] += s_x_point*stiff
        gq[slot[4 * e + 2]] += s_y_point*stiff
        gq[slot[4 * e + 3]] += s_z_point*stiff
        gv[slot[4 * e + 0]] += damp
        gv[slot[4 * e + 1]] += s_x_point*damp
        gv[slot[4 * e + 2]] += s_y_point*damp
        gv[slot[4 * e + 3]] += s_z_point*damp
