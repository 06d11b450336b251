"""Printed by gaitwright.derive from gaitwright.physics.forces.torque. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 4, 0, 1
TANGENT = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3), (3, 2), (3, 3))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_body = q[dof[4 * e + 0]]
        v_body = q[dof[4 * e + 1]]
        u_reaction = q[dof[4 * e + 2]]
        v_reaction = q[dof[4 * e + 3]]
        value = u[3 * sig[1 * e + 0]]
        c0 = value / (((u_body) * (u_body)) + ((v_body) * (v_body)))
        c1 = value / (((u_reaction) * (u_reaction)) + ((v_reaction) * (v_reaction)))
        total[dof[4 * e + 0]] += -v_body*c0
        total[dof[4 * e + 1]] += u_body*c0
        total[dof[4 * e + 2]] += v_reaction*c1
        total[dof[4 * e + 3]] += -u_reaction*c1


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_body = q[dof[4 * e + 0]]
        v_body = q[dof[4 * e + 1]]
        u_reaction = q[dof[4 * e + 2]]
        v_reaction = q[dof[4 * e + 3]]
        value = u[3 * sig[1 * e + 0]]
        c0 = ((u_body) * (u_body))
        c1 = ((v_body) * (v_body))
        c2 = c0 + c1
        c3 = 2.0*value
        c4 = c3 / (((c2) * (c2)))
        c5 = u_body*v_body*c4
        c6 = (-value) / (c2)
        c7 = ((u_reaction) * (u_reaction))
        c8 = ((v_reaction) * (v_reaction))
        c9 = c7 + c8
        c10 = c3 / (((c9) * (c9)))
        c11 = u_reaction*v_reaction*c10
        c12 = (-value) / (c9)
        kq[slot[8 * e + 0]] += -c5
        kq[slot[8 * e + 1]] += -c1*c4 - c6
        kq[slot[8 * e + 2]] += c0*c4 + c6
        kq[slot[8 * e + 3]] += c5
        kq[slot[8 * e + 4]] += c11
        kq[slot[8 * e + 5]] += c10*c8 + c12
        kq[slot[8 * e + 6]] += -c10*c7 - c12
        kq[slot[8 * e + 7]] += -c11


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_body = q[dof[4 * e + 0]]
        v_body = q[dof[4 * e + 1]]
        u_reaction = q[dof[4 * e + 2]]
        v_reaction = q[dof[4 * e + 3]]
        v_u_body = v[dof[4 * e + 0]]
        v_v_body = v[dof[4 * e + 1]]
        v_u_reaction = v[dof[4 * e + 2]]
        v_v_reaction = v[dof[4 * e + 3]]
        value = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((u_body) * (u_body)) + ((v_body) * (v_body))))
        c1 = (1.0 / (((u_reaction) * (u_reaction)) + ((v_reaction) * (v_reaction))))
        energy[3 * e + 0] = 0.0
        energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = value*(u_body*v_v_body*c0 - u_reaction*v_v_reaction*c1 - v_body*v_u_body*c0 + v_reaction*v_u_reaction*c1)
