"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 12, 3, 1, 1
JACOBIAN = ((0, 0), (0, 3), (0, 6), (0, 9))
HESSIAN = ()
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_point = q[dof[12 * e + 0]]
        d1x_point = q[dof[12 * e + 3]]
        d2x_point = q[dof[12 * e + 6]]
        d3x_point = q[dof[12 * e + 9]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        x = u[3 * sig[1 * e + 0]]
        l0 = d2x_point*s_y_point + d3x_point*s_z_point + s_x_point*(d1x_point + 1.0) + x_point
        phi[row[1 * e + 0]] = l0 - x


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[12 * e + 0]]
        d1x_point = q[dof[12 * e + 3]]
        d2x_point = q[dof[12 * e + 6]]
        d3x_point = q[dof[12 * e + 9]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        x = u[3 * sig[1 * e + 0]]
        l0 = d2x_point*s_y_point + d3x_point*s_z_point + s_x_point*(d1x_point + 1.0) + x_point
        phi[row[1 * e + 0]] = l0 - x
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += s_x_point
        jac[slot[4 * e + 2]] += s_y_point
        jac[slot[4 * e + 3]] += s_z_point


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[12 * e + 0]]
        d1x_point = q[dof[12 * e + 3]]
        d2x_point = q[dof[12 * e + 6]]
        d3x_point = q[dof[12 * e + 9]]
        v_x_point = v[dof[12 * e + 0]]
        v_d1x_point = v[dof[12 * e + 3]]
        v_d2x_point = v[dof[12 * e + 6]]
        v_d3x_point = v[dof[12 * e + 9]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        x = u[3 * sig[1 * e + 0]]
        x_t = u[3 * sig[1 * e + 0] + 1]
        x_tt = u[3 * sig[1 * e + 0] + 2]
        l0 = d2x_point*s_y_point + d3x_point*s_z_point + s_x_point*(d1x_point + 1.0) + x_point
        v_l0 = s_x_point*v_d1x_point + s_y_point*v_d2x_point + s_z_point*v_d3x_point + v_x_point
        c0 = -x_t
        phi[row[1 * e + 0]] = l0 - x
        phi_t[row[1 * e + 0]] = c0
        phi_dot[row[1 * e + 0]] = v_l0 + c0
        gamma[row[1 * e + 0]] = x_tt
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
