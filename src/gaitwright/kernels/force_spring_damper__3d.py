"""Printed by gaitwright.derive from gaitwright.physics.forces.spring_damper. Do not edit."""

from math import sqrt

KIND = "force"
N_DOF, N_PAR, N_SIG = 4, 3, 0
TANGENT = ((3, 3),)
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True
ACTING = 4
VARIABLES = (
    ('between', 0, 1, 0), ('between', 0, 1, 1), ('between', 0, 1, 2),
    ('quadratic', 0.0, ((1.0, 0, 0), (1.0, 1, 1), (1.0, 2, 2))),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        z9 = q[dof[4 * e + 3]]
        v_z9 = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_length = par[3 * e + 2]
        c0 = z9 + 1.0e-100
        c1 = sqrt((c0))
        total[dof[4 * e + 3]] += (-damping*v_z9) / (4.0*c0) + (-stiffness*(-rest_length + c1)) / (2.0*c1)

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z9 = q[dof[4 * e + 3]]
        v_z9 = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_length = par[3 * e + 2]
        c0 = z9 + 1.0e-100
        c1 = (1.0 / (c0))
        kq[slot[1 * e + 0]] += (-damping*v_z9) / (4.0*((c0) * (c0))) + (1.0 / 4.0)*stiffness*c1 + (-stiffness*(-rest_length + sqrt((c0)))) / (4.0*((c0) * sqrt((c0))))
        kv[slot[1 * e + 0]] += (1.0 / 4.0)*damping*c1

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z9 = q[dof[4 * e + 3]]
        v_z9 = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_length = par[3 * e + 2]
        c0 = z9 + 1.0e-100
        energy[3 * e + 0] = (0.5)*stiffness*((-rest_length + sqrt((c0))) * (-rest_length + sqrt((c0))))
        energy[3 * e + 1] = (damping*((v_z9) * (v_z9))) / (4.0*c0)
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z9 = q[dof[4 * e + 3]]
        v_z9 = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_length = par[3 * e + 2]
        c0 = sqrt((z9 + 1.0e-100))
        c1 = v_z9 / (2.0*c0)
        out[0] = c0
        out[1] = c1
        out[2] = -damping*c1 - stiffness*(-rest_length + c0)
