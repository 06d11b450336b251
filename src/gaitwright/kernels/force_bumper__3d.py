"""Printed by gaitwright.derive from gaitwright.physics.forces.bumper. Do not edit."""

from math import atan2

KIND = "force"
N_DOF, N_PAR, N_SIG = 11, 20, 0
TANGENT = ((9, 9), (9, 10), (10, 9), (10, 10))
SYMMETRIC = False
SYMMETRIC_AT_REST = True
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True
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
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        lower = par[20 * e + 16]
        upper = par[20 * e + 17]
        stiffness = par[20 * e + 18]
        damping = par[20 * e + 19]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = stiffness / (((z10) * (z10)) + ((z6) * (z6)))
        c1 = z10*c0
        c2 = -l0 + lower
        c3 = max(0.0, c2)
        c4 = l0 - upper
        c5 = max(0.0, c4)
        c6 = v_l0*damping*(c3 + c5)
        c7 = -c3*(1.0 if c2 > 0.0 else 0.0) + c5*(1.0 if c4 > 0.0 else 0.0)
        c8 = z6*c0
        total[dof[11 * e + 9]] += -c1*c6 - c1*c7
        total[dof[11 * e + 10]] += c6*c8 + c7*c8

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        lower = par[20 * e + 16]
        upper = par[20 * e + 17]
        stiffness = par[20 * e + 18]
        damping = par[20 * e + 19]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = ((z10) * (z10))
        c1 = ((z6) * (z6))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = stiffness*z10
        c5 = -l0 + lower
        c6 = (1.0 if c5 > 0.0 else 0.0)
        c7 = l0 - upper
        c8 = (1.0 if c7 > 0.0 else 0.0)
        c9 = v_l0*c3
        c10 = damping*c9*(-c6 + c8)
        c11 = max(0.0, c5)
        c12 = 2.0*c11
        c13 = max(0.0, c7)
        c14 = (0.5)*c3
        c15 = c14*(c12*0.0 + 2.0*c13*0.0 + 2.0*((c6) * (c6)) + 2.0*((c8) * (c8)))
        c16 = c3*(-c10*c4 - c15*c4)
        c17 = c11 + c13
        c18 = (1.0 / ((c2) * (c2)))
        c19 = 2.0*c18
        c20 = v_z6*c19
        c21 = z10*z6
        c22 = 2.0*v_z10*c1*c18 - v_z10*c3 - c20*c21
        c23 = -c12*c6 + 2.0*c13*c8
        c24 = stiffness*c23
        c25 = c18*c24
        c26 = damping*c17
        c27 = c26*c4
        c28 = z6*c27
        c29 = v_l0*c19
        c30 = c21*c25 + c28*c29
        c31 = c3*(v_z10*c19*c21 + v_z6*c3 - c0*c20)
        c32 = stiffness*c26
        c33 = c14*c24 + c32*c9
        c34 = stiffness*z6
        c35 = c3*(c10*c34 + c15*c34)
        c36 = z6*c32
        c37 = c18*c32
        c38 = -c18*c28
        kq[slot[4 * e + 0]] += damping*stiffness*z10*c17*c22*c3 - z10*c16 - c30
        kq[slot[4 * e + 1]] += z6*c16 - c0*c25 - c0*c29*c32 + c27*c31 + c33
        kq[slot[4 * e + 2]] += 2.0*v_l0*damping*stiffness*c1*c17*c18 + stiffness*c1*c18*c23 - z10*c35 - c22*c3*c36 - c33
        kq[slot[4 * e + 3]] += z6*c35 + c30 - c31*c36
        kv[slot[4 * e + 0]] += c0*c37
        kv[slot[4 * e + 1]] += c38
        kv[slot[4 * e + 2]] += c38
        kv[slot[4 * e + 3]] += c1*c37

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        lower = par[20 * e + 16]
        upper = par[20 * e + 17]
        stiffness = par[20 * e + 18]
        damping = par[20 * e + 19]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = max(0.0, -l0 + lower)
        c1 = max(0.0, l0 - upper)
        energy[3 * e + 0] = (0.5)*stiffness*(((c0) * (c0)) + ((c1) * (c1)))
        energy[3 * e + 1] = ((v_l0) * (v_l0))*damping*stiffness*(c0 + c1)
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        lower = par[20 * e + 16]
        upper = par[20 * e + 17]
        stiffness = par[20 * e + 18]
        damping = par[20 * e + 19]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = max(0.0, l0 - upper)
        c1 = max(0.0, -l0 + lower)
        out[0] = l0
        out[1] = -stiffness*(v_l0*damping*(c0 + c1) + c0 - c1)
