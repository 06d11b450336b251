"""Printed by gaitwright.derive from gaitwright.physics.forces.force. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 12, 4, 3
TANGENT = ((0, 3), (0, 6), (0, 9), (1, 4), (1, 7), (1, 10), (2, 5), (2, 8), (2, 11), (3, 3), (3, 6), (3, 9), (4, 4), (4, 7), (4, 10), (5, 5), (5, 8), (5, 11), (6, 3), (6, 6), (6, 9), (7, 4), (7, 7), (7, 10), (8, 5), (8, 8), (8, 11), (9, 3), (9, 6), (9, 9), (10, 4), (10, 7), (10, 10), (11, 5), (11, 8), (11, 11))
SYMMETRIC = False
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        d1x_at = q[dof[12 * e + 3]]
        d1y_at = q[dof[12 * e + 4]]
        d1z_at = q[dof[12 * e + 5]]
        d2x_at = q[dof[12 * e + 6]]
        d2y_at = q[dof[12 * e + 7]]
        d2z_at = q[dof[12 * e + 8]]
        d3x_at = q[dof[12 * e + 9]]
        d3y_at = q[dof[12 * e + 10]]
        d3z_at = q[dof[12 * e + 11]]
        s_x_at = par[4 * e + 0]
        s_y_at = par[4 * e + 1]
        s_z_at = par[4 * e + 2]
        value_x = u[3 * sig[3 * e + 0]]
        value_y = u[3 * sig[3 * e + 1]]
        value_z = u[3 * sig[3 * e + 2]]
        l3 = d2x_at*value_y + d3x_at*value_z + value_x*(d1x_at + 1.0)
        l4 = d1y_at*value_x + d3y_at*value_z + value_y*(d2y_at + 1.0)
        l5 = d1z_at*value_x + d2z_at*value_y + value_z*(d3z_at + 1.0)
        total[dof[12 * e + 0]] += l3
        total[dof[12 * e + 1]] += l4
        total[dof[12 * e + 2]] += l5
        total[dof[12 * e + 3]] += l3*s_x_at
        total[dof[12 * e + 4]] += l4*s_x_at
        total[dof[12 * e + 5]] += l5*s_x_at
        total[dof[12 * e + 6]] += l3*s_y_at
        total[dof[12 * e + 7]] += l4*s_y_at
        total[dof[12 * e + 8]] += l5*s_y_at
        total[dof[12 * e + 9]] += l3*s_z_at
        total[dof[12 * e + 10]] += l4*s_z_at
        total[dof[12 * e + 11]] += l5*s_z_at


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        s_x_at = par[4 * e + 0]
        s_y_at = par[4 * e + 1]
        s_z_at = par[4 * e + 2]
        value_x = u[3 * sig[3 * e + 0]]
        value_y = u[3 * sig[3 * e + 1]]
        value_z = u[3 * sig[3 * e + 2]]
        c3 = -s_x_at*value_x
        c4 = -s_x_at*value_y
        c5 = -s_x_at*value_z
        c6 = -s_y_at*value_x
        c7 = -s_y_at*value_y
        c8 = -s_y_at*value_z
        c9 = -s_z_at*value_x
        c10 = -s_z_at*value_y
        c11 = -s_z_at*value_z
        kq[slot[36 * e + 0]] += -value_x
        kq[slot[36 * e + 1]] += -value_y
        kq[slot[36 * e + 2]] += -value_z
        kq[slot[36 * e + 3]] += -value_x
        kq[slot[36 * e + 4]] += -value_y
        kq[slot[36 * e + 5]] += -value_z
        kq[slot[36 * e + 6]] += -value_x
        kq[slot[36 * e + 7]] += -value_y
        kq[slot[36 * e + 8]] += -value_z
        kq[slot[36 * e + 9]] += c3
        kq[slot[36 * e + 10]] += c4
        kq[slot[36 * e + 11]] += c5
        kq[slot[36 * e + 12]] += c3
        kq[slot[36 * e + 13]] += c4
        kq[slot[36 * e + 14]] += c5
        kq[slot[36 * e + 15]] += c3
        kq[slot[36 * e + 16]] += c4
        kq[slot[36 * e + 17]] += c5
        kq[slot[36 * e + 18]] += c6
        kq[slot[36 * e + 19]] += c7
        kq[slot[36 * e + 20]] += c8
        kq[slot[36 * e + 21]] += c6
        kq[slot[36 * e + 22]] += c7
        kq[slot[36 * e + 23]] += c8
        kq[slot[36 * e + 24]] += c6
        kq[slot[36 * e + 25]] += c7
        kq[slot[36 * e + 26]] += c8
        kq[slot[36 * e + 27]] += c9
        kq[slot[36 * e + 28]] += c10
        kq[slot[36 * e + 29]] += c11
        kq[slot[36 * e + 30]] += c9
        kq[slot[36 * e + 31]] += c10
        kq[slot[36 * e + 32]] += c11
        kq[slot[36 * e + 33]] += c9
        kq[slot[36 * e + 34]] += c10
        kq[slot[36 * e + 35]] += c11


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        d1x_at = q[dof[12 * e + 3]]
        d1y_at = q[dof[12 * e + 4]]
        d1z_at = q[dof[12 * e + 5]]
        d2x_at = q[dof[12 * e + 6]]
        d2y_at = q[dof[12 * e + 7]]
        d2z_at = q[dof[12 * e + 8]]
        d3x_at = q[dof[12 * e + 9]]
        d3y_at = q[dof[12 * e + 10]]
        d3z_at = q[dof[12 * e + 11]]
        v_x_at = v[dof[12 * e + 0]]
        v_y_at = v[dof[12 * e + 1]]
        v_z_at = v[dof[12 * e + 2]]
        v_d1x_at = v[dof[12 * e + 3]]
        v_d1y_at = v[dof[12 * e + 4]]
        v_d1z_at = v[dof[12 * e + 5]]
        v_d2x_at = v[dof[12 * e + 6]]
        v_d2y_at = v[dof[12 * e + 7]]
        v_d2z_at = v[dof[12 * e + 8]]
        v_d3x_at = v[dof[12 * e + 9]]
        v_d3y_at = v[dof[12 * e + 10]]
        v_d3z_at = v[dof[12 * e + 11]]
        s_x_at = par[4 * e + 0]
        s_y_at = par[4 * e + 1]
        s_z_at = par[4 * e + 2]
        value_x = u[3 * sig[3 * e + 0]]
        value_y = u[3 * sig[3 * e + 1]]
        value_z = u[3 * sig[3 * e + 2]]
        v_l0 = s_x_at*v_d1x_at + s_y_at*v_d2x_at + s_z_at*v_d3x_at + v_x_at
        v_l1 = s_x_at*v_d1y_at + s_y_at*v_d2y_at + s_z_at*v_d3y_at + v_y_at
        v_l2 = s_x_at*v_d1z_at + s_y_at*v_d2z_at + s_z_at*v_d3z_at + v_z_at
        l3 = d2x_at*value_y + d3x_at*value_z + value_x*(d1x_at + 1.0)
        l4 = d1y_at*value_x + d3y_at*value_z + value_y*(d2y_at + 1.0)
        l5 = d1z_at*value_x + d2z_at*value_y + value_z*(d3z_at + 1.0)
        energy[3 * e + 0] = 0.0
        energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = l3*v_l0 + l4*v_l1 + l5*v_l2
