"""Printed by gaitwright.derive from gaitwright.physics.joints.fixed. Do not edit."""

from math import cos, sin

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 6, 5, 0, 3
JACOBIAN = ((0, 0), (0, 2), (0, 3), (0, 5), (1, 1), (1, 2), (1, 4), (1, 5), (2, 2), (2, 5))
HESSIAN = ((2, 2), (5, 5))
SYMMETRIC = True

def residual(count, dof, par, sig, row, q, u, phi):
    for e in range(count):
        x_a = q[dof[6 * e + 0]]
        y_a = q[dof[6 * e + 1]]
        theta_a = q[dof[6 * e + 2]]
        x_b = q[dof[6 * e + 3]]
        y_b = q[dof[6 * e + 4]]
        theta_b = q[dof[6 * e + 5]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        s_x_b = par[5 * e + 2]
        s_y_b = par[5 * e + 3]
        angle = par[5 * e + 4]
        c0 = cos(theta_a)
        c1 = sin(theta_b)
        c2 = cos(theta_b)
        c3 = sin(theta_a)
        phi[row[3 * e + 0]] = -s_x_a*c0 + s_x_b*c2 + s_y_a*c3 - s_y_b*c1 - x_a + x_b
        phi[row[3 * e + 1]] = -s_x_a*c3 + s_x_b*c1 - s_y_a*c0 + s_y_b*c2 - y_a + y_b
        phi[row[3 * e + 2]] = -angle - theta_a + theta_b

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        x_a = q[dof[6 * e + 0]]
        y_a = q[dof[6 * e + 1]]
        theta_a = q[dof[6 * e + 2]]
        x_b = q[dof[6 * e + 3]]
        y_b = q[dof[6 * e + 4]]
        theta_b = q[dof[6 * e + 5]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        s_x_b = par[5 * e + 2]
        s_y_b = par[5 * e + 3]
        angle = par[5 * e + 4]
        c0 = sin(theta_b)
        c1 = s_y_b*c0
        c2 = cos(theta_b)
        c3 = cos(theta_a)
        c4 = sin(theta_a)
        c5 = s_x_a*c3 - s_y_a*c4
        c6 = s_x_b*c0
        c7 = s_y_b*c2
        c8 = s_x_a*c4 + s_y_a*c3
        phi[row[3 * e + 0]] = s_x_b*c2 - x_a + x_b - c1 - c5
        phi[row[3 * e + 1]] = -y_a + y_b + c6 + c7 - c8
        phi[row[3 * e + 2]] = -angle - theta_a + theta_b
        jac[slot[10 * e + 0]] += -1.0
        jac[slot[10 * e + 1]] += c8
        jac[slot[10 * e + 2]] += 1.0
        jac[slot[10 * e + 3]] += -c6 - c7
        jac[slot[10 * e + 4]] += -1.0
        jac[slot[10 * e + 5]] += -c5
        jac[slot[10 * e + 6]] += 1.0
        jac[slot[10 * e + 7]] += s_x_b*c2 - c1
        jac[slot[10 * e + 8]] += -1.0
        jac[slot[10 * e + 9]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        x_a = q[dof[6 * e + 0]]
        y_a = q[dof[6 * e + 1]]
        theta_a = q[dof[6 * e + 2]]
        x_b = q[dof[6 * e + 3]]
        y_b = q[dof[6 * e + 4]]
        theta_b = q[dof[6 * e + 5]]
        v_x_a = v[dof[6 * e + 0]]
        v_y_a = v[dof[6 * e + 1]]
        v_theta_a = v[dof[6 * e + 2]]
        v_x_b = v[dof[6 * e + 3]]
        v_y_b = v[dof[6 * e + 4]]
        v_theta_b = v[dof[6 * e + 5]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        s_x_b = par[5 * e + 2]
        s_y_b = par[5 * e + 3]
        angle = par[5 * e + 4]
        c0 = sin(theta_b)
        c1 = s_y_b*c0
        c2 = cos(theta_b)
        c3 = s_x_b*c2
        c4 = cos(theta_a)
        c5 = sin(theta_a)
        c6 = s_x_a*c4 - s_y_a*c5
        c7 = s_x_b*c0
        c8 = s_y_b*c2
        c9 = s_x_a*c5 + s_y_a*c4
        c10 = -c7 - c8
        c12 = -c1 + c3
        c13 = ((v_theta_a) * (v_theta_a))
        c14 = ((v_theta_b) * (v_theta_b))
        phi[row[3 * e + 0]] = -x_a + x_b - c1 + c3 - c6
        phi[row[3 * e + 1]] = -y_a + y_b + c7 + c8 - c9
        phi[row[3 * e + 2]] = -angle - theta_a + theta_b
        phi_t[row[3 * e + 0]] = phi_t[row[3 * e + 1]] = phi_t[row[3 * e + 2]] = gamma[row[3 * e + 2]] = 0.0
        phi_dot[row[3 * e + 0]] = v_theta_a*c9 + v_theta_b*c10 - v_x_a + v_x_b
        phi_dot[row[3 * e + 1]] = -v_theta_a*c6 + v_theta_b*c12 - v_y_a + v_y_b
        phi_dot[row[3 * e + 2]] = -v_theta_a + v_theta_b
        gamma[row[3 * e + 0]] = c12*c14 - c13*c6
        gamma[row[3 * e + 1]] = -c10*c14 - c13*c9
        jac[slot[10 * e + 0]] += -1.0
        jac[slot[10 * e + 1]] += c9
        jac[slot[10 * e + 2]] += 1.0
        jac[slot[10 * e + 3]] += c10
        jac[slot[10 * e + 4]] += -1.0
        jac[slot[10 * e + 5]] += -c6
        jac[slot[10 * e + 6]] += 1.0
        jac[slot[10 * e + 7]] += c12
        jac[slot[10 * e + 8]] += -1.0
        jac[slot[10 * e + 9]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        theta_a = q[dof[6 * e + 2]]
        theta_b = q[dof[6 * e + 5]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        s_x_b = par[5 * e + 2]
        s_y_b = par[5 * e + 3]
        lam_0 = lam[row[3 * e + 0]]
        lam_1 = lam[row[3 * e + 1]]
        c0 = sin(theta_a)
        c1 = cos(theta_a)
        c2 = sin(theta_b)
        c3 = cos(theta_b)
        kq[slot[2 * e + 0]] += lam_0*(s_x_a*c1 - s_y_a*c0) + lam_1*(s_x_a*c0 + s_y_a*c1)
        kq[slot[2 * e + 1]] += -lam_0*(s_x_b*c3 - s_y_b*c2) - lam_1*(s_x_b*c2 + s_y_b*c3)

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        theta_a = q[dof[6 * e + 2]]
        theta_b = q[dof[6 * e + 5]]
        v_theta_a = v[dof[6 * e + 2]]
        v_theta_b = v[dof[6 * e + 5]]
        a_theta_a = a[dof[6 * e + 2]]
        a_theta_b = a[dof[6 * e + 5]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        s_x_b = par[5 * e + 2]
        s_y_b = par[5 * e + 3]
        c1 = sin(theta_a)
        c2 = cos(theta_a)
        c3 = s_x_a*c1 + s_y_a*c2
        c4 = s_x_a*c2 - s_y_a*c1
        c5 = v_theta_a*c4
        c6 = ((v_theta_a) * (v_theta_a))
        c7 = cos(theta_b)
        c8 = sin(theta_b)
        c9 = s_x_b*c7 - s_y_b*c8
        c11 = ((v_theta_b) * (v_theta_b))
        c12 = s_x_b*c8 + s_y_b*c7
        c14 = -v_theta_b*c9
        c16 = c3*damp
        c17 = -c12*damp
        gq[slot[10 * e + 0]] += -stiff
        gq[slot[10 * e + 1]] += a_theta_a*c4 - c3*c6 + c3*stiff + c5*damp
        gq[slot[10 * e + 2]] += stiff
        gq[slot[10 * e + 3]] += -a_theta_b*c9 + c11*c12 - c12*stiff + c14*damp
        gq[slot[10 * e + 4]] += -stiff
        gq[slot[10 * e + 5]] += a_theta_a*c3 + v_theta_a*c16 + c4*c6 - c4*stiff
        gq[slot[10 * e + 6]] += stiff
        gq[slot[10 * e + 7]] += -a_theta_b*c12 + v_theta_b*c17 - c11*c9 + c9*stiff
        gq[slot[10 * e + 8]] += -stiff
        gq[slot[10 * e + 9]] += stiff
        gv[slot[10 * e + 0]] += -damp
        gv[slot[10 * e + 1]] += c16 + 2.0*c5
        gv[slot[10 * e + 2]] += damp
        gv[slot[10 * e + 3]] += 2.0*c14 + c17
        gv[slot[10 * e + 4]] += -damp
        gv[slot[10 * e + 5]] += 2.0*v_theta_a*c3 - c4*damp
        gv[slot[10 * e + 6]] += damp
        gv[slot[10 * e + 7]] += -2.0*v_theta_b*c12 + c9*damp
        gv[slot[10 * e + 8]] += -damp
        gv[slot[10 * e + 9]] += damp
