"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 12, 3, 1, 1
JACOBIAN = ((0, 2), (0, 5), (0, 8), (0, 11))
HESSIAN = ()
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        z_point = q[dof[12 * e + 2]]
        d1z_point = q[dof[12 * e + 5]]
        d2z_point = q[dof[12 * e + 8]]
        d3z_point = q[dof[12 * e + 11]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        z = u[3 * sig[1 * e + 0]]
        l2 = d1z_point*s_x_point + d2z_point*s_y_point + s_z_point*(d3z_point + 1.0) + z_point
        phi[row[1 * e + 0]] = l2 - z


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z_point = q[dof[12 * e + 2]]
        d1z_point = q[dof[12 * e + 5]]
        d2z_point = q[dof[12 * e + 8]]
        d3z_point = q[dof[12 * e + 11]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        z = u[3 * sig[1 * e + 0]]
        l2 = d1z_point*s_x_point + d2z_point*s_y_point + s_z_point*(d3z_point + 1.0) + z_point
        phi[row[1 * e + 0]] = l2 - z
        jac[slot[4 * e + 0]] += 1.0
        jac[slot[4 * e + 1]] += s_x_point
        jac[slot[4 * e + 2]] += s_y_point
        jac[slot[4 * e + 3]] += s_z_point


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z_point = q[dof[12 * e + 2]]
        d1z_point = q[dof[12 * e + 5]]
        d2z_point = q[dof[12 * e + 8]]
        d3z_point = q[dof[12 * e + 11]]
        v_z_point = v[dof[12 * e + 2]]
        v_d1z_point = v[dof[12 * e + 5]]
        v_d2z_point = v[dof[12 * e + 8]]
        v_d3z_point = v[dof[12 * e + 11]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        z = u[3 * sig[1 * e + 0]]
        z_t = u[3 * sig[1 * e + 0] + 1]
        z_tt = u[3 * sig[1 * e + 0] + 2]
        l2 = d1z_point*s_x_point + d2z_point*s_y_point + s_z_point*(d3z_point + 1.0) + z_point
        v_l2 = s_x_point*v_d1z_point + s_y_point*v_d2z_point + s_z_point*v_d3z_point + v_z_point
        c0 = -z_t
        phi[row[1 * e + 0]] = l2 - z
        phi_t[row[1 * e + 0]] = c0
        phi_dot[row[1 * e + 0]] = v_l2 + c0
        gamma[row[1 * e + 0]] = z_tt
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
