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
        c0 = cos(theta_at)
        c1 = sin(theta_at)
        c2 = value_x*c0 - value_y*c1
        c3 = value_x*c1 + value_y*c0
        total[dof[3 * e + 0]] += c2
        total[dof[3 * e + 1]] += c3
        total[dof[3 * e + 2]] += c2*(-s_x_at*c1 - s_y_at*c0) + c3*(s_x_at*c0 - s_y_at*c1)

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        theta_at = q[dof[3 * e + 2]]
        s_x_at = par[3 * e + 0]
        s_y_at = par[3 * e + 1]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        c0 = sin(theta_at)
        c1 = cos(theta_at)
        c4 = -s_x_at*c0 - s_y_at*c1
        c5 = s_x_at*c1 - s_y_at*c0
        kq[slot[3 * e + 0]] += value_x*c0 + value_y*c1
        kq[slot[3 * e + 1]] += -value_x*c1 + value_y*c0
        kq[slot[3 * e + 2]] += 0.0

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
        c0 = sin(theta_at)
        c1 = cos(theta_at)
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = (v_theta_at*(-s_x_at*c0 - s_y_at*c1) + v_x_at)*(value_x*c1 - value_y*c0) + (v_theta_at*(s_x_at*c1 - s_y_at*c0) + v_y_at)*(value_x*c0 + value_y*c1)
