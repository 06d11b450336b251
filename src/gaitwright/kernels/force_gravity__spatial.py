"""Printed by gaitwright.derive from gaitwright.physics.forces.gravity. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 12, 7, 0
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, False, False
DAMPED = False

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        s_x_body = par[7 * e + 0]
        s_y_body = par[7 * e + 1]
        s_z_body = par[7 * e + 2]
        mass = par[7 * e + 3]
        g_x = par[7 * e + 4]
        g_y = par[7 * e + 5]
        g_z = par[7 * e + 6]
        c0 = g_x*mass
        c1 = g_y*mass
        c2 = g_z*mass
        total[dof[12 * e + 0]] += c0
        total[dof[12 * e + 1]] += c1
        total[dof[12 * e + 2]] += c2
        total[dof[12 * e + 3]] += s_x_body*c0
        total[dof[12 * e + 4]] += s_x_body*c1
        total[dof[12 * e + 5]] += s_x_body*c2
        total[dof[12 * e + 6]] += s_y_body*c0
        total[dof[12 * e + 7]] += s_y_body*c1
        total[dof[12 * e + 8]] += s_y_body*c2
        total[dof[12 * e + 9]] += s_z_body*c0
        total[dof[12 * e + 10]] += s_z_body*c1
        total[dof[12 * e + 11]] += s_z_body*c2

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        x_body = q[dof[12 * e + 0]]
        y_body = q[dof[12 * e + 1]]
        z_body = q[dof[12 * e + 2]]
        d1x_body = q[dof[12 * e + 3]]
        d1y_body = q[dof[12 * e + 4]]
        d1z_body = q[dof[12 * e + 5]]
        d2x_body = q[dof[12 * e + 6]]
        d2y_body = q[dof[12 * e + 7]]
        d2z_body = q[dof[12 * e + 8]]
        d3x_body = q[dof[12 * e + 9]]
        d3y_body = q[dof[12 * e + 10]]
        d3z_body = q[dof[12 * e + 11]]
        s_x_body = par[7 * e + 0]
        s_y_body = par[7 * e + 1]
        s_z_body = par[7 * e + 2]
        mass = par[7 * e + 3]
        g_x = par[7 * e + 4]
        g_y = par[7 * e + 5]
        g_z = par[7 * e + 6]
        l0 = d2x_body*s_y_body + d3x_body*s_z_body + s_x_body*(d1x_body + 1.0) + x_body
        l1 = d1y_body*s_x_body + d3y_body*s_z_body + s_y_body*(d2y_body + 1.0) + y_body
        l2 = d1z_body*s_x_body + d2z_body*s_y_body + s_z_body*(d3z_body + 1.0) + z_body
        energy[3 * e + 0] = -mass*(l0*g_x + l1*g_y + l2*g_z)
        energy[3 * e + 1] = energy[3 * e + 2] = 0.0
