"""Printed by gaitwright.derive from gaitwright.physics.forces.gravity. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 8, 7, 0
TANGENT = ()
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, False, False
DAMPED = False

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        n0_body = par[7 * e + 0]
        n1_body = par[7 * e + 1]
        n2_body = par[7 * e + 2]
        n3_body = par[7 * e + 3]
        mass = par[7 * e + 4]
        g_x = par[7 * e + 5]
        g_y = par[7 * e + 6]
        c0 = mass*n0_body
        c1 = mass*n1_body
        c2 = mass*n2_body
        c3 = mass*n3_body
        total[dof[8 * e + 0]] += g_x*c0
        total[dof[8 * e + 1]] += g_y*c0
        total[dof[8 * e + 2]] += g_x*c1
        total[dof[8 * e + 3]] += g_y*c1
        total[dof[8 * e + 4]] += g_x*c2
        total[dof[8 * e + 5]] += g_y*c2
        total[dof[8 * e + 6]] += g_x*c3
        total[dof[8 * e + 7]] += g_y*c3

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    pass

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        x0_body = q[dof[8 * e + 0]]
        y0_body = q[dof[8 * e + 1]]
        u0_body = q[dof[8 * e + 2]]
        v0_body = q[dof[8 * e + 3]]
        x1_body = q[dof[8 * e + 4]]
        y1_body = q[dof[8 * e + 5]]
        u1_body = q[dof[8 * e + 6]]
        v1_body = q[dof[8 * e + 7]]
        n0_body = par[7 * e + 0]
        n1_body = par[7 * e + 1]
        n2_body = par[7 * e + 2]
        n3_body = par[7 * e + 3]
        mass = par[7 * e + 4]
        g_x = par[7 * e + 5]
        g_y = par[7 * e + 6]
        energy[3 * e + 0] = -mass*(g_x*(n0_body*x0_body + n1_body*u0_body + n2_body*x1_body + n3_body*u1_body) + g_y*(n0_body*y0_body + n1_body*v0_body + n2_body*y1_body + n3_body*v1_body))
        energy[3 * e + 1] = energy[3 * e + 2] = 0.0
