"""Printed by gaitwright.derive from gaitwright.physics.forces.torsion_spring. Do not edit."""

from math import atan2, floor

KIND = "force"
N_DOF, N_PAR, N_SIG = 11, 19, 0
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
        stiffness = par[19 * e + 16]
        damping = par[19 * e + 17]
        rest_angle = par[19 * e + 18]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = (1.0 / (((z10) * (z10)) + ((z6) * (z6))))
        c1 = z10*c0
        c2 = v_l0*damping
        c3 = stiffness*(l0 - rest_angle - 6.283185307179586 * floor((l0 - rest_angle) / 6.283185307179586 + 0.5))
        c4 = z6*c0
        total[dof[11 * e + 9]] += -c1*c2 - c1*c3
        total[dof[11 * e + 10]] += c2*c4 + c3*c4

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        stiffness = par[19 * e + 16]
        damping = par[19 * e + 17]
        rest_angle = par[19 * e + 18]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = ((z10) * (z10))
        c1 = ((z6) * (z6))
        c2 = c0 + c1
        c3 = (1.0 / ((c2) * (c2)))
        c4 = (1.0 / (c2))
        c5 = 2.0*c3
        c6 = v_z6*c5
        c7 = z10*z6
        c8 = 2.0*v_z10*c1*c3 - v_z10*c4 - c6*c7
        c9 = damping*c3
        c10 = c7*c9
        c11 = 2.0*v_l0
        c12 = stiffness*c3
        c13 = c12*c7
        c14 = (l0 - rest_angle - 6.283185307179586 * floor((l0 - rest_angle) / 6.283185307179586 + 0.5))
        c15 = 2.0*c14
        c16 = c10*c11 + c13*c15
        c17 = damping*c4
        c18 = v_l0*c17
        c19 = c0*c9
        c20 = stiffness*c14*c4
        c21 = v_z10*c5*c7 + v_z6*c4 - c0*c6
        c22 = z6*c17
        kq[slot[4 * e + 0]] += damping*z10*c4*c8 + stiffness*c0*c3 - c16
        kq[slot[4 * e + 1]] += damping*z10*c21*c4 - c0*c12*c15 - c11*c19 - c13 + c18 + c20
        kq[slot[4 * e + 2]] += 2.0*v_l0*damping*c1*c3 + 2.0*stiffness*c1*c14*c3 - c13 - c18 - c20 - c22*c8
        kq[slot[4 * e + 3]] += c1*c12 + c16 - c21*c22
        kv[slot[4 * e + 0]] += c19
        kv[slot[4 * e + 1]] += -c10
        kv[slot[4 * e + 2]] += -c10
        kv[slot[4 * e + 3]] += c1*c9

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        stiffness = par[19 * e + 16]
        damping = par[19 * e + 17]
        rest_angle = par[19 * e + 18]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        energy[3 * e + 0] = (0.5)*stiffness*(((l0 - rest_angle - 6.283185307179586 * floor((l0 - rest_angle) / 6.283185307179586 + 0.5))) * ((l0 - rest_angle - 6.283185307179586 * floor((l0 - rest_angle) / 6.283185307179586 + 0.5))))
        energy[3 * e + 1] = ((v_l0) * (v_l0))*damping
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z6 = q[dof[11 * e + 9]]
        z10 = q[dof[11 * e + 10]]
        v_z6 = v[dof[11 * e + 9]]
        v_z10 = v[dof[11 * e + 10]]
        stiffness = par[19 * e + 16]
        damping = par[19 * e + 17]
        rest_angle = par[19 * e + 18]
        l0 = atan2(z6, z10)
        v_l0 = (-v_z10*z6) / (((z10) * (z10)) + ((z6) * (z6))) + (v_z6*z10) / (((z10) * (z10)) + ((z6) * (z6)))
        c0 = (l0 - rest_angle - 6.283185307179586 * floor((l0 - rest_angle) / 6.283185307179586 + 0.5))
        out[0] = rest_angle + c0
        out[1] = -v_l0*damping - stiffness*c0
