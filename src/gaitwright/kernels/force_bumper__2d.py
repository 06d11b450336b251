"""Printed by gaitwright.derive from gaitwright.physics.forces.bumper. Do not edit."""

from math import atan2, floor

KIND = "force"
N_DOF, N_PAR, N_SIG = 6, 4, 0
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
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        c1 = z5*c0
        c2 = z4*c0
        c3 = -(atan2(z4, z5) - 6.283185307179586 * floor((atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c4 = lower + c3
        c5 = max(0.0, c4)
        c6 = -upper - c3
        c7 = max(0.0, c6)
        c8 = damping*stiffness*(c5 + c7)*(v_z4*c1 - v_z5*c2)
        c9 = c5*(1.0 if c4 > 0.0 else 0.0)
        c10 = (1.0 if c6 > 0.0 else 0.0)
        c11 = (0.5)*stiffness
        c12 = 2.0*c2
        total[dof[6 * e + 4]] += -c1*c8 - c11*(2.0*z5*c0*c10*c7 - 2.0*c1*c9)
        total[dof[6 * e + 5]] += -c11*(-c10*c12*c7 + c12*c9) + c2*c8

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = ((z4) * (z4))
        c1 = ((z5) * (z5))
        c2 = c0 + c1
        c3 = (1.0 / ((c2) * (c2)))
        c4 = 2.0*c3
        c5 = z4*z5
        c6 = c4*c5
        c7 = (1.0 / (c2))
        c8 = v_z4*c7
        c9 = v_z5*c7
        c10 = -z4*c9 + z5*c8
        c11 = -(atan2(z4, z5) - 6.283185307179586 * floor((atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c12 = lower + c11
        c13 = max(0.0, c12)
        c14 = -upper - c11
        c15 = max(0.0, c14)
        c16 = c13 + c15
        c17 = damping*stiffness*c16
        c18 = c10*c17
        c19 = c18*c6
        c20 = -v_z4*c6 + 2.0*v_z5*c0*c3 - c9
        c21 = z5*c7
        c22 = c17*c21
        c23 = (1.0 if c12 > 0.0 else 0.0)
        c24 = (1.0 if c14 > 0.0 else 0.0)
        c25 = z5*c24*c7 - c21*c23
        c26 = damping*stiffness*c10
        c27 = c21*c26
        c28 = ((c23) * (c23))
        c29 = c1*c4
        c30 = ((c24) * (c24))
        c31 = c13*0.0
        c32 = c15*0.0
        c33 = c13*c23
        c34 = 4.0*c3
        c35 = c34*c5
        c36 = c33*c35
        c37 = c15*c24
        c38 = c35*c37
        c39 = (0.5)*stiffness
        c40 = c18*c7
        c41 = -v_z4*c29 + v_z5*c6 + c8
        c42 = z4*c7
        c43 = c23*c42 - c24*c42
        c44 = 2.0*c7
        c45 = c37*c44
        c46 = c33*c44
        c47 = c28*c6 + c30*c6 + c31*c6 + c32*c6
        c48 = c17*c42
        c49 = c26*c42
        c50 = c0*c4
        c51 = c17*c3
        c52 = -c5*c51
        kq[slot[4 * e + 0]] += -c19 + c20*c22 + c25*c27 + c39*(c28*c29 + c29*c30 + c29*c31 + c29*c32 + c36 - c38)
        kq[slot[4 * e + 1]] += -c18*c29 + c22*c41 + c27*c43 + c39*(4.0*c1*c13*c23*c3 - c1*c34*c37 + c45 - c46 - c47) + c40
        kq[slot[4 * e + 2]] += 2.0*damping*stiffness*c0*c10*c16*c3 + (0.5)*stiffness*(4.0*c0*c15*c24*c3 - c0*c33*c34 - c45 + c46 - c47) - c20*c48 - c25*c49 - c40
        kq[slot[4 * e + 3]] += c19 + c39*(c28*c50 + c30*c50 + c31*c50 + c32*c50 - c36 + c38) - c41*c48 - c43*c49
        kv[slot[4 * e + 0]] += c1*c51
        kv[slot[4 * e + 1]] += c52
        kv[slot[4 * e + 2]] += c52
        kv[slot[4 * e + 3]] += c0*c51

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = -(atan2(z4, z5) - 6.283185307179586 * floor((atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c1 = max(0.0, lower + c0)
        c2 = max(0.0, -upper - c0)
        c3 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        c4 = v_z4*z5*c3
        c5 = v_z5*z4*c3
        c6 = damping*stiffness*(c1 + c2)*(c4 - c5)
        energy[3 * e + 0] = (0.5)*stiffness*(((c1) * (c1)) + ((c2) * (c2)))
        energy[3 * e + 1] = c4*c6 - c5*c6
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z4 = q[dof[6 * e + 4]]
        z5 = q[dof[6 * e + 5]]
        v_z4 = v[dof[6 * e + 4]]
        v_z5 = v[dof[6 * e + 5]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = (atan2(z4, z5) - 6.283185307179586 * floor((atan2(z4, z5)) / 6.283185307179586 + 0.5))
        c2 = max(0.0, -upper + c0)
        c3 = max(0.0, lower - c0)
        c4 = (1.0 / (((z4) * (z4)) + ((z5) * (z5))))
        out[0] = c0
        out[1] = -stiffness*(damping*(c2 + c3)*(v_z4*z5*c4 - v_z5*z4*c4) + c2 - c3)
