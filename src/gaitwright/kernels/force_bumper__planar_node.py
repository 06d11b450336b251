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
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        c1 = u_b*c0
        c2 = v_b*c0
        c3 = v_u_b*c2
        c4 = (0.5)*stiffness
        c5 = -(-theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c6 = lower + c5
        c7 = max(0.0, c6)
        c8 = -upper - c5
        c9 = max(0.0, c8)
        c10 = damping*(c7 + c9)
        c11 = 2.0*c7*(1.0 if c6 > 0.0 else 0.0)
        c12 = (1.0 if c8 > 0.0 else 0.0)
        c13 = 2.0*c12*c9
        c14 = stiffness*c10*(u_b*v_v_b*c0 - v_theta_a - c3)
        total[dof[3 * e + 0]] += -c10*c4*(2.0*v_theta_a - 2.0*v_v_b*c1 + 2.0*c3) - c4*(c11 - c13)
        total[dof[3 * e + 1]] += c14*c2 - c4*(c11*c2 - c13*c2)
        total[dof[3 * e + 2]] += -c1*c14 - c4*(2.0*u_b*c0*c12*c9 - c1*c11)


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = -(-theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c1 = lower + c0
        c2 = (1.0 if c1 > 0.0 else 0.0)
        c3 = -upper - c0
        c4 = (1.0 if c3 > 0.0 else 0.0)
        c5 = damping*(c2 - c4)
        c6 = ((u_b) * (u_b))
        c7 = ((v_b) * (v_b))
        c8 = c6 + c7
        c9 = (1.0 / (c8))
        c10 = v_v_b*c9
        c11 = 2.0*c10
        c12 = v_u_b*c9
        c13 = 2.0*c12
        c14 = (0.5)*stiffness
        c15 = c14*(-u_b*c11 + v_b*c13 + 2.0*v_theta_a)
        c16 = 2.0*((c2) * (c2))
        c17 = 2.0*((c4) * (c4))
        c18 = max(0.0, c1)
        c19 = 2.0*c18
        c20 = c19*0.0
        c21 = max(0.0, c3)
        c22 = 2.0*c21
        c23 = c22*0.0
        c24 = (1.0 / ((c8) * (c8)))
        c25 = 4.0*c24
        c26 = u_b*v_b
        c27 = c25*c26
        c28 = c18 + c21
        c29 = damping*c28
        c30 = c14*c29
        c31 = v_b*c9
        c32 = c2*c31 - c31*c4
        c33 = damping*c15
        c34 = c16*c31 + c17*c31 + c20*c31 + c23*c31
        c35 = u_b*c9
        c36 = u_b*c4*c9 - c2*c35
        c37 = c14*(-c16*c35 - c17*c35 - c20*c35 - c23*c35)
        c38 = u_b*v_v_b*c9 - v_b*c12 - v_theta_a
        c39 = stiffness*c38
        c40 = c31*c39
        c41 = 2.0*c24
        c42 = c26*c41
        c43 = stiffness*c29
        c44 = c38*c43
        c45 = c42*c44
        c46 = v_u_b*c42 - v_v_b*c41*c6 + c10
        c47 = c31*c43
        c48 = damping*c40
        c49 = c24*c7
        c50 = c18*c2
        c51 = c27*c50
        c52 = c21*c4
        c53 = c27*c52
        c54 = c44*c9
        c55 = 2.0*v_u_b*c24*c7 - v_v_b*c42 - c12
        c56 = c19*c2*c9
        c57 = c22*c4*c9
        c58 = c24*c26
        c59 = c16*c58 + c17*c58 + c20*c58 + c23*c58
        c60 = c35*c39
        c61 = c35*c43
        c62 = damping*c60
        c63 = c24*c6
        c64 = -c61
        c65 = -c43*c58
        kq[slot[9 * e + 0]] += c14*(c16 + c17 + c20 + c23) + c15*c5
        kq[slot[9 * e + 1]] += c14*c34 + c30*(-v_u_b*c27 + 4.0*v_v_b*c24*c6 - c11) + c32*c33
        kq[slot[9 * e + 2]] += c30*(-v_u_b*c25*c7 + v_v_b*c27 + c13) + c33*c36 + c37
        kq[slot[9 * e + 3]] += (0.5)*stiffness*c34 - c40*c5
        kq[slot[9 * e + 4]] += c14*(c16*c49 + c17*c49 + c20*c49 + c23*c49 - c51 + c53) - c32*c48 + c45 - c46*c47
        kq[slot[9 * e + 5]] += 2.0*damping*stiffness*c24*c28*c38*c7 + (0.5)*stiffness*(4.0*c21*c24*c4*c7 - c25*c50*c7 + c56 - c57 - c59) - c36*c48 - c47*c55 - c54
        kq[slot[9 * e + 6]] += c37 + c5*c60
        kq[slot[9 * e + 7]] += c14*(4.0*c18*c2*c24*c6 - c25*c52*c6 - c56 + c57 - c59) + c32*c62 - c41*c44*c6 + c46*c61 + c54
        kq[slot[9 * e + 8]] += c14*(c16*c63 + c17*c63 + c20*c63 + c23*c63 + c51 - c53) + c36*c62 - c45 + c55*c61
        kv[slot[9 * e + 0]] += c43
        kv[slot[9 * e + 1]] += c47
        kv[slot[9 * e + 2]] += c64
        kv[slot[9 * e + 3]] += c47
        kv[slot[9 * e + 4]] += c43*c49
        kv[slot[9 * e + 5]] += c65
        kv[slot[9 * e + 6]] += c64
        kv[slot[9 * e + 7]] += c65
        kv[slot[9 * e + 8]] += c43*c63


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = -(-theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c1 = max(0.0, lower + c0)
        c2 = max(0.0, -upper - c0)
        c3 = (0.5)*stiffness
        c4 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        c5 = u_b*v_v_b*c4
        c6 = v_b*v_u_b*c4
        c7 = damping*(c1 + c2)
        c8 = stiffness*c7*(u_b*v_v_b*c4 - v_theta_a - c6)
        energy[3 * e + 0] = c3*(((c1) * (c1)) + ((c2) * (c2)))
        energy[3 * e + 1] = v_theta_a*c3*c7*(2.0*v_theta_a - 2.0*c5 + 2.0*c6) + c5*c8 - c6*c8
        energy[3 * e + 2] = 0.0


def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = (-theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c1 = -c0
        c2 = max(0.0, -upper - c1)
        c3 = max(0.0, lower + c1)
        c4 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        out[0] = c0
        out[1] = -stiffness*(damping*(c2 + c3)*(u_b*v_v_b*c4 - v_b*v_u_b*c4 - v_theta_a) + c2 - c3)
