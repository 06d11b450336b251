"""Printed by gaitwright.derive from gaitwright.physics.forces.bushing. Do not edit."""

KIND = "force"
N_DOF, N_PAR, N_SIG = 27, 21, 0
TANGENT = ((21, 21), (22, 22), (23, 23), (24, 24), (25, 25), (26, 26))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, True, False
DAMPED = True
ACTING = 27
VARIABLES = (
    ('direction', 1, (12, 13, 14), 0), ('direction', 1, (12, 13, 14), 1), ('direction', 1, (12, 13, 14), 2),
    ('direction', 1, (15, 16, 17), 0), ('direction', 1, (15, 16, 17), 1), ('direction', 1, (15, 16, 17), 2),
    ('direction', 1, (18, 19, 20), 0), ('direction', 1, (18, 19, 20), 1), ('direction', 1, (18, 19, 20), 2),
    ('axis', 0, 0, 0), ('axis', 0, 0, 1), ('axis', 0, 0, 2), ('axis', 0, 1, 0), ('axis', 0, 1, 1), ('axis', 0, 1, 2),
    ('axis', 0, 2, 0), ('axis', 0, 2, 1), ('axis', 0, 2, 2), ('between', 0, 1, 0), ('between', 0, 1, 1),
    ('between', 0, 1, 2), ('quadratic', 0.0, ((1.0, 9, 18), (1.0, 10, 19), (1.0, 11, 20))),
    ('quadratic', 0.0, ((1.0, 12, 18), (1.0, 13, 19), (1.0, 14, 20))),
    ('quadratic', 0.0, ((1.0, 15, 18), (1.0, 16, 19), (1.0, 17, 20))),
    ('quadratic', 0.0, ((-0.5, 12, 6), (-0.5, 13, 7), (-0.5, 14, 8), (0.5, 15, 3), (0.5, 16, 4), (0.5, 17, 5))),
    ('quadratic', 0.0, ((0.5, 9, 6), (0.5, 10, 7), (0.5, 11, 8), (-0.5, 15, 0), (-0.5, 16, 1), (-0.5, 17, 2))),
    ('quadratic', 0.0, ((-0.5, 9, 3), (-0.5, 10, 4), (-0.5, 11, 5), (0.5, 12, 0), (0.5, 13, 1), (0.5, 14, 2))),
)

def force(count, dof, par, sig, q, v, u, total):
    for e in range(count):
        z27 = q[dof[27 * e + 21]]
        z28 = q[dof[27 * e + 22]]
        z29 = q[dof[27 * e + 23]]
        z30 = q[dof[27 * e + 24]]
        z31 = q[dof[27 * e + 25]]
        z32 = q[dof[27 * e + 26]]
        v_z27 = v[dof[27 * e + 21]]
        v_z28 = v[dof[27 * e + 22]]
        v_z29 = v[dof[27 * e + 23]]
        v_z30 = v[dof[27 * e + 24]]
        v_z31 = v[dof[27 * e + 25]]
        v_z32 = v[dof[27 * e + 26]]
        stiffness_x = par[21 * e + 0]
        stiffness_y = par[21 * e + 1]
        stiffness_z = par[21 * e + 2]
        torsional_stiffness_x = par[21 * e + 3]
        torsional_stiffness_y = par[21 * e + 4]
        torsional_stiffness_z = par[21 * e + 5]
        damping_x = par[21 * e + 6]
        damping_y = par[21 * e + 7]
        damping_z = par[21 * e + 8]
        torsional_damping_x = par[21 * e + 9]
        torsional_damping_y = par[21 * e + 10]
        torsional_damping_z = par[21 * e + 11]
        total[dof[27 * e + 21]] += -damping_x*v_z27 - stiffness_x*z27
        total[dof[27 * e + 22]] += -damping_y*v_z28 - stiffness_y*z28
        total[dof[27 * e + 23]] += -damping_z*v_z29 - stiffness_z*z29
        total[dof[27 * e + 24]] += -torsional_damping_x*v_z30 - torsional_stiffness_x*z30
        total[dof[27 * e + 25]] += -torsional_damping_y*v_z31 - torsional_stiffness_y*z31
        total[dof[27 * e + 26]] += -torsional_damping_z*v_z32 - torsional_stiffness_z*z32

def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    for e in range(count):
        stiffness_x = par[21 * e + 0]
        stiffness_y = par[21 * e + 1]
        stiffness_z = par[21 * e + 2]
        torsional_stiffness_x = par[21 * e + 3]
        torsional_stiffness_y = par[21 * e + 4]
        torsional_stiffness_z = par[21 * e + 5]
        damping_x = par[21 * e + 6]
        damping_y = par[21 * e + 7]
        damping_z = par[21 * e + 8]
        torsional_damping_x = par[21 * e + 9]
        torsional_damping_y = par[21 * e + 10]
        torsional_damping_z = par[21 * e + 11]
        kq[slot[6 * e + 0]] += stiffness_x
        kq[slot[6 * e + 1]] += stiffness_y
        kq[slot[6 * e + 2]] += stiffness_z
        kq[slot[6 * e + 3]] += torsional_stiffness_x
        kq[slot[6 * e + 4]] += torsional_stiffness_y
        kq[slot[6 * e + 5]] += torsional_stiffness_z
        kv[slot[6 * e + 0]] += damping_x
        kv[slot[6 * e + 1]] += damping_y
        kv[slot[6 * e + 2]] += damping_z
        kv[slot[6 * e + 3]] += torsional_damping_x
        kv[slot[6 * e + 4]] += torsional_damping_y
        kv[slot[6 * e + 5]] += torsional_damping_z

def energy(count, dof, par, sig, q, v, u, energy):
    for e in range(count):
        z27 = q[dof[27 * e + 21]]
        z28 = q[dof[27 * e + 22]]
        z29 = q[dof[27 * e + 23]]
        z30 = q[dof[27 * e + 24]]
        z31 = q[dof[27 * e + 25]]
        z32 = q[dof[27 * e + 26]]
        v_z27 = v[dof[27 * e + 21]]
        v_z28 = v[dof[27 * e + 22]]
        v_z29 = v[dof[27 * e + 23]]
        v_z30 = v[dof[27 * e + 24]]
        v_z31 = v[dof[27 * e + 25]]
        v_z32 = v[dof[27 * e + 26]]
        stiffness_x = par[21 * e + 0]
        stiffness_y = par[21 * e + 1]
        stiffness_z = par[21 * e + 2]
        torsional_stiffness_x = par[21 * e + 3]
        torsional_stiffness_y = par[21 * e + 4]
        torsional_stiffness_z = par[21 * e + 5]
        damping_x = par[21 * e + 6]
        damping_y = par[21 * e + 7]
        damping_z = par[21 * e + 8]
        torsional_damping_x = par[21 * e + 9]
        torsional_damping_y = par[21 * e + 10]
        torsional_damping_z = par[21 * e + 11]
        energy[3 * e + 0] = (0.5)*stiffness_x*((z27) * (z27)) + (0.5)*stiffness_y*((z28) * (z28)) + (0.5)*stiffness_z*((z29) * (z29)) + (0.5)*torsional_stiffness_x*((z30) * (z30)) + (0.5)*torsional_stiffness_y*((z31) * (z31)) + (0.5)*torsional_stiffness_z*((z32) * (z32))
        energy[3 * e + 1] = damping_x*((v_z27) * (v_z27)) + damping_y*((v_z28) * (v_z28)) + damping_z*((v_z29) * (v_z29)) + torsional_damping_x*((v_z30) * (v_z30)) + torsional_damping_y*((v_z31) * (v_z31)) + torsional_damping_z*((v_z32) * (v_z32))
        energy[3 * e + 2] = 0.0

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        z27 = q[dof[27 * e + 21]]
        z28 = q[dof[27 * e + 22]]
        z29 = q[dof[27 * e + 23]]
        z30 = q[dof[27 * e + 24]]
        z31 = q[dof[27 * e + 25]]
        z32 = q[dof[27 * e + 26]]
        v_z27 = v[dof[27 * e + 21]]
        v_z28 = v[dof[27 * e + 22]]
        v_z29 = v[dof[27 * e + 23]]
        v_z30 = v[dof[27 * e + 24]]
        v_z31 = v[dof[27 * e + 25]]
        v_z32 = v[dof[27 * e + 26]]
        stiffness_x = par[21 * e + 0]
        stiffness_y = par[21 * e + 1]
        stiffness_z = par[21 * e + 2]
        torsional_stiffness_x = par[21 * e + 3]
        torsional_stiffness_y = par[21 * e + 4]
        torsional_stiffness_z = par[21 * e + 5]
        damping_x = par[21 * e + 6]
        damping_y = par[21 * e + 7]
        damping_z = par[21 * e + 8]
        torsional_damping_x = par[21 * e + 9]
        torsional_damping_y = par[21 * e + 10]
        torsional_damping_z = par[21 * e + 11]
        out[0] = z27
        out[1] = z28
        out[2] = z29
        out[3] = z30
        out[4] = z31
        out[5] = z32
        out[6] = -damping_x*v_z27 - stiffness_x*z27
        out[7] = -damping_y*v_z28 - stiffness_y*z28
        out[8] = -damping_z*v_z29 - stiffness_z*z29
        out[9] = -torsional_damping_x*v_z30 - torsional_stiffness_x*z30
        out[10] = -torsional_damping_y*v_z31 - torsional_stiffness_y*z31
        out[11] = -torsional_damping_z*v_z32 - torsional_stiffness_z*z32
