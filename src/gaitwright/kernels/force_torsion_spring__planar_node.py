"""Printed by gaitwright.derive from gaitwright.physics.forces.torsion_spring. Do not edit."""

from math import atan2, floor

KIND = "force"
N_DOF, N_PAR, N_SIG = 3, 3, 0
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
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (-rest_angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c1 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        c2 = u_b*c1
        c3 = v_b*c1
        c4 = v_u_b*c3
        c5 = stiffness*c0
        c6 = damping*(u_b*v_v_b*c1 - v_theta_a - c4)
        total[dof[3 * e + 0]] += -0.5*damping*(2.0*v_theta_a - 2.0*v_v_b*c2 + 2.0*c4) + stiffness*c0
        total[dof[3 * e + 1]] += c3*c5 + c3*c6
        total[dof[3 * e + 2]] += -c2*c5 - c2*c6


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = ((u_b) * (u_b))
        c1 = ((v_b) * (v_b))
        c2 = c0 + c1
        c3 = (1.0 / (c2))
        c4 = stiffness*c3
        c5 = v_b*c4
        c6 = v_v_b*c3
        c7 = (1.0 / ((c2) * (c2)))
        c8 = 4.0*c7
        c9 = u_b*v_b
        c10 = c8*c9
        c11 = (0.5)*damping
        c12 = -u_b*c4
        c13 = v_u_b*c3
        c14 = stiffness*c7
        c15 = 2.0*c7
        c16 = c15*c9
        c17 = v_u_b*c16 - v_v_b*c0*c15 + c6
        c18 = damping*c3
        c19 = v_b*c18
        c20 = damping*c7
        c21 = c20*c9
        c22 = u_b*v_v_b*c3 - v_b*c13 - v_theta_a
        c23 = 2.0*c22
        c24 = c14*c9
        c25 = (-rest_angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c26 = 2.0*c25
        c27 = c21*c23 + c24*c26
        c28 = c25*c4
        c29 = c18*c22
        c30 = 2.0*v_u_b*c1*c7 - v_v_b*c16 - c13
        c31 = c0*c20
        c32 = -u_b*c18
        c33 = -c21
        kq[slot[9 * e + 0]] += stiffness
        kq[slot[9 * e + 1]] += c11*(-v_u_b*c10 + 4.0*v_v_b*c0*c7 - 2.0*c6) + c5
        kq[slot[9 * e + 2]] += c11*(-v_u_b*c1*c8 + v_v_b*c10 + 2.0*c13) + c12
        kq[slot[9 * e + 3]] += c5
        kq[slot[9 * e + 4]] += c1*c14 - c17*c19 + c27
        kq[slot[9 * e + 5]] += 2.0*damping*c1*c22*c7 + 2.0*stiffness*c1*c25*c7 - c19*c30 - c24 - c28 - c29
        kq[slot[9 * e + 6]] += c12
        kq[slot[9 * e + 7]] += damping*u_b*c17*c3 - c0*c14*c26 - c23*c31 - c24 + c28 + c29
        kq[slot[9 * e + 8]] += damping*u_b*c3*c30 + stiffness*c0*c7 - c27
        kv[slot[9 * e + 0]] += damping
        kv[slot[9 * e + 1]] += c19
        kv[slot[9 * e + 2]] += c32
        kv[slot[9 * e + 3]] += c19
        kv[slot[9 * e + 4]] += c1*c20
        kv[slot[9 * e + 5]] += c33
        kv[slot[9 * e + 6]] += c32
        kv[slot[9 * e + 7]] += c33
        kv[slot[9 * e + 8]] += c31


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        c1 = u_b*v_v_b*c0
        c2 = v_b*v_u_b*c0
        c3 = damping*(u_b*v_v_b*c0 - v_theta_a - c2)
        energy[3 * e + 0] = (0.5)*stiffness*(((-rest_angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))) * ((-rest_angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))))
        energy[3 * e + 1] = (0.5)*damping*v_theta_a*(2.0*v_theta_a - 2.0*c1 + 2.0*c2) + c1*c3 - c2*c3
        energy[3 * e + 2] = 0.0


def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        theta_a = q[dof[3 * e + 0]]
        u_b = q[dof[3 * e + 1]]
        v_b = q[dof[3 * e + 2]]
        v_theta_a = v[dof[3 * e + 0]]
        v_u_b = v[dof[3 * e + 1]]
        v_v_b = v[dof[3 * e + 2]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (-rest_angle - theta_a + atan2(v_b, u_b) - 6.283185307179586 * floor((-rest_angle - theta_a + atan2(v_b, u_b)) / 6.283185307179586 + 0.5))
        c1 = (1.0 / (((u_b) * (u_b)) + ((v_b) * (v_b))))
        out[0] = rest_angle + c0
        out[1] = -damping*(u_b*v_v_b*c1 - v_b*v_u_b*c1 - v_theta_a) - stiffness*c0
