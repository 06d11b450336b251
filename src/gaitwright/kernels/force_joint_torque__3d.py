"""Printed by gaitwright.derive from gaitwright.physics.forces.torque. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 11, 16, 1
TANGENT = ((9, 9), (9, 10), (10, 9), (10, 10))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False
ACTING = 11
VARIABLES = (
    ('direction', 1, (13, 14, 15), 0), ('direction', 1, (13, 14, 15), 1), ('direction', 1, (13, 14, 15), 2),
    ('direction', 0, (10, 11, 12), 0), ('direction', 0, (10, 11, 12), 1), ('direction', 0, (10, 11, 12), 2),
    ('direction', 0, (7, 8, 9), 0), ('direction', 0, (7, 8, 9), 1), ('direction', 0, (7, 8, 9), 2),
    ('quadratic', 0.0, ((1.0, 0, 3), (1.0, 1, 4), (1.0, 2, 5))),
    ('quadratic', 0.0, ((1.0, 6, 0), (1.0, 7, 1), (1.0, 8, 2))),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        value = u[3 * sig[1 * e + 0]]
        c0 = value / (((z10) * (z10)) + ((z6) * (z6)))
        total[dof[11 * e + 9]] += z10*c0
        total[dof[11 * e + 10]] += -z6*c0

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        value = u[3 * sig[1 * e + 0]]
        c0 = ((z10) * (z10))
        c1 = ((z6) * (z6))
        c2 = c0 + c1
        c3 = (2.0*value) / (((c2) * (c2)))
        c4 = z10*z6*c3
        c5 = (-value) / (c2)
        kq[slot[4 * e + 0]] += c4
        kq[slot[4 * e + 1]] += c0*c3 + c5
        kq[slot[4 * e + 2]] += -c1*c3 - c5
        kq[slot[4 * e + 3]] += -c4

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        value = u[3 * sig[1 * e + 0]]
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = v_l0*value
