"""Printed by gaitwright.derive from gaitwright.physics.forces.torsion_spring. Do not edit."""

from math import atan2, floor

KIND = "force"
N_DOF, N_PAR, N_SIG = 4, 3, 0
TANGENT = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3))
SYMMETRIC = False
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        v_u_a = v[dof[4 * e + 0]]
        v_v_a = v[dof[4 * e + 1]]
        v_u_b = v[dof[4 * e + 2]]
        v_v_b = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c1 = v_a*c0
        c2 = stiffness*(-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c3 = u_a*c0
        c4 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        c5 = v_b*c4
        c6 = damping*(u_b*v_v_b*c4 + v_a*v_u_a*c0 - v_u_b*c5 - v_v_a*c3)
        c7 = u_b*c4
        total[dof[4 * e + 0]] += -c1*c2 - c1*c6
        total[dof[4 * e + 1]] += c2*c3 + c3*c6
        total[dof[4 * e + 2]] += c2*c5 + c5*c6
        total[dof[4 * e + 3]] += -c2*c7 - c6*c7


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        v_u_a = v[dof[4 * e + 0]]
        v_v_a = v[dof[4 * e + 1]]
        v_u_b = v[dof[4 * e + 2]]
        v_v_b = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = ((v_a) * (v_a))
        c1 = ((u_a) * (u_a))
        c2 = c0 + c1
        c3 = (1.0 / ((c2) * (c2)))
        c4 = (1.0 / (c2))
        c5 = v_v_a*c4
        c6 = 2.0*c3
        c7 = v_u_a*c6
        c8 = u_a*v_a
        c9 = 2.0*v_v_a*c1*c3 - c5 - c7*c8
        c10 = ((u_b) * (u_b))
        c11 = ((v_b) * (v_b))
        c12 = c10 + c11
        c13 = (1.0 / (c12))
        c14 = v_u_b*c13
        c15 = -u_a*c5 + u_b*v_v_b*c13 + v_a*v_u_a*c4 - v_b*c14
        c16 = damping*c15
        c17 = c16*c6
        c18 = stiffness*c3
        c19 = c18*c8
        c20 = (-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c21 = 2.0*c20
        c22 = c17*c8 + c19*c21
        c23 = stiffness*c20
        c24 = c23*c4
        c25 = v_u_a*c4 + v_v_a*c6*c8 - c0*c7
        c26 = c16*c4
        c27 = v_b*c13
        c28 = stiffness*c4
        c29 = v_a*c28
        c30 = c27*c29
        c31 = (1.0 / ((c12) * (c12)))
        c32 = 2.0*c31
        c33 = u_b*v_b
        c34 = v_v_b*c32
        c35 = v_u_b*c32*c33 + v_v_b*c13 - c10*c34
        c36 = damping*c4
        c37 = v_a*c36
        c38 = u_b*c13
        c39 = c29*c38
        c40 = 2.0*v_u_b*c11*c31 - c14 - c33*c34
        c41 = u_a*c36
        c42 = -stiffness*u_a*v_b*c13*c4
        c43 = u_a*c28*c38
        c44 = damping*c13
        c45 = v_b*c44
        c46 = stiffness*c31
        c47 = c32*c33
        c48 = c16*c47 + c23*c47
        c49 = c33*c46
        c50 = c13*c23
        c51 = c13*c16
        c52 = u_b*c44
        c53 = c10*c32
        c54 = damping*c3
        c55 = -c54*c8
        c56 = -c27*c37
        c57 = c37*c38
        c58 = c27*c41
        c59 = -c38*c41
        c60 = damping*c31
        c61 = -c33*c60
        kq[slot[16 * e + 0]] += damping*v_a*c4*c9 + stiffness*c0*c3 - c22
        kq[slot[16 * e + 1]] += damping*v_a*c25*c4 - c0*c17 - c0*c18*c21 - c19 + c24 + c26
        kq[slot[16 * e + 2]] += -c30 + c35*c37
        kq[slot[16 * e + 3]] += c37*c40 + c39
        kq[slot[16 * e + 4]] += 2.0*damping*c1*c15*c3 + 2.0*stiffness*c1*c20*c3 - c19 - c24 - c26 - c41*c9
        kq[slot[16 * e + 5]] += c1*c18 + c22 - c25*c41
        kq[slot[16 * e + 6]] += -c35*c41 - c42
        kq[slot[16 * e + 7]] += -c40*c41 - c43
        kq[slot[16 * e + 8]] += -c30 - c45*c9
        kq[slot[16 * e + 9]] += -c25*c45 - c42
        kq[slot[16 * e + 10]] += c11*c46 - c35*c45 + c48
        kq[slot[16 * e + 11]] += 2.0*damping*c11*c15*c31 + 2.0*stiffness*c11*c20*c31 - c40*c45 - c49 - c50 - c51
        kq[slot[16 * e + 12]] += c39 + c52*c9
        kq[slot[16 * e + 13]] += c25*c52 - c43
        kq[slot[16 * e + 14]] += damping*u_b*c13*c35 - c16*c53 - c23*c53 - c49 + c50 + c51
        kq[slot[16 * e + 15]] += damping*u_b*c13*c40 + stiffness*c10*c31 - c48
        kv[slot[16 * e + 0]] += c0*c54
        kv[slot[16 * e + 1]] += c55
        kv[slot[16 * e + 2]] += c56
        kv[slot[16 * e + 3]] += c57
        kv[slot[16 * e + 4]] += c55
        kv[slot[16 * e + 5]] += c1*c54
        kv[slot[16 * e + 6]] += c58
        kv[slot[16 * e + 7]] += c59
        kv[slot[16 * e + 8]] += c56
        kv[slot[16 * e + 9]] += c58
        kv[slot[16 * e + 10]] += c11*c60
        kv[slot[16 * e + 11]] += c61
        kv[slot[16 * e + 12]] += c57
        kv[slot[16 * e + 13]] += c59
        kv[slot[16 * e + 14]] += c61
        kv[slot[16 * e + 15]] += c10*c60


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        v_u_a = v[dof[4 * e + 0]]
        v_v_a = v[dof[4 * e + 1]]
        v_u_b = v[dof[4 * e + 2]]
        v_v_b = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c1 = u_a*v_v_a*c0
        c2 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        c3 = v_b*v_u_b*c2
        c4 = u_b*v_v_b*c2 + v_a*v_u_a*c0 - c1 - c3
        c5 = damping*c4
        energy[3 * e + 0] = (0.5)*stiffness*(((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))) * ((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))))
        energy[3 * e + 1] = damping*u_b*v_v_b*c2*c4 + damping*v_a*v_u_a*c0*c4 - c1*c5 - c3*c5
        energy[3 * e + 2] = 0.0


def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        u_a = q[dof[4 * e + 0]]
        v_a = q[dof[4 * e + 1]]
        u_b = q[dof[4 * e + 2]]
        v_b = q[dof[4 * e + 3]]
        v_u_a = v[dof[4 * e + 0]]
        v_v_a = v[dof[4 * e + 1]]
        v_u_b = v[dof[4 * e + 2]]
        v_v_b = v[dof[4 * e + 3]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - atan2(v_a, u_a) + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c1 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c2 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        out[0] = rest_angle + c0
        out[1] = -damping*(-u_a*v_v_a*c1 + u_b*v_v_b*c2 + v_a*v_u_a*c1 - v_b*v_u_b*c2) - stiffness*c0
