"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.pose. Do not edit."""

from math import cos, sin, sqrt

KIND = "pose"
N_DOF, N_PAR, N_SIG = 7, 2, 2
SYMMETRIC = False
TANGENT = tuple((i, j) for i in range(7) for j in range(7))

def frame(count, dof, par, sig, q, v, u, out, twist):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_theta_a = v[dof[7 * e + 2]]
        v_x_b = v[dof[7 * e + 3]]
        v_y_b = v[dof[7 * e + 4]]
        v_u_b = v[dof[7 * e + 5]]
        v_v_b = v[dof[7 * e + 6]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        displacement_x = u[3 * sig[2 * e + 0]]
        displacement_x_t = u[3 * sig[2 * e + 0] + 1]
        displacement_y = u[3 * sig[2 * e + 1]]
        displacement_y_t = u[3 * sig[2 * e + 1] + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_a)
        c2 = s_x_a*c0 - s_y_a*c1
        c3 = -displacement_x - x_a + x_b - c2
        c4 = s_x_a*c1 + s_y_a*c0
        c5 = -displacement_y - y_a + y_b - c4
        c6 = c0*c3 + c1*c5
        c7 = c1*c3
        c9 = c0*c4 + c0*c5 - c1*c2 - c7
        c10 = displacement_x_t*c0 + displacement_y_t*c1
        c11 = -c0*c2 - c1*c4 - c6
        c12 = displacement_x_t*c1 - displacement_y_t*c0
        c13 = ((u_b) * (u_b)) + ((v_b) * (v_b))
        c14 = (1.0 / (c13))
        c15 = v_b*c14
        c16 = (1.0 / sqrt((c13)))
        c17 = c1*c16
        out[15 * e + 0] = c6
        out[15 * e + 1] = c0*c5 - c7
        out[15 * e + 2] = v_theta_a*c9 - v_x_a*c0 + v_x_b*c0 - v_y_a*c1 + v_y_b*c1 - c10
        out[15 * e + 3] = v_theta_a*c11 + v_x_a*c1 - v_x_b*c1 - v_y_a*c0 + v_y_b*c0 + c12
        out[15 * e + 4] = u_b*v_v_b*c14 - v_theta_a - v_u_b*c15
        out[15 * e + 5] = -c10
        out[15 * e + 6] = c12
        out[15 * e + 7] = u_b*c0*c16 + v_b*c17
        out[15 * e + 8] = -u_b*c17 + v_b*c0*c16
        out[15 * e + 9] = x_b
        out[15 * e + 10] = y_b
        out[15 * e + 11] = out[15 * e + 14] = twist[21 * e + 3] = twist[21 * e + 11] = c0
        out[15 * e + 12] = twist[21 * e + 4] = twist[21 * e + 7] = c1
        out[15 * e + 13] = twist[21 * e + 1] = twist[21 * e + 10] = -c1
        twist[21 * e + 0] = twist[21 * e + 8] = -c0
        twist[21 * e + 2] = c9
        twist[21 * e + 5] = twist[21 * e + 6] = twist[21 * e + 12] = twist[21 * e + 13] = twist[21 * e + 14] = 0.0
        twist[21 * e + 9] = c11
        twist[21 * e + 15] = twist[21 * e + 17] = twist[21 * e + 18] = 0.0
        twist[21 * e + 16] = -1.0
        twist[21 * e + 19] = -c15
        twist[21 * e + 20] = u_b*c14

def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
    for e in range(count):
        x_a = q[dof[7 * e + 0]]
        y_a = q[dof[7 * e + 1]]
        theta_a = q[dof[7 * e + 2]]
        x_b = q[dof[7 * e + 3]]
        y_b = q[dof[7 * e + 4]]
        u_b = q[dof[7 * e + 5]]
        v_b = q[dof[7 * e + 6]]
        v_x_a = v[dof[7 * e + 0]]
        v_y_a = v[dof[7 * e + 1]]
        v_theta_a = v[dof[7 * e + 2]]
        v_x_b = v[dof[7 * e + 3]]
        v_y_b = v[dof[7 * e + 4]]
        v_u_b = v[dof[7 * e + 5]]
        v_v_b = v[dof[7 * e + 6]]
        s_x_a = par[2 * e + 0]
        s_y_a = par[2 * e + 1]
        displacement_x = u[3 * sig[2 * e + 0]]
        displacement_x_t = u[3 * sig[2 * e + 0] + 1]
        displacement_y = u[3 * sig[2 * e + 1]]
        displacement_y_t = u[3 * sig[2 * e + 1] + 1]
        w_0 = coef[3 * e + 0]
        w_1 = coef[3 * e + 1]
        w_2 = coef[3 * e + 2]
        c0 = sin(theta_a)
        c1 = v_theta_a*c0
        c2 = cos(theta_a)
        c3 = v_theta_a*c2
        c5 = s_x_a*c0 + s_y_a*c2
        c6 = s_x_a*c2 - s_y_a*c0
        c8 = -displacement_x - x_a + x_b - c6
        c9 = -displacement_y - y_a + y_b - c5
        c10 = -c0*c5 - c0*c9 - c2*c6 - c2*c8
        c12 = c0*c6 + c0*c8 - c2*c5 - c2*c9
        c13 = ((u_b) * (u_b))
        c14 = ((v_b) * (v_b))
        c15 = c13 + c14
        c16 = (1.0 / (c15))
        c17 = (1.0 / ((c15) * (c15)))
        c18 = 2.0*c17
        c19 = u_b*v_b*c18
        c20 = c13*c18
        c21 = w_0*c0 + w_1*c2
        c23 = w_0*c2 - w_1*c0
        c25 = w_2*c19
        c26 = -w_2*c16
        out[21 * e + 0] = out[21 * e + 8] = c1
        out[21 * e + 1] = out[21 * e + 10] = -c3
        out[21 * e + 2] = displacement_x_t*c0 - displacement_y_t*c2 + v_theta_a*c10 + v_x_a*c0 - v_x_b*c0 - v_y_a*c2 + v_y_b*c2
        out[21 * e + 3] = out[21 * e + 11] = -c1
        out[21 * e + 4] = out[21 * e + 7] = c3
        out[21 * e + 5] = out[21 * e + 6] = out[21 * e + 12] = out[21 * e + 13] = out[21 * e + 14] = 0.0
        out[21 * e + 9] = displacement_x_t*c2 + displacement_y_t*c0 + v_theta_a*c12 + v_x_a*c2 - v_x_b*c2 + v_y_a*c0 - v_y_b*c0
        out[21 * e + 15] = out[21 * e + 16] = out[21 * e + 17] = out[21 * e + 18] = 0.0
        out[21 * e + 19] = v_u_b*c19 + v_v_b*c16 - v_v_b*c20
        out[21 * e + 20] = 2.0*v_u_b*c14*c17 - v_u_b*c16 - v_v_b*c19
        kq[slot[49 * e + 2]] += -c21
        kq[slot[49 * e + 9]] += c23
        kq[slot[49 * e + 14]] += -c21
        kq[slot[49 * e + 15]] += c23
        kq[slot[49 * e + 16]] += -w_0*c10 - w_1*c12
        kq[slot[49 * e + 17]] += c21
        kq[slot[49 * e + 18]] += -c23
        kq[slot[49 * e + 23]] += c21
        kq[slot[49 * e + 30]] += -c23
        kq[slot[49 * e + 40]] += -c25
        kq[slot[49 * e + 41]] += -w_2*c14*c18 - c26
        kq[slot[49 * e + 47]] += w_2*c20 + c26
        kq[slot[49 * e + 48]] += c25
