"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.pose. Do not edit."""

from math import cos, sin

KIND = "pose"
N_DOF, N_PAR, N_SIG = 6, 4, 2
SYMMETRIC = False
TANGENT = tuple((i, j) for i in range(6) for j in range(6))

def frame(count, dof, par, sig, q, v, u, out, twist):
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
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        s_x_b = par[4 * e + 2]
        s_y_b = par[4 * e + 3]
        displacement_x = u[3 * sig[2 * e + 0]]
        displacement_x_t = u[3 * sig[2 * e + 0] + 1]
        displacement_y = u[3 * sig[2 * e + 1]]
        displacement_y_t = u[3 * sig[2 * e + 1] + 1]
        c0 = cos(theta_a)
        c1 = sin(theta_b)
        c2 = s_y_b*c1
        c3 = cos(theta_b)
        c4 = sin(theta_a)
        c5 = s_x_a*c0 - s_y_a*c4
        c6 = -displacement_x + s_x_b*c3 - x_a + x_b - c2 - c5
        c7 = s_x_b*c1
        c8 = s_y_b*c3
        c9 = s_x_a*c4 + s_y_a*c0
        c10 = -displacement_y - y_a + y_b + c7 + c8 - c9
        c11 = c0*c6 + c10*c4
        c12 = c4*c6
        c13 = s_x_b*c3 - c2
        c14 = c7 + c8
        c16 = -c0*c14 + c13*c4
        c18 = c0*c10 + c0*c9 - c12 - c4*c5
        c19 = displacement_x_t*c0 + displacement_y_t*c4
        c20 = c0*c13 + c14*c4
        c21 = -c0*c5 - c11 - c4*c9
        c22 = displacement_x_t*c4 - displacement_y_t*c0
        out[15 * e + 0] = c11
        out[15 * e + 1] = c0*c10 - c12
        out[15 * e + 2] = v_theta_a*c18 + v_theta_b*c16 - v_x_a*c0 + v_x_b*c0 - v_y_a*c4 + v_y_b*c4 - c19
        out[15 * e + 3] = v_theta_a*c21 + v_theta_b*c20 + v_x_a*c4 - v_x_b*c4 - v_y_a*c0 + v_y_b*c0 + c22
        out[15 * e + 4] = -v_theta_a + v_theta_b
        out[15 * e + 5] = -c19
        out[15 * e + 6] = c22
        out[15 * e + 7] = c0*c3 + c1*c4
        out[15 * e + 8] = c0*c1 - c3*c4
        out[15 * e + 9] = x_b + c13
        out[15 * e + 10] = y_b + c14
        out[15 * e + 11] = out[15 * e + 14] = twist[18 * e + 3] = twist[18 * e + 10] = c0
        out[15 * e + 12] = twist[18 * e + 4] = twist[18 * e + 6] = c4
        out[15 * e + 13] = twist[18 * e + 1] = twist[18 * e + 9] = -c4
        twist[18 * e + 0] = twist[18 * e + 7] = -c0
        twist[18 * e + 2] = c18
        twist[18 * e + 5] = c16
        twist[18 * e + 8] = c21
        twist[18 * e + 11] = c20
        twist[18 * e + 12] = twist[18 * e + 13] = twist[18 * e + 15] = twist[18 * e + 16] = 0.0
        twist[18 * e + 14] = -1.0
        twist[18 * e + 17] = 1.0

def tangent(count, dof, par, sig, slot, q, v, u, coef, out, kq):
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
        s_x_a = par[4 * e + 0]
        s_y_a = par[4 * e + 1]
        s_x_b = par[4 * e + 2]
        s_y_b = par[4 * e + 3]
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
        c5 = sin(theta_b)
        c6 = s_x_b*c5
        c7 = cos(theta_b)
        c8 = s_y_b*c7
        c9 = -c6 - c8
        c10 = c0*c9
        c11 = s_x_b*c7
        c12 = s_y_b*c5
        c13 = c11 - c12
        c14 = -c10 + c13*c2
        c15 = s_x_a*c0 + s_y_a*c2
        c16 = s_x_a*c2 - s_y_a*c0
        c18 = -displacement_x - x_a + x_b + c11 - c12 - c16
        c19 = -displacement_y - y_a + y_b - c15 + c6 + c8
        c20 = -c0*c15 - c0*c19 - c16*c2 - c18*c2
        c23 = c10 - c13*c2
        c24 = c2*c9
        c25 = -c0*c13 - c24
        c26 = c0*c16 + c0*c18 - c15*c2 - c19*c2
        c27 = c0*c13 + c24
        c28 = w_0*c0 + w_1*c2
        c30 = w_0*c2 - w_1*c0
        c32 = -w_0*c14 - w_1*c25
        out[18 * e + 0] = out[18 * e + 7] = c1
        out[18 * e + 1] = out[18 * e + 9] = -c3
        out[18 * e + 2] = displacement_x_t*c0 - displacement_y_t*c2 + v_theta_a*c20 + v_theta_b*c14 + v_x_a*c0 - v_x_b*c0 - v_y_a*c2 + v_y_b*c2
        out[18 * e + 3] = out[18 * e + 10] = -c1
        out[18 * e + 4] = out[18 * e + 6] = c3
        out[18 * e + 5] = v_theta_a*c14 + v_theta_b*c23
        out[18 * e + 8] = displacement_x_t*c2 + displacement_y_t*c0 + v_theta_a*c26 + v_theta_b*c25 + v_x_a*c2 - v_x_b*c2 + v_y_a*c0 - v_y_b*c0
        out[18 * e + 11] = v_theta_a*c25 + v_theta_b*c27
        out[18 * e + 12] = out[18 * e + 13] = out[18 * e + 14] = out[18 * e + 15] = out[18 * e + 16] = 0.0
        out[18 * e + 17] = 0.0
        kq[slot[36 * e + 2]] += -c28
        kq[slot[36 * e + 8]] += c30
        kq[slot[36 * e + 12]] += -c28
        kq[slot[36 * e + 13]] += c30
        kq[slot[36 * e + 14]] += -w_0*c20 - w_1*c26
        kq[slot[36 * e + 15]] += c28
        kq[slot[36 * e + 16]] += -c30
        kq[slot[36 * e + 17]] += c32
        kq[slot[36 * e + 20]] += c28
        kq[slot[36 * e + 26]] += -c30
        kq[slot[36 * e + 32]] += c32
        kq[slot[36 * e + 35]] += -w_0*c23 - w_1*c27
