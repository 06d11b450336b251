"""Printed by gaitwright.derive from gaitwright.physics.forces.bumper. Do not edit."""

from math import atan2, floor

KIND = "force"
N_DOF, N_PAR, N_SIG = 3, 4, 0
TANGENT = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
SYMMETRIC = False
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c1 = v_a*c0
        c2 = v_u_a*c1
        c3 = u_a*c0
        c4 = v_v_a*c3
        c5 = -(theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c6 = lower + c5
        c7 = max(0.0, c6)
        c8 = -upper - c5
        c9 = max(0.0, c8)
        c10 = damping*(c7 + c9)
        c11 = stiffness*c10*(v_theta_b + c2 - c4)
        c12 = 2.0*c7*(1.0 if c6 > 0.0 else 0.0)
        c13 = (1.0 if c8 > 0.0 else 0.0)
        c14 = (0.5)*stiffness
        total[dof[3 * e + 0]] += -c1*c11 - c14*(2.0*v_a*c0*c13*c9 - c1*c12)
        total[dof[3 * e + 1]] += c11*c3 - c14*(c12*c3 - 2.0*c13*c3*c9)
        total[dof[3 * e + 2]] += -c10*c14*(2.0*v_theta_b + 2.0*c2 - 2.0*c4) - c14*(-c12 + 2.0*c13*c9)


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = ((u_a) * (u_a))
        c1 = ((v_a) * (v_a))
        c2 = c0 + c1
        c3 = (1.0 / ((c2) * (c2)))
        c4 = u_a*v_a*c3
        c5 = 2.0*c4
        c6 = (1.0 / (c2))
        c7 = v_u_a*c6
        c8 = v_a*c7
        c9 = v_v_a*c6
        c10 = u_a*c9
        c11 = v_theta_b - c10 + c8
        c12 = -(theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c13 = lower + c12
        c14 = max(0.0, c13)
        c15 = -upper - c12
        c16 = max(0.0, c15)
        c17 = c14 + c16
        c18 = damping*c17
        c19 = stiffness*c18
        c20 = c11*c19
        c21 = c20*c5
        c22 = -v_u_a*c5 + 2.0*v_v_a*c0*c3 - c9
        c23 = v_a*c6
        c24 = c19*c23
        c25 = (1.0 if c13 > 0.0 else 0.0)
        c26 = (1.0 if c15 > 0.0 else 0.0)
        c27 = damping*(v_a*c26*c6 - c23*c25)
        c28 = stiffness*c11
        c29 = c23*c28
        c30 = 2.0*((c25) * (c25))
        c31 = c1*c3
        c32 = 2.0*((c26) * (c26))
        c33 = 2.0*c14
        c34 = c33*0.0
        c35 = 2.0*c16
        c36 = c35*0.0
        c37 = c14*c25
        c38 = 4.0*c4
        c39 = c37*c38
        c40 = c16*c26
        c41 = c38*c40
        c42 = (0.5)*stiffness
        c43 = c20*c6
        c44 = v_u_a*c31
        c45 = v_v_a*c5 - 2.0*c44 + c7
        c46 = u_a*c6
        c47 = c25*c46 - c26*c46
        c48 = damping*c29
        c49 = c26*c35*c6
        c50 = c25*c33*c6
        c51 = c30*c4 + c32*c4 + c34*c4 + c36*c4
        c52 = -c25 + c26
        c53 = c42*(c23*c30 + c23*c32 + c23*c34 + c23*c36)
        c54 = c19*c46
        c55 = c28*c46
        c56 = c0*c3
        c57 = damping*c55
        c58 = -c30*c46 - c32*c46 - c34*c46 - c36*c46
        c59 = c18*c42
        c60 = c42*(2.0*v_theta_b - 2.0*c10 + 2.0*c8)
        c61 = damping*c60
        c62 = -c19*c4
        c63 = -c54
        kq[slot[9 * e + 0]] += -c21 + c22*c24 + c27*c29 + c42*(c30*c31 + c31*c32 + c31*c34 + c31*c36 + c39 - c41)
        kq[slot[9 * e + 1]] += -2.0*c20*c31 + c24*c45 + c42*(4.0*c1*c14*c25*c3 - 4.0*c31*c40 + c49 - c50 - c51) + c43 + c47*c48
        kq[slot[9 * e + 2]] += c48*c52 + c53
        kq[slot[9 * e + 3]] += 2.0*damping*stiffness*c0*c11*c17*c3 + (0.5)*stiffness*(4.0*c0*c16*c26*c3 - 4.0*c37*c56 - c49 + c50 - c51) - c22*c54 - c27*c55 - c43
        kq[slot[9 * e + 4]] += c21 + c42*(c30*c56 + c32*c56 + c34*c56 + c36*c56 - c39 + c41) - c45*c54 - c47*c57
        kq[slot[9 * e + 5]] += (0.5)*stiffness*c58 - c52*c57
        kq[slot[9 * e + 6]] += c27*c60 + c53 + c59*(-v_u_a*c38 + 4.0*v_v_a*c0*c3 - 2.0*c9)
        kq[slot[9 * e + 7]] += c42*c58 + c47*c61 + c59*(v_v_a*c38 - 4.0*c44 + 2.0*c7)
        kq[slot[9 * e + 8]] += c42*(c30 + c32 + c34 + c36) + c52*c61
        kv[slot[9 * e + 0]] += c19*c31
        kv[slot[9 * e + 1]] += c62
        kv[slot[9 * e + 2]] += c24
        kv[slot[9 * e + 3]] += c62
        kv[slot[9 * e + 4]] += c19*c56
        kv[slot[9 * e + 5]] += c63
        kv[slot[9 * e + 6]] += c24
        kv[slot[9 * e + 7]] += c63
        kv[slot[9 * e + 8]] += c19


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = -(theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c1 = max(0.0, lower + c0)
        c2 = max(0.0, -upper - c0)
        c3 = (0.5)*stiffness
        c4 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c5 = u_a*v_v_a*c4
        c6 = v_a*v_u_a*c4
        c7 = damping*(c1 + c2)
        c8 = stiffness*c7*(v_theta_b - c5 + c6)
        energy[3 * e + 0] = c3*(((c1) * (c1)) + ((c2) * (c2)))
        energy[3 * e + 1] = v_theta_b*c3*c7*(2.0*v_theta_b - 2.0*c5 + 2.0*c6) - c5*c8 + c6*c8
        energy[3 * e + 2] = 0.0


def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = (theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c1 = -c0
        c2 = max(0.0, -upper - c1)
        c3 = max(0.0, lower + c1)
        c4 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        out[0] = c0
        out[1] = -stiffness*(damping*(c2 + c3)*(-u_a*v_v_a*c4 + v_a*v_u_a*c4 + v_theta_b) + c2 - c3)
