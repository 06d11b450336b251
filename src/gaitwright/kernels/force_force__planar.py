"""Printed by gaitwright.derive from gaitwright.physics.forces.force. Do not edit."""

from math import cos, sin

KIND = "force"
N_DOF, N_PAR, N_SIG = 3, 3, 2
TANGENT = ((0, 2), (1, 2), (2, 2))
SYMMETRIC = False
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        theta_at = q[dof[3 * e + 2]]
        s_x_at = par[3 * e + 0]
        s_y_at = par[3 * e + 1]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        frame = par[3 * e + 2]
        c0 = frame*theta_at
        c1 = cos(c0)
        c2 = sin(c0)
        c3 = value_x*c1 - value_y*c2
        c4 = value_x*c2 + value_y*c1
        c5 = cos(theta_at)
        c6 = sin(theta_at)
        total[dof[3 * e + 0]] += c3
        total[dof[3 * e + 1]] += c4
        total[dof[3 * e + 2]] += c3*(-s_x_at*c6 - s_y_at*c5) + c4*(s_x_at*c5 - s_y_at*c6)


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        theta_at = q[dof[3 * e + 2]]
        s_x_at = par[3 * e + 0]
        s_y_at = par[3 * e + 1]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        frame = par[3 * e + 2]
        c0 = frame*theta_at
        c1 = sin(c0)
        c2 = value_x*c1
        c3 = cos(c0)
        c4 = value_y*c3
        c5 = frame*c2 + frame*c4
        c6 = value_x*c3
        c7 = -frame*value_y*c1 + frame*c6
        c8 = sin(theta_at)
        c9 = cos(theta_at)
        c10 = -s_x_at*c8 - s_y_at*c9
        c11 = s_x_at*c9 - s_y_at*c8
        kq[slot[3 * e + 0]] += c5
        kq[slot[3 * e + 1]] += -c7
        kq[slot[3 * e + 2]] += c10*c5 - c10*(c2 + c4) - c11*c7 + c11*(-value_y*c1 + c6)


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        theta_at = q[dof[3 * e + 2]]
        v_x_at = v[dof[3 * e + 0]]
        v_y_at = v[dof[3 * e + 1]]
        v_theta_at = v[dof[3 * e + 2]]
        s_x_at = par[3 * e + 0]
        s_y_at = par[3 * e + 1]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        frame = par[3 * e + 2]
        c0 = frame*theta_at
        c1 = sin(c0)
        c2 = cos(c0)
        c3 = cos(theta_at)
        c4 = sin(theta_at)
        energy[3 * e + 0] = 0.0
        energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = (v_theta_at*(s_x_at*c3 - s_y_at*c4) + v_y_at)*(value_x*c1 + value_y*c2) + (v_theta_at*(-s_x_at*c4 - s_y_at*c3) + v_x_at)*(value_x*c2 - value_y*c1)
