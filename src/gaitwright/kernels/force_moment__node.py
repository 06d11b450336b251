"""Printed by gaitwright.derive from gaitwright.physics.forces.moment. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 2, 0, 1
TANGENT = ((0, 0), (0, 1), (1, 0), (1, 1))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_at = q[dof[2 * e + 0]]
        v_at = q[dof[2 * e + 1]]
        value = u[3 * sig[1 * e + 0]]
        c0 = value / (((u_at) * (u_at)) + ((v_at) * (v_at)))
        total[dof[2 * e + 0]] += -v_at*c0
        total[dof[2 * e + 1]] += u_at*c0

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_at = q[dof[2 * e + 0]]
        v_at = q[dof[2 * e + 1]]
        value = u[3 * sig[1 * e + 0]]
        c0 = ((u_at) * (u_at))
        c1 = ((v_at) * (v_at))
        c2 = c0 + c1
        c3 = (2.0*value) / (((c2) * (c2)))
        c4 = u_at*v_at*c3
        c5 = (-value) / (c2)
        kq[slot[4 * e + 0]] += -c4
        kq[slot[4 * e + 1]] += -c1*c3 - c5
        kq[slot[4 * e + 2]] += c0*c3 + c5
        kq[slot[4 * e + 3]] += c4

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_at = q[dof[2 * e + 0]]
        v_at = q[dof[2 * e + 1]]
        v_u_at = v[dof[2 * e + 0]]
        v_v_at = v[dof[2 * e + 1]]
        value = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_at) * (u_at)) + ((v_at) * (v_at))))
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = value*(u_at*v_v_at*c0 - v_at*v_u_at*c0)
