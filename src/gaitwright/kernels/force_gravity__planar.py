"""Printed by gaitwright.derive from gaitwright.physics.forces.gravity. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 2, 3, 0
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, False, False
DAMPED = False

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        mass = par[3 * e + 0]
        g_x = par[3 * e + 1]
        g_y = par[3 * e + 2]
        total[dof[2 * e + 0]] += g_x*mass
        total[dof[2 * e + 1]] += g_y*mass

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        x_body = q[dof[2 * e + 0]]
        y_body = q[dof[2 * e + 1]]
        mass = par[3 * e + 0]
        g_x = par[3 * e + 1]
        g_y = par[3 * e + 2]
        energy[3 * e + 0] = -mass*(g_x*x_body + g_y*y_body)
        energy[3 * e + 1] = energy[3 * e + 2] = 0.0
