"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.pose. Do not edit."""

from math import cos, sin

KIND = "pose"
N_DOF, N_PAR, N_SIG = 5, 5, 2
SYMMETRIC = False
TANGENT = tuple((i, j) for i in range(5) for j in range(5))

def frame(count, dof, par, sig, q, v, u, out, twist):
    for e in range(count):
        x_a = q[dof[5 * e + 0]]
        y_a = q[dof[5 * e + 1]]
        theta_a = q[dof[5 * e + 2]]
        x0_b = q[dof[5 * e + 3]]
        y0_b = q[dof[5 * e + 4]]
        v_x_a = v[dof[5 * e + 0]]
        v_y_a = v[dof[5 * e + 1]]
        v_theta_a = v[dof[5 * e + 2]]
        v_x0_b = v[dof[5 * e + 3]]
        v_y0_b = v[dof[5 * e + 4]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        w0_b = par[5 * e + 2]
        start_x_b = par[5 * e + 3]
        start_y_b = par[5 * e + 4]
        displacement_x = u[3 * sig[2 * e + 0]]
        displacement_x_t = u[3 * sig[2 * e + 0] + 1]
        displacement_y = u[3 * sig[2 * e + 1]]
        displacement_y_t = u[3 * sig[2 * e + 1] + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0 - s_y_a*c1
        c3 = -displacement_x + start_x_b + w0_b*x0_b - x_a - c2
        c4 = s_x_a*c1 + s_y_a*c0
        c5 = -displacement_y + start_y_b + w0_b*y0_b - y_a - c4
        c6 = c0*c3 + c1*c5
        c7 = c1*c3
        c9 = c0*c4 + c0*c5 - c1*c2 - c7
        c10 = displacement_x_t*c0 + displacement_y_t*c1
        c11 = -c0*c2 - c1*c4 - c6
        c12 = w0_b*c0
        c13 = w0_b*c1
        c14 = displacement_x_t*c1 - displacement_y_t*c0
        out[15 * e + 0] = c6
        out[15 * e + 1] = c0*c5 - c7
        out[15 * e + 2] = v_theta_a*c9 + v_x0_b*w0_b*c0 - v_x_a*c0 + v_y0_b*w0_b*c1 - v_y_a*c1 - c10
        out[15 * e + 3] = v_theta_a*c11 - v_x0_b*c13 + v_x_a*c1 + v_y0_b*c12 - v_y_a*c0 + c14
        out[15 * e + 4] = -v_theta_a
        out[15 * e + 5] = -c10
        out[15 * e + 6] = c14
        out[15 * e + 7] = out[15 * e + 11] = out[15 * e + 14] = c0
        out[15 * e + 8] = out[15 * e + 13] = twist[15 * e + 1] = -c1
        out[15 * e + 9] = start_x_b + w0_b*x0_b
        out[15 * e + 10] = start_y_b + w0_b*y0_b
        out[15 * e + 12] = twist[15 * e + 5] = c1
        twist[15 * e + 0] = twist[15 * e + 6] = -c0
        twist[15 * e + 2] = c9
        twist[15 * e + 3] = twist[15 * e + 9] = c12
        twist[15 * e + 4] = c13
        twist[15 * e + 7] = c11
        twist[15 * e + 8] = -c13
        twist[15 * e + 10] = twist[15 * e + 11] = twist[15 * e + 13] = twist[15 * e + 14] = 0.0
        twist[15 * e + 12] = -1.0

def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
    for e in range(count):
        x_a = q[dof[5 * e + 0]]
        y_a = q[dof[5 * e + 1]]
        theta_a = q[dof[5 * e + 2]]
        x0_b = q[dof[5 * e + 3]]
        y0_b = q[dof[5 * e + 4]]
        v_x_a = v[dof[5 * e + 0]]
        v_y_a = v[dof[5 * e + 1]]
        v_theta_a = v[dof[5 * e + 2]]
        v_x0_b = v[dof[5 * e + 3]]
        v_y0_b = v[dof[5 * e + 4]]
        s_x_a = par[5 * e + 0]
        s_y_a = par[5 * e + 1]
        w0_b = par[5 * e + 2]
        start_x_b = par[5 * e + 3]
        start_y_b = par[5 * e + 4]
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
        c5 = w0_b*c0
        c6 = s_x_a*c0 + s_y_a*c2
        c7 = s_x_a*c2 - s_y_a*c0
        c9 = -displacement_x + start_x_b + w0_b*x0_b - x_a - c7
        c10 = -displacement_y + start_y_b + w0_b*y0_b - y_a - c6
        c11 = -c0*c10 - c0*c6 - c2*c7 - c2*c9
        c12 = -w0_b*c1
        c13 = w0_b*c3
        c14 = c0*c7 + c0*c9 - c10*c2 - c2*c6
        c15 = w_0*c0
        c16 = w_1*c2
        c17 = -c15 - c16
        c18 = w_0*c2
        c19 = -w_1*c0 + c18
        c20 = w0_b*c15 + w0_b*c16
        c21 = w0_b*w_1*c0 - w0_b*c18
        out[15 * e + 0] = out[15 * e + 6] = c1
        out[15 * e + 1] = -c3
        out[15 * e + 2] = displacement_x_t*c0 - displacement_y_t*c2 + v_theta_a*c11 - v_x0_b*c5 + v_x_a*c0 + v_y0_b*c4 - v_y_a*c2
        out[15 * e + 3] = out[15 * e + 9] = c12
        out[15 * e + 4] = c13
        out[15 * e + 5] = c3
        out[15 * e + 7] = displacement_x_t*c2 + displacement_y_t*c0 + v_theta_a*c14 - v_x0_b*c4 + v_x_a*c2 - v_y0_b*c5 + v_y_a*c0
        out[15 * e + 8] = -c13
        out[15 * e + 10] = out[15 * e + 11] = out[15 * e + 12] = out[15 * e + 13] = out[15 * e + 14] = 0.0
        kq[slot[25 * e + 2]] += c17
        kq[slot[25 * e + 7]] += c19
        kq[slot[25 * e + 10]] += c17
        kq[slot[25 * e + 11]] += c19
        kq[slot[25 * e + 12]] += -w_0*c11 - w_1*c14
        kq[slot[25 * e + 13]] += c20
        kq[slot[25 * e + 14]] += c21
        kq[slot[25 * e + 17]] += c20
        kq[slot[25 * e + 22]] += c21
