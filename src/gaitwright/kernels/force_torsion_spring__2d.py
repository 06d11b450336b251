"""Printed by gaitwright.derive from gaitwright.physics.forces.torsion_spring. Do not edit."""

from math import atan2, floor

KIND = "force"
N_DOF, N_PAR, N_SIG = 6, 3, 0
TANGENT = ((4, 4), (4, 5), (5, 4), (5, 5))
SYMMETRIC = False
SYMMETRIC_AT_REST = True
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True
ACTING = 6
VARIABLES = (
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('axis', 1, 0, 0), ('axis', 1, 0, 1),
    ('quadratic', 0.0, ((1.0, 0, 3), (-1.0, 2, 1))), ('quadratic', 0.0, ((1.0, 0, 2), (1.0, 1, 3))),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        c1 = z5*c0
        c2 = stiffness*(-rest_angle + atan2(z4, z5) - 6.283185307179586 * floor((-rest_angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c3 = z4*c0
        c4 = damping*(v_z4*c1 - v_z5*c3)
        total[dof[6 * e + 4]] += -c1*c2 - c1*c4
        total[dof[6 * e + 5]] += c2*c3 + c3*c4

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = ((z5) * (z5))
        c1 = ((z4) * (z4))
        c2 = c0 + c1
        c3 = (1.0 / ((c2) * (c2)))
        c4 = (1.0 / (c2))
        c5 = v_z5*c4
        c6 = 2.0*c3
        c7 = v_z4*c6
        c8 = z4*z5
        c9 = 2.0*v_z5*c1*c3 - c5 - c7*c8
        c10 = damping*c3
        c11 = c10*c8
        c12 = v_z4*c4
        c13 = -z4*c5 + z5*c12
        c14 = 2.0*c13
        c15 = stiffness*c3
        c16 = c15*c8
        c17 = (-rest_angle + atan2(z4, z5) - 6.283185307179586 * floor((-rest_angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c18 = 2.0*c17
        c19 = c11*c14 + c16*c18
        c20 = stiffness*c17*c4
        c21 = damping*c4
        c22 = c13*c21
        c23 = c0*c10
        c24 = v_z5*c6*c8 - c0*c7 + c12
        c25 = z4*c21
        kq[slot[4 * e + 0]] += damping*z5*c4*c9 + stiffness*c0*c3 - c19
        kq[slot[4 * e + 1]] += damping*z5*c24*c4 - c0*c15*c18 - c14*c23 - c16 + c20 + c22
        kq[slot[4 * e + 2]] += 2.0*damping*c1*c13*c3 + 2.0*stiffness*c1*c17*c3 - c16 - c20 - c22 - c25*c9
        kq[slot[4 * e + 3]] += c1*c15 + c19 - c24*c25
        kv[slot[4 * e + 0]] += c23
        kv[slot[4 * e + 1]] += -c11
        kv[slot[4 * e + 2]] += -c11
        kv[slot[4 * e + 3]] += c1*c10

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        c1 = v_z4*z5*c0
        c2 = v_z5*z4*c0
        c3 = damping*(c1 - c2)
        energy[3 * e + 0] = (0.5)*stiffness*(((-rest_angle + atan2(z4, z5) - 6.283185307179586 * floor((-rest_angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))) * ((-rest_angle + atan2(z4, z5) - 6.283185307179586 * floor((-rest_angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))))
        energy[3 * e + 1] = c1*c3 - c2*c3
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (-rest_angle + atan2(z4, z5) - 6.283185307179586 * floor((-rest_angle + atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c1 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        out[0] = rest_angle + c0
        out[1] = -damping*(v_z4*z5*c1 - v_z5*z4*c1) - stiffness*c0
