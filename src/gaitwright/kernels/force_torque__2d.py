"""Printed by gaitwright.derive from gaitwright.physics.forces.torque. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 6, 0, 1
TANGENT = ((4, 4), (4, 5), (5, 4), (5, 5))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False
ACTING = 6
VARIABLES = (
    ('axis', 1, 0, 0), ('axis', 1, 0, 1), ('axis', 0, 0, 0), ('axis', 0, 0, 1),
    ('quadratic', 0.0, ((-1.0, 2, 1), (1.0, 0, 3))), ('quadratic', 0.0, ((1.0, 2, 0), (1.0, 3, 1))),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        value = u[3 * sig[1 * e + 0]]
        c0 = value / (((z4) * (z4)) + ((z5) * (z5)))
        total[dof[6 * e + 4]] += z5*c0
        total[dof[6 * e + 5]] += -z4*c0

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        value = u[3 * sig[1 * e + 0]]
        c0 = ((z4) * (z4))
        c1 = ((z5) * (z5))
        c2 = c0 + c1
        c3 = (2.0*value) / (((c2) * (c2)))
        c4 = z4*z5*c3
        c5 = (-value) / (c2)
        kq[slot[4 * e + 0]] += c4
        kq[slot[4 * e + 1]] += c1*c3 + c5
        kq[slot[4 * e + 2]] += -c0*c3 - c5
        kq[slot[4 * e + 3]] += -c4

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        value = u[3 * sig[1 * e + 0]]
        c0 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = value*(v_z4*z5*c0 - v_z5*z4*c0)
