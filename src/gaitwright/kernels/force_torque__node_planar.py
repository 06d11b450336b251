"""Printed by gaitwright.derive from gaitwright.physics.forces.torque. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 3, 0, 1
TANGENT = ((0, 0), (0, 1), (1, 0), (1, 1))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_body = q[dof[3 * e + 0]]
        v_body = q[dof[3 * e + 1]]
        value = u[3 * sig[1 * e + 0]]
        c0 = value / (((u_body) * (u_body)) + ((v_body) * (v_body)))
        total[dof[3 * e + 0]] += -v_body*c0
        total[dof[3 * e + 1]] += u_body*c0
        total[dof[3 * e + 2]] += -value


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_body = q[dof[3 * e + 0]]
        v_body = q[dof[3 * e + 1]]
        value = u[3 * sig[1 * e + 0]]
        c0 = ((u_body) * (u_body))
        c1 = ((v_body) * (v_body))
        c2 = c0 + c1
        c3 = (2.0*value) / (((c2) * (c2)))
        c4 = u_body*v_body*c3
        c5 = (-value) / (c2)
        kq[slot[4 * e + 0]] += -c4
        kq[slot[4 * e + 1]] += -c1*c3 - c5
        kq[slot[4 * e + 2]] += c0*c3 + c5
        kq[slot[4 * e + 3]] += c4


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_body = q[dof[3 * e + 0]]
        v_body = q[dof[3 * e + 1]]
        v_u_body = v[dof[3 * e + 0]]
        v_v_body = v[dof[3 * e + 1]]
        v_theta_reaction = v[dof[3 * e + 2]]
        value = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_body) * (u_body)) + ((v_body) * (v_body))))
        energy[3 * e + 0] = 0.0
        energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = value*(u_body*v_v_body*c0 - v_body*v_u_body*c0 - v_theta_reaction)
