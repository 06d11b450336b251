"""Printed by gaitwright.derive from gaitwright.physics.forces.force. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 12, 4, 3
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = False, False, True
DAMPED = False


def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        s_x_at = par[4 * e + 0]
        s_y_at = par[4 * e + 1]
        s_z_at = par[4 * e + 2]
        value_x = u[3 * sig[3 * e + 0]]
        value_y = u[3 * sig[3 * e + 1]]
        value_z = u[3 * sig[3 * e + 2]]
        total[dof[12 * e + 0]] += value_x
        total[dof[12 * e + 1]] += value_y
        total[dof[12 * e + 2]] += value_z
        total[dof[12 * e + 3]] += s_x_at*value_x
        total[dof[12 * e + 4]] += s_x_at*value_y
        total[dof[12 * e + 5]] += s_x_at*value_z
        total[dof[12 * e + 6]] += s_y_at*value_x
        total[dof[12 * e + 7]] += s_y_at*value_y
        total[dof[12 * e + 8]] += s_y_at*value_z
        total[dof[12 * e + 9]] += s_z_at*value_x
        total[dof[12 * e + 10]] += s_z_at*value_y
        total[dof[12 * e + 11]] += s_z_at*value_z


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass


def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
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
        energy[3 * e + 0] = 0.0
        energy[3 * e + 1] = 0.0
        energy[3 * e + 2] = v_l0*value_x + v_l1*value_y + v_l2*value_z
