"""Printed by gaitwright.derive from gaitwright.physics.forces.force. Do not edit."""

from math import sqrt

KIND = "force"
N_DOF, N_PAR, N_SIG = 4, 1, 2
TANGENT = ((0, 2), (0, 3), (1, 2), (1, 3))
SYMMETRIC = False
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_at = q[dof[4 * e + 2]]
        v_at = q[dof[4 * e + 3]]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        c0 = (1.0 / sqrt((((u_at) * (u_at)) + ((v_at) * (v_at)))))
        c1 = u_at*c0
        c2 = v_at*c0
        total[dof[4 * e + 0]] += value_x*c1 - value_y*c2
        total[dof[4 * e + 1]] += value_x*c2 + value_y*c1

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_at = q[dof[4 * e + 2]]
        v_at = q[dof[4 * e + 3]]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        c0 = ((u_at) * (u_at))
        c1 = ((v_at) * (v_at))
        c2 = c0 + c1
        c3 = (1.0 / sqrt((c2)))
        c4 = value_x*c3
        c5 = (1.0 / ((c2) * sqrt((c2))))
        c6 = u_at*v_at*c5
        c7 = value_y*c6
        c8 = value_y*c3
        c9 = value_x*c6
        c10 = c1*c5
        kq[slot[4 * e + 0]] += value_x*c0*c5 - c4 - c7
        kq[slot[4 * e + 1]] += -value_y*c10 + c8 + c9
        kq[slot[4 * e + 2]] += value_y*c0*c5 - c8 + c9
        kq[slot[4 * e + 3]] += value_x*c10 - c4 + c7

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_at = q[dof[4 * e + 2]]
        v_at = q[dof[4 * e + 3]]
        v_x_at = v[dof[4 * e + 0]]
        v_y_at = v[dof[4 * e + 1]]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        c0 = (1.0 / sqrt((((u_at) * (u_at)) + ((v_at) * (v_at)))))
        c1 = u_at*c0
        c2 = v_at*c0
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = v_x_at*(value_x*c1 - value_y*c2) + v_y_at*(value_x*c2 + value_y*c1)
