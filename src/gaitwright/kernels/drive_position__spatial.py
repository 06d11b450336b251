"""Printed by gaitwright.derive from gaitwright.physics.drives.position. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 12, 3, 3, 3
JACOBIAN = ((0, 0), (0, 3), (0, 6), (0, 9), (1, 1), (1, 4), (1, 7), (1, 10), (2, 2), (2, 5), (2, 8), (2, 11))
HESSIAN = ()
SYMMETRIC = True


def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_point = q[dof[12 * e + 0]]
        y_point = q[dof[12 * e + 1]]
        z_point = q[dof[12 * e + 2]]
        d1x_point = q[dof[12 * e + 3]]
        d1y_point = q[dof[12 * e + 4]]
        d1z_point = q[dof[12 * e + 5]]
        d2x_point = q[dof[12 * e + 6]]
        d2y_point = q[dof[12 * e + 7]]
        d2z_point = q[dof[12 * e + 8]]
        d3x_point = q[dof[12 * e + 9]]
        d3y_point = q[dof[12 * e + 10]]
        d3z_point = q[dof[12 * e + 11]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        x = u[3 * sig[3 * e + 0]]
        y = u[3 * sig[3 * e + 1]]
        z = u[3 * sig[3 * e + 2]]
        l0 = d2x_point*s_y_point + d3x_point*s_z_point + s_x_point*(d1x_point + 1.0) + x_point
        l1 = d1y_point*s_x_point + d3y_point*s_z_point + s_y_point*(d2y_point + 1.0) + y_point
        l2 = d1z_point*s_x_point + d2z_point*s_y_point + s_z_point*(d3z_point + 1.0) + z_point
        phi[row[3 * e + 0]] = l0 - x
        phi[row[3 * e + 1]] = l1 - y
        phi[row[3 * e + 2]] = l2 - z


def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_point = q[dof[12 * e + 0]]
        y_point = q[dof[12 * e + 1]]
        z_point = q[dof[12 * e + 2]]
        d1x_point = q[dof[12 * e + 3]]
        d1y_point = q[dof[12 * e + 4]]
        d1z_point = q[dof[12 * e + 5]]
        d2x_point = q[dof[12 * e + 6]]
        d2y_point = q[dof[12 * e + 7]]
        d2z_point = q[dof[12 * e + 8]]
        d3x_point = q[dof[12 * e + 9]]
        d3y_point = q[dof[12 * e + 10]]
        d3z_point = q[dof[12 * e + 11]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        x = u[3 * sig[3 * e + 0]]
        y = u[3 * sig[3 * e + 1]]
        z = u[3 * sig[3 * e + 2]]
        l0 = d2x_point*s_y_point + d3x_point*s_z_point + s_x_point*(d1x_point + 1.0) + x_point
        l1 = d1y_point*s_x_point + d3y_point*s_z_point + s_y_point*(d2y_point + 1.0) + y_point
        l2 = d1z_point*s_x_point + d2z_point*s_y_point + s_z_point*(d3z_point + 1.0) + z_point
        phi[row[3 * e + 0]] = l0 - x
        phi[row[3 * e + 1]] = l1 - y
        phi[row[3 * e + 2]] = l2 - z
        jac[slot[12 * e + 0]] += 1.0
        jac[slot[12 * e + 1]] += s_x_point
        jac[slot[12 * e + 2]] += s_y_point
        jac[slot[12 * e + 3]] += s_z_point
        jac[slot[12 * e + 4]] += 1.0
        jac[slot[12 * e + 5]] += s_x_point
        jac[slot[12 * e + 6]] += s_y_point
        jac[slot[12 * e + 7]] += s_z_point
        jac[slot[12 * e + 8]] += 1.0
        jac[slot[12 * e + 9]] += s_x_point
        jac[slot[12 * e + 10]] += s_y_point
        jac[slot[12 * e + 11]] += s_z_point


def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_point = q[dof[12 * e + 0]]
        y_point = q[dof[12 * e + 1]]
        z_point = q[dof[12 * e + 2]]
        d1x_point = q[dof[12 * e + 3]]
        d1y_point = q[dof[12 * e + 4]]
        d1z_point = q[dof[12 * e + 5]]
        d2x_point = q[dof[12 * e + 6]]
        d2y_point = q[dof[12 * e + 7]]
        d2z_point = q[dof[12 * e + 8]]
        d3x_point = q[dof[12 * e + 9]]
        d3y_point = q[dof[12 * e + 10]]
        d3z_point = q[dof[12 * e + 11]]
        v_x_point = v[dof[12 * e + 0]]
        v_y_point = v[dof[12 * e + 1]]
        v_z_point = v[dof[12 * e + 2]]
        v_d1x_point = v[dof[12 * e + 3]]
        v_d1y_point = v[dof[12 * e + 4]]
        v_d1z_point = v[dof[12 * e + 5]]
        v_d2x_point = v[dof[12 * e + 6]]
        v_d2y_point = v[dof[12 * e + 7]]
        v_d2z_point = v[dof[12 * e + 8]]
        v_d3x_point = v[dof[12 * e + 9]]
        v_d3y_point = v[dof[12 * e + 10]]
        v_d3z_point = v[dof[12 * e + 11]]
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        x = u[3 * sig[3 * e + 0]]
        x_t = u[3 * sig[3 * e + 0] + 1]
        x_tt = u[3 * sig[3 * e + 0] + 2]
        y = u[3 * sig[3 * e + 1]]
        y_t = u[3 * sig[3 * e + 1] + 1]
        y_tt = u[3 * sig[3 * e + 1] + 2]
        z = u[3 * sig[3 * e + 2]]
        z_t = u[3 * sig[3 * e + 2] + 1]
        z_tt = u[3 * sig[3 * e + 2] + 2]
        l0 = d2x_point*s_y_point + d3x_point*s_z_point + s_x_point*(d1x_point + 1.0) + x_point
        v_l0 = s_x_point*v_d1x_point + s_y_point*v_d2x_point + s_z_point*v_d3x_point + v_x_point
        l1 = d1y_point*s_x_point + d3y_point*s_z_point + s_y_point*(d2y_point + 1.0) + y_point
        v_l1 = s_x_point*v_d1y_point + s_y_point*v_d2y_point + s_z_point*v_d3y_point + v_y_point
        l2 = d1z_point*s_x_point + d2z_point*s_y_point + s_z_point*(d3z_point + 1.0) + z_point
        v_l2 = s_x_point*v_d1z_point + s_y_point*v_d2z_point + s_z_point*v_d3z_point + v_z_point
        c0 = -x_t
        c1 = -y_t
        c2 = -z_t
        phi[row[3 * e + 0]] = l0 - x
        phi[row[3 * e + 1]] = l1 - y
        phi[row[3 * e + 2]] = l2 - z
        phi_t[row[3 * e + 0]] = c0
        phi_t[row[3 * e + 1]] = c1
        phi_t[row[3 * e + 2]] = c2
        phi_dot[row[3 * e + 0]] = v_l0 + c0
        phi_dot[row[3 * e + 1]] = v_l1 + c1
        phi_dot[row[3 * e + 2]] = v_l2 + c2
        gamma[row[3 * e + 0]] = x_tt
        gamma[row[3 * e + 1]] = y_tt
        gamma[row[3 * e + 2]] = z_tt
        jac[slot[12 * e + 0]] += 1.0
        jac[slot[12 * e + 1]] += s_x_point
        jac[slot[12 * e + 2]] += s_y_point
        jac[slot[12 * e + 3]] += s_z_point
        jac[slot[12 * e + 4]] += 1.0
        jac[slot[12 * e + 5]] += s_x_point
        jac[slot[12 * e + 6]] += s_y_point
        jac[slot[12 * e + 7]] += s_z_point
        jac[slot[12 * e + 8]] += 1.0
        jac[slot[12 * e + 9]] += s_x_point
        jac[slot[12 * e + 10]] += s_y_point
        jac[slot[12 * e + 11]] += s_z_point


def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass


def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        s_x_point = par[3 * e + 0]
        s_y_point = par[3 * e + 1]
        s_z_point = par[3 * e + 2]
        c0 = s_x_point*stiff
        c1 = s_y_point*stiff
        c2 = s_z_point*stiff
        c3 = s_x_point*damp
        c4 = s_y_point*damp
        c5 = s_z_point*damp
        gq[slot[12 * e + 0]] += stiff
        gq[slot[12 * e + 1]] += c0
        gq[slot[12 * e + 2]] += c1
        gq[slot[12 * e + 3]] += c2
        gq[slot[12 * e + 4]] += stiff
        gq[slot[12 * e + 5]] += c0
        gq[slot[12 * e + 6]] += c1
        gq[slot[12 * e + 7]] += c2
        gq[slot[12 * e + 8]] += stiff
        gq[slot[12 * e + 9]] += c0
        gq[slot[12 * e + 10]] += c1
        gq[slot[12 * e + 11]] += c2
        gv[slot[12 * e + 0]] += damp
        gv[slot[12 * e + 1]] += c3
        gv[slot[12 * e + 2]] += c4
        gv[slot[12 * e + 3]] += c5
        gv[slot[12 * e + 4]] += damp
        gv[slot[12 * e + 5]] += c3
        gv[slot[12 * e + 6]] += c4
        gv[slot[12 * e + 7]] += c5
        gv[slot[12 * e + 8]] += damp
        gv[slot[12 * e + 9]] += c3
        gv[slot[12 * e + 10]] += c4
        gv[slot[12 * e + 11]] += c5
