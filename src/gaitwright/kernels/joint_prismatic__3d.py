"""Printed by gaitwright.derive from gaitwright.physics.joints.prismatic. Do not edit."""

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 41, 18, 0, 5
JACOBIAN = ((0, 27), (1, 28), (2, 29), (3, 30), (4, 31))
HESSIAN = ()
SYMMETRIC = True
ACTING = 32
VARIABLES = (
    ('direction', 0, (3, 4, 5), 0), ('direction', 0, (3, 4, 5), 1), ('direction', 0, (3, 4, 5), 2),
    ('direction', 0, (6, 7, 8), 0), ('direction', 0, (6, 7, 8), 1), ('direction', 0, (6, 7, 8), 2), ('axis', 0, 0, 0),
    ('axis', 0, 0, 1), ('axis', 0, 0, 2), ('axis', 0, 1, 0), ('axis', 0, 1, 1), ('axis', 0, 1, 2), ('axis', 0, 2, 0),
    ('axis', 0, 2, 1), ('axis', 0, 2, 2), ('direction', 1, (15, 16, 17), 0), ('direction', 1, (15, 16, 17), 1),
    ('direction', 1, (15, 16, 17), 2), ('direction', 1, (9, 10, 11), 0), ('direction', 1, (9, 10, 11), 1),
    ('direction', 1, (9, 10, 11), 2), ('direction', 1, (12, 13, 14), 0), ('direction', 1, (12, 13, 14), 1),
    ('direction', 1, (12, 13, 14), 2), ('between', 0, 1, 0), ('between', 0, 1, 1), ('between', 0, 1, 2),
    ('quadratic', 0.0, ((1.0, 0, 24), (1.0, 1, 25), (1.0, 2, 26))),
    ('quadratic', 0.0, ((1.0, 3, 24), (1.0, 4, 25), (1.0, 5, 26))),
    ('quadratic', 0.0, ((1.0, 9, 15), (1.0, 10, 16), (1.0, 11, 17))),
    ('quadratic', 0.0, ((1.0, 12, 18), (1.0, 13, 19), (1.0, 14, 20))),
    ('quadratic', 0.0, ((1.0, 6, 21), (1.0, 7, 22), (1.0, 8, 23))), ('position', 1, 0), ('position', 1, 1),
    ('position', 1, 2), ('position', 0, 0), ('position', 0, 1), ('position', 0, 2), ('direction', 0, (0, 1, 2), 0),
    ('direction', 0, (0, 1, 2), 1), ('direction', 0, (0, 1, 2), 2),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z33 = q[dof[41 * e + 27]]
        z34 = q[dof[41 * e + 28]]
        z35 = q[dof[41 * e + 29]]
        z36 = q[dof[41 * e + 30]]
        z37 = q[dof[41 * e + 31]]
        phi[row[5 * e + 0]] = z33
        phi[row[5 * e + 1]] = z34
        phi[row[5 * e + 2]] = z35
        phi[row[5 * e + 3]] = z36
        phi[row[5 * e + 4]] = z37
        jac[slot[5 * e + 0]] += 1.0
        jac[slot[5 * e + 1]] += 1.0
        jac[slot[5 * e + 2]] += 1.0
        jac[slot[5 * e + 3]] += 1.0
        jac[slot[5 * e + 4]] += 1.0

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z33 = q[dof[41 * e + 27]]
        z34 = q[dof[41 * e + 28]]
        z35 = q[dof[41 * e + 29]]
        z36 = q[dof[41 * e + 30]]
        z37 = q[dof[41 * e + 31]]
        v_z33 = v[dof[41 * e + 27]]
        v_z34 = v[dof[41 * e + 28]]
        v_z35 = v[dof[41 * e + 29]]
        v_z36 = v[dof[41 * e + 30]]
        v_z37 = v[dof[41 * e + 31]]
        phi[row[5 * e + 0]] = z33
        phi[row[5 * e + 1]] = z34
        phi[row[5 * e + 2]] = z35
        phi[row[5 * e + 3]] = z36
        phi[row[5 * e + 4]] = z37
        phi_t[row[5 * e + 0]] = phi_t[row[5 * e + 1]] = phi_t[row[5 * e + 2]] = phi_t[row[5 * e + 3]] = 0.0
        phi_t[row[5 * e + 4]] = gamma[row[5 * e + 0]] = gamma[row[5 * e + 1]] = gamma[row[5 * e + 2]] = 0.0
        phi_dot[row[5 * e + 0]] = v_z33
        phi_dot[row[5 * e + 1]] = v_z34
        phi_dot[row[5 * e + 2]] = v_z35
        phi_dot[row[5 * e + 3]] = v_z36
        phi_dot[row[5 * e + 4]] = v_z37
        gamma[row[5 * e + 3]] = gamma[row[5 * e + 4]] = 0.0
        jac[slot[5 * e + 0]] += 1.0
        jac[slot[5 * e + 1]] += 1.0
        jac[slot[5 * e + 2]] += 1.0
        jac[slot[5 * e + 3]] += 1.0
        jac[slot[5 * e + 4]] += 1.0

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    pass

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        gq[slot[5 * e + 0]] += stiff
        gq[slot[5 * e + 1]] += stiff
        gq[slot[5 * e + 2]] += stiff
        gq[slot[5 * e + 3]] += stiff
        gq[slot[5 * e + 4]] += stiff
        gv[slot[5 * e + 0]] += damp
        gv[slot[5 * e + 1]] += damp
        gv[slot[5 * e + 2]] += damp
        gv[slot[5 * e + 3]] += damp
        gv[slot[5 * e + 4]] += damp

def observe(count, dof, par, sig, q, v, u, out):
    for e in range(count):
        x_b = q[dof[41 * e + 32]]
        y_b = q[dof[41 * e + 33]]
        z_b = q[dof[41 * e + 34]]
        x_a = q[dof[41 * e + 35]]
        y_a = q[dof[41 * e + 36]]
        z_a = q[dof[41 * e + 37]]
        axis_a_x = q[dof[41 * e + 38]]
        axis_a_y = q[dof[41 * e + 39]]
        axis_a_z = q[dof[41 * e + 40]]
        v_x_b = v[dof[41 * e + 32]]
        v_y_b = v[dof[41 * e + 33]]
        v_z_b = v[dof[41 * e + 34]]
        v_x_a = v[dof[41 * e + 35]]
        v_y_a = v[dof[41 * e + 36]]
        v_z_a = v[dof[41 * e + 37]]
        v_axis_a_x = v[dof[41 * e + 38]]
        v_axis_a_y = v[dof[41 * e + 39]]
        v_axis_a_z = v[dof[41 * e + 40]]
        c0 = -x_a + x_b
        c1 = -y_a + y_b
        c2 = -z_a + z_b
        out[0] = axis_a_x*c0 + axis_a_y*c1 + axis_a_z*c2
        out[1] = -axis_a_x*v_x_a + axis_a_x*v_x_b - axis_a_y*v_y_a + axis_a_y*v_y_b - axis_a_z*v_z_a + axis_a_z*v_z_b + v_axis_a_x*c0 + v_axis_a_y*c1 + v_axis_a_z*c2
