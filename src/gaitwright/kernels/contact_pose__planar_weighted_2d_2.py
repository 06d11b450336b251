"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.pose. Do not edit."""

from math import cos, sin

KIND = "pose"
N_DOF, N_PAR, N_SIG = 7, 6, 2
SYMMETRIC = False
TANGENT = tuple((i, j) for i in range(7) for j in range(7))

def frame(count, dof, par, sig, q, v, u, out, twist):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x0_b = q[dof[7 * e + 3]]
        y0_b = q[dof[7 * e + 4]]
        x1_b = q[dof[7 * e + 5]]
        y1_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_theta_a = v[dof[7 * e + 2]]
        v_x0_b = v[dof[7 * e + 3]]
        v_y0_b = v[dof[7 * e + 4]]
        v_x1_b = v[dof[7 * e + 5]]
        v_y1_b = v[dof[7 * e + 6]]
        s_x_a = par[6 * e + 0]
        s_y_a = par[6 * e + 1]
        w0_b = par[6 * e + 2]
        w1_b = par[6 * e + 3]
        start_x_b = par[6 * e + 4]
        start_y_b = par[6 * e + 5]
        displacement_x = u[3 * sig[2 * e + 0]]
        displacement_x_t = u[3 * sig[2 * e + 0] + 1]
        displacement_y = u[3 * sig[2 * e + 1]]
        displacement_y_t = u[3 * sig[2 * e + 1] + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0
        c3 = start_x_b + w0_b*x0_b + w1_b*x1_b
        c4 = -displacement_x + s_y_a*c1 - x_a - c2 + c3
        c5 = s_x_a*c1 + s_y_a*c0
        c6 = -displacement_y + start_y_b + w0_b*y0_b + w1_b*y1_b - y_a - c5
        c7 = c0*c4 + c1*c6
        c8 = c1*c4
        c9 = displacement_x_t*c0
        c10 = displacement_y_t*c1
        c11 = w0_b*c0
        c12 = w1_b*c0
        c13 = w0_b*c1
        c14 = w1_b*c1
        c15 = s_y_a*c1 - c2
        c16 = c0*c5 + c0*c6 + c1*c15 - c8
        c17 = c0*c15 - c1*c5 - c7
        c18 = displacement_x_t*c1 - displacement_y_t*c0
        out[15 * e + 0] = c7
        out[15 * e + 1] = c0*c6 - c8
        out[15 * e + 2] = v_theta_a*c16 + v_x0_b*c11 + v_x1_b*c12 - v_x_a*c0 + v_y0_b*c13 + v_y1_b*c14 - v_y_a*c1 - c10 - c9
        out[15 * e + 3] = v_theta_a*c17 - v_x0_b*c13 - v_x1_b*c14 + v_x_a*c1 + v_y0_b*c11 + v_y1_b*c12 - v_y_a*c0 + c18
        out[15 * e + 4] = -v_theta_a
        out[15 * e + 5] = -c10 - c9
        out[15 * e + 6] = c18
        out[15 * e + 7] = out[15 * e + 11] = out[15 * e + 14] = c0
        out[15 * e + 8] = out[15 * e + 13] = twist[21 * e + 1] = -c1
        out[15 * e + 9] = c3
        out[15 * e + 10] = start_y_b + w0_b*y0_b + w1_b*y1_b
        out[15 * e + 12] = twist[21 * e + 7] = c1
        twist[21 * e + 0] = twist[21 * e + 8] = -c0
        twist[21 * e + 2] = c16
        twist[21 * e + 3] = twist[21 * e + 11] = c11
        twist[21 * e + 4] = c13
        twist[21 * e + 5] = twist[21 * e + 13] = c12
        twist[21 * e + 6] = c14
        twist[21 * e + 9] = c17
        twist[21 * e + 10] = -c13
        twist[21 * e + 12] = -c14
        twist[21 * e + 14] = twist[21 * e + 15] = twist[21 * e + 17] = twist[21 * e + 18] = twist[21 * e + 19] = 0.0
        twist[21 * e + 16] = -1.0
        twist[21 * e + 20] = 0.0

def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x0_b = q[dof[7 * e + 3]]
        y0_b = q[dof[7 * e + 4]]
        x1_b = q[dof[7 * e + 5]]
        y1_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_theta_a = v[dof[7 * e + 2]]
        v_x0_b = v[dof[7 * e + 3]]
        v_y0_b = v[dof[7 * e + 4]]
        v_x1_b = v[dof[7 * e + 5]]
        v_y1_b = v[dof[7 * e + 6]]
        s_x_a = par[6 * e + 0]
        s_y_a = par[6 * e + 1]
        w0_b = par[6 * e + 2]
        w1_b = par[6 * e + 3]
        start_x_b = par[6 * e + 4]
        start_y_b = par[6 * e + 5]
        displacement_x = u[3 * sig[2 * e + 0]]
        displacement_x_t = u[3 * sig[2 * e + 0] + 1]
        displacement_y = u[3 * sig[2 * e + 1]]
        displacement_y_t = u[3 * sig[2 * e + 1] + 1]
        w_0 = coef[3 * e + 0]
        w_1 = coef[3 * e + 1]
        c0 = sin(theta_a)
        c1 = v_theta_a*c0
        c2 = cos(theta_a)
        c3 = v_theta_a*c2
        c4 = w0_b*c2
        c5 = w1_b*c2
        c6 = w0_b*c0
        c7 = w1_b*c0
        c8 = s_x_a*c0 + s_y_a*c2
        c9 = s_x_a*c2
        c10 = s_y_a*c0
        c11 = -c10 + c9
        c13 = -displacement_x + start_x_b + w0_b*x0_b + w1_b*x1_b - x_a + c10 - c9
        c14 = -displacement_y + start_y_b + w0_b*y0_b + w1_b*y1_b - y_a - c8
        c15 = -c0*c14 - c0*c8 - c11*c2 - c13*c2
        c16 = -w0_b*c1
        c17 = w0_b*c3
        c18 = -w1_b*c1
        c19 = w1_b*c3
        c20 = c0*c11 + c0*c13 - c14*c2 - c2*c8
        c21 = w_0*c0
        c22 = w_1*c2
        c23 = -c21 - c22
        c24 = w_0*c2
        c25 = -w_1*c0 + c24
        c26 = w0_b*c21 + w0_b*c22
        c27 = w0_b*w_1*c0 - w0_b*c24
        c28 = w1_b*c21 + w1_b*c22
        c29 = w1_b*w_1*c0 - w1_b*c24
        out[21 * e + 0] = out[21 * e + 8] = c1
        out[21 * e + 1] = -c3
        out[21 * e + 2] = displacement_x_t*c0 - displacement_y_t*c2 + v_theta_a*c15 - v_x0_b*c6 - v_x1_b*c7 + v_x_a*c0 + v_y0_b*c4 + v_y1_b*c5 - v_y_a*c2
        out[21 * e + 3] = out[21 * e + 11] = c16
        out[21 * e + 4] = c17
        out[21 * e + 5] = out[21 * e + 13] = c18
        out[21 * e + 6] = c19
        out[21 * e + 7] = c3
        out[21 * e + 9] = displacement_x_t*c2 + displacement_y_t*c0 + v_theta_a*c20 - v_x0_b*c4 - v_x1_b*c5 + v_x_a*c2 - v_y0_b*c6 - v_y1_b*c7 + v_y_a*c0
        out[21 * e + 10] = -c17
        out[21 * e + 12] = -c19
        out[21 * e + 14] = out[21 * e + 15] = out[21 * e + 16] = out[21 * e + 17] = out[21 * e + 18] = 0.0
        out[21 * e + 19] = out[21 * e + 20] = 0.0
        kq[slot[49 * e + 2]] += c23
        kq[slot[49 * e + 9]] += c25
        kq[slot[49 * e + 14]] += c23
        kq[slot[49 * e + 15]] += c25
        kq[slot[49 * e + 16]] += -w_0*c15 - w_1*c20
        kq[slot[49 * e + 17]] += c26
        kq[slot[49 * e + 18]] += c27
        kq[slot[49 * e + 19]] += c28
        kq[slot[49 * e + 20]] += c29
        kq[slot[49 * e + 23]] += c26
        kq[slot[49 * e + 30]] += c27
        kq[slot[49 * e + 37]] += c28
        kq[slot[49 * e + 44]] += c29
