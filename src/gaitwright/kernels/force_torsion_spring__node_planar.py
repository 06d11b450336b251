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
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = stiffness*(-rest_angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-rest_angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c1 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c2 = v_a*c1
        c3 = v_u_a*c2
        c4 = u_a*c1
        c5 = v_v_a*c4
        c6 = damping*(v_theta_b + c3 - c5)
        total[dof[3 * e + 0]] += -c0*c2 - c2*c6
        total[dof[3 * e + 1]] += c0*c4 + c4*c6
        total[dof[3 * e + 2]] += -0.5*damping*(2.0*v_theta_b + 2.0*c3 - 2.0*c5) - c0


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
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
        c7 = u_a*v_a
        c8 = c6*c7
        c9 = -v_u_a*c8 + 2.0*v_v_a*c1*c3 - c5
        c10 = damping*c3
        c11 = c10*c7
        c12 = v_u_a*c4
        c13 = -u_a*c5 + v_a*c12 + v_theta_b
        c14 = 2.0*c13
        c15 = stiffness*c3
        c16 = c15*c7
        c17 = (-rest_angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-rest_angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c18 = 2.0*c17
        c19 = c11*c14 + c16*c18
        c20 = stiffness*c4
        c21 = c17*c20
        c22 = damping*c4
        c23 = c13*c22
        c24 = c0*c10
        c25 = v_u_a*c0
        c26 = v_v_a*c8 + c12 - c25*c6
        c27 = v_a*c20
        c28 = u_a*c22
        c29 = -u_a*c20
        c30 = 4.0*c3
        c31 = c30*c7
        c32 = (0.5)*damping
        c33 = -c11
        c34 = v_a*c22
        c35 = -c28
        kq[slot[9 * e + 0]] += damping*v_a*c4*c9 + stiffness*c0*c3 - c19
        kq[slot[9 * e + 1]] += damping*v_a*c26*c4 - c0*c15*c18 - c14*c24 - c16 + c21 + c23
        kq[slot[9 * e + 2]] += c27
        kq[slot[9 * e + 3]] += 2.0*damping*c1*c13*c3 + 2.0*stiffness*c1*c17*c3 - c16 - c21 - c23 - c28*c9
        kq[slot[9 * e + 4]] += c1*c15 + c19 - c26*c28
        kq[slot[9 * e + 5]] += c29
        kq[slot[9 * e + 6]] += c27 + c32*(-v_u_a*c31 + 4.0*v_v_a*c1*c3 - 2.0*c5)
        kq[slot[9 * e + 7]] += c29 + c32*(v_v_a*c31 + 2.0*c12 - c25*c30)
        kq[slot[9 * e + 8]] += stiffness
        kv[slot[9 * e + 0]] += c24
        kv[slot[9 * e + 1]] += c33
        kv[slot[9 * e + 2]] += c34
        kv[slot[9 * e + 3]] += c33
        kv[slot[9 * e + 4]] += c1*c10
        kv[slot[9 * e + 5]] += c35
        kv[slot[9 * e + 6]] += c34
        kv[slot[9 * e + 7]] += c35
        kv[slot[9 * e + 8]] += damping


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        c1 = u_a*v_v_a*c0
        c2 = v_a*v_u_a*c0
        c3 = damping*(v_theta_b - c1 + c2)
        energy[3 * e + 0] = (0.5)*stiffness*(((-rest_angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-rest_angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))) * ((-rest_angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-rest_angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))))
        energy[3 * e + 1] = (0.5)*damping*v_theta_b*(2.0*v_theta_b - 2.0*c1 + 2.0*c2) - c1*c3 + c2*c3
        energy[3 * e + 2] = 0.0


def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        u_a = q[dof[3 * e + 0]]
        v_a = q[dof[3 * e + 1]]
        theta_b = q[dof[3 * e + 2]]
        v_u_a = v[dof[3 * e + 0]]
        v_v_a = v[dof[3 * e + 1]]
        v_theta_b = v[dof[3 * e + 2]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = (-rest_angle + theta_b - atan2(v_a, u_a) - 6.283185307179586 * floor((-rest_angle + theta_b - atan2(v_a, u_a)) / 6.283185307179586 + 0.5))
        c1 = (1.0 / (((u_a) * (u_a)) + ((v_a) * (v_a))))
        out[0] = rest_angle + c0
        out[1] = -damping*(-u_a*v_v_a*c1 + v_a*v_u_a*c1 + v_theta_b) - stiffness*c0
