"""Printed by gaitwright.derive from gaitwright.physics.forces.force. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 2, 1, 2
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False
ACTING = 2
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        total[dof[2 * e + 0]] += value_x
        total[dof[2 * e + 1]] += value_y

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        v_x_at = v[dof[2 * e + 0]]
        v_y_at = v[dof[2 * e + 1]]
        value_x = u[3 * sig[2 * e + 0]]
        value_y = u[3 * sig[2 * e + 1]]
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = v_x_at*value_x + v_y_at*value_y
