"""Printed by gaitwright.derive from gaitwright.physics.joints.distance. Do not edit."""

from math import sqrt

KIND = "constraint"
N_DOF, N_PAR, N_SIG, N_ROW = 3, 1, 0, 1
JACOBIAN = ((0, 2),)
HESSIAN = ((2, 2),)
SYMMETRIC = True
ACTING = 3
VARIABLES = (
    ('between', 0, 1, 0), ('between', 0, 1, 1), ('quadratic', 0.0, ((1.0, 0, 0), (1.0, 1, 1))),
)

def position(count, dof, par, sig, row, slot, q, u, phi, jac):
    for e in range(count):
        z6 = q[dof[3 * e + 2]]
        length = par[1 * e + 0]
        c0 = sqrt((z6 + 1.0e-100))
        phi[row[1 * e + 0]] = -length + c0
        jac[slot[1 * e + 0]] += 1.0 / (2.0*c0)

def motion(count, dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for e in range(count):
        z6 = q[dof[3 * e + 2]]
        v_z6 = v[dof[3 * e + 2]]
        length = par[1 * e + 0]
        c0 = z6 + 1.0e-100
        c1 = sqrt((c0))
        c2 = 1.0 / (2.0*c1)
        phi[row[1 * e + 0]] = -length + c1
        phi_t[row[1 * e + 0]] = 0.0
        phi_dot[row[1 * e + 0]] = v_z6*c2
        gamma[row[1 * e + 0]] = ((v_z6) * (v_z6)) / (4.0*((c0) * sqrt((c0))))
        jac[slot[1 * e + 0]] += c2

def hessian(count, dof, par, sig, row, slot, q, u, lam, kq):
    for e in range(count):
        z6 = q[dof[3 * e + 2]]
        lam_0 = lam[row[1 * e + 0]]
        kq[slot[1 * e + 0]] += (-lam_0) / (4.0*((z6 + 1.0e-100) * sqrt((z6 + 1.0e-100))))

def acceleration(count, dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv):
    for e in range(count):
        z6 = q[dof[3 * e + 2]]
        v_z6 = v[dof[3 * e + 2]]
        a_z6 = a[dof[3 * e + 2]]
        c0 = z6 + 1.0e-100
        c1 = (1.0 / ((c0) * sqrt((c0))))
        c2 = (1.0 / 4.0)*c1
        c3 = (1.0 / sqrt((c0)))
        gq[slot[1 * e + 0]] += -a_z6*c2 + (3.0*((v_z6) * (v_z6))) / (8.0*((c0) * (c0) * sqrt((c0)))) - v_z6*c2*damp + (0.5)*c3*stiff
        gv[slot[1 * e + 0]] += -0.5*v_z6*c1 + (0.5)*c3*damp
