"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.apart. Do not edit."""

from math import cos, sin

KIND = "pose"
N_DOF, N_PAR, N_SIG = 7, 6, 0
SYMMETRIC = False
TANGENT = tuple((i, j) for i in range(7) for j in range(7))

def frame(count, dof, par, sig, q, v, u, out, twist):
    for e in range(count):
        x0_a = q[dof[7 * e + 0]]
        y0_a = q[dof[7 * e + 1]]
        x1_a = q[dof[7 * e + 2]]
        y1_a = q[dof[7 * e + 3]]
        x_b = q[dof[7 * e + 4]]
        y_b = q[dof[7 * e + 5]]
        theta_b = q[dof[7 * e + 6]]
        v_x0_a = v[dof[7 * e + 0]]
        v_y0_a = v[dof[7 * e + 1]]
        v_x1_a = v[dof[7 * e + 2]]
        v_y1_a = v[dof[7 * e + 3]]
        v_x_b = v[dof[7 * e + 4]]
        v_y_b = v[dof[7 * e + 5]]
        v_theta_b = v[dof[7 * e + 6]]
        w0_a = par[6 * e + 0]
        w1_a = par[6 * e + 1]
        start_x_a = par[6 * e + 2]
        start_y_a = par[6 * e + 3]
        s_x_b = par[6 * e + 4]
        s_y_b = par[6 * e + 5]
        c0 = sin(theta_b)
        c1 = s_y_b*c0
        c2 = cos(theta_b)
        c3 = s_x_b*c0 + s_y_b*c2
        c4 = y_b + c3
        c6 = s_x_b*c2 - c1
        out[15 * e + 0] = s_x_b*c2 - start_x_a - w0_a*x0_a - w1_a*x1_a + x_b - c1
        out[15 * e + 1] = -start_y_a - w0_a*y0_a - w1_a*y1_a + c4
        out[15 * e + 2] = -v_theta_b*c3 - v_x0_a*w0_a - v_x1_a*w1_a + v_x_b
        out[15 * e + 3] = v_theta_b*c6 - v_y0_a*w0_a - v_y1_a*w1_a + v_y_b
        out[15 * e + 4] = out[15 * e + 5] = out[15 * e + 6] = out[15 * e + 8] = out[15 * e + 12] = 0.0
        out[15 * e + 7] = out[15 * e + 11] = out[15 * e + 14] = twist[21 * e + 4] = twist[21 * e + 12] = 1.0
        out[15 * e + 9] = x_b + c6
        out[15 * e + 10] = c4
        out[15 * e + 13] = twist[21 * e + 1] = twist[21 * e + 3] = twist[21 * e + 5] = twist[21 * e + 7] = 0.0
        twist[21 * e + 0] = twist[21 * e + 8] = -w0_a
        twist[21 * e + 2] = twist[21 * e + 10] = -w1_a
        twist[21 * e + 6] = -c3
        twist[21 * e + 9] = twist[21 * e + 11] = twist[21 * e + 14] = twist[21 * e + 15] = twist[21 * e + 16] = 0.0
        twist[21 * e + 13] = c6
        twist[21 * e + 17] = twist[21 * e + 18] = twist[21 * e + 19] = twist[21 * e + 20] = 0.0

def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
    for e in range(count):
        theta_b = q[dof[7 * e + 6]]
        v_theta_b = v[dof[7 * e + 6]]
        s_x_b = par[6 * e + 4]
        s_y_b = par[6 * e + 5]
        w_0 = coef[3 * e + 0]
        w_1 = coef[3 * e + 1]
        c0 = cos(theta_b)
        c1 = sin(theta_b)
        c2 = -s_x_b*c0 + s_y_b*c1
        c3 = -s_x_b*c1 - s_y_b*c0
        out[21 * e + 0] = out[21 * e + 1] = out[21 * e + 2] = out[21 * e + 3] = out[21 * e + 4] = out[21 * e + 5] = 0.0
        out[21 * e + 6] = v_theta_b*c2
        out[21 * e + 7] = out[21 * e + 8] = out[21 * e + 9] = out[21 * e + 10] = out[21 * e + 11] = 0.0
        out[21 * e + 12] = out[21 * e + 14] = out[21 * e + 15] = out[21 * e + 16] = out[21 * e + 17] = 0.0
        out[21 * e + 13] = v_theta_b*c3
        out[21 * e + 18] = out[21 * e + 19] = out[21 * e + 20] = 0.0
        kq[slot[49 * e + 48]] += -w_0*c2 - w_1*c3
