"""Printed by gaitwright.derive from gaitwright.physics.forces.force. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 3, 1, 3
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False
ACTING = 3
VARIABLES = (
    ('position', 0, 0), ('position', 0, 1), ('position', 0, 2),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        value_x = u[3 * sig[3 * e + 0]]
        value_y = u[3 * sig[3 * e + 1]]
        value_z = u[3 * sig[3 * e + 2]]
        total[dof[3 * e + 0]] += value_x
        total[dof[3 * e + 1]] += value_y
        total[dof[3 * e + 2]] += value_z

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        v_x_at = v[dof[3 * e + 0]]
        v_y_at = v[dof[3 * e + 1]]
        v_z_at = v[dof[3 * e + 2]]
        value_x = u[3 * sig[3 * e + 0]]
        value_y = u[3 * sig[3 * e + 1]]
        value_z = u[3 * sig[3 * e + 2]]
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = v_x_at*value_x + v_y_at*value_y + v_z_at*value_z
