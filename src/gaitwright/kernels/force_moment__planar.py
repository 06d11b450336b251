"""Printed by gaitwright.derive from gaitwright.physics.forces.moment. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 1, 0, 1
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        value = u[3 * sig[1 * e + 0]]
        total[dof[1 * e + 0]] += value

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        v_theta_at = v[dof[1 * e + 0]]
        value = u[3 * sig[1 * e + 0]]
        energy[3 * e + 0] = energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = v_theta_at*value
