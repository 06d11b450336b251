"""Printed by gaitwright.derive from gaitwright.physics.forces.torque. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 3, 0, 1
TANGENT = ((1, 1), (1, 2), (2, 1), (2, 2))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_reaction = q[dof[3 * e + 1]]
        v_reaction = q[dof[3 * e + 2]]
        value = u[3 * sig[1 * e + 0]]
        c0 = value / (((u_reaction) * (u_reaction)) + ((v_reaction) * (v_reaction)))
        total[dof[3 * e + 0]] += value
        total[dof[3 * e + 1]] += v_reaction*c0
        total[dof[3 * e + 2]] += -u_reaction*c0


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_reaction = q[dof[3 * e + 1]]
        v_reaction = q[dof[3 * e + 2]]
        value = u[3 * sig[1 * e + 0]]
        c0 = ((u_reaction) * (u_reaction))
        c1 = ((v_reaction) * (v_reaction))
        c2 = c0 + c1
        c3 = (2.0*value) / (((c2) * (c2)))
        c4 = u_reaction*v_reaction*c3
        c5 = (-value) / (c2)
        kq[slot[4 * e + 0]] += c4
        kq[slot[4 * e + 1]] += c1*c3 + c5
        kq[slot[4 * e + 2]] += -c0*c3 - c5
        kq[slot[4 * e + 3]] += -c4


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_reaction = q[dof[3 * e + 1]]
        v_reaction = q[dof[3 * e + 2]]
        v_theta_body = v[dof[3 * e + 0]]
        v_u_reaction = v[dof[3 * e + 1]]
        v_v_reaction = v[dof[3 * e + 2]]
        value = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_reaction) * (u_reaction)) + ((v_reaction) * (v_reaction))))
        energy[3 * e + 0] = 0.0
        energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = value*(-u_reaction*v_v_reaction*c0 + v_reaction*v_u_reaction*c0 + v_theta_body)
