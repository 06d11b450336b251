"""Printed by gaitwright.derive from gaitwright.physics.forces.bumper. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 2, 4, 0
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
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = 2.0*v_theta_a - 2.0*v_theta_b
        c1 = theta_a - theta_b
        c2 = lower + c1
        c3 = max(0.0, c2)
        c4 = -upper - c1
        c5 = max(0.0, c4)
        c6 = (0.5)*stiffness
        c7 = damping*c6*(c3 + c5)
        c8 = 2.0*c3*(1.0 if c2 > 0.0 else 0.0) - 2.0*c5*(1.0 if c4 > 0.0 else 0.0)
        total[dof[2 * e + 0]] += -c0*c7 - c6*c8
        total[dof[2 * e + 1]] += c0*c7 + c6*c8

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        theta_a = q[dof[2 * e + 0]]
        theta_b = q[dof[2 * e + 1]]
        v_theta_a = v[dof[2 * e + 0]]
        v_theta_b = v[dof[2 * e + 1]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = theta_a - theta_b
        c1 = lower + c0
        c2 = (1.0 if c1 > 0.0 else 0.0)
        c3 = -upper - c0
        c4 = (1.0 if c3 > 0.0 else 0.0)
        c5 = c2 - c4
        c6 = 2.0*v_theta_a - 2.0*v_theta_b
        c7 = (0.5)*stiffness
        c8 = damping*c7
        c9 = c6*c8
        c10 = max(0.0, c1)
        c11 = max(0.0, c3)
        c12 = 2.0*c10*0.0 + 2.0*c11*0.0 + 2.0*((c2) * (c2)) + 2.0*((c4) * (c4))
        c13 = c12*c7
        c15 = -c12*c7
        c16 = -c6*c8
        c17 = damping*stiffness*(c10 + c11)
        kq[slot[4 * e + 0]] += c13 + c5*c9
        kq[slot[4 * e + 1]] += c15 - c5*c9
        kq[slot[4 * e + 2]] += c15 + c16*c5
        kq[slot[4 * e + 3]] += c13 - c16*c5
        kv[slot[4 * e + 0]] += c17
        kv[slot[4 * e + 1]] += -c17
        kv[slot[4 * e + 2]] += -c17
        kv[slot[4 * e + 3]] += c17

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        theta_a = q[dof[2 * e + 0]]
        theta_b = q[dof[2 * e + 1]]
        v_theta_a = v[dof[2 * e + 0]]
        v_theta_b = v[dof[2 * e + 1]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = theta_a - theta_b
        c1 = max(0.0, lower + c0)
        c2 = max(0.0, -upper - c0)
        c3 = (0.5)*stiffness
        c4 = 2.0*v_theta_a - 2.0*v_theta_b
        c5 = damping*c3*(c1 + c2)
        energy[3 * e + 0] = c3*(((c1) * (c1)) + ((c2) * (c2)))
        energy[3 * e + 1] = v_theta_a*c4*c5 - v_theta_b*c4*c5
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        theta_a = q[dof[2 * e + 0]]
        theta_b = q[dof[2 * e + 1]]
        v_theta_a = v[dof[2 * e + 0]]
        v_theta_b = v[dof[2 * e + 1]]
        lower = par[4 * e + 0]
        upper = par[4 * e + 1]
        stiffness = par[4 * e + 2]
        damping = par[4 * e + 3]
        c0 = theta_a - theta_b
        c1 = max(0.0, lower + c0)
        c2 = max(0.0, -upper - c0)
        out[0] = -c0
        out[1] = -stiffness*(damping*(-v_theta_a + v_theta_b)*(c1 + c2) - c1 + c2)
