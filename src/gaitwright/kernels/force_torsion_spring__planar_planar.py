"""Printed by gaitwright.derive from gaitwright.physics.forces.torsion_spring. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 2, 3, 0
TANGENT = ((0, 0), (0, 1), (1, 0), (1, 1))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        theta_a = q[dof[2 * e + 0]]
        theta_b = q[dof[2 * e + 1]]
        v_theta_a = v[dof[2 * e + 0]]
        v_theta_b = v[dof[2 * e + 1]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = 2.0*v_theta_a - 2.0*v_theta_b
        c1 = (0.5)*damping
        c2 = 2.0*rest_angle + 2.0*theta_a - 2.0*theta_b
        c3 = (0.5)*stiffness
        total[dof[2 * e + 0]] += -c0*c1 - c2*c3
        total[dof[2 * e + 1]] += c0*c1 + c2*c3

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        kq[slot[4 * e + 0]] += stiffness
        kq[slot[4 * e + 1]] += -stiffness
        kq[slot[4 * e + 2]] += -stiffness
        kq[slot[4 * e + 3]] += stiffness
        kv[slot[4 * e + 0]] += damping
        kv[slot[4 * e + 1]] += -damping
        kv[slot[4 * e + 2]] += -damping
        kv[slot[4 * e + 3]] += damping

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        theta_a = q[dof[2 * e + 0]]
        theta_b = q[dof[2 * e + 1]]
        v_theta_a = v[dof[2 * e + 0]]
        v_theta_b = v[dof[2 * e + 1]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = 2.0*v_theta_a - 2.0*v_theta_b
        c1 = (0.5)*damping
        energy[3 * e + 0] = (0.5)*stiffness*((-rest_angle - theta_a + theta_b) * (-rest_angle - theta_a + theta_b))
        energy[3 * e + 1] = v_theta_a*c0*c1 - v_theta_b*c0*c1
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        theta_a = q[dof[2 * e + 0]]
        theta_b = q[dof[2 * e + 1]]
        v_theta_a = v[dof[2 * e + 0]]
        v_theta_b = v[dof[2 * e + 1]]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        rest_angle = par[3 * e + 2]
        c0 = theta_a - theta_b
        out[0] = -c0
        out[1] = -damping*(-v_theta_a + v_theta_b) - stiffness*(-rest_angle - c0)
